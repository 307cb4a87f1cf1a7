"""The progress reports of a caller over MCP, and the model that it lends, in both eras of the protocol."""

import asyncio
import json

import pytest

from biofact.literature.extraction.schema import ExtractionSchema
from biofact.sandbox.scripted_model import Chat, honest
from tests import virtual_time
from tests.interfaces.ask import ERAS, HANDSHAKE, body
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

SCHEMA = {"study_type": "string", "sample_size": "number"}
TRIAL, COHORT = "PMID:11832527", "PMID:99000022"
every_era = pytest.mark.parametrize("era", ERAS)


def as_chat(messages, params):
    text = "".join(message.content.text for message in messages)
    call_with_model = ({"role": "system", "content": params.system_prompt}, {"role": "user", "content": text})
    return Chat("scripted", call_with_model, "text", None, is_streamed=False, headers={})


class LentModel:
    """A client's model that reads honestly, and counts its questions."""

    def __init__(self, *before):
        self.before = list(before)
        self.questions = []

    async def __call__(self, messages, params, _context):
        self.questions.append(params.system_prompt)
        if self.before:
            return self.before.pop(0)
        return json.dumps(honest(ExtractionSchema.read(SCHEMA))(as_chat(messages, params)))


def call_with_model(era, folder, *calls, **options):
    """The answers to some calls, with the client's options such as its model."""

    async def run():
        async with served(protocol=era, client=options, settings={"BIOFACT_CACHE_DIR": str(folder)}) as gateway:
            return [body(await gateway.client.call_tool_mcp(name, arguments)) for name, arguments in calls]

    return virtual_time.run(run())


def extraction(**options):
    return "pubmed_extract_features", {"articles": [TRIAL, COHORT], "extraction_schema": SCHEMA, **options}


@every_era
def test_the_callers_own_model_reads_the_articles(era, tmp_path):
    model = LentModel()

    (answer,) = call_with_model(era, tmp_path, extraction(), sampling_handler=model)

    assert answer["extraction_metadata"]["method"] == "sampling"
    assert answer["extraction_metadata"]["model"] == "the calling agent's model"
    assert [row["extraction"]["sample_size"] for row in answer["extractions"]] == [3234, 240]
    assert len(model.questions) == 1


@every_era
def test_several_questions_are_all_answered(era, tmp_path):
    model = LentModel()

    (answer,) = call_with_model(era, tmp_path, extraction(batch_size=1), sampling_handler=model)

    assert len(model.questions) == 2
    assert [row["extraction_metadata"]["method"] for row in answer["extractions"]] == ["sampling"] * 2


@every_era
def test_a_model_that_says_no_json_is_asked_again(era, tmp_path):
    model = LentModel("Certainly! Here it is.")

    (answer,) = call_with_model(era, tmp_path, extraction(), sampling_handler=model)

    assert len(model.questions) == 2
    assert [row["extraction"]["sample_size"] for row in answer["extractions"]] == [3234, 240]


@every_era
def test_an_invented_quote_of_the_callers_model_does_not_survive(era, tmp_path):
    claim = {"value": 999, "quote": "999 patients were enrolled", "where": "abstract"}
    model = LentModel(*[json.dumps({"articles": [{"id": TRIAL, "fields": {"sample_size": claim}}]})] * 9)

    (answer,) = call_with_model(era, tmp_path, extraction(articles=[TRIAL]), sampling_handler=model)

    assert "sample_size" not in answer["extractions"][0]["extraction"]
    assert answer["extraction_metadata"]["ungrounded"] >= 1


@every_era
def test_without_a_model_rules_read(era, tmp_path):
    (answer,) = call_with_model(era, tmp_path, extraction())

    assert answer["extraction_metadata"]["method"] == "rules"


def test_best_effort_continues_if_a_client_refuses_to_sample(tmp_path):
    """Over the newest protocol a client that cannot answer aborts its call by itself."""

    async def refuse(_messages, _params, _context):
        raise ValueError("no")

    (answer,) = call_with_model(HANDSHAKE, tmp_path, extraction(validation_mode="best_effort"), sampling_handler=refuse)

    assert [row["extraction_metadata"]["method"] for row in answer["extractions"]] == ["rules", "rules"]


@every_era
def test_a_query_is_improved_by_the_callers_model(era, tmp_path):
    model = LentModel(*["no json at all"] * 9)
    goal = {"research_goal": "Does metformin prevent type 2 diabetes?"}

    (answer,) = call_with_model(era, tmp_path, ("pubmed_generate_query", goal), sampling_handler=model)

    assert answer["method"] == "rules"
    assert "LEG_FAILED" in [notice["code"] for notice in answer["notices"]]
    assert model.questions


@requirement("004 EH-5")
@every_era
def test_progress_is_reported_as_articles_are_read(era, tmp_path):
    reports = []

    async def hear(done, total, message):
        reports.append((done, total, message))

    call_with_model(
        era,
        tmp_path,
        ("pubmed_search", {"search_query": "metformin", "slim": True}),
        extraction(batch_size=1),
        sampling_handler=LentModel(),
        progress_handler=hear,
    )

    assert reports[-3:] == [(2, 2, "articles fetched"), (3, 4, "articles read"), (4, 4, "articles read")]


@every_era
def test_a_call_that_is_given_up_ends_and_the_next_is_answered(era, tmp_path):
    started = asyncio.Event()

    async def never(_messages, _params, _context):
        started.set()
        await asyncio.sleep(60)

    async def run():
        settings = {"BIOFACT_CACHE_DIR": str(tmp_path)}
        async with served(protocol=era, client={"sampling_handler": never}, settings=settings) as gateway:
            name, arguments = extraction()
            call = asyncio.create_task(gateway.client.call_tool_mcp(name, arguments))
            await started.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            return await gateway.client.call_tool_mcp("pubmed_get_articles", {"pmids": [TRIAL], "slim": True})

    assert virtual_time.run(run()).structured_content["items"][0]["id"] == TRIAL
