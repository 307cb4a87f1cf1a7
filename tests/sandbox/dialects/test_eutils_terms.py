"""The term language: the hits of a term, and its translation by esearch."""

import re
from collections.abc import Sequence

import pytest

from biofact.sandbox.dialects.eutils import terms
from tests.recordings import recording
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick

HUMAN, MOUSE, FISH = "7157", "22059", "30590"
GENES = ThreeGenes()


def matching_ids(term: str) -> set[str]:
    return terms.read(term, GENES).uids


def test_a_term_finds_what_it_names(subtests: pytest.Subtests) -> None:
    cases = [
        ("TP53[sym]", {HUMAN, FISH}),
        ("tumor protein p53[title]", {HUMAN, FISH}),
        ('"tumor protein p53"[title]', {HUMAN, FISH}),
        ("tr*[sym]", {MOUSE}),
        ("TP53[sym] AND human[orgn]", {HUMAN}),
        ("TP53[sym] human[orgn]", {HUMAN}),
        ("human[orgn] OR mouse[orgn]", {HUMAN, MOUSE}),
        ("alive[prop] NOT human[orgn]", {MOUSE, FISH}),
        ("NOT human[orgn]", {MOUSE, FISH}),
        ("7157:22059[uid]", {HUMAN, MOUSE}),
        ("2024:2025[mdat]", {HUMAN}),
        ('"2024"[mdat] : "2025"[mdat]', {HUMAN}),
        ("genetype protein coding[prop] AND 17[chr]", {HUMAN}),
        ("protein", {HUMAN, MOUSE, FISH}),
        ("TP53 zebrafish", {FISH}),
        ("", set()),
        ("()", set()),
        ("AND", set()),
    ]
    for term, uids in cases:
        with subtests.test(term=term):
            assert matching_ids(term) == uids


def test_operators_apply_in_written_order_without_precedence() -> None:
    # OR first, because it stands first: (human OR mouse) AND chromosome 11
    assert matching_ids("human[orgn] OR mouse[orgn] AND 11[chr]") == {MOUSE}
    assert matching_ids("human[orgn] OR (mouse[orgn] AND 11[chr])") == {HUMAN, MOUSE}


def test_lower_case_operators_are_words_and_ignored() -> None:
    text = terms.read("tumor and protein", GENES)

    assert text.uids == {HUMAN, FISH}
    assert text.phrases_ignored == ["and"]


def test_a_word_that_is_not_known_is_dropped_and_the_rest_is_searched() -> None:
    text = terms.read("fleegle AND human[orgn]", GENES)

    assert text.uids == {HUMAN}
    assert text.phrases_not_found == ["fleegle"]
    assert text.translation == '"Homo sapiens"[Organism]'


def test_a_term_of_which_nothing_is_known_finds_nothing(subtests: pytest.Subtests) -> None:
    for term in ["fleegle", "fleegle AND floogle", "(fleegle)", "NOT fleegle", "fleegle[sym]"]:
        with subtests.test(term=term):
            text = terms.read(term, GENES)

            assert (text.uids, text.stack) == (set(), [])
            assert text.messages == ["No items found."]


def test_a_known_phrase_that_excludes_everything_is_not_a_phrase_not_found() -> None:
    text = terms.read("TP53[sym] AND mouse[orgn]", GENES)

    assert (text.uids, text.phrases_not_found, text.messages) == (set(), [], ["No items found."])


def test_an_unknown_field_is_reported_and_all_fields_are_searched() -> None:
    text = terms.read("TP53[shoesize]", GENES)

    assert text.uids == {HUMAN, FISH}
    assert text.fields_not_found == ["shoesize"]
    assert text.translation == "TP53[All Fields]"


def test_a_quoted_phrase_that_is_not_known_is_searched_word_by_word() -> None:
    text = terms.read('"p53 tumor"', GENES)

    assert text.uids == {HUMAN, FISH}
    assert text.quoted_phrases_not_found == ['"p53 tumor"']


def test_unbalanced_parentheses_are_a_warning(subtests: pytest.Subtests) -> None:
    for term in ["(human[orgn]", "human[orgn])", "((human[orgn]) OR (mouse[orgn]"]:
        with subtests.test(term=term):
            text = terms.read(term, GENES)

            assert HUMAN in text.uids
            assert text.messages == ["Unbalanced parentheses."]


def test_very_deep_parentheses_are_read() -> None:
    assert matching_ids("(" * 5000 + "TP53[sym]" + ")" * 5000) == {HUMAN, FISH}


def test_earlier_results_are_named_by_their_number() -> None:
    text = terms.read("#1 AND human[orgn]", GENES, sets={"1": [HUMAN, FISH]})

    assert text.uids == {HUMAN}


def test_the_translation_says_what_was_searched(subtests: pytest.Subtests) -> None:
    cases = [
        ("TP53", "TP53[All Fields]"),
        ("human[orgn]", '"Homo sapiens"[Organism]'),
        ("vertebrates[orgn]", "vertebrates[orgn]"),  # several organisms: no one name
        ("txid9606[orgn]", "txid9606[orgn]"),
        ("TP53[sym] AND alive[prop]", "TP53[sym] AND alive[prop]"),
        ("TP53 human[orgn]", 'TP53[All Fields] AND "Homo sapiens"[Organism]'),
        ("(TP53[sym] OR p53) AND human[orgn]", '(TP53[sym] OR p53[All Fields]) AND "Homo sapiens"[Organism]'),
        ("TP53[sym] OR (p53 OR tumor)", "TP53[sym] OR p53[All Fields] OR tumor[All Fields]"),
        ("p53 NOT (tumor NOT protein)", "p53[All Fields] NOT (tumor[All Fields] NOT protein[All Fields])"),
        ("zebrafish", '"Danio rerio"[Organism] OR zebrafish[All Fields]'),
        ("TP53 zebrafish", 'TP53[All Fields] AND ("Danio rerio"[Organism] OR zebrafish[All Fields])'),
    ]
    for term, translation in cases:
        with subtests.test(term=term):
            assert terms.read(term, GENES).translation == translation


def test_a_name_of_an_organism_is_reported_as_its_scientific_name() -> None:
    assert terms.read("human[orgn]", GENES).translations == [("human[orgn]", '"Homo sapiens"[Organism]')]
    assert terms.read('"Homo sapiens"[Organism]', GENES).translations == []


STEM_CELLS = """
("stem cells"[MeSH Terms] OR ("stem"[All Fields] AND "cells"[All Fields]) OR "stem cells"[All Fields]) AND hasabstract
"""


class EveryWord:
    """A database with every phrase in every field, so that a translation depends on the term alone."""

    def lookup(self, field: str, phrase: str) -> Sequence[str]:
        return [] if field == "organism" else ["1"]

    def all_uids(self) -> list[str]:
        return ["1"]

    def docsum(self, uid: str) -> None:
        return None


def test_translation_and_stack_have_the_recorded_form(subtests: pytest.Subtests) -> None:
    cases = [
        ("OCRL", "entrez/esearch_medgen_test_esearch_0.xml"),
        ("biomol trna[prop]", "entrez/biopython_esearch6.xml"),
        ("Salmo[Next Level] AND Salmoninae[subtree]", "entrez/esearch_taxonomy_children_with_id.yml_1.xml"),
        ("Altman R[Author]", "pubmed/sul_esearch_Pubmed_Client__search_returns_a_list_0.xml"),
        (
            "(Altman R[Author]) AND 2019/01/05[EDAT] : 2019/04/05[EDAT]",
            "pubmed/sul_esearch_Pubmed_Client__search_returns_a_smaller_list_0.xml",
        ),
        (
            "((Altman, Russ[Full Author Name]) OR (Altman R[Author])) AND (Stanford University[Affiliation])",
            "pubmed/sul_esearch_Pubmed_QueryAuthor__pmids_returns_a_list_1.xml",
        ),
        (STEM_CELLS, "entrez/biopython_esearch5.xml"),
    ]
    for term, name in cases:
        with subtests.test(term=term, name=name):
            recorded_text = recording(name).decode()
            stack = re.findall(r"<(?:Term|OP)>([^<]+)</(?:Term|OP)>", recorded_text)
            translation = re.findall(r"<QueryTranslation>([^<]+)<", recorded_text)

            text = terms.read(term, EveryWord())

            assert [text.translation] == translation
            assert [item if isinstance(item, str) else item.term for item in text.stack] == stack
