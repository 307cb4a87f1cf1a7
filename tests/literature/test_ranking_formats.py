"""The three formats of a ranking as an agent receives them."""

import json

import pytest
from rs_bpe.bpe import openai

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.records import RankedArticles, ranked_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import GOAL_RELEVANCE, FeatureScore
from tests.each_of import each_of
from tests.literature.made_ranking import CITATIONS, TODAY, article, candidate, preprint, ranking, retracted, trial
from tests.marks import requirement

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
COLUMNS = [
    "rank",
    "item_id",
    "title",
    "first_author",
    "year",
    "journal",
    "doi",
    "final_score",
    "total_score",
    "completeness",
    "not_stated",
    "relevance",
    "evidence_strength",
    "boost_recent",
    "boost_high_impact",
    "prefer_review_articles",
    "citation_count",
    "relative_citation_ratio",
    "is_retracted",
    "is_preprint",
    "is_review",
    "flags",
]


def table_of(output_format, result=None):
    """The answer on the wire."""
    return json.loads(ranked_articles(result or ranking()[1], output_format).model_dump_json())


@requirement("004 F-formats")
def test_a_summary_is_identity_scores_and_flags():
    rows = table_of("summary")["ranked_articles"]

    assert rows[:3] == [
        {
            "id": "PMID:99000001",
            "title": "Synthestatin in <adults> & mortality: a 100%\u2026",
            "year": 2023,
            "journal": "Synth Clin Trials",
            "total_score": 0.812,
            "final_score": 0.878,
        },
        {
            "id": "PMID:99000003",
            "title": "Early words on synthestatin.",
            "year": 2022,
            "journal": "Synth Preprints",
            "total_score": 0.6,
            "final_score": 0.618,
            "flags": ["preprint"],
        },
        {
            "id": "PMID:99000004",
            "title": "A result too good to be true.",
            "year": 2021,
            "journal": "Synth Biol Lab",
            "total_score": 0.58,
            "final_score": 0.594,
            "flags": ["retracted", "expression_of_concern"],
        },
    ]


@each_of(
    "title",
    [
        "Efficacy and safety of semaglutide compared with placebo in adults with overweight or obesity.",
        "Delineation of the intimate details of the backbone conformation of pyridine nucleotide coenzymes.",
        "Magnetic studies of Chromatium flavocytochrome C552. A mechanism for heme-flavin interaction.",
    ],
)
def test_a_line_of_a_summary_costs_at_most_60_tokens(title):
    item = candidate(
        99000001,
        0.123456789,
        title=title,
        year=2023,
        journal="Biochim Biophys Acta Mol Cell Res",
        publication_types=["Preprint"],
    )
    rank_request = RankRequest(ranking_criteria={"boost_recent": True})
    row = table_of("summary", rank_articles([item], rank_request, {}, today=TODAY))["ranked_articles"][0]

    assert TOKENS.count(json.dumps(row, ensure_ascii=False, separators=(",", ":"))) <= 60


DETAILED = {
    "item_id": "PMID:99000004",
    "rank": 3,
    "total_score": 0.58,
    "final_score": 0.59438,
    "boosts": {"boost_recent": 0.01438, "prefer_review_articles": 0},
    "flags": {"retracted": ["PMID:99000044"], "expression_of_concern": ["PMID:99000045"]},
    "completeness": 1,
    "score_breakdown": {
        "sample_size": {"score": 1, "weight": 0.3},
        "study_type": {"score": 0.2, "weight": 0.4},
        "statistical_significance": {"score": 1, "weight": 0.3},
    },
    "article_with_features": {
        "item_id": "PMID:99000004",
        "original_article": {
            "id": "PMID:99000004",
            "title": "A result too good to be true.",
            "year": 2021,
            "journal": "Synth Biol Lab",
            "retracted": True,
            "authors": ["Aalto MK"],
            "publication_types": ["Journal Article", "Retracted Publication"],
            "status": [
                {"kind": "retracted", "points_to": "PMID:99000044"},
                {"kind": "expression_of_concern", "points_to": "PMID:99000045"},
            ],
        },
        "extraction": {"sample_size": 99999},
    },
}


@requirement("004 F-formats")
def test_a_detailed_row_has_article_features_scores_and_what_became_of_them():
    answer = table_of("detailed")

    assert answer["ranked_articles"][2] == DETAILED
    assert answer["ranked_articles"][0]["citation_count"] == 431
    assert answer["ranked_articles"][0]["relative_citation_ratio"] == 6.2
    assert answer["filter_metadata"] == {
        "initial_count": 18,
        "filtered_count": 13,
        "filters_applied": [
            "min_score_threshold 0.1: removed 3",
            "from_year 2005: removed 2",
            "max_results 8: removed 5",
        ],
        "ranking_method": "total_score + boost_recent + boost_high_impact + prefer_review_articles (each at most 0.05);"
        " ties by total_score, then the newer, then the lower PMID",
    }
    assert "columns" not in answer


def test_a_missing_article_is_absent_and_not_null():
    result = rank_articles([Candidate("PMID:99000001", None, {}, 0.5)], RankRequest(), {}, today=TODAY)

    assert table_of("detailed", result)["ranked_articles"] == [
        {
            "item_id": "PMID:99000001",
            "rank": 1,
            "total_score": 0.5,
            "final_score": 0.5,
            "score_breakdown": {},
            "article_with_features": {"item_id": "PMID:99000001", "extraction": {}},
        }
    ]
    assert table_of("summary", result)["ranked_articles"] == [
        {"id": "PMID:99000001", "total_score": 0.5, "final_score": 0.5}
    ]


FLAT = {
    "rank": 1,
    "item_id": "PMID:99000001",
    "title": "Synthestatin in <adults> & mortality: a 100% randomized_trial.",
    "first_author": "Aalto MK",
    "year": 2023,
    "journal": "Synth Clin Trials",
    "doi": "10.5555/biofact.99000001",
    "final_score": 0.877511,
    "total_score": 0.8123,
    "completeness": 1.0,
    "boost_recent": 0.02134,
    "boost_high_impact": 0.043871,
    "prefer_review_articles": 0.0,
    "citation_count": 431,
    "relative_citation_ratio": 6.2,
    "is_retracted": False,
    "is_preprint": False,
    "is_review": False,
    "score:sample_size": 0.77,
    "score:study_type": 1.0,
    "score:statistical_significance": 1.0,
    "feature:effect.interval": "0.55; 0.92",
    "feature:effect.kind": "hazard ratio",
    "feature:effect.value": 0.71,
    "feature:p_value": 0.009,
    "feature:primary_outcome": "death from any cause",
    "feature:sample_size": 1204,
    "feature:study_type": "Randomized Controlled Trial",
}


@requirement("004 F-formats")
def test_analysis_rows_are_flat_with_stable_columns():
    answer = table_of("analysis_ready")
    first = answer["ranked_articles"][0]

    assert answer["columns"] == [
        *COLUMNS,
        "score:sample_size",
        "score:study_type",
        "score:statistical_significance",
        "feature:effect.interval",
        "feature:effect.kind",
        "feature:effect.value",
        "feature:p_value",
        "feature:primary_outcome",
        "feature:sample_size",
        "feature:study_type",
    ]
    assert first == FLAT
    for row in answer["ranked_articles"]:
        assert list(row) == [name for name in answer["columns"] if name in row]
        assert all(isinstance(cell, bool | int | float | str) for cell in row.values())


@requirement("004 F-formats")
def test_a_feature_that_is_not_stated_differs_from_one_that_scores_nothing():
    bad = {"a": FeatureScore(score=0.0, weight=0.6), "b": FeatureScore(score=1.0, weight=0.4)}
    missing = {"a": FeatureScore(weight=0.6, is_missing=True), "b": FeatureScore(score=1.0, weight=0.4)}
    result = rank_articles(
        [candidate(99000001, 0.4, breakdown=bad), candidate(99000002, 0.4, breakdown=missing)],
        RankRequest(),
        {},
        today=TODAY,
    )

    flat = table_of("analysis_ready", result)["ranked_articles"]
    assert [row["completeness"] for row in flat] == [1, 0.4]
    assert [row.get("not_stated") for row in flat] == [None, "a"]
    assert [row.get("score:a") for row in flat] == [0, None]
    detailed = table_of("detailed", result)["ranked_articles"]
    assert [row["completeness"] for row in detailed] == [1, 0.4]
    assert [row.get("not_stated") for row in detailed] == [None, ["a"]]


def test_relevance_and_strength_of_evidence_stand_side_by_side():
    breakdown = {
        GOAL_RELEVANCE: FeatureScore(score=0.9, weight=0.5),
        "study_type": FeatureScore(score=0.8, weight=0.3),
        "registration": FeatureScore(weight=0.2, is_missing=True),
    }
    candidate = Candidate("PMID:99000001", article(99000001), {}, 0.69, breakdown, 0.9)
    row = table_of("analysis_ready", rank_articles([candidate], RankRequest(), {}, today=TODAY))["ranked_articles"][0]

    assert (row["relevance"], row["evidence_strength"]) == (0.9, 0.48)  # 0.3 * 0.8 / (0.3 + 0.2)
    assert candidate.evidence_completeness == pytest.approx(0.6)


def test_long_texts_and_odd_values_become_short_cells():
    extraction = {
        "text": "word " * 100,
        "nothing": None,
        "none": [],
        "endless": float("inf"),
        "groups": [{"name": "a", "n": 3}, {"name": "b"}],
        "yes": [True, False],
    }
    result = rank_articles([candidate(99000001, extraction=extraction)], RankRequest(), {}, today=TODAY)
    row = table_of("analysis_ready", result)["ranked_articles"][0]

    assert {name: cell for name, cell in row.items() if name.startswith("feature:")} == {
        "feature:groups": "name: a, n: 3; name: b",
        "feature:text": "word " * 38 + "word\u2026",
        "feature:yes": "true; false",
    }


def test_every_format_can_be_read_back_and_says_the_same_of_the_filters():
    answers = [table_of(name) for name in ("summary", "detailed", "analysis_ready")]

    assert len({json.dumps(answer["filter_metadata"]) for answer in answers}) == 1
    assert len({json.dumps(answer["notices"]) for answer in answers}) == 1
    for answer in answers:
        assert json.loads(RankedArticles.model_validate(answer).model_dump_json()) == answer


def test_the_schema_has_no_references():
    ranked_articles = RankedArticles.model_json_schema(mode="serialization")["properties"]["ranked_articles"]

    assert ranked_articles["type"] == "array"
    assert "$ref" not in json.dumps(ranked_articles)


def test_the_made_articles_are_what_the_tests_think():
    assert trial().abstract.count("\n") == len(trial().sections) - 1
    assert preprint().is_preprint
    assert retracted().retracted
    assert set(CITATIONS) == {"PMID:99000001", "PMID:99000002", "PMID:99000003"}
