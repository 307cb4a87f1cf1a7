"""Requirements of the specifications for every source: its client, its rate, and failures caused by the service."""

import pytest

from biofact import LifeSciencesClient, sources
from biofact.core.settings import Settings
from biofact.dialects.eutils import NCBI
from biofact.sandbox import Fault
from biofact.sources.chembl.service import CHEMBL
from biofact.sources.ensembl.service import ENSEMBL
from tests.each_of import each_of
from tests.marks import requirement
from tests.served import replies

pytestmark = pytest.mark.quick

DOWN = Fault("status", status=503, times=None)
THROTTLED = Fault("status", status=429, headers={"Retry-After": "120"}, times=None)
GETS = {
    "entrez_get_gene": ("entrez_id", "NCBIGene:7157"),
    "ensembl_get_gene": ("ensembl_id", "ENSG00000141510"),
    "chembl_get_compound": ("chembl_id", "CHEMBL:25"),
}
BATCHES = {
    "entrez_get_genes_batch": ("entrez_ids", ["NCBIGene:7157", "NCBIGene:672"]),
    "ensembl_get_genes_batch": ("ensembl_ids", ["ENSG00000141510", "ENSG00000012048"]),
    "chembl_get_compounds_batch": ("chembl_ids", ["CHEMBL:25", "CHEMBL:941"]),
}


def answer(tool, arguments, fault):
    """The gateway's answer to a call while a service fails."""

    return replies((tool, arguments), faults=[fault])[0]


@requirement("000 R4-class", "002 FR-001")
@each_of("source", sources.names())
def test_a_client_is_a_life_sciences_client(source):
    assert issubclass(sources.client_class(source), LifeSciencesClient)


@requirement("000 R4-3rps", "000 R4-10rps", "001 FR-017", "002 FR-003", "002 FR-004", "004 S-rate")
def test_services_are_asked_at_the_specified_rates():
    bare, settings = Settings({}), Settings({"NCBI_API_KEY": "any"})

    assert (NCBI.rate(bare), NCBI.rate(settings)) == (3.0, 10.0)
    assert (ENSEMBL.rate(bare), CHEMBL.rate(bare)) == (15.0, 10.0)
    assert CHEMBL.max_connections == 10


@requirement("001 FR-014", "002 US4-5", "002 FR-023")
@each_of("fault", [DOWN, THROTTLED])
@each_of("tool", GETS)
def test_a_failure_of_the_service_echoes_what_was_asked(tool, fault):
    name, text = GETS[tool]
    reply = answer(tool, {name: text}, fault)

    assert reply.body["error"]["code"] in {"UPSTREAM_ERROR", "RATE_LIMITED"}
    assert reply.body["error"]["invalid_input"] == text


@requirement("002 US4-5", "002 FR-023")
@each_of("fault", [DOWN, THROTTLED])
@each_of("tool", BATCHES)
def test_each_failed_entry_of_a_batch_echoes_its_own_id(tool, fault):
    name, text = BATCHES[tool]
    reply = answer(tool, {name: text}, fault)

    assert [item["error"]["invalid_input"] for item in reply.body["items"]] == text
