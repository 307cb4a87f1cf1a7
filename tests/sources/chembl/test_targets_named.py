"""Proteins by UniProt's accessions: one protein's own target, never a complex or family that contains it."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.xrefs import uniprot_curie
from biofact.sandbox import Fault
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick


def find_targets(*names, faults=()):
    async def find(chembl, sandbox):
        proteins = await chembl.proteins_of_uniprot(names, "human")
        return proteins, [dict(request.params) for request in sandbox.requests if request.service == "chembl"]

    return on_sandbox("chembl", find, *faults)


@pytest.mark.parametrize("name", ["P00533", "UniProtKB:P00533", "p00533", "P00533.2"])
def test_a_protein_is_found_by_its_accession_in_one_request(name):
    result, requests = find_targets(name)
    (protein,) = result.entities[name]

    assert (protein.id, protein.label, protein.kind) == (
        "UniProtKB:P00533",
        "Epidermal growth factor receptor erbB1",
        "protein",
    )
    assert (protein.organism, protein.xrefs) == ("Homo sapiens", {"uniprot": "UniProtKB:P00533"})
    assert [request["target_components__accession"] for request in requests] == ["P00533"]


@pytest.mark.parametrize("name", ["P17787", "P27815", "P11274"])
def test_a_part_of_a_complex_family_or_chimera_alone_is_no_target(name):
    result, requests = find_targets(name)

    assert len(requests) == 1
    assert not result.entities


def test_an_accession_that_no_target_has_is_unknown():
    assert not find_targets("P99999")[0].entities


def test_a_service_that_is_down_is_a_failure():
    result, _ = find_targets("P00533", faults=[Fault("status", service="chembl", status=503, times=None)])

    assert isinstance(result.failures["P00533"], UpstreamError)


def test_isoforms_and_symbols_are_no_accessions():
    assert not any(map(uniprot_curie, ("P00533-2", "EGFR", "CHEMBL203", "P53")))
