"""Tools have the arguments of the specifications, with their defaults and choices."""

import pytest

from biofact.interfaces import every_source
from tests.marks import requirement

pytestmark = pytest.mark.quick

REQUIRED, NONE = object(), None
PAGES = {"page_size": 50, "cursor": NONE}
SPECIFICATION = {  # lists of articles are required there; here a handle may stand in their place
    ("entrez", "search_genes"): {"query": REQUIRED, **PAGES},
    ("entrez", "get_gene"): {"entrez_id": REQUIRED},
    ("entrez", "get_pubmed_links"): {"entrez_id": REQUIRED, "limit": 10},
    ("ensembl", "search_genes"): {"query": REQUIRED, "species": NONE, **PAGES},
    ("ensembl", "get_gene"): {"ensembl_id": REQUIRED},
    ("ensembl", "get_transcript"): {"transcript_id": REQUIRED},
    ("chembl", "search_compounds"): {"query": REQUIRED, **PAGES, "slim": False},
    ("chembl", "get_compound"): {"chembl_id": REQUIRED, "slim": False},
    ("chembl", "get_compounds_batch"): {"chembl_ids": REQUIRED, "slim": True},
    ("igvf", "get_entity"): {"id": REQUIRED, "hint": NONE},
    ("igvf", "search_region"): {"region": REQUIRED, "include": NONE, "organism": "human", "limit": 25},
    ("igvf", "find_associations"): {"entity_id": REQUIRED, "relationship": REQUIRED, "filters": NONE, "limit": 25},
    ("igvf", "resolve_id"): {"id": REQUIRED, "target_type": NONE},
    ("igvf", "list_sources"): {"category": NONE},
    ("pubmed", "pubmed_generate_query"): {
        "research_goal": REQUIRED,
        **dict.fromkeys(("domain", "time_frame", "study_types", "keywords", "exclude_terms"), NONE),
        "max_queries": 3,
        "query_strategy": "comprehensive",
    },
    ("pubmed", "pubmed_search"): {
        "search_query": REQUIRED,
        "max_results": 20,
        "sort_order": "relevance",
        **dict.fromkeys(("date_range", "article_types", "fields"), NONE),
    },
    ("pubmed", "pubmed_extract_features"): {
        "articles": NONE,
        "extraction_schema": REQUIRED,
        "extraction_instructions": "",
        "batch_size": 5,
        "validation_mode": "strict",
    },
    ("pubmed", "pubmed_score_articles"): {
        "articles_with_features": NONE,
        "scoring_criteria": REQUIRED,
        "score_function": "weighted_sum",
        "include_percentiles": True,
    },
    ("pubmed", "pubmed_filter_rank"): {
        "scored_articles": NONE,
        **dict.fromkeys(("min_score_threshold", "ranking_criteria", "filters"), NONE),
        "max_results": 10,
        "output_format": "detailed",
    },
}
CHOICES = {
    ("chembl", "search_compounds", "page_size"): (1, 100),
    ("igvf", "get_entity", "hint"): {"gene", "variant", "protein", "transcript", "disease", "drug"},
    ("igvf", "search_region", "include"): {"genes", "variants", "regulatory_elements"},
    ("igvf", "search_region", "organism"): {"human", "mouse"},
    ("igvf", "find_associations", "relationship"): {
        *("regulatory", "genetic", "physical", "functional", "pharmacological", "all")
    },
    ("igvf", "list_sources", "category"): {
        *("variant_annotations", "gene_expression", "regulatory", "disease", "drugs", "interactions", "studies")
    },
    ("pubmed", "pubmed_generate_query", "domain"): {"medical", "technology", "biology", "psychology", "general"},
    ("pubmed", "pubmed_generate_query", "time_frame"): {"last_year", "last_5_years", "last_10_years", "all_time"},
    ("pubmed", "pubmed_generate_query", "study_types"): {
        *("Clinical Trial", "Review", "Meta-Analysis", "Case Study", "Observational Study")
    },
    ("pubmed", "pubmed_generate_query", "query_strategy"): {"comprehensive", "focused", "exploratory"},
    ("pubmed", "pubmed_search", "sort_order"): {"relevance", "date", "author"},
    ("pubmed", "pubmed_extract_features", "validation_mode"): {"strict", "partial", "best_effort"},
    ("pubmed", "pubmed_score_articles", "score_function"): {"weighted_sum", "composite", "ml_model"},
    ("pubmed", "pubmed_filter_rank", "output_format"): {"summary", "detailed", "analysis_ready"},
}


def listing(source, tool):
    """The arguments of a tool as a server lists them."""
    (schema,) = [
        tool_listing.input_schema
        for tool_listing in every_source.listing(source).tools
        if tool_listing.ref.method == tool
    ]
    return schema


@requirement(
    "000 R2-sig",
    "000 R5-sig",
    "001 FR-001",
    "001 FR-004",
    "002 FR-012",
    "002 FR-022",
    "003 T1-params",
    "003 T2-params",
    "003 T3-params",
    "003 T4-params",
    "003 T5-params",
    "004 Q-params",
    "004 S-params",
    "004 E-params",
    "004 C-params",
    "004 F-params",
)
def test_a_tool_takes_what_its_specification_says():
    assert {tool: accepts(*tool) for tool in SPECIFICATION} == SPECIFICATION


def accepts(source, tool):
    """The arguments of the specification, as the tool accepts them, and all that it requires."""
    schema = listing(source, tool)
    defaults = {name: schema["properties"].get(name, {}).get("default") for name in SPECIFICATION[source, tool]}
    return {**defaults, **dict.fromkeys(schema.get("required", ()), REQUIRED)}


@requirement("002 FR-022", "003 T5-params", "004 Q-enums", "004 S-sort")
def test_an_argument_takes_the_choices_of_its_specification():
    assert {argument for argument in CHOICES if not is_as_specified(*argument)} == set()


def is_as_specified(source, tool, argument):
    """Whether an argument accepts the values of its specification, or more."""
    schema = listing(source, tool)["properties"][argument]
    choices = CHOICES[source, tool, argument]
    if isinstance(choices, tuple):
        return (schema["minimum"], schema["maximum"]) == choices
    return choices <= set(schema.get("items", schema)["enum"])
