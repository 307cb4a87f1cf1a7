"""What a stand-in for a small JSON service is made of: a table that is searched by words, parameters. Knows no service.

A service with filters declares them in a ``tables.RowTable``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from biofact.sandbox.standin import Ask, refused, unknown
from biofact.sandbox.tables import Row
from biofact.sandbox.word_index import folded, words


class SearchTable:
    """Rows in the form in which the service sends them, by ``key``, and by the words of ``fields``."""

    def __init__(self, rows: Sequence[Row], *, key: str, fields: Sequence[str]) -> None:
        self.by_key: Mapping[str, Row] = {str(row[key]): row for row in rows}
        self._texts = [[folded(text) for field in fields for text in _texts(row.get(field))] for row in rows]
        self._rows = rows

    def search(self, query: str) -> list[Row]:
        """The rows that hold every word of the query, first those of which it is a whole text."""
        asked, wanted = folded(query), set(words(query))
        found = [
            (asked not in texts, row)
            for texts, row in zip(self._texts, self._rows, strict=True)
            if wanted and wanted <= {word for text in texts for word in text.split()}
        ]
        return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def _texts(value: Any) -> list[str]:
    """What a field holds, alone or in a list."""
    values = value if isinstance(value, list) else [value]
    return [str(one) for one in values if one is not None]


def check_parameters(ask: Ask, *names: str) -> None:
    """Refuse what the endpoint does not take, as a lenient sandbox and the real services would not.

    Raises:
        Refusal: there is a parameter of another name.
    """
    if strange := sorted({name for name, _ in ask.params} - {*names}):
        raise unknown(refused(f"Unknown parameter: {', '.join(strange)}."), strange)


def whole_number(ask: Ask, name: str, default: int, valid: range) -> int:
    """The value of a parameter.

    Raises:
        Refusal: it is no whole number, or out of range.
    """
    value = ask.one(name, str(default))
    if not re.fullmatch(r"\d{1,9}", value, re.ASCII) or int(value) not in valid:
        raise refused(f"{name} takes {valid[0]} to {valid[-1]}.")
    return int(value)
