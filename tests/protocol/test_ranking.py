"""The gene that a name means: decision 0008, tier by tier."""

import itertools
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.words import forms
from biofact.protocol.ranking import (
    Match,
    NameIndex,
    Ranked,
    exact_matches,
    is_another_number,
    match,
    match_by_name,
    match_in_part,
    match_nearby,
    match_notices,
    ranked,
    read_in_part,
    shared,
    shared_match,
)

pytestmark = pytest.mark.quick

HUMAN, MOUSE, RAT, ZEBRAFISH, FLY, WORM, YEAST, COW = 9606, 10090, 10116, 7955, 7227, 6239, 559292, 9913


@dataclass(frozen=True, slots=True)
class Gene:
    """The fewest fields that can be ranked."""

    tie: int
    symbol: str
    taxon_id: int | None = HUMAN
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    is_minor: bool = False
    weight: float = 0.0

    @property
    def id(self) -> str:
        """IDs with a prefix, as in sources."""
        return f"G:{self.tie}"


def gene_with_alias(tie, symbol, alias, taxon_id=HUMAN, **options):
    return Gene(tie, symbol, taxon_id, aliases=(alias,), **options)


def gene_with_name(tie, symbol, name, taxon_id=HUMAN, **options):
    return Gene(tie, symbol, taxon_id, names=(name,), **options)


# For the query "Abc1", from the one that is meant to the one that is farthest.
TIERS = [
    (Gene(40, "Abc1", MOUSE), "symbol"),  # another organism's symbol as it is written there
    (Gene(39, "ABC-1"), "symbol"),  # the human symbol, in another spelling
    (gene_with_alias(38, "X1", "abc1"), "alias"),  # a human alias
    (Gene(37, "abc1", ZEBRAFISH), "symbol"),  # another organism's symbol in another case
    (gene_with_name(36, "X2", "abc1"), "name"),  # a human full name
    (gene_with_name(35, "X3", "ABC1 binding factor"), "text"),  # the words in a human name, side by side
    (gene_with_alias(34, "X4", "Abc1", MOUSE), "alias"),  # another organism's alias
    (gene_with_alias(33, "X5", "Abc-1", MOUSE), "alias"),  # the same, in another spelling
    (gene_with_name(32, "X6", "Abc1", MOUSE), "name"),  # another organism's full name
    (gene_with_name(31, "X7", "binding factor of Abc1", MOUSE), "text"),  # the words in another organism's name
    (Gene(30, "X8"), "text"),  # none of these: it was found by its text
]
GENES = [gene for gene, _ in TIERS]


def symbols_of(genes, query):
    return [row.gene.symbol for row in ranked(genes, forms(query))]


def test_the_tiers_come_in_the_order_of_the_decision():
    ranking = ranked(reversed(GENES), ["Abc1"])

    assert [(row.gene, row.match.kind) for row in ranking] == TIERS


def test_only_matches_by_a_whole_name_or_in_a_human_one_lead():
    assert [row.leads for row in ranked(GENES, ["Abc1"])] == [True] * 9 + [False] * 2


def test_letter_case_decides_the_organism_of_a_symbol(subtests):
    for query, first in [("Trp53", MOUSE), ("TRP53", HUMAN), ("trp53", HUMAN), ("TP53", HUMAN), ("Trp53 gene", MOUSE)]:
        with subtests.test(query=query):
            genes = [gene_with_alias(7157, "TP53", "TRP53"), gene_with_alias(22059, "Trp53", "Tp53", MOUSE)]

            assert ranked(genes, forms(query))[0].gene.taxon_id == first


def test_a_zebrafish_symbol_does_not_pass_a_human_alias_in_any_case(subtests):
    for query in ["HER2", "her2", "Her2", "HER-2", "HER2/neu"]:
        with subtests.test(query=query):
            genes = [Gene(1, "her2", ZEBRAFISH, weight=900), Gene(2064, "ERBB2", aliases=("HER2", "NEU"))]

            assert symbols_of(genes, query)[0] == "ERBB2"


def test_a_human_full_name_stands_before_the_alias_of_another_organism_in_any_spelling():
    aliases = [gene_with_alias(2, "Ilp2", "insulin", FLY), gene_with_alias(3, "Ins1", "In-sulin", MOUSE)]

    assert symbols_of([*aliases, gene_with_name(3630, "INS", "insulin")], "insulin")[0] == "INS"


def test_a_symbol_beats_an_alias_and_an_alias_beats_a_name_within_one_organism(subtests):
    for taxon_id in [HUMAN, MOUSE, COW, None]:
        with subtests.test(taxon_id=taxon_id):
            genes = [
                gene_with_name(1, "X1", "abc", taxon_id),
                gene_with_alias(2, "X2", "Abc", taxon_id),
                Gene(3, "ABC", taxon_id),
            ]

            assert [row.match.kind for row in ranked(genes, ["abc"])] == ["symbol", "alias", "name"]


def test_equal_matches_go_by_organism_then_genes_before_minor_ones_then_weight_then_the_tie():
    genes = [
        Gene(9, "ABC", HUMAN, weight=7),
        Gene(5, "ABC", HUMAN, weight=5),
        Gene(6, "ABC", HUMAN, weight=5),
        Gene(1, "ABC", HUMAN, weight=99, is_minor=True),
        Gene(2, "ABC", MOUSE, weight=99),
        Gene(3, "ABC", RAT),
        Gene(10, "ABC", ZEBRAFISH),
        Gene(11, "ABC", FLY),
        Gene(12, "ABC", WORM),
        Gene(13, "ABC", YEAST),
        Gene(4, "ABC", COW, weight=99),
        Gene(7, "ABC", None, weight=98),
    ]

    assert [row.gene for row in ranked(reversed(genes), ["ABC"])] == genes


def test_equal_words_in_another_order_are_nearly_the_name():
    genes = [gene_with_name(1, "CTNNB1", "catenin beta 1"), gene_with_name(2, "X", "a binder of beta catenin of old")]

    assert [(row.gene.symbol, row.match.kind) for row in ranked(genes, ["beta-catenin"])] == [
        ("CTNNB1", "name"),
        ("X", "text"),
    ]
    assert ranked(genes, ["beta-catenin"])[0].leads


def test_a_word_that_stands_twice_is_another_name():
    genes = [
        gene_with_name(1, "SIGLEC1", "sialic acid binding Ig like lectin 1"),
        Gene(2, "SIGLEC12", designations=("sialic acid-binding Ig-like lectin-like 1",)),
    ]

    answers = ranked(genes, ["sialic acid-binding Ig-like lectin-like 1"])

    assert [(answer.gene.symbol, answer.match.kind) for answer in answers] == [
        ("SIGLEC12", "name"),
        ("SIGLEC1", "text"),
    ]


FULL_NAMES = [  # for "beta actin", from the one that is meant to the one that is farthest
    gene_with_name(9, "OFFICIAL", "beta actin"),
    gene_with_name(8, "UNSPACED", "betaactin"),
    gene_with_name(7, "REORDERED", "actin, beta"),
    Gene(6, "DESIGNATED", designations=("beta-actin",)),
    Gene(5, "DESIGNATED_UNSPACED", designations=("betaactin",)),
    Gene(4, "DESIGNATED_REORDERED", designations=("actin beta",)),
    gene_with_name(3, "FAMILY", "actin (cytoplasmic), beta 2"),
    Gene(2, "DESIGNATED_FAMILY", designations=("actin, beta, 42kDa",)),
    gene_with_name(1, "HOLDS", "a beta actin binder"),
]


@pytest.mark.parametrize("taxon_id", [HUMAN, MOUSE])
def test_an_official_name_in_any_order_stands_before_a_designation_and_this_before_a_name_of_a_family(taxon_id):
    genes = [replace(gene, taxon_id=taxon_id) for gene in FULL_NAMES]

    answers = ranked(reversed(genes), ["beta actin"])

    assert [answer.gene.symbol for answer in answers] == [gene.symbol for gene in genes]
    assert len({answer.match.score for answer in answers}) == len(genes)


def test_hyphens_commas_and_blanks_are_no_difference_between_full_names(subtests):
    for query in ["interleukin 2 receptor alpha", "interleukin-2 receptor, alpha", "Interleukin 2-Receptor \u03b1"]:
        with subtests.test(query=query):
            assert match(gene_with_name(1, "X", "interleukin 2 receptor, alpha"), forms(query)) == Match("name", 0.895)


def test_members_of_a_family_share_its_name_and_a_numbered_name_is_one_member():
    family = [gene_with_name(number, f"ABC{number}", f"interferon lambda {number}") for number in (1, 2, 3)]

    assert len({answer.match for answer in ranked(family, ["interferon lambda"])}) == 1
    assert [answer.gene.symbol for answer in exact_matches(family, ["interferon lambda 2"])] == ["ABC2"]


def test_a_gene_with_the_spelled_letter_leads_one_with_a_latin_letter_for_it(subtests):
    spelled = [
        gene_with_alias(9, "MEANT", "ABC-beta"),
        gene_with_alias(9, "MEANT", "abcbeta"),
        Gene(9, "MEANT", designations=("ABC beta",)),
    ]
    guesses = [Gene(1, "ABCB", weight=9), gene_with_alias(1, "GUESS", "ABC-B", weight=9)]
    for gene, guess, query in itertools.product(spelled, guesses, ["ABC\u03b2", "ABC-\u03b2", "ABC-beta", "ABC beta"]):
        with subtests.test(gene=gene, guess=guess, query=query):
            answers = ranked([guess, gene], forms(query))

            assert [answer.gene for answer in answers] == [gene, guess]
            assert match_notices(query, answers) == []


def test_a_latin_letter_for_a_greek_one_leads_with_a_notice_where_no_gene_has_the_letter():
    genes = [Gene(1, "ABCB", weight=9), gene_with_name(2, "X", "ABC-beta binder"), Gene(3, "ABC")]

    answers = ranked(genes, forms("ABC\u03b2"))

    assert answers[0].gene.symbol == "ABCB"
    (notice,) = match_notices("ABC\u03b2", answers)
    assert notice.code == "ASSUMED"
    assert notice.message == "No gene is called 'ABC\u03b2'; ABCB (G:1) has ABCB, with a Latin letter: a guess."


def test_an_index_finds_what_a_comparison_with_every_gene_finds(subtests):
    genes = [*FULL_NAMES, *GENES, Gene(50, "BACTIN"), gene_with_alias(51, "Y", "beta-actin"), Gene(52, "Abc1b")]
    index = NameIndex(genes)
    for query in [
        "beta-actin",
        "\u03b2-actin",
        "actin beta",
        "ABC1",
        "abc-1",
        "Abc1\u03b2",
        "binding factor ABC1",
        "none",
    ]:
        with subtests.test(query=query):
            assert index.matches(forms(query)) == exact_matches(genes, forms(query))


def test_a_name_that_holds_the_words_is_no_match_by_name_but_better_than_words_elsewhere():
    names = ["an insulin receptor binder", "receptor for human insulin", "receptor for insulins"]
    matches = [match(gene_with_name(1, "X", name), ["insulin receptor"]) for name in names]

    assert [(found.kind, found.is_within_name) for found in matches] == [
        ("text", True),
        ("text", True),
        ("text", False),
    ]
    assert matches[0].score > matches[1].score > matches[2].score


def test_genes_that_lead_by_words_within_longer_names_are_to_be_confirmed():
    genes = [gene_with_name(1, "X", "abc binding kinase"), gene_with_name(2, "Y", "an abc binding kinase")]

    (notice,) = match_notices("abc binding", ranked(genes, forms("abc binding")))

    assert notice.code == "ASSUMED"
    assert notice.message.startswith("No gene is called 'abc binding'; the first rows have it within longer names")
    assert match_notices("abc binding kinase", ranked(genes, forms("abc binding kinase"))) == []


def test_aliases_go_by_weight_before_letter_case():
    genes = [gene_with_alias(1, "X", "abc", weight=9), gene_with_alias(2, "Y", "ABC", weight=5)]

    assert symbols_of(genes, "ABC") == ["X", "Y"]
    assert symbols_of([replace(gene, weight=0) for gene in genes], "ABC") == ["Y", "X"]


def test_a_numbered_name_of_any_kind_is_of_its_family(subtests):
    for name in [
        "abc receptor 2",
        "abc receptor type 1",
        "abc receptor type III",
        "abc receptor 13B",
        "abc receptor A",
    ]:
        with subtests.test(name=name):
            found_match = match_by_name(gene_with_name(1, "X", name), ["abc receptor"])

            assert (found_match is not None) == (name != "abc receptor A")


def test_a_further_name_of_the_query_counts_like_another_spelling():
    gene = Gene(1, "TP53")

    assert match(gene, ["TP53 gene", "TP53"]).kind == "symbol"
    assert match(gene, ["TP53 gene", "TP53"]).score < match(gene, ["TP53"]).score == 1.0


def test_the_match_does_not_depend_on_the_weight_or_place():
    heavy = Gene(1, "ABC", weight=9)

    assert match(heavy, ["abc"]) == match(replace(heavy, weight=0, is_minor=True, tie=7), ["abc"])


def test_genes_that_share_a_symbol_or_alias_are_listed_without_lesser_matches():
    genes = [
        gene_with_alias(8085, "KMT2D", "MLL2"),
        gene_with_alias(9757, "KMT2B", "MLL2"),
        gene_with_alias(3, "MLL2P1", "MLL2", is_minor=True),
        gene_with_alias(4, "Kmt2d", "MLL2", MOUSE),
        gene_with_name(5, "X", "MLL2"),
    ]

    (notice,) = shared_match(ranked(genes, ["MLL2"]))

    assert notice.code == "SHARED_MATCH"
    assert notice.message == "3 genes share the best match (alias): KMT2D (G:8085), KMT2B (G:9757), MLL2P1 (G:3)."
    assert shared(ranked(genes, ["MLL2"])) == [True, True, True, False, False]


def test_a_long_list_of_sharing_genes_is_cut_and_counted():
    (notice,) = shared_match(ranked([Gene(number, "ABC") for number in range(1, 19)], ["ABC"]))

    assert notice.message.startswith("18 genes share the best match (symbol): ABC (G:1), ")
    assert notice.message.endswith("ABC (G:15) and 3 or more others.")


@pytest.mark.parametrize(
    "genes",
    [
        [],
        [Gene(1, "ABC"), gene_with_alias(2, "X", "ABC")],
        [gene_with_name(1, "X", "ABC of cells"), gene_with_name(2, "Y", "ABC of nerves")],
        [Gene(1, "X"), Gene(2, "Y")],
        [Gene(1, "ABC"), Gene(2, "ABC", is_minor=True)],
        [Gene(1, "ABC"), Gene(2, "ABC", COW)],
    ],
    ids=["none", "one is better", "within names", "by text", "one is minor", "one is another organism's"],
)
def test_a_best_match_that_stands_alone_or_is_no_whole_name_is_not_shared(genes):
    assert shared_match(ranked(genes, ["ABC"])) == []


def test_a_gene_called_but_for_a_number_or_a_word_says_so_where_it_is_the_only_one(subtests):
    for name in ["abc homolog 2", "abc homolog protein", "abc (old) homolog", "homolog abc subunit"]:
        with subtests.test(name=name):
            answers = ranked([gene_with_name(1, "X", name)], ["abc homolog"])

            (notice,) = match_notices("abc homolog", answers)

            assert notice.code == "ASSUMED"
            assert notice.message.startswith("X (G:1) is called 'abc homolog' but for a number")
    for names in [["abc homolog"], ["homolog, abc"], ["abc homolog 1", "abc homolog 2"]]:
        with subtests.test(names=names):
            answers = ranked([gene_with_name(number, "X", name) for number, name in enumerate(names)], ["abc homolog"])

            assert [notice.code for notice in match_notices("abc homolog", answers)] == ["SHARED_MATCH"][
                : len(names) - 1
            ]


def test_a_locus_without_a_symbol_has_no_official_name():
    locus = gene_with_name(1, "LOC1", "protein abc homolog", is_minor=True)
    for gene in (
        Gene(2, "X", designations=("protein abc homolog",)),
        gene_with_name(2, "X", "protein abc homolog"),
    ):
        answers = ranked([locus, gene], ["protein abc homolog"])

        assert [answer.gene for answer in answers] == [gene, locus]
        assert shared(answers) == [True, True]


def test_genes_that_share_a_full_name_are_listed():
    genes = [gene_with_name(1, "X", "Abc binding protein"), gene_with_name(2, "Y", "abc-binding protein")]

    (notice,) = shared_match(ranked(genes, ["abc binding protein"]))

    assert notice.message == "2 genes share the best match (name): X (G:1), Y (G:2)."


def test_a_score_is_never_above_the_one_before_and_a_little_less_for_each_organism():
    human, mouse, cow = (Ranked.for_names(Gene(1, "ABC", taxon_id), ["ABC"]) for taxon_id in (HUMAN, MOUSE, COW))

    assert human.score() == 1.0
    assert human.score(0.4) == 0.4
    assert human.score() > mouse.score() > cow.score()
    assert human.score(mouse.score()) == mouse.score()
    assert cow.score(mouse.score()) == cow.score()


def test_a_symbol_with_signs_belongs_to_its_organism_in_any_letter_case(subtests):
    for symbol, taxon_id in [
        ("l(2)gl", FLY),
        ("zgc:171673", ZEBRAFISH),
        ("Gt(ROSA)26Sor", MOUSE),
        ("il17a/f1", ZEBRAFISH),
        ("e(y)2", FLY),
    ]:
        with subtests.test(symbol=symbol):
            genes = [gene_with_alias(1, "HUMAN1", symbol), Gene(2, symbol, taxon_id)]

            assert [row.match.kind for row in ranked(genes, forms(symbol))] == ["symbol", "alias"]
            assert ranked(genes, forms(symbol))[0].match.score == 1.0


def test_a_symbol_without_its_signs_is_another_gene(subtests):
    for query, other in [("Su(z)12", "SUZ12"), ("l(2)gl", "gl"), ("mod(mdg4)", "mod")]:
        with subtests.test(query=query):
            assert match(Gene(1, other), forms(query)).kind == "text"
            assert match(Gene(1, other, FLY), forms(query)).kind == "text"


def test_letter_case_distinguishes_two_symbols_of_one_organism():
    genes = [Gene(1, "su(H)", FLY, weight=9), Gene(2, "Su(H)", FLY)]

    assert symbols_of(genes, "Su(H)") == ["Su(H)", "su(H)"]
    assert symbols_of(genes, "su(H)") == ["su(H)", "Su(H)"]
    assert shared_match(ranked(genes, forms("Su(H)"))) == []
    assert shared_match(ranked(genes, forms("SU(H)")))[0].message.startswith("2 genes share")


def test_a_fragment_matches_an_alias_and_never_a_symbol():
    fragments = ["ERBB2", "HER2"]

    assert match_in_part(Gene(1, "ERBB2"), fragments) == Match("alias", 0.93)
    assert match_in_part(gene_with_alias(1, "X", "HER2"), fragments) == Match("alias", 0.86)
    assert match_in_part(gene_with_name(1, "X", "her2"), fragments).kind == "name"
    assert match_in_part(gene_with_name(1, "X", "binder of HER2"), fragments) == Match("text", 0.3)


def test_every_match_of_a_fragment_leads(subtests):
    for taxon_id in [HUMAN, MOUSE, FLY, None]:
        with subtests.test(taxon_id=taxon_id):
            for gene in (
                Gene(1, "Abc-1", taxon_id),
                gene_with_alias(1, "X", "ABC-1", taxon_id),
                gene_with_name(1, "X", "abc-1", taxon_id),
            ):
                assert match_in_part(gene, ["ABC1"]).leads


def test_a_notice_names_the_fragments():
    notice = read_in_part("ERBB2 (HER2)", ["ERBB2", "HER2"])

    assert notice.code == "ASSUMED"
    assert notice.message == "No gene is called 'ERBB2 (HER2)'; searched its parts 'ERBB2' and 'HER2'."
    assert read_in_part("l(2)gl", ["gl"]).message.endswith("searched its part 'gl'.")


# Searched with one letter left open; the best answer first.
NEAR_NAMES = [
    ("NOTHC1", Gene(1, "NOTHC1"), "symbol"),
    ("NOTHC1", gene_with_name(1, "X", "binder of nothc1"), "text"),
    ("NOTHC1", gene_with_alias(1, "X", "pre NOTHC1"), "text"),
    ("NOTHC1", Gene(1, "NOTCH1"), "near"),
    ("NOTHC1", gene_with_alias(1, "X", "NOTCH1"), "near"),
    ("nothc recepter", gene_with_name(1, "X", "notch receptor"), "near"),
    ("NOTHC1", Gene(1, "OTHER"), "near"),
]


def test_a_near_name_ranks_below_all_matches_of_words():
    matches = [match_nearby(gene, [query]) for query, gene, _ in NEAR_NAMES]

    assert [match.kind for match in matches] == [kind for *_, kind in NEAR_NAMES]
    assert [match.score for match in matches] == sorted({match.score for match in matches}, reverse=True)
    assert [match.is_near_name for match in matches] == [False] * 3 + [True] * 3 + [False]
    assert not any(match.leads for match in matches[2:])


def test_a_name_with_another_digit_is_not_near_but_another_number(subtests):
    for query, symbol in [("BRCA3", "BRCA1"), ("LINC02599", "LINC02593"), ("TP35", "TP53"), ("BRCA", "BRCA1")]:
        with subtests.test(query=query, symbol=symbol):
            for gene in (
                Gene(1, symbol),
                gene_with_alias(1, "X", symbol),
                gene_with_name(1, "X", f"the {symbol} gene"),
            ):
                assert not match_nearby(gene, [query]).is_near_name
                assert is_another_number(gene, [query])
            assert not is_another_number(Gene(1, "OTHER"), [query])
            assert not is_another_number(gene_with_name(1, "X", "vitamin D receptor 1"), ["vitamin A recptor"])


def test_a_word_of_few_letters_has_no_neighbours():
    assert not match_nearby(gene_with_alias(1, "CDK5R1", "p35"), ["TP35"]).is_near_name
    assert match_nearby(Gene(1, "KRAS"), ["KRSA"]).is_near_name


names = st.sampled_from(["ABC1", "abc1", "Abc1", "ABC-1", "X", "tumor ABC1 factor", ""])
genes = st.builds(
    lambda tie, symbol, taxon_id, alias, name, weight: Gene(
        tie, symbol or "S", taxon_id, aliases=(alias,), names=(name,), weight=weight
    ),
    st.integers(1, 99),
    names,
    st.sampled_from([HUMAN, MOUSE, RAT, ZEBRAFISH, COW, None]),
    names,
    names,
    st.integers(0, 3),
)


answers = given(st.lists(genes, max_size=8), st.sampled_from(["ABC1", "abc1", "Abc1", "ABC-1", "other words"]))
orders = given(st.lists(genes, max_size=8, unique_by=lambda gene: gene.tie), st.randoms(use_true_random=False))


@answers
@settings(max_examples=40, deadline=None, derandomize=True)
def test_scores_are_from_0_to_1_and_never_rise(found, query):
    check_scores(found, query)


@pytest.mark.sweep
@answers
@settings(max_examples=200, deadline=None, derandomize=True)
def test_scores_of_many_answers_are_from_0_to_1_and_never_rise(found, query):
    check_scores(found, query)


def check_scores(genes, query):
    scores = [1.0]
    for row in ranked(genes, [query]):
        scores.append(row.score(scores[-1]))

    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


@orders
@settings(max_examples=25, deadline=None, derandomize=True)
def test_the_order_does_not_depend_on_the_order_of_the_genes(found, random):
    check_order(found, random)


@pytest.mark.sweep
@orders
@settings(max_examples=100, deadline=None, derandomize=True)
def test_no_order_depends_on_the_order_of_the_genes(found, random):
    check_order(found, random)


def check_order(genes, random):
    shuffled = random.sample(genes, len(genes))

    assert ranked(shuffled, ["ABC1"]) == ranked(genes, ["ABC1"])
