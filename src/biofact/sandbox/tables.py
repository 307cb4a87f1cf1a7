"""Tables of a JSON service: rows as it answers them, in its order, found by declared filters. Knows no service."""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, TypeVar

import orjson

from biofact.sandbox.word_index import WordIndex

Row = dict[str, Any]
"""A JSON object."""
Facts = TypeVar("Facts")
Rows = Mapping[str, Sequence[Row]]
"""The rows of a service by the name of their table."""


class UndeclaredFilter(LookupError):
    """A query has a parameter that the table does not declare."""


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """A filter of rows by a parameter: one of the row's keys has to equal the value."""

    keys: Callable[[Row], Iterable[str]]
    canonical: Callable[[str], str] = str
    """The value that was given, written as the keys are."""


def field_filter(*fields: str, canonical: Callable[[str], str] = str) -> FieldFilter:
    """Rows with the value in one of these fields, alone or in a list; true and false are written in lower case."""
    return FieldFilter(lambda row: (key for field in fields for key in _keys(row.get(field))), canonical)


def reference_filter(*fields: str, canonical: Callable[[str], str] = str) -> FieldFilter:
    """Rows with a reference to the value, such as ``genes/ENSG00000012048``, in one of these fields."""
    return FieldFilter(lambda row: (identifier(key) for field in fields for key in _keys(row.get(field))), canonical)


def _keys(value: Any) -> Iterable[str]:
    if value is None or value == "":
        return ()
    if isinstance(value, list):
        return map(str, value)
    return (str(value).lower() if isinstance(value, bool) else str(value),)


def identifier(reference: str) -> str:
    """The ID behind the collection in a reference, or all of a reference without a collection."""
    return reference.rpartition("/")[2]


class RowTable:
    """Rows in the order of some of their fields, as they were given where these are equal."""

    def __init__(
        self, rows: Iterable[Row], filters: Mapping[str, FieldFilter], *, key: str = "_id", order: Sequence[str] = ()
    ) -> None:
        self.rows = sorted(rows, key=lambda row: tuple(str(row[field]) for field in order or (key,)))
        self._filters = filters
        self._key = key
        self._positions: dict[str, Mapping[str, list[int]]] = {}

    @functools.cached_property
    def by_key(self) -> Mapping[str, Row]:
        """The rows by the field that identifies them."""
        return {row[self._key]: row for row in self.rows}

    def select(self, values: Mapping[str, str]) -> list[Row]:
        """The rows that fit every value.

        Raises:
            UndeclaredFilter: there is no such filter.
        """
        return self.rows_at(*(self.positions(name, (value,)) for name, value in values.items()))

    def positions(self, name: str, values: Iterable[str]) -> set[int]:
        """Positions of the rows that fit one of these values of a filter.

        Raises:
            UndeclaredFilter: there is no such filter.
        """
        if name not in self._filters:  # the real services ignore it, which hides a typo
            raise UndeclaredFilter(name)
        index = self._positions.get(name) or self._indexed(name)
        canonical = self._filters[name].canonical
        return {position for value in values for position in index.get(canonical(value), ())}

    def rows_at(self, *positions: set[int]) -> list[Row]:
        """The rows that stand at a position of each of these sets; without sets, all."""
        return (
            [self.rows[position] for position in sorted(set.intersection(*positions))] if positions else list(self.rows)
        )

    def _indexed(self, name: str) -> Mapping[str, list[int]]:
        """Built at the first use of a filter: most tables are queried by one or two."""
        index: dict[str, list[int]] = defaultdict(list)
        for position, row in enumerate(self.rows):
            for key in set(self._filters[name].keys(row)):
                index[key].append(position)
        self._positions[name] = index
        return index


class SearchableRows:
    """Rows that are found by their key, and by the words of some of their fields."""

    def __init__(self, rows: Iterable[Row], key: str, *fields: str) -> None:
        self._rows = {str(row[key]): row for row in rows}
        self._words = WordIndex()
        for uid, row in self._rows.items():
            self._words.add(uid, " ".join(part for field in (key, *fields) for part in _keys(row.get(field))))

    def at(self, keys: Iterable[str]) -> list[Row]:
        """The rows with these keys, in this order; those without a row are left out."""
        return [self._rows[key] for key in keys if key in self._rows]

    def with_words(self, text: str) -> list[Row]:
        """The rows that hold every word of a text, sorted by key; none where it has no word."""
        return self.at(self._words.holders_of_all(text))


def page(rows: Sequence[Row], number: int, size: int) -> list[Row]:
    """The rows of a page, counted from 0; none past the end."""
    return list(rows[number * size : (number + 1) * size])


def pick_fields(row: Row, fields: str) -> Row:
    """These fields of a row, with blanks between; null where it has none, left out with ``~`` behind the name."""
    values = {name.removesuffix("~"): row.get(name.removesuffix("~")) for name in fields.split()}
    return {name: value for name, value in values.items() if value is not None or f"{name}~" not in fields.split()}


def drop_fields(row: Row, fields: str) -> Row:
    """A row without these fields, with blanks between."""
    return {name: value for name, value in row.items() if name not in fields.split()}


def starter_tables(package: str) -> dict[str, list[Row]]:
    """All starter rows of a service; a table with several kinds of rows has a file for each, as ``genes.mouse.jsonl``.

    Raises:
        ValueError: a line is no JSON object; the message says which.
    """
    rows: dict[str, list[Row]] = {}
    for file in sorted(path.name for path in (resources.files(package) / "starter").iterdir()):
        if file.endswith(".jsonl"):
            rows.setdefault(file.partition(".")[0], []).extend(starter_rows(package, file))
    return rows


def starter_rows(package: str, name: str) -> list[Row]:
    """The rows of a file of the starter facts: one JSON object a line, the first with the defaults of all rows.

    Raises:
        ValueError: a line is no JSON object; the message says which.
    """
    usual, *rows = (_object(line, name) for line in _lines(package, name))
    return [merged(usual, row) for row in rows]


def merged(usual: Row, row: Row) -> Row:
    """A row with defaults for its missing fields, also within its objects.

    A list of one object in the usual row says what the elements of the list have; a row without the list has none.
    """
    whole = {name: [] if _is_element(value) else value for name, value in usual.items()}
    return {**whole, **{name: _merged_value(usual.get(name), value) for name, value in row.items()}}


def _merged_value(usual: Any, value: Any) -> Any:
    if isinstance(usual, dict) and isinstance(value, dict):
        return merged(usual, value)
    if _is_element(usual) and isinstance(value, list):
        return [merged(usual[0], element) for element in value]
    return value


def _is_element(usual: Any) -> bool:
    return isinstance(usual, list) and len(usual) == 1 and isinstance(usual[0], dict)


def usual_row(package: str, name: str) -> Row:
    """The defaults of a file's rows."""
    return _object(next(_lines(package, name)), name)


def facts(kind: Callable[..., Facts], rows: Iterable[Row]) -> tuple[Facts, ...]:
    """Rows as facts of one kind, whose fields they have; for services whose own form is not JSON.

    Raises:
        TypeError: a row has another field, or lacks one.
    """
    return tuple(kind(**hashable(row)) for row in rows)


def hashable(value: Any) -> Any:
    """A JSON value whose lists are tuples."""
    if isinstance(value, list):
        return tuple(map(hashable, value))
    return {name: hashable(part) for name, part in value.items()} if isinstance(value, dict) else value


def starter_text(package: str, name: str) -> str:
    """The whole of a file of starter facts."""
    return (resources.files(package) / "starter" / name).read_text("utf-8")


def _lines(package: str, name: str) -> Iterator[str]:
    """The lines of a file without empty ones and comments, which begin with ``#``."""
    return (line for line in starter_text(package, name).splitlines() if line and not line.startswith("#"))


def _object(line: str, name: str) -> Row:
    try:
        return dict(orjson.loads(line).items())
    except (orjson.JSONDecodeError, AttributeError):
        raise ValueError(
            f'{line!r:.80} of {name} is not a JSON object; expected a form like \'{{"_id": "A1"}}\'.'
        ) from None
