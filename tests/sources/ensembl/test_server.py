"""Other servers and limits: GRCh37, the hourly limit, and one service that is down while the other is up."""

import itertools
from contextlib import asynccontextmanager

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, RateLimited, UpstreamError
from biofact.sandbox import Fault
from biofact.sandbox.services.ensembl.corpus import ServedSpecies
from biofact.sandbox.services.ensembl.search import EbiSearchStandIn
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn, stand_ins
from biofact.sources.ensembl.client import EnsemblClient
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import needs_recordings, recording
from tests.sandbox.services.ensembl.made_genes import gene, genes, species, xref
from tests.sandboxed import on_sandbox, transported

pytestmark = pytest.mark.quick

TP53 = "ENSG00000141510"
# As the recorded BioMart export of GRCh37 has it; HGNC IDs are bare on that server.
TP53_37 = gene(
    TP53,
    "TP53",
    xref("HGNC", "11998", "TP53", info_type="DIRECT"),
    xref("EntrezGene", "7157", "TP53"),
    version=11,
    description="tumor protein p53 [Source:HGNC Symbol;Acc:11998]",
    seq_region_name="17",
    start=7565097,
    end=7590856,
    strand=-1,
)
HUMAN_37 = ServedSpecies([species("homo_sapiens", "9606", "GRCh37", display_name="Human")])


@asynccontextmanager
async def client_of(stand_ins_there, rate_factor=1.0):
    async with transported(stand_ins=stand_ins_there, rate_factor=rate_factor) as (transport, sandbox):
        yield EnsemblClient(transport), sandbox


def on_grch37(ask):
    async def scenario():
        answers = genes(TP53_37, transcripts=[], served_species=HUMAN_37)
        async with client_of([EnsemblStandIn(answers, assembly="GRCh37"), *stand_ins()[1:]]) as (ensembl, _):
            return await ask(ensembl)

    return virtual_time.run(scenario())


@needs_recordings
def test_the_facts_of_grch37_are_those_recorded():
    rows = [line.split("\t") for line in recording("bulk/scout_ensembl_genes_37_reduced.txt").decode().splitlines()]

    assert ["17", "7565097", "7590856", TP53, "TP53", "11998"] in rows


def test_a_gene_of_the_server_of_grch37_names_its_assembly_and_a_prefixed_hgnc_id():
    gene = on_grch37(lambda ensembl: ensembl.get_gene(TP53))

    assert (gene.assembly_name, gene.start, gene.end) == ("GRCh37", 7565097, 7590856)
    assert gene.cross_references.hgnc == "HGNC:11998"


def test_a_hit_of_the_server_of_grch37_names_its_assembly_and_others_are_dropped():
    page = on_grch37(lambda ensembl: ensembl.search_genes("tumor protein", species="human"))

    assert [(row.symbol, row.assembly_name) for row in page.items] == [("TP53", "GRCh37")]
    assert "DROPPED" in [notice.code for notice in page.notices]


def test_another_species_is_refused_by_the_server_of_grch37():
    with pytest.raises(AmbiguousQuery, match="does not have the species"):
        on_grch37(lambda ensembl: ensembl.search_genes("Trp53", species="mouse"))
    with pytest.raises(EntityNotFound):
        on_grch37(lambda ensembl: ensembl.get_gene("ENSMUSG00000059552"))


def test_when_the_hour_is_used_up_nothing_more_is_sent():
    async def scenario():
        async with client_of(stand_ins(), rate_factor=3 / 55_000) as (ensembl, sandbox):
            for gene_id in (TP53, "ENSG00000012048", "ENSG00000139618"):
                await ensembl.get_gene(gene_id, slim=True)
            with pytest.raises(RateLimited) as raises:
                await ensembl.get_gene("ENSG00000133703", slim=True)
            return raises.value, [request.status for request in sandbox.requests]

    refusal, statuses = virtual_time.run(scenario())

    assert statuses == [200, 200, 200]  # the client read X-RateLimit-Remaining: no 429 was needed
    assert refusal.recovery.seconds > 0


FAULTS = {
    "429": Fault("status", status=429, headers={"Retry-After": "0.05"}),
    "500": Fault("status", status=500),
    "400 in disguise": Fault("status", status=400, body=b'{"error":"something bad has happened"}'),
    "a page under 200": Fault("html"),
    "cut": Fault("truncate", at=60),
    "closed": Fault("close"),
    "another shape": Fault("body", body=b'{"hits":[]}'),
    "no JSON": Fault("body", body=b"<result/>"),
}


def tumor_proteins(*faults):
    """The page of a search by words."""

    return on_sandbox("ensembl", lambda ensembl, _: ensembl.search_genes("tumor protein"), *faults).model_dump()


def test_a_fault_that_passes_is_not_noticed_in_a_search_by_words(subtests):
    undisturbed_page = tumor_proteins()

    for service, (name, fault) in itertools.product(("ebisearch", "ensembl"), FAULTS.items()):
        with subtests.test(service=service, name=name):
            transient_fault = Fault(**{**fault.to_json(), "body": fault.body, "service": service})
            assert tumor_proteins(transient_fault) == undisturbed_page


@each_of("name", FAULTS)
def test_a_lasting_fault_of_the_search_by_words_is_reported(name):
    fault = FAULTS[name]

    with pytest.raises((UpstreamError, RateLimited)):
        tumor_proteins(Fault(**{**fault.to_json(), "body": fault.body, "service": "ebisearch", "times": None}))


def test_a_name_of_hundreds_of_genes_is_paged_to_its_end():
    large = [gene(f"ENSG{number:011}", "Y_RNA", biotype="misc_RNA") for number in range(1, 251)]

    async def scenario():
        answers = genes(*large, transcripts=[])
        async with client_of([EnsemblStandIn(answers), EbiSearchStandIn(answers)]) as (ensembl, _):
            pages = [await ensembl.search_genes("Y_RNA", species="human")]
            while cursor := pages[-1].pagination.cursor:
                pages.append(await ensembl.search_genes("Y_RNA", species="human", cursor=cursor))
            return pages

    pages = virtual_time.run(scenario())
    ids = [row.id for page in pages for row in page.items]

    assert sorted(ids) == sorted(row["id"] for row in large)
    assert "250 genes share the best match (symbol)" in " ".join(notice.message for notice in pages[0].notices)


def test_genes_that_share_the_best_match_are_named_on_a_page_of_one_too():
    equal_genes = [gene(f"ENSG{number:011}", f"ABC{number}", synonyms=["XY-9"]) for number in range(1, 4)]

    async def scenario():
        answers = genes(*equal_genes, transcripts=[])
        async with client_of([EnsemblStandIn(answers), EbiSearchStandIn(answers)]) as (ensembl, _):
            return [await ensembl.search_genes(query, page_size=1) for query in ("XY-9", "xy 9")]

    for page in virtual_time.run(scenario()):
        assert len(page.items) == 1
        assert "ABC1" in "".join(notice.message for notice in page.notices if notice.code == "SHARED_MATCH")


def test_two_stand_ins_are_two_services():
    names = {stand_in.service.name for stand_in in stand_ins()}

    assert names == {"ensembl", "ebisearch"}
    assert isinstance(stand_ins()[1], EbiSearchStandIn)
