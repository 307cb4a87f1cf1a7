"""The stand-in for ChEMBL: the search for words."""

import pytest

from tests.sources.chembl.made_compounds import AAA_KEY, chembl, document_of, ids, molecule, refusal

pytestmark = pytest.mark.quick

SEARCH = "/molecule/search.json"


def test_any_word_finds_and_the_best_name_leads(subtests: pytest.Subtests) -> None:
    cases = [
        ("aaanol", ["CHEMBL1", "CHEMBL2", "CHEMBL10"]),
        ("AAANOL", ["CHEMBL1", "CHEMBL2", "CHEMBL10"]),
        ("aaanol mesylate", ["CHEMBL2", "CHEMBL1", "CHEMBL10"]),
        ("mesylate nothing", ["CHEMBL2"]),
        ("alphadrine", ["CHEMBL1", "CHEMBL2"]),
        ("AX-100", ["CHEMBL1"]),
        ("chembl5", ["CHEMBL5"]),
        ("betamab", ["CHEMBL3"]),
        ("beta", []),
        ("betamap", []),
        ("...", []),
    ]
    for query, result in cases:
        with subtests.test(query=query):
            assert ids(SEARCH, q=query) == result


def test_a_hit_is_the_molecule_with_its_score() -> None:
    [hit] = document_of(SEARCH, q="betamab")["molecules"]

    score = hit.pop("score")
    assert isinstance(score, int)
    assert score > 0
    assert hit == document_of("/molecule/CHEMBL3.json")


def test_scores_never_rise_and_rank_the_better_first() -> None:
    result = document_of(SEARCH, q="aaanol")
    scores = [hit["score"] for hit in result["molecules"]]

    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]
    assert result["page_meta"]["total_count"] == 3


def test_hits_can_be_filtered_trimmed_and_paged() -> None:
    result = document_of(SEARCH, q="aaanol", max_phase__gte=4, limit=1, only="molecule_chembl_id,score")
    trimmed = document_of(SEARCH, q="aaanol", only="molecule_chembl_id")["molecules"]

    assert [list(hit) for hit in result["molecules"]] == [["molecule_chembl_id", "score"]]
    assert result["page_meta"]["total_count"] == 2
    assert result["page_meta"]["next"].startswith("/chembl/api/data/molecule/search.json?q=aaanol&")
    assert trimmed[0] == {"molecule_chembl_id": "CHEMBL1"}
    assert ids(SEARCH, q="aaanol", offset=1) == ["CHEMBL2", "CHEMBL10"]


def test_a_query_is_needed_and_has_three_characters() -> None:
    assert refusal(SEARCH) == "No search query provided"
    assert refusal(SEARCH, q="") == "No search query provided"
    assert refusal(SEARCH, q="ab") == "Search query too short"


def test_an_inchi_key_finds_its_molecule_and_then_the_whole_table() -> None:
    result = document_of(SEARCH, q=AAA_KEY)
    scores = [hit["score"] for hit in result["molecules"]]

    assert result["molecules"][0]["molecule_chembl_id"] == "CHEMBL1"
    assert result["page_meta"]["total_count"] == 5
    assert scores == sorted(scores, reverse=True)
    assert len(ids(SEARCH, q="Z" * 14 + "-UHFFFAOYSA-N")) == 5


def test_ten_thousand_hits_can_be_reached() -> None:
    repeat = molecule("CHEMBL0", "SAME")
    standin = chembl({"molecule": [repeat | {"molecule_chembl_id": f"CHEMBL{number}"} for number in range(10_005)]})

    last = document_of(SEARCH, standin=standin, q="same", offset=9_999, limit=10)
    past_end = document_of(SEARCH, standin=standin, q="same", offset=10_000)

    assert len(last["molecules"]) == 1
    assert past_end["molecules"] == []
    assert past_end["page_meta"]["total_count"] == 10_005


def test_nothing_is_found_where_nothing_is() -> None:
    assert document_of(SEARCH, standin=chembl({}), q="aspirin")["molecules"] == []
