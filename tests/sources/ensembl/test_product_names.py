"""Transcripts and proteins of many names: by stable ID, by RefSeq's and UniProt's accessions, and their requests."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.xrefs import uniprot_curie
from biofact.sandbox import Fault
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.identifiers import stable_id_of_kind
from biofact.sources.ensembl.names import REFSEQ_TRANSCRIPT
from tests.each_of import each_of
from tests.recordings import recording
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

TP53, TRANSCRIPT, PROTEIN = "ENSG00000141510", "ENST00000269305", "ENSP00000269305"


def run_lookup(method, *names, organism="human", faults=()):
    """The matches, and the paths that were requested."""

    async def find(ensembl, sandbox):
        result = await getattr(ensembl, method)(names, organism)
        return result, [request.path for request in sandbox.requests]

    return on_sandbox("ensembl", find, *faults)


@each_of("name", [TRANSCRIPT, f"{TRANSCRIPT}.9", f"{TRANSCRIPT}.4", TRANSCRIPT.lower()])
def test_a_transcript_is_found_by_its_id_with_any_version(name):
    result, requests = run_lookup("transcripts_named", name)
    (transcript,) = result.entities[name]

    assert (transcript.id, transcript.label, transcript.product_of) == (f"{TRANSCRIPT}.9", "TP53-201", (TP53,))
    assert (transcript.kind, transcript.organism, transcript.match) == ("transcript", "Homo sapiens", "id")
    assert transcript.xrefs == {"ensembl_transcript": TRANSCRIPT}
    assert requests == ["/lookup/id"]


def test_many_ids_cost_one_request_and_of_proteins_two():
    transcripts = ["ENST00000269305", "ENST00000357654", "ENST00000003084", "ENST99999999999"]
    result, requests = run_lookup("transcripts_named", *transcripts)

    assert set(result.entities) == set(transcripts[:3])
    assert requests == ["/lookup/id", "/archive/id/ENST99999999999"]
    proteins = ["ENSP00000269305", "ENSP00000350283", "ENSP00000003084"]
    result, requests = run_lookup("proteins_named", *proteins)
    assert [result.entities[name][0].product_of for name in proteins] == [
        (TP53,),
        ("ENSG00000012048",),
        ("ENSG00000001626",),
    ]
    assert requests == ["/lookup/id"] * 2


def test_a_protein_is_the_product_of_the_gene_of_its_transcript():
    result, _ = run_lookup("proteins_named", f"{PROTEIN}.4")
    (protein,) = result.entities[f"{PROTEIN}.4"]

    assert (protein.id, protein.kind, protein.product_of) == (f"{PROTEIN}.4", "protein", (TP53,))
    assert protein.xrefs == {"ensembl_protein": PROTEIN}


@each_of(
    ("method", "name", "current"),
    [
        ("transcripts_named", "ENST00999900001", f"{TRANSCRIPT}.9"),
        ("proteins_named", "ENSP00999900001", f"{PROTEIN}.4"),
    ],
)
def test_a_retired_id_leads_to_what_has_taken_its_place(method, name, current):
    result, _ = run_lookup(method, name)

    assert [(item.id, item.status, item.product_of) for item in result.entities[name]] == [
        (current, "replaced", (TP53,))
    ]


def test_an_id_that_never_existed_is_reported_and_fails_nothing():
    result, _ = run_lookup("transcripts_named", "ENST99999999999", TRANSCRIPT)

    assert "ENST99999999999" in result.reasons["ENST99999999999"]
    assert set(result.entities) == {TRANSCRIPT}
    assert not result.failures


def test_each_unknown_id_is_looked_for_in_the_archive_however_many_there_are():
    names = [f"ENST9999999999{digit}" for digit in range(10)]
    result, requests = run_lookup("transcripts_named", *names)

    assert set(result.reasons) == set(names)
    assert requests[0] == "/lookup/id"
    assert sorted(requests[1:]) == [f"/archive/id/{name}" for name in names]


@each_of("name", ["NM_000546", "NM_000546.6", "nm_000546.6", "RefSeq:NM_000546", "NM_000546.5"])
def test_a_transcript_is_found_by_that_of_refseq_and_proven_by_mane(name):
    result, requests = run_lookup("transcripts_of_refseq", name)
    (transcript,) = result.entities[name]

    assert (transcript.id, transcript.product_of, transcript.shares_match) == (f"{TRANSCRIPT}.9", (TP53,), False)
    assert transcript.xrefs == {"ensembl_transcript": TRANSCRIPT, "refseq": "NM_000546"}
    assert [path for path in requests if "/xrefs/id" in path] == []
    assert 2 <= len(requests) <= 3  # one more where the version is another


def test_a_transcript_without_a_mane_partner_is_proven_by_its_cross_references():
    rows = [{"dbname": "RefSeq_mRNA", "primary_id": "NM_001126112.3", "display_id": "NM_001126112.3"}]
    lies = [
        Fault("body", path="/xrefs/symbol", body=json.dumps([{"type": "transcript", "id": TRANSCRIPT}]).encode()),
        Fault("body", path="/xrefs/id", body=json.dumps(rows).encode()),
    ]
    result, requests = run_lookup("transcripts_of_refseq", "NM_001126112.3", faults=lies)

    assert [item.id for item in result.entities["NM_001126112.3"]] == [f"{TRANSCRIPT}.9"]
    assert len(requests) == 3


def test_a_transcript_without_the_accession_is_not_a_match():
    lie = Fault("body", path="/xrefs/symbol", body=b'[{"type": "transcript", "id": "ENST00000357654"}]', times=None)
    result, _ = run_lookup("transcripts_of_refseq", "NM_000546.6", faults=[lie])

    assert not result.entities
    assert "NM_000546" in result.reasons["NM_000546.6"]


def test_an_accession_of_another_organism_says_which_was_asked():
    result, _ = run_lookup("transcripts_of_refseq", "NM_000546", organism="mouse")

    assert "Mus musculus" in result.reasons["NM_000546"]


@each_of("name", ["P04637", "UniProtKB:P04637", "uniprot:P04637", "P04637.312"])
def test_a_reviewed_protein_is_the_product_of_the_genes_that_carry_its_accession(name):
    result, requests = run_lookup("proteins_of_uniprot", name)
    (protein,) = result.entities[name]

    assert (protein.id, protein.kind, protein.product_of) == ("UniProtKB:P04637", "protein", (TP53,))
    assert protein.xrefs == {"uniprot": "UniProtKB:P04637"}
    assert requests == ["/xrefs/symbol/homo_sapiens/P04637", f"/xrefs/id/{TP53}"]


def test_a_gene_that_knows_nothing_of_the_accession_does_not_make_the_protein():
    lie = Fault("body", path="/xrefs/symbol", body=b'[{"type": "gene", "id": "ENSG00000012048"}]', times=None)

    assert not run_lookup("proteins_of_uniprot", "P04637", faults=[lie])[0].entities


def test_an_arbitrary_accession_at_the_gene_is_no_product_of_it():
    """``Uniprot_gn`` names one of many unreviewed entries: for TP53 it is A0A386NBZ1."""
    result, _ = run_lookup("proteins_of_uniprot", "A0A386NBZ1")

    assert not result.entities


def test_a_protein_of_another_species_is_none_of_this_one():
    assert not run_lookup("proteins_of_uniprot", "P02340")[0].entities
    result, _ = run_lookup("proteins_of_uniprot", "P02340", organism="mouse")
    assert [(item.organism, item.product_of) for item in result.entities["P02340"]] == [
        ("Mus musculus", ("ENSMUSG00000059552",))
    ]


@each_of(
    ("method", "name"),
    [
        ("transcripts_named", TRANSCRIPT),
        ("proteins_named", PROTEIN),
        ("transcripts_of_refseq", "NM_000546"),
        ("proteins_of_uniprot", "P04637"),
    ],
)
def test_a_service_that_is_down_is_a_failure_and_no_absence(method, name):
    result, _ = run_lookup(method, name, faults=[Fault("status", service="ensembl", status=503, times=None)])

    assert isinstance(result.failures[name], UpstreamError)
    assert not result.entities
    assert not result.reasons


def test_a_lookup_that_answers_another_transcript_is_a_failure():
    other = {"ENST00000269305": {"id": "ENST00000357654", "Parent": "ENSG00000012048", "species": "homo_sapiens"}}
    lie = Fault("body", path="/lookup/id", body=json.dumps(other).encode(), times=None)
    result, _ = run_lookup("transcripts_named", TRANSCRIPT, faults=[lie])

    assert not result.entities
    assert set(result.failures) == {TRANSCRIPT}


def test_each_finder_takes_names_of_its_own_form():
    names = (TRANSCRIPT, PROTEIN, "NM_000546.6", "NR_003051", "XM_011521", "P04637", "P04637-2", TP53, "TP53")
    takes = (
        lambda name: stable_id_of_kind(name, "Transcript"),
        lambda name: stable_id_of_kind(name, "Translation"),
        REFSEQ_TRANSCRIPT.fullmatch,
        uniprot_curie,
    )

    assert {name: [bool(take(name)) for take in takes].index(True) for name in names[:6]} == {
        TRANSCRIPT: 0,
        PROTEIN: 1,
        "NM_000546.6": 2,
        "NR_003051": 2,
        "XM_011521": 2,
        "P04637": 3,
    }
    assert not any(take(name) for take in takes for name in names[6:])


def read(file: str) -> parse.Product:
    return parse.product(recording(f"ensembl/{file}"))


def test_recorded_transcripts_and_proteins_say_what_they_are_of():
    transcript, protein = read("lookup_id_ENST00000557334_pori.json"), read("lookup_id_ENSP00000308495_pori.json")
    older = read("lookup-protein-response.json")

    assert (transcript.versioned_id, transcript.kind, transcript.parent, transcript.name, transcript.chromosome) == (
        "ENST00000557334.6",
        "Transcript",
        "ENSG00000133703",
        "KRAS-204",
        "12",
    )
    assert (protein.versioned_id, protein.kind, protein.parent) == (
        "ENSP00000308495.3",
        "Translation",
        "ENST00000311936",
    )
    assert (older.id, older.parent) == ("ENSP00000419060", "ENST00000496384")
