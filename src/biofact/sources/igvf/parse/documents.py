"""Bodies to rows. Pure."""

from collections.abc import Sequence
from typing import Any

import orjson

from biofact.dialects.json_values import loaded
from biofact.sources.igvf.service import error_words, says_absent
from biofact.transport.service import Transient

Row = dict[str, Any]


def is_absence(body: bytes) -> bool:
    """Whether the answer is that the entity to start from does not exist."""
    return says_absent(error_words(body) or "")


def rows(body: bytes, most: int | None = None) -> list[Row]:
    """The rows of a page, ``most`` of them at the most.

    Raises:
        Transient: it is no list of objects, or has more, and so is not the page that was requested.
    """
    found = loaded(body)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise Transient("sent no list of rows")
    if most is not None and len(found) > most:
        raise Transient(f"sent {len(found)} rows of {most}")
    return found


def distinct(found: Sequence[Row]) -> list[Row]:
    """The rows without those that say all over again what one before them says."""
    return list({orjson.dumps(row, option=orjson.OPT_SORT_KEYS): row for row in found}.values())


def entity_rows(body: bytes, most: int | None = None) -> list[Row] | None:
    """The rows of entities that were asked for by ID or name; None where the list is empty: there are none of it.

    Raises:
        Transient: as ``rows``.
    """
    return rows(body, most) or None


def document(body: bytes) -> Row:
    """The one object that some endpoints answer.

    Raises:
        Transient: it is no object.
    """
    found = loaded(body)
    if not isinstance(found, dict):
        raise Transient("sent no object")
    return found
