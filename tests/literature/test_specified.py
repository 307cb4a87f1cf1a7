"""What specification 004 asks of the steps' answers and refusals, through a real MCP client on the sandbox."""

import json

import pytest

import biofact
from tests import virtual_time
from tests.each_of import each_of
from tests.literature.spec_examples import MEDICAL
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

CRITERIA = {"weights": {"study_type": 0.5, "participant_count": 0.5}}


@pytest.fixture(scope="module")
def steps():
    """The answers of all steps, lists in and out, and what each step asked of services."""

    async def run():
        async with served() as gateway:
            asked = {}

            async def call(tool, **arguments):
                before = len(gateway.sandbox.requests)
                said = await gateway.call(f"pubmed_{tool}", arguments)
                assert not said.is_failure, said.text
                asked[tool] = len(gateway.sandbox.requests) - before
                return said.body

            found = await call("search", search_query="metformin", max_results=5)
            read = await call("extract_features", articles=found["articles"], extraction_schema=MEDICAL)
            scored = await call("score_articles", articles_with_features=read["extractions"], scoring_criteria=CRITERIA)
            bare = await call(
                "score_articles",
                articles_with_features=read["extractions"],
                scoring_criteria=CRITERIA,
                include_percentiles=False,
            )
            ranked = await call("filter_rank", scored_articles=scored["scored_articles"])
            return {"found": found, "read": read, "scored": scored, "bare": bare, "ranked": ranked, "asked": asked}

    return virtual_time.run(run())


@requirement("004 S-out")
def test_a_search_says_what_became_of_the_query_and_how_long_it_took(steps):
    found = steps["found"]

    assert len(found["articles"]) == 5 < found["total_results"]
    assert found["search_metadata"].keys() >= {"query_translation", "search_time_ms", "api_version"}
    assert found["search_metadata"]["search_time_ms"] >= 0


@requirement("004 E-out", "004 C-out", "004 C-stats", "004 F-out")
def test_each_step_answers_with_the_specified_keys(steps):
    read, scored, ranked = steps["read"], steps["scored"], steps["ranked"]

    assert len(read["extractions"]) == len(scored["scored_articles"]) == 5
    for row in read["extractions"]:
        assert row.keys() >= {"item_id", "original_article", "extraction", "extraction_metadata"}
        assert row["original_article"]["id"] == row["item_id"]
    for row in scored["scored_articles"]:
        assert row.keys() >= {"article_with_features", "total_score", "score_breakdown", "percentile_rank"}
        assert set(row["score_breakdown"]) <= set(CRITERIA["weights"])
    assert scored["scoring_metadata"].keys() >= {"score_distribution", "feature_correlations", "scoring_method_used"}
    assert scored["scoring_metadata"]["score_distribution"].keys() >= {"min", "max", "mean", "std"}
    assert scored["scoring_metadata"]["scoring_method_used"] == "weighted_sum"
    assert ranked["ranked_articles"]
    assert ranked["filter_metadata"].keys() >= {
        *("initial_count", "filtered_count", "filters_applied", "ranking_method")
    }


@requirement("004 C-pct")
def test_percentiles_can_be_left_out(steps):
    assert all(0 <= row["percentile_rank"] <= 100 for row in steps["scored"]["scored_articles"])
    assert not any("percentile_rank" in row for row in steps["bare"]["scored_articles"])


@requirement("004 perf-score")
def test_scoring_asks_no_service(steps):
    assert steps["asked"]["search"] > 0
    assert steps["asked"]["score_articles"] == 0


@requirement("004 types")
def test_the_canonical_types_are_offered():
    for name in ("Article", "Query", "Extraction"):
        assert f"CanonicalPubMed{name}" in biofact.__all__
    assert "CanonicalScoredArticle" in biofact.__all__


def refusal(tool, **arguments):
    async def run():
        async with served() as gateway:
            return await gateway.call(f"pubmed_{tool}", arguments)

    said = virtual_time.run(run())
    assert said.is_failure, said.text
    return said


SCORED = [{"item_id": f"PMID:{number}", "total_score": 0.5} for number in range(1, 301)]


@requirement("004 EH-3")
@each_of(
    ("tool", "arguments", "message", "hint"),
    [
        (
            "score_articles",
            {"scoring_criteria": {**CRITERIA, "normalization_method": "foo"}, "articles_with_features": []},
            "normalization_method",
            "min_max",
        ),
        ("generate_query", {"research_goal": "metformin", "study_types": ["RCT"]}, "study_types[0]", "Clinical Trial"),
        ("generate_query", {"research_goal": "metformin", "keywords": ["x"] * 99}, "keywords", "8 items"),
        ("filter_rank", {"scored_articles": [], "min_score_threshold": 1.5}, "min_score_threshold", "from 0 to 1"),
        ("generate_query", {"research_goal": "x"}, "research_goal", "characters"),
    ],
)
def test_a_wrong_argument_is_told_with_what_would_be_right(tool, arguments, message, hint):
    error = refusal(tool, **arguments).body["error"]

    assert error["code"] == "AMBIGUOUS_QUERY"
    assert message in error["message"]
    assert hint in error["recovery_hint"]


@requirement("004 EH-size")
def test_a_refusal_does_not_repeat_the_list():
    said = refusal("filter_rank", scored_articles=SCORED, min_score_threshold=1.5)

    assert said.body["error"]["invalid_input"] == 1.5
    assert len(said.text) < 1500 < len(json.dumps(SCORED)) / 5
