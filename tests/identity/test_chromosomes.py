"""Genes of NCBI and of Ensembl that have one symbol join where they may lie on the same chromosome."""

import functools

import pytest

from biofact.identity.joining import join_entities
from biofact.identity.resolver import Resolver
from biofact.protocol.names import NamedEntity
from biofact.sources import clients
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import transported

HUMAN, MOUSE, ZEBRAFISH = 9606, 10090, 7955
NAMES = {HUMAN: "Homo sapiens", MOUSE: "Mus musculus", ZEBRAFISH: "Danio rerio"}


def genes_on_several(*taxon_ids):
    """The rows of the recorded files whose gene lies on more than one chromosome and has an ID of Ensembl."""
    rows = (cells for taxon_id in taxon_ids for cells in gene_table(taxon_id))
    return [cells for cells in rows if "|" in cells[6] and "Ensembl:" in cells[5]]


def ensembl_ids(cells):
    return [reference.partition(":")[2] for reference in cells[5].split("|") if reference.startswith("Ensembl:")]


@functools.cache
def rows_of_names(taxon_id, pick):
    """The answers on pseudoautosomal genes of an organism, by symbol or by Ensembl ID, each with its own row."""
    genes = [cells for cells in genes_on_several(taxon_id) if cells[6] == "X|Y"]
    names = [pick(cells) for cells in genes]

    async def ask(folder):
        async with transported(recordings=folder) as (transport, _):
            return (await Resolver(clients(transport), transport.afresh).resolve(names, None, NAMES[taxon_id])).rows

    with folder_of_genes("\t".join(cells) for cells in genes) as folder:
        return [*zip(genes, virtual_time.run(ask(folder)), strict=True)]


def symbol(cells):
    return cells[2]


def ensembl_id(cells):
    return ensembl_ids(cells)[0]


def id_on_y(cells):
    """As GENCODE writes the ID of a gene on Y."""
    return f"{ensembl_ids(cells)[0]}.1_PAR_Y"


@needs_recordings
@pytest.mark.parametrize(
    ("taxon_id", "count", "pick"),
    [
        pytest.param(HUMAN, 31, symbol, marks=pytest.mark.quick),
        pytest.param(HUMAN, 31, ensembl_id, marks=pytest.mark.sweep),
        pytest.param(HUMAN, 31, id_on_y, marks=pytest.mark.sweep),
        *(pytest.param(MOUSE, 2, pick, marks=pytest.mark.quick) for pick in (symbol, ensembl_id, id_on_y)),
    ],
)
def test_pseudoautosomal_genes_of_the_recorded_files_are_one_entity_by_any_name(taxon_id, count, pick):
    answers = rows_of_names(taxon_id, pick)

    assert len(answers) == count
    for cells, row in answers:
        (entity,) = row.entities
        assert entity.id == f"NCBIGene:{cells[1]}"
        assert entity.ids["ensembl"].partition(".")[0] in ensembl_ids(cells)
        assert row.ambiguous_with == []


def gene(gene_id, chromosome, **facts):
    return NamedEntity(gene_id, "SHOX", "gene", organism="Homo sapiens", chromosome=chromosome, **facts)


def are_joined(chromosome, other):
    parts = {"entrez": [gene("NCBIGene:1", chromosome)], "ensembl": [gene("ENSG00000000001", other)]}
    return len(join_entities(parts)) == 1


@pytest.mark.quick
@needs_recordings
@each_of("cells", lambda: genes_on_several(HUMAN, MOUSE, ZEBRAFISH))
def test_a_gene_on_several_chromosomes_joins_that_on_each_of_them_and_on_no_other(cells):
    """As esummary writes the chromosomes: with a comma."""
    chromosomes = cells[6].split("|")
    others = {*map(str, range(1, 26)), "X", "Y", "MT"} - {*chromosomes}

    assert {other for other in (*chromosomes, *others) if are_joined(", ".join(chromosomes), other)} == {*chromosomes}


@pytest.mark.quick
@pytest.mark.parametrize(
    ("chromosome", "other", "expected"),
    [
        ("1", "1", True),
        ("1", "11", False),
        ("X", "Y", False),
        ("X, Y", "X, Y", True),
        ("Un", "KI270728.1", True),  # NCBI's unplaced genes lie on scaffolds, which Ensembl names
        (None, "7", True),
        ("6", "CHR_HSCHR6_MHC_COX_CTG1", False),
    ],
)
def test_a_chromosome_that_is_known_of_both_must_be_the_same(chromosome, other, expected):
    assert are_joined(chromosome, other) is expected
    assert are_joined(other, chromosome) is expected
