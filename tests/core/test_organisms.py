"""The organism in a name, a number or the words of a query."""

import pytest

from biofact.core.organisms import EXAMPLES, MODEL_ORGANISMS, ORDER, cuts, is_name, split_off, taxon, taxon_id

pytestmark = pytest.mark.quick

HUMAN, MOUSE, ZEBRAFISH, FLY = 9606, 10090, 7955, 7227


def test_a_model_organism_is_meant_in_any_spelling(subtests):
    cases = [
        *("human", "Human", " HUMAN ", "humans", "Homo sapiens", "homo_sapiens", "Homo_sapiens", "H. sapiens"),
        *("9606", "txid9606", "taxid:9606", "taxid 9606", "taxon:9606", "taxon 9606", "tax id 9606"),
        *("taxonomy:9606", "NCBITaxon:9606", "NCBITaxon_9606", "NCBI:txid9606"),
        *("txid9606[Organism]", "human[orgn]", "Homo sapiens (human)", "human (Homo sapiens)"),
    ]
    for text in cases:
        with subtests.test(text=text):
            assert taxon(text) == MODEL_ORGANISMS[0]
            assert (taxon(text).id, taxon(text).name) == (HUMAN, "Homo sapiens")


def test_every_model_organism_is_found_by_each_of_its_names_and_its_number():
    for organism in MODEL_ORGANISMS:
        for text in (organism.name, *organism.common, str(organism.id), organism.name.upper()):
            assert taxon(text) is organism


def test_other_organisms_are_not_known_here(subtests):
    for text in ["Bos taurus", "9913", "unicorn", "", "0", "1234567890", "sapiens", "human mouse"]:
        with subtests.test(text=text):
            assert taxon(text) is None


def test_a_taxon_id_is_read_in_any_spelling(subtests):
    cases = [
        *((text, 9913) for text in ("9913", " 9913 ", "txid9913", "NCBITaxon:9913", "taxonomy id 9913", "9913 (cow)")),
        *((text, None) for text in ("cow", "0", "-5", "09913", "1234567890", "9913x", "\u0669\u0669\u0661\u0663")),
    ]
    for text, number in cases:
        with subtests.test(text=text):
            assert taxon_id(text) == number


def test_human_comes_first_among_equals_and_yeast_last():
    assert list(ORDER) == [9606, 10090, 10116, 7955, 7227, 6239, 559292]
    assert list(ORDER.values()) == list(range(7))
    assert EXAMPLES == "human, mouse, rat, zebrafish, fly, worm, yeast"


CUT = [
    ("TP53 zebrafish", "TP53", ZEBRAFISH),
    ("TP53 Danio rerio", "TP53", ZEBRAFISH),
    ("TP53 in humans", "TP53", HUMAN),
    ("Trp53 in the mouse", "Trp53", MOUSE),
    ("TP53, human", "TP53", HUMAN),
    ("TP53 (human)", "TP53", HUMAN),
    ("TP53 (Homo sapiens)", "TP53", HUMAN),
    ("TP53 [human]", "TP53", HUMAN),
    ("TP53; human", "TP53", HUMAN),
    ("TP53 human?", "TP53", HUMAN),
    ("human: TP53", "TP53", HUMAN),
    ("human insulin receptor", "insulin receptor", HUMAN),
    ("mouse Trp53", "Trp53", MOUSE),
    ("fruit fly white", "white", FLY),
    ("TP53 human gene", "TP53 gene", HUMAN),
    ("mouse Trp53 gene", "Trp53 gene", MOUSE),
    ("human prion protein", "prion protein", HUMAN),
    ("fly Su(H)", "Su(H)", FLY),
    ("Su(H) fly", "Su(H)", FLY),
    ("Su(H) (fly)", "Su(H)", FLY),
    ("Su(H) gene of Drosophila", "Su(H) gene", FLY),
    ("(Su(H) fly)", "Su(H)", FLY),
    ("fly su(w[a]) gene", "su(w[a]) gene", FLY),
    ("zebrafish zgc:171673", "zgc:171673", ZEBRAFISH),
]


def test_an_organism_at_either_end_of_a_query_is_split_off(subtests):
    for query, rest, number in CUT:
        with subtests.test(query=query):
            text, organism = split_off(query)

            assert (text, organism.id) == (rest, number)


def test_other_queries_stay_whole(subtests):
    cases = [
        *("mouse double minute 2", "rat sarcoma virus", "yeast two hybrid", "mouse double minute 2 protein"),
        *("human", "zebrafish", "fruit fly", "house mouse", "Homo sapiens", "human gene", ""),
        *("lines homolog (Drosophila)", "sal-like 3 (Drosophila)", "par-6 homolog (C. elegans) gene"),
        *("TP53", "insulin receptor", "Rattus", "man TP53", "TP53 man", "TP53 9606"),
    ]
    for query in cases:
        with subtests.test(query=query):
            assert split_off(query) == (query, None)


def test_a_query_is_cut_at_both_ends_the_longest_name_first():
    all_cuts = cuts("A B C D")

    assert [(cut.name, cut.rest, cut.is_at_end) for cut in all_cuts] == [
        ("b c d", "A", True),
        ("a b c", "D", False),
        ("c d", "A B", True),
        ("a b", "C D", False),
        ("d", "A B C", True),
        ("a", "B C D", False),
    ]
    assert [cut.leaves_one_word for cut in all_cuts] == [True, True, False, False, False, False]


def test_a_single_word_cannot_be_cut(subtests):
    for query in ["", "TP53", "(TP53)", "TP53 gene"]:
        with subtests.test(query=query):
            assert cuts(query) == []


def test_a_last_generic_word_stays_with_the_rest():
    assert [(cut.name, cut.rest) for cut in cuts("mouse Trp53 gene")] == [
        ("trp53", "mouse gene"),
        ("mouse", "Trp53 gene"),
    ]


def test_a_name_is_one_that_a_query_may_hold(subtests):
    for text, claim in [("Fruit fly", True), ("(mouse)", True), ("man", False), ("9606", False)]:
        with subtests.test(text=text):
            assert is_name(text) is claim
