"""A resource of ChEMBL: its rows, read by ID or listed, with filters in Django's manner: ``field__lookup=value``."""

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.sandbox.services.chembl import requests
from biofact.sandbox.services.chembl.corpus import Kind, Resource, ResourceFields
from biofact.sandbox.services.chembl.requests import CONTROLS, check_names, chembl_refusal, unknown_name_refusal
from biofact.sandbox.standin import Reply, ServiceRequest, json_reply
from biofact.sandbox.tables import Row

Test = Callable[[Any], bool]
"""Whether a value that is there is as wanted."""
Scalar = str | float | bool
Spellings = Mapping[str, frozenset[str]]
"""Which canonical SMILES another SMILES stands for."""

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
_TEXT_COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "iexact": lambda value, operand: value.casefold() == operand.casefold(),
    "contains": lambda value, operand: operand in value,
    "icontains": lambda value, operand: operand.casefold() in value.casefold(),
    "startswith": str.startswith,
    "istartswith": lambda value, operand: value.casefold().startswith(operand.casefold()),
    "endswith": str.endswith,
    "iendswith": lambda value, operand: value.casefold().endswith(operand.casefold()),
}
_LOOKUPS: dict[Kind, frozenset[str]] = {
    "text": frozenset({"exact", "in", "range", "isnull", *_ORDERS, *_TEXT_COMPARISONS}),
    "number": frozenset({"exact", "in", "range", "isnull", *_ORDERS}),
    "flag": frozenset({"exact", "isnull"}),
}
_LOOKUP_NAMES = frozenset({"flexmatch", "regex", "search"}).union(*_LOOKUPS.values())
_LIST_LOOKUPS = {"in", "range"}
_SMILES = "molecule_structures__canonical_smiles"
_TRUE = {"true", "1"}
_FALSE = {"false", "0"}
_ENDS = 2


@dataclass(frozen=True, slots=True)
class Condition:
    """One filter."""

    path: tuple[str, ...]
    wants_null: bool
    """Whether it is met by what is not there."""
    test: Test

    def holds(self, part: object, depth: int = 0) -> bool:
        """Whether any value below ``part``, which lies ``depth`` names down the path, is as wanted."""
        values = [value for value in _values(part, self.path[depth:]) if value is not None]
        return any(map(self.test, values)) if values else self.wants_null


def filter_rows(
    rows: Iterable[Row], filters: Mapping[str, list[str]], fields: ResourceFields, spellings: Spellings
) -> list[Row]:
    """The rows that meet every filter, each given with all the values that it was sent with."""
    conditions: dict[str, list[Condition]] = defaultdict(list)
    for name, values in filters.items():
        condition = _condition(name, values, fields, spellings)
        conditions[condition.path[0]].append(condition)
    return [row for row in rows if all(_meets(row.get(name), group) for name, group in conditions.items())]


def order_rows(rows: Sequence[Row], names: Sequence[str], fields: ResourceFields) -> list[Row]:
    """The rows by these fields, the first counting most; nulls come first when descending, as ChEMBL has it."""
    for name in names:
        if name.removeprefix("-") not in fields.kinds:
            raise unknown_name_refusal(f"order_by={name}", "This resource")
    sorted_rows = list(rows)
    for name in reversed(names):  # sorting is stable: the last name first
        sorted_rows = _sorted_by(sorted_rows, name.removeprefix("-"), fields, is_descending=name.startswith("-"))
    return sorted_rows


def _sorted_by(rows: list[Row], name: str, fields: ResourceFields, *, is_descending: bool) -> list[Row]:
    kind, path = fields.kinds[name], tuple(name.split("__"))
    values = (next((value for value in _values(row, path) if value is not None), None) for row in rows)
    pairs = [(_key(value, kind), row) for value, row in zip(values, rows, strict=True)]
    keyed_rows = [(key, row) for key, row in pairs if key is not None]
    null_rows = [row for key, row in pairs if key is None]
    in_order = [row for _, row in sorted(keyed_rows, key=operator.itemgetter(0), reverse=is_descending)]
    return [*null_rows, *in_order] if is_descending else [*in_order, *null_rows]


def _meets(part: object, group: Iterable[Condition]) -> bool:
    """Whether one element of a list meets all filters that speak of the list: the same synonym, not any two."""
    elements = (part or [None]) if isinstance(part, list) else [part]
    return any(all(condition.holds(element, 1) for condition in group) for element in elements)


def _condition(name: str, texts: list[str], fields: ResourceFields, spellings: Spellings) -> Condition:
    field, lookup = _split(name, fields)
    kind = fields.kinds[field]
    path = tuple(field.split("__"))
    if lookup == "flexmatch" and field == _SMILES:
        spellings_of_smiles = {texts[-1]} | spellings.get(texts[-1], frozenset())
        return Condition(path, wants_null=False, test=spellings_of_smiles.__contains__)
    if lookup not in _LOOKUPS[kind]:
        raise chembl_refusal(f"{field} is a {kind}, for which the sandbox has no {lookup!r}.")
    if lookup == "isnull":
        wants_null = _flag(texts[-1], name)
        return Condition(path, wants_null=wants_null, test=lambda value: not wants_null)
    # The service reads only the last value of a filter given twice.
    values = _filter_values(texts) if lookup in _LIST_LOOKUPS else texts[-1:]
    operands = [_filter_value(value, kind, name) for value in values]
    return Condition(path, wants_null=False, test=_test(lookup, operands, kind, name))


def _filter_values(texts: list[str]) -> list[str]:
    """The values of a filter that takes several: one is a list with commas between; of several each is a value."""
    return texts[0].split(",") if len(texts) == 1 else texts


def _split(name: str, fields: ResourceFields) -> tuple[str, str]:
    """The field and the lookup that a filter's name consists of."""
    top, *rest = name.split("__")
    name = "__".join((fields.aliases.get(top, top), *rest))
    if name in fields.kinds:
        return name, "exact"
    field, _, lookup = name.rpartition("__")
    if field in fields.kinds and lookup in _LOOKUP_NAMES:
        return field, lookup
    if top in fields.top:  # a bad name below a field is an error, an unknown field is ignored (UPSTREAMS 4.1)
        raise chembl_refusal(f"{name!r:.80} is no field that the sandbox can filter by; {top} is.")
    raise unknown_name_refusal(name, "This resource")


def _test(lookup: str, operands: list[Scalar], kind: Kind, name: str) -> Test:
    if lookup == "range":
        if len(operands) != _ENDS:
            raise chembl_refusal(f"{name} is given as two values with a comma between.")
        lowest, highest = operands
        return lambda value: (key := _key(value, kind)) is not None and lowest <= key <= highest
    if lookup in {"in", "exact"}:
        return lambda value: _key(value, kind) in operands
    if lookup in _TEXT_COMPARISONS:
        matches, expected = _TEXT_COMPARISONS[lookup], str(operands[0])
        return lambda value: matches(str(value), expected)
    compare = _ORDERS[lookup]
    return lambda value: (key := _key(value, kind)) is not None and compare(key, operands[0])


def _filter_value(value: str, kind: Kind, name: str) -> Scalar:
    if kind == "flag":
        return _flag(value, name)
    key: Scalar | None = _key(value, kind)
    if key is None:
        raise chembl_refusal(f"{name} is a number, not {value!r:.40}.")
    return key


def _flag(value: str, name: str) -> bool:
    if value.lower() not in _TRUE | _FALSE:
        raise chembl_refusal(f"{name} is true or false, not {value!r:.40}.")
    return value.lower() in _TRUE


def _key(value: Any, kind: Kind) -> Any:
    """A value for comparison: numbers as numbers, also where the wire has text."""
    if kind != "number" or value is None:
        return value
    try:
        return float(value)
    except ValueError:
        return None


def _values(part: object, path: tuple[str, ...]) -> Iterator[object]:
    """The values at the end of a path, through lists of objects too."""
    if isinstance(part, list):
        for element in part:
            yield from _values(element, path)
    elif not path:
        yield part
    elif isinstance(part, dict):
        yield from _values(part.get(path[0]), path[1:])


class ResourceTable:
    """One resource; the rows' order is the table's own."""

    def __init__(self, resource: Resource, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self.spellings: Spellings = {}
        self.plural = resource.plural
        self.key = resource.key
        self._fields = resource.fields
        self._by_id = {str(row[self.key]): row for row in self.rows}

    def find(self, uid: str) -> Row | None:
        """The row with this ID, in any case."""
        return self._by_id.get(uid.upper())

    def list_page(self, request: ServiceRequest) -> Reply:
        """A page of the rows that meet the filters of the request."""
        rows = self._filtered(request, self.rows, self._fields, CONTROLS | requests.PAGE_CONTROLS | {"order_by"})
        return self._page(request, order_rows(rows, request.values("order_by"), self._fields), self._fields)

    def row_reply(self, request: ServiceRequest, uid: str) -> Reply:
        """The row with this ID."""
        check_names(request, CONTROLS)
        row = self.find(uid)
        if row is None:
            raise chembl_refusal(f"There is no {uid!r:.80} in {self.plural}.", status=404)
        return json_reply(_trimmed([row], request, self._fields)[0])

    def set_reply(self, request: ServiceRequest, ids: str) -> Reply:
        """The rows with these IDs, in their order, and the IDs without a row."""
        check_names(request, CONTROLS)
        uids = [uid for uid in ids.split(";") if uid]
        if not uids:
            raise chembl_refusal("No IDs are given.")
        rows_by_uid = {uid: self.find(uid) for uid in uids}
        rows = [row for uid in uids if (row := rows_by_uid[uid]) is not None]
        absent = [uid for uid, row in rows_by_uid.items() if row is None]
        trimmed = _trimmed(rows, request, self._fields)
        return json_reply({self.plural: trimmed, **({"not_found": absent} if absent else {})})

    def _filtered(
        self, request: ServiceRequest, rows: Sequence[Row], fields: ResourceFields, controls: frozenset[str]
    ) -> list[Row]:
        filters = {name: values for name, values in request.parameters.items() if name not in controls}
        return filter_rows(rows, filters, fields, self.spellings)

    def _page(
        self, request: ServiceRequest, rows: Sequence[Row], fields: ResourceFields, reachable: int | None = None
    ) -> Reply:
        page = requests.page_request(request)
        page_rows = rows[:reachable][page.offset : page.offset + page.limit]
        return json_reply({self.plural: _trimmed(page_rows, request, fields), "page_meta": page.meta(len(rows))})


def _trimmed(rows: Sequence[Row], request: ServiceRequest, fields: ResourceFields) -> list[Row]:
    """The rows with the requested fields, or with all of them."""
    names = {name for value in request.values("only") for name in value.split(",") if name}
    for name in sorted(names - fields.top):
        raise unknown_name_refusal(f"only={name}", "This resource")
    return [{name: value for name, value in row.items() if not names or name in names} for row in rows]
