"""The stand-in for Ensembl REST: sequences, mappings and homologues, and its refusals of them."""

import pytest

from biofact.sandbox.services.ensembl.standin import EnsemblStandIn, stand_ins
from biofact.sandbox.standin import ServiceRequest
from tests.sandbox.services.ensembl.made_genes import document_of, refusal

pytestmark = pytest.mark.quick

STAND_IN = next(stand_in for stand_in in stand_ins() if isinstance(stand_in, EnsemblStandIn))
TP53 = "ENSG00000141510"


def test_a_region_is_named_as_ensembl_names_slices():
    forward = document_of("/sequence/region/human/6:101..110:1")
    reverse = document_of("/sequence/region/human/6:101-110:-1")

    assert (forward["id"], forward["molecule"]) == ("chromosome:GRCh38:6:101:110:1", "dna")
    assert reverse["id"] == "chromosome:GRCh38:6:101:110:-1"
    assert forward["seq"][::-1].translate(str.maketrans("ACG", "TGC")) == reverse["seq"]
    assert set(forward["seq"]) <= set("ACG")


def test_neighbouring_regions_overlap_in_the_same_letters():
    whole = document_of("/sequence/region/human/6:1..400:1")["seq"]

    assert all(
        document_of(f"/sequence/region/human/6:{i}..{i + 40}:1")["seq"] == whole[i - 1 : i + 40] for i in (1, 30, 200)
    )
    assert len(whole) == 400


def test_a_region_ends_where_the_chromosome_does():
    assert document_of("/sequence/region/human/MT:16560..16600:1")["id"] == "chromosome:GRCh38:MT:16560:16569:1"
    assert "No slice found" in refusal("/sequence/region/human/MT:16570..16600:1")


def test_requests_that_ensembl_refuses_are_refused(subtests):
    cases = [
        ("/sequence/region/human/6:9..1:1", {}),
        ("/sequence/region/human/chr6", {}),
        ("/sequence/region/unicorn/6:1..9:1", {}),
        ("/sequence/region/human/6:1..10000001:1", {}),
        ("/sequence/region/human/6:1..9:1", {"mask": "soft"}),
        ("/sequence/id/ENSG00000000099", {}),
        ("/sequence/id/ENSG00000000001", {"type": "cdna"}),
        ("/sequence/id/ENSG00000000001", {"type": "rna"}),
        ("/map/human/GRCh38/6:1..9:1/GRCh99", {}),
        ("/map/human/GRCh37/chr6/GRCh38", {}),
        ("/map/human/GRCm38/6:1..9:1/GRCm39", {}),
        ("/homology/id/human/ENSG00000000099", {}),
        ("/homology/id/mouse/ENSG00000000001", {}),
        ("/homology/id/human/ENSG00000000001", {"type": "cousins"}),
        ("/homology/id/human/ENSG00000000001", {"sequences": "none"}),
    ]
    for path, params in cases:
        with subtests.test(path=path):
            assert refusal(path, **params)


def test_nothing_known_is_an_empty_list():
    assert document_of("/map/human/GRCh37/6:1..9:1/GRCh38") == {"mappings": []}
    assert document_of("/homology/id/human/ENSG00000000001") == {"data": [{"id": "ENSG00000000001", "homologies": []}]}


def test_a_mapping_is_the_same_there_and_back():
    body = STAND_IN.answer(ServiceRequest("GET", "/map/human/GRCh37/17:7578400..7578410:1/GRCh38", ())).body
    returned = STAND_IN.answer(ServiceRequest("GET", "/map/human/GRCh38/17:7675082..7675092:1/GRCh37", ())).body

    assert b'"start":7675082' in body
    assert b'"start":7578400' in returned


@pytest.mark.parametrize(("kind", "count"), [("all", 5), ("orthologues", 3), ("paralogues", 2)])
def test_homologues_are_chosen_by_type(kind, count):
    body = STAND_IN.answer(ServiceRequest("GET", f"/homology/id/human/{TP53}", (("type", kind),))).body

    assert body.count(b'"method_link_type"') == count
