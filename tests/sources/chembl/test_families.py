"""Forms of a compound fold into it, on this page and the next."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.sources.chembl.search import CompoundPosition
from biofact.sources.chembl.search.queries import plan
from biofact.sources.chembl.search.ranking import Family, into_families, ranked, remember, remembered_parents
from tests.sources.chembl.made_hits import made_hit

pytestmark = pytest.mark.quick

IMATINIB = made_hit(941, "IMATINIB", ("Gleevec", "OTHER"), ("STI-571", "RESEARCH_CODE"), phase=4.0)
MESYLATE = made_hit(
    1642, "IMATINIB MESYLATE", ("Gleevec", "TRADE_NAME"), ("STI-571", "RESEARCH_CODE"), phase=4.0, parent=941
)
ENALAPRILAT = made_hit(577, "ENALAPRILAT ANHYDROUS", ("Enalaprilat", "OTHER"), phase=4.0)
DIHYDRATE = made_hit(3989406, "ENALAPRILAT", ("Enalaprilat", "INN"), phase=4.0, parent=577)
DOPAMINE = made_hit(59, "DOPAMINE", ("Intropin", "OTHER"), phase=4.0)
HYDROCHLORIDE = made_hit(1557, "DOPAMINE HYDROCHLORIDE", ("Intropin", "TRADE_NAME"), phase=4.0, parent=59)


def rows(query, *molecules, before=frozenset()):
    """Numbers of the rows, each with the numbers of its forms; and their matches."""
    families = into_families(ranked(molecules, plan(query).interpretations, may_be_near=True), before)
    return [(family.head.molecule.number, [form.number for form in family.forms]) for family in families]


def test_a_salt_folds_into_the_compound_when_both_have_the_name():
    assert rows("imatinib", MESYLATE, IMATINIB) == [(941, [1642])]
    assert rows("STI-571", MESYLATE, IMATINIB) == [(941, [1642])]
    assert rows("Gleevec", MESYLATE, IMATINIB) == [(941, [1642])]
    assert rows("imat", MESYLATE, IMATINIB) == [(941, [1642])]
    assert rows("other", MESYLATE, IMATINIB) == [(941, [1642])]


def test_a_hydrate_that_has_the_compounds_own_name_folds_though_its_match_is_better():
    assert rows("enalaprilat", DIHYDRATE, ENALAPRILAT) == [(577, [3989406])]
    assert rows("enalapri", DIHYDRATE, ENALAPRILAT) == [(577, [3989406])]
    assert rows("intro", HYDROCHLORIDE, DOPAMINE) == [(59, [1557])]


def test_the_compound_stands_where_its_form_would_with_the_better_match():
    [family] = into_families(ranked([IMATINIB, MESYLATE], plan("Gleevec").interpretations))

    assert (family.head.molecule, family.forms) == (IMATINIB, (MESYLATE,))
    assert (family.head.match.kind, family.head.match.score) == ("trade_name", 0.95)


def test_a_salt_named_by_the_query_stands_for_itself():
    with_its_name = made_hit(941, "IMATINIB", ("imatinib mesylate", "OTHER"))

    assert rows("imatinib mesylate", MESYLATE, IMATINIB) == [(1642, []), (941, [])]
    assert rows("imatinib mes", MESYLATE, IMATINIB) == [(1642, []), (941, [])]
    assert rows("imatinib mesylte", MESYLATE, IMATINIB) == [(1642, []), (941, [])]
    assert rows("imatinib mesylate", MESYLATE, with_its_name) == [(1642, []), (941, [])]


def test_a_salt_whose_compound_was_not_found_stands_for_itself():
    assert rows("imatinib", MESYLATE) == [(1642, [])]


def test_a_salt_whose_compound_was_shown_before_is_omitted():
    assert rows("imatinib", MESYLATE, DOPAMINE, before=frozenset({"CHEMBL941"})) == [(59, [])]


def test_compounds_of_their_own_stay_apart():
    prodrug, drug = made_hit(578, "ENALAPRIL"), made_hit(577, "ENALAPRILAT")

    assert rows("enalapril", prodrug, drug) == [(578, []), (577, [])]


def test_all_forms_gather_at_their_compound_in_their_order():
    sodium, calcium = made_hit(11, "ACID SODIUM", parent=10), made_hit(12, "ACID CALCIUM", parent=10)
    acid, other = made_hit(10, "ACID"), made_hit(13, "ACID B")

    assert rows("acid", calcium, other, acid, sodium) == [(10, [11, 12]), (13, [])]


def test_the_parents_shown_are_remembered_in_short_the_latest_of_them():
    families = into_families(ranked([IMATINIB, MESYLATE, DOPAMINE], plan("imatinib").interpretations))

    first = remember("", families)
    second = remember(first, [Family(item) for item in ranked([ENALAPRILAT, DIHYDRATE], plan("x y").interpretations)])

    assert first == "q5.1n"
    assert second == "q5.1n.g1"
    assert remembered_parents(second) == {"CHEMBL941", "CHEMBL59", "CHEMBL577"}
    assert remembered_parents("") == frozenset()


@given(st.lists(st.integers(1, 10**12 - 1), max_size=200), st.lists(st.integers(1, 10**12 - 1), max_size=100))
def test_at_most_150_are_remembered_and_a_cursor_takes_them(before, after):
    interpretations = plan("asked for").interpretations
    text = ""
    for numbers in (before, after):
        text = remember(
            text, [Family(item) for item in ranked([made_hit(number) for number in numbers], interpretations)]
        )

    befores = [*sorted(before), *sorted(after)]
    assert re.fullmatch(r"[0-9a-z.]*", text)
    assert remembered_parents(text) == {f"CHEMBL{number}" for number in befores[-150:]}
    assert CompoundPosition(lead=[], shown=0, number=0, offset=0, total=0, score=0.5, parents=text).parents == text
