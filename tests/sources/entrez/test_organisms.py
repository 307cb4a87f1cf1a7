"""Which organism is meant, by name, number or the words of a query."""

import pytest

from biofact.sources.entrez.search.organisms import MODEL_ORGANISMS, ORDER, organism, split_off

HUMAN, MOUSE, ZEBRAFISH, FLY = 9606, 10090, 7955, 7227


@pytest.mark.parametrize(
    "text",
    [
        *("human", "Human", " HUMAN ", "humans", "Homo sapiens", "homo_sapiens", "Homo_sapiens", "H. sapiens"),
        *("9606", "txid9606", "taxid:9606", "taxid 9606", "taxon:9606", "taxon 9606", "tax id 9606"),
        *("taxonomy:9606", "NCBITaxon:9606", "NCBITaxon_9606", "NCBI:txid9606"),
        *("txid9606[Organism]", "human[orgn]", "Homo sapiens (human)", "human (Homo sapiens)"),
    ],
)
def test_a_known_organism_is_meant_in_any_spelling(text):
    found = organism(text)

    assert (found.taxon_id, found.name, found.is_exact) == (HUMAN, "Homo sapiens", True)
    assert found.asked == text


def test_a_known_organism_is_that_taxon_alone():
    assert organism("human").term == "txid9606[Organism:noexp]"


@pytest.mark.parametrize("text", ["9913", "txid9913", "NCBITaxon:9913"])
def test_another_number_is_a_taxon_with_those_below_it(text):
    assert organism(text).term == "txid9913[Organism]"


@pytest.mark.parametrize("text", ["Bos taurus", "bovine", "unicorn", "0", "1234567890"])
def test_what_we_do_not_know_is_left_to_the_service_as_one_phrase(text):
    found = organism(text)

    assert (found.taxon_id, found.term) == (None, f'"{text}"[Organism]')


def test_an_unknown_name_cannot_break_out_of_its_phrase():
    term = organism('x"[orgn] OR (all[filter])').term

    assert term == '"x orgn OR all filter"[Organism]'


@pytest.mark.parametrize(
    ("query", "rest", "taxon_id"),
    [
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
    ],
)
def test_an_organism_at_either_end_of_a_query_is_split_off(query, rest, taxon_id):
    text, found = split_off(query)

    assert (text, found.taxon_id) == (rest, taxon_id)


@pytest.mark.parametrize(
    "query",
    [
        *("mouse double minute 2", "rat sarcoma virus", "yeast two hybrid", "mouse double minute 2 protein"),
        *("human", "zebrafish", "fruit fly", "house mouse", "Homo sapiens", "human gene", ""),
        *("TP53", "insulin receptor", "Rattus", "man TP53", "TP53 man", "TP53 9606"),
    ],
)
def test_other_queries_stay_whole(query):
    assert split_off(query) == (query, None)


def test_human_comes_first_among_equals_and_yeast_last():
    assert list(ORDER) == [9606, 10090, 10116, 7955, 7227, 6239, 559292]
    assert MODEL_ORGANISMS.startswith("txid9606[Organism:noexp] OR txid10090")
