"""The type of an ID kind, and the collection of those that sources declare."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import AfterValidator, ValidationError
from pydantic_core import PydanticCustomError

from biofact.core import curies
from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef, UnresolvedEntity, UpstreamError
from biofact.core.quoting import quoted

QUERY_LENGTH = range(2, 301)  # characters of a query after trimming
LONGEST_TEXT = 10_000
"""Characters of a text that may be a query or an ID; a longer one is neither, and no form is tried on it."""

_LONGEST_NUMBER_BITS = 64
_LARGEST_WHOLE_FLOAT = 2**53  # beyond it neighbouring numbers are one
_DASHES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
_MARKS = dict.fromkeys(map(ord, "\u00a9\u00ae\u2117\u2120\u2122"))  # of trade; else normalised to letters


def query_text(text: str) -> str:
    """``text`` as a search takes it: one kind of dash and of blank, single-spaced, no control characters, letters of no
    width or trade marks. A text that is too long for a query stays as it is.
    """
    if len(text) > LONGEST_TEXT:
        return text
    plain = unicodedata.normalize("NFKC", text.translate(_MARKS)).translate(_DASHES)
    visible = (letter for letter in plain if unicodedata.category(letter) != "Cf")  # of no width, as pages hide in IDs
    return " ".join("".join(letter if letter.isprintable() else " " for letter in visible).split())


UNREADABLE_ADDRESS = "No single ID can be read from this web address: give the ID or the name that its page shows."


def is_unreadable_address(text: str) -> bool:
    """Whether ``text`` is a web address from which no ID can be read."""
    plain = query_text(text)
    return len(plain) <= LONGEST_TEXT and curies.is_address(plain) and curies.read_id(plain) is None


def is_letter(text: str) -> bool:
    """Whether it is one letter: no words to search for, but it may be a whole symbol, as ``w`` of the fly."""
    return len(text) == 1 and text.isascii() and text.isalpha()


def is_words(text: str) -> bool:
    """Whether it is long enough to search for by words."""
    return len(text) in QUERY_LENGTH


def check_single(query: str, match: Callable[[str], str | None], batch: ToolRef, parameter: str) -> None:
    """Raise when a query is a list of IDs, each of which ``match`` reads.

    Raises:
        AmbiguousQuery: it is; ``batch`` takes them.
    """
    ids = [match(part) for part in re.split(r"[\s,;]+", query.strip())]
    if len(ids) > 1 and all(ids):
        raise AmbiguousQuery(
            f"A search takes one ID; {query!r:.80} has {len(ids)}.",
            hint=f"Call {batch} for several.",
            invalid_input=query,
            recovery=CallTool(batch, {parameter: ids}),
        )


_OF_RECORD = "record_id"


def of_record(name: str, pattern: str, example: str) -> AfterValidator:
    """Restrict the ID of a record to text of one form, inside ``Annotated``."""
    form = re.compile(pattern, re.ASCII)

    def check(value: str) -> str:
        if form.fullmatch(value) is None:
            raise PydanticCustomError(
                _OF_RECORD,
                "{value} is not {name}; expected a form like {example}",
                {"value": quoted(value, 120), "name": f"{_article(name)} {name}", "example": repr(example)},
            )
        return value

    return AfterValidator(check)


def unusable(title: str, error: ValidationError) -> UpstreamError | None:
    """The failure of a service that sent a record under an ID of another form; None where the error is another one."""
    fault = next((detail for detail in error.errors() if detail["type"] == _OF_RECORD), None)
    if fault is None:
        return None
    return UpstreamError(f"{title} sent a record that cannot be read: {fault['msg']}.", hint="Call again later.")


@dataclass(frozen=True, slots=True)
class ForeignId:
    """The form of another kind of ID that users give by mistake, and the tool that takes it."""

    pattern: str
    """Regular expression that the whole input must match."""
    name: str
    """The name of the kind in a sentence."""
    tool: ToolRef
    parameter: str


@dataclass(frozen=True, slots=True)
class IdKind:
    """One written form of one database's identifier: the only form its strict tools accept."""

    name: str
    """The name of the kind in a sentence, such as ``NCBI Gene ID``."""
    pattern: str
    """Regular expression that the whole input must match."""
    example: str
    search: ToolRef
    """The search tool that leads to such an ID."""
    repair: Callable[[str], str | None] = lambda text: None
    """The right spelling of a nearly right one, or None: shown in the hint, never applied."""
    query: Callable[[str], str] = str.strip
    """What to search for when the input is refused."""
    foreign_ids: tuple[ForeignId, ...] = ()
    """Other IDs that users give by mistake, with the tools that take them."""
    parameter: str = "query"
    """The parameter of the search tool for the words."""
    is_listed: bool = False
    """The search tool takes a list of words."""
    is_runnable: Callable[[str], bool] = lambda text: True
    """Whether the search tool takes these words."""
    strict: tuple[ToolRef, str] | None = None
    """The tool and parameter that take an ID which is nearly right, where ``search`` does not lead to one."""

    local: Callable[[str], str] = str
    """The service's own form of an ID, such as ``672`` for ``NCBIGene:672``."""

    pages: tuple[str, ...] = ()
    """Web addresses of the service's records, with ``{}`` for the ID, as ``curies.declare_page`` takes them."""

    def match(self, text: str) -> str | None:
        """The ID that a query is, in this kind's form or nearly; None where it is words."""
        plain = query_text(text)
        return plain if re.fullmatch(self.pattern, plain, re.ASCII) else self.correction(plain)

    def correction(self, text: str) -> str | None:
        """The right spelling of a nearly right ID, or None; numbers out of a spreadsheet end in ``.0``."""
        if len(text) > LONGEST_TEXT:
            return None
        written_id = curies.read_id(text)
        if written_id and re.fullmatch(self.pattern, written_id, re.ASCII):
            return written_id
        spellings = (text, re.sub(r"(?<=\d)\.0+$", "", text), *([written_id] if written_id else []))
        return next((fixed for spelling in spellings if (fixed := self.repair(spelling))), None)

    def check(self, given: object) -> str:
        """Return ``given`` if it has this kind's form.

        Raises:
            UnresolvedEntity: it has not; ``recovery`` searches for it where it could be a query.
        """
        value = _digits(given)
        if isinstance(value, str) and re.fullmatch(self.pattern, value, re.ASCII):
            return value
        if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            self._check_foreign(value)
        raise UnresolvedEntity(
            f"{quoted(given, 120)} is not {_article(self.name)} {self.name}; expected a form like {self.example!r}.",
            hint=self._hint(value),
            invalid_input=given,
            recovery=self._recovery(value),
        )

    def _check_foreign(self, value: str) -> None:
        """Refuse an ID of another kind, with the tool that takes it."""
        for text in (value, curies.read_id(query_text(value)) or value):
            other = next((other for other in self.foreign_ids if re.fullmatch(other.pattern, text, re.ASCII)), None)
            if other is not None:
                raise UnresolvedEntity(
                    f"{quoted(value, 120)} is {_article(other.name)} {other.name}, "
                    f"not {_article(self.name)} {self.name}.",
                    hint=f"Call {other.tool} for it.",
                    invalid_input=value,
                    recovery=CallTool(other.tool, {other.parameter: text}),
                )

    def _hint(self, value: object) -> str:
        fixed = self.correction(query_text(value)) if isinstance(value, str) else None
        if fixed is not None:
            return f"If you mean {fixed}, write it that way; otherwise call {self.search} to resolve the name first."
        if isinstance(value, str) and is_unreadable_address(value):
            return UNREADABLE_ADDRESS
        return f"Call {self.search} to resolve the name first."

    def _recovery(self, value: object) -> CallTool | None:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            return None
        text = query_text(value)
        if self.strict and (fixed := self.correction(text)):
            tool, parameter = self.strict
            return CallTool(tool, {parameter: fixed})
        if is_unreadable_address(text):
            return None
        written_id = curies.read_id(text)
        queries = (
            self.correction(text),
            self.query(written_id or text),
            text,
        )  # a part may be too short where the whole is not
        of_length = (query for query in queries if query and len(query) in QUERY_LENGTH)
        query = next((query for query in of_length if self.is_runnable(query)), None)
        if query is None:
            return None
        return CallTool(self.search, {self.parameter: [query] if self.is_listed else query})


def _digits(value: object) -> object:
    """A whole number as the text that a form is held against: hosts write IDs of digits so, and as ``672.0``."""
    if type(value) is float and value.is_integer() and abs(value) < _LARGEST_WHOLE_FLOAT:
        value = int(value)
    return str(value) if type(value) is int and value.bit_length() <= _LONGEST_NUMBER_BITS else value


def _article(noun: str) -> str:
    return "an" if noun[0] in "AEIOUN" and not noun.startswith("Uni") else "a"


def curie_kind(name: str, prefix: str, example: str, search: ToolRef) -> IdKind:
    """The kind of an ID that is a number for the service and a CURIE here, such as ``NCBIGene:672``.

    ``example`` is such a number.
    """
    number = r"[1-9]\d{0,9}"
    loose = re.compile(rf"(?:{re.escape(prefix)})?[\s:_#-]*({number})", re.ASCII | re.IGNORECASE)

    def correction(text: str) -> str | None:
        found_number = loose.fullmatch(text)
        return f"{prefix}:{found_number[1]}" if found_number else None

    return IdKind(
        name,
        rf"{re.escape(prefix)}:{number}",
        f"{prefix}:{example}",
        search,
        repair=correction,
        local=lambda text: text.rpartition(":")[2],
    )


_registry: dict[str, IdKind] = {}


def declare(kind: IdKind) -> IdKind:
    """Add a source's ID kind to the registry; returns it, so that a declaration is one line.

    Raises:
        ValueError: another kind has its name: errors that name the kind would not say which is meant.
    """
    if kind.name in _registry:
        raise ValueError(f"two kinds of ID are called {kind.name!r}")
    _registry[kind.name] = kind
    for form in kind.pages:
        curies.declare_page(form, lambda text: kind.correction(text) or kind.match(text))
    return kind


def declared_kinds() -> tuple[IdKind, ...]:
    """All ID kinds of the sources imported so far."""
    return tuple(_registry.values())
