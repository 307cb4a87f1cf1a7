"""The requests that the stand-in refuses, with the messages of recorded calls."""

import csv
import functools
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from biofact.sandbox.standin import ServiceRequest
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.service import IGVF, error_words
from biofact.transport.service import Answer
from tests.each_of import each_of
from tests.recordings import needs_recordings, recording
from tests.sources.igvf.made_catalog import BRCA1, FIRST, made_stand_in, status_and_document

pytestmark = pytest.mark.quick

AUDITS = (
    "igvf/audit_20260513_164629_400_bodies.tsv",
    "igvf/audit_20260617_100508_400_bodies.tsv",
    "igvf/audit_latest_400_enriched.tsv",
)
"""Tables of recorded calls, the oldest first: a later row of the same call counts."""
VARIANT_NEEDS = "At least one of these properties must be defined: spdi, hgvs, rsid, ca_id, variant_id, region"

Call = tuple[str, tuple[tuple[str, str], ...]]


@functools.cache
def audited() -> Mapping[Call, tuple[str, str]]:
    """Status and notes of every recorded call whose parameters exist today."""
    usual_limit = csv.field_size_limit(10**7)  # of the whole process
    result: dict[Call, tuple[str, str]] = {}
    for name in AUDITS:
        for row in csv.DictReader(io.StringIO(recording(name).decode()), delimiter="\t"):
            path, params = row["endpoint"], tuple(parse_qsl(urlsplit(row["url"]).query, keep_blank_values=True))
            if path in endpoints() and all(name in endpoints()[path].parameters for name, _ in params):
                result[path, params] = (row["http_status"], row["notes"])
    csv.field_size_limit(usual_limit)
    return result


def with_status(status: str) -> Iterator[tuple[Call, str]]:
    return ((call, notes) for call, (code, notes) in audited().items() if code == status and notes[:1] in {"{", ""})


def essence(body: Mapping[str, Any]) -> Any:
    """A refusal without the lists of valid values, which have grown since."""
    issues = [(issue["code"], issue["path"], issue["received"]) for issue in body.get("issues", ())]
    return body["message"], body["code"], issues


@needs_recordings
def test_recorded_refusals_are_given_word_for_word() -> None:
    status = dict(with_status("400"))

    for (path, params), notes in status.items():
        reply = made_stand_in().reply(ServiceRequest("GET", path, params))
        assert isinstance(reply.body, bytes)
        assert (reply.status, essence(json.loads(reply.body))) == (400, essence(json.loads(notes))), (path, params)
    assert len(status) > 100


@needs_recordings
def test_recorded_refusals_of_a_value_name_the_valid_ones() -> None:
    payloads = {call: json.loads(notes) for call, notes in with_status("400")}
    repeat = []
    for (path, params), body in payloads.items():
        reply = made_stand_in().reply(ServiceRequest("GET", path, params))
        assert isinstance(reply.body, bytes)
        if "issues" in body and json.loads(reply.body) == body:
            repeat.append(path)

    assert {"/variants/genes", "/genes/genes", "/proteins/variants", "/genomic-elements", "/variants/freq"} <= set(
        repeat
    )


@needs_recordings
def test_the_last_answered_calls_are_not_refused() -> None:
    """The newest recorded calls are answered; the sandbox has no facts for endpoints that no tool asks."""
    newest = {call for call, _ in with_status("200")}
    last = csv.DictReader(io.StringIO(recording(AUDITS[-1]).decode()), delimiter="\t")
    pairs = {(row["endpoint"], tuple(parse_qsl(urlsplit(row["url"]).query))) for row in last} & newest

    for path, params in pairs:
        status = made_stand_in().reply(ServiceRequest("GET", path, params)).status
        assert status == (404 if endpoints()[path].unused_reason else 200), (path, params)
    assert len(pairs) > 100


@each_of(
    ("question", "status", "words"),
    [
        ("/genes?gene_name=BRCA1", 400, "/genes has no parameter 'gene_name'; the real service would ignore it."),
        ("/genes?name=A&name=B", 400, "/genes is given name twice; the sandbox takes each parameter once."),
        ("/nothing", 404, "Not found"),
        ("/genes/ENSG00000012048", 404, "Not found"),
        ("/enhancer-gene-predictions?gene_name=A", 404, "The sandbox has no /enhancer-gene-predictions: the same rows"),
        ("/ontology-terms/GO_1/parents", 404, "The sandbox has no /ontology-terms/{ontology_term_id}/parents: hier"),
        ("/variants", 400, VARIANT_NEEDS),
        ("/drugs", 400, "Either drug_id or name must be defined."),
        ("/coding-variants/phenotypes?amino_acid_position=-1", 400, "At least one coding variant property is requ"),
        ("/qtls?gene_id=A&rsid=rs1", 400, "You cannot define both gene and variant inputs."),
        ("/genes-structure?gene_id=A&protein_id=B", 400, "Please provide parameters from only one of the four"),
        ("/studies", 500, "Internal server error"),
        ("/genomic-elements", 500, "Internal server error"),
        ("/genomic-elements?organism=Mus musculus", 500, "Internal server error"),
        ("/diseases/variants?disease_name=Alzheimer's", 500, "Internal server error"),
        ('/genes?name="BRCA1"', 500, "Internal server error"),
        ("/genes?name=BRCA1\\", 500, "Internal server error"),
        ("/genes?page=-1", 500, "Internal server error"),
        ("/variants/predictions?spdi=NC_000001.11:5:A:C", 404, "Variant not found."),
        ("/variants/genomic-elements/genes?spdi=NC_000001.11:5:A:C", 404, "Variant not found."),
        (f"/genes/variants?gene_id={BRCA1}&neg_log10_pvalue=5:6", 400, "neg_log10_pvalue must be a query range using"),
        (f"/genes/genes?gene_id={BRCA1}&z_score=eq:1", 400, "z_score must be a query range using: gte, lte, gt, or"),
        (f"/variants/phenotypes?spdi={FIRST}&neg_log10_pvalue=low", 400, "neg_log10_pvalue must be a number or a str"),
    ],
)
def test_refusals_have_their_words(question: str, status: int, words: str) -> None:
    code, body = status_and_document(question)

    assert (code, body["message"][: len(words)]) == (status, words)
    assert body["code"] == {400: "BAD_REQUEST", 404: "NOT_FOUND", 500: "INTERNAL_SERVER_ERROR"}[status]


@each_of(
    ("path", "region", "words"),
    [
        ("/genes", "17:1-2", "Region format invalid."),
        ("/genes", "chr17:1,000-2,000", "Region format invalid."),
        ("/genes", "chr17:1M-2M", "Region format invalid."),
        ("/genes", "chr17:5-5", "Region format invalid."),
        ("/variants", "chr17:9-5", "Region format invalid."),
        ("/genes", "chr17:1-20000000", None),
        ("/variants", "chr17:1-20000000", "Region span exceeds 10kb."),
        ("/genomic-elements/genes", "chr17:1-20000000", "Region span exceeds 10kb."),
        ("/variants/nearest-genes", "chr17:1-20000000", "Region span exceeds 10kb."),
        ("/variants/genes", "chr17:0-10000", None),
        ("/variants/genes", "chr17:0-10001", "Region span exceeds 10kb."),
        ("/variants/variant-ld", "chr17:0-10001", "Region span exceeds 10kb."),
        ("/variants/region-summary", "chr17:0-10001", "Region span exceeds 10kb."),
        ("/qtls", "chr17:0-10001", "Region span exceeds 10kb."),
        ("/variants/gnomad-alleles", "chr17:0-1001", "Region span exceeds 1kb."),
    ],
)
def test_regions_are_checked(path: str, region: str, words: str | None) -> None:
    status, document = status_and_document(f"{path}?region={region}")

    if words is None:
        assert status == 200
    else:
        assert (status, document["message"][: len(words)]) == (400, words)


def test_every_wrong_parameter_is_named() -> None:
    status, body = status_and_document("/variants/freq?source=mine&minimum_af=low&organism=human&region=chr1:1-2")

    assert (status, body["message"]) == (400, "Input validation failed")
    assert [(issue["path"], issue["code"]) for issue in body["issues"]] == [
        (["source"], "invalid_enum_value"),
        (["minimum_af"], "invalid_type"),
        (["organism"], "invalid_enum_value"),
    ]


def test_a_request_that_is_no_get_is_not_found() -> None:
    assert made_stand_in().reply(ServiceRequest("POST", "/genes", ())).status == 404


def test_refusals_read_as_such() -> None:
    reply = made_stand_in().reply(ServiceRequest("GET", "/variants", ()))
    assert isinstance(reply.body, bytes)

    assert IGVF.judge(Answer(reply.status, {}, reply.body, "/api/variants")) == "refused"
    assert error_words(reply.body) == VARIANT_NEEDS
