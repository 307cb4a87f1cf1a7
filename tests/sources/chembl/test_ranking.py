"""The match of a compound with a name, and the order of compounds."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from biofact.sources.chembl.search.queries import Interpretation, plan
from biofact.sources.chembl.search.ranking import BEGINS, LEADS, NEAR_SCORE, match, ranked, sharing_best
from tests.sources.chembl.made_hits import made_hit

pytestmark = pytest.mark.quick

IMATINIB = made_hit(941, "IMATINIB", ("Imatinib", "INN"), ("Glivec", "TRADE_NAME"), ("STI-571", "RESEARCH_CODE"))


def answer(query, molecule, *, may_be_near=False):
    """Kind and score."""
    result = match(molecule, plan(query).interpretations, may_be_near=may_be_near)
    return result.kind, result.score


def test_preferred_name_beats_official_trade_and_other_names_and_whole_beats_beginning_beats_words(subtests):
    for molecule, kind, score in [
        (made_hit(1, "Asked For"), "name", 1.0),
        (made_hit(1, "ASKED FOR"), "name", 1.0),
        (made_hit(1, "Asked-for"), "name", 0.97),
        (made_hit(1, "Other", ("asked for", "INN")), "synonym", 0.97),
        (made_hit(1, "Other", ("asked for", "USAN")), "synonym", 0.97),
        (made_hit(1, "Other", ("askedfor", "INN")), "synonym", 0.94),
        (made_hit(1, "Other", ("asked for", "TRADE_NAME")), "trade_name", 0.95),
        (made_hit(1, "Other", ("asked for", "OTHER")), "synonym", 0.93),
        (made_hit(1, "Other", ("asked for", "RESEARCH_CODE")), "synonym", 0.93),
        (made_hit(1, "Other", ("ask-ed for", "OTHER")), "synonym", 0.9),
        (made_hit(1, "Asked for more"), "name", 0.72),
        (made_hit(1, "Asked forever"), "name", 0.72),
        (made_hit(1, "Other", ("asked for more", "TRADE_NAME")), "trade_name", 0.67),
        (made_hit(1, "Other", ("asked for more", "OTHER")), "synonym", 0.65),
        (made_hit(1, "For what is asked"), "name", 0.6),
        (made_hit(1, "Other", ("For what is asked", "OTHER")), "synonym", 0.6),
        (made_hit(1, "Asked"), "text", 0.3),
        (made_hit(1, "Other"), "text", 0.3),
        (made_hit(1), "text", 0.3),
    ]:
        with subtests.test(molecule=molecule, kind=kind, score=score):
            assert answer("asked for", molecule) == (kind, score)


def test_the_best_of_several_names_counts():
    assert answer("imatinib", IMATINIB) == ("name", 1.0)
    assert answer("glivec", IMATINIB) == ("trade_name", 0.95)
    assert answer("sti-571", IMATINIB) == ("synonym", 0.93)
    assert answer("STI571", IMATINIB) == answer("STI 571", IMATINIB) == ("synonym", 0.9)


def test_a_reading_counts_a_little_less_than_what_is_written():
    salt = made_hit(2, "METFORMIN HYDROCHLORIDE", ("Metformin hcl", "OTHER"))
    interpretations = (Interpretation("metformin HCl", 0.0), Interpretation("metformin hydrochloride", 0.01))

    result = match(salt, interpretations)

    assert (result.kind, result.score, result.interpretation) == ("name", 0.99, interpretations[1])
    assert match(salt, interpretations[:1]).score == 0.93
    assert match(salt, interpretations[:1]).interpretation is interpretations[0]


def test_every_whole_name_leads_with_any_kind_spelling_and_reading():
    minimum = match(
        made_hit(1, "Other", ("tras-tuzumab", "OTHER")), (Interpretation("x", 0.0), Interpretation("trastuzumab", 0.1))
    )
    most_of_a_beginning = match(made_hit(1, "Trastuzumab emtansine"), (Interpretation("trastuzumab", 0.0),))

    assert minimum.score >= LEADS > most_of_a_beginning.score >= BEGINS


def test_a_name_one_letter_away_counts_only_when_it_may(subtests):
    for typed in ["ibuprofin", "ibuprofn", "ibuprrofen", "ibuprofne", "bbuprofen", "buprofen"]:
        with subtests.test(typed=typed):
            ibuprofen = made_hit(521, "IBUPROFEN")

            assert answer(typed, ibuprofen) == ("text", 0.3)
            assert answer(typed, ibuprofen, may_be_near=True) == ("near", NEAR_SCORE)
            assert answer(typed, ibuprofen)[1] > NEAR_SCORE


def test_a_name_that_is_further_away_short_or_another_code_is_not_near(subtests):
    for query, name in [
        ("ibuprfoin", "IBUPROFEN"),  # two letters
        ("aspi", "ASPS"),  # too short to tell
        ("MK-3474", "MK-3475"),  # another digit is another code
        ("MKI475", "MK1475"),
        ("BMS-354852", "BMS-354825"),
        ("ABT-53", "ABT-538"),
    ]:
        with subtests.test(query=query, name=name):
            assert answer(query, made_hit(1, name), may_be_near=True)[1] != NEAR_SCORE


def test_a_match_of_some_words_ranks_below_a_near_name():
    near_hit, value = made_hit(1, "IMATINIB MESYLATE"), made_hit(2, "DASATINIB MESYLATE", phase=4.0)

    answers = ranked([value, near_hit], plan("imatinib mesylte").interpretations, may_be_near=True)

    assert [(answer.molecule.number, answer.match.kind) for answer in answers] == [(1, "near"), (2, "near")]


def test_a_match_by_name_is_not_near():
    assert answer("aspirin", made_hit(25, "ASPIRIN"), may_be_near=True) == ("name", 1.0)
    assert answer("aspiri", made_hit(25, "ASPIRIN"), may_be_near=True) == ("name", 0.72)


def order(query, *molecules, may_be_near=False):
    return [item.molecule.number for item in ranked(molecules, plan(query).interpretations, may_be_near=may_be_near)]


def test_equal_matches_are_ordered_by_phase_with_salts_after_them():
    salt = made_hit(1, "ASKED FOR", phase=4.0, parent=4)
    older, newer = made_hit(7, "ASKED FOR", phase=4.0), made_hit(8, "ASKED FOR", phase=4.0)
    clinical, unknown, preclinical = (
        made_hit(2, "ASKED FOR", phase=2.0),
        made_hit(3, "ASKED FOR", phase=-1.0),
        made_hit(9),
    )

    assert order("asked for", preclinical, clinical, newer, unknown, salt, older) == [7, 8, 1, 2, 3, 9]


def test_names_with_the_beginning_are_ordered_by_phase_and_words_as_by_the_service():
    first, second = made_hit(5, "ASKED FOREVER", phase=1.0), made_hit(6, "ASKED FOREMOST", phase=4.0)
    value, second_result = made_hit(7, "FOR ASKED", place=1), made_hit(8, "FOR ASKED", phase=4.0, place=2)
    text, text_later = made_hit(9, place=3), made_hit(4, phase=4.0, place=4)

    assert order("asked for", text_later, text, second_result, value, first, second) == [6, 5, 7, 8, 9, 4]


def test_a_better_match_beats_a_better_known_drug():
    assert order("asked for", made_hit(1, "Other", ("asked for", "OTHER"), phase=4.0), made_hit(2, "ASKED FOR")) == [
        2,
        1,
    ]


def test_compounds_share_the_best_match_when_kind_and_score_are_equal():
    pair = [made_hit(number, f"DRUG {number}", ("Paxlovid", "TRADE_NAME")) for number in (1, 2)]
    other = made_hit(3, "Other", ("Paxlovid", "OTHER"))
    interpretations = plan("Paxlovid").interpretations

    assert [item.molecule.number for item in sharing_best(ranked([*pair, other], interpretations))] == [1, 2]
    assert sharing_best(ranked([pair[0], other], interpretations)) == []
    assert sharing_best(ranked(pair, plan("Paxlo").interpretations)) == []
    assert sharing_best([]) == []


def test_matches_by_name_and_near_ones_lead_and_partial_ones_are_held():
    def flags(query, molecule):
        [item] = ranked([molecule], plan(query).interpretations, may_be_near=True)
        return item.leads, item.is_near, item.is_held

    assert flags("aspirin", made_hit(1, "ASPIRIN")) == (True, False, False)
    assert flags("aspir", made_hit(1, "ASPIRIN")) == (True, False, False)
    assert flags("asprin", made_hit(1, "ASPIRIN")) == (True, True, False)
    assert flags("insulin", made_hit(1, "HUMAN INSULIN")) == (False, False, True)
    assert flags("insulin", made_hit(1, "ASPIRIN")) == (False, False, False)


NAMES = st.text("abAB1- ,()\u03b1", min_size=1, max_size=12)
MOLECULES = st.builds(
    made_hit,
    st.integers(1, 10**6),
    st.none() | NAMES,
    st.tuples(NAMES, st.sampled_from(["INN", "TRADE_NAME", "OTHER"])),
    phase=st.none() | st.sampled_from([-1.0, 0.5, 4.0]),
    place=st.integers(0, 99),
)


@pytest.mark.parametrize("examples", [40, pytest.param(100, marks=pytest.mark.sweep)])
def test_scores_lie_between_0_and_1_and_never_rise(examples):
    @given(NAMES, st.lists(MOLECULES, max_size=6))
    @settings(max_examples=examples)
    def hold(query, molecules):
        query_plan = plan(query)
        assume(query_plan is not None)

        answers = ranked(molecules, query_plan.interpretations, may_be_near=True)

        scores = [answer.match.score for answer in answers]
        assert scores == sorted(scores, reverse=True)
        assert all(0.1 <= score <= 1 for score in scores)
        assert sorted(answer.molecule.number for answer in answers) == sorted(molecule.number for molecule in molecules)

    hold()
