"""The compounds of many names in few requests: each name's own, the written forms of names, and failures."""

import pytest

from biofact.sandbox import Fault
from biofact.sources.chembl import search
from biofact.sources.chembl.names import MOST_NAMES, spellings
from tests.sources.chembl.made_client import fixed_answer, list_answer, run
from tests.sources.chembl.made_compounds import AAA_KEY, FACTS, SALT_KEY, molecule
from tests.sources.chembl.naming import finder, run_lookup
from tests.sources.chembl.searching import PARAMS, on_sandbox

pytestmark = pytest.mark.quick

MOST_REQUESTS = 12
IMATINIB, ASPIRIN = "KTUFNOKKBVMGRW-UHFFFAOYSA-N", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"


def resolved(*names, folder=None, is_joined=True):
    return run_lookup(names, folder, is_joined=is_joined)[0].entities


def ids(entities):
    return [entity.id for entity in entities]


def find_names(*names, faults=(), facts=FACTS, is_joined=True):
    """The lookup of made compounds by name while faults strike, and the requests."""
    client_run = run(lambda chembl: finder(chembl, is_joined=is_joined).find(names, "human"), *faults, facts=facts)
    return client_run.answer, client_run.requests


# IDs, structures, forms


@pytest.mark.parametrize("folder", PARAMS)
def test_ids_keys_and_names_are_found_together(folder):
    names = ["CHEMBL25", "chembl.compound:CHEMBL941", "CHEMBL:1642", ASPIRIN, IMATINIB.lower(), "glivec", "Omeprazole"]

    result, requests = run_lookup(names, folder)

    assert {name: ids(result.entities[name]) for name in names} == {
        "CHEMBL25": ["CHEMBL:25"],
        "chembl.compound:CHEMBL941": ["CHEMBL:941"],
        "CHEMBL:1642": ["CHEMBL:1642"],
        ASPIRIN: ["CHEMBL:25"],
        IMATINIB.lower(): ["CHEMBL:941"],
        "glivec": ["CHEMBL:941", "CHEMBL:1642"],
        "Omeprazole": ["CHEMBL:1503"],
    }
    assert requests == 4
    [aspirin] = result.entities["CHEMBL25"]
    assert (aspirin.label, aspirin.match, aspirin.score, aspirin.kind) == ("ASPIRIN", "id", 1.0, "compound")
    assert aspirin.xrefs == {"chembl": "CHEMBL25"}
    assert result.entities[ASPIRIN][0].match == "structure"


def test_an_id_that_is_no_compound_has_a_reason():
    result, requests = run_lookup(["CHEMBL203", "CHEMBL:100000", "CHEMBL999999999"])

    assert result.entities == {}
    assert result.reasons == {
        "CHEMBL203": "CHEMBL:203 is a ChEMBL target, not a compound; call chembl.find_compounds_for_target for its"
        " compounds.",
        "CHEMBL:100000": "CHEMBL:100000 was a compound, and was withdrawn from ChEMBL.",
        "CHEMBL999999999": "CHEMBL:999999999 is no ID of ChEMBL.",
    }
    assert requests == 2


def test_200_ids_of_all_kinds_need_few_requests():
    names = [f"CHEMBL{number}" for number in range(1, 201)]

    result, requests = run_lookup(names)

    assert requests <= MOST_REQUESTS
    assert result.pending_names(names) == []
    assert result.failures == {}


def test_salts_stay_apart_from_their_parent():
    [imatinib, mesylate] = resolved("Glivec")["Glivec"]
    [single_result] = resolved("imatinib mesylate")["imatinib mesylate"]

    assert (imatinib.id, imatinib.form_of, imatinib.label) == ("CHEMBL:941", None, "IMATINIB")
    assert (mesylate.id, mesylate.form_of, mesylate.match) == ("CHEMBL:1642", "CHEMBL:941", "trade_name")
    assert not imatinib.shares_match
    assert not mesylate.shares_match
    assert (single_result.id, single_result.form_of, single_result.match) == ("CHEMBL:1642", "CHEMBL:941", "name")


def test_stereoisomers_are_compounds_of_their_own():
    result = resolved("omeprazole", "esomeprazole", "Nexium")

    assert {name: ids(result[name]) for name in result} == {
        "omeprazole": ["CHEMBL:1503"],
        "esomeprazole": ["CHEMBL:1201320"],
        "Nexium": ids(resolved("Nexium")["Nexium"]),
    }
    assert "CHEMBL:1503" not in ids(result["Nexium"])
    assert result["esomeprazole"][0].form_of is None


RANKED = ["Glivec", "insulin", "Augmentin"]
ALSO_RANKED = ["Ammonia", "dopamine", "water", "STI571"]


@pytest.mark.parametrize("name", [*RANKED, *(pytest.param(name, marks=pytest.mark.sweep) for name in ALSO_RANKED)])
def test_names_are_ranked_as_the_search_ranks_them(name):
    async def scenario(chembl, _):
        page = await chembl.search_compounds(name)
        return page, (await finder(chembl).find([name], "human")).entities.get(name, [])

    page, result = on_sandbox(scenario)
    leading = [(row.id, row.match, row.score) for row in page.items if row.score >= search.LEADS]
    heads = {row.id for row in page.items}

    assert [(item.id, item.match, item.score) for item in result if item.id in heads] == leading
    is_shared = any(notice.code == "SHARED_MATCH" for notice in page.notices)
    assert sum(item.shares_match for item in result) > 1 or not is_shared
    assert is_shared or not any(item.shares_match for item in result)


def test_a_biosimilar_is_not_what_it_is_similar_to():
    names = ["trastuzumab", "trastuzumab-zzzz"]

    assert resolved(*names).keys() == resolved(*names, is_joined=False).keys() == {"trastuzumab"}


# Written forms of names


def test_names_with_commas_are_asked_for_whole():
    names = ["Benzoic acid, 2-(acetyloxy)-", "ammonia solution, strong", "Water, purified", "aspirin"]

    result, requests = run_lookup(names)

    assert {name: ids(result.entities[name])[0] for name in names} == {
        "Benzoic acid, 2-(acetyloxy)-": "CHEMBL:25",
        "ammonia solution, strong": "CHEMBL:1160819",
        "Water, purified": "CHEMBL:1098659",
        "aspirin": "CHEMBL:25",
    }
    assert requests == 4
    assert resolved("Water, purified")["Water, purified"] == result.entities["Water, purified"]


def test_parts_of_a_name_with_a_comma_are_not_the_name():
    assert resolved("aspirin, imatinib", "AAANOL,BETAMAB", ",") == {}


def test_a_name_is_asked_for_as_chembl_may_write_it(subtests):
    for typed, text in [
        ("glivec", "Glivec"),
        ("ACETYLSALICYLIC ACID", "Acetylsalicylic Acid"),
        ("acetylsalicylic acid", "Acetylsalicylic acid"),
        ("aspirin", "ASPIRIN"),
        ("sti571", "STI-571"),
        ("dopamine hcl", "Dopamine HCl"),
        ("dopamine HCl", "DOPAMINE HYDROCHLORIDE"),
        ("wy-47791 hcl", "WY-47791 HCl"),
        ("il-1 trap", "IL-1 Trap"),
        ("\u03b1-methyldopa", "Alpha-Methyldopa"),
    ]:
        with subtests.test(typed=typed, written=text):
            assert text in spellings(search.plan(typed).whole)


def test_a_name_has_the_same_answer_in_any_company():
    odd = molecule("CHEMBL500", "GAMMANOL", molecule_synonyms={"OTHER": ["gAMMax"]})
    facts = {**FACTS, "molecule": [*FACTS["molecule"], odd]}

    joint_result, single_result = find_names("Gammanol", "Gammax", facts=facts)[0], find_names("Gammax", facts=facts)[0]

    assert joint_result.entities.keys() == {"Gammanol"}
    assert single_result.entities == {}
    assert ids(find_names("Gammax", facts=facts, is_joined=False)[0].entities["Gammax"]) == ["CHEMBL:500"]


def test_the_order_of_equals_is_not_that_of_the_answer():
    rows = [
        {"molecule_chembl_id": f"CHEMBL{number}", "pref_name": "TWIN", "molecule_synonyms": []} for number in (9, 8)
    ]

    result, _ = find_names("twin", faults=[fixed_answer(list_answer("molecules", rows), "/molecule.json", times=2)])

    assert ids(result.entities["twin"]) == ["CHEMBL:8", "CHEMBL:9"]
    assert all(item.shares_match for item in result.entities["twin"])


def test_a_single_spelling_with_a_comma_is_not_a_list():
    digits = molecule("CHEMBL500", "GAMMANOL", molecule_synonyms={"OTHER": ["1,2"]})
    other = molecule("CHEMBL501", "1")

    result, _ = find_names("1,2", facts={**FACTS, "molecule": [*FACTS["molecule"], digits, other]})

    assert ids(result.entities["1,2"]) == ["CHEMBL:500"]


def test_a_text_that_is_no_name_is_not_requested():
    result, requests = run_lookup(["--", "?"])

    assert (result.entities, result.failures, result.reasons, requests) == ({}, {}, {}, 0)


# Lists that are cut, and answers that are wrong


def test_a_list_beyond_a_page_is_requested_in_halves():
    crowd = [molecule(f"CHEMBL{number}", f"NAMESAKE {number % 4}") for number in range(5000, 6040)]
    names = [f"namesake {number}" for number in range(4)]

    result, requests = find_names(*names, facts={**FACTS, "molecule": [*FACTS["molecule"], *crowd]})

    assert {name: len(result.entities[name]) for name in names} == dict.fromkeys(names, 260)
    assert [request.path for request in requests] == ["/molecule.json"] * 4
    assert result.failures == {}


def test_a_filter_that_is_ignored_is_a_failure_and_not_asked_for_in_ever_smaller_parts():
    crowd = [molecule(f"CHEMBL{number}", f"OTHER {number}") for number in range(5000, 5999)]
    rows = [*crowd, molecule("CHEMBL3", "BETAMAB")]
    answer = fixed_answer(list_answer("molecules", rows, total=2_000_000), "/molecule.json")

    result, requests = find_names("Betamab", "AAANOL MESYLATE", faults=[answer])

    assert result.entities == {}
    assert result.failures.keys() == {"Betamab", "AAANOL MESYLATE"}
    assert len(requests) == 2


def test_another_molecule_in_an_answer_is_ignored():
    other = {"molecule_chembl_id": "CHEMBL77", "pref_name": "OTHER", "molecule_synonyms": []}
    own_values = {"molecule_chembl_id": "CHEMBL3", "pref_name": "BETAMAB", "molecule_synonyms": []}
    near_molecule = {"molecule_chembl_id": "CHEMBL78", "pref_name": "BETAMAB VEDOTIN", "molecule_synonyms": []}

    result, _ = find_names(
        "Betamab", faults=[fixed_answer(list_answer("molecules", [other, near_molecule, own_values]), "/molecule.json")]
    )

    assert ids(result.entities["Betamab"]) == ["CHEMBL:3"]


def test_another_molecule_in_place_of_the_one_asked_for_is_a_failure():
    other = {"molecule_chembl_id": "CHEMBL77", "pref_name": "OTHER", "molecule_synonyms": []}
    answers = fixed_answer(list_answer("molecules", [other]), "/molecule.json")

    result, _ = find_names("Betamab", AAA_KEY, faults=[answers])

    assert result.entities == {}
    assert result.failures.keys() == {"Betamab", AAA_KEY}


@pytest.mark.parametrize("position", range(5))
def test_a_question_that_fails_fails_its_names_only(position):
    unknown = [f"unknown {number}" for number in range(MOST_NAMES)]
    words = b'{"error_message": "Not today"}'
    refusal = Fault("status", "chembl", "/molecule.json", status=400, body=words, after=position)

    result, requests = find_names(*unknown, "Betamab", SALT_KEY, "CHEMBL1", faults=[refusal])

    [failed] = [[value for _, value in request.params] for request in requests if request.status == 400]
    of_few = {SALT_KEY} if SALT_KEY in failed else {"Betamab"}
    expected = of_few if failed else {*unknown}  # the filters of a long question are in its body
    assert result.failures.keys() == expected
    assert result.entities.keys() == {"Betamab", SALT_KEY, "CHEMBL1"} - expected


@pytest.mark.parametrize("is_joined", [True, False])
def test_chembl_that_is_down_fails_every_name_and_none_is_invented(is_joined):
    names = ["Betamab", "Benzoic acid, 2-(acetyloxy)-", AAA_KEY, "CHEMBL1", "CHEMBL100", "nobody"]
    down = Fault("status", "chembl", status=503, times=None)

    result, _ = find_names(*names, faults=[down], is_joined=is_joined)

    assert (result.entities, result.reasons) == ({}, {})
    assert result.failures.keys() == {*names}


# One by one


SINGLE_RESULT = ["STI 571", "Glivec", "CHEMBL:25", "asprin"]
ALSO_ALONE = ["imatinib", "metformin HCl", "ASA", ASPIRIN]


@pytest.mark.parametrize(
    "name", [*SINGLE_RESULT, *(pytest.param(name, marks=pytest.mark.sweep) for name in ALSO_ALONE)]
)
def test_alone_a_name_is_what_the_search_finds_under_the_whole_name(name):
    async def scenario(chembl, _):
        page = await chembl.search_compounds(name)
        entities = (await finder(chembl, is_joined=True).find([name], "human")).entities  # as names are resolved
        if name not in entities:
            entities = (await finder(chembl, is_joined=False).find([name], "human")).entities
        return page, entities.get(name, [])

    page, result = on_sandbox(scenario)
    rows = [row for row in page.items if row.score >= search.LEADS]
    forms = {form.id for row in rows for form in row.salt_forms}  # some have only a longer name
    assert [item.id for item in result if item.id not in forms] == [row.id for row in rows]
    assert {item.id for item in result} <= {*forms, *(row.id for row in rows)}
    assert not {item.match for item in result} & {"text", "near"}


def test_structures_are_found_one_by_one():
    [inchi, smiles] = ["InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3", "SMILES: OCC"]

    assert find_names(inchi, smiles)[0].entities == {}
    result, _ = find_names(inchi, smiles, is_joined=False)

    assert {name: ids(entity) for name, entity in result.entities.items()} == {
        inchi: ["CHEMBL:1"],
        smiles: ["CHEMBL:1"],
    }
    assert {entity.match for entities in result.entities.values() for entity in entities} == {"structure"}


def test_a_whole_name_is_searched_for_in_few_requests():
    assert run_lookup(["imatinib"], is_joined=False)[1] == 1
    assert run_lookup(["nosuchcompound"], is_joined=False)[1] == 1
