"""Checks claims about an article against its text. Pure.

A claim survives on a quote that stands in the article and holds the value: its numbers as numbers, its words as words.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biofact.literature.extraction.fields import DATE, SchemaField
from biofact.literature.extraction.findings import Finding, Value
from biofact.literature.extraction.quotes import LONGEST_QUOTE, ArticleText, ArticleTexts, QuoteMatch, Word
from biofact.literature.extraction.stems import NEGATIONS, STOP_WORDS, is_same

_MOST_ADDENDS = 6
_MOST_CANDIDATES = 10
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Claim:
    """A value, and its alleged quote."""

    value: Value
    quote: str
    """Three dots mark what it leaves out."""
    where: str = ""
    is_derived: bool = False
    """Claimed to be the sum of numbers in the quote."""


def ground(passages: ArticleTexts, claim: Claim, field: SchemaField) -> Finding | None:
    """The value on the real text that holds it; None where no such text is there, or does not hold it."""
    for passage in passages.places(claim.quote, claim.where):
        if _holds(passage, claim.value, field):
            return Finding(
                claim.value, passage.evidence(), is_derived=claim.is_derived and isinstance(claim.value, bool)
            )
        if claim.is_derived and _sums_to(passage, claim.value):
            return Finding(claim.value, passage.evidence(), is_derived=True)
    return None


def _holds(passage: QuoteMatch, value: Value, field: SchemaField) -> bool:
    match value:
        case bool():
            return _says_something(passage)
        case int() | float():
            return _has_number(passage, value)
        case str() if field.kind == "date":
            return _has_date(passage, value)
        case str() if value in field.enum:
            return _says_something(passage)
        case str():
            return len(value) <= LONGEST_QUOTE and _has_words(passage, value)
        case _:
            return False  # lists and objects are claimed entry by entry


def _says_something(passage: QuoteMatch) -> bool:
    """Whether a quote is more than stop words: a yes or no, and a category, are a reader's judgement of it."""
    words = (word for _, word in passage.words())
    return any(len(word.plain) > 1 and word.plain not in STOP_WORDS for word in words) or any(passage.numbers())


def _has_number(passage: QuoteMatch, value: float) -> bool:
    return any(_is_close(value, reading) for number in passage.numbers() for reading in number.readings)


def _is_close(one: float, other: float) -> bool:
    try:
        return math.isclose(one, other, rel_tol=1e-9)
    except OverflowError:
        return False


def _sums_to(passage: QuoteMatch, value: Value) -> bool:
    """Whether some of the whole numbers in a quote add up to the value."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not float(value).is_integer():
        return False
    counts = list(itertools.islice(_counts(passage), _MOST_CANDIDATES))
    sizes = range(2, min(_MOST_ADDENDS, len(counts)) + 1)
    return any(sum(addends) == value for size in sizes for addends in itertools.combinations(counts, size))


def _counts(passage: QuoteMatch) -> Iterator[int]:
    for number in passage.numbers():
        reading = min(number.readings, default=0.0)
        if len(number.readings) == 1 and reading > 0 and reading.is_integer():
            yield int(reading)


def _has_date(passage: QuoteMatch, value: str) -> bool:
    """Whether the passage has year, month and day; the month by number or name."""
    if not DATE.fullmatch(value):
        return False
    year, *rest = (int(part) for part in value.split("-"))
    is_there = _has_number(passage, year) or any(str(year) == word.plain for _, word in passage.words())
    if rest:
        name = _MONTHS[rest[0] - 1]
        is_named = any(word.plain.startswith(name) for _, word in passage.words())
        is_there = is_there and (is_named or _has_digits(passage, rest[0]))
    return is_there and all(_has_digits(passage, day) for day in rest[1:])


def _has_digits(passage: QuoteMatch, number: int) -> bool:
    """Whether the passage has the number, as 2019-11-05 has 11."""
    return any(word.plain.isdecimal() and int(word.plain) == number for _, word in passage.words())


def _has_words(passage: QuoteMatch, value: str) -> bool:
    """Whether the passage has all words and numbers of a text, and does not negate them."""
    claimed = ArticleText("", value)
    if not all(any(_has_number(passage, reading) for reading in number.readings) for number in claimed.numbers):
        return False
    taken = [(number.start, number.end) for number in claimed.numbers]
    words = [word for word in claimed.words if not any(start <= word.start < end for start, end in taken)]
    content = [word for word in words if word.plain not in STOP_WORDS]
    quoted = list(passage.words())
    if not all(_stands(word, quoted) for word in content):
        return False
    is_negative = any(word.plain in NEGATIONS for word in content)
    if not is_negative and any(_is_denied(word, quoted, passage.source) for word in content):
        return False
    return bool(content or taken)


def _stands(word: Word, quoted: list[tuple[int, Word]]) -> bool:
    if word.plain in NEGATIONS or word.plain.isdigit():
        return any(other.plain == word.plain for _, other in quoted)
    return any(is_same(word.stem, other.stem) for _, other in quoted)


def _is_denied(word: Word, quoted: list[tuple[int, Word]], text: ArticleText) -> bool:
    """Whether the word occurs only after a negation, which the quote itself may leave out."""
    places = [place for place, other in quoted if is_same(word.stem, other.stem)]
    return bool(places) and all(place and text.words[place - 1].plain in NEGATIONS for place in places)


_NOTHING = re.compile(
    r"(?i)(?:n/?a|none|null|nil|unknown|not (?:stated|reported|mentioned|specified|applicable|given|found|provided"
    r"|described|available|clear)|unclear|unspecified|-+)?\.?"
)


def is_nothing(given: object) -> bool:
    """Whether a reader reports no value, in one of the many ways to write that."""
    if isinstance(given, Mapping) and "value" in given:
        value, quote = given["value"], given.get("quote")
        is_stated_absence = isinstance(value, str) and not quote and bool(_NOTHING.fullmatch(value.strip()))
        return value is None or is_stated_absence
    return given is None or given in ({}, [], "")
