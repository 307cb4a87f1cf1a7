"""The specification's usage examples and templates as they stand there: each ends in a ranking that tells articles
apart, on evidence."""

import pytest

from tests import virtual_time
from tests.literature.spec_examples import GOALS, INSTRUCTIONS, MEDICAL, SCORING, TECHNOLOGY, TEMPLATE_WEIGHTS, USAGE
from tests.marks import requirement
from tests.served import served

RANKING = {"max_results": 10, "ranking_criteria": {"boost_recent": True, "boost_high_impact": True}}
THRESHOLD = {"min_score_threshold": 0.7}
EXAMPLES = {
    "complete pipeline, scored and filtered": (GOALS["pipeline"], USAGE, SCORING, THRESHOLD),
    "exploratory research": (GOALS["exploratory"], USAGE, SCORING, THRESHOLD),
    "focused technical search": (GOALS["focused"], USAGE, SCORING, THRESHOLD),
    "multi-domain research": (GOALS["several domains"], USAGE, SCORING, THRESHOLD),
    "medical template": (GOALS["pipeline"], MEDICAL, {"weights": TEMPLATE_WEIGHTS["medical"]}, {}),
    "technology template": (GOALS["pipeline"], TECHNOLOGY, {"weights": TEMPLATE_WEIGHTS["technology"]}, {}),
}


async def steps(goal, schema, criteria, threshold):
    """What each step answers, lists in and out."""
    async with served() as gateway:

        async def call(tool, **arguments):
            said = await gateway.call(tool, arguments)
            assert not said.is_failure, said.text[:500]
            return said.body

        made = await call("pubmed_generate_query", **goal)
        query = made["generated_queries"][0]["query_string"]
        found = await call("pubmed_search", search_query=query, max_results=50)
        extracted = await call(
            "pubmed_extract_features",
            articles=found["articles"],
            extraction_schema=schema,
            extraction_instructions=INSTRUCTIONS,
        )
        scored = await call(
            "pubmed_score_articles", articles_with_features=extracted["extractions"], scoring_criteria=criteria
        )
        ranked = await call("pubmed_filter_rank", scored_articles=scored["scored_articles"], **RANKING, **threshold)
        return found, extracted, scored, ranked


@pytest.fixture(scope="module", params=EXAMPLES.values(), ids=EXAMPLES)
def answers(request):
    return virtual_time.run(steps(*request.param))


@requirement(
    "004 EX-pipeline",
    "004 EX-scoring",
    "004 EX-exploratory",
    "004 EX-focused",
    "004 EX-multi",
    "004 TPL-medical",
    "004 TPL-tech",
)
def test_scores_differ_and_the_ranking_holds_the_best(answers):
    _, _, scored, ranked = answers
    totals = {row["item_id"]: row["total_score"] for row in scored["scored_articles"]}
    best = max(totals, key=totals.__getitem__)

    assert len(set(totals.values())) > 1
    assert ranked["ranked_articles"]
    assert totals[ranked["ranked_articles"][0]["item_id"]] == totals[best]
    finals = [row["final_score"] for row in ranked["ranked_articles"]]
    assert finals == sorted(finals, reverse=True)


@requirement("004 E-evidence")
def test_every_ranked_value_stands_on_evidence(answers):
    _, extracted, _, ranked = answers
    evidence = {row["item_id"]: row["extraction_metadata"]["evidence"] for row in extracted["extractions"]}
    articles = {row["item_id"]: row["original_article"] for row in extracted["extractions"]}
    first = ranked["ranked_articles"][0]

    assert first["article_with_features"]["extraction"]
    for row in ranked["ranked_articles"]:
        for field in row["article_with_features"]["extraction"]:
            for place in evidence[row["item_id"]][field]:
                source = articles[row["item_id"]][place["where"]]
                stated = source[place["start"] : place["end"]] if "start" in place else place["quote"]
                assert stated == place["quote"]


@requirement("004 EX-scoring")
def test_a_feature_that_no_article_has_is_said_with_what_was_reachable(answers):
    _, extracted, scored, _ = answers
    stated = {field for row in extracted["extractions"] for field in row["extraction"]}
    weights = scored["scored_articles"][0]["score_breakdown"]
    missing = [name for name in weights if name not in stated]
    notices = " ".join(notice["message"] for notice in scored.get("notices", []))

    assert all(weights[name] == {"weight": 0, "is_missing": True} for name in missing)
    assert all(name in notices for name in missing)
    assert ("totals could reach" in notices) == bool(missing)
    assert sum(one["weight"] for one in weights.values()) == pytest.approx(1, abs=1e-5)


@requirement("004 E-rules", "004 EX-pipeline")
def test_sizes_of_the_pipelines_articles_are_those_of_their_data():
    _, extracted, _, ranked = virtual_time.run(steps(*EXAMPLES["complete pipeline, scored and filtered"]))
    sizes = {row["item_id"]: row["extraction"].get("dataset_size") for row in extracted["extractions"]}

    assert sizes == {
        "PMID:99000050": 3214,
        "PMID:99000054": None,
        "PMID:99000057": 1850,
        "PMID:99000058": 64,
    }
    assert ranked["filter_metadata"]["filtered_count"] > 0
