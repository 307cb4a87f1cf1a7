"""Organisms in queries to NCBI Gene; their names are core's."""

import pytest

from biofact.sources.entrez.search.queries import MODEL_ORGANISMS, read_organism, split_off
from tests.each_of import each_of

pytestmark = pytest.mark.quick

HUMAN, ZEBRAFISH = 9606, 7955


@each_of("text", ["human", "Homo_sapiens", "9606", "NCBITaxon:9606", "txid9606[Organism]"])
def test_a_model_organism_is_meant_exactly_and_as_it_was_asked_for(text):
    organism = read_organism(text)

    assert (organism.taxon_id, organism.name, organism.is_exact) == (HUMAN, "Homo sapiens", True)
    assert organism.text == text


def test_a_known_organism_is_that_taxon_alone():
    assert read_organism("human").term == "txid9606[Organism:noexp]"


@each_of("text", ["9913", "txid9913", "NCBITaxon:9913"])
def test_another_number_is_a_taxon_with_those_below_it(text):
    assert read_organism(text).term == "txid9913[Organism]"


@each_of("text", ["Bos taurus", "bovine", "unicorn", "0", "1234567890"])
def test_an_unknown_organism_is_passed_to_the_service_as_a_phrase(text):
    organism = read_organism(text)

    assert (organism.taxon_id, organism.term) == (None, f'"{text}"[Organism]')


def test_an_unknown_name_cannot_break_out_of_its_phrase():
    term = read_organism('x"[orgn] OR (all[filter])').term

    assert term == '"x orgn OR all filter"[Organism]'


def test_an_organism_in_a_query_is_split_off_as_that_taxon_alone():
    text, result = split_off("TP53 zebrafish")

    assert (text, result.taxon_id, result.term) == ("TP53", ZEBRAFISH, "txid7955[Organism:noexp]")
    assert split_off("sonic hedgehog") == ("sonic hedgehog", None)


def test_the_filter_for_all_model_organisms_begins_with_human():
    assert MODEL_ORGANISMS.startswith("txid9606[Organism:noexp] OR txid10090")
