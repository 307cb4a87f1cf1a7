"""Starter rows of homologues and of blocks between assemblies: of genes that exist, and the same in both directions."""

from itertools import pairwise

import pytest

from biofact.dialects.genomic.genomes import ASSEMBLIES
from biofact.sandbox.tables import starter_rows
from tests.sandbox.services.ensembl.test_starter import GENES

pytestmark = pytest.mark.quick

PACKAGE = "biofact.sandbox.services.ensembl"
PAIRS = starter_rows(PACKAGE, "homology.jsonl")
BLOCKS = starter_rows(PACKAGE, "block.jsonl")
# A position of each block, as dbSNP and ClinVar place it on both assemblies: R175H of TP53, 185delAG of BRCA1, G12D of
# KRAS, V600E of BRAF, rs429358; the first base of BRCA2, the last of Trp53.
ANCHORS = {
    ("17", 7578406): 7675088,
    ("17", 41276045): 43124028,
    ("12", 25398284): 25245350,
    ("7", 140453136): 140753336,
    ("19", 45411941): 44908684,
    ("13", 32889617): 32315480,
    ("11", 69591873): 69482699,
}


def test_homologues_are_starter_genes_of_the_species_that_their_kind_needs():
    for pair in PAIRS:
        item, other = (GENES[gene_id] for gene_id in pair["genes"])
        assert (item["species"] == other["species"]) == (pair["type"] == "within_species_paralog"), pair


def test_a_one_to_one_orthologue_is_the_only_one_of_its_species():
    pairs = [pair["genes"] for pair in PAIRS if pair["type"] == "ortholog_one2one"]
    seen_values = [(gene_id, GENES[other]["species"]) for a, b in pairs for gene_id, other in ((a, b), (b, a))]

    assert len(set(seen_values)) == len(seen_values)


def test_orthologues_share_a_symbol_or_its_usual_form():
    for pair in PAIRS:
        symbols = {GENES[gene_id]["display_name"].lower() for gene_id in pair["genes"]}
        is_same = len(symbols) == 1 or symbols == {"tp53", "trp53"}
        assert is_same == pair["type"].startswith("ortholog"), pair


def test_blocks_lie_within_their_chromosomes_and_do_not_overlap():
    ends = sorted((block["species"], block["seq_region_name"], block["start"], block["end"]) for block in BLOCKS)
    organism = {"homo_sapiens": "human", "mus_musculus": "mouse"}

    for block in BLOCKS:
        chromosome = ASSEMBLIES[organism[block["species"]]].chromosomes[block["seq_region_name"]]
        assert 0 < block["start"] < block["end"]
        assert block["end"] + block["offset"] <= chromosome.length
    for before, after in pairwise(ends):
        assert before[:2] != after[:2] or before[3] < after[2]


def test_blocks_put_known_positions_where_they_are():
    positions = {
        (name, position): position + block["offset"]
        for name, position in ANCHORS
        for block in BLOCKS
        if block["seq_region_name"] == name and block["start"] <= position <= block["end"]
    }

    assert positions == ANCHORS


def test_a_gene_of_the_second_assembly_lies_where_its_block_puts_it():
    """The ends of a gene move between releases, its inside does not: the block reaches into the gene of today."""
    spans = {(gene["seq_region_name"], gene["start"], gene["end"]) for gene in GENES.values() if "start" in gene}
    for block in BLOCKS:
        start, end = block["start"] + block["offset"], block["end"] + block["offset"]
        if block["species"] == "homo_sapiens":
            assert any(name == block["seq_region_name"] and first < end and start < last for name, first, last in spans)
