"""The tokens that genes cost an agent, counted by a real tokenizer."""

import functools
import random
import re

import pytest
from rs_bpe.bpe import openai

from biofact.core.records import estimated_tokens
from biofact.core.xrefs import CrossReferences
from biofact.dialects import eutils
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.trim import GeneSplitter
from biofact.sources.entrez.records import EntrezGene
from tests.each_of import each_of
from tests.recordings import recording
from tests.sources.entrez.recorded_genes import RECORDINGS

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
SAMPLE = 150
MUCH_NAMED = ("TP53", "KRAS", "ERBB2", "TNF", "CDKN2A", "EGFR", "BRCA1", "MAPK1", "VEGFA", "IL6", "GNAS")


@functools.cache
def table():
    """Rows of gene_info by symbol: genes of many names, and a sample of the others."""
    lines = recording("bulk/Homo_sapiens.gene_info.gz").decode().splitlines()
    coding = [line.split("\t") for line in lines if "\tprotein-coding\t" in line]
    names = [row for row in coding if row[2] in MUCH_NAMED]
    return {row[2]: row for row in [*random.Random(0).sample(coding, SAMPLE), *names]}


def full(row):
    """A gene as long as a real record: facts of the table, and made places and sequences."""
    return EntrezGene(
        id=f"NCBIGene:{row[1]}",
        symbol=row[2],
        organism="Homo sapiens",
        name=row[8],
        taxon_id=9606,
        gene_type=row[9],
        status="live",
        chromosome=row[6],
        map_location=row[7],
        aliases=[] if row[4] == "-" else row[4].split("|"),
        other_designations=[] if row[13] == "-" else row[13].split("|"),
        assembly_name="GRCh38.p14",
        start=7668421,
        end=7687490,
        strand=-1,
        cross_references=CrossReferences(
            hgnc="HGNC:11998",
            ensembl_gene="ENSG00000141510",
            omim="191170",
            refseq=[f"NM_00{number}" for number in range(1276, 1284)],
            uniprot=["UniProtKB:P04637"],
        ),
        category="biolink:Gene",
        release="GCF_000001405.40-RS_2023_10",
    )


def listed_fields(gene):
    """The lists of a record, by their words in ``include``."""
    own_values = {"aliases": [gene.aliases], "other_designations": [gene.other_designations]}
    return {**own_values, "cross_references": [gene.cross_references.refseq, gene.cross_references.uniprot]}


def cost(record):
    return TOKENS.count(record.model_dump_json(exclude={"summary"}))


@each_of("name", RECORDINGS)
def test_a_recorded_gene_stays_within_its_budget(name):
    ((_, record),) = GeneSplitter().feed(recording(name))
    gene = parse.gene(record).gene.selected()

    assert cost(gene) <= 250
    assert TOKENS.count(gene.slim().model_dump_json()) <= 35


@each_of("name", ["esummary_gene_3845_json_pori.json", "klortho_esummary.gene.xml"])
def test_a_recorded_summary_makes_a_short_hit(name):
    ((_, docsum),) = eutils.summaries(recording(f"entrez/{name}")).docsums.items()
    candidate = parse.docsum(docsum).candidate(match="symbol", score=0.985)

    assert TOKENS.count(candidate.slim().model_dump_json()) <= 35


def test_genes_of_the_table_stay_within_their_budget():
    costs = [cost(full(row).selected()) for row in table().values()]

    assert len(costs) > SAMPLE
    assert max(costs) <= 250


def test_the_estimate_is_near_the_count_of_every_gene_of_the_table():
    records = [full(row).selected().model_dump_json(exclude={"summary"}) for row in table().values()]
    ratios = [estimated_tokens(record) / TOKENS.count(record) for record in records]

    assert min(ratios) >= 0.94
    assert max(ratios) <= 1.1


@each_of("symbol", MUCH_NAMED)
def test_a_gene_of_many_names_keeps_some_and_counts_the_rest(symbol):
    whole = full(table()[symbol])
    gene = whole.selected()

    assert cost(gene) <= 250
    assert len(gene.aliases) >= 1
    names = ("aliases", "other_designations", "refseq", "uniprot")
    pairs = [
        pair
        for word in listed_fields(gene)
        for pair in zip(listed_fields(gene)[word], listed_fields(whole)[word], strict=True)
    ]
    assert all(output == known_values[: len(output)] for output, known_values in pairs)
    counts = [
        f"{name} {len(output)} of {len(known_values)}"
        for name, (output, known_values) in zip(names, pairs, strict=True)
        if len(output) < len(known_values)
    ]
    (notice,) = gene.notices
    assert re.findall(r"(?:aliases|other_designations|refseq|uniprot) \d+ of \d+", notice.message) == counts


@each_of("symbol", MUCH_NAMED)
def test_a_cut_list_is_whole_with_the_words_that_the_notice_names(symbol):
    whole = full(table()[symbol])
    (notice,) = whole.selected().notices
    words = [word for word in EntrezGene.record_parts if word in notice.message]

    gene = whole.selected(words)

    assert listed_fields(gene) == listed_fields(whole)
    assert gene.notices == []


def test_a_word_makes_its_own_list_whole_and_no_other_longer():
    whole = full(table()["TP53"])
    usual, with_aliases = whole.selected(), whole.selected(["aliases"])

    assert with_aliases.aliases == whole.aliases
    assert with_aliases.other_designations == usual.other_designations
    assert with_aliases.cross_references == usual.cross_references


def test_a_gene_with_few_names_is_not_cut():
    gene = EntrezGene(
        id="NCBIGene:1",
        symbol="A1BG",
        organism="Homo sapiens",
        aliases=["A1B"],
        other_designations=["alpha-1B-glycoprotein"],
        taxon_id=9606,
        gene_type="protein-coding",
        status="live",
        cross_references=CrossReferences(),
    )

    assert gene.selected() == gene


def test_of_a_long_cross_reference_one_value_is_kept():
    gene = full(table()["TP53"]).model_copy(update={"name": "a name without an end " * 50})

    selected = gene.selected()

    assert (selected.aliases, selected.cross_references.refseq, selected.cross_references.uniprot) == (
        [],
        ["NM_001276"],
        ["UniProtKB:P04637"],
    )
