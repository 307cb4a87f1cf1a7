"""The parts of a record that come by default, and those that come whole if they are requested."""

from collections.abc import Mapping
from typing import ClassVar

import pytest

from biofact.core.records import Frozen, Part, SlimRecord, absent_list

pytestmark = pytest.mark.quick


class Names(Frozen):
    trade: list[str] = absent_list()


class SlimPaint(SlimRecord):
    id: str

    def slim(self):
        return self.shortened(SlimPaint)


class Paint(SlimPaint):
    record_parts: ClassVar[Mapping[str, Part]] = {
        "names": Part(limits={"synonyms": 2, "names.trade": 1}),
        "recipe": Part(fields=("pigments", "binder"), limits={"pigments": 1}),
    }

    synonyms: list[str] = absent_list()
    names: Names | None = None
    pigments: list[str] = absent_list()
    binder: str | None = None


WHOLE = Paint(
    id="1",
    synonyms=["a", "b", "c"],
    names=Names(trade=["x", "y"]),
    pigments=["red", "ochre"],
    binder="oil",
)


def parts_of(include):
    default = WHOLE.selected(include)
    return (
        default.synonyms,
        default.names.trade,
        default.pigments,
        default.binder,
        [notice.message for notice in default.notices],
    )


CUT = 'Listed: synonyms 2 of 3, trade 1 of 2; include=["names"] lists all.'


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ((), (["a", "b"], ["x"], [], None, [CUT])),
        (["names"], (["a", "b", "c"], ["x", "y"], [], None, [])),
        (["recipe"], (["a", "b"], ["x"], ["red", "ochre"], "oil", [CUT])),
        (["all"], (["a", "b", "c"], ["x", "y"], ["red", "ochre"], "oil", [])),
    ],
)
def test_requested_parts_are_whole(include, expected):
    assert parts_of(include) == expected


def test_a_record_that_fits_says_nothing_of_lists():
    assert Paint(id="1", synonyms=["a"]).selected() == Paint(id="1", synonyms=["a"])


def test_a_short_form_does_not_speak_of_lists_that_it_leaves_out():
    assert WHOLE.selected().slim().notices == []


class Sign(Paint):
    record_parts: ClassVar = {"names": Part(limits={"synonyms": 2}), "recipe": Part(fields=("pigments",))}
    tighter_parts: ClassVar = (
        {"names": Part(limits={"synonyms": 1}), "recipe": Part(fields=("pigments",), limits={"binder": 0})},
    )
    token_budget: ClassVar = 65


def test_a_record_above_its_budget_takes_the_tighter_parts_and_names_the_text_that_it_leaves_out():
    short = Sign(id="1", synonyms=["a", "b", "c"])
    long = Sign(id="1", synonyms=["a", "b", "c"], binder="linseed " * 20)

    assert short.selected().synonyms == ["a", "b"]
    assert (long.selected().synonyms, long.selected().binder) == (["a"], None)
    assert [notice.message for notice in long.selected().notices] == [
        'Listed: synonyms 1 of 3, no binder; include=["names", "recipe"] lists all.'
    ]


def test_a_requested_part_does_not_shorten_the_others():
    record = Sign(id="1", synonyms=["a", "b", "c"], pigments=["red ochre"] * 40)

    assert record.selected(["recipe"]).synonyms == ["a", "b"]
