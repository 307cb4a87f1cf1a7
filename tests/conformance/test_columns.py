"""Tables of every tool's answers have columns that its declaration alone determines."""

import pytest

from biofact.tables.columns import Column, columns, listings, rows, stated
from tests import virtual_time
from tests.conformance.cases import cases, first_of_each_tool, found, id_list, results
from tests.conformance.items import in_turn
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

_NUMBERS = {float: (int, float), int: (int,), bool: (bool,), str: (str,)}


def result_columns(case, result):
    """Those of the tool; of rows whose keys the caller chose, those that the answer names."""
    if named := getattr(result, "columns", ()):
        return stated(named, getattr(result, result.listed))
    return columns(case.spec.returns)


@in_turn(cases(lambda case: True))
def test_the_cells_of_an_answer_hold_all_of_it_and_are_of_the_columns_types(case):
    result = results(case.source)[case]
    own = {column.name: column for column in result_columns(case, result)}

    for cells, record in zip(rows(result, tuple(own.values())), records(result), strict=True):
        assert all(fits(own[name], cell) for name, cell in cells.items()), cells
        if "error" not in cells:
            assert nested(own, cells) == record


def records(result):
    """The rows as JSON, without what is said beside them."""
    body = result.model_dump(by_alias=True)
    if result.listed:
        return [plain(one) for one in body[result.listed]]
    several = [(name, one) for name in listings(type(result)) for one in body.get(name, ())]
    return [{"list": name, **plain(one)} for name, one in several] or [plain(body)]


def plain(value):
    """A record without notices, empty objects and nulls."""
    if isinstance(value, dict) and value.get("success") is not False:
        kept = {name: plain(one) for name, one in value.items() if name != "notices"}
        return {name: one for name, one in kept.items() if one is not None and one != {}}
    return value


def nested(own, cells):
    """The record again."""
    body = {}
    for name, cell in cells.items():
        *outer, last = own[name].path
        place = body
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = cell
    return plain(body)


def fits(column: Column, cell) -> bool:
    if column.type is dict:
        return isinstance(cell, dict | list)
    values = cell if column.is_list else [cell]
    return all(type(value) in _NUMBERS[column.type] for value in values)


@in_turn(first_of_each_tool(cases(id_list)))
def test_a_failure_keeps_its_place_in_a_batch(case):
    name = id_list(case)
    first, *others = case.arguments[name]

    async def ask():
        async with sandboxed(case.source) as (client, _):
            return await found(client, case.given(**{name: [first, "no such ID", *others]}))

    one, failed, *further = rows(virtual_time.run(ask()), columns(case.spec.returns))

    assert failed.keys() == {"input", "error", "message"}
    assert (failed["input"], failed["error"]) == ("no such ID", "UNRESOLVED_ENTITY")
    assert [cells["id"] for cells in (one, *further)] == [first, *others]
