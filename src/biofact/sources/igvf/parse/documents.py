"""Bodies to rows. Pure."""

from typing import Any

from biofact.dialects.json_values import loaded
from biofact.transport.service import Transient

Row = dict[str, Any]


def rows(body: bytes) -> list[Row]:
    """The rows of a list.

    Raises:
        Transient: it is no list of objects.
    """
    found = loaded(body)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise Transient("sent no list of rows")
    return found


def document(body: bytes) -> Row:
    """The one object that some endpoints answer.

    Raises:
        Transient: it is no object.
    """
    found = loaded(body)
    if not isinstance(found, dict):
        raise Transient("sent no object")
    return found
