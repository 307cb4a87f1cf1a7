"""Failures in NCBI's words: where they stand in a body, and what they mean. The status comes second."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Literal

from biofact.core.errors import BiofactError, UpstreamError
from biofact.dialects.eutils import documents
from biofact.transport.service import Answer, Refused, Service, Transient, Verdict

ErrorKind = Literal[
    "limited",  # too many requests
    "transient",  # something behind the service failed
    "key",  # the API key
    "query",  # the search cannot be done as asked: blank, too many variants, too far down the list
    "ids",  # the IDs are malformed, or there are none
    "absent",  # there is no such record
    "other",  # a parameter that we should not have sent
]

_TRANSIENT = (
    r".*(?:Search Backend failed|NCBI C\+\+ Exception|address table is empty|proxy_stream|PubOne"
    r"|Bad Gateway|Service Unavailable|Gateway Time-?out|temporarily unavailable|timed out)"
)
_PATTERNS: tuple[tuple[ErrorKind, str], ...] = (  # the first that fits the beginning counts
    ("limited", r"API rate limit exceeded"),
    ("key", r"API key\b"),
    ("query", r"(?:Search Backend failed:)?\s*(?:Exception:)?\s*'?retstart'? cannot be larger"),
    ("query", r"Empty term|Cannot search because"),
    ("ids", r"(?:Invalid|Empty) (?:uid|ID list)|ID list is empty|Supplied id parameter|Neither query_key nor id"),
    ("ids", r"IDs contain invalid|Some IDs have invalid"),
    ("absent", r"(?:UID=\S+:\s*)?cannot get document summary"),
    ("other", r"Invalid db name"),  # goes on with the name that was asked for, which may say anything
    ("transient", _TRANSIENT),
)
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for kind, pattern in _PATTERNS)


class ErrorMessage(str):
    """The service's own words of an error, on one line."""

    __slots__ = ()

    @property
    def kind(self) -> ErrorKind:
        """Kind of the error."""
        return next((kind for kind, pattern in _KINDS if pattern.match(self)), "other")


_HEAD_BYTES = 4096  # an error is shorter; what is longer holds records
_SUCCESS = range(200, 300)
_TEMPORARY_STATUSES = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, *range(500, 600)})
_HTML = re.compile(
    rb"(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!DOCTYPE\s+)?html\b", re.IGNORECASE | re.DOTALL
)
_XML_ERROR = re.compile(
    rb"""
    (?:<\?xml[^>]*>\s*)? (?:<!--(?:(?!-->).)*-->\s*)* (?:<!DOCTYPE[^>\[]*>\s*)?
    (?:<(?!error\b)[\w.-]+[^<>]*>\s*)?                      # the root, unless it is the error itself
    (?:<LinkSet>\s*(?:<DbFrom>[^<]*</DbFrom>\s*)?)?
    <error>(?P<words>.*?)                                   # may hold the page that a server behind answered
    (?:</error>\s*
       (?:<(?P<empty>[\w.-]+)[^<>]*(?:/>|>\s*</(?P=empty)>)\s*)?  # a set without records
       (?P<more>(?!</|<error>)<)?|\Z)                       # the head may end before it does
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_TEXT_ERROR = re.compile(rb"[A-Z][A-Za-z ]{2,30} \([45]\d\d\): .*", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z!][^>]*>?")
_WORDS_LIMIT = 500  # of a page that a server behind answered, its title is enough


def judge(answer: Answer) -> Verdict:
    """The verdict on an answer, by the words in its first 4 KiB, then by its status.

    An error counts only at the service's places for errors, never where a record mentions its words. The reader reports
    an error beside records, unless a later answer may be better.
    """
    head = _start(answer.body[:_HEAD_BYTES])
    words, is_alone = _error(head)
    if words is None and answer.status not in _SUCCESS and head[:1] not in {b"<", b"{"}:
        words = _words(head.decode(errors="replace"))
    kind = words.kind if words else None
    if kind == "transient":
        return "relayed" if answer.status == HTTPStatus.BAD_REQUEST else "transient"
    if kind == "limited":
        return "limited"
    if kind in {"key", "query", "ids"} and is_alone:
        return "refused"
    verdict = _by_status(answer.status, is_html=_HTML.match(head) is not None)
    return "refused" if verdict == "good" and kind == "other" and is_alone else verdict


def found_error(body: bytes) -> ErrorMessage | None:
    """The service's own words of the error that ``body`` is; None when it is something else."""
    return _error(body)[0]


def document_error(document: Mapping[str, Any]) -> ErrorMessage | None:
    """The errors that a document in JSON's shape reports, as one line.

    Raises:
        Transient: they say that the answer may be better another time.
    """
    return joined_error(_places(document))


def joined_error(errors: Iterable[str]) -> ErrorMessage | None:
    """Error words as one line; None where there are none.

    Raises:
        Transient: they say that the answer may be better another time.
    """
    messages = [words for words in map(_words, dict.fromkeys(errors)) if words]
    for words in messages:
        if words.kind in {"limited", "transient"}:
            raise Transient(f"answered: {words}", is_rate_limit=words.kind == "limited")
    return _words("; ".join(messages))


def own_errors(values: Mapping[str, Any]) -> Iterator[str]:
    """The error words that an object of an answer holds itself."""
    yield from _texts(values.get("error"))
    yield from _texts(values.get("ERROR"))


def _by_status(status: int, *, is_html: bool) -> Verdict:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "limited"
    if status in _TEMPORARY_STATUSES or is_html:
        return "transient"
    return "good" if status in _SUCCESS else "refused"


def _error(body: bytes) -> tuple[ErrorMessage | None, bool]:
    """The words of an error at its place, and whether it is all that the answer has."""
    start = _start(body)
    if start[:1] == b"{":
        return _json_error(start)
    if match := _XML_ERROR.match(start[:_HEAD_BYTES]):
        return _words(match["words"].decode(errors="replace")), match["more"] is None
    if match := _TEXT_ERROR.fullmatch(start[:_HEAD_BYTES]):
        return _words(match[0].decode(errors="replace")), True
    return None, True


def _start(body: bytes) -> bytes:
    return body.removeprefix(documents.BYTE_ORDER_MARK).lstrip()


def _json_error(text: bytes) -> tuple[ErrorMessage | None, bool]:
    try:
        document = documents.json_object(text)
    except Transient:  # cut at the head, so no error; or damaged, which its reader will say
        return None, True
    result = document.get("result")
    has_records = bool(result.get("uids")) if isinstance(result, Mapping) else bool(result)
    return _words("; ".join(_places(document))), not (has_records or document.get("linksets"))


def _places(document: Mapping[str, Any]) -> Iterator[str]:
    """Error words at each place where JSON answers have them."""
    for holder in (document, *document.values()):
        if isinstance(holder, Mapping):
            yield from own_errors(holder)
    yield from _texts(document.get("esummaryresult"))  # ["Empty id list - nothing todo"]
    details = document.get("einforesult")
    if isinstance(details, Mapping):
        yield from _texts(details.get("dbinfo"))  # ["Can not retrieve DbInfo for db=nothing"]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _words(text: str) -> ErrorMessage | None:
    plain = html.unescape(text.replace("<![CDATA[", "").replace("]]>", ""))
    line = " ".join(_TAG.sub(" ", plain).split())
    return ErrorMessage(line[:_WORDS_LIMIT]) if line else None


def refusal(service: Service, refused_request: Refused) -> BiofactError:
    """The error for a refusal: NCBI's own message, and what can be done about it."""
    message = found_error(refused_request.answer.body) or ErrorMessage(f"HTTP {refused_request.answer.status}")
    if message.kind == "key" and service.key is not None:
        return UpstreamError(
            f"NCBI does not accept the API key: {message}.",
            hint=f"Correct the key or leave it out: without one, everything works at 3 requests a second. "
            f"It was sent with the call, or else it is the setting {service.key.name}.",
        )
    return UpstreamError(f"NCBI refused the request: {message}.", hint="Asking again will not help; report it.")
