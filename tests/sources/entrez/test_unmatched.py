"""The advice of a search without results."""

import pytest

from biofact.core.errors import ToolRef
from biofact.interfaces import every_source
from biofact.interfaces.spelling import Spelling, bare, prefixed
from biofact.sources.entrez.search import notices
from biofact.sources.entrez.search.queries import read_organism
from tests.each_of import each_of
from tests.sources.entrez.test_client import on_sandbox

pytestmark = pytest.mark.quick


def advice(query, **options):
    page = on_sandbox(lambda entrez, _: entrez.search_genes(query, **options))
    assert page.items == []
    return next(notice.message for notice in page.notices if notice.code == "UNMATCHED")


@each_of(
    ("query", "position"),
    [("BRCAA1", None), ("erythropoeitin receptr", "human"), ("BRKA1", "zebrafish"), ("BRKA1", None)],
)
def test_another_database_is_named_for_a_misspelled_name(query, position):
    message = advice(query, organism=position)

    assert "For a misspelt name call ensembl.search_genes: the Ensembl database finds names a letter away." in message


@each_of("query", ["999999999", "zz9", "TP3555", "foo1x[sym] AND human[orgn]"])
def test_numbers_and_syntax_are_not_sent_there(query):
    assert "ensembl" not in advice(query)


def test_organisms_that_ensembl_may_not_have_are_not_sent_there():
    assert "nsembl" not in notices.unmatched("FLOWERX", read_organism("3702"), is_plain=True).message


def test_the_sentence_is_right_where_only_this_source_is_served():
    message = notices.unmatched("BRCAA1", is_plain=True).message
    text = Spelling(every_source, bare, lambda ref: ref.source == "entrez").text(message)
    gateway_message = Spelling(every_source, prefixed).text(message)

    assert "call search_genes of biofact's ensembl server: the Ensembl database finds" in text
    assert "call ensembl_search_genes: the Ensembl database finds" in gateway_message
    assert ToolRef("ensembl", "search_genes") in every_source.listing("ensembl").refs()


@each_of(
    ("name", "query"),
    [
        ("RP11-206L10.2", "{}"),
        ("RP4-669L17.10", "{}"),
        ("CTD-3064M3.3", "{}"),
        ("CTB-61M7.2", "{} human"),
        ("KB-1458E12.1", "{} gene"),
    ],
)
def test_a_name_of_a_clone_says_that_it_is_one(name, query):
    message = advice(query.format(name))

    assert f"{name} is named after a clone" in message
    assert "GRCh37" in message
    assert "misspelt" not in message


@each_of("query", ["KB-ALPHAX", "CTD-", "RP11", "HLA-DRB1x", "RP2-nothing"])
def test_other_names_are_not_mistaken_for_clones(query):
    assert "clone" not in notices.unmatched(query, is_plain=True).message
