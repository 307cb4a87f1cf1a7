"""Biopython's Bio.Entrez, a client that we did not write, reads the sandbox's answers."""

import asyncio
import urllib.request
from typing import Any

import pytest
from Bio import Entrez

from biofact.sandbox import Sandbox
from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick

THREE_GENES = (EutilsStandIn(ThreeGenes(), HistoryServer()),)
NCBI = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"


@pytest.fixture
def entrez(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Bio.Entrez without pauses and retries; ``read`` asks the sandbox instead of NCBI."""
    for name, value in {"email": "a@example.org", "api_key": "k", "max_tries": 1, "sleep_between_tries": 0}.items():
        monkeypatch.setattr(Entrez, name, value)

    def read(program: str, *, stand_ins: Any = THREE_GENES, **params: str) -> Any:
        return asyncio.run(ask_stand_in(program, params, stand_ins))

    async def ask_stand_in(program: str, params: dict[str, str], stand_ins: Any) -> Any:
        async with Sandbox(stand_ins=stand_ins) as sandbox:
            url = sandbox.environment()["BIOFACT_NCBI_URL"]

            def open_request(request: urllib.request.Request) -> Any:
                request.full_url = request.full_url.replace(NCBI, url)
                return urllib.request.urlopen(request)

            monkeypatch.setattr(Entrez, "urlopen", open_request)
            Entrez._open.previous = 0  # its own pace is for the real service
            return await asyncio.to_thread(parsed, program, params)

    def parsed(program: str, params: dict[str, str]) -> Any:
        with getattr(Entrez, program)(**params) as handle:
            return Entrez.read(handle, validate=True)

    return read


def test_it_searches(entrez: Any) -> None:
    result = entrez("esearch", db="gene", term="fleegle OR human[orgn]")

    assert (result["Count"], result["IdList"]) == ("1", ["7157"])
    assert result["QueryTranslation"] == '"Homo sapiens"[Organism]'
    assert result["TranslationSet"][0]["From"] == "human[orgn]"
    assert result["ErrorList"]["PhraseNotFound"] == ["fleegle"]


def test_it_summarises(entrez: Any) -> None:
    result = entrez("esummary", db="gene", id="7157,30590")

    documents = result["DocumentSummarySet"]["DocumentSummary"]
    assert [(document.attributes["uid"], document["Name"]) for document in documents] == [
        ("7157", "TP53"),
        ("30590", "tp53"),
    ]
    assert documents[0]["Organism"]["ScientificName"] == "Homo sapiens"
    assert documents[0]["GenomicInfo"][0]["ChrStart"] == "7687489"


def test_it_fetches_genes(entrez: Any) -> None:
    genes = entrez("efetch", db="gene", id="22059,7157", retmode="xml")

    tracks = [gene["Entrezgene_track-info"]["Gene-track"]["Gene-track_geneid"] for gene in genes]
    assert tracks == ["22059", "7157"]
    assert genes[1]["Entrezgene_gene"]["Gene-ref"]["Gene-ref_locus"] == "TP53"


def test_it_links(entrez: Any) -> None:
    (link_set,) = entrez("elink", dbfrom="gene", db="pubmed", id="7157", linkname="gene_pubmed")

    assert link_set["IdList"] == ["7157"]
    assert [link["Id"] for link in link_set["LinkSetDb"][0]["Link"]] == ["31000003", "31000002", "31000001"]


def test_it_posts_spells_and_describes(entrez: Any) -> None:
    assert entrez("epost", db="gene", id="7157")["QueryKey"] == "1"
    assert entrez("espell", db="gene", term="tumpr")["CorrectedQuery"] == "tumor"
    assert "gene" in entrez("einfo")["DbList"]
    assert entrez("einfo", db="gene")["DbInfo"][0]["FieldList"][0]["FullName"] == "All Fields"


def test_it_raises_what_the_service_complains_of(entrez: Any) -> None:
    with pytest.raises(RuntimeError, match="Empty term and query_key"):
        entrez("esearch", db="gene", term="")
    with pytest.raises(RuntimeError, match="Neither query_key nor id specified"):
        entrez("esummary", db="gene")


def test_it_reads_the_starter_genes(entrez: Any) -> None:
    result = entrez("esearch", stand_ins=None, db="gene", term="BRCA1[sym] AND human[orgn] AND alive[prop]")
    summary = entrez("esummary", stand_ins=None, db="gene", id="672")
    (gene,) = entrez("efetch", stand_ins=None, db="gene", id="672", retmode="xml")
    (linked,) = entrez("elink", stand_ins=None, dbfrom="gene", db="pubmed", id="672", linkname="gene_pubmed")

    assert result["IdList"] == ["672"]
    assert summary["DocumentSummarySet"]["DocumentSummary"][0]["NomenclatureSymbol"] == "BRCA1"
    assert gene["Entrezgene_gene"]["Gene-ref"]["Gene-ref_locus"] == "BRCA1"
    assert linked["LinkSetDb"][0]["LinkName"] == "gene_pubmed"
