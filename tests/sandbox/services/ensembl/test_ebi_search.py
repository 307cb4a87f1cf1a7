"""The stand-in for EBI Search: its query language, its order, its shape compared with the recording."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biofact.sandbox.recordings import ReplayingStandIn
from biofact.sandbox.services.ensembl.search import (
    AllOf,
    AnyOf,
    EbiSearchStandIn,
    Exclude,
    PhraseClause,
    QueryError,
    TaxonClause,
    parsed,
)
from biofact.sandbox.services.ensembl.standin import stand_ins
from biofact.sandbox.standin import LimitedStandIn, ServiceRequest
from tests.recordings import needs_recordings, recording
from tests.sandbox.few_genes import few_and_all
from tests.sandbox.services.ensembl.made_genes import gene, genes, transcript, xref

pytestmark = pytest.mark.quick

FIELDS = "id,name,description,gene_name,gene_synonym,transcript_count,species"
TNF = gene(
    "ENSG01",
    "TNF",
    xref("HGNC", "HGNC:11892", "TNF"),
    description="tumor necrosis factor [Source:HGNC Symbol;Acc:HGNC:11892]",
    synonyms=["TNF-alpha", "TNFA", "DIF"],
)
GENES = genes(
    TNF,
    gene("ENSMUSG01", "Tnf", species="mus_musculus", description="tumor necrosis factor"),
    gene("ENSG02", "LTA", description="lymphotoxin alpha", synonyms=["TNF-beta", "TNFB"]),
    gene("ENSG03", "NKX2-5", description="NK2 homeobox 5"),
    gene("ENSG04", "TNFRSF1A", description="TNF receptor superfamily member 1A"),
    gene("ENSG05", "NECAB1", description="factor of tumor cells"),
    gene("ENSG06"),
    transcripts=[transcript("ENST01", "ENSG01")],
)


def status_and_document(
    path: str = "/ensembl_gene", standin: EbiSearchStandIn | None = None, **params: str
) -> tuple[int, Any]:
    reply = (standin or EbiSearchStandIn(GENES)).reply(ServiceRequest("GET", path, tuple(params.items())))
    assert reply is not None
    assert isinstance(reply.body, bytes)
    return reply.status, json.loads(reply.body)


def matching_ids(query: str, standin: EbiSearchStandIn | None = None, **params: str) -> list[str]:
    """IDs in the order of the answer."""
    status, document = status_and_document(standin=standin, query=query, **params)
    assert status == 200, document
    return [entry["id"] for entry in document["entries"]]


# the query language


RESULT = [
    ("tnf", {"ENSG01", "ENSG02", "ENSG04", "ENSMUSG01"}),
    ("TNF LTA", {"ENSG02"}),
    ("tnf AND lta", {"ENSG02"}),
    ("nkx2 OR lta", {"ENSG02", "ENSG03"}),
    ("tnf NOT alpha", {"ENSG04", "ENSMUSG01"}),
    ("tnf AND NOT alpha", {"ENSG04", "ENSMUSG01"}),
    ("tnf -alpha", {"ENSG04", "ENSMUSG01"}),
    ("NOT tnf", {"ENSG03", "ENSG05", "ENSG06"}),
    # AND before OR: lta, or both of tumor and tnf
    ("lta OR tumor AND tnf", {"ENSG01", "ENSG02", "ENSMUSG01"}),
    ("(lta OR tumor) AND tnf", {"ENSG01", "ENSG02", "ENSMUSG01"}),
    ("(lta OR tumor) AND cells", {"ENSG05"}),
    ("lta OR tumor AND cells", {"ENSG02", "ENSG05"}),
    # NOT before AND, before OR
    ("NOT tnf OR lta", {"ENSG02", "ENSG03", "ENSG05", "ENSG06"}),
    ("NOT (tnf OR nkx2)", {"ENSG05", "ENSG06"}),
    ('"tumor necrosis"', {"ENSG01", "ENSMUSG01"}),
    ('"necrosis tumor"', set()),
    ("tumor factor", {"ENSG01", "ENSMUSG01", "ENSG05"}),
    ('"TNF-alpha"', {"ENSG01"}),
    ("TNF-alpha", {"ENSG01"}),
    ("nkx2.5", {"ENSG03"}),
    ("NKX2-5", {"ENSG03"}),
    ("tnf*", {"ENSG01", "ENSG02", "ENSG04", "ENSMUSG01"}),
    ("tnfr*", {"ENSG04"}),
    ("tnf?", {"ENSG01", "ENSG02"}),
    ("t?f", {"ENSG01", "ENSG02", "ENSG04", "ENSMUSG01"}),
    ("TNF*1A", {"ENSG04"}),
    ("TNF-al*", {"ENSG01"}),
    ("TAXONOMY:10090", {"ENSMUSG01"}),
    ("tnf AND taxonomy:9606", {"ENSG01", "ENSG02", "ENSG04"}),
    ('tnf TAXONOMY:"10090"', {"ENSMUSG01"}),
    ("tnf TAXONOMY:7955", set()),
    ("tnf -TAXONOMY:9606", {"ENSMUSG01"}),
    ("ensg03", {"ENSG03"}),
    ("mus musculus", {"ENSMUSG01"}),
    ("tnf & -", {"ENSG01", "ENSG02", "ENSG04", "ENSMUSG01"}),
    ("nothing", set()),
    ("and", set()),
]


def test_a_query_finds_what_it_says(subtests: pytest.Subtests) -> None:
    for query, ids in RESULT:
        with subtests.test(query=query):
            assert set(matching_ids(query)) == ids


def test_a_phrase_does_not_span_two_values() -> None:
    assert matching_ids('"alpha tnfa"') == []
    assert matching_ids('"homeobox homo"') == []


def test_operators_bind_in_order(subtests: pytest.Subtests) -> None:
    cases = [
        ("a b OR c", AnyOf((AllOf((PhraseClause(("a",)), PhraseClause(("b",)))), PhraseClause(("c",))))),
        ("a AND NOT b", AllOf((PhraseClause(("a",)), Exclude(PhraseClause(("b",)))))),
        ("NOT NOT a", Exclude(Exclude(PhraseClause(("a",))))),
        ("NOT a b", AllOf((Exclude(PhraseClause(("a",))), PhraseClause(("b",))))),
        ("a (b OR -c)", AllOf((PhraseClause(("a",)), AnyOf((PhraseClause(("b",)), Exclude(PhraseClause(("c",)))))))),
        ("taxonomy:9606 or", AllOf((TaxonClause(9606), PhraseClause(("or",))))),
    ]
    for query, node in cases:
        with subtests.test(query=query):
            assert parsed(query) == node


UNREADABLE = [
    *("", " ", "(", ")", "()", "(tnf", "tnf)", "((tnf)", '"tnf', 'tnf "'),
    *("AND tnf", "tnf AND", "tnf OR", "NOT", "tnf AND OR lta", "OR", "tnf OR OR lta"),
    *("*", "*tnf", "?nf", "tnf-*", "name:tnf", "species:human", "id:ENSG01", "HGNC:11892"),
    *("TAXONOMY:human", "TAXONOMY:", "TAXONOMY:(9606)", "tnf[sym]", "tnf~", "tnf^2", "tnf\\", "{tnf}"),
    "(" * 2000 + "tnf" + ")" * 2000,
    "-" * 5000 + "tnf",
]


def test_an_unreadable_query_is_refused(subtests: pytest.Subtests) -> None:
    for query in UNREADABLE:
        with subtests.test(query=query):
            with pytest.raises(QueryError):
                parsed(query)

            status, document = status_and_document(query=query)

            assert status == 400
            assert document["error"].startswith("The query cannot be read")


# order


def test_rarer_words_and_shorter_fields_weigh_more() -> None:
    # of a symbol alone, then of a long list of synonyms and a long description
    assert matching_ids("tnf")[:2] == ["ENSG01", "ENSMUSG01"]
    assert matching_ids("tnf")[-2:] == ["ENSG02", "ENSG04"]
    # lymphotoxin stands in one gene, tumor in three
    assert matching_ids("tumor OR lymphotoxin")[0] == "ENSG02"


def test_ties_are_in_the_order_of_ids() -> None:
    assert matching_ids("TAXONOMY:9606") == ["ENSG01", "ENSG02", "ENSG03", "ENSG04", "ENSG05", "ENSG06"]


def test_the_order_knows_no_organisms() -> None:
    mouse_first = genes(gene("ENSA", "Abc", species="mus_musculus"), gene("ENSB", "ABC"))

    assert matching_ids("abc", EbiSearchStandIn(mouse_first)) == ["ENSA", "ENSB"]


# pages, fields, shapes


def test_an_entry_has_the_recorded_shape() -> None:
    payload = json.loads(recording("ensembl/ebisearch_ensembl_gene_query_melanoma.json"))

    _, own_values = status_and_document(query="dif", fields=FIELDS, format="json")

    assert list(own_values) == list(payload)
    assert list(own_values["entries"][0]) == list(payload["entries"][0])
    assert list(own_values["entries"][0]["fields"]) == list(payload["entries"][0]["fields"])
    assert own_values["entries"][0]["source"] == payload["entries"][0]["source"]
    assert own_values["facets"] == payload["facets"] == []
    assert own_values["hitCount"] == 1


def test_every_field_is_a_list() -> None:
    _, document = status_and_document(query="dif", fields=FIELDS)

    assert document["entries"][0]["fields"] == {
        "id": ["ENSG01"],
        "name": ["ENSG01 (HGNC: TNF)"],
        "description": ["tumor necrosis factor [Source:HGNC Symbol;Acc:HGNC:11892]"],
        "gene_name": ["TNF"],
        "gene_synonym": ["TNF-alpha", "TNFA", "DIF"],
        "transcript_count": ["1"],
        "species": ["Homo sapiens"],
    }


def test_without_fields_only_id_and_source_are_reported() -> None:
    assert status_and_document(query="dif")[1]["entries"] == [{"id": "ENSG01", "source": "ensembl_gene"}]
    assert status_and_document(query="dif", fields="species")[1]["entries"][0]["fields"] == {
        "species": ["Homo sapiens"]
    }


def test_pages_report_the_number_of_all_hits() -> None:
    large = [gene(f"ENSG{number:03}", "SAME") for number in range(120)]
    standin = EbiSearchStandIn(genes(*large))

    assert len(matching_ids("same", standin)) == 15
    assert matching_ids("same", standin, size="100", start="90") == [f"ENSG{number:03}" for number in range(90, 120)]
    assert matching_ids("same", standin, size="0") == []
    assert status_and_document(standin=standin, query="same", size="0")[1]["hitCount"] == 120


def test_parameters_out_of_range_or_unknown_are_refused(subtests: pytest.Subtests) -> None:
    cases = [
        *({"size": "101"}, {"size": "-1"}, {"size": "many"}, {"start": "1000001"}, {"start": "x"}),
        *({"fields": "gene_nam"}, {"format": "xml"}, {"queri": "tnf"}, {"sort": "id"}),
    ]
    for params in cases:
        with subtests.test(params=params):
            status, document = status_and_document(**{"query": "tnf", **params})

            assert status == 400
            assert document["error"]


def test_without_a_query_the_domain_is_described() -> None:
    _, document = status_and_document(format="json")

    assert document["domains"][0]["id"] == "ensembl_gene"
    assert {field["id"] for field in document["domains"][0]["fieldInfos"]} == {*FIELDS.split(","), "TAXONOMY"}


def test_entries_are_fetched_by_id() -> None:
    _, document = status_and_document("/ensembl_gene/entry/ENSG03,ENSG99,ENSG01", fields="gene_name")

    assert [(entry["id"], entry["fields"]["gene_name"]) for entry in document["entries"]] == [
        ("ENSG03", ["NKX2-5"]),
        ("ENSG01", ["TNF"]),
    ]
    assert status_and_document("/ensembl_gene/entry/ENSG01", query="x")[0] == 400


def test_other_domains_and_methods_are_not_served() -> None:
    standin = EbiSearchStandIn(GENES)
    reply = standin.reply(ServiceRequest("POST", "/ensembl_gene", (("query", "tnf"),)))

    assert standin.reply(ServiceRequest("GET", "/ensembl_transcript", (("query", "tnf"),))) is None
    assert reply is not None
    assert reply.status == 405


def test_the_sandbox_has_no_limit_and_replays_nothing() -> None:
    standin = EbiSearchStandIn(GENES)

    assert not isinstance(standin, LimitedStandIn | ReplayingStandIn)


@needs_recordings
@few_and_all
def test_the_recorded_genes_are_found_by_their_words(recorded_genes: Callable[[], Path]) -> None:
    standin = stand_ins(recorded_genes())[1]
    assert isinstance(standin, EbiSearchStandIn)

    assert matching_ids("BRCA1", standin)[:2] == ["ENSG00000012048", "ENSMUSG00000017146"]
    assert matching_ids('"sonic hedgehog signaling molecule" AND TAXONOMY:9606', standin)[0] == "ENSG00000164690"
    assert "ENSG00000141510" in matching_ids("tumor protein p53 TAXONOMY:9606", standin)
    assert all(uid.startswith("ENSDARG") for uid in matching_ids("catalase TAXONOMY:7955", standin))
