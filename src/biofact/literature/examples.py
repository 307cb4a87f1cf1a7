"""Example calls of the pipeline's tools, on the starter facts."""

from biofact.core.tool import Example

_MEDICAL = {
    "study_type": "string",
    "participant_count": "number",
    "primary_outcome": "string",
    "statistical_significance": "boolean",
    "effect_size": "number",
}
_EXTRACTIONS = [
    {"item_id": "PMID:11832527", "extraction": {"study_type": "randomized controlled trial", "sample_size": 3234}},
    {"item_id": "PMID:99000022", "extraction": {"study_type": "randomized controlled trial", "sample_size": 240}},
    {"item_id": "PMID:99000034", "extraction": {"study_type": "review"}},
]
_SCORED_ARTICLES = [
    {"item_id": "PMID:11832527", "total_score": 0.9},
    {"item_id": "PMID:99000022", "total_score": 0.7},
    {"item_id": "PMID:9500320", "total_score": 0.5},
]

EXAMPLES: tuple[Example, ...] = (
    Example(
        "pubmed_generate_query",
        {
            "research_goal": "Find recent studies on machine learning applications in medical diagnosis",
            "domain": "medical",
            "time_frame": "last_10_years",
        },
    ),
    Example("pubmed_generate_query", {"research_goal": "gut microbiome and depression", "query_strategy": "focused"}),
    Example(
        "pubmed_generate_query",
        {
            "research_goal": "randomised trials of metformin for type 2 diabetes",
            "max_queries": 1,
            "peer_review": True,
            "must_find": ["PMID:11832527"],
        },
    ),
    Example("pubmed_generate_query", {"research_goal": "???"}, "AMBIGUOUS_QUERY"),
    Example(
        "pubmed_extract_features",
        {"articles": ["PMID:11832527", "PMID:99000022"], "extraction_schema": _MEDICAL},
        shows={"item_id": "PMID:11832527"},
    ),
    Example(
        "pubmed_extract_features",
        {"extraction_schema": {"sample_size": "number"}, "articles": ["PMID:11832527"]},
        shows={"item_id": "PMID:11832527"},
    ),
    Example("pubmed_extract_features", {"extraction_schema": {"sample_size": "numbr"}}, "AMBIGUOUS_QUERY"),
    Example(
        "pubmed_extract_features",
        {"collection": "articles-000000000000000000000000", "extraction_schema": {"sample_size": "number"}},
        "UNRESOLVED_ENTITY",
    ),
    Example(
        "pubmed_score_articles",
        {
            "articles_with_features": _EXTRACTIONS,
            "scoring_criteria": {"weights": {"study_type": 0.6, "sample_size": 0.4}},
        },
        shows={"item_id": "PMID:11832527", "total_score": 1},
        is_from_service=False,
    ),
    Example(
        "pubmed_score_articles",
        {
            "articles_with_features": [{"item_id": "PMID:1", "extraction": {"sample_size": 9}}],
            "scoring_criteria": {"weights": {"sample_size": 1}},
        },
        shows={"item_id": "PMID:1"},
        is_from_service=False,
    ),
    Example(
        "pubmed_score_articles",
        {"articles_with_features": _EXTRACTIONS, "scoring_criteria": {"weights": {"sample_size": 2}}},
        "AMBIGUOUS_QUERY",
        is_from_service=False,
    ),
    Example(
        "pubmed_filter_rank",
        {
            "scored_articles": _SCORED_ARTICLES,
            "ranking_criteria": {"boost_high_impact": True},
            "output_format": "summary",
        },
        shows={"id": "PMID:11832527"},
    ),
    Example("pubmed_filter_rank", {"scored_articles": _SCORED_ARTICLES[:1]}, shows={"item_id": "PMID:11832527"}),
    Example("pubmed_filter_rank", {"max_results": 5}, "AMBIGUOUS_QUERY"),
)
