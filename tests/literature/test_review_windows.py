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
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

DAYS = st.dates(dt.date(1781, 1, 1), dt.date(2027, 12, 31))
BROAD = "diabetes OR cancer OR trial OR study OR patients OR health OR gene"


def cut(dates, ceiling):
    asked = []

    async def count(window):
        asked.append(window)
        return sum(window.first <= day <= window.last for day in dates)

    return virtual_time.run(split_windows(count, this_year=2026, ceiling=ceiling)), asked


@given(st.lists(DAYS, max_size=60), st.integers(1, 10))
def test_windows_hold_every_article_once_and_no_more_than_can_be_listed(dates, ceiling):
    found, _ = cut(dates, ceiling)

    for one, other in itertools.pairwise(found):
        assert one.window.last < other.window.first
    assert sum(one.count for one in found) == len(dates)
    assert all(one.count <= ceiling or one.window.first == one.window.last for one in found)
    assert all(one.count for one in found)


def test_years_are_cut_before_months_and_months_before_days():
    dates = [dt.date(2020, month, day) for month in range(1, 13) for day in (1, 9, 17)]
    found, asked = cut(dates, 2)

    ends = Counter(_unit(one.window) for one in found)
    assert len(asked) < 80
    assert ends["day"] == 24
    assert {one.window.first.year for one in found} == {2020}


def _unit(window):
    return "day" if window.first.month == window.last.month else "month"


def test_a_single_day_cannot_be_cut():
    found, _ = cut([dt.date(2020, 1, 1)] * 9, 4)

    assert [(one.window, one.count) for one in found] == [(DateWindow(dt.date(2020, 1, 1), dt.date(2020, 1, 1)), 9)]


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


@each_of(("most", "ceiling", "has_windows"), [(100, 7, True), (7, 7, False), (30, 7, True)])
def test_a_search_beyond_the_ceiling_goes_window_by_window(most, ceiling, has_windows, broad):
    whole, answers = broad
    found = answers[most, ceiling]

    assert found.answer.count == whole.count > 7
    assert len(found.pmids) == min(most, whole.count)
    assert set(found.pmids) <= set(whole.uids)
    assert bool(found.windows) is has_windows
    told = found.manifest_entry().get("windows", [])
    # In print and online on days of two windows, an article stands in both.
    assert sum(window["found"] for window in told) >= (whole.count if has_windows else 0)


@pytest.fixture
def broad(tmp_path):
    """What a broad query finds at once, and window by window, by how many are wanted and how many can be listed."""

    async def search(client, most, ceiling):
        with Folder(tmp_path / f"{most}").session(plan(), dt.datetime.now(dt.UTC), version="1") as (_, work):
            questions = RememberedQuestions(client.transport, work)
            query = CanonicalPubMedQuery(
                query_string=BROAD, rationale="", expected_scope="", confidence_score=0.5, result_count=0
            )
            return await search_query(query, questions, most, this_year=2026, ceiling=ceiling)

    async def run():
        async with sandboxed("pubmed") as (client, _):
            whole = await client.questions.search(BROAD, limit=1000)
            return whole, {given: await search(client, *given) for given in ((100, 7), (7, 7), (30, 7))}

    return virtual_time.run(run())


def test_articles_of_several_queries_are_joined_in_order_of_rank():
    class Found:
        def __init__(self, *pmids):
            self.pmids, self.taken = list(pmids), 0

    found = [Found("1", "2", "3"), Found("2", "4"), Found("5")]

    assert merge_pmids(found, 4) == ["1", "2", "5", "4"]
    assert [one.taken for one in found] == [2, 2, 1]
