"""Words to the names that they may stand for, and what is said of them."""

import pytest

from biofact.sources.chembl.parse import Known
from biofact.sources.chembl.search import Structure, notices
from biofact.sources.chembl.search.queries import halves, plan, with_salt_names
from biofact.sources.chembl.search.ranking import ranked
from tests.sources.chembl.made_hits import found

pytestmark = pytest.mark.quick


def readings(query):
    return [reading.text for reading in plan(query).readings]


def test_a_name_is_taken_as_it_is_written_without_quotes_and_greek_letters(subtests):
    for query, written in [
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
        with subtests.test(query=query, written=written):
            planned = plan(query)

            assert (planned.query, planned.written) == (query, written)
            assert planned.readings[0].less == 0


def test_a_query_of_signs_alone_holds_nothing_to_search_for(subtests):
    for query in ["%%", "()", '""', "***", "__", "--", "...", "+/-"]:
        with subtests.test(query=query):
            assert plan(query) is None


def test_what_people_write_otherwise_is_read_as_names_have_it(subtests):
    for query, others in [
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
        with subtests.test(query=query, others=others):
            planned = plan(query)

            assert readings(query)[1:] == others
            assert all(0 < reading.less <= 0.1 for reading in planned.readings[1:])


def test_salts_are_spelt_out_behind_a_name(subtests):
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


def said(query, *molecules, may_be_near=False):
    planned = plan(query)
    return [one.message for one in notices.about(planned, ranked(molecules, planned.readings, may_be_near=may_be_near))]


def test_it_is_said_how_a_query_was_taken():
    salt = found(1703, "METFORMIN HYDROCHLORIDE")
    aspirin = found(25, "ASPIRIN", ("Acetylsalicylic acid", "INN"))

    assert said("metformin HCl", salt) == ["'metformin HCl' is read as 'metformin hydrochloride'."]
    assert said("ASA", aspirin) == ["'ASA' is read as 'acetylsalicylic acid'."]
    assert said("aspi", aspirin) == ["No compound is called 'aspi'; names that begin so lead, approved drugs first."]
    assert said("asprin", aspirin, may_be_near=True) == [
        "No compound is called 'asprin'; names of clinical drugs one letter away lead."
    ]
    assert said("aspirin", aspirin) == said("acid", aspirin) == said("other", aspirin) == said("nothing") == []


def test_compounds_that_share_the_best_match_are_named_up_to_fifteen():
    planned = plan("Paxlovid")
    brand = [found(number, f"DRUG {number}", ("Paxlovid", "TRADE_NAME")) for number in range(1, 18)]

    [pair] = notices.shared(planned, ranked(brand[:2], planned.readings))
    [many] = notices.shared(planned, ranked(brand, planned.readings))

    assert notices.shared(planned, []) == []
    assert pair.code == "SHARED_MATCH"
    assert pair.message.endswith("maybe of their combination: DRUG 1 (CHEMBL:1), DRUG 2 (CHEMBL:2).")
    assert "DRUG 15 (CHEMBL:15) and 2 others." in many.message


def test_what_an_id_stands_for_is_said_where_it_leads_to_no_compound(subtests):
    for known, words in [
        (None, "CHEMBL:7 is no ID of ChEMBL."),
        (
            Known("CHEMBL7", "TARGET", is_active=True),
            "CHEMBL:7 is a ChEMBL target, not a compound; call chembl.find_compounds_for_target for its compounds.",
        ),
        (Known("CHEMBL7", "ASSAY", is_active=True), "CHEMBL:7 is a ChEMBL assay, not a compound."),
        (Known("CHEMBL7", "COMPOUND", is_active=False), "CHEMBL:7 was a compound, and was withdrawn from ChEMBL."),
    ]:
        with subtests.test(known=known, words=words):
            assert notices.another_kind("CHEMBL:7", known).message == words


def test_notices_do_not_repeat_a_long_query_in_full():
    long = "x" * 300

    assert len(notices.nothing(long).message) < 250
    assert len(notices.no_structure(Structure("smiles", long)).message) < 250
