"""The demands of specification 004 on the steps' answers and refusals, through a real MCP client on the sandbox."""

import json

import pytest

import biofact
from tests import virtual_time
from tests.each_of import each_of
from tests.literature.spec_examples import MEDICAL
from tests.marks import requirement
from tests.served import replies, served

pytestmark = pytest.mark.quick

CRITERIA = {"weights": {"study_type": 0.5, "participant_count": 0.5}}


@pytest.fixture(scope="module")
def steps():
    """The answers of all steps, lists in and out, and the requests of each step to services."""

    async def run():
        async with served() as gateway:
            query = {}

            async def call(tool, **arguments):
                before = len(gateway.sandbox.requests)
                call = await gateway.call(f"pubmed_{tool}", arguments)
                assert not call.is_failure, call.text
                query[tool] = len(gateway.sandbox.requests) - before
                return call.body

            result = await call("search", search_query="metformin", max_results=5)
            read_values = await call("extract_features", articles=result["articles"], extraction_schema=MEDICAL)
            scored_rows = await call(
                "score_articles", articles_with_features=read_values["extractions"], scoring_criteria=CRITERIA
            )
            bare = await call(
                "score_articles",
                articles_with_features=read_values["extractions"],
                scoring_criteria=CRITERIA,
                include_percentiles=False,
            )
            ranked = await call("filter_rank", scored_articles=scored_rows["scored_articles"])
            return {
                "found": result,
                "read": read_values,
                "scored": scored_rows,
                "bare": bare,
                "ranked": ranked,
                "asked": query,
            }

    return virtual_time.run(run())


@requirement("004 S-out")
def test_a_search_says_what_became_of_the_query_and_how_long_it_took(steps):
    step = steps["found"]

    assert len(step["articles"]) == 5 < step["total_results"]
    assert step["search_metadata"].keys() >= {"query_translation", "search_time_ms", "api_version"}
    assert step["search_metadata"]["search_time_ms"] >= 0


@requirement("004 E-out", "004 C-out", "004 C-stats", "004 F-out")
def test_each_step_answers_with_the_specified_keys(steps):
    read_step, scored_step, ranked = steps["read"], steps["scored"], steps["ranked"]

    assert len(read_step["extractions"]) == len(scored_step["scored_articles"]) == 5
    for row in read_step["extractions"]:
        assert row.keys() >= {"item_id", "original_article", "extraction", "extraction_metadata"}
        assert row["original_article"]["id"] == row["item_id"]
    for row in scored_step["scored_articles"]:
        assert row.keys() >= {"article_with_features", "total_score", "score_breakdown", "percentile_rank"}
        assert set(row["score_breakdown"]) <= set(CRITERIA["weights"])
    assert scored_step["scoring_metadata"].keys() >= {
        "score_distribution",
        "feature_correlations",
        "scoring_method_used",
    }
    assert scored_step["scoring_metadata"]["score_distribution"].keys() >= {"min", "max", "mean", "std"}
    assert scored_step["scoring_metadata"]["scoring_method_used"] == "weighted_sum"
    assert ranked["ranked_articles"]
    assert ranked["filter_metadata"].keys() >= {
        *("initial_count", "filtered_count", "filters_applied", "ranking_method")
    }


@requirement("004 C-pct")
def test_percentiles_can_be_omitted(steps):
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
    (answer,) = replies((f"pubmed_{tool}", arguments))
    assert answer.is_failure, answer.text
    return answer


SCORED_ROWS = [{"item_id": f"PMID:{number}", "total_score": 0.5} for number in range(1, 301)]


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
def test_a_wrong_argument_is_refused_with_the_allowed_values(tool, arguments, message, hint):
    error = refusal(tool, **arguments).body["error"]

    assert error["code"] == "AMBIGUOUS_QUERY"
    assert message in error["message"]
    assert hint in error["recovery_hint"]


@requirement("004 EH-size")
def test_a_refusal_does_not_repeat_the_list():
    answer = refusal("filter_rank", scored_articles=SCORED_ROWS, min_score_threshold=1.5)

    assert answer.body["error"]["invalid_input"] == 1.5
    assert len(answer.text) < 1500 < len(json.dumps(SCORED_ROWS)) / 5
