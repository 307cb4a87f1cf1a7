"""Summaries of genes as input of the ranking, and as rows of a search; the tiers are core's."""

from dataclasses import replace

import pytest

from biofact.protocol.ranking import Ranked, ranked
from biofact.sources.entrez.parse import docsum
from biofact.sources.entrez.search import by_id, is_of
from biofact.sources.entrez.search.queries import read_organism
from tests.each_of import each_of

pytestmark = pytest.mark.quick

HUMAN, MOUSE, COW = 9606, 10090, 9913


def gene(uid, symbol, taxon_id=HUMAN, *, aliases=(), name="", weight=0):
    return docsum(
        {
            "uid": str(uid),
            "name": symbol,
            "description": name,
            "otheraliases": ", ".join(aliases),
            "geneweight": weight,
            "organism": {"scientificname": f"taxon {taxon_id}", "taxid": taxon_id},
        }
    )


def test_a_summary_is_ranked_by_its_symbol_aliases_name_and_organism():
    genes = [
        gene(4, "ABC"),
        gene(3, "X1", aliases=["Y", "abc"]),
        gene(2, "X2", name="abc"),
        gene(1, "X3", MOUSE, aliases=["ABC"]),
        gene(5, "X4"),
    ]

    result = ranked(reversed(genes), ["abc"])

    assert [row.gene for row in result] == genes
    assert [row.match.kind for row in result] == ["symbol", "alias", "name", "alias", "text"]


def test_equal_summaries_go_by_genes_before_pseudogenes_then_weight_then_number():
    genes = [
        gene(100, "ABC", weight=7),
        gene(9, "ABC", weight=5),
        gene(10, "ABC", weight=5),
        gene(1, "ABC", weight=99, name="ABC pseudogene"),
        gene(2, "ABC", weight=98, name="ABC-DEF readthrough (NMD candidate)"),
    ]

    assert [row.gene for row in ranked(reversed(genes), ["ABC"])] == genes


def test_a_gene_named_by_its_number_alone_is_a_minor_one():
    unnamed_gene = gene(653303, "LOC653303", aliases=["ABC"], weight=99)

    assert ranked([unnamed_gene, gene(7, "X", aliases=["ABC"])], ["ABC"])[0].gene.symbol == "X"


def test_a_gene_asked_for_by_id_matches_by_id_and_a_loc_symbol_by_symbol():
    assert by_id(gene(7157, "TP53"), "NCBIGene:7157").match.kind == "id"
    assert by_id(gene(653303, "LOC653303"), "loc653303").match.kind == "symbol"


@each_of(("limit", "score"), [(1.0, 1.0), (0.4, 0.4)])
def test_a_row_is_never_above_the_one_before(limit, score):
    answer = Ranked.for_names(gene(1, "ABC"), ["ABC"])
    row = answer.gene.candidate(match=answer.match.kind, score=answer.score(limit))

    assert (row.id, row.symbol, row.match, row.score) == ("NCBIGene:1", "ABC", "symbol", score)


def test_an_exact_organism_is_checked_by_number_and_another_one_by_the_service():
    cow = replace(gene(1, "TP53", COW), common_name="cattle")

    assert is_of(cow, None)
    assert not is_of(cow, read_organism("human"))
    assert is_of(cow, read_organism("9913"))
    assert is_of(cow, read_organism("Cattle"), is_sure=True)
    assert is_of(cow, read_organism("Bovidae"))
    assert not is_of(cow, read_organism("Bovidae"), is_sure=True)
