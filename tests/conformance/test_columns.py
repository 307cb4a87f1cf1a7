"""Tables of every tool's answers have columns that its declaration alone determines."""

import pytest

from biofact.tables.columns import Column, columns, listings, named_columns, rows
from tests import virtual_time
from tests.conformance.cases import cases, first_of_each_tool, id_list, result_of, results
from tests.conformance.items import in_turn
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

_NUMBERS = {float: (int, float), int: (int,), bool: (bool,), str: (str,)}


def result_columns(case, result):
    """The columns of the tool; if the caller chose the keys of rows, those named in the answer."""
    if result_names := getattr(result, "columns", ()):
        return named_columns(result_names, getattr(result, result.listed))
    return columns(case.spec.returns)


@in_turn(cases(lambda case: True))
def test_the_cells_of_an_answer_hold_all_of_it_and_are_of_the_columns_types(case):
    result = results(case.source)[case]
    columns_by_name = {column.name: column for column in result_columns(case, result)}

    for cells, record in zip(rows(result, tuple(columns_by_name.values())), records(result), strict=True):
        assert all(fits(columns_by_name[name], cell) for name, cell in cells.items()), cells
        if "error" not in cells:
            assert nested(columns_by_name, cells) == record


def records(result):
    """The rows as JSON, without the fields beside them."""
    body = result.model_dump(by_alias=True)
    if result.listed:
        return [plain(item) for item in body[result.listed]]
    pairs = [(name, item) for name in listings(type(result)) for item in body.get(name, ())]
    return [{"list": name, **plain(item)} for name, item in pairs] or [plain(body)]


def plain(value):
    """A record without notices, empty objects and nulls."""
    if isinstance(value, dict) and value.get("success") is not False:
        fields = {name: plain(field) for name, field in value.items() if name != "notices"}
        return {name: field for name, field in fields.items() if field is not None and field != {}}
    return value


def nested(tree, cells):
    """The record after a round trip."""
    body = {}
    for name, cell in cells.items():
        *outer, last = tree[name].path
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
    first, *ids = case.arguments[name]

    async def ask():
        async with sandboxed(case.source) as (client, _):
            return await result_of(client, case.with_arguments(**{name: [first, "no such ID", *ids]}))

    first_row, failed, *other_rows = rows(virtual_time.run(ask()), columns(case.spec.returns))

    assert failed.keys() == {"input", "error", "message"}
    assert (failed["input"], failed["error"]) == ("no such ID", "UNRESOLVED_ENTITY")
    assert [cells["id"] for cells in (first_row, *other_rows)] == [first, *ids]
