"""Which gene is meant: decision 0008, tier by tier."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.sources.entrez.parse import docsum
from biofact.sources.entrez.search.organisms import organism
from biofact.sources.entrez.search.ranking import Ranked, candidate, is_of, match, ranked, sharing_best
from biofact.sources.entrez.search.words import forms

HUMAN, MOUSE, RAT, ZEBRAFISH, COW = 9606, 10090, 10116, 7955, 9913


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


# For the query "Abc1", from the one that is meant to the one that is farthest.
TIERS = [
    gene(40, "Abc1", MOUSE),  # another organism's symbol as it is written there
    gene(39, "ABC-1"),  # the human symbol, spelt otherwise
    gene(38, "X1", aliases=["abc1"]),  # a human alias
    gene(37, "abc1", ZEBRAFISH),  # another organism's symbol in another case
    gene(36, "X2", name="abc1"),  # a human full name
    gene(35, "X3", name="ABC1 binding factor"),  # the words in a human name, side by side
    gene(34, "X4", MOUSE, aliases=["Abc1"]),  # another organism's alias
    gene(33, "X5", MOUSE, aliases=["Abc-1"]),  # the same, spelt otherwise
    gene(32, "X6", MOUSE, name="Abc1"),  # another organism's full name
    gene(31, "X7", MOUSE, name="binding factor of Abc1"),  # the words in another organism's name
    gene(30, "X8"),  # none of these: it was found by its text
]


def test_the_tiers_come_in_the_order_of_the_decision():
    found = ranked(reversed(TIERS), ["Abc1"])

    assert [row.docsum.symbol for row in found] == [tier.symbol for tier in TIERS]
    assert [row.match.kind for row in found] == [
        *("symbol", "symbol", "alias", "symbol", "name", "name", "alias", "alias", "name", "name", "text")
    ]


def test_only_matches_by_a_whole_name_or_in_a_human_one_lead():
    assert [row.leads for row in ranked(TIERS, ["Abc1"])] == [True] * 9 + [False] * 2


@pytest.mark.parametrize(
    ("query", "first"), [("Trp53", MOUSE), ("TRP53", HUMAN), ("trp53", HUMAN), ("TP53", HUMAN), ("Trp53 gene", MOUSE)]
)
def test_letter_case_tells_whose_symbol_is_meant(query, first):
    genes = [gene(7157, "TP53", aliases=["TRP53"]), gene(22059, "Trp53", MOUSE, aliases=["Tp53"])]

    assert ranked(genes, forms(query))[0].docsum.taxon_id == first


def test_a_zebrafish_symbol_does_not_pass_a_human_alias_in_any_case():
    genes = [gene(1, "her2", ZEBRAFISH, weight=900), gene(2064, "ERBB2", aliases=["HER2", "NEU"])]

    for query in ("HER2", "her2", "Her2", "HER-2", "HER2/neu"):
        assert ranked(genes, forms(query))[0].docsum.symbol == "ERBB2"


def test_a_human_full_name_stands_before_the_alias_of_another_organism_in_any_spelling():
    full_name = gene(3630, "INS", name="insulin")
    aliases = [gene(2, "Ilp2", 7227, aliases=["insulin"]), gene(3, "Ins1", MOUSE, aliases=["In-sulin"])]

    assert ranked([*aliases, full_name], ["insulin"])[0].docsum is full_name


def test_a_symbol_beats_an_alias_and_an_alias_beats_a_name_within_one_organism():
    for taxon_id in (HUMAN, MOUSE, COW):
        genes = [
            gene(1, "X1", taxon_id, name="abc"),
            gene(2, "X2", taxon_id, aliases=["Abc"]),
            gene(3, "ABC", taxon_id),
        ]
        assert [row.match.kind for row in ranked(genes, ["abc"])] == ["symbol", "alias", "name"]


def test_equal_matches_go_by_organism_then_genes_before_pseudogenes_then_weight_then_id():
    genes = [
        gene(9, "ABC", HUMAN, weight=7),
        gene(5, "ABC", HUMAN, weight=5),
        gene(6, "ABC", HUMAN, weight=5),
        gene(1, "ABC", HUMAN, weight=99, name="ABC pseudogene"),
        gene(2, "ABC", MOUSE, weight=99),
        gene(3, "ABC", RAT),
        gene(4, "ABC", COW, weight=99),
    ]

    assert [int(row.docsum.uid) for row in ranked(reversed(genes), ["ABC"])] == [9, 5, 6, 1, 2, 3, 4]


def test_a_gene_named_by_its_number_alone_is_a_minor_one():
    unnamed = gene(653303, "LOC653303", aliases=["ABC"], weight=99)

    assert ranked([unnamed, gene(7, "X", aliases=["ABC"])], ["ABC"])[0].docsum.symbol == "X"


def test_a_gene_asked_for_by_id_matches_by_id_and_a_loc_symbol_by_symbol():
    assert Ranked.by_id(gene(7157, "TP53"), "NCBIGene:7157").match.kind == "id"
    assert Ranked.by_id(gene(653303, "LOC653303"), "loc653303").match.kind == "symbol"


def test_genes_that_share_a_symbol_or_alias_are_told_and_lesser_matches_are_not():
    genes = [
        gene(8085, "KMT2D", aliases=["MLL2"]),
        gene(9757, "KMT2B", aliases=["MLL2"]),
        gene(3, "MLL2P1", aliases=["MLL2"], name="MLL2 pseudogene 1"),
        gene(4, "Kmt2d", MOUSE, aliases=["MLL2"]),
        gene(5, "X", name="MLL2"),
    ]

    assert {row.docsum.symbol for row in sharing_best(ranked(genes, ["MLL2"]))} == {"KMT2D", "KMT2B"}


@pytest.mark.parametrize(
    "genes",
    [
        [],
        [gene(1, "ABC"), gene(2, "X", aliases=["ABC"])],
        [gene(1, "X", name="ABC"), gene(2, "Y", name="ABC")],
        [gene(1, "X"), gene(2, "Y")],
    ],
    ids=["none", "one is better", "by name", "by text"],
)
def test_a_best_match_that_stands_alone_or_is_no_symbol_or_alias_is_not_shared(genes):
    assert sharing_best(ranked(genes, ["ABC"])) == []


names = st.sampled_from(["ABC1", "abc1", "Abc1", "ABC-1", "X", "tumor ABC1 factor", ""])
genes = st.builds(
    lambda uid, symbol, taxon_id, alias, name, weight: gene(
        uid, symbol or "S", taxon_id, aliases=[alias], name=name, weight=weight
    ),
    st.integers(1, 99),
    names,
    st.sampled_from([HUMAN, MOUSE, RAT, ZEBRAFISH, COW]),
    names,
    names,
    st.integers(0, 3),
)


@given(st.lists(genes, max_size=8), st.sampled_from(["ABC1", "abc1", "Abc1", "ABC-1", "other words"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_scores_are_from_0_to_1_and_never_rise(found, query):
    rows, most = [], 1.0
    for row in ranked(found, [query]):
        rows.append(candidate(row, most=most))
        most = rows[-1].score

    scores = [row.score for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


@given(st.lists(genes, max_size=8, unique_by=lambda found: found.uid), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_order_does_not_depend_on_how_the_genes_came(found, random):
    shuffled = random.sample(found, len(found))

    assert ranked(shuffled, ["ABC1"]) == ranked(found, ["ABC1"])


def test_a_row_is_never_above_the_one_before():
    assert candidate(Ranked.of(gene(1, "ABC"), ["ABC"]), most=0.4).score == 0.4


def test_an_exact_organism_is_checked_by_number_and_another_left_to_the_service():
    cow = replace(gene(1, "TP53", COW), common_name="cattle")

    assert is_of(cow, None)
    assert not is_of(cow, organism("human"))
    assert is_of(cow, organism("9913"))
    assert is_of(cow, organism("Cattle"), is_sure=True)
    assert is_of(cow, organism("Bovidae"))
    assert not is_of(cow, organism("Bovidae"), is_sure=True)


def test_the_match_does_not_depend_on_the_weight():
    heavy = gene(1, "ABC", weight=9)

    assert match(heavy, ["abc"]) == match(replace(heavy, weight=0), ["abc"])
