"""The written form of ChEMBL's IDs, accepted and refused."""

import pytest

from biofact.core.errors import UnresolvedEntity
from biofact.sources.chembl.identifiers import (
    COMPOUND_ID,
    ON_TARGET,
    TARGET_ID,
    curie,
    is_native,
    native,
    native_number,
    parse_id,
)
from tests.marks import requirement

pytestmark = pytest.mark.quick


def test_an_id_is_recognised_in_any_spelling(subtests):
    for text in [
        *("CHEMBL25", "CHEMBL:25", "chembl25", "ChEMBL25", "chembl:25", "CHEMBL 25", "CHEMBL_25", "CHEMBL-25"),
        *("chembl.compound:CHEMBL25", "CHEMBL.COMPOUND:CHEMBL25", "chembl:CHEMBL25", "ChEMBL: CHEMBL25", "CHEMBL : 25"),
        *(
            "chembl_compound=CHEMBL25",
            "CHEMBL0025",
            " CHEMBL25 ",
            "(CHEMBL25)",
            '"CHEMBL25"',
            "CHEMBL25.",
            "[CHEMBL25],",
        ),
    ]:
        with subtests.test(text=text):
            assert parse_id(text) == "CHEMBL:25"


def test_other_words_are_no_ids(subtests):
    for text in [
        *("25", "CHEMBL", "CHEMBL0", "CHEMBL:", "CHEMBLX25", "CHEMBL25X", "CHEMBL25 CHEMBL941", "CHEMBL25,941", ""),
        *("aspirin", "EMBL25", "XCHEMBL25", "CHEMBL2.5", "CHEMBL" + "9" * 13, "CHEMBL-", "CHEBI:15365", "CHEMBL25\n26"),
    ]:
        with subtests.test(text=text):
            assert parse_id(text) is None


def test_our_ids_and_chembls_convert_both_ways():
    assert (curie("CHEMBL25"), native("CHEMBL:25"), native_number("CHEMBL1642")) == ("CHEMBL:25", "CHEMBL25", 1642)
    assert native(curie("CHEMBL1201585")) == "CHEMBL1201585"


def test_chembls_own_spelling_is_known():
    assert is_native("CHEMBL25")
    assert not any(map(is_native, ("CHEMBL:25", "chembl25", "CHEMBL025", "CHEMBL25\n", "CHEMBL\u0662", "", None)))


@requirement("002 FR-008", "002 FR-009")
def test_a_text_that_is_no_compound_id_is_refused_with_the_search_that_finds_it(subtests):
    for arguments, query in [
        ("CHEMBL25", "CHEMBL:25"),
        ("chembl.compound:CHEMBL25", "CHEMBL:25"),
        ("chembl:25", "CHEMBL:25"),
        ("CHEMBL:25 ", "CHEMBL:25"),
        ("aspirin", "aspirin"),
        ("  insulin   glargine ", "insulin glargine"),
    ]:
        with subtests.test(given=arguments, query=query):
            with pytest.raises(UnresolvedEntity) as raises:
                COMPOUND_ID.check(arguments)

            assert raises.value.invalid_input == arguments
            assert str(raises.value.recovery.tool) == "chembl.search_compounds"
            assert raises.value.recovery.arguments == {"query": query}


def test_the_fix_stands_in_the_hint_where_there_is_one():
    with pytest.raises(UnresolvedEntity) as raises:
        COMPOUND_ID.check("chembl25")
    with pytest.raises(UnresolvedEntity) as name:
        COMPOUND_ID.check("aspirin")

    assert "If you mean CHEMBL:25, write it that way" in raises.value.hint
    assert "If you mean" not in name.value.hint


def test_a_uniprot_entry_given_as_a_compound_leads_to_the_tool_for_targets():
    with pytest.raises(UnresolvedEntity) as raises:
        COMPOUND_ID.check("UniProtKB:P00533")

    assert str(raises.value.recovery.tool) == "chembl.find_compounds_for_target"
    assert raises.value.recovery.arguments == {"target_id": "UniProtKB:P00533"}


@requirement("002 FR-009")
@pytest.mark.parametrize("arguments", ["CHEMBL:25", "CHEMBL:1201585"])
def test_the_one_form_of_a_compound_is_taken(arguments):
    assert COMPOUND_ID.check(arguments) == arguments


@pytest.mark.parametrize("arguments", ["CHEMBL:203", "UniProtKB:P00533", "UniProtKB:A0A024RBG1"])
def test_both_forms_of_a_target_are_taken(arguments):
    assert TARGET_ID.check(arguments) == arguments


def test_a_text_that_is_nearly_a_target_id_is_refused_with_the_fix(subtests):
    for arguments, fixed in [
        ("CHEMBL203", "CHEMBL:203"),
        ("chembl203", "CHEMBL:203"),
        ("P00533", "UniProtKB:P00533"),
        ("uniprot:p00533", "UniProtKB:P00533"),
        ("UNIPROTKB:P00533", "UniProtKB:P00533"),
    ]:
        with subtests.test(given=arguments, fixed=fixed):
            with pytest.raises(UnresolvedEntity) as raises:
                TARGET_ID.check(arguments)

            assert f"If you mean {fixed}, write it that way" in raises.value.hint


def test_a_name_given_as_a_target_leads_to_the_targets(subtests):
    for arguments, query in [
        ("EGFR", "EGFR"),
        ("l(2)gl", "l(2)gl"),
        (" dopamine  receptor", "dopamine receptor"),
        ("COX-2", "COX-2"),
    ]:
        with subtests.test(given=arguments, query=query):
            with pytest.raises(UnresolvedEntity) as raises:
                TARGET_ID.check(arguments)

            assert str(raises.value.recovery.tool) == "chembl.search_targets"
            assert raises.value.recovery.arguments == {"query": query}


def test_a_protein_given_for_a_compound_leads_to_its_compounds_in_any_dress(subtests):
    for text in (
        "UniProtKB:P00533",
        "UniProtKB/Swiss-Prot:P00533.2",
        "sp|P00533|EGFR_HUMAN",
        "https://www.uniprot.org/uniprotkb/P00533/entry",
    ):
        with subtests.test(text), pytest.raises(UnresolvedEntity) as raises:
            COMPOUND_ID.check(text)
        assert raises.value.recovery.tool == ON_TARGET
        assert raises.value.recovery.arguments == {"target_id": "UniProtKB:P00533"}
