"""Words to the names that they may stand for, and the notices about them."""

import pytest

from biofact.sources.chembl.parse import IdStatus
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.queries import halves, plan, with_salt_names
from biofact.sources.chembl.search.ranking import ranked
from tests.sources.chembl.made_hits import made_hit

pytestmark = pytest.mark.quick


def interpretations(query):
    return [part.text for part in plan(query).interpretations]


def test_a_name_is_taken_as_it_is_written_without_quotes_and_greek_letters(subtests):
    for query, text in [
        ("aspirin", "aspirin"),
        ("  insulin \t glargine ", "insulin glargine"),
        ('"aspirin"', "aspirin"),
        ("\u2018aspirin\u2019", "aspirin"),
        ("imat*", "imat"),
        ("\u03b1-methyldopa", "alpha-methyldopa"),
        ("N-acetyl-\u03b2-D-glucosamine", "N-acetyl-beta-D-glucosamine"),
        ("(-)-nicotine", "(-)-nicotine"),
        ("2-(acetyloxy)benzoic acid", "2-(acetyloxy)benzoic acid"),
        ("Benzoic acid, 2-(acetyloxy)-", "Benzoic acid, 2-(acetyloxy)-"),
        ('AND OR "(', 'AND OR "('),
    ]:
        with subtests.test(query=query, written=text):
            query_plan = plan(query)

            assert (query_plan.query, query_plan.name) == (query, text)
            assert query_plan.interpretations[0].penalty == 0


def test_a_query_of_signs_alone_holds_nothing_to_search_for(subtests):
    for query in ["%%", "()", '""', "***", "__", "--", "...", "+/-"]:
        with subtests.test(query=query):
            assert plan(query) is None


def test_variant_spellings_are_read_as_names_have_them(subtests):
    for query, other_values in [
        ("aspirin", []),
        ("metformin HCl", ["metformin hydrochloride"]),
        ("cetirizine 2HCl", ["cetirizine dihydrochloride"]),
        ("imatinib mesilate", ["imatinib mesylate"]),
        ("imatinib (mesilate)", ["imatinib mesylate"]),
        ("morphine sulphate", ["morphine sulfate"]),
        ("imatinib mesylate", []),
        ("HCl", []),
        ("ASA", ["acetylsalicylic acid"]),
        ("a.s.a.", ["acetylsalicylic acid"]),
        ("5FU", ["5-FU"]),
        ("5-fu", ["5-FU"]),
        ("H2O", ["water"]),
        ("trastuzumab-dkst", ["trastuzumab"]),
        ("Insulin glargine-yfgn", []),
        ("filgrastim-sndz", ["filgrastim"]),
        ("N-acetyl-beta-cell", []),
        ("STI571", ["STI-571"]),
        ("AZD9291", ["AZD-9291"]),
        ("U0126", ["U-0126"]),
        ("CGP57148B", ["CGP-57148B"]),
        ("STI-571", []),
        ("B12", ["B-12"]),
        ("P53 inhibitor", []),
        ("C6", []),
        ("1234", []),
    ]:
        with subtests.test(query=query, others=other_values):
            query_plan = plan(query)

            assert interpretations(query)[1:] == other_values
            assert all(0 < part.penalty <= 0.1 for part in query_plan.interpretations[1:])


def test_abbreviated_salts_are_written_out_after_a_name(subtests):
    for name, words in [
        ("metformin HCl", "metformin hydrochloride"),
        ("Metformin hcl.", "Metformin hydrochloride"),
        ("hcl", "hcl"),
        ("imatinib Methanesulfonate", "imatinib mesylate"),
        ("amlodipine besilate", "amlodipine besylate"),
        ("dopamine", "dopamine"),
    ]:
        with subtests.test(name=name, words=words):
            assert with_salt_names(name) == words
            assert plan(name).words == words


def test_the_search_takes_three_characters_and_more():
    assert [plan(query).is_searchable for query in ("5x", "asa", "H2O")] == [False, True, True]


def test_one_wrong_letter_leaves_the_first_or_the_last_half_as_it_is(subtests):
    for name, typed in [
        ("ibuprofen", "ibuprofin"),
        ("aspirin", "asprin"),
        ("aspirin", "aspirine"),
        ("aspirin", "sapirin"),
        ("warfarin", "arfarin"),
        ("metformin", "metfromin"),
        ("Xyzal", "Xyzla"),
        ("Viagra", "Viagrra"),
        ("Valium", "Vaalium"),
        ("insulin glargine", "insulin glargibe"),
    ]:
        with subtests.test(name=name, typed=typed):
            start, end = halves(typed)

            assert name.startswith(start) or name.endswith(end)
            assert len(start) == len(end) >= 2


def notice_texts(query, *molecules, may_be_near=False):
    query_plan = plan(query)
    return [
        item.message
        for item in notices.query_notices(
            query_plan, ranked(molecules, query_plan.interpretations, may_be_near=may_be_near)
        )
    ]


def test_a_notice_explains_how_a_query_was_understood():
    salt = made_hit(1703, "METFORMIN HYDROCHLORIDE")
    aspirin = made_hit(25, "ASPIRIN", ("Acetylsalicylic acid", "INN"))

    assert notice_texts("metformin HCl", salt) == ["'metformin HCl' is read as 'metformin hydrochloride'."]
    assert notice_texts("ASA", aspirin) == ["'ASA' is read as 'acetylsalicylic acid'."]
    assert notice_texts("aspi", aspirin) == [
        "No compound is called 'aspi'; names that begin so lead, approved drugs first."
    ]
    assert notice_texts("asprin", aspirin, may_be_near=True) == [
        "No compound is called 'asprin'; names of clinical drugs one letter away lead."
    ]
    assert (
        notice_texts("aspirin", aspirin)
        == notice_texts("acid", aspirin)
        == notice_texts("other", aspirin)
        == notice_texts("nothing")
        == []
    )


def test_compounds_that_share_the_best_match_are_named_up_to_fifteen():
    query_plan = plan("Paxlovid")
    brand = [made_hit(number, f"DRUG {number}", ("Paxlovid", "TRADE_NAME")) for number in range(1, 18)]

    [pair] = notices.shared(query_plan, ranked(brand[:2], query_plan.interpretations))
    [large] = notices.shared(query_plan, ranked(brand, query_plan.interpretations))

    assert notices.shared(query_plan, []) == []
    assert pair.code == "SHARED_MATCH"
    assert pair.message.endswith("maybe of their combination: DRUG 1 (CHEMBL:1), DRUG 2 (CHEMBL:2).")
    assert "DRUG 15 (CHEMBL:15) and 2 others." in large.message


def test_a_notice_names_the_kind_of_an_id_that_is_no_compound(subtests):
    for known_values, words in [
        (None, "CHEMBL:7 is no ID of ChEMBL."),
        (
            IdStatus("CHEMBL7", "TARGET", is_active=True),
            "CHEMBL:7 is a ChEMBL target, not a compound; call chembl.find_compounds_for_target for its compounds.",
        ),
        (IdStatus("CHEMBL7", "ASSAY", is_active=True), "CHEMBL:7 is a ChEMBL assay, not a compound."),
        (IdStatus("CHEMBL7", "COMPOUND", is_active=False), "CHEMBL:7 was a compound, and was withdrawn from ChEMBL."),
    ]:
        with subtests.test(known=known_values, words=words):
            assert notices.another_kind("CHEMBL:7", known_values).message == words


def test_notices_do_not_repeat_a_long_query_in_full():
    long = "x" * 300

    assert len(notices.NO_COMPOUND(query=long).message) < 250
    assert len(notices.NO_STRUCTURE(notation="SMILES", text=long).message) < 250
