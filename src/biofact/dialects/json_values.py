"""JSON bodies, and values in them that may be missing or of another type than promised. Pure."""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

import orjson

from biofact.core.errors import UpstreamError
from biofact.core.xrefs import XrefCollector
from biofact.dialects.readable_rows import MissingField
from biofact.transport.service import MIB, Answer, BodyTooLarge, Transient, Verdict

T = TypeVar("T")

_LIMITED = re.compile(r"rate limit|too many requests|throttled", re.IGNORECASE)
_FAILED = re.compile(r"try again|timed? ?out|unavailable", re.IGNORECASE)
ERROR_NAMES = ("error", "message", "detail")
"""Names under which most services report an error."""
_WHOLE = re.compile(r"(\d+)(?:\.0+)?", re.ASCII)
_MOST_VALUES = 500_000
"""Commas in a body beyond 1 MiB: as objects, some 100 MiB and a tenth of a second in which nothing else runs."""
_MOST_DIGITS = 18  # of a number that means something; Python refuses to read thousands


def loaded(body: bytes | bytearray) -> Any:
    """The JSON that ``body`` is.

    Raises:
        Transient: it is damaged, or nested absurdly deep.
        BodyTooLarge: it has more values than may be read at once.
    """
    if len(body) > MIB and body.count(b",") > _MOST_VALUES:
        raise BodyTooLarge(f"sent an answer of more than {_MOST_VALUES:,} values")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Transient(f"sent a body that is not JSON ({error})") from error
    return with_few_levels(value)


def with_few_levels(value: T) -> T:
    """The value, where it is nested no deeper than JSON is written and recursive code can follow.

    Raises:
        Transient: it is nested deeper.
    """
    try:
        orjson.dumps(value)  # reads 1,024 levels and writes 254 (3.11, 2026-11-29), in a tenth of the time of reading
    except TypeError as error:
        raise Transient("sent an answer that is nested absurdly deep") from error
    return value


def document(body: bytes) -> dict[str, Any]:
    """The object that ``body`` is.

    Raises:
        Transient: it is damaged, or something else.
    """
    value = loaded(body)
    if not isinstance(value, dict):
        raise Transient("sent something other than an object")
    return value


def rows(document: Any, name: str) -> list[dict[str, Any]]:
    """The objects of a list that every answer has; it is empty if there are none.

    Raises:
        Transient: there is no such list, or something else in it.
    """
    items = document.get(name) if isinstance(document, dict) else None
    if not isinstance(items, list) or not all(isinstance(row, dict) for row in items):
        raise Transient(f"sent no list of {name}")
    return items


def count(document: dict[str, Any], name: str) -> int:
    """The count that an answer has to report.

    Raises:
        Transient: it does not.
    """
    total = number(document, name)
    if total is None or total < 0:
        raise Transient(f"did not say how many there are as {name!r}")
    return total


def error_words(body: bytes, *names: str) -> str | None:
    """The error message of an answer, under the first of these names with a value, or None if it is no error.

    A service judges by it: ``body`` may be the head of a long answer only, or damaged, which its reader will say.
    """
    if not body.lstrip().startswith(b"{"):
        return None
    try:
        document = loaded(body)
    except Transient:
        return None
    words = next((document[name] for name in names if document.get(name)), None)
    return None if words is None else " ".join(str(words).split())


def verdict(answer: Answer, words: str | None, failed: "re.Pattern[str]") -> Verdict | None:
    """The verdict on an answer by its status and error message; ``failed`` matches temporary failures. None
    for an error that the source has to judge.
    """
    if words is None:
        if answer.status in range(200, 300):
            return "good"
        # A 400 is JSON; anything else comes from a server in between.
        return "transient" if answer.status == HTTPStatus.BAD_REQUEST else "refused"
    if _LIMITED.search(words):
        return "limited"
    return "transient" if failed.search(words) else None


class Judge:
    """The judge of a service that reports errors under one of these names, or of the usual ones, as a gateway in front
    does, and has these at the top of its answer in no other case.
    """

    def __init__(self, *names: str) -> None:
        self.names = (*names, *ERROR_NAMES)

    def __call__(self, answer: Answer) -> Verdict:
        """The verdict on an answer."""
        return verdict(answer, error_words(answer.body, *self.names), _FAILED) or "refused"


judge = Judge()
"""The judge of a service whose errors have one of the usual names."""


def not_found(*names: str) -> Callable[[Answer], bool]:
    """Whether an answer is a service's own 404, for ``Request.is_absent``: an object with an error message under one of
    ``names``; without names, an empty object.
    """

    def is_absent(answer: Answer) -> bool:
        if answer.status != HTTPStatus.NOT_FOUND:
            return False
        return error_words(answer.body, *names) is not None if names else answer.body.strip() == b"{}"

    return is_absent


def with_total(header: str) -> Callable[[Answer], bytes]:
    """For ``Request.payload``: the list that an answer is and the count in a header, in lower case, as an object with
    ``rows`` and ``total``.

    The function raises Transient for an answer without that count.
    """

    def payload(answer: Answer) -> bytes:
        total = answer.headers.get(header, "")
        if not re.fullmatch(r"\d{1,18}", total, re.ASCII):
            raise Transient(f"did not say how many there are in {header}")
        return b'{"total":%d,"rows":%s}' % (int(total), answer.body)

    return payload


def required_text(values: dict[str, Any], name: str, record: str, source: str) -> str:
    """A text that no record is without.

    Raises:
        MissingField: it is missing.
    """
    value = values.get(name)
    if not isinstance(value, str) or not value:
        raise MissingField(f"{source} sent {record} without {name!r}.", name)
    return value


def required_choice(values: dict[str, Any], name: str, choices: Mapping[str, T], record: str, source: str) -> T:
    """The meaning of a text that no record is without, and that is one of ``choices``.

    Raises:
        UpstreamError: it is missing, or another.
    """
    value = required_text(values, name, record, source)
    if value not in choices:
        raise UpstreamError(f"{source} sent {record} whose {name} is {value!r:.60}.", hint="Report it.")
    return choices[value]


def text(values: dict[str, Any], name: str) -> str | None:
    """A text that may be missing."""
    value = values.get(name)
    return value.strip() or None if isinstance(value, str) else None


def texts(values: dict[str, Any], name: str) -> list[str]:
    """The texts of a list that may be missing, each once."""
    return list(
        dict.fromkeys(item.strip() for item in _list_items(values, name) if isinstance(item, str) and item.strip())
    )


def cross_references(values: dict[str, Any], fields: Mapping[str, str]) -> XrefCollector:
    """The cross-references of a record; ``fields`` are its own names, of texts or lists of them, by keys of ours."""
    xrefs = XrefCollector()
    for key, field in fields.items():
        for value in (*texts(values, field), text(values, field)):
            xrefs.add(key, value)
    return xrefs


def objects(values: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list that may be missing."""
    return [item for item in _list_items(values, name) if isinstance(item, dict)]


def nested_object(values: Any, name: str) -> dict[str, Any]:
    """The object that stands there; empty when there is none, or ``values`` is none itself."""
    value = values.get(name) if isinstance(values, dict) else None
    return value if isinstance(value, dict) else {}


def number(values: dict[str, Any], name: str) -> int | None:
    """A whole number that may be missing, be written as text, or have passed through a float: ``15451847.0``."""
    value = values.get(name)
    if isinstance(value, str) and (match := _WHOLE.fullmatch(value)) and len(match[1]) <= _MOST_DIGITS:
        return int(match[1])
    if isinstance(value, float) and value.is_integer() and len(f"{value:.0f}") <= _MOST_DIGITS:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def decimal(values: dict[str, Any], name: str) -> float | None:
    """A number that may be missing, or be written as text."""
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number_value = float(value)
    except ValueError:
        return None
    return number_value if abs(number_value) < float("inf") else None  # neither "inf" nor "nan" is a measurement


def flag(values: dict[str, Any], name: str) -> bool | None:
    """A yes or no in any form: true, 1, "1", "Yes"; None if it is unknown, which includes -1."""
    value = values.get(name)
    if isinstance(value, bool):
        return value
    return {"0": False, "1": True, "no": False, "yes": True}.get(str(value).casefold())


def _list_items(values: dict[str, Any], name: str) -> list[Any]:
    value = values.get(name)
    return value if isinstance(value, list) else []
