"""Checks claims about an article against its text. Pure.

A claim survives on a quote that stands in the article and holds the value: its numbers as numbers, its words as words.
A quote is found letter by letter, else without regard to blanks (how many, and whether there are any), the several
dashes, quotation marks and decimal points, capitals, soft hyphens, ligatures and other forms that Unicode holds equal
(NFKD). The evidence is the real text.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from pydantic import BaseModel

from biofact.literature.extraction.findings import Finding, Value, span
from biofact.literature.extraction.schema import DATE, SchemaField
from biofact.literature.extraction.text.numbers import WrittenNumber, written_numbers
from biofact.literature.extraction.text.vocabulary import NEGATIONS, STOP_WORDS, is_same_stem, stem
from biofact.literature.records import Evidence
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LONGEST_QUOTE = 1000
"""Characters of a quote; a quote of the whole abstract proves no value."""
METADATA = tuple(
    name
    for name in CanonicalPubMedArticle.model_fields
    if name not in {"title", "abstract", "sections", "notices", "category", "cross_references", "status", "dates"}
)
"""Fields of a record that can hold a value."""

_MOST_PLACES = 20  # of one quote; a letter would have thousands
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|\u2026)\s*\]|\.\.\.|\u2026)\s*")
_EQUIVALENTS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u00b7\u2219\u22c5", "."),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
    }
)
_WORD = re.compile(r"[^\W_]+")


class Word(NamedTuple):
    """A word of a text."""

    start: int
    end: int
    plain: str
    stem: str


class ArticleText:
    """One text of an article: its title, its abstract, or a field of the record."""

    def __init__(self, part: str, text: str) -> None:
        self.part = part
        self.text = text

    @cached_property
    def words(self) -> list[Word]:
        """In order."""
        matches = _WORD.finditer(self.text)
        return [Word(m.start(), m.end(), plain := _letters(m[0]), stem(plain)) for m in matches]

    @cached_property
    def numbers(self) -> list[WrittenNumber]:
        """In order."""
        return written_numbers(self.text)

    def places(self, quote: str) -> Iterator["QuoteMatch"]:
        """The places of a quote: exact matches first, matches that cut a word in two last."""
        starts = islice(_occurrences(self.text, quote), _MOST_PLACES)
        exact = [(start, start + len(quote)) for start in starts]
        yield from (QuoteMatch(self, (span,)) for span in exact if self._is_apart(*span))
        parts = [part for part in _ELLIPSIS.split(quote) if part.strip()]
        if len(parts) == 1:
            exact_starts = {start for start, _ in exact}
            spans = islice(self._spans(parts[0]), _MOST_PLACES)
            yield from (QuoteMatch(self, (span,)) for span in spans if span[0] not in exact_starts)
        elif parts and (chain := self._chain(parts)):
            yield QuoteMatch(self, chain)
        yield from (QuoteMatch(self, (span,)) for span in exact if not self._is_apart(*span))

    def _chain(self, parts: list[str]) -> tuple[tuple[int, int], ...]:
        """The spans of a quote's parts in their order; none if a part is missing."""
        chain: list[tuple[int, int]] = []
        for part in parts:
            after = chain[-1][1] if chain else 0
            span = next((span for span in self._spans(part) if span[0] >= after), None)
            if span is None:
                return ()
            chain.append(span)
        return tuple(chain)

    def _spans(self, quote: str) -> Iterator[tuple[int, int]]:
        form, origins = self._form
        quote_form, _ = _comparable_form(quote)
        for index in _occurrences(form, quote_form) if quote_form else ():
            start, end = origins[index], origins[index + len(quote_form) - 1] + 1
            if self._is_apart(start, end):
                yield start, end

    def _is_apart(self, start: int, end: int) -> bool:
        """Whether the span begins and ends between words and numbers."""
        text = self.text
        return not (_is_joined(text[start - 1 : start], text[start]) or _is_joined(text[end - 1], text[end : end + 1]))

    @cached_property
    def _form(self) -> tuple[str, list[int]]:
        return _comparable_form(self.text)


class QuoteMatch(NamedTuple):
    """A quote found in a text: one span, or several where it leaves something out."""

    source: ArticleText
    spans: tuple[tuple[int, int], ...]

    def words(self) -> Iterator[tuple[int, Word]]:
        """The whole words in it, each with its index among the words of the text."""
        return ((place, word) for place, word in enumerate(self.source.words) if self._holds(word.start, word.end))

    def numbers(self) -> Iterator[WrittenNumber]:
        """The whole numbers in it."""
        return (number for number in self.source.numbers if self._holds(number.start, number.end))

    def evidence(self) -> tuple[Evidence, ...]:
        """The real text at these places."""
        part, text = self.source.part, self.source.text
        if part in {"title", "abstract"}:
            return tuple(span(part, text, start, end) for start, end in self.spans)
        return tuple(Evidence(where=part, quote=text[start:end]) for start, end in self.spans)

    def _holds(self, start: int, end: int) -> bool:
        return any(first <= start and end <= last for first, last in self.spans)


class ArticleTexts:
    """All texts of one article in which a quote can occur."""

    def __init__(self, article: CanonicalPubMedArticle) -> None:
        self._article = article
        self._prose = (ArticleText("title", article.title), ArticleText("abstract", article.abstract or ""))
        self._fields: dict[str, list[ArticleText]] = {}

    def places(self, quote: str, part: str) -> Iterator[QuoteMatch]:
        """The places of a quote: in the field named ``part``, then in title and abstract."""
        if not 1 <= len(quote.strip()) <= LONGEST_QUOTE:
            return
        name = part.strip().split(".")[0].split("[")[0]
        field_texts = self._of_field(name) if name in METADATA else []
        prose = sorted(self._prose, key=lambda text: text.part != name)
        for text in (*field_texts, *prose):
            yield from text.places(quote.strip())

    def _of_field(self, name: str) -> list[ArticleText]:
        if name not in self._fields:
            self._fields[name] = [ArticleText(name, text) for text in _texts(getattr(self._article, name))]
        return self._fields[name]


def _texts(value: Any) -> Iterator[str]:
    """The texts and numbers in a fact of a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, BaseModel):
        yield from _texts(value.model_dump())
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _texts(asdict(value))
    else:
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


def _comparable_form(text: str) -> tuple[str, list[int]]:
    """A text reduced to the letters that are compared, and the position of each of them in the original."""
    letters: list[str] = []
    origins: list[int] = []
    for index, letter in enumerate(text):
        for plain in _letters(letter):
            if not plain.isspace():
                letters.append(plain)
                origins.append(index)
    return "".join(letters), origins


def _letters(text: str) -> str:
    if not text.isascii():  # replaced before, too: NFKD would take \u00b4 apart
        text = unicodedata.normalize("NFKD", text.translate(_EQUIVALENTS))
    return text.translate(_EQUIVALENTS).casefold()


def _occurrences(text: str, pattern: str) -> Iterator[int]:
    index = text.find(pattern)
    while index >= 0:
        yield index
        index = text.find(pattern, index + 1)


def _is_joined(before: str, after: str) -> bool:
    """Whether two adjacent letters belong to one word or number."""
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())


_MOST_ADDENDS = 6
_MOST_CANDIDATES = 10
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class QuotedClaim:
    """A value, and its alleged quote."""

    value: Value
    quote: str
    """Three dots mark what it leaves out."""
    part: str = ""
    is_derived: bool = False
    """Claimed to be the sum of numbers in the quote."""


def ground(passages: ArticleTexts, claim: QuotedClaim, field: SchemaField) -> Finding | None:
    """The value on the real text that holds it; None where no such text is there, or does not hold it."""
    for passage in passages.places(claim.quote, claim.part):
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
    return any(_is_close(value, number_value) for number in passage.numbers() for number_value in number.readings)


def _is_close(value: float, number_value: float) -> bool:
    try:
        return math.isclose(value, number_value, rel_tol=1e-9)
    except OverflowError:
        return False


def _sums_to(passage: QuoteMatch, value: Value) -> bool:
    """Whether some of the whole numbers in a quote add up to the value."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not float(value).is_integer():
        return False
    # few, as the combinations of many take too long
    counts = list(itertools.islice(_counts(passage), _MOST_CANDIDATES))
    sizes = range(2, min(_MOST_ADDENDS, len(counts)) + 1)
    return any(sum(addends) == value for size in sizes for addends in itertools.combinations(counts, size))


def _counts(passage: QuoteMatch) -> Iterator[int]:
    for number in passage.numbers():
        number_value = min(number.readings, default=0.0)
        if len(number.readings) == 1 and number_value > 0 and number_value.is_integer():
            yield int(number_value)


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
    claim_text = ArticleText("", value)
    if not all(any(_has_number(passage, reading) for reading in number.readings) for number in claim_text.numbers):
        return False
    number_spans = [(number.start, number.end) for number in claim_text.numbers]
    words = [word for word in claim_text.words if not any(start <= word.start < end for start, end in number_spans)]
    content = [word for word in words if word.plain not in STOP_WORDS]
    quoted = list(passage.words())
    if not all(_stands(word, quoted) for word in content):
        return False
    is_negative = any(word.plain in NEGATIONS for word in content)
    is_denied = not is_negative and any(_is_denied(word, quoted, passage.source) for word in content)
    return bool(content or number_spans) and not is_denied


def _stands(word: Word, quoted: list[tuple[int, Word]]) -> bool:
    if word.plain in NEGATIONS or word.plain.isdigit():
        return any(other.plain == word.plain for _, other in quoted)
    return any(is_same_stem(word.stem, other.stem) for _, other in quoted)


def _is_denied(word: Word, quoted: list[tuple[int, Word]], text: ArticleText) -> bool:
    """Whether the word occurs only after a negation, which the quote itself may leave out."""
    places = [place for place, other in quoted if is_same_stem(word.stem, other.stem)]
    return bool(places) and all(place and text.words[place - 1].plain in NEGATIONS for place in places)


_ABSENCE = re.compile(
    r"(?i)(?:n/?a|none|null|nil|unknown|not (?:stated|reported|mentioned|specified|applicable|given|found|provided"
    r"|described|available|clear)|unclear|unspecified|-+)?\.?"
)


def is_absent(claim: object) -> bool:
    """Whether a claim is that there is no value, in one of the many ways to write that."""
    if isinstance(claim, Mapping) and "value" in claim:
        value, quote = claim["value"], claim.get("quote")
        is_stated_absence = isinstance(value, str) and not quote and bool(_ABSENCE.fullmatch(value.strip()))
        return value is None or is_stated_absence
    return claim is None or claim in ({}, [], "")
