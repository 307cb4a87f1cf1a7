"""Every reply of the stand-in has the form that the service's contract gives it."""

import functools
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from biofact.sandbox.services.igvf.corpus import COLLECTION_OF, COLLECTIONS
from biofact.sandbox.services.igvf.standin import IgvfStandIn
from biofact.sandbox.standin import ServiceRequest
from biofact.sources.igvf.catalog import Endpoint, Start, edges, endpoints
from tests.each_of import each_of
from tests.recordings import needs_recordings
from tests.sources.igvf import contract
from tests.sources.igvf.catalog_rows import Made, starter, starter_edges

pytestmark = pytest.mark.quick

ROWS = starter()
ASSOCIATIONS = [one for one in endpoints().values() if one.edge and not one.why]


def span(row: dict[str, Any]) -> str:
    return f"{row['chr']}:{row['start']}-{row['end']}"


RECORDS = {
    "/genes": [{"gene_id": one["_id"]} for one in ROWS["genes"]],
    "/transcripts": [{"transcript_id": one["_id"]} for one in ROWS["transcripts"]],
    "/proteins": [{"protein_id": one["_id"]} for one in ROWS["proteins"]],
    "/variants": [{"spdi": one["spdi"]} for one in ROWS["variants"]],
    "/variants/freq": [
        {"source": "gnomad_af_total", "spdi": one["spdi"]} for one in ROWS["variants"] if len(one["annotations"]) > 1
    ],
    "/coding-variants": [{"id": one["_id"]} for one in ROWS["coding_variants"]],
    "/ontology-terms": [{"term_id": one["term_id"]} for one in ROWS["ontology_terms"]],
    "/drugs": [{"drug_id": one["_id"]} for one in ROWS["drugs"]],
    "/complexes": [{"complex_id": one["_id"]} for one in ROWS["complexes"]],
    "/studies": [{"study_id": one["_id"]} for one in ROWS["studies"]],
    "/pathways": [{"id": one["_id"]} for one in ROWS["pathways"]],
    "/motifs": [{"tf_name": one["tf_name"]} for one in ROWS["motifs"]],
    "/genomic-elements": [{"region": span(one)} for one in ROWS["genomic_elements"]],
    "/files-filesets": [{"file_fileset_id": one["_id"]} for one in ROWS["files_filesets"]],
    "/variants/region-summary": [{"region": "chr17:43044294-43054294"}, {"region": "chr1:1-2"}],
}


@functools.cache
def stand_in() -> IgvfStandIn:
    return IgvfStandIn(ROWS)


def as_json_schema(schema: Any) -> Any:
    """OpenAPI 3.0 says ``nullable`` where JSON Schema has a type null."""
    if isinstance(schema, list):
        return [as_json_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: as_json_schema(value) for name, value in schema.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") else plain


@functools.cache
def validator(path: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(as_json_schema(contract.answer(path)))


def answered(path: str, params: dict[str, str]) -> tuple[int, Any]:
    reply = stand_in().reply(ServiceRequest("GET", path, tuple(params.items())))
    assert isinstance(reply.body, bytes)
    return reply.status, json.loads(reply.body)


def asked_from(endpoint: Endpoint, start: Start, most: int) -> Iterator[dict[str, str]]:
    """The requests that start at the ends of every edge there is, each once; of many no more than ``most``."""
    if endpoint.edge == "place_gene":
        yield from ({"region": region} for region in ("chr17:43044294-43045294", "chr1:1157520-1158189"))
    mine = [edge for edge in starter_edges() if edge.collection == endpoint.edge]
    values = sorted({value for edge in mine for value in starting_at(start, edge)})
    is_rarely_joined = start.kind == "variant" and edges()[endpoint.edge].subject.kind == "element"
    for value in values if is_rarely_joined else values[:: -(-len(values) // most) or 1]:
        if not start.each:
            yield {start.by: value}
        yield from ({start.by: value, start.each: each} for each in endpoint.parameters.get(start.each, ()))


def starting_at(start: Start, edge: Made) -> Iterator[str]:
    joined = edges()[edge.collection]
    ends = {joined.subject.kind: edge.subject, joined.object.kind: edge.object}
    if start.kind == "region":
        (variant,) = (one for one in ROWS["variants"] if one["_id"] == edge.subject)
        yield f"{variant['chr']}:{variant['pos']}-{variant['pos'] + 1}"
    elif start.by == "region":
        yield from (span(one) for one in ROWS["genomic_elements"] if one["_id"] in {edge.subject, edge.object})
    elif start.by == "tf_name":
        yield from (one["tf_name"] for one in ROWS["motifs"] if one["name"] == edge.object)
    elif start.kind == "term" and start.value == "name":
        yield from (one["name"] for one in ROWS["ontology_terms"] if one["term_id"] == edge.object)
    elif start.kind == "variant" and joined.subject.kind == "element":
        yield from (one["spdi"] for one in ROWS["variants"])
    elif start.by == "biosample_term":
        yield str(edge.values.get("biosample_term", "")).removeprefix("ontology_terms/")
    elif start.by == "response_gene_id":
        yield edge.object
    elif start.kind == joined.subject.kind:
        yield edge.subject
    else:
        yield ends[start.kind]


def found(endpoint: Endpoint, params: dict[str, str], verbose: str) -> Iterator[Any]:
    """What answers a request, of every organism; a variant that there is not is refused."""
    species = endpoint.parameters.get("organism", ("",))
    for organism in species:
        more = {"verbose": verbose, "organism": organism}
        told = {name: value for name, value in more.items() if name in endpoint.parameters}
        status, document = answered(endpoint.path, {**params, **told})
        if status == 200:
            yield document
        else:
            assert document["message"] == "Variant not found."


ASKED = [
    (one, verbose) for one in ASSOCIATIONS for verbose in (("true", "false") if "verbose" in one.parameters else ("",))
]


@needs_recordings
@pytest.mark.parametrize(
    "most", [pytest.param(10, marks=pytest.mark.quick), pytest.param(1000, marks=pytest.mark.sweep)]
)
@each_of(("endpoint", "verbose"), ASKED)
def test_associations_have_the_form_of_the_contract(endpoint: Endpoint, verbose: str, most: int) -> None:
    """From every kind of start of every edge, and there are rows at all."""
    for start in endpoint.starts:
        documents = [
            document for params in asked_from(endpoint, start, most) for document in found(endpoint, params, verbose)
        ]

        for document in documents:
            validator(endpoint.path).validate(document)
        assert any(documents), f"{endpoint.path} by {start.by}"


@needs_recordings
@each_of("path", RECORDS)
def test_records_have_the_form_of_the_contract(path: str) -> None:
    rows = 0
    for params in RECORDS[path]:
        for organism in ("Homo sapiens", "Mus musculus"):
            told = {"organism": organism} if organism in endpoints()[path].parameters.get("organism", ()) else {}
            status, document = answered(path, {**params, **told})
            validator(path).validate(document)
            rows += len(document)
            assert status == 200
    assert rows


def test_every_endpoint_of_records_is_asked() -> None:
    assert set(RECORDS) == {one.path for one in endpoints().values() if one.record and not one.why}


def test_every_parameter_of_an_endpoint_of_records_finds_rows_somehow() -> None:
    elsewhere = {"page", "limit", "region", "source", "minimum_af", "maximum_af"}
    for endpoint in endpoints().values():
        if endpoint.record in COLLECTION_OF and not endpoint.why:
            declared = COLLECTIONS[COLLECTION_OF[endpoint.record]]
            assert set(endpoint.parameters) - elsewhere <= {*declared.filters, *declared.texts, "organism"}, (
                endpoint.path
            )
