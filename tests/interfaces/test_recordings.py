"""Real genes, as NCBI sent them, through a real MCP client."""

import asyncio
import functools

import pytest
from fastmcp import Client

from biofact.core.settings import Settings
from biofact.interfaces.clients import opened
from biofact.interfaces.gateway import gateway
from biofact.sandbox import Sandbox
from tests.interfaces.ask import body
from tests.recordings import FOLDER, needs_recordings
from tests.sandboxed import FAST, SPEED

GENES = {  # symbol, HGNC, as the recorded XML has them
    "4747": ("NEFL", "HGNC:7739"),
    "916": ("CD3E", "HGNC:1674"),
    "2833": ("CXCR3", "HGNC:4540"),
    "50943": ("FOXP3", "HGNC:6106"),
}


@pytest.fixture(scope="module")
def genes(tmp_path_factory):
    """The answers for the recorded genes and for one that was replaced."""

    async def ask():
        async with Sandbox(recordings=FOLDER, rate_factor=SPEED * 1.2) as sandbox:
            folder = str(tmp_path_factory.mktemp("cache"))
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
            async with Client(gateway(opener=functools.partial(opened, settings, timing=FAST))) as client:
                return {
                    uid: body(await client.call_tool_mcp("entrez_get_gene", {"entrez_id": f"NCBIGene:{uid}"}))
                    for uid in (*GENES, "9606")
                }

    return asyncio.run(ask())


@needs_recordings
@pytest.mark.parametrize("uid", GENES)
def test_a_recorded_gene_is_described(uid, genes):
    gene = genes[uid]

    assert gene["id"] == f"NCBIGene:{uid}"
    assert (gene["symbol"], gene["cross_references"]["hgnc"]) == GENES[uid]
    assert gene["organism"] == "Homo sapiens"


@needs_recordings
def test_the_newest_recording_is_the_one_that_answers(genes):
    assert genes["4747"]["cross_references"]["ensembl_gene"] == "ENSG00000277586"
    assert genes["4747"]["cross_references"]["uniprot"] == ["UniProtKB:P07196"]
    assert genes["4747"]["cross_references"]["omim"] == "162280"
    assert genes["4747"]["assembly_name"] == "GRCh38.p14"


@needs_recordings
def test_a_replaced_gene_leads_to_the_one_of_today(genes):
    assert (genes["9606"]["id"], genes["9606"]["replaces"]) == ("NCBIGene:8666", "NCBIGene:9606")
