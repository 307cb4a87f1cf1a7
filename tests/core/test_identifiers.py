"""The written form of an ID, and the errors for other forms."""

import pytest

from biofact.core.errors import CallTool, ToolRef, UnresolvedEntity
from biofact.core.identifiers import ForeignId, IdKind, curie_kind, declare, declared_kinds, query_text

pytestmark = pytest.mark.quick

SEARCH = ToolRef("toy", "search_toys")
GET_BOX = ToolRef("toy", "get_box")
TOY_ID = IdKind(
    "toy ID",
    r"TOY:\d+",
    "TOY:7",
    SEARCH,
    repair=lambda text: text.upper() if text.lower().startswith("toy:") else None,
    query=lambda text: text.removeprefix("a "),
    foreign_ids=(ForeignId(r"BOX:\d+", "box ID", GET_BOX, "box_id"), ForeignId(r"\w+X:\d+", "other ID", GET_BOX, "x")),
)


def refusal(value, kind=TOY_ID) -> UnresolvedEntity:
    with pytest.raises(UnresolvedEntity) as error:
        kind.check(value)
    assert error.value.invalid_input == value
    return error.value


def test_an_id_of_the_form_is_given_back():
    assert TOY_ID.check("TOY:12") == "TOY:12"


def test_the_form_is_exact(subtests):
    for value in ["TOY:12 ", "TOY:12\n", "xTOY:12", "TOY:", "TOY:\u0661", "", None, 12, ["TOY:12"]]:
        with subtests.test(value=value):
            assert refusal(value).message.endswith("is not a toy ID; expected a form like 'TOY:7'.")


def test_an_id_of_another_kind_is_sent_where_it_belongs_to_the_first_that_takes_it():
    error = refusal("BOX:3")

    assert error.message == "'BOX:3' is a box ID, not a toy ID."
    assert error.hint == "Call toy.get_box for it."
    assert error.recovery == CallTool(GET_BOX, {"box_id": "BOX:3"})


def test_only_the_whole_of_an_input_is_an_id_of_another_kind():
    assert refusal("BOX:3 and more").recovery == CallTool(SEARCH, {"query": "BOX:3 and more"})
    assert refusal("BOX:\u0663").message.endswith("expected a form like 'TOY:7'.")


def test_names_have_their_article():
    kind = IdKind(
        "Ensembl ID", r"B:\d+", "B:1", SEARCH, foreign_ids=(ForeignId(r"A:\d+", "NCBI ID", GET_BOX, "box_id"),)
    )

    assert refusal("A:1", kind).message == "'A:1' is an NCBI ID, not an Ensembl ID."
    assert refusal("C", kind).message == "'C' is not an Ensembl ID; expected a form like 'B:1'."


def test_a_nearly_right_spelling_is_shown_and_never_applied():
    error = refusal(" toy:12")

    assert (
        error.hint == "If you mean TOY:12, write it that way; otherwise call toy.search_toys to resolve the name first."
    )
    assert error.recovery == CallTool(SEARCH, {"query": "TOY:12"})


def test_another_text_is_searched_for(subtests):
    cases = [
        ("a bear", "bear"),
        ("a b", "a b"),  # without its article the name would be too short
        ("  big \t bear ", "big bear"),
        ("big\u2011bear", "big-bear"),
        (42, "42"),
    ]
    for value, query in cases:
        with subtests.test(value=value, query=query):
            error = refusal(value)

            assert error.hint == "Call toy.search_toys to resolve the name first."
            assert error.recovery == CallTool(SEARCH, {"query": query})


def test_a_value_that_no_search_accepts_has_no_recovery(subtests):
    for value in ["", "x", " x ", "x" * 301, 7, True, None, 4.2]:
        with subtests.test(value=value):
            assert refusal(value).recovery is None


def test_a_long_input_is_cut_in_the_message():
    assert len(refusal("x" * 5000).message) < 200


def test_a_query_has_one_kind_of_dash_and_blank(subtests):
    cases = [
        ("TNF\u2013alpha", "TNF-alpha"),
        ("TNF\u2212alpha", "TNF-alpha"),
        ("\uff34\uff30\uff15\uff13", "TP53"),
        (" a\u00a0b\tc\nd ", "a b c d"),
        ("a\x00b", "a b"),
        ("\u200b", ""),
        ("Gleevec\u2122", "Gleevec"),
        ("Tylenol\u00ae 8 HR", "Tylenol 8 HR"),
    ]
    for text, plain in cases:
        with subtests.test(text=text):
            assert query_text(text) == plain


NUMBERED = curie_kind("Toy ID", "TOY", "17", ToolRef("toy", "search"))


def test_a_number_is_recognised_as_an_id_in_any_spelling(subtests):
    for text in ["TOY:17", "toy:17", "TOY 17", "toy_17", "17", " TOY:17 ", "TOY:#17"]:
        with subtests.test(text=text):
            assert NUMBERED.match(text) == "TOY:17"
            assert NUMBERED.local("TOY:17") == "17"


def test_a_text_without_a_number_is_no_numbered_id(subtests):
    for text in ["TOY:0", "TOY:017", "TOYS:17", "17a", "TOY:", "a 17", "TOY:12345678901"]:
        with subtests.test(text=text):
            assert NUMBERED.match(text) is None
            with pytest.raises(UnresolvedEntity):
                NUMBERED.check(text)


def test_a_bare_number_is_refused_with_its_spelling():
    with pytest.raises(UnresolvedEntity) as refusal:
        NUMBERED.check("17")

    assert "TOY:17" in refusal.value.hint


def test_a_kind_of_id_is_declared_once():
    kind = declare(curie_kind("ID declared once", "ONCE", "1", ToolRef("toy", "search")))

    assert kind in declared_kinds()
    with pytest.raises(ValueError, match="ID declared once"):
        declare(curie_kind("ID declared once", "TWICE", "1", ToolRef("toy", "search")))
