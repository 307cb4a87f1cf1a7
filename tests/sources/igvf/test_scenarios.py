"""The scenarios, patterns and texts of specification 003, through a real MCP client on the sandbox."""

import functools
import json
import re
import tomllib
from importlib import resources
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from biofact.interfaces.mcp.server import gateway, source_server
from biofact.sources.igvf.catalog import RELATIONSHIPS
from biofact.sources.igvf.data_sources import Category
from biofact.sources.igvf.examples import EXAMPLES
from tests import virtual_time
from tests.each_of import each_of
from tests.marks import requirement
from tests.served import served
from tests.sources.igvf.catalog_rows import starter

pytestmark = pytest.mark.quick

BRCA1, TP53 = "ENSG00000012048", "ENSG00000141510"
DUPLICATION = "NC_000017.11:43057062:GGG:GGGG"
partial = functools.partial(source_server, "igvf")
SERVERS = {"alone": partial, "gateway": gateway}
URIS = {
    "igvf://schemas/gene": "application/json",
    "igvf://schemas/variant": "application/json",
    "igvf://guide/identifiers": "text/markdown",
    "igvf://examples/queries": "text/markdown",
}
SOURCES = tomllib.loads(resources.files("biofact.sources.igvf.catalog").joinpath("sources.toml").read_text("utf-8"))
GENES_OF_1M_2M = {
    gene["_id"]
    for gene in starter()["genes"]
    if (gene["organism"], gene["chr"]) == ("Homo sapiens", "chr1")
    and gene["start"] < 2_000_000
    and gene["end"] >= 1_000_000
}


def answers(*calls):
    """The answers of the server of this source alone to these calls, and its requests."""

    async def ask():
        async with served(server=partial) as server:
            return [await server.call(tool, arguments) for tool, arguments in calls], list(server.sandbox.requests)

    return virtual_time.run(ask())


def answer(tool, **arguments):
    (answer,), _ = answers((tool, arguments))
    return answer


def tool_body(tool, **arguments):
    tool_answer = answer(tool, **arguments)
    assert not tool_answer.is_failure, tool_answer.text
    return tool_answer.body


@functools.cache
def read(server, uri):
    """The text of a resource, and its type."""

    async def ask():
        async with served(server=SERVERS[server]) as params:
            (content,) = (await params.client.read_resource_mcp(uri)).contents
            return content.text, content.mime_type

    return virtual_time.run(ask())


# Scenario 1: tell me about BRCA1


@requirement("003 S1")
def test_a_symbol_has_place_type_and_hgnc_id():
    gene = tool_body("get_entity", id="BRCA1")

    assert (gene["id"], gene["_type"], gene["category"]) == (BRCA1, "gene", "biolink:Gene")
    assert (gene["chromosome"], gene["start"], gene["end"], gene["strand"]) == ("17", 43044295, 43170245, -1)
    assert (gene["gene_type"], gene["cross_references"]["hgnc"]) == ("protein_coding", "HGNC:1100")


# Scenario 2: what variants affect TP53 expression?


@requirement("003 T3-regulatory", "003 S2")
def test_variants_that_affect_a_gene_come_with_p_values_tissues_and_effects():
    page = tool_body("find_associations", entity_id="TP53", relationship="regulatory")
    rows = {
        (row["subject"], row["context"], row["p_value"], row["effect"])
        for row in page["items"]
        if row["object"] == TP53 and row.get("method") == "eQTL"
    }

    assert rows == {
        ("NC_000017.11:7668433:T:G", "blood", float(f"{10**-14.2:.4g}"), -0.71),
        ("NC_000017.11:7668433:T:G", "brain", float(f"{10**-5.9:.4g}"), -0.55),
        ("NC_000017.11:7676153:G:C", "liver", float(f"{10**-4.6:.4g}"), 0.13),
        ("NC_000017.11:7676153:G:C", "lymphoblastoid cell line", float(f"{10**-3.1:.4g}"), -0.09),
    }


# Scenario 3: what is in a region?


@requirement("003 S3")
def test_at_brca1_s_place_on_grch37_there_is_no_gene_and_the_assembly_is_named():
    contents = tool_body("search_region", region="chr17:41000000-42000000")
    messages = " ".join(notice["message"] for notice in contents["notices"])

    assert contents["assembly_name"] == "GRCh38"
    assert contents["genes"] == contents["variants"] == contents["regulatory_elements"] == []
    assert "GRCh38" in messages
    assert "GRCh37" in messages


@requirement("003 T2-out")
@pytest.mark.parametrize("region", ["chr17:43.04M-43.13M", "17:43,040,000-43,130,000"])
def test_at_brca1_s_place_on_grch38_there_is_brca1(region):
    contents = tool_body("search_region", region=region)

    assert BRCA1 in [gene["id"] for gene in contents["genes"]]
    assert contents["variants"]
    assert contents["regulatory_elements"]


@requirement("003 T2-chr1:1000000-2000000", "003 T2-1:1000000-2000000", "003 T2-commas", "003 T2-1M notation, 1:1M-2M")
@each_of("region", ["chr1:1000000-2000000", "1:1000000-2000000", "chr1:1,000,000-2,000,000", "chr1:1M-2M", "1:1M-2M"])
def test_a_region_may_be_written_in_every_form_of_the_specification(region):
    contents = tool_body("search_region", region=region, include=["genes"])

    assert contents["region"] == "chr1:1000000-2000000"
    assert {gene["id"] for gene in contents["genes"]} == GENES_OF_1M_2M != set()


@requirement("003 D4")
def test_a_region_without_its_colon_is_refused_as_the_specification_says():
    error = answer("search_region", region="chr1-1000-2000").body["error"]

    assert re.search(r"'chr1-1000-2000'.*Expected .*'chr1:1000-2000'.*the colon separates", error["message"])
    assert error["recovery"] == {"tool": "search_region", "arguments": {"region": "chr1:1000-2000"}}


# Scenario 4: convert rs80357906 to SPDI


@requirement("003 T4-out", "003 S4")
def test_an_rsid_resolves_to_its_spdi_and_all_it_is_called():
    resolved = tool_body("resolve_id", id="rs80357906", target_type="spdi")

    assert resolved == {
        "input": "rs80357906",
        "entity_type": "variant",
        "identifiers": {"rsid": "rs80357906", "spdi": DUPLICATION, "hgvs": "NC_000017.11:g.43057065dup"},
        "preferred": DUPLICATION,
    }


# The patterns of identifiers


@requirement(
    "003 T1-ENSG*",
    "003 T1-ENST*",
    "003 T1-ENSP*",
    "003 T1-rs[0-9]+",
    "003 T1-HGNC:*",
    "003 T1-Orphanet_/MONDO_/EFO_",
    "003 T1-PA[0-9]+",
    "003 T1-CPX-*",
    "003 T1-symbol",
    "003 T1-NC_",
    "003 T1-CA",
    "003 T1-out",
)
def test_an_identifier_is_recognized_by_its_pattern():
    tp53_genes = [
        (TP53, "gene", "/genes", "gene_id"),
        ("ENST00000264010", "transcript", "/transcripts", "transcript_id"),
        ("ENSP00000264010", "protein", "/proteins", "protein_id"),
        ("rs58658771", "variant", "/variants", "rsid"),
        ("NC_000020.11:3658947:A:G", "variant", "/variants", "spdi"),
        ("NC_000020.11:g.3658948A>G", "variant", "/variants", "hgvs"),
        ("CA739473472", "variant", "/variants", "ca_id"),
        ("HGNC:1100", "gene", "/genes", "hgnc_id"),
        ("Orphanet_586", "ontology_term", "/ontology-terms", "term_id"),
        ("MONDO_0009861", "ontology_term", "/ontology-terms", "term_id"),
        ("EFO_0004339", "ontology_term", "/ontology-terms", "term_id"),
        ("PA448497", "drug", "/drugs", "drug_id"),
        ("CPX-11", "complex", "/complexes", "complex_id"),
        ("TP53", "gene", "/genes", "name"),
    ]
    answer, requests = answers(*(("get_entity", {"id": entity_id}) for entity_id, *_ in tp53_genes))
    params = zip(tp53_genes, requests, strict=True)

    assert [item.body["_type"] for item in answer] == [kind for _, kind, *_ in tp53_genes]
    assert [item.body for item in answer if not item.body["category"].startswith("biolink:")] == []
    assert [
        (item, request)
        for item, request in params
        if (request.path, dict(request.params).get(item[3])) != (item[2], item[0])
    ] == []


@requirement("003 T1-ontology-id")
def test_terms_are_written_with_a_colon_and_every_entity_has_its_type_and_category():
    answer, _ = answers(
        ("get_entity", {"id": "Orphanet_586"}),
        ("get_entity", {"id": "GCST007798"}),
        ("get_entity", {"id": "R-HSA-164843"}),
        ("find_associations", {"entity_id": "MONDO_0009861", "relationship": "all"}),
        ("find_associations", {"entity_id": "BRCA1", "relationship": "all", "limit": 100}),
        ("search_region", {"region": "chr17:43.04M-43.13M", "include": ["genes", "transcripts", "variants"]}),
    )
    texts = [item.text for item in answer]

    assert [text for text in texts if re.search(r'"(MONDO|Orphanet|EFO|HP|GO|UBERON|CL|DOID)_\d', text)] == []
    assert '"Orphanet:586"' in texts[0]
    entities = [item for kind in ("genes", "transcripts", "variants") for item in answer[-1].body[kind]]
    assert {(entity["_type"], entity["category"]) for entity in entities} == {
        ("gene", "biolink:Gene"),
        ("transcript", "biolink:Transcript"),
        ("variant", "biolink:SequenceVariant"),
    }


# list_sources


@requirement("003 T5-out")
@each_of("category", get_args(Category))
def test_a_category_has_the_sources_that_are_declared_for_it(category):
    (answer,), requests = answers(("list_sources", {"category": category}))

    assert requests == []
    assert answer.body["items"] == sorted(answer.body["items"], key=lambda item: item["name"].casefold())
    assert {item["name"] for item in answer.body["items"]} == {
        name for name, value in SOURCES.items() if category in value["categories"]
    }


def test_all_sources_are_listed_without_a_category_with_what_they_can_be_filtered_by():
    items = {item["name"]: item for item in tool_body("list_sources")["items"]}

    assert items.keys() == SOURCES.keys()
    assert items["OpenTargets"]["methods"] == ["GWAS"]
    assert set(items["EBI"]["methods"]) >= {"eQTL", "spliceQTL"}


# Resources


@pytest.mark.parametrize("uri", URIS)
def test_a_resource_reads_the_same_on_both_servers_but_for_the_names_of_tools(uri):
    text, mime_type = read("alone", uri)
    in_gateway, same_type = read("gateway", uri)

    assert text == re.sub(r"\bigvf_(?=[a-z_]+)", "", in_gateway)
    assert mime_type == same_type
    assert mime_type == URIS[uri]


@requirement("003 RES-gene", "003 RES-variant")
@pytest.mark.parametrize(
    ("kind", "ids"),
    [("gene", ["BRCA1", "Trp53", "p53", "MT-CO1"]), ("variant", ["rs5050", "NC_000067.7:3050705:T:TG"])],
)
def test_a_schema_describes_real_answers_and_names_all_their_fields(kind, ids):
    schema = json.loads(read("alone", f"igvf://schemas/{kind}")[0])
    answer, _ = answers(*(("get_entity", {"id": item}) for item in ids))

    for item in answer:
        Draft202012Validator(schema).validate(item.body)
        assert item.body.keys() <= schema["properties"].keys()


@requirement("003 RES-guide")
def test_every_identifier_of_the_guide_names_something():
    guide = read("alone", "igvf://guide/identifiers")[0]
    cells = [line.split(" | ")[1] for line in guide.splitlines() if line.startswith("| ") and "`" in line]
    text = [item for cell in cells for item in re.findall("`([^`]+)`", cell)]
    answer, _ = answers(*(("get_entity", {"id": item}) for item in text))

    assert len(text) > 25
    assert [item.text for item in answer if item.code not in {"found", "AMBIGUOUS_QUERY"}] == []
    assert [item for item in RELATIONSHIPS if f"**{item}**" not in guide] == []


@requirement("003 RES-examples", "003 layout")
def test_the_queries_are_calls_of_tools_and_cover_each():
    lines = [line for line in read("alone", "igvf://examples/queries")[0].splitlines() if line.startswith("- ")]
    calls = [re.fullmatch(r"- `(\w+)` `(\{.*\})` → (.+)", line) for line in lines]

    assert len(calls) == len(EXAMPLES) >= 25
    assert {call[1] for call in calls} == {
        *("get_entity", "search_region", "find_associations", "search_terms", "resolve_id", "list_sources")
    }
    assert [json.loads(call[2]) for call in calls] == [dict(item.arguments) for item in EXAMPLES]
