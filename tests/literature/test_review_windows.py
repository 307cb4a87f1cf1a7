"""Queries that find more than PubMed lists: windows of dates, and how their lists become one."""

import datetime as dt
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.literature.query.records import CanonicalPubMedQuery
from biofact.literature.review.folder import Folder
from biofact.literature.review.questions import RememberedQuestions
from biofact.literature.review.search import (
    FIRST,
    LAST,
    DateWindow,
    merge_pmids,
    merge_ranked,
    search_query,
    split_windows,
)
from tests import virtual_time
from tests.each_of import each_of
from tests.literature.made_reviews import plan
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

DAYS = st.dates(dt.date(1781, 1, 1), dt.date(2027, 12, 31))
BROAD = "diabetes OR cancer OR trial OR study OR patients OR health OR gene"


def cut(dates, ceiling):
    query = []

    async def count(window):
        query.append(window)
        return sum(window.first <= day <= window.last for day in dates)

    return virtual_time.run(split_windows(count, this_year=2026, ceiling=ceiling)), query


@given(st.lists(DAYS, max_size=60), st.integers(1, 10))
def test_windows_hold_every_article_once_and_no_more_than_can_be_listed(dates, ceiling):
    result, _ = cut(dates, ceiling)

    for item, other in itertools.pairwise(result):
        assert item.window.last < other.window.first
    assert sum(item.count for item in result) == len(dates)
    assert all(item.count <= ceiling or item.window.first == item.window.last for item in result)
    assert all(item.count for item in result)


def test_years_are_cut_before_months_and_months_before_days():
    dates = [dt.date(2020, month, day) for month in range(1, 13) for day in (1, 9, 17)]
    result, query = cut(dates, 2)

    ends = Counter(_unit(item.window) for item in result)
    assert len(query) < 80
    assert ends["day"] == 24
    assert {item.window.first.year for item in result} == {2020}


def _unit(window):
    return "day" if window.first.month == window.last.month else "month"


def test_a_single_day_cannot_be_cut():
    result, _ = cut([dt.date(2020, 1, 1)] * 9, 4)

    assert [(item.window, item.count) for item in result] == [(DateWindow(dt.date(2020, 1, 1), dt.date(2020, 1, 1)), 9)]


@given(DAYS, DAYS)
def test_halves_lie_side_by_side_and_leave_nothing_out(one, other):
    whole = DateWindow(min(one, other), max(one, other))
    halves = whole.halves(2026)

    if whole.first == whole.last:
        assert halves is None
    else:
        assert (halves[0].first, halves[1].last) == (whole.first, whole.last)
        assert halves[0].first <= halves[0].last == halves[1].first - dt.timedelta(days=1)


def test_the_whole_goes_from_end_to_end():
    assert DateWindow() == DateWindow(FIRST, LAST)
    assert DateWindow().days == ("1500/01/01", "3000/12/31")


def test_each_list_brings_its_share_at_every_length():
    assert merge_ranked([["a1", "a2", "a3", "a4"], ["b1", "b2"]]) == ["a1", "a2", "b1", "a3", "a4", "b2"]
    assert merge_ranked([]) == []


@each_of(("limit", "ceiling", "has_windows"), [(100, 7, True), (7, 7, False), (30, 7, True)])
def test_a_search_beyond_the_ceiling_goes_window_by_window(limit, ceiling, has_windows, broad):
    whole, answers = broad
    answer = answers[limit, ceiling]

    assert answer.answer.count == whole.count > 7
    assert len(answer.pmids) == min(limit, whole.count)
    assert set(answer.pmids) <= set(whole.uids)
    assert bool(answer.windows) is has_windows
    windows = answer.manifest_entry().get("windows", [])
    # In print and online on days of two windows, an article stands in both.
    assert sum(window["found"] for window in windows) >= (whole.count if has_windows else 0)


@pytest.fixture
def broad(tmp_path):
    """The results of a broad query at once, and window by window, for a limit and a ceiling."""

    async def search(client, limit, ceiling):
        with Folder(tmp_path / f"{limit}").session(plan(), dt.datetime.now(dt.UTC), version="1") as (_, work):
            questions = RememberedQuestions(client.transport, work)
            query = CanonicalPubMedQuery(
                query_string=BROAD, rationale="", expected_scope="", confidence_score=0.5, result_count=0
            )
            return await search_query(query, questions, limit, this_year=2026, ceiling=ceiling)

    async def run(client, _):
        whole = await client.questions.search(BROAD, limit=1000)
        return whole, {arguments: await search(client, *arguments) for arguments in ((100, 7), (7, 7), (30, 7))}

    return on_sandbox("pubmed", run)


def test_articles_of_several_queries_are_joined_in_order_of_rank():
    class FoundArticles:
        def __init__(self, *pmids):
            self.pmids, self.taken = list(pmids), 0

    founds = [FoundArticles("1", "2", "3"), FoundArticles("2", "4"), FoundArticles("5")]

    assert merge_pmids(founds, 4) == ["1", "2", "5", "4"]
    assert [item.taken for item in founds] == [2, 2, 1]
