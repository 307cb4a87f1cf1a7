"""The specification's usage examples and templates, unchanged: each ends in a ranking that distinguishes articles by
evidence.
"""

import functools

import pytest
from benchmarks.extraction import recorded_articles

from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.scoring.criteria import ScoringCriteria
from biofact.literature.scoring.totals import score_articles
from tests import virtual_time
from tests.each_of import each_of
from tests.literature.spec_examples import (
    CRITERIA_WEIGHTS,
    GOALS,
    INSTRUCTIONS,
    MEDICAL,
    PARAMETER,
    SCORING,
    TECHNOLOGY,
    TEMPLATE_WEIGHTS,
    USAGE,
)
from tests.marks import requirement
from tests.recordings import FOLDER, needs_recordings
from tests.served import on_gateway

pytestmark = pytest.mark.quick

RANKING = {"max_results": 10, "ranking_criteria": {"boost_recent": True, "boost_high_impact": True}}
THRESHOLD = {"min_score_threshold": 0.7}
EXAMPLES = {
    "complete pipeline, scored and filtered": (GOALS["pipeline"], USAGE, SCORING, THRESHOLD),
    "exploratory research": (GOALS["exploratory"], USAGE, SCORING, THRESHOLD),
    "focused technical search": (GOALS["focused"], USAGE, SCORING, THRESHOLD),
    "multi-domain research": (GOALS["several domains"], USAGE, SCORING, THRESHOLD),
    "medical template": (GOALS["pipeline"], MEDICAL, {"weights": TEMPLATE_WEIGHTS["medical"]}, {}),
    "technology template": (GOALS["pipeline"], TECHNOLOGY, {"weights": TEMPLATE_WEIGHTS["technology"]}, {}),
    "technology template, technical search": (
        GOALS["focused"],
        TECHNOLOGY,
        {"weights": TEMPLATE_WEIGHTS["technology"]},
        {},
    ),
}
CANONICAL_NAMES = {
    "methodology": "study_type",
    "dataset_size": "dataset_size",
    "key_contribution": "key_contribution",
    "limitations": "limitations",
    "study_type": "study_type",
    "participant_count": "participant_count",
    "primary_outcome": "outcome",
    "statistical_significance": "statistical_significance",
    "effect_size": "effect_size",
    "technology_domain": "technology_domain",
    "benchmarks_used": "benchmarks_used",
    "performance_improvement": "performance_improvement",
    "computational_cost": "computational_cost",
    "code_availability": "code_availability",
    "sample_size": "sample_size",
    "key_findings": "key_findings",
    "novelty": "novelty",
    "methodology_quality": None,
    "relevance": None,
}
"""Every feature that the specification names, and the field that the rules read for it; the last two are judgements
about an article, which no article states.
"""
RECORDINGS = {
    "medical": (MEDICAL, TEMPLATE_WEIGHTS["medical"], ("17059514", "23435529", "29768149", "28731372", "9626910")),
    "technology": (
        TECHNOLOGY,
        TEMPLATE_WEIGHTS["technology"],
        ("14729922", "19129924", "23807877", "35573891", "36096127", "39345789"),
    ),
    "usage": (
        {**USAGE, "novelty": "string"},
        SCORING["weights"],
        ("17059514", "29768149", "35573891", "38909159", "19129924", "11034741", "39345789"),
    ),
}
"""Schema, weights and recorded articles."""


async def steps(gateway, goal, schema, criteria, threshold):
    """The answer of each step, lists in and out."""

    async def call(tool, **arguments):
        call = await gateway.call(tool, arguments)
        assert not call.is_failure, call.text[:500]
        return call.body

    made_rows = await call("pubmed_generate_query", **goal)
    query = made_rows["generated_queries"][0]["query_string"]
    result = await call("pubmed_search", search_query=query, max_results=50)
    extracted = await call(
        "pubmed_extract_features",
        articles=result["articles"],
        extraction_schema=schema,
        extraction_instructions=INSTRUCTIONS,
    )
    scored_rows = await call(
        "pubmed_score_articles", articles_with_features=extracted["extractions"], scoring_criteria=criteria
    )
    ranked = await call("pubmed_filter_rank", scored_articles=scored_rows["scored_articles"], **RANKING, **threshold)
    return result, extracted, scored_rows, ranked


@functools.cache
def answers():
    """The answers of the steps of each example."""

    async def run(gateway):
        return {name: await steps(gateway, *example) for name, example in EXAMPLES.items()}

    return on_gateway(run)


every_example = each_of("example", EXAMPLES)


@requirement(
    "004 EX-pipeline",
    "004 EX-scoring",
    "004 EX-exploratory",
    "004 EX-focused",
    "004 EX-multi",
    "004 TPL-medical",
    "004 TPL-tech",
)
@every_example
def test_scores_differ_and_the_ranking_holds_the_best(example):
    _, _, scored_rows, ranked = answers()[example]
    totals = {row["item_id"]: row["total_score"] for row in scored_rows["scored_articles"]}
    best = max(totals, key=totals.__getitem__)

    assert len(set(totals.values())) > 1
    assert ranked["ranked_articles"]
    assert totals[ranked["ranked_articles"][0]["item_id"]] == totals[best]
    finals = [row["final_score"] for row in ranked["ranked_articles"]]
    assert finals == sorted(finals, reverse=True)


@requirement("004 E-evidence")
@every_example
def test_every_ranked_value_stands_on_evidence(example):
    _, extracted, _, ranked = answers()[example]
    evidence = {row["item_id"]: row["extraction_metadata"]["evidence"] for row in extracted["extractions"]}
    articles = {row["item_id"]: row["original_article"] for row in extracted["extractions"]}
    first = ranked["ranked_articles"][0]

    assert first["article_with_features"]["extraction"]
    for row in ranked["ranked_articles"]:
        for field in row["article_with_features"]["extraction"]:
            for place in evidence[row["item_id"]][field]:
                source = articles[row["item_id"]][place["where"]]
                stated_values = source[place["start"] : place["end"]] if "start" in place else place["quote"]
                assert stated_values == place["quote"]


@requirement("004 EX-scoring")
@every_example
def test_a_feature_that_no_article_has_is_reported_with_the_highest_possible_total(example):
    _, extracted, scored_rows, _ = answers()[example]
    weights = scored_rows["scored_articles"][0]["score_breakdown"]
    fields = {field for row in extracted["extractions"] for field in row["extraction"]}
    missing = [name for name, weight in weights.items() if not weight["weight"]]
    notices = " ".join(notice["message"] for notice in scored_rows.get("notices", []))

    assert all(weights[name] == {"weight": 0, "is_missing": True} for name in missing)
    assert all(name in notices for name in missing)
    assert set(weights) - fields <= set(missing)
    assert ("totals could reach" in notices) == bool(missing)
    assert sum(weight["weight"] for weight in weights.values()) == pytest.approx(1, abs=1e-5)


@requirement("004 E-rules", "004 EX-pipeline")
def test_sizes_of_the_pipelines_articles_are_those_of_their_data():
    _, extracted, _, ranked = answers()["complete pipeline, scored and filtered"]
    sizes = {row["item_id"]: row["extraction"].get("dataset_size") for row in extracted["extractions"]}

    assert sizes == {"PMID:99000050": 3214, "PMID:99000054": None, "PMID:99000057": 1850, "PMID:99000058": 64}
    assert ranked["filter_metadata"]["filtered_count"] > 0


@requirement("004 E-rules", "004 TPL-medical", "004 TPL-tech", "004 EX-pipeline")
def test_every_feature_of_the_specification_is_read_or_is_a_judgement():
    weighted = [SCORING["weights"], CRITERIA_WEIGHTS, *TEMPLATE_WEIGHTS.values()]
    names = {name for usage in (USAGE, MEDICAL, TECHNOLOGY, PARAMETER, *weighted) for name in usage}

    assert {name: canonical_field(name) for name in names} == CANONICAL_NAMES


@functools.cache
def template_articles():
    """The recorded articles of all templates, by PMID."""
    return recorded_articles(dict.fromkeys(pmid for _, _, pmids in RECORDINGS.values() for pmid in pmids), FOLDER)


def read_recorded(template):
    """The rules' features of the recorded articles of a template, and their scores."""
    schema, weights, pmids = RECORDINGS[template]
    articles = {pmid: article for pmid, article in template_articles().items() if pmid in pmids}
    request = ExtractionRequest(ExtractionSchema.read(schema))
    rows = virtual_time.run(extract_features(list(articles.values()), request, model=None)).extractions
    criteria = ScoringCriteria(weights=weights)
    return rows, score_articles([row.extraction for row in rows], criteria, "weighted_sum", None)


@needs_recordings
@requirement("004 TPL-medical", "004 TPL-tech", "004 EX-scoring")
@each_of(("template", "never_stated"), [("medical", set()), ("technology", {"benchmarks_used"}), ("usage", set())])
def test_recorded_articles_state_the_features_of_each_template(template, never_stated):
    rows, scores = read_recorded(template)
    names = {name for row in rows for name in row.extraction}

    assert set(RECORDINGS[template][0]) - names == never_stated
    assert {name for name, weight in scores.weights.items() if weight} == set(RECORDINGS[template][1]) - never_stated
    assert len(set(scores.total.tolist())) > 1
    for row in rows:
        texts = {"title": row.original_article.title, "abstract": row.original_article.abstract}
        evidence = row.extraction_metadata.evidence
        assert set(evidence) == set(row.extraction)
        places = [place for places in evidence.values() for place in places if place.where in texts]
        assert all(texts[place.where][place.start : place.end] == place.quote for place in places)


@needs_recordings
@requirement("004 TPL-tech")
def test_the_recorded_articles_state_what_the_technology_template_reads_in_them():
    rows, _ = read_recorded("technology")
    extractions = {row.item_id: row.extraction for row in rows}

    assert extractions["PMID:14729922"]["performance_improvement"] == 900  # "more than an order of magnitude faster"
    assert "O(L) time complexity" in extractions["PMID:14729922"]["computational_cost"]
    assert extractions["PMID:23807877"]["performance_improvement"] == 900
    assert extractions["PMID:35573891"] == {"technology_domain": "Convolutional Neural Network"}
    assert extractions["PMID:39345789"]["code_availability"] is True  # "can be obtained from https://github.com/..."


@requirement("004 TPL-tech")
def test_a_technical_search_is_ranked_on_every_weighted_feature_of_the_technology_template():
    _, extracted, scored_rows, ranked = answers()["technology template, technical search"]
    extractions = {row["item_id"]: row["extraction"] for row in extracted["extractions"]}

    assert extractions["PMID:99000060"] == {
        "technology_domain": "BERT",
        "benchmarks_used": ["MIMIC-III", "i2b2 2010"],
        "performance_improvement": 6.2,
        "code_availability": True,
    }
    assert extractions["PMID:99000063"]["code_availability"] is False
    assert all(item["weight"] for item in scored_rows["scored_articles"][0]["score_breakdown"].values())
    assert [row["item_id"] for row in ranked["ranked_articles"]] == ["PMID:99000060", "PMID:99000063"]
