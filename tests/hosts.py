"""Habits of MCP hosts in writing the arguments of a call: each changes arguments as a schema permits."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.core.tool import ToolSpec, specs_of
from biofact.interfaces import every_source
from biofact.interfaces.schemas import input_schema

Arguments = dict[str, Any]
ARTICLE = "PMID:99000022"
EXTRACTION = {"item_id": ARTICLE, "extraction": {"sample_size": 240, "study_type": "Randomized Controlled Trial"}}
SCORED_ROW = {"item_id": ARTICLE, "total_score": 0.5}

_OWN_ARGUMENTS: Mapping[str, Arguments] = {
    "entrez.search_genes": {"query": "TP53", "organism": "mouse", "page_size": 5, "slim": True},
    "entrez.get_gene": {"entrez_id": "NCBIGene:672", "slim": True},
    "entrez.get_genes_batch": {"entrez_ids": ["NCBIGene:672", "BRCA2"], "slim": True},
    "entrez.get_pubmed_links": {"entrez_id": "NCBIGene:672", "limit": 2},
    "ensembl.search_genes": {"query": "TP53", "species": "mouse", "page_size": 5, "slim": True},
    "ensembl.get_gene": {"ensembl_id": "ENSG00000141510", "slim": True},
    "ensembl.get_genes_batch": {"ensembl_ids": ["ENSG00000141510", "x"], "slim": True},
    "ensembl.get_transcript": {"transcript_id": "ENST00000269305", "slim": True},
    "chembl.search_compounds": {"query": "imatinib", "page_size": 2, "slim": True},
    "chembl.get_compound": {"chembl_id": "CHEMBL:25", "slim": True},
    "chembl.get_compounds_batch": {"chembl_ids": ["CHEMBL:25", "aspirin"], "slim": True},
    "chembl.get_bioactivities": {"chembl_id": "CHEMBL:941", "target": "UniProtKB:P00519", "page_size": 2},
    "chembl.find_compounds_for_target": {"target_id": "UniProtKB:P00533", "page_size": 2},
    "igvf.get_entity": {"id": "BRCA1", "hint": "gene", "organism": "human"},
    "igvf.search_region": {
        "region": "chr17:43044295-43048294",
        "include": ["genes", "variants"],
        "organism": "human",
        "limit": 3,
        "filters": {"min_af": 0.001, "category": "noncoding"},
    },
    "igvf.find_associations": {
        "entity_id": "BRCA1",
        "relationship": "regulatory",
        "filters": {"score": ">0.1"},
        "order_by": "-score",
        "limit": 3,
        "hint": "gene",
        "organism": "human",
    },
    "igvf.resolve_id": {"id": "BRCA1", "target_type": "hgnc", "organism": "human"},
    "igvf.list_sources": {"category": "drugs"},
    "pubmed.pubmed_search": {
        "search_query": "metformin",
        "max_results": 3,
        "sort_order": "date",
        "date_range": {"start_date": "2000/01/01", "end_date": "2030/12/31"},
        "article_types": ["Randomized Controlled Trial"],
        "fields": ["mesh"],
        "slim": False,
    },
    "pubmed.pubmed_get_articles": {"pmids": [ARTICLE, "32087273"], "fields": ["mesh"], "slim": False},
    "pubmed.pubmed_generate_query": {
        "research_goal": "gut microbiome and depression",
        "domain": "medical",
        "time_frame": "last_10_years",
        "study_types": ["Review"],
        "keywords": ["depression"],
        "exclude_terms": ["mice"],
        "max_queries": 2,
        "query_strategy": "focused",
    },
    "pubmed.pubmed_extract_features": {
        "extraction_schema": {"sample_size": "number", "effect": {"value": "number"}},
        "articles": [ARTICLE],
        "batch_size": 5,
        "validation_mode": "partial",
        "slim": True,
    },
    "pubmed.pubmed_score_articles": {
        "scoring_criteria": {
            "weights": {"sample_size": 1},
            "scoring_functions": {"sample_size": {"name": "log_scale"}},
        },
        "articles_with_features": [EXTRACTION],
        "score_function": "weighted_sum",
        "include_percentiles": True,
        "slim": True,
    },
    "pubmed.pubmed_filter_rank": {
        "scored_articles": [SCORED_ROW],
        "min_score_threshold": 0.1,
        "max_results": 5,
        "ranking_criteria": {"boost_recent": True},
        "filters": {"from_year": 2000, "journal_blacklist": ["Nature"]},
        "output_format": "summary",
    },
}
"""Calls of tools with as many of their arguments as fit together."""


@dataclass(frozen=True)
class Habit:
    """A host's change to the arguments of any call; the answer stays that of the call by the schema."""

    name: str
    hosts: str
    write: Callable[[ToolSpec, Arguments], Arguments]
    is_of_short_calls: bool = False
    """Whether the habit shows in calls with few arguments."""


def short(spec: ToolSpec, arguments: Arguments) -> Arguments:
    """A call with its required arguments only."""
    required_names = {parameter.name for parameter in spec.parameters if parameter.is_required}
    return {name: value for name, value in arguments.items() if name in required_names | set(_LISTS)}


def specs() -> list[ToolSpec]:
    """Every tool of every source and of the pipeline."""
    return [spec for source in every_source.toolsets() for spec in specs_of(every_source.client_class(source))]


def _whole(spec: ToolSpec) -> Arguments:
    """A call of a tool: the one above, or its first example."""
    examples = every_source.examples(spec.ref.source)
    successes = (example for example in examples if (example.tool, example.outcome) == (spec.ref.method, "found"))
    return _OWN_ARGUMENTS.get(str(spec.ref)) or dict(next(successes).arguments)


WHOLE: Mapping[str, Arguments] = {str(spec.ref): _whole(spec) for spec in specs()}
"""A call of each tool, with many of its arguments."""


def _schema(spec: ToolSpec) -> dict[str, Any]:
    return input_schema(spec)["properties"]


def _optional(spec: ToolSpec) -> list[str]:
    return [parameter.name for parameter in spec.parameters if not parameter.is_required]


def _nested_as_text(_: ToolSpec, arguments: Arguments) -> Arguments:
    return {
        name: json.dumps(value, indent=1) if isinstance(value, list | dict) else value
        for name, value in arguments.items()
    }


def _deep_as_text(_: ToolSpec, arguments: Arguments) -> Arguments:
    def parts(value: Any) -> Any:
        return (
            {n: json.dumps(v) if isinstance(v, list) else v for n, v in value.items()}
            if isinstance(value, dict)
            else value
        )

    return {name: value if name == "extraction_schema" else parts(value) for name, value in arguments.items()}


def _rest_as(filler: Any) -> Callable[[ToolSpec, Arguments], Arguments]:
    def write(spec: ToolSpec, arguments: Arguments) -> Arguments:
        return {**dict.fromkeys(_optional(spec), filler), **arguments}

    return write


def _empty_parts(spec: ToolSpec, arguments: Arguments) -> Arguments:
    """Empty texts and nulls beside the values of lists and objects, and a list of only these for each absent list."""
    changed_arguments = dict(arguments)
    for name, schema in _schema(spec).items():
        if name in {"extraction_schema", *_LISTS}:
            continue
        if schema.get("type") == "object" and name in changed_arguments:
            changed_arguments[name] = {
                **changed_arguments[name],
                **{part: "" for part in _PARTS.get(name, ()) if part not in changed_arguments[name]},
            }
        elif schema.get("type") == "array" and name in changed_arguments and name in _optional(spec):
            changed_arguments[name] = [*changed_arguments[name], "", None]
        elif schema.get("type") == "array" and name not in changed_arguments:
            changed_arguments[name] = [""]
    return changed_arguments


_LISTS = ("articles", "articles_with_features", "scored_articles")
_PARTS = {
    "date_range": ("start_date", "end_date"),
    "ranking_criteria": ("boost_recent", "boost_high_impact"),
    "scoring_criteria": ("normalization_method",),
}


def _as_texts(spec: ToolSpec, arguments: Arguments) -> Arguments:
    kinds = {"integer", "number", "boolean"}
    return {
        name: json.dumps(value) if _schema(spec)[name].get("type") in kinds else value
        for name, value in arguments.items()
    }


def _as_floats(spec: ToolSpec, arguments: Arguments) -> Arguments:
    return {
        name: float(value) if _schema(spec)[name].get("type") == "integer" else value
        for name, value in arguments.items()
    }


def _by_other_names(_: ToolSpec, arguments: Arguments) -> Arguments:
    return {_OTHER_NAMES.get(name, name): value for name, value in arguments.items()}


_OTHER_NAMES = {
    "organism": "species",
    "species": "organism",
    "page_size": "limit",
    "limit": "max_results",
    "max_results": "page_size",
    "query": "search_query",
    "search_query": "query",
}


def _in_camel_case(_: ToolSpec, arguments: Arguments) -> Arguments:
    return {re.sub(r"_(\w)", lambda match: match[1].upper(), name): value for name, value in arguments.items()}


HABITS = (
    Habit("lists and objects as text", "Claude Desktop and Code, Cursor, n8n, LangChain", _nested_as_text),
    Habit("lists within objects as text", "Claude Code, n8n", _deep_as_text),
    Habit("an empty text for what is not given", "Cursor, ChatGPT, n8n", _rest_as(""), is_of_short_calls=True),
    Habit(
        "null for what is not given",
        "OpenAI strict mode, LangChain, LlamaIndex",
        _rest_as(None),
        is_of_short_calls=True,
    ),
    Habit("'null' for what is not given", "small models, n8n", _rest_as("null"), is_of_short_calls=True),
    Habit("'None' for what is not given", "LangChain and LlamaIndex agents", _rest_as("None"), is_of_short_calls=True),
    Habit("empty parts within lists and objects", "ChatGPT, n8n", _empty_parts),
    Habit("lists of nothing for what is not given", "ChatGPT, n8n", _empty_parts, is_of_short_calls=True),
    Habit("numbers and truth as text", "VS Code, small models", _as_texts),
    Habit("whole numbers with a fraction", "Gemini, JavaScript and Go hosts", _as_floats),
    Habit("another name of the idea", "any model", _by_other_names),
    Habit("names in camelCase", "JavaScript hosts", _in_camel_case),
)


@dataclass(frozen=True)
class Refusal:
    """A call that is refused, and the message to the caller."""

    tool: str
    arguments: Arguments
    message: str
    """Words of the message."""
    recovery: Arguments | None
    code: str = "AMBIGUOUS_QUERY"


REFUSALS = (
    Refusal("entrez_search_genes", {"arguments": {"query": "TP53", "organism": "mouse"}}, "no argument 'arguments'",
            {"query": "TP53", "organism": "mouse"}),
    Refusal("entrez_search_genes", {"input": '{"query": "TP53"}'}, "no argument 'input'", {"query": "TP53"}),
    Refusal("entrez_search_genes", {"input": "TP53"}, "no argument 'input'", None),
    Refusal("entrez_search_genes", {"query": "TP53", "sessionId": "1", "action": "sendMessage", "toolCallId": "x"},
            "no argument 'sessionId'", None),
    Refusal("entrez_search_genes", {"query": "TP53", "organism": "undefined"}, "undefined", None),
    Refusal("entrez_search_genes", {"query": "TP53", "organism": ["mouse"]}, "'organism'", None),
    Refusal("entrez_search_genes", {"query": "TP53", "organism": "mouse", "species": "human"}, "mean the same", None),
    Refusal("entrez_search_genes", {"query": "TP53", "orgnism": "mouse", "limit": 1000}, "'orgnism'",
            {"query": "TP53", "organism": "mouse"}),
    Refusal("entrez_search_genes", {"query": ["TP53"]}, "'query'", None),
    Refusal("entrez_search_genes", {"query": ""}, "'query'", None),
    Refusal("entrez_search_genes", {"query": None}, "'query'", None),
    Refusal("entrez_search_genes", {}, "needs the argument 'query'", None),
    Refusal("entrez_get_gene", {"entrez_id": "Trp53", "organism": "mouse"}, "no argument 'organism'",
            {"query": "Trp53", "organism": "mouse"}, "UNRESOLVED_ENTITY"),
    Refusal("entrez_get_gene", {"entrez_id": "Trp53", "tissue": "liver"}, "no argument 'tissue'", None,
            "UNRESOLVED_ENTITY"),
    Refusal("entrez_get_gene", {"entrez_id": 672}, "expected a form like", {"query": "NCBIGene:672"},
            "UNRESOLVED_ENTITY"),
    Refusal("entrez_get_gene", {"entrez_id": ["NCBIGene:672"]}, "expected a form like", None, "UNRESOLVED_ENTITY"),
    Refusal("entrez_get_genes_batch", {"entrez_ids": "NCBIGene:672"}, "1 to 200 IDs",
            {"entrez_ids": ["NCBIGene:672"]}),
    Refusal("entrez_get_genes_batch", {"entrez_ids": "['NCBIGene:672', 'NCBIGene:675']"}, "1 to 200 IDs",
            {"entrez_ids": ["NCBIGene:672", "NCBIGene:675"]}),
    Refusal("entrez_get_genes_batch", {"entrez_ids": ["NCBIGene:672"] * 200, "slim": "maybe"}, "'slim'", None),
    Refusal("igvf_search_region", {"region": "chr1:1-10", "include": "genes"}, "'include'",
            {"region": "chr1:1-10", "include": ["genes"]}),
    Refusal("chembl_get_compound", {"chembl_id": "CHEMBL:25", "include": "mechanisms,indications"}, "'include'",
            {"chembl_id": "CHEMBL:25", "include": ["mechanisms", "indications"]}),
    Refusal("igvf_find_associations", {"entity_id": "BRCA1", "relationship": "all", "filters": {"p_value": 7, "p": 1}},
            "'filters.p_value'", None),
    Refusal("pubmed_search", {"search_query": "metformin", "date_range": {"start_date": "2020", "until": "2021"}},
            "'date_range' of pubmed_search has no 'until'", None),
    Refusal("pubmed_search", {"query": "metformin", "search_query": "aspirin"}, "mean the same", None),
    Refusal("pubmed_filter_rank", {"scored_articles": [SCORED_ROW] * 100, "output_format": "brief"}, "'output_format'",
            None),
)  # fmt: skip
"""Other habits of hosts and models, which would have to be guessed at."""
