"""The facts beside a query: numbered lines with counts, exports, a peer review, articles that must be found."""

import datetime as dt
import functools
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from biofact.core import call
from biofact.literature.query import counts
from biofact.literature.query.filters import TRIAL_FILTER_PUBMED
from biofact.literature.query.generation import generate_queries
from biofact.literature.query.lines import exports
from biofact.literature.query.records import QueryLine, QueryRequest
from biofact.sandbox.faults import Fault
from tests.each_of import each_of
from tests.literature import query_syntax
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

TODAY = dt.date(2026, 11, 22)
METFORMIN = "metformin and type 2 diabetes"


def generated(faults=(), **request):
    """The answer, and the requests to the service for it."""

    async def run(pubmed, sandbox):
        with call.session():
            answer = await generate_queries(QueryRequest(**request), pubmed.questions, today=TODAY)
        return SimpleNamespace(answer=answer, first=answer.generated_queries[0], sent=len(sandbox.requests))

    return on_sandbox("pubmed", run, *faults)


@functools.cache
def of_metformin():
    """The first query for metformin and diabetes, without options."""
    return generated(research_goal=METFORMIN).first


def query_counts(*queries):
    """The number of articles in the sandbox for each."""

    async def run(pubmed, _):
        return [(await pubmed.questions.search(query, limit=0)).count for query in queries]

    return on_sandbox("pubmed", run)


def test_a_query_comes_line_by_line():
    first = of_metformin()
    item, two, pair = first.lines

    assert [line.kind for line in first.lines] == ["block", "block", "combination"]
    assert [line.about for line in (item, two)] == ["metformin", "type 2 diabetes"]
    assert pair.text == "#1 AND #2"
    assert f"{item.text} AND {two.text}" == first.query_string
    assert pair.count == first.result_count


def test_a_block_has_what_it_finds_adds_and_costs():
    first = of_metformin()
    item, two, _ = first.lines
    result, by_heading, remainder = query_counts(item.text, '"Metformin"[MeSH Terms]', two.text)

    assert item.count == result
    assert item.adds == result - by_heading
    assert item.costs == remainder - first.result_count


def test_limits_and_exclusions_are_lines_of_their_own():
    lines = generated(
        research_goal=METFORMIN, time_frame="last_10_years", study_types=["Review"], exclude_terms=["zebrafish"]
    ).first.lines

    assert [(line.kind, line.text) for line in lines[3:]] == [
        ("limit", '("2016/11/22"[Date - Publication] : "3000"[Date - Publication])'),
        ("limit", '("Review"[Publication Type])'),
        ("exclusion", '("zebrafish"[Title/Abstract])'),
        ("combination", "#3 AND #4 AND #5 NOT #6"),
    ]


def test_the_last_line_of_a_query_for_trials_is_the_cochrane_filter():
    first = generated(research_goal="randomised controlled trials of metformin").first
    last = first.lines[-1]

    assert last.kind == "filter"
    assert f"({last.text})" == query_syntax.TRIALS
    assert "Cochrane Handbook" in last.source
    assert last.is_offered is None
    assert first.query_string.endswith(f" AND {query_syntax.TRIALS}")
    assert last.count == first.result_count


def test_a_question_of_intervention_is_offered_the_cochrane_filter():
    first = generated(research_goal="Does metformin prevent type 2 diabetes?").first

    assert first.lines[-1].is_offered
    assert TRIAL_FILTER_PUBMED not in first.query_string
    assert query_counts(f"{first.query_string} AND {query_syntax.TRIALS}") == [first.lines[-1].count]


@each_of("goal", ["prevalence of type 2 diabetes", "systematic reviews of metformin"])
def test_other_questions_are_not(goal):
    assert all(line.kind != "filter" for line in (*of_metformin().lines, *generated(research_goal=goal).first.lines))


def test_a_goal_costs_a_bounded_number_of_requests():
    answer = generated(
        research_goal="Effect of metformin versus insulin on mortality of adults with type 2 diabetes in Kenya",
        max_queries=10,
        must_find=["1", "2"],
        peer_review=True,
    )

    lookups = 3 * 8 + 2  # two searches of MeSH for each concept, what they find, the spelling
    assert answer.sent <= counts.MOST_COUNTS + lookups


def test_lines_beyond_the_limit_are_counted_as_skipped():
    async def run(pubmed, _):
        with call.session():
            counter = counts.QueryCounter(pubmed.questions, limit=1)
            return [await counter.count(f'"{word}"[Title]') for word in ("zinc", "iron", "zinc")], counter.skipped

    result, skipped = on_sandbox("pubmed", run)

    assert result[1] is None
    assert result[0] is not None
    assert result[2] == result[0]
    assert skipped == 1


def test_without_the_service_lines_have_no_counts_and_a_notice_reports_it():
    answer = generated(faults=[Fault("status", status=400, times=None)], research_goal=METFORMIN, peer_review=True)

    assert [line.text for line in answer.first.lines][2] == "#1 AND #2"
    assert all(line.count is None for line in answer.first.lines)
    assert answer.first.exports.ovid
    assert "LEG_FAILED" in {notice.code for notice in answer.answer.notices}


def test_a_spelling_correction_is_searched_for_together_with_the_original():
    (block, *_) = generated(research_goal="diabtes").first.lines

    assert {"diabte*", "diabet*"} <= set(query_syntax.texts(block.text))


def test_a_query_without_one_of_its_subjects_is_never_first():
    answer = generated(research_goal="metformin for xyzzyplugh").answer
    texts = [query.query_string for query in answer.generated_queries]

    assert "xyzzyplugh" in texts[0]
    assert answer.generated_queries[0].result_count == 0
    assert any("xyzzyplugh" not in text for text in texts[1:])
    assert "UNMATCHED" in {notice.code for notice in answer.notices}


def test_a_comparator_is_required_by_the_focused_variant_alone():
    answer = generated(research_goal="metformin versus insulin in type 2 diabetes").answer
    first, *other_values = answer.generated_queries

    assert [line.about for line in first.lines if line.kind == "block"] == ["metformin", "type 2 diabetes"]
    assert any("insulin" in [line.about for line in query.lines] for query in other_values) or "DROPPED" in {
        notice.code for notice in answer.notices
    }


def test_an_article_that_must_be_found_is_listed_with_the_lines_that_miss_it():
    first = of_metformin()
    item, two, _ = first.lines

    async def run(pubmed, _):
        uids = set((await pubmed.questions.search(first.query_string, limit=50)).uids)
        text_uids = set((await pubmed.questions.search(item.text, limit=50)).uids) - uids
        unmatched_uids = set((await pubmed.questions.search("zebrafish", limit=50)).uids)
        unmatched_uids -= set((await pubmed.questions.search(f"{item.text} OR {two.text}", limit=500)).uids)
        return min(uids), min(text_uids), min(unmatched_uids)

    result, half, missed_values = on_sandbox("pubmed", run)
    answer = generated(research_goal=METFORMIN, must_find=[result, f"PMID:{half}", missed_values, "999999999"]).answer

    lines = {item.pmid: item.lines for item in answer.generated_queries[0].missed}
    assert lines == {f"PMID:{half}": [2], f"PMID:{missed_values}": [1, 2]}
    assert any("999999999" in notice.message for notice in answer.notices)


def test_a_peer_review_has_the_six_elements_of_press():
    review = generated(research_goal=METFORMIN, peer_review=True).first.peer_review

    assert [item.element for item in review] == [
        "Translation of the research question",
        "Boolean and proximity operators",
        "Subject headings",
        "Text word searching",
        "Spelling, syntax and line numbers",
        "Limits and filters",
    ]
    assert {item.verdict for item in review} <= {"no revision", "revision suggested", "revision required"}
    assert of_metformin().peer_review == []


@each_of(
    ("request_", "element", "verdict"),
    [
        ({"research_goal": "metformin and zinc"}, "Subject headings", "revision suggested"),
        ({"research_goal": METFORMIN, "exclude_terms": ["mice"]}, "Boolean and proximity operators",
         "revision suggested"),
        ({"research_goal": METFORMIN, "study_types": ["Review"]}, "Limits and filters", "revision suggested"),
        ({"research_goal": "randomised trials of metformin"}, "Limits and filters", "no revision"),
        ({"research_goal": "metformin", "keywords": ["a b", "cd", "ef", "gh"]}, "Translation of the research question",
         "revision suggested"),
    ],
)  # fmt: skip
def test_a_peer_review_sees_what_a_reviewer_would(request_, element, verdict):
    review = generated(peer_review=True, **request_).first.peer_review

    assert next(item.verdict for item in review if item.element == element) == verdict


def line(number, text, kind="block", **facts):
    return QueryLine(line=number, kind=kind, about="x", text=text, **facts)


LINES = [
    line(1, '("Heart Failure"[MeSH Terms] OR "heart failure*"[Title/Abstract] OR "E. coli"[Title/Abstract])'),
    line(2, '("a b"[Title/Abstract:~0] OR ("gene*"[Title/Abstract] AND "loss and gain"[Title/Abstract]))'),
    line(3, "#1 AND #2", "combination"),
    line(4, '("2021/11/22"[Date - Publication] : "3000"[Date - Publication])', "limit"),
    line(5, '("Review"[Publication Type] OR "review"[Title])', "exclusion"),
    line(6, "#3 AND #4 NOT #5", "combination"),
    line(7, TRIAL_FILTER_PUBMED, "filter", is_offered=True),
]


def test_a_query_is_exported_to_pubmeds_page():
    query = '("a b*"[Title/Abstract:~0] OR "A, B"[MeSH Terms]) AND ("c\'s"[Title])'

    parts = urlsplit(exports(query, LINES, 2026).pubmed_url)

    assert (parts.scheme, parts.netloc, parts.path) == ("https", "pubmed.ncbi.nlm.nih.gov", "/")
    assert parse_qs(parts.query) == {"term": ['("a b*"[tiab:~0] OR "A, B"[mh]) AND ("c\'s"[ti])']}


def test_a_query_is_exported_to_ovid():
    lines = exports("x", LINES, 2026).ovid.splitlines()

    assert lines[:6] == [
        '1. exp Heart Failure/ or (heart failure* or "E. coli").ti,ab,kf.',
        '2. ((a adj1 b) or (gene* and "loss and gain")).ti,ab,kf.',
        "3. 1 and 2",
        "4. 2021:2026.(sa_year).",
        "5. (review).ti. or Review.pt.",
        "6. 3 and 4 not 5",
    ]
    assert lines[6].startswith("7. [offered] (exp randomized controlled trial/ or ")


def test_a_query_is_exported_to_embase_with_headings_to_be_chosen():
    assert exports("x", LINES, 2026).embase.splitlines() == [
        "#1 [choose in Emtree] 'heart failure'/exp",
        "#2 ('heart failure*' OR 'E. coli'):ti,ab,kw",
        "#3 #1 OR #2",
        "#4 ((a NEAR/1 b) OR (gene* AND 'loss and gain')):ti,ab,kw",
        "#5 #3 AND #4",
        "#6 [2021-2026]/py",
        "#7 (review):ti",
        "#8 [choose in Emtree] 'review'/exp",
        "#9 #7 OR #8",
        "#10 #5 AND #6 NOT #9",
        "#11 [choose a filter] the Cochrane filter is MEDLINE's; Embase has its own (Glanville et al. 2019)",
    ]
