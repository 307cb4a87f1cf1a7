"""Answers without a cursor that are longer than a host reads: the cut rows, the remaining ones, and the notice."""

import math

import pytest

from biofact.core.records import compact_json
from biofact.interfaces.mcp import calls
from biofact.interfaces.mcp.calls import readable
from tests.sandboxed import WHOLE
from tests.served import replies

pytestmark = pytest.mark.quick

LIMIT = 80_000
SENTENCE = "What is known of it. " * 40


def articles(count):
    return [{"id": f"PMID:{number}", "abstract": SENTENCE} for number in range(count)]


def test_the_longest_list_ends_where_the_host_stops_reading():
    body = {"articles": articles(200), "total_results": 5_000, "collection": "articles-1"}

    shorter = readable(body, LIMIT, ["search_query", "max_results", "slim"])

    rows = shorter["articles"]
    assert LIMIT * 0.9 < len(compact_json(shorter)) <= LIMIT
    assert rows == body["articles"][: len(rows)]
    assert shorter["total_results"] == 5_000
    (notice,) = shorter["notices"]
    assert notice == {
        "code": "LIST_CUT",
        "message": f"`articles` shows {len(rows)} of 200: more would be over 80,000 characters. To have the others, "
        "give its `collection` to the next step, which has all of them, or ask for fewer with a smaller "
        "`max_results`, or ask for short rows with `slim`.",
    }
    assert len(body["articles"]) == 200, "what was answered is nobody else's to change"
    assert "notices" not in body


@pytest.mark.parametrize("cursor", [None, "abc"])
def test_rows_of_a_batch_or_page_keep_their_places_and_give_up_their_own_lists(cursor):
    rows = [{"id": f"TOY:{number}", "parts": ["skin", "air"] * 1_000} for number in range(20)]
    body = {"items": rows, "pagination": {"cursor": cursor, "total_count": 20, "page_size": 20}}

    shorter = readable(body, LIMIT, [])

    assert [row["id"] for row in shorter["items"]] == [row["id"] for row in rows]
    assert len(compact_json(shorter)) <= LIMIT
    (notice,) = shorter["notices"]
    assert notice["message"].startswith("`parts` is cut in ")


def test_lists_within_the_only_remaining_row_are_cut_too():
    body = {"articles": [{"id": "PMID:1", "authors": [SENTENCE] * 500}, *articles(3)], "notices": []}

    shorter = readable(body, LIMIT, [])

    assert len(compact_json(shorter)) <= LIMIT
    assert [article["id"] for article in shorter["articles"]] == ["PMID:1"]
    assert [notice["message"].split()[0] for notice in shorter["notices"]] == ["`articles`", "`authors`"]


def test_a_body_without_a_list_is_unchanged():
    body = {"text": "a" * (LIMIT + 1)}

    assert readable(body, LIMIT, []) == body


def search_all(monkeypatch, limit):
    """All articles of the sandbox, with all of their fields."""
    monkeypatch.setattr(calls, "MOST_CHARACTERS", limit)
    fields = ["author_details", "mesh", "sections", "substances", "grants", "keywords", "dates", "data_banks"]
    arguments = {"search_query": "hasabstract[filter] OR english[la]", "max_results": 200, "fields": fields}

    return replies(("pubmed_search", arguments), timing=WHOLE)[0]


def test_a_search_for_all_of_many_articles_ends_where_a_host_stops_reading(monkeypatch):
    whole, cut = search_all(monkeypatch, math.inf), search_all(monkeypatch, LIMIT)

    rows = cut.body["articles"]
    assert len(whole.text) > LIMIT >= len(cut.text)
    assert rows == whole.body["articles"][: len(rows)]
    assert cut.body["total_results"] == whole.body["total_results"] == len(whole.body["articles"])
    assert f"`articles` shows {len(rows)} of {len(whole.body['articles'])}" in cut.body["notices"][-1]["message"]
