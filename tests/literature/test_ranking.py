"""Filters that count the articles they remove, boosts of a stated size, and one order."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.ranking.candidates import Candidate, Flag
from biofact.literature.ranking.order import LARGEST_BOOST, REVIEW_TYPES, rank_articles
from biofact.literature.ranking.request import ArticleFilters, RankingCriteria, RankRequest
from biofact.sources.pubmed.parse.split import Citations
from biofact.sources.pubmed.records import Status
from tests.each_of import each_of
from tests.literature.made_ranking import CITATIONS, LANCET, NEJM, TODAY, candidate, preprint, ranking, retracted
from tests.marks import requirement

pytestmark = pytest.mark.quick

CANDIDATES = [
    candidate(99000001, 0.9, year=2020, **NEJM),
    candidate(99000002, 0.2, year=2020, **NEJM),
    candidate(99000003, 0.8, year=1999, **NEJM),
    candidate(99000004, 0.8, year=2030, **NEJM),
    candidate(99000005, 0.8, year=2021, **LANCET),
    candidate(99000006, 0.8, year=2021, status=[Status("preprint")], **NEJM),
    candidate(99000007, 0.8, year=2021, status=[Status("retracted", "PMID:99000077")], retracted=True, **NEJM),
    candidate(99000008, 0.8, year=2021, **NEJM),
    candidate(99000009, 0.8, year=2021, **NEJM),
    candidate(99000001, 0.5, year=2020, **NEJM),
]


def run(candidates, citations=None, **query):
    return rank_articles(candidates, RankRequest(**query), citations or {}, today=TODAY)


def order(result):
    return [int(row.candidate.item_id[5:]) - 99000000 for row in result.rows]


def steps(result):
    return [str(step) for step in result.steps]


def messages(result):
    return [(notice.code, notice.message) for notice in result.notices]


@requirement("004 F-mincite", "004 F-white", "004 F-preprint")
def test_every_filter_says_how_many_it_removed():
    counts = {"PMID:99000001": Citations(50, 2.0, True), "PMID:99000008": Citations(2, 0.1, False)}

    result = run(
        CANDIDATES,
        counts,
        min_score_threshold=0.3,
        filters={
            "min_citation_count": 10,
            "journal_whitelist": ["nejm", "The New England Journal of Medicine"],
            "journal_blacklist": ["Lancet"],
            "exclude_preprints": True,
            "from_year": 2000,
            "to_year": 2026,
        },
    )

    assert order(result) == [1]
    assert (result.initial_count, result.filtered_count) == (10, 1)
    assert steps(result) == [
        "duplicates: removed 1",
        "retracted: removed 1",
        "min_score_threshold 0.3: removed 1",
        "from_year 2000: removed 1",
        "to_year 2026: removed 1",
        "exclude_preprints: removed 1",
        "journal_whitelist (2 journals): removed 1",
        "journal_blacklist (1 journal): removed 0",
        "min_citation_count 10: removed 2 (1 unknown)",
    ]
    assert messages(result) == [
        ("DROPPED", "1 candidate was repeated; the best score of each counts."),
        ("DROPPED", "1 article (PMID:99000007) left out as retracted; include_retracted keeps and flags them."),
        (
            "DROPPED",
            "min_citation_count also left out 1 article (PMID:99000009), whose citations iCite does not count.",
        ),
        ("UNMATCHED", "No article is in 'nejm', named in journal_whitelist."),
    ]


def test_without_options_all_are_kept_but_the_retracted_and_the_first_ten_are_listed():
    candidates = run(
        [candidate(99000001 + i, i / 20) for i in range(12)] + [Candidate("PMID:99000044", retracted(), {}, 1)]
    )

    assert order(candidates) == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
    assert [row.rank for row in candidates.rows] == list(range(1, 11))
    assert steps(candidates) == ["retracted: removed 1", "max_results 10: removed 2"]
    assert candidates.method == "total_score; ties by total_score, then the newer, then the lower PMID"
    assert messages(candidates)[-1] == (
        "LIST_CUT",
        "10 of 12 articles that passed the filters are listed; raise max_results for more.",
    )


def test_no_candidates_make_an_empty_ranking_without_a_complaint():
    result = run([])

    assert (result.rows, result.initial_count, result.filtered_count, result.notices) == ((), 0, 0, ())


def test_an_empty_ranking_says_which_filter_removed_most():
    candidates = run([candidate(99000001, 0.1), candidate(99000002, 0.2)], min_score_threshold=0.5)

    assert messages(candidates) == [
        ("UNMATCHED", "No article passed the filters. Most fell to one: min_score_threshold 0.5: removed 2.")
    ]


def test_included_retracted_articles_are_flagged_with_the_notices_of_retraction():
    candidates = run([Candidate("PMID:99000004", retracted(), {}, 0.5)], filters={"include_retracted": True})

    assert candidates.rows[0].flags == (
        Flag("retracted", ("PMID:99000044",)),
        Flag("expression_of_concern", ("PMID:99000045",)),
    )
    assert steps(candidates) == []


@each_of(
    "facts",
    [
        {"retracted": True},
        {"status": [Status("retracted")]},
        {"status": [Status("partially_retracted", "PMID:99000044")], "retracted": True},
        {"publication_types": ["Journal Article", "Retracted Publication"]},
    ],
)
def test_an_article_with_any_mark_of_retraction_is_excluded(facts):
    assert order(run([candidate(99000001, **facts), candidate(99000002)])) == [2]


def test_a_part_that_was_retracted_is_not_flagged_as_the_whole():
    facts = {"status": [Status("partially_retracted", "PMID:99000044")], "retracted": True}
    candidates = run([candidate(99000001, **facts)], filters={"include_retracted": True})

    assert candidates.rows[0].flags == (Flag("partially_retracted", ("PMID:99000044",)),)


def test_a_notice_of_retraction_and_a_published_preprint_are_neither_retracted_nor_preprints():
    candidates = [
        candidate(99000001, status=[Status("retraction_notice", "PMID:99000009")]),
        candidate(99000002, status=[Status("published_preprint", "PMID:99000008")]),
        Candidate("PMID:99000003", preprint(), {}, 0.9),
    ]
    result = run(candidates, filters={"exclude_preprints": True})

    assert order(result) == [1, 2]
    assert [row.flag_kinds for row in result.rows] == [["retraction_notice"], ["published_preprint"]]


def test_a_fact_that_a_filter_requires_or_excludes_has_to_be_known():
    bare = Candidate("PMID:99000001", None, {}, 0.5)
    required = {"journal_whitelist": ["Lancet"], "from_year": 2000, "to_year": 2020, "min_citation_count": 1}
    excluded = {"journal_blacklist": ["Lancet"], "exclude_preprints": True}

    for name, value in required.items():
        assert run([bare], {"PMID:1": Citations(1, None, None)}, filters={name: value}).rows == ()
    bares = run([bare], filters=excluded)
    assert order(bares) == [1]
    assert messages(bares)[:3] == [
        ("NOT_COVERED", "Not known to be retracted or not, and kept: 1 article (PMID:99000001)."),
        ("NOT_COVERED", "Not known to be preprints or not, and kept: 1 article (PMID:99000001)."),
        ("NOT_COVERED", "In a journal that is not known, and kept: 1 article (PMID:99000001)."),
    ]


@requirement("004 F-mincite")
@each_of("counts", [{}, {"PMID:1": Citations(1, None, None)}, {"PMID:99000001": Citations(0, None, 0)}])
def test_no_citations_required_leaves_out_none_whether_counts_are_known_or_not(counts):
    candidates = run([candidate(99000001), candidate(99000002)], counts, filters={"min_citation_count": 0})

    assert order(candidates) == [1, 2]
    assert "min_citation_count 0: removed 0" in steps(candidates)
    assert messages(candidates) == []


@requirement("004 F-mincite")
def test_without_citation_counts_the_filter_is_not_applied_and_reports_it():
    candidates = run([candidate(99000001)], filters={"min_citation_count": 5})

    assert order(candidates) == [1]
    assert steps(candidates) == ["retracted: removed 0"]
    assert messages(candidates) == [
        ("LEG_FAILED", "min_citation_count was not applied: no citation counts are known of any article.")
    ]


def test_citations_are_found_under_either_form_of_the_pmid():
    counts = {"99000001": Citations(5, None, None), "PMID:99000002": Citations(5, None, None)}

    assert order(run([candidate(99000001), candidate(99000002)], counts, filters={"min_citation_count": 5})) == [1, 2]


@requirement("004 F-boosts")
@each_of(
    ("published", "boost"),
    [
        ("2026-11-22", 0.05),
        ("2027-01-01", 0.05),  # issues are dated ahead
        ("2023-11-22", 0.025),
        ("2020-11-22", 0.0125),
        ("2023-11", 0.024886),
        ("2023", 0.02282),
        ("2023-02-31", 0.02282),
        ("1926-11-22", 0.0),
    ],
)
def test_recency_halves_every_three_years(published, boost):
    candidates = run(
        [candidate(99000001, publication_date=published, year=int(published[:4]))],
        ranking_criteria={"boost_recent": True},
    )

    assert candidates.rows[0].boosts == {"boost_recent": pytest.approx(boost, abs=1e-5)}
    assert candidates.rows[0].final_score == pytest.approx(0.5 + boost, abs=1e-5)


@requirement("004 F-boosts")
@each_of(("ratio", "boost"), [(0.0, 0), (1, 0), (2, 0.016667), (4, 0.033333), (8, 0.05), (300, 0.05)])
def test_impact_goes_by_doublings_of_the_fields_average(ratio, boost):
    candidates = run(
        [candidate(99000001)],
        {"PMID:99000001": Citations(9, ratio, None)},
        ranking_criteria={"boost_high_impact": True},
    )

    assert candidates.rows[0].boosts == {"boost_high_impact": boost}


@requirement("004 F-boosts")
@each_of("kind", sorted(REVIEW_TYPES))
def test_reviews_are_preferred_by_one_size(kind):
    candidates = [candidate(99000001, 0.5), candidate(99000002, 0.46, publication_types=["Journal Article", kind])]
    result = run(candidates, ranking_criteria={"prefer_review_articles": True})

    assert [(row.candidate.item_id[5:], row.final_score) for row in result.rows] == [
        ("99000002", 0.51),
        ("99000001", 0.5),
    ]
    assert result.method.startswith("total_score + prefer_review_articles (each at most 0.05);")


def test_a_boost_that_could_not_be_judged_is_absent_and_has_a_notice():
    query = {"boost_recent": True, "boost_high_impact": True, "prefer_review_articles": True}
    candidates = run(
        [candidate(99000001, 0.6, year=2026), candidate(99000002), Candidate("PMID:99000003", None, {}, 0.4)],
        {"PMID:99000001": Citations(0, None, None)},
        ranking_criteria=query,
    )

    assert [sorted(row.boosts) for row in candidates.rows] == [
        ["boost_recent", "prefer_review_articles"],
        ["prefer_review_articles"],
        [],
    ]
    assert [message for code, message in messages(candidates) if "lift" in message] == [
        "boost_recent could not lift 2 articles (PMID:99000002, PMID:99000003) of 3: no date of publication is known.",
        (
            "boost_high_impact could not lift 3 articles (PMID:99000001, PMID:99000002, PMID:99000003) of 3: iCite has"
            " no relative citation ratio yet."
        ),
        "prefer_review_articles could not lift 1 article (PMID:99000003) of 3: no publication type is known.",
    ]


def test_the_threshold_looks_at_the_score_before_boosts():
    candidates = run(
        [candidate(99000001, 0.69, publication_types=["Review"])],
        min_score_threshold=0.7,
        ranking_criteria={"prefer_review_articles": True},
    )

    assert candidates.rows == ()


def test_ties_go_to_the_higher_total_then_the_newer_then_the_lower_pmid():
    review = {"publication_types": ["Review"], "year": 2000}
    candidates = [
        candidate(99000009, 0.5, year=2020),
        candidate(99000002, 0.5, year=2020),
        candidate(99000003, 0.5, publication_date="2020-12-01", year=2020),
        candidate(99000004, 0.45, **review),
        candidate(99000005, 0.5),
        candidate(10, 0.5, year=2020),
        Candidate("other", None, {}, 0.5),
    ]
    result = run(candidates, ranking_criteria={"prefer_review_articles": True})

    assert [row.candidate.item_id.removeprefix("PMID:990000") for row in result.rows] == [
        "03",
        "PMID:10",
        "02",
        "09",
        "other",
        "05",
        "04",
    ]


def test_a_final_score_is_never_above_one():
    candidates = run(
        [candidate(99000001, 0.99, publication_types=["Review"])], ranking_criteria={"prefer_review_articles": True}
    )

    assert candidates.rows[0].final_score == 1.0


@st.composite
def _candidates(draw):
    numbers = draw(st.lists(st.integers(99000001, 99000040), max_size=25))
    types = st.sampled_from([[], ["Review"], ["Preprint"], ["Retracted Publication"]])
    return [
        candidate(
            number,
            draw(st.floats(0, 1)),
            publication_types=draw(types),
            year=draw(st.one_of(st.none(), st.integers(1990, 2027))),
        )
        for number in numbers
    ]


_RATIOS = st.one_of(st.none(), st.floats(0, 50))
_COUNTS = st.dictionaries(
    st.integers(99000001, 99000040).map(lambda number: f"PMID:{number}"),
    st.builds(Citations, st.integers(0, 500), _RATIOS, st.none()),
)
_REQUESTS = st.builds(
    RankRequest,
    min_score_threshold=st.one_of(st.none(), st.floats(0, 1)),
    max_results=st.integers(1, 30),
    ranking_criteria=st.builds(
        RankingCriteria,
        boost_recent=st.booleans(),
        boost_high_impact=st.booleans(),
        prefer_review_articles=st.booleans(),
    ),
    filters=st.builds(
        ArticleFilters,
        min_citation_count=st.one_of(st.none(), st.integers(0, 300)),
        include_retracted=st.booleans(),
        exclude_preprints=st.booleans(),
        from_year=st.one_of(st.none(), st.integers(1990, 2027)),
    ),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(_candidates(), _REQUESTS, _COUNTS, st.randoms())
def test_every_ranking_adds_up_and_keeps_its_order(candidates, request, counts, chance):
    result = rank_articles(candidates, request, counts, today=TODAY)
    shuffled = list({(candidate.item_id, candidate.total_score): candidate for candidate in candidates}.values())
    chance.shuffle(shuffled)
    scores = [row.final_score for row in result.rows]
    boosts = sum(weight for _, weight in request.ranking_criteria)

    assert result.initial_count == len(candidates)
    assert result.initial_count - sum(step.removed for step in result.steps) == len(result.rows) <= request.max_results
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(0 <= size <= LARGEST_BOOST for row in result.rows for size in row.boosts.values())
    for row, next_row in zip(result.rows, result.rows[1:], strict=False):
        assert next_row.candidate.total_score - row.candidate.total_score <= boosts * LARGEST_BOOST + 1e-6
    if len({candidate.item_id for candidate in candidates}) == len(candidates):
        assert rank_articles(shuffled, request, counts, today=TODAY).rows == result.rows


@each_of("score", [-0.1, 1.1, float("nan")])
def test_a_candidate_scores_between_0_and_1(score):
    with pytest.raises(ValueError, match="scores run from 0 to 1"):
        candidate(99000001, score)


def test_the_same_candidates_on_the_same_day_make_the_same_ranking():
    assert ranking()[1] == ranking()[1]
    assert rank_articles(ranking()[0], RankRequest(), CITATIONS, today=date(2020, 1, 1)).rows[0].boosts == {}
