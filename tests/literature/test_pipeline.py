"""Every usage example and template of the specification, through a real MCP client: by rules, and by a model."""

import functools
import re
from contextlib import asynccontextmanager

import pytest
from rs_bpe.bpe import openai

from biofact.literature.extraction.schema import ExtractionSchema
from biofact.sandbox.scripted_model import honest
from tests import virtual_time
from tests.in_process import scripted_model
from tests.literature.spec_examples import GOALS, MEDICAL, SCORING, TECHNOLOGY, USAGE
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
GENERATE, SEARCH = "pubmed_generate_query", "pubmed_search"
EXTRACT, SCORE, RANK = "pubmed_extract_features", "pubmed_score_articles", "pubmed_filter_rank"
METHODS = ("rules", "model")
every_method = pytest.mark.parametrize("method", METHODS)

TEMPLATES = {
    "medical": (
        MEDICAL,
        {"study_type": 0.3, "participant_count": 0.25, "statistical_significance": 0.25, "effect_size": 0.2},
    ),
    "technology": (TECHNOLOGY, {"performance_improvement": 0.4, "benchmarks_used": 0.3, "code_availability": 0.3}),
}


def line(schema, chat):
    """The model's answer: the contents of articles, and an empty object for a goal."""
    if "articles" in str(chat.answer_schema or chat.instructions):
        return honest(ExtractionSchema.read(schema))(chat)
    return {}


@asynccontextmanager
async def pipeline(method, schema=None):
    """A caller of the gateway's tools; with an endpoint for those that use a model."""
    if method == "rules":
        async with served() as gateway:
            yield functools.partial(call_tool, gateway), None
        return
    async with scripted_model(functools.partial(line, schema or {})) as model, served(model=model) as gateway:
        yield functools.partial(call_tool, gateway), model


async def call_tool(gateway, tool, **arguments):
    call = await gateway.call(tool, arguments)
    assert not call.is_failure, call.text
    return call.body


@functools.cache
def generated(name, method):
    """The generated queries of a goal, and their results."""

    async def run():
        async with pipeline(method) as (call, _):
            made_rows = await call(GENERATE, **GOALS[name])
            calls = [
                await call(SEARCH, search_query=query["query_string"], slim=True, max_results=5)
                for query in made_rows["generated_queries"]
            ]
            return made_rows, calls

    return virtual_time.run(run())


@requirement("004 Q-mesh-used", "004 EX-exploratory", "004 EX-focused", "004 EX-multi")
@pytest.mark.parametrize(
    ("name", "method"),
    [
        *((name, "rules") for name in GOALS),
        *(pytest.param(name, "model", marks=[] if name == "pipeline" else pytest.mark.sweep) for name in GOALS),
    ],
)
def test_a_goal_becomes_queries_that_find_what_they_say(name, method):
    goal = GOALS[name]
    made_rows, result = generated(name, method)
    queries = made_rows["generated_queries"]

    assert 1 <= len(queries) <= goal.get("max_queries", 3)
    assert len({query["query_string"] for query in queries}) == len(queries)
    assert [query["result_count"] for query in queries] == [answer["total_results"] for answer in result]
    assert all(str(query["result_count"]) in query["expected_scope"] for query in queries)
    assert all(0 <= query["confidence_score"] <= 1 and query["rationale"] for query in queries)
    assert queries[0]["result_count"] > 0
    assert made_rows["mesh_terms"] or goal["domain"] == "technology"  # MeSH has no heading for BERT
    assert made_rows["field_tags"]
    assert set(made_rows["query_metadata"]) == {"domain_context", "synonyms_used", "query_complexity"}
    names = {name for query in queries for name in re.findall(r'"([^"]+)"\[MeSH (?:Terms|Major Topic)\]', text(query))}
    assert set(made_rows["mesh_terms"]) == names


def text(query):
    """A query without its exclusions."""
    return query["query_string"].split(" NOT ")[0]


@requirement("004 Q-mesh_terms", "004 Q-field_tags", "004 Q-metadata", "004 EX-focused")
def test_lists_of_generated_queries_are_there_when_they_are_empty():
    async def run():
        async with served() as gateway:
            call = await gateway.call(GENERATE, {"research_goal": "zzzz qqqq"})
            (tool,) = [tool for tool in await gateway.client.list_tools() if tool.name == GENERATE]
            return call.body, tool.output_schema

    empty_value, schema = virtual_time.run(run())
    focused_answer, _ = generated("focused", "rules")

    assert (focused_answer["mesh_terms"], focused_answer["query_metadata"]["synonyms_used"]) == ([], [])
    assert (empty_value["mesh_terms"], empty_value["query_metadata"]["synonyms_used"]) == ([], [])
    assert {"mesh_terms", "field_tags", "query_metadata"} <= set(schema["required"])


METADATA = {
    GENERATE: ("query_metadata", {"domain_context", "synonyms_used", "query_complexity"}),
    SEARCH: ("search_metadata", {"query_translation", "search_time_ms", "api_version"}),
    EXTRACT: (
        "extraction_metadata",
        {"total_processed", "successful_extractions", "partial_extractions", "failed_extractions"}
        | {"processing_time_ms", "tokens_used"},
    ),
    SCORE: ("scoring_metadata", {"score_distribution", "feature_correlations", "scoring_method_used"}),
    RANK: ("filter_metadata", {"initial_count", "filtered_count", "filters_applied", "ranking_method"}),
}
"""The object beside the list of each tool, with the keys of the specification."""


@requirement("004 Q-metadata", "004 S-out", "004 E-stats", "004 C-stats", "004 F-out")
def test_the_output_schema_says_what_metadata_holds():
    async def run():
        async with served() as gateway:
            return {tool.name: tool.output_schema for tool in await gateway.client.list_tools()}

    schemas = virtual_time.run(run())

    for name, (key, specified_names) in METADATA.items():
        part = schemas[name]["properties"][key]
        assert specified_names <= set(part["properties"])
        assert set(part["required"]) <= set(part["properties"])
        assert key in schemas[name]["required"]


@requirement("004 Q-mesh-used")
def test_a_heading_that_pubmed_does_not_know_is_neither_listed_nor_counted():
    made_rows, _ = generated("several domains", "rules")

    assert "Ethics" not in made_rows["mesh_terms"]  # MeSH has it, but no article of the sandbox
    assert all("2 of 3 concepts have a MeSH heading" in query["rationale"] for query in made_rows["generated_queries"])


async def all_steps(call):
    """The specification's complete pipeline, lists in and out."""
    made_rows = await call(GENERATE, **GOALS["pipeline"] | {"time_frame": "last_10_years"})
    result = await call(SEARCH, search_query=made_rows["generated_queries"][0]["query_string"], max_results=50)
    extracted = await call(
        EXTRACT,
        articles=result["articles"],
        extraction_schema=USAGE,
        extraction_instructions="methodology: the main approach; dataset_size: number of samples",
    )
    scored_rows = await call(SCORE, articles_with_features=extracted["extractions"], scoring_criteria=SCORING)
    boosts = {"boost_recent": True, "boost_high_impact": True}
    ranked = await call(RANK, scored_articles=scored_rows["scored_articles"], max_results=10, ranking_criteria=boosts)
    return result, extracted, scored_rows, ranked


@requirement("004 C-article-meta", "004 EX-pipeline")
@every_method
def test_the_complete_pipeline_with_lists_in_and_out(method):
    async def run():
        async with pipeline(method, USAGE) as (call, _):
            return await all_steps(call)

    result, extracted, scored_rows, ranked = virtual_time.run(run())
    ids = [article["id"] for article in result["articles"]]

    assert [row["item_id"] for row in extracted["extractions"]] == ids
    assert extracted["extraction_metadata"]["method"] == method
    assert extracted["extraction_metadata"]["total_processed"] == len(ids)
    assert (extracted["extraction_metadata"]["tokens_used"] > 0) == (method == "model")
    assert [row["item_id"] for row in scored_rows["scored_articles"]] == ids
    assert all(0 <= row["total_score"] <= 1 for row in scored_rows["scored_articles"])
    for row in scored_rows["scored_articles"]:
        missing = [name for name, value in row["score_breakdown"].items() if value.get("is_missing")]
        stated_values = sum(item["weight"] for item in row["score_breakdown"].values() if "score" in item)
        assert row["scoring_metadata"].get("missing_features", []) == missing
        assert row["scoring_metadata"]["scoring_method_used"] == "weighted_sum"
        assert row["scoring_metadata"]["completeness"] == pytest.approx(stated_values, abs=1e-5)
        assert row["total_score"] <= row["scoring_metadata"]["completeness"] + 1e-5
    assert {row["item_id"] for row in ranked["ranked_articles"]} <= set(ids)
    scores = [row["final_score"] for row in ranked["ranked_articles"]]
    assert scores == sorted(scores, reverse=True)
    if method == "rules":
        codes = [notice["code"] for notice in extracted["notices"]]
        assert "TERM_IGNORED" in codes  # instructions
        assert "NOT_COVERED" not in codes


@requirement("004 TPL-medical", "004 TPL-tech")
@pytest.mark.parametrize(
    ("name", "method"),
    [
        *((name, "rules") for name in TEMPLATES),
        ("medical", "model"),
        pytest.param("technology", "model", marks=pytest.mark.sweep),
    ],
)
def test_a_template_runs_by_handles(name, method):
    schema, weights = TEMPLATES[name]

    async def run():
        async with pipeline(method, schema) as (call, _):
            result = await call(SEARCH, search_query="machine learning OR metformin", max_results=50, slim=True)
            extracted = await call(EXTRACT, collection=result["collection"], extraction_schema=schema, slim=True)
            scored_rows = await call(
                SCORE, collection=extracted["collection"], scoring_criteria={"weights": weights}, slim=True
            )
            ranked = await call(RANK, collection=scored_rows["collection"], output_format="summary")
            return result, extracted, scored_rows, ranked

    result, extracted, scored_rows, ranked = virtual_time.run(run())
    fields = {field for row in extracted["extractions"] for field in row["extraction"]}

    assert len(extracted["extractions"]) == len(result["articles"]) == len(scored_rows["scored_articles"]) > 5
    assert all(set(row) == {"item_id", "extraction"} for row in extracted["extractions"])
    assert all(set(row["extraction"]) <= set(schema) for row in extracted["extractions"])
    assert "fields_not_read_by_rules" not in extracted["extraction_metadata"]
    if method == "rules":  # of these articles none is tested on a benchmark, or is better than another by a number
        assert set(schema) - fields <= {"benchmarks_used", "performance_improvement"}
    assert 0 < len(ranked["ranked_articles"]) <= 10
    assert ranked["filter_metadata"]["initial_count"] == len(result["articles"])


@requirement("004 E-evidence")
def test_every_value_stands_on_its_place_in_the_text():
    async def run():
        async with pipeline("rules") as (call, _):
            return await call(EXTRACT, articles=["PMID:11832527", "PMID:99000022"], extraction_schema=MEDICAL)

    for row in virtual_time.run(run())["extractions"]:
        evidence = row["extraction_metadata"]["evidence"]
        assert set(evidence) == set(row["extraction"])
        assert all(stands(place, row["original_article"]) for places in evidence.values() for place in places)


def stands(place, article):
    """Whether the quote is at its stated position."""
    answer = article[place["where"]]
    return answer[place["start"] : place["end"]] == place["quote"] if "start" in place else place["quote"] in answer


def test_a_retracted_article_is_excluded_by_default_and_flagged_on_request():
    scored_rows = [{"item_id": pmid, "total_score": 0.9} for pmid in ("PMID:9500320", "PMID:11832527")]

    async def run():
        async with pipeline("rules") as (call, _):
            remainder = await call(RANK, scored_articles=scored_rows, output_format="summary")
            kept_values = await call(
                RANK, scored_articles=scored_rows, output_format="detailed", filters={"include_retracted": True}
            )
            return remainder, kept_values

    remainder, kept_values = virtual_time.run(run())

    assert [row["id"] for row in remainder["ranked_articles"]] == ["PMID:11832527"]
    assert any("retracted" in step and "1" in step for step in remainder["filter_metadata"]["filters_applied"])
    flags = {row["item_id"]: row.get("flags") for row in kept_values["ranked_articles"]}
    assert flags == {"PMID:9500320": {"retracted": ["PMID:20137807"]}, "PMID:11832527": None}


def test_exactly_one_of_list_and_collection_is_taken():
    async def run():
        async with served() as gateway:
            return [
                (await gateway.call(tool, arguments)).code
                for tool, arguments in (
                    (EXTRACT, {"extraction_schema": {"sample_size": "number"}}),
                    (EXTRACT, {"extraction_schema": {"sample_size": "number"}, "articles": [], "collection": "x"}),
                    (SCORE, {"scoring_criteria": {"weights": {"sample_size": 1}}}),
                    (RANK, {}),
                    (RANK, {"collection": "articles-000000000000000000000000"}),
                    (RANK, {"scored_articles": [{"item_id": "PMID:1"}]}),
                )
            ]

    codes = virtual_time.run(run())

    assert codes == ["AMBIGUOUS_QUERY"] * 4 + ["UNRESOLVED_ENTITY"] * 2
