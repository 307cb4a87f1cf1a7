"""Ensembl's limit, and the genes that the stand-in has from recordings."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from benchmarks.symbols import corpus

from biofact.sandbox import Sandbox
from biofact.sandbox.services.ensembl.corpus import Genes, recorded_gene
from biofact.sandbox.services.ensembl.standin import EnsemblLimit, EnsemblStandIn, stand_ins
from biofact.sandbox.standin import ServiceRequest
from tests import virtual_time
from tests.recordings import needs_recordings, recording
from tests.sandbox.few_genes import few_and_all, few_genes
from tests.sandbox.services.ensembl.made_genes import AAA1, SPECIES, document_of, genes, status_and_document

pytestmark = pytest.mark.quick

# the limit


def test_the_hour_of_the_clock_is_what_counts() -> None:
    limit = EnsemblLimit(3 / 55_000)
    ping = ServiceRequest("GET", "/info/ping", ())

    admissions = [limit.admit(ping, "127.0.0.1", now) for now in (7000.0, 7100.0, 7159.5, 7160.0, 7200.0)]

    assert [admission.refusal is None for admission in admissions] == [True, True, True, False, True]
    assert [admission.headers["X-RateLimit-Remaining"] for admission in admissions] == ["2", "1", "0", "0", "2"]
    assert [admission.headers["X-RateLimit-Reset"] for admission in admissions] == ["200", "100", "41", "40", "3600"]
    assert {admission.headers["X-RateLimit-Period"] for admission in admissions} == {"3600"}
    refusal = admissions[3].refusal
    assert refusal is not None
    assert (refusal.status, refusal.content_type, refusal.headers["Retry-After"]) == (429, "text/plain", "40.0")


def test_each_caller_has_an_hour_of_its_own() -> None:
    limit = EnsemblLimit(1 / 55_000)
    ping = ServiceRequest("GET", "/info/ping", ())

    assert [limit.admit(ping, caller, 0.0).refusal is None for caller in ("a", "a", "b")] == [True, False, True]


def test_the_sandbox_sends_the_recorded_limit_with_every_answer() -> None:
    sidecar = json.loads(recording("ensembl/http400_lookup_symbol_homo_sapiens_BR.json.meta.json"))

    async def answers() -> list[httpx2.Response]:
        async with (
            Sandbox(stand_ins=[EnsemblStandIn(genes())]) as sandbox,
            httpx2.AsyncClient(base_url=sandbox.environment()["BIOFACT_ENSEMBL_URL"]) as client,
        ):
            return [await client.get("/info/ping"), await client.get("/lookup/symbol/human/BR")]

    good, bad = virtual_time.run(answers())

    assert (good.status_code, bad.status_code) == (200, 400)
    for answer in (good, bad):
        for name in ("X-RateLimit-Limit", "X-RateLimit-Period"):
            assert answer.headers[name] == sidecar["headers"][name]
    assert int(good.headers["X-RateLimit-Remaining"]) - int(bad.headers["X-RateLimit-Remaining"]) == 1


# the corpus


ROW = (
    "{taxon}\t1\tA1BG\t-\tA1B|ABG\t{ids}\t19\t19q13.43\talpha glycoprotein\t{kind}\t{symbol}\t{name}\tO\t-\t20210708\t-"
)
HUMAN_ROW = ROW.format(
    taxon="9606",
    ids="MIM:138670|HGNC:HGNC:5|Ensembl:ENSG00000121410|Ensembl:ENSG00000000001|AllianceGenome:HGNC:5",
    kind="protein-coding",
    symbol="A1BG2",
    name="alpha-1-B glycoprotein",
)


def test_a_row_of_gene_info_is_a_gene_on_its_chromosome_without_positions() -> None:
    assert recorded_gene(HUMAN_ROW, "ENSG00000121410") == {
        "id": "ENSG00000121410",
        "seq_region_name": "19",
        "species": "homo_sapiens",
        "object_type": "Gene",
        "db_type": "core",
        "display_name": "A1BG2",
        "description": "alpha-1-B glycoprotein [Source:HGNC Symbol;Acc:HGNC:5]",
        "biotype": "protein_coding",
        "source": "ensembl_havana",
        "logic_name": "ensembl_havana_gene_homo_sapiens",
        "synonyms": ["A1B", "ABG"],
        "xrefs": [
            {"level": "gene", "dbname": "HGNC", "primary_id": "HGNC:5", "display_id": "A1BG2", "info_type": "DIRECT"},
            {
                "level": "gene",
                "dbname": "EntrezGene",
                "primary_id": "1",
                "display_id": "A1BG2",
                "info_type": "DEPENDENT",
            },
            {"level": "gene", "dbname": "MIM_GENE", "primary_id": "138670", "info_type": "DEPENDENT"},
        ],
    }


@pytest.mark.parametrize(
    ("taxon", "ids", "species", "source", "xref"),
    [
        ("10090", "MGI:MGI:99606|Ensembl:X", "mus_musculus", "MGI Symbol;Acc:MGI:99606", ("MGI", "MGI:99606")),
        ("7955", "ZFIN:ZDB-GENE-1|Ensembl:X", "danio_rerio", "ZFIN;Acc:ZDB-GENE-1", ("ZFIN_ID", "ZDB-GENE-1")),
        ("9606", "Ensembl:X", "homo_sapiens", "NCBI gene;Acc:1", ("EntrezGene", "1")),
    ],
)
def test_a_description_names_its_authority(
    taxon: str, ids: str, species: str, source: str, xref: tuple[str, str]
) -> None:
    row = recorded_gene(ROW.format(taxon=taxon, ids=ids, kind="pseudo", symbol="-", name="-"), "X")

    assert (row["species"], row["biotype"], row["display_name"]) == (species, "pseudogene", "A1BG")
    assert row["description"] == f"alpha glycoprotein [Source:{source}]"
    assert (row["xrefs"][0]["dbname"], row["xrefs"][0]["primary_id"]) == xref


def test_a_known_gene_stands_before_a_row() -> None:
    mixed = EnsemblStandIn(Genes({"gene": [AAA1]}, SPECIES, [HUMAN_ROW]))

    assert document_of("/lookup/id/ENSG00000000001", mixed)["display_name"] == "AAA1"
    assert document_of("/lookup/id/ENSG00000121410", mixed)["display_name"] == "A1BG2"
    assert document_of("/xrefs/symbol/human/abg", mixed) == [{"id": "ENSG00000121410", "type": "gene"}]


@needs_recordings
@few_and_all
def test_the_recorded_genes_are_known_beside_the_starter_genes(recorded_genes: Callable[[], Path]) -> None:
    standin = stand_ins(recorded_genes())[0]

    assert isinstance(standin, EnsemblStandIn)
    assert document_of("/lookup/symbol/human/TP53", standin)["id"] == "ENSG00000141510"
    assert document_of("/lookup/symbol/zebrafish/cat", standin)["id"] == "ENSDARG00000104702"
    assert document_of("/lookup/symbol/mouse/abca2", standin)["id"] == "ENSMUSG00000026944"
    assert {"id": "ENSG00000196136", "type": "gene"} in document_of("/xrefs/symbol/human/GIG25", standin)
    assert len(standin._genes) > (90_000 if recorded_genes is corpus else 400)


@needs_recordings
def test_the_corpus_is_built_once_in_a_process() -> None:
    first, repeat = (stand_ins(folder)[0] for folder in (few_genes(), Path(str(few_genes()))))

    assert isinstance(first, EnsemblStandIn)
    assert isinstance(repeat, EnsemblStandIn)
    assert repeat._genes is first._genes


def test_without_recordings_the_starter_genes_are_all() -> None:
    standin = stand_ins()[0]

    assert status_and_document("/lookup/symbol/human/TP53", standin)[0] == 200
    assert status_and_document("/lookup/id/ENSG00000099999", standin)[0] == 400
