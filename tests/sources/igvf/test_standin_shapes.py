"""Every reply of the stand-in has the form of the service's contract."""

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
from tests.sources.igvf.catalog_rows import CatalogPart, starter, starter_edges

pytestmark = pytest.mark.quick

ROWS = starter()
ASSOCIATIONS = [endpoint for endpoint in endpoints().values() if endpoint.edge and not endpoint.unused_reason]


def span(row: dict[str, Any]) -> str:
    return f"{row['chr']}:{row['start']}-{row['end']}"


RECORDS = {
    "/genes": [{"gene_id": gene["_id"]} for gene in ROWS["genes"]],
    "/transcripts": [{"transcript_id": transcript["_id"]} for transcript in ROWS["transcripts"]],
    "/proteins": [{"protein_id": protein["_id"]} for protein in ROWS["proteins"]],
    "/variants": [{"spdi": variant["spdi"]} for variant in ROWS["variants"]],
    "/variants/freq": [
        {"source": "gnomad_af_total", "spdi": variant["spdi"]}
        for variant in ROWS["variants"]
        if len(variant["annotations"]) > 1
    ],
    "/coding-variants": [{"id": coding_variant["_id"]} for coding_variant in ROWS["coding_variants"]],
    "/ontology-terms": [{"term_id": ontology_term["term_id"]} for ontology_term in ROWS["ontology_terms"]],
    "/drugs": [{"drug_id": drug["_id"]} for drug in ROWS["drugs"]],
    "/complexes": [{"complex_id": item["_id"]} for item in ROWS["complexes"]],
    "/studies": [{"study_id": study["_id"]} for study in ROWS["studies"]],
    "/pathways": [{"id": pathway["_id"]} for pathway in ROWS["pathways"]],
    "/motifs": [{"tf_name": motif["tf_name"]} for motif in ROWS["motifs"]],
    "/genomic-elements": [{"region": span(genomic_element)} for genomic_element in ROWS["genomic_elements"]],
    "/files-filesets": [{"file_fileset_id": files_fileset["_id"]} for files_fileset in ROWS["files_filesets"]],
    "/variants/region-summary": [{"region": "chr17:43044294-43054294"}, {"region": "chr1:1-2"}],
}


@functools.cache
def stand_in() -> IgvfStandIn:
    return IgvfStandIn(ROWS)


def as_json_schema(schema: Any) -> Any:
    """OpenAPI 3.0 has ``nullable`` where JSON Schema has a type null."""
    if isinstance(schema, list):
        return [as_json_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: as_json_schema(value) for name, value in schema.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") else plain


@functools.cache
def validator(path: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(as_json_schema(contract.answer(path)))


def status_and_document(path: str, params: dict[str, str]) -> tuple[int, Any]:
    reply = stand_in().reply(ServiceRequest("GET", path, tuple(params.items())))
    assert isinstance(reply.body, bytes)
    return reply.status, json.loads(reply.body)


def params_from(endpoint: Endpoint, start: Start, limit: int) -> Iterator[dict[str, str]]:
    """The requests that start at the ends of every edge, each once; of many no more than ``most``."""
    if endpoint.edge == "place_gene":
        yield from ({"region": region} for region in ("chr17:43044294-43045294", "chr1:1157520-1158189"))
    own_edges = [edge for edge in starter_edges() if edge.collection == endpoint.edge]
    values = sorted({value for edge in own_edges for value in starting_at(start, edge)})
    is_rarely_joined = start.kind == "variant" and edges()[endpoint.edge].subject.kind == "element"
    for value in values if is_rarely_joined else values[:: -(-len(values) // limit) or 1]:
        if not start.enumerated_parameter:
            yield {start.parameter: value}
        yield from (
            {start.parameter: value, start.enumerated_parameter: item}
            for item in endpoint.parameters.get(start.enumerated_parameter, ())
        )


def starting_at(start: Start, edge: CatalogPart) -> Iterator[str]:
    text = edges()[edge.collection]
    ends = {text.subject.kind: edge.subject, text.object.kind: edge.object}
    if start.kind == "region":
        (variant,) = (variant for variant in ROWS["variants"] if variant["_id"] == edge.subject)
        yield f"{variant['chr']}:{variant['pos']}-{variant['pos'] + 1}"
    elif start.parameter == "region":
        yield from (
            span(genomic_element)
            for genomic_element in ROWS["genomic_elements"]
            if genomic_element["_id"] in {edge.subject, edge.object}
        )
    elif start.parameter == "tf_name":
        yield from (motif["tf_name"] for motif in ROWS["motifs"] if motif["name"] == edge.object)
    elif start.kind == "term" and start.value == "name":
        yield from (
            ontology_term["name"] for ontology_term in ROWS["ontology_terms"] if ontology_term["term_id"] == edge.object
        )
    elif start.kind == "variant" and text.subject.kind == "element":
        yield from (variant["spdi"] for variant in ROWS["variants"])
    elif start.parameter == "biosample_term":
        yield str(edge.values.get("biosample_term", "")).removeprefix("ontology_terms/")
    elif start.parameter == "response_gene_id":
        yield edge.object
    elif start.kind == text.subject.kind:
        yield edge.subject
    else:
        yield ends[start.kind]


def documents_of(endpoint: Endpoint, params: dict[str, str], verbose: str) -> Iterator[Any]:
    """The answers to a request, for every organism; a variant that does not exist is refused."""
    species = endpoint.parameters.get("organism", ("",))
    for organism in species:
        options = {"verbose": verbose, "organism": organism}
        values = {name: value for name, value in options.items() if name in endpoint.parameters}
        status, document = status_and_document(endpoint.path, {**params, **values})
        if status == 200:
            yield document
        else:
            assert document["message"] == "Variant not found."


pairs = [
    (item, verbose)
    for item in ASSOCIATIONS
    for verbose in (("true", "false") if "verbose" in item.parameters else ("",))
]


@needs_recordings
@pytest.mark.parametrize(
    "limit", [pytest.param(10, marks=pytest.mark.quick), pytest.param(1000, marks=pytest.mark.sweep)]
)
@each_of(("endpoint", "verbose"), pairs)
def test_associations_have_the_form_of_the_contract(endpoint: Endpoint, verbose: str, limit: int) -> None:
    """The replies for every kind of start of every edge, none without rows."""
    for start in endpoint.starts:
        documents = [
            document
            for params in params_from(endpoint, start, limit)
            for document in documents_of(endpoint, params, verbose)
        ]

        for document in documents:
            validator(endpoint.path).validate(document)
        assert any(documents), f"{endpoint.path} by {start.parameter}"


@needs_recordings
@each_of("path", RECORDS)
def test_records_have_the_form_of_the_contract(path: str) -> None:
    rows = 0
    for params in RECORDS[path]:
        for organism in ("Homo sapiens", "Mus musculus"):
            message = {"organism": organism} if organism in endpoints()[path].parameters.get("organism", ()) else {}
            status, document = status_and_document(path, {**params, **message})
            validator(path).validate(document)
            rows += len(document)
            assert status == 200
    assert rows


def test_every_endpoint_of_records_is_asked() -> None:
    assert set(RECORDS) == {
        endpoint.path for endpoint in endpoints().values() if endpoint.record and not endpoint.unused_reason
    }


def test_every_parameter_of_an_endpoint_of_records_finds_rows_somehow() -> None:
    other_place = {"page", "limit", "region", "source", "minimum_af", "maximum_af"}
    for endpoint in endpoints().values():
        if endpoint.record in COLLECTION_OF and not endpoint.unused_reason:
            collection = COLLECTIONS[COLLECTION_OF[endpoint.record]]
            assert set(endpoint.parameters) - other_place <= {*collection.filters, *collection.texts, "organism"}, (
                endpoint.path
            )
