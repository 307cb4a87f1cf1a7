"""Terms by words: right, by synonym, misspelled, of a kind, alike, absent, and when the service fails or lies."""

import pytest

from biofact.core.errors import UpstreamError
from tests.each_of import each_of
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import starter
from tests.sources.igvf.made_graph import failure_of, fixed_lie, run

pytestmark = pytest.mark.quick

PKU, REPAIR = "MONDO:0009861", "R-HSA-73894"


def search_terms(query, *faults, lies=None, **options):
    return run(lambda igvf, _: igvf.search_terms(query, **options), starter(), *faults, lies=lies)


def term_page(query, **options):
    return search_terms(query, **options).answer


def each_found(*queries):
    """The pages for queries, each with its options, one after another."""

    async def ask(igvf, _):
        return [await igvf.search_terms(query, **options) for query, options in queries]

    return run(ask, starter()).answer


EXPECTED = [
    ("phenylketonuria", None, PKU, "name"),
    ("Phenylketonuria", None, PKU, "name"),
    ("PKU", None, PKU, "synonym"),
    ("Folling disease", "disease", PKU, "synonym"),
    ("phenylketonurea", None, PKU, "near"),
    ("alzheimers disease", "disease", "MONDO:0004975", "near"),
    ("Alzheimer's disease", None, "MONDO:0004975", "name"),
    ("Li Fraumeni syndrome", None, "MONDO:0018875", "name"),
    ("familial hypercholesterolaemia", "disease", "MONDO:0005439", "near"),
    ("right lobe of livr", "tissue", "UBERON:0001114", "near"),
    ("liver", "tissue", "UBERON:0002107", "name"),
    ("HeLa", "cell", "CVCL_0030", "name"),
    ("apoptosis", "go", "GO:0006915", "synonym"),
    ("seizures", "phenotype", "HP:0001250", "synonym"),
    ("aspirin", "drug", "PA448497", "name"),
    ("aspirin", "chemical", "CHEBI:15365", "synonym"),
    ("warfarine", "drug", "PA451906", "near"),
    ("dna repair", "pathway", REPAIR, "name"),
    ("erythematosus lupus", "disease", "MONDO:0004670", "text"),
    ("MONDO_0009861", None, PKU, "id"),
    ("R-HSA-73894", None, REPAIR, "id"),
    ("PA448497", None, "PA448497", "id"),
]


def test_the_first_hit_is_what_is_meant_and_says_how_it_matched():
    pages = each_found(*((query, {"kind": kind} if kind else {}) for query, kind, *_ in EXPECTED))
    firsts = [
        (*params[:2], page.items[0].id, page.items[0].match) for params, page in zip(EXPECTED, pages, strict=True)
    ]

    assert [first for first in firsts if first not in EXPECTED] == []


def test_a_hit_names_the_synonym_that_matched():
    best = term_page("PKU").items[0]

    assert (best.name, best.synonym) == ("phenylketonuria", "PKU")


def test_terms_of_one_name_in_several_ontologies_are_all_named():
    page = term_page("systemic lupus erythematosus")

    assert {item.id for item in page.items[:4]} == {"MONDO:0007915", "EFO:0002690", "Orphanet:536", "HP:0002725"}
    assert page.items[0].id == "MONDO:0007915"
    assert "EFO:0002690" in message(page, "SHARED_MATCH")


@each_of("kind", ["disease", "tissue", "cell", "go", "chemical", "drug", "pathway", "phenotype"])
def test_a_kind_keeps_others_out(kind):
    fits = {
        "disease": ("MONDO", "Orphanet", "DOID", "EFO", "NCIT", "Oncotree", "BAO", "OBA"),
        "tissue": ("UBERON",),
        "cell": ("CL", "CLO", "CVCL", "EFO", "NCIT", "BAO", "OBA", "PCL"),
        "go": ("GO",),
        "chemical": ("CHEBI",),
        "drug": ("PA",),
        "pathway": ("R-HSA",),
        "phenotype": ("HP", "EFO", "OBA", "NCIT", "BAO"),
    }[kind]
    queries = ("lupus", "liver", "repair", "warfarin", "cell", "protein")
    items = [item for page in each_found(*((query, {"kind": kind}) for query in queries)) for item in page.items]

    assert items
    assert [item.id for item in items if not item.id.startswith(fits)] == []


def test_scores_never_rise_and_near_comes_last():
    page = term_page("lupus")

    scores = [item.score for item in page.items]
    assert scores == sorted(scores, reverse=True)
    assert {item.match for item in page.items} <= {"synonym", "text"}


def test_a_digit_is_never_a_slip():
    page = term_page("gm12879")

    assert page.items == []
    assert "UNMATCHED" in codes(page)


def test_a_text_that_is_no_term_finds_nothing_and_is_reported():
    page = term_page("zzyzzyx")

    assert page.items == []
    assert page.pagination.total_count == 0
    assert "UNMATCHED" in codes(page)
    assert term_page("MONDO:9999999").items == []


def test_pages_are_the_whole_list():
    async def ask(igvf, _):
        pages = [await igvf.search_terms("lupus", page_size=2)]
        while cursor := pages[-1].pagination.cursor:
            pages.append(await igvf.search_terms("lupus", page_size=2, cursor=cursor))
        return [item.id for page in pages for item in page.items]

    answer = run(ask, starter()).answer
    assert answer == [item.id for item in term_page("lupus").items]
    assert len(answer) > 3


def test_a_failed_side_request_is_reported_and_the_others_are_kept():
    catalog_run = search_terms("phenylketonuria", failure_of("/pathways"))

    assert catalog_run.answer.items[0].id == PKU
    assert "LEG_FAILED" in codes(catalog_run.answer)


def test_a_failure_is_no_empty_list():
    with pytest.raises(UpstreamError):
        search_terms("phenylketonuria", failure_of("/ontology-terms"))


@pytest.mark.parametrize(
    "row",
    [
        {"term_id": "MONDO_0009861", "label": "phenylketonuria"},
        {"id": "MONDO_0009861", "name": "phenylketonuria"},
        {"term_id": None, "name": "phenylketonuria"},
    ],
    ids=["renamed name", "renamed ID", "null ID"],
)
def test_terms_in_another_shape_are_a_failure(row):
    with pytest.raises(UpstreamError):
        search_terms("phenylketonuria", lies={"/ontology-terms": fixed_lie([row])}, kind="disease")


def test_other_terms_than_requested_are_dropped_and_counted():
    other_values = [
        {"uri": "u", "term_id": f"MONDO_000000{position}", "name": f"other {position}"} for position in range(3)
    ]
    page = search_terms("phenylketonuria", lies={"/ontology-terms": fixed_lie(other_values)}, kind="disease").answer

    assert page.items == []
    assert message(page, "DROPPED").endswith(": 3.")


def test_doubled_and_extra_and_null_are_read_as_one():
    row = {"uri": "u", "term_id": "MONDO_0009861", "name": "phenylketonuria", "synonyms": None, "novel": [1]}
    page = search_terms("phenylketonuria", lies={"/ontology-terms": fixed_lie([row, row])}, kind="disease").answer

    assert [item.id for item in page.items] == [PKU]
