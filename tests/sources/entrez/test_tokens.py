"""What genes cost an agent, counted by a real tokenizer."""

import functools
import random

import pytest
from rs_bpe.bpe import openai

from biofact.core.provenance import Notice
from biofact.core.xrefs import CrossReferences
from biofact.dialects import eutils
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse import brief
from biofact.sources.entrez.parse.split import GeneSplitter
from biofact.sources.entrez.records import EntrezGene
from tests.recordings import recording
from tests.sources.entrez.recorded_genes import RECORDED

TOKENS = openai.o200k_base()
MUCH_NAMED = ("TP53", "KRAS", "ERBB2", "TNF", "CDKN2A", "EGFR", "BRCA1", "MAPK1", "VEGFA", "IL6", "GNAS")


@functools.cache
def table():
    """Rows of gene_info by symbol: genes of many names, and a sample of the others."""
    rows = [line.split("\t") for line in recording("bulk/Homo_sapiens.gene_info.gz").decode().splitlines()[1:]]
    coding = [row for row in rows if row[9] == "protein-coding"]
    return {row[2]: row for row in [*random.Random(0).sample(coding, 500), *(r for r in rows if r[2] in MUCH_NAMED)]}


def full(row):
    """A gene as long as a real record: what the table tells, and places and sequences made up."""
    gene = EntrezGene(
        id=f"NCBIGene:{row[1]}",
        symbol=row[2],
        organism="Homo sapiens",
        name=row[8],
        description=row[8],
        taxon_id=9606,
        gene_type=row[9],
        status="live",
        chromosome=row[6],
        map_location=row[7],
        assembly_name="GRCh38.p14",
        start=7668421,
        end=7687490,
        strand=-1,
        cross_references=CrossReferences(hgnc="HGNC:11998", ensembl_gene="ENSG00000141510", omim="191170"),
        category="biolink:Gene",
        release="GCF_000001405.40-RS_2023_10",
    )
    lists = {
        "aliases": [] if row[4] == "-" else row[4].split("|"),
        "other_designations": [] if row[13] == "-" else row[13].split("|"),
        "refseq": [f"NM_00{number}" for number in range(1276, 1284)],
        "uniprot": ["UniProtKB:P04637"],
    }
    return brief.fitted(gene, lists), lists


def cost(record):
    return TOKENS.count(record.model_dump_json(exclude={"summary"}))


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_gene_stays_within_its_budget(name):
    ((_, record),) = GeneSplitter().feed(recording(name))
    gene = parse.gene(record).gene

    assert cost(gene) <= 250
    assert TOKENS.count(gene.slim().model_dump_json()) <= 35


@pytest.mark.parametrize("name", ["esummary_gene_3845_json_pori.json", "klortho_esummary.gene.xml"])
def test_a_recorded_summary_makes_a_short_hit(name):
    ((_, docsum),) = eutils.summaries(recording(f"entrez/{name}")).docsums.items()
    candidate = parse.docsum(docsum).candidate(match="symbol", score=0.985)

    assert TOKENS.count(candidate.slim().model_dump_json()) <= 35


def test_our_count_errs_by_a_few_tokens():
    costs = sorted(cost(full(row)[0]) for row in table().values())

    assert costs[len(costs) * 85 // 100] <= 250
    assert costs[-1] <= 260


@pytest.mark.parametrize("symbol", MUCH_NAMED)
def test_a_gene_of_many_names_keeps_some_and_counts_the_rest(symbol):
    gene, lists = full(table()[symbol])
    shown = {
        "aliases": gene.aliases,
        "other_designations": gene.other_designations,
        "refseq": gene.cross_references.refseq,
        "uniprot": gene.cross_references.uniprot,
    }

    assert cost(gene) <= 253
    assert len(gene.aliases) >= 2
    assert all(shown[name] == lists[name][: len(shown[name])] for name in lists)
    rest = {name: len(lists[name]) - len(shown[name]) for name in lists}
    told = ", ".join(f"{name.replace('_', ' ')} ({count})" for name, count in rest.items() if count)
    assert gene.notices == [Notice(code="LIST_CUT", message=f"More {told}.")]


def test_a_gene_with_few_names_is_not_cut():
    gene = EntrezGene(id="NCBIGene:1", symbol="A1BG", organism="Homo sapiens", cross_references=CrossReferences())

    fitted = brief.fitted(gene, {"aliases": ["A1B"], "other_designations": ["alpha-1B-glycoprotein"], "refseq": []})

    assert (fitted.aliases, fitted.other_designations, fitted.notices) == (["A1B"], ["alpha-1B-glycoprotein"], [])
    assert fitted.cross_references == CrossReferences()
