"""The acceptance scenarios and edge cases of specification 002, through a real MCP client on the sandbox."""

import functools
import json

import pytest

from biofact.sandbox import Fault
from tests.marks import requirement
from tests.served import replies, server_of

pytestmark = pytest.mark.quick

ASPIRIN, IMATINIB = "CHEMBL:25", "CHEMBL:941"
DOWN = Fault("status", status=503, times=None)
THROTTLED = Fault("status", status=429, headers={"Retry-After": "40"}, times=None)


def answers(*calls, faults=()):
    """The answers of the server of this source alone to these calls, one after another.

    A call may be a function of the answer before it.
    """

    return replies(*calls, server=server_of("chembl"), faults=faults)


def answer(tool, *, faults=(), **arguments):
    if faults:
        return answers((tool, arguments), faults=faults)[0]
    return undisturbed_answer(tool, json.dumps(arguments, sort_keys=True))


@functools.cache
def undisturbed_answer(tool, arguments):
    """The answer of a server of its own to a call, shared by several tests."""
    return answers((tool, json.loads(arguments)))[0]


# Story 1: fuzzy compound search


@requirement("002 US1-1", "002 FR-021", "002 KE-Candidate")
def test_a_common_name_gives_ranked_candidates_with_their_properties():
    page = answer("search_compounds", query="imatinib").body

    assert set(page["pagination"]) == {"cursor", "total_count", "page_size"}
    assert page["pagination"]["page_size"] == 50
    first = page["items"][0]
    assert (first["id"], first["name"], first["score"], first["match"]) == (IMATINIB, "IMATINIB", 1.0, "name")
    assert (first["molecular_formula"], first["max_phase"]) == ("C29H31N7O", 4.0)
    assert first["molecule_type"] == "Small molecule"


@requirement("002 US1-2", "002 FR-005")
def test_two_characters_of_a_name_are_enough():
    expected = {"im": IMATINIB, "imat": IMATINIB, "asp": ASPIRIN}
    pages = answers(*(("search_compounds", {"query": query}) for query in expected))
    ids = {query: [row["id"] for row in page.body["items"][:5]] for query, page in zip(expected, pages, strict=True)}

    assert {query: ids for query, ids in ids.items() if expected[query] not in ids} == {}


@requirement("002 US1-2")
def test_a_name_may_be_misspelled():
    assert answer("search_compounds", query="imatinb").body["items"][0]["id"] == IMATINIB


@requirement("002 US1-3")
def test_a_cursor_leads_on_through_the_ranked_results():
    first = answer("search_compounds", query="acid", page_size=2).body
    second = answer("search_compounds", query="acid", page_size=2, cursor=first["pagination"]["cursor"]).body

    rows = [*first["items"], *second["items"]]
    assert len({row["id"] for row in rows}) == 4
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)


@requirement("002 US1-4")
def test_slim_results_hold_identity_score_and_match():
    for row in answer("search_compounds", query="imatinib", slim=True).body["items"]:
        assert set(row) <= {"id", "name", "molecular_formula", "score", "match"}
        assert set(row) >= {"id", "name", "score", "match"}


@requirement("002 FR-022")
def test_a_page_has_one_to_a_hundred_rows():
    sizes = (0, 101, "many", 1, 100)
    answer = answers(*(("search_compounds", {"query": "acid", "page_size": size}) for size in sizes))

    assert [item.code for item in answer] == [*["AMBIGUOUS_QUERY"] * 3, *["found"] * 2]


@requirement("002 SC-003")
def test_well_known_drugs_lead():
    names = ("aspirin", "imatinib", "metformin")
    pages = answers(*(("search_compounds", {"query": name}) for name in names))

    assert [[row["name"] for row in page.body["items"][:1]] for page in pages] == [[name.upper()] for name in names]


# Story 2: strict compound lookup


@requirement("002 US2-1", "002 FR-010")
def test_an_id_gives_the_whole_compound():
    compound = answer("get_compound", chembl_id=ASPIRIN, include=["chemistry"]).body

    assert (compound["id"], compound["name"], compound["canonical_name"]) == (ASPIRIN, "ASPIRIN", "ASPIRIN")
    assert compound["smiles"] == "CC(=O)Oc1ccccc1C(=O)O"
    assert compound["inchi"] == "InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)"
    assert compound["inchi_key"] == "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"
    assert (compound["molecular_weight"], compound["molecular_formula"]) == (180.16, "C9H8O4")
    assert (compound["category"], compound["release"]) == ("biolink:SmallMolecule", "ChEMBL_37")
    assert "Acetylsalicylic Acid" in compound["synonyms"]


@requirement("002 US2-2", "002 FR-017")
def test_a_compound_leads_to_its_target_proteins():
    compound = answer("get_compound", chembl_id=ASPIRIN, include=["mechanisms"]).body

    assert compound["cross_references"]["uniprot"] == ["UniProtKB:P23219", "UniProtKB:P35354"]
    assert compound["mechanisms"][0]["target"] == "CHEMBL:2094253"


@requirement("002 US2-3", "002 US3-2", "002 FR-018", "002 FR-019")
def test_a_compound_leads_to_structures_and_pubchem():
    xrefs = answer("get_compound", chembl_id=ASPIRIN).body["cross_references"]

    assert xrefs["pdb"] == ["1OXR"]
    assert (xrefs["pubchem_compound"], xrefs["pubchem_substance"]) == ("2244", ["144203627"])


@requirement("002 US2-4", "002 US4-1")
def test_an_id_without_its_colon_is_refused_with_the_right_form():
    failure = answer("get_compound", chembl_id="CHEMBL123").error

    assert failure["code"] == "UNRESOLVED_ENTITY"
    assert "CHEMBL:123" in failure["recovery_hint"]
    assert failure["recovery"] == {"tool": "search_compounds", "arguments": {"query": "CHEMBL:123"}}
    assert failure["invalid_input"] == "CHEMBL123"


def test_an_id_that_names_nothing_is_not_found():
    failure = answer("get_compound", chembl_id="CHEMBL:99999999").error

    assert failure["code"] == "ENTITY_NOT_FOUND"
    assert "search_compounds" in failure["recovery_hint"]
    assert "recovery" not in failure  # neighbouring numbers are other things


@requirement("002 US2-6", "002 FR-026")
def test_the_short_form_is_id_name_and_formula():
    compound = answer("get_compound", chembl_id=ASPIRIN, slim=True).body

    assert compound == {"id": ASPIRIN, "name": "ASPIRIN", "molecular_formula": "C9H8O4"}


# Story 3: cross-database integration


@requirement("002 US3-1")
def test_uniprot_values_are_written_as_in_the_registry_and_are_accepted_as_arguments():
    compound = answer("get_compound", chembl_id=IMATINIB).body
    entry = compound["cross_references"]["uniprot"][0]
    page = answer("find_compounds_for_target", target_id=entry).body

    assert entry == "UniProtKB:P00519"
    assert IMATINIB in [row["id"] for row in page["items"]]


@requirement("002 US3-3", "002 US3-5", "002 FR-020")
def test_approved_drugs_have_drugbank_ids_and_metabolites_kegg_ids():
    aspirin, imatinib = (
        answer("get_compound", chembl_id=aspirin).body["cross_references"] for aspirin in (ASPIRIN, IMATINIB)
    )

    assert (aspirin["drugbank"], aspirin["kegg"]) == ("DB00945", "C01405")
    assert imatinib["drugbank"] == "DB00619"
    assert len(imatinib["pdb"]) == 5


@requirement("002 US3-4", "002 FR-016")
def test_a_key_without_a_value_is_absent():
    xrefs = answer("get_compound", chembl_id="CHEMBL:1201580").body["cross_references"]

    assert set(xrefs) == {"chembl", "uniprot"}
    assert all(xrefs.values())


def test_the_cross_reference_chembl_leads_back_to_the_compound():
    xrefs = answer("get_compound", chembl_id=ASPIRIN).body["cross_references"]

    assert xrefs["chembl"] == "CHEMBL25"
    assert answer("search_compounds", query=xrefs["chembl"]).body["items"][0]["id"] == ASPIRIN


# Story 4: error recovery

CALLS = [
    ("search_compounds", {"query": "imatinib"}),
    ("search_compounds", {"query": "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"}),
    ("get_compound", {"chembl_id": ASPIRIN}),
    ("get_bioactivities", {"chembl_id": ASPIRIN}),
    ("find_compounds_for_target", {"target_id": "UniProtKB:P00533"}),
]


@requirement("002 US4-2", "002 FR-029")
@pytest.mark.parametrize(("tool", "arguments"), CALLS[1:])
def test_a_rate_limit_says_how_long_to_wait(tool, arguments):
    failure = answer(tool, **arguments, faults=[THROTTLED]).error

    assert failure["code"] == "RATE_LIMITED"
    assert failure["recovery"] == {"retry_after_seconds": 40}
    assert "40" in failure["recovery_hint"]


def test_a_rate_limit_that_strikes_a_search_by_name_is_reported_as_one():
    failure = answer("search_compounds", query="imatinib", faults=[THROTTLED]).error

    assert failure["code"] == "RATE_LIMITED"
    assert failure["recovery"]["retry_after_seconds"] > 0  # two questions at once: the second may wait in vain


@requirement("002 US4-3", "002 FR-029")
@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_a_service_that_is_down_is_an_upstream_error(tool, arguments):
    failure = answer(tool, **arguments, faults=[DOWN]).error

    assert failure["code"] == "UPSTREAM_ERROR"
    assert "ChEMBL" in failure["message"]
    assert failure["recovery"]["retry_after_seconds"] > 0


@requirement("002 US4-4", "002 FR-005", "002 FR-006")
def test_a_query_that_is_too_short_or_too_long_is_refused_with_the_limits(subtests):
    queries = ("", "x", " x ", "y" * 301)
    answer = answers(*(("search_compounds", {"query": query}) for query in queries))
    for query, item in zip(queries, answer, strict=True):
        with subtests.test(query=query):
            failure = item.error

            assert failure["code"] == "AMBIGUOUS_QUERY"
            assert "2 to 300 characters" in failure["message"]
            assert failure["invalid_input"] == query


REFUSAL = [
    ("get_compound", {"chembl_id": "CHEMBL123"}),
    ("get_compound", {"chembl_id": "  chembl:25"}),
    ("get_bioactivities", {"chembl_id": "aspirin"}),
    ("find_compounds_for_target", {"target_id": "EGFR"}),
    ("search_compounds", {"query": "x"}),
]


@requirement("002 US4-5", "002 FR-029")
def test_every_refusal_echoes_what_was_written(subtests):
    for (tool, arguments), answer in zip(REFUSAL, answers(*REFUSAL), strict=True):
        with subtests.test(tool=tool, arguments=arguments):
            failure = answer.error

            assert failure["invalid_input"] == next(iter(arguments.values()))
            assert failure["recovery_hint"]
            assert failure["message"]


def recover(answer):
    """The call that a failure recommends."""
    recovery = answer.error["recovery"]
    return recovery["tool"], recovery["arguments"]


def first_found(answer):
    """The call for the first compound of a page."""
    return "get_compound", {"chembl_id": answer.body["items"][0]["id"]}


@requirement("002 FR-028", "002 SC-005")
def test_following_recovery_alone_ends_at_the_compound(subtests):
    text = ("CHEMBL25", "chembl:25", "aspirin", "CHEMBL:25 ", "Acetylsalicylic acid")
    for item in text:
        with subtests.test(written=item):
            *_, end = answers(("get_compound", {"chembl_id": item}), recover, first_found)

            assert end.body["id"] == ASPIRIN


def test_a_target_in_place_of_a_compound_recovers_to_its_compounds():
    recovery = answer("get_compound", chembl_id="CHEMBL:203").error["recovery"]

    assert recovery == {"tool": "find_compounds_for_target", "arguments": {"target_id": "CHEMBL:203"}}
    assert answer(recovery["tool"], **recovery["arguments"]).body["items"]


def test_a_protein_in_place_of_a_compound_recovers_to_its_compounds():
    recovery = answer("get_compound", chembl_id="UniProtKB:P00533").error["recovery"]

    assert recovery == {"tool": "find_compounds_for_target", "arguments": {"target_id": "UniProtKB:P00533"}}


# Edge cases


@requirement("002 EC-noname")
def test_a_compound_without_any_name_is_called_by_its_id():
    compound = answer("get_compound", chembl_id="CHEMBL:3671499").body

    assert compound["name"] == "CHEMBL3671499"
    assert "canonical_name" not in compound
    assert "synonyms" not in compound


@requirement("002 EC-synonyms")
def test_of_many_synonyms_few_are_listed_the_rest_counted_and_all_are_there_when_asked_for():
    compound = answer("get_compound", chembl_id=ASPIRIN).body
    whole = answer("get_compound", chembl_id=ASPIRIN, include=["synonyms"]).body
    synonyms, all_synonyms = compound["synonyms"], whole["synonyms"]

    assert synonyms == all_synonyms[: len(synonyms)]
    assert [notice["message"] for notice in compound["notices"] if notice["code"] == "LIST_CUT"] == [
        f'Listed: synonyms {len(synonyms)} of {len(all_synonyms)}; include=["synonyms"] lists all.'
    ]
    assert 3 <= len(synonyms) <= 10 < len(all_synonyms)


@requirement("002 EC-partial")
@pytest.mark.parametrize(
    "molecule",
    [
        {"molecule_chembl_id": "CHEMBL25"},
        {
            "molecule_chembl_id": "CHEMBL25",
            "pref_name": None,
            "molecule_properties": None,
            "molecule_structures": None,
            "molecule_synonyms": None,
            "molecule_hierarchy": None,
            "cross_references": None,
            "max_phase": None,
            "a_new_field": {"x": [1]},
        },
        {"molecule_chembl_id": "CHEMBL25", "molecule_properties": {"full_mwt": []}, "molecule_synonyms": "aspirin"},
    ],
)
def test_partial_data_give_a_partial_record(molecule):
    body = json.dumps({"molecules": [molecule]}).encode()
    faults = [Fault("body", path="set", body=body, times=None)]
    compound = answer("get_compound", chembl_id=ASPIRIN, include=["mechanisms"], faults=faults).body

    assert (compound["id"], compound["name"]) == (ASPIRIN, "CHEMBL25")
    assert "molecular_weight" not in compound
    assert compound["mechanisms"]


@requirement("002 EC-mixed", "002 FR-012", "002 FR-013")
def test_each_id_of_a_batch_is_answered_in_its_place():
    aspirins = [ASPIRIN, "CHEMBL123", "CHEMBL:99999999", ASPIRIN, 25, "CHEMBL:203", IMATINIB]
    page = answer("get_compounds_batch", chembl_ids=aspirins).body

    codes = [item["error"]["code"] if "error" in item else item["name"] for item in page["items"]]
    assert codes == [
        *("ASPIRIN", "UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND", "ASPIRIN"),
        *("UNRESOLVED_ENTITY", "UNRESOLVED_ENTITY", "IMATINIB"),
    ]
    assert set(page["items"][0]) == {"id", "name", "molecular_formula"}
    assert page["pagination"]["total_count"] == 7


@requirement("002 EC-zeroxref")
def test_a_compound_that_no_other_database_knows_refers_to_itself_only():
    xrefs = answer("get_compound", chembl_id="CHEMBL:3671499").body["cross_references"]

    assert xrefs == {"chembl": "CHEMBL3671499"}


def test_a_search_without_results_is_an_empty_list_and_says_what_to_try():
    page = answer("search_compounds", query="qqqzzz99").body

    assert (page["items"], page["pagination"]["total_count"], page["pagination"]["cursor"]) == ([], 0, None)
    assert [notice["code"] for notice in page["notices"]] == ["UNMATCHED"]
