"""The species that is meant by any recorded name or number, or by a word of the query."""

import functools
import json
from collections import Counter

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.core.organisms import MODEL_ORGANISMS
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.parse.genes import NAMES
from biofact.sources.ensembl.search.species import (
    HUMAN,
    SpeciesTable,
    is_beside_symbol,
    may_name_species,
    well_known,
    well_known_in,
)
from tests.each_of import each_of
from tests.recordings import recording

pytestmark = pytest.mark.quick

FILE = "ensembl/info_species_species-bd9eab.json"
COUNT = 342


@functools.cache
def table() -> SpeciesTable:
    return SpeciesTable.from_rows(parse.species(recording(FILE)))


def rows():
    species = json.loads(recording(FILE))["species"]
    assert len(species) == COUNT
    return species


def name_of(text):
    species = table().find(text)
    return species and species.name


def test_every_recorded_species_is_found_by_its_own_name():
    for row in rows():
        for spelling in (row["name"], row["name"].upper(), row["name"].replace("_", " "), f" {row['name']} "):
            assert name_of(spelling) == row["name"]


def test_every_recorded_species_is_found_by_its_display_name_where_no_other_has_it():
    display_names = Counter(row["display_name"].lower() for row in rows())
    unique = {row["name"]: row["display_name"] for row in rows() if display_names[row["display_name"].lower()] == 1}

    assert len(unique) == COUNT - 2  # two sheep
    assert {name: name_of(display) for name, display in unique.items()} == {name: name for name in unique}


def test_every_recorded_taxon_id_finds_a_genome_of_its_taxon_and_the_only_one_there_is():
    genomes = Counter(row["taxon_id"] for row in rows())

    for row in rows():
        species = table().find(row["taxon_id"])
        assert str(species.taxon_id) == row["taxon_id"]
        if genomes[row["taxon_id"]] == 1:
            assert (species.name, species.is_strain) == (row["name"], False)


# Taxa of which strains or breeds have genomes of their own, with the genome of the species.
SPECIES_WITH_STRAINS = {
    "8030": "salmo_salar",
    "8049": "gadus_morhua",
    "8090": "oryzias_latipes",
    "9031": "gallus_gallus",
    "9615": "canis_lupus_familiaris",
    "9823": "sus_scrofa",
    "9925": "capra_hircus",
    "9940": "ovis_aries",
    "10090": "mus_musculus",
    "10116": "rattus_norvegicus",
    "7994": "astyanax_mexicanus",
}


@each_of(("taxon_id", "name"), SPECIES_WITH_STRAINS.items())
def test_a_taxon_id_is_the_species_and_not_one_of_its_strains(taxon_id, name):
    for spelling in (taxon_id, f"txid{taxon_id}", f"NCBITaxon:{taxon_id}", f"taxon {taxon_id}"):
        assert name_of(spelling) == name


def test_a_name_that_strains_share_with_their_species_is_the_species():
    shared = {"mouse": "mus_musculus", "pig": "sus_scrofa", "dog": "canis_lupus_familiaris", "goat": "capra_hircus"}
    shared |= {"chicken": "gallus_gallus", "sheep": "ovis_aries", "Norway rat": "rattus_norvegicus"}

    assert {text: name_of(text) for text in shared} == shared


@each_of(
    ("text", "name"),
    [
        ("C57BL/6NJ", "mus_musculus_c57bl6nj"),
        ("mouse DBA/2J", "mus_musculus_dba2j"),
        ("duroc", "sus_scrofa_gca015776825v1"),
        ("Pig - Duroc", "sus_scrofa_gca015776825v1"),
        ("great_dane", "canis_lupus_familiarisgreatdane"),
        ("great dane", "canis_lupus_familiarisgreatdane"),
    ],
)
def test_a_strain_is_found_by_its_own_name(text, name):
    assert name_of(text) == name


@each_of("text", ["reference", "reference (CL57BL6)", "unicorn", "0", "999999999", "9606 9606"])
def test_a_text_that_is_no_species_is_none(text):
    assert name_of(text) is None


@each_of("text", ["human", "Homo sapiens", "homo_sapiens", "HUMAN", "hsapiens", "h_sapiens", "9606"])
def test_human_has_many_names(text):
    assert name_of(text) == "homo_sapiens"


@each_of(
    ("text", "nearest"),
    [
        ("chiken", "gallus_gallus"),
        ("bos torus", "bos_taurus"),
        ("Mus_musculus_c57bl6", "mus_musculus_c57bl6nj"),
        ("hors", "equus_caballus"),
        ("drosophila melangaster", "drosophila_melanogaster"),
    ],
)
def test_an_unknown_species_is_refused_with_the_nearest_names(text, nearest):
    refusal = table().unknown_species(text)

    assert isinstance(refusal, AmbiguousQuery)
    assert refusal.invalid_input == text
    assert repr(text) in refusal.message
    assert refusal.hint.startswith(f"The nearest are {nearest}")


def test_a_species_that_resembles_none_is_refused_with_some_examples():
    refusal = table().unknown_species("zzzzzz")

    assert "Some are human, mouse, rat, zebrafish, fly, worm, yeast." in refusal.hint
    assert len(table().unknown_species("x" * 500).message) < 200


def test_a_number_has_no_nearest_one():
    assert "Some are human" in table().unknown_species("96066").hint


@each_of(
    ("query", "rest", "name"),
    [
        ("TP53 chicken", "TP53", "gallus_gallus"),
        ("chicken TP53", "TP53", "gallus_gallus"),
        ("TP53 Gallus gallus", "TP53", "gallus_gallus"),
        ("Gallus_gallus TP53", "TP53", "gallus_gallus"),
        ("TP53 in the cow", "TP53", "bos_taurus"),
        ("TP53, dog", "TP53", "canis_lupus_familiaris"),
        ("TP53 (dog)", "TP53", "canis_lupus_familiaris"),
        ("TP53 naked mole-rat", "TP53", "heterocephalus_glaber_male"),
        ("p53 horse", "p53", "equus_caballus"),
        ("cat CAT", "CAT", "felis_catus"),
        ("RELN turkey", "RELN", "meleagris_gallopavo"),
        ("MET hedgehog", "MET", "erinaceus_europaeus"),
        ("horse HLA-DRB1", "HLA-DRB1", "equus_caballus"),
    ],
)
def test_a_species_beside_a_symbol_is_split_off_at_either_end(query, rest, name):
    text, reach = table().split_off(query)

    assert (text, reach.name) == (rest, name)
    assert may_name_species(query)


@each_of(
    "query",
    [
        *("sonic hedgehog", "hedgehog", "turkey", "desert hedgehog", "insulin horse", "TP53", "TP53 BRCA1", "", "9031"),
        *("TP53 9031", "TP53 9606", "reference TP53", "TP53 of unicorns", "chicken", "cat eye syndrome"),
    ],
)
def test_other_queries_stay_whole(query):
    assert table().split_off(query) == (query, None)


@each_of("alias", ["ga", "ss"])
def test_an_alias_of_two_letters_is_a_code_and_no_name_in_a_query(alias):
    short = SpeciesTable.from_rows([parse.Species("gallus_gallus", 9031, ("gallus_gallus", alias))])

    assert short.find(alias).name == "gallus_gallus"
    assert short.split_off(f"TP53 {alias}") == (f"TP53 {alias}", None)


@each_of("query", ["sonic hedgehog", "insulin receptor", "TP53", "tumor protein", ""])
def test_words_and_lone_symbols_need_no_table_of_species(query):
    assert not may_name_species(query)


@each_of("rest", ["TP53", "p53", "MET", "HLA-DRB1", "Trp53", "NKX2-5"])
def test_a_word_like_a_symbol_may_stand_beside_a_species(rest):
    assert is_beside_symbol(rest)


@each_of("rest", ["sonic", "insulin receptor", "TP53 BRCA1", "", "Insulin"])
def test_words_do_not_stand_beside_a_species(rest):
    assert not is_beside_symbol(rest)


def test_a_species_without_a_taxon_id_is_ignored():
    body = b'{"species":[{"name":"a_b","taxon_id":"x"},{"name":"c_d","taxon_id":7},{"taxon_id":"8"},{"name":"e_f"}]}'

    assert SpeciesTable.from_rows(parse.species(body)).by_name.keys() == {"c d", "7"}


def test_the_order_of_the_answer_does_not_matter():
    species = parse.species(recording(FILE))

    assert SpeciesTable.from_rows(reversed(species)).find("9823") == SpeciesTable.from_rows(species).find("9823")
    assert SpeciesTable.from_rows(reversed(species)).find("mouse").name == "mus_musculus"


def test_model_organisms_are_known_without_the_table_and_as_it_has_them():
    for taxon in MODEL_ORGANISMS:
        known_values = well_known(taxon.common[0])
        assert (known_values.name, known_values.taxon_id) == (NAMES[taxon.id], taxon.id)
        assert (name_of(known_values.name), name_of(str(taxon.id))) == (known_values.name, known_values.name)
    assert well_known("chicken") is None
    assert well_known("human") == HUMAN


@each_of(
    ("query", "rest", "name"),
    [
        ("TP53 human", "TP53", "homo_sapiens"),
        ("mouse Trp53", "Trp53", "mus_musculus"),
        ("insulin receptor rat", "insulin receptor", "rattus_norvegicus"),
    ],
)
def test_a_model_organism_is_split_off_without_the_table(query, rest, name):
    text, reach = well_known_in(query)

    assert (text, reach.name) == (rest, name)


@each_of("query", ["TP53", "sonic hedgehog", "mouse double minute 2"])
def test_a_query_without_a_model_organism_stays_whole(query):
    assert well_known_in(query) == (query, None)
