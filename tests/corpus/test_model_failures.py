"""A model that fails, temporarily or permanently, for one article or for all; over HTTP, in virtual time."""

import json
import re

import pytest

from biofact.literature.extraction import model_reading
from biofact.sandbox.faults import Fault
from biofact.sandbox.scripted_model import broken, limited
from tests.corpus.model_scene import HONEST, all_rows, articles, line_about, lines, make_plan, read_with_model

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    "trouble",
    [broken(), limited(20), Fault("reset"), pytest.param(Fault("close"), marks=pytest.mark.sweep)],
    ids=str,
)
def test_a_model_that_fails_for_a_while_is_waited_for(trouble, tmp_path):
    make_plan(tmp_path, articles(8))

    end, _, seconds = read_with_model(tmp_path, *[trouble] * 30, HONEST, limit=2)

    assert end.is_complete
    assert {row["status"] for row in all_rows(tmp_path)} == {"read"}
    assert len(lines(tmp_path)) == 8
    assert seconds > 10


def test_a_model_that_is_down_stops_the_run_and_costs_no_article(tmp_path):
    make_plan(tmp_path, articles(8))

    end, model, seconds = read_with_model(tmp_path, broken())

    assert end.stop == "model"
    assert re.match(r"The model scripted has not answered for 1[01] minutes: it failed \(HTTP 500\)\.", end.message)
    assert 600 < seconds < 700
    assert len(model.chats) < 500
    assert lines(tmp_path) == all_rows(tmp_path) == []


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (Fault("status", status=401, body=b"no"), "it refused the question (HTTP 401)"),
        (Fault("status", status=404, body=b"no"), "it refused the question (HTTP 404)"),
        (limited(3600), "it asked us to wait 3600 seconds"),
    ],
    ids=str,
)
def test_a_failure_of_every_article_stops_the_run_at_once(trouble, reason, tmp_path):
    make_plan(tmp_path, articles(30))

    end, model, _ = read_with_model(tmp_path, HONEST, HONEST, HONEST, HONEST, trouble, limit=1)

    assert end.stop == "model"
    assert end.message == (
        f"The model scripted cannot be asked: {reason}. What was answered is kept; the same command goes on."
    )
    assert len(model.chats) <= 4 + 3
    assert len(lines(tmp_path)) == 4


def decline(chat):
    message = {"role": "assistant", "content": None, "refusal": "No."}
    document = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"total_tokens": 77}}
    return Fault("body", body=json.dumps(document).encode())


@pytest.mark.parametrize(
    ("trouble", "reason", "tokens"),
    [
        (Fault("status", status=400, body=b"no"), "it refused the question (HTTP 400)", 0),
        (decline, "it declined to answer", 77),
    ],
    ids=["refused", "declined"],
)
def test_an_article_that_the_model_refuses_is_a_row_with_its_error(trouble, reason, tokens, tmp_path):
    make_plan(tmp_path, articles(8))
    model_line = line_about(1003, trouble)

    end, _, _ = read_with_model(tmp_path, model_line)
    for path in (tmp_path / "run" / "shards").iterdir():
        path.unlink()
    second_end, model, _ = read_with_model(tmp_path, HONEST)

    assert end.is_complete
    assert second_end.is_complete
    assert model.chats == []
    rows = {row["pmid"]: row for row in all_rows(tmp_path)}
    assert rows["1003"]["error"] == f"The model did not read the article: {reason}."
    assert [pmid for pmid, row in rows.items() if row["status"] == "error"] == ["1003"]
    assert [line["tokens"] for line in lines(tmp_path) if line["pmid"] == "1003"] == [tokens]


def test_articles_that_are_refused_among_others_hold_up_no_shard(tmp_path):
    make_plan(tmp_path, articles(48), shard_size=3)

    def line(chat):
        is_refused = int(model_reading.question_articles(chat.text)[0]["id"][5:]) % 8 < 5
        return Fault("status", status=400, body=b"no") if is_refused else HONEST(chat)

    end, _, _ = read_with_model(tmp_path, line, limit=8, delay=1.0)

    assert end.is_complete
    assert end.progress.done == end.progress.answered == 48
    assert [row["status"] for row in all_rows(tmp_path)].count("error") == 30
    assert len(lines(tmp_path)) == 48


def test_a_model_that_refuses_everything_is_not_believed(tmp_path):
    make_plan(tmp_path, articles(40))

    end, _, _ = read_with_model(tmp_path, Fault("status", status=400, body=b"no"))

    assert end.stop == "model"
    assert "refused 20 articles in a row: it refused the question (HTTP 400)" in end.message
    assert lines(tmp_path) == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("not JSON", "its answer is not JSON"),
        ({"articles": "none"}, "its answer cannot be used: it has no list of articles"),
        ({"articles": []}, "it left the article out of its answer"),
    ],
    ids=str,
)
def test_an_answer_in_vain_is_asked_for_three_times_over_all_starts(answer, reason, tmp_path):
    make_plan(tmp_path, articles(3))
    bad = line_about(1001, answer)

    read_with_model(tmp_path, bad, limit=1, budget_tokens=1100)
    first = len([line for line in lines(tmp_path) if line["pmid"] == "1001"])
    end, _, _ = read_with_model(tmp_path, bad)

    assert end.is_complete
    assert 0 < first < 3
    log_lines = [line for line in lines(tmp_path) if line["pmid"] == "1001"]
    assert [line["is_final"] for line in log_lines] == [False, False, True]
    assert all(line["tokens"] for line in log_lines)
    row = next(row for row in all_rows(tmp_path) if row["pmid"] == "1001")
    assert row["error"] == f"The model did not read the article: {reason}."


def test_an_article_that_never_gets_an_answer_holds_up_no_other(tmp_path):
    make_plan(tmp_path, articles(40))

    end, _, _ = read_with_model(tmp_path, line_about(1003, broken()), limit=3)

    assert end.is_complete
    assert [row["pmid"] for row in all_rows(tmp_path) if row["status"] == "error"] == ["1003"]
