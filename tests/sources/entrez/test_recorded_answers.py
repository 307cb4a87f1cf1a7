"""Recorded genes, requested by a real MCP client through the whole stack."""

import pytest

from biofact.sandbox.services.entrez.standin import stand_ins
from tests import virtual_time
from tests.each_of import each_of
from tests.marks import requirement
from tests.recordings import FOLDER, needs_recordings
from tests.served import replies, served

pytestmark = [pytest.mark.quick, needs_recordings]

# Read off the recorded XML: symbol, Ensembl gene, UniProt, assembly, start, end, strand.
GENES = {
    "4747": ("NEFL", "ENSG00000277586", ["UniProtKB:P07196"], "GRCh38.p14", 24950955, 24956612, -1),
    "916": ("CD3E", "ENSG00000198851", ["UniProtKB:P07766"], "GRCh38.p13", 118304730, 118316173, 1),
    "2833": ("CXCR3", "ENSG00000186810", ["UniProtKB:P49682"], "GRCh38.p13", 71615913, 71618515, -1),
    "50943": ("FOXP3", "ENSG00000049768", ["UniProtKB:Q9BZS1"], "GRCh38.p13", 49250436, 49264932, -1),
}


@pytest.fixture(scope="module")
def answers():
    calls = {uid: ("entrez_get_gene", {"entrez_id": f"NCBIGene:{uid}"}) for uid in (*GENES, "9606")}
    return dict(zip(calls, replies(*calls.values(), recordings=FOLDER, stand_ins=stand_ins()), strict=True))


@requirement("000 R2-get_gene")
@each_of("uid", GENES)
def test_a_recorded_gene_comes_as_it_stands_in_its_xml(answers, uid):
    symbol, ensembl, uniprot, assembly, start, end, strand = GENES[uid]
    gene = answers[uid].body

    assert (gene["id"], gene["symbol"], gene["organism"]) == (f"NCBIGene:{uid}", symbol, "Homo sapiens")
    assert gene["cross_references"]["ensembl_gene"] == ensembl
    assert gene["cross_references"]["uniprot"] == uniprot
    assert (gene["assembly_name"], gene["start"], gene["end"], gene["strand"]) == (assembly, start, end, strand)


def test_the_recorded_replaced_gene_leads_to_its_successor(answers):
    gene = answers["9606"].body

    assert (gene["id"], gene["symbol"], gene["replaces"]) == ("NCBIGene:8666", "EIF3G", "NCBIGene:9606")


def test_the_older_vintage_can_be_chosen():
    call = ("entrez_get_gene", {"entrez_id": "NCBIGene:4747", "include": ["phenotypes"]})
    (answer,) = replies(call, recordings=FOLDER, stand_ins=stand_ins(), era="old-shape")
    gene = answer.body

    assert gene["assembly_name"] == "GRCh37.p13"
    assert (gene["start"], gene["end"], gene["strand"]) == (24808468, 24814383, -1)
    assert gene["cross_references"]["hgnc"] == "HGNC:7739"
    assert gene["cross_references"]["omim"] == "162280"
    assert gene["cross_references"]["uniprot"] == ["UniProtKB:P07196"]
    assert "ensembl_gene" not in gene["cross_references"]


def test_recorded_annotations_and_generifs_come_through_the_whole_stack():
    async def ask():
        async with served(recordings=FOLDER, stand_ins=stand_ins()) as gateway:
            nefl = await gateway.call("entrez_get_gene", {"entrez_id": "NCBIGene:4747", "include": ["all"]})
            foxp3 = {"entrez_id": "NCBIGene:50943", "page_size": 100}
            pages = [await gateway.call("entrez_get_generifs", foxp3)]
            while cursor := pages[-1].body["pagination"]["cursor"]:
                pages.append(await gateway.call("entrez_get_generifs", {**foxp3, "cursor": cursor}))
            return nefl.body, [page.body for page in pages]

    nefl, pages = virtual_time.run(ask())

    assert len(nefl["go_terms"]) == 52
    assert [phenotype["omim_ids"] for phenotype in nefl["phenotypes"] if "omim_ids" in phenotype] == [
        ["607734"],
        ["607684"],
        ["617882"],
    ]
    assert len(nefl["other_designations"]) == 7
    assert "notices" not in nefl
    rows = [(row["text"], *row["pmids"]) for page in pages for row in page["items"]]
    assert len(rows) == len(set(rows)) == 1030
    assert {page["pagination"]["total_count"] for page in pages} == {1030}
