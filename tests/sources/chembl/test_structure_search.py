"""Compounds similar to a structure, or with it as a part: verified row by row, and honest if the service lies."""

import json

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.sources.chembl import parse
from tests.notices import codes, message
from tests.recordings import needs_recordings, recording
from tests.sources.chembl.made_client import fixed_answer, list_answer, run

pytestmark = pytest.mark.quick

ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"


def search(structure, *faults, **options):
    return run(lambda chembl: chembl.search_structures(structure, **options), *faults).answer


def hit(uid, similarity="80.5", formula="C9H8O4"):
    row = {"molecule_chembl_id": uid, "pref_name": uid, "molecule_properties": {"full_molformula": formula}}
    return row if similarity is None else {**row, "similarity": similarity}


def test_the_structure_itself_is_the_most_similar():
    page = search(ASPIRIN, threshold=40)

    assert (page.items[0].id, page.items[0].similarity, page.items[0].score) == ("CHEMBL:25", 100.0, 1.0)
    assert all(item.similarity >= 40 for item in page.items)
    assert [item.score for item in page.items] == sorted((item.score for item in page.items), reverse=True)


def test_compounds_with_a_substructure_come_lightest_first():
    weights = [item.molecular_weight for item in search("c1ccccc1C(=O)O", mode="substructure").items]

    assert weights[0] == 180.16
    assert weights == sorted(weights)


def test_a_structure_that_cannot_be_compared_is_refused(subtests):
    for structure, error, options in [
        ("aspirin", UnresolvedEntity, {}),
        ("CHEMBL:203", UnresolvedEntity, {}),
        ("CHEMBL:99999999", EntityNotFound, {}),
        ("CHEMBL:1201580", EntityNotFound, {}),
        ("CCO", AmbiguousQuery, {"mode": "substructure"}),
        (ASPIRIN, AmbiguousQuery, {"threshold": 39}),
    ]:
        with subtests.test(structure=structure, error=error, options=options), pytest.raises(error):
            search(structure, **options)


def test_nothing_alike_says_what_to_try():
    page = search("CCCCCCCCCCCCCCCCCCCC", threshold=100)

    assert (page.items, codes(page)) == ([], ["UNMATCHED"])


def test_rows_below_the_threshold_are_dropped_and_counted():
    rows = [hit("CHEMBL7"), hit("CHEMBL8", 12), hit("CHEMBL9", None), hit("CHEMBL10", 99.5)]
    page = search(ASPIRIN, fixed_answer(list_answer("molecules", rows), "similarity"))

    assert [(item.id, item.similarity) for item in page.items] == [("CHEMBL:10", 99.5), ("CHEMBL:7", 80.5)]
    assert message(page, "DROPPED").endswith(": 2.")


def test_a_hit_without_the_atoms_of_the_structure_is_dropped():
    rows = [hit("CHEMBL7", None), hit("CHEMBL8", None, "C2H6O")]
    page = search("c1ccccc1C(=O)O", fixed_answer(list_answer("molecules", rows), "substructure"), mode="substructure")

    assert [item.id for item in page.items] == ["CHEMBL:7"]
    assert message(page, "DROPPED").endswith(": 1.")


def test_a_renamed_field_or_another_shape_is_never_an_empty_list(subtests):
    for body in [
        list_answer("molecules", [{"molecule_chembl_id": "CHEMBL7", "likeness": "80"}]),
        list_answer("molecules", [{"chemblId": "CHEMBL7", "similarity": "80"}]),
        list_answer("molecules", [], total=5),
        {"molecules": None},
        {"compounds": []},
        [],
        {},
    ]:
        with subtests.test(body=body), pytest.raises(UpstreamError):
            search(ASPIRIN, fixed_answer(body, "similarity"))


@needs_recordings
def test_a_recorded_page_is_read_with_its_similarities():
    body = recording("chembl/similarity_Page1_ws.json")
    expected = [
        (molecule["molecule_chembl_id"], float(molecule["similarity"])) for molecule in json.loads(body)["molecules"]
    ]
    hits = parse.hits(body)

    assert [(molecule.id, molecule.similarity) for molecule in hits.entries] == expected
    assert (len(expected), hits.total) == (20, 588)
