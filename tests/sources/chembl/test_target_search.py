"""Targets by name, symbol, synonym and accession: the right one first, and notices if several or none match."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from tests.notices import codes, message
from tests.sources.chembl.made_client import all_pages, fixed_answer, list_answer, run

pytestmark = pytest.mark.quick

EGFR = "CHEMBL:203"


def search(query, *faults, facts=None, **options):
    return run(lambda chembl: chembl.search_targets(query, **options), *faults, facts=facts).answer


def row(uid, name, organism="Homo sapiens", tax_id=9606, **options):
    known_values = {"target_chembl_id": uid, "pref_name": name, "organism": organism, "tax_id": tax_id}
    return {**known_values, "target_type": "SINGLE PROTEIN", "target_components": [], **options}


EXPECTED = [
    ("EGFR", EGFR, "symbol"),
    ("egfr", EGFR, "symbol"),
    ("HER2", "CHEMBL:1824", "synonym"),
    ("COX-2", "CHEMBL:230", "synonym"),
    ("Dopamine receptor", "CHEMBL:2096905", "name"),
    ("hERG", "CHEMBL:240", "name"),
    ("P00533", EGFR, "id"),
    ("UniProtKB:P00533", EGFR, "id"),
    ("CHEMBL203", EGFR, "id"),
    ("A549", "CHEMBL:392", "name"),
]


def test_the_target_that_is_meant_comes_first():
    async def ask(chembl):
        return [(await chembl.search_targets(query)).items[:1] for query, _, _ in EXPECTED]

    firsts = run(ask).answer
    pairs = [(query, row.id, row.match) for (query, *_), rows in zip(EXPECTED, firsts, strict=True) for row in rows]

    assert pairs == EXPECTED


def test_a_symbol_says_less_of_a_family_than_of_the_protein():
    rows = search("EGFR").items

    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    assert (rows[0].target_type, {row.score for row in rows[1:]}) == ("SINGLE PROTEIN", {0.9})


def test_targets_that_answer_equally_well_are_all_named():
    twins = [row("CHEMBL7", "Kinase X"), row("CHEMBL8", "Kinase X", "Mus musculus", 10090)]
    page = search("Kinase X", facts={"target": twins})

    assert [item.organism for item in page.items] == ["Homo sapiens", "Mus musculus"]
    assert {"CHEMBL:7", "CHEMBL:8"} <= {word.strip("(),;.") for word in message(page, "SHARED_MATCH").split()}


def test_all_components_are_listed_for_the_id_and_five_else():
    [whole] = search("CHEMBL:2363065").items
    cut = next(item for item in search("Mitochondrial complex I").items if item.id == whole.id)

    assert len(whole.uniprot) == cut.component_count > 40
    assert cut.uniprot == whole.uniprot[:5]


def test_a_text_that_is_no_target_finds_nothing_and_gets_a_reason(subtests):
    for query in ["xyzzyquux", "UniProtKB:P99999", "CHEMBL25", "CHEMBL:99999999"]:
        with subtests.test(query=query):
            page = search(query)

            assert (page.items, codes(page)) == ([], ["UNMATCHED"])


def test_targets_of_other_organisms_are_dropped_and_a_page_of_them_is_refused():
    rows = [row("CHEMBL7", "Kinase X"), row("CHEMBL8", "Kinase X", "Mus musculus", 10090)]
    page = search("Kinase X", fixed_answer(list_answer("targets", rows), "target"), organism="mouse")

    assert [item.id for item in page.items] == ["CHEMBL:8"]
    assert "DROPPED" in codes(page)
    with pytest.raises(UpstreamError, match="other organisms"):
        search("Kinase X", fixed_answer(list_answer("targets", rows[:1]), "target"), organism="mouse")


@pytest.mark.parametrize(
    "bodies",
    [
        [{}, {"targets": [{"targetChemblId": "CHEMBL203"}]}, {"targets": [None]}],
        pytest.param([{"target": []}, {"targets": None}, []], marks=pytest.mark.sweep),
    ],
    ids=["few", "others"],
)
def test_a_renamed_field_or_another_shape_is_never_an_empty_list(bodies, subtests):
    for body in bodies:
        with subtests.test(body=body), pytest.raises(UpstreamError):
            search("EGFR", fixed_answer(body, "target"))


def test_while_the_search_fails_targets_of_exactly_this_name_are_listed():
    page = search("EGFR", Fault("status", path="/target/search", status=500, times=None))

    assert page.items[0].id == EGFR
    assert "LEG_FAILED" in codes(page)


def test_doubled_rows_are_listed_once_and_numbers_as_text_are_read():
    rows = [row("CHEMBL7", "Kinase X", tax_id="9606"), row("CHEMBL7", "Kinase X", tax_id="9606")]
    page = search("Kinase X", fixed_answer(list_answer("targets", rows), "target"), organism="human")

    assert [item.id for item in page.items] == ["CHEMBL:7"]


def test_pages_are_the_whole_list():
    async def ask(chembl):
        async def get_page(**options):
            return await chembl.search_targets("receptor", **options)

        return await all_pages(get_page, 3), await all_pages(get_page, 100)

    small, large = run(ask).answer
    ids = [item.id for page in small for item in page.items]

    assert ids == [item.id for page in large for item in page.items]
    assert len(ids) == len(set(ids)) > 10
