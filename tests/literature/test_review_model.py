"""A review with a model: asked once for each answer, never replaced by rules because it was unavailable."""

import json
import shutil

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.folder_files import FolderFile
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.model import ModelAnswer, ModelFailed, ModelQuestion
from biofact.literature.review.features import RememberedModel
from biofact.literature.review.folder import Work
from biofact.literature.review.plan import SCHEMA
from biofact.sandbox.faults import Fault
from biofact.sandbox.scripted_model import ScriptedModel, honest
from tests import virtual_time
from tests.in_process import MODEL_PORT
from tests.literature.made_reviews import outputs, plan, run

pytestmark = pytest.mark.quick

HONEST = honest(ExtractionSchema.read(SCHEMA))
MODEL_QUESTION = ModelQuestion("Read.", "An abstract.", {"type": "object"})


def line(chat):
    """Suggests only a synonym for the goal; reads articles as the rules do."""
    if "<<<GOAL" in chat.text:
        return {"concepts": [{"name": "metformin", "synonyms": ["glucophage"]}], "queries": []}
    return HONEST(chat)


def with_model(*scripts, folder, before=lambda: None):
    """Starts of the review one after the other, each with a script of its own; the number of questions in each."""
    query = []
    for script in scripts:
        model = ScriptedModel(*script, port=MODEL_PORT)
        before()
        try:
            run(plan(reader="scripted"), folder, model=model)
        except UpstreamError as error:
            query.append((len(model.chats), error.message))
        else:
            query.append((len(model.chats), ""))
    return query


@pytest.fixture(scope="module")
def undisturbed_answer(tmp_path_factory):
    """The folder of an undisturbed run, and the number of its questions to the model."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    ((count, _),) = with_model([line], folder=folder)
    return folder, count


def test_a_model_reads_and_is_named(undisturbed_answer):
    folder, count = undisturbed_answer
    manifest = json.loads((folder / "manifest.json").read_bytes())

    assert count == 2
    assert manifest["features"]["reader"] == "scripted"
    assert manifest["features"]["read_by_rules"] == 0
    assert manifest["features"]["tokens_used"] > 0
    assert "Features by the model scripted" in (folder / "report.html").read_text()


def test_a_recorded_answer_of_a_model_is_not_requested_again(tmp_path, undisturbed_answer):
    shutil.copytree(undisturbed_answer[0], tmp_path / "run")
    before = outputs(tmp_path / "run")
    for name in before:
        (tmp_path / "run" / name).unlink()
    shutil.rmtree(tmp_path / "run" / ".work" / "features")
    ((count, _),) = with_model([line], folder=tmp_path / "run")

    assert count == 0
    assert outputs(tmp_path / "run") == before


def test_a_model_that_is_away_stops_the_run_and_is_asked_for_the_rest(tmp_path, undisturbed_answer):
    down = Fault("status", status=503)
    first, second = with_model([line, down], [line], folder=tmp_path / "run")

    assert "The model scripted does not answer" in first[1]
    assert second == (1, "")
    assert outputs(tmp_path / "run") == outputs(undisturbed_answer[0])


def test_a_model_that_is_away_from_the_beginning_leaves_no_queries_by_rules(tmp_path):
    first, second = with_model([Fault("status", status=503)], [line], folder=tmp_path / "run")

    assert "does not answer" in first[1]
    assert second == (2, "")


def test_articles_that_a_model_cannot_read_are_read_by_rules_and_reported(tmp_path):
    def odd(chat):
        answer = line(chat)
        if "articles" in answer:
            answer["articles"] = [article for article in answer["articles"] if article["id"] != "PMID:9742977"]
        return answer

    ((_, failed),) = with_model([odd], folder=tmp_path / "run")

    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert failed == ""
    assert manifest["features"]["read_by_rules"] == 1
    assert "The model scripted could not read 1 of 4 articles; rules read them." in [
        notice["message"] for notice in manifest["notices"]
    ]


class ScriptedReplies:
    """A model that gives these answers in turn."""

    name = "said"
    method = "model"

    def __init__(self, *script):
        self.script = list(script)

    async def answer(self, question):
        line = self.script.pop(0)
        if isinstance(line, ModelFailed):
            raise line
        return ModelAnswer(line, 7)


async def ask_model(model, question=MODEL_QUESTION):
    try:
        return (await model.answer(question)).value
    except ModelFailed as failed:
        return failed.reason


def remembered_model(folder, *script):
    folder.mkdir(exist_ok=True)
    return RememberedModel(ScriptedReplies(*script), Work(FolderFile(folder)))


def test_a_question_asked_again_in_one_run_is_another_one(tmp_path):
    async def ask(model):
        return [await ask_model(model), await ask_model(model)]

    assert virtual_time.run(ask(remembered_model(tmp_path / "work", 1, 2))) == [1, 2]
    assert virtual_time.run(ask(remembered_model(tmp_path / "work"))) == [1, 2]


def test_failures_that_were_paid_for_are_kept_and_others_are_not(tmp_path):
    model_failed = ModelFailed("its answer is not JSON", may_pass=True, tokens=9)
    free = ModelFailed("it failed", may_pass=True)

    async def ask(model, times):
        return [await ask_model(model) for _ in range(times)]

    assert virtual_time.run(ask(remembered_model(tmp_path / "work", model_failed, free), 2)) == [
        "its answer is not JSON",
        "it failed",
    ]
    assert virtual_time.run(ask(remembered_model(tmp_path / "work", 3), 2)) == ["its answer is not JSON", 3]
