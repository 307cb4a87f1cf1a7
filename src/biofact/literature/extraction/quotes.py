"""Finds a quote in an article: letter by letter, else ignoring what printing and typing change. Pure.

Without regard to: blanks (how many, and whether there are any), the several dashes, quotation marks and decimal points,
capitals, soft hyphens, ligatures and other forms that Unicode holds equal (NFKD). What is found is the real text.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from pydantic import BaseModel

from biofact.literature.extraction.stems import stem
from biofact.literature.extraction.written_numbers import WrittenNumber, written_numbers
from biofact.literature.records import Evidence
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LONGEST_QUOTE = 1000
"""Characters; a quote of everything proves nothing."""
METADATA = tuple(
    name
    for name in CanonicalPubMedArticle.model_fields
    if name not in {"title", "abstract", "sections", "notices", "category", "cross_references", "status", "dates"}
)
"""Fields of a record that can hold a value."""

_MOST_PLACES = 20  # of one quote; a letter would have thousands
_ELIDED = re.compile(r"\s*(?:\[\s*(?:\.\.\.|\u2026)\s*\]|\.\.\.|\u2026)\s*")
_ALIKE = str.maketrans(
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

    def __init__(self, where: str, text: str) -> None:
        self.where = where
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
        """Where a quote occurs: exact matches first, those that cut a word in two last."""
        exact = list(islice(_occurrences(self.text, quote), _MOST_PLACES))
        yield from (QuoteMatch(self, ((at, at + len(quote)),)) for at in exact if self._is_apart(at, at + len(quote)))
        parts = [part for part in _ELIDED.split(quote) if part.strip()]
        if len(parts) == 1:
            spans = islice(self._spans(parts[0]), _MOST_PLACES)
            yield from (QuoteMatch(self, (span,)) for span in spans if span[0] not in exact)
        elif parts and (chain := self._chain(parts)):
            yield QuoteMatch(self, chain)
        yield from (
            QuoteMatch(self, ((at, at + len(quote)),)) for at in exact if not self._is_apart(at, at + len(quote))
        )

    def _chain(self, parts: list[str]) -> tuple[tuple[int, int], ...]:
        """The parts of a quote that leaves something out, one behind the other; nothing where one is not there."""
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
        sought, _ = _comparable_form(quote)
        for at in _occurrences(form, sought) if sought else ():
            start, end = origins[at], origins[at + len(sought) - 1] + 1
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
        """The whole words in it, each with its number in the text."""
        return ((place, word) for place, word in enumerate(self.source.words) if self._holds(word.start, word.end))

    def numbers(self) -> Iterator[WrittenNumber]:
        """The whole numbers in it."""
        return (number for number in self.source.numbers if self._holds(number.start, number.end))

    def evidence(self) -> tuple[Evidence, ...]:
        """What stands there."""
        text, is_prose = self.source.text, self.source.where in {"title", "abstract"}
        return tuple(
            Evidence(where=self.source.where, quote=text[start:end], start=start, end=end)
            if is_prose
            else Evidence(where=self.source.where, quote=text[start:end])
            for start, end in self.spans
        )

    def _holds(self, start: int, end: int) -> bool:
        return any(first <= start and end <= last for first, last in self.spans)


class ArticleTexts:
    """All texts of one article in which a quote can occur."""

    def __init__(self, article: CanonicalPubMedArticle) -> None:
        self._article = article
        self._prose = (ArticleText("title", article.title), ArticleText("abstract", article.abstract or ""))
        self._fields: dict[str, list[ArticleText]] = {}

    def places(self, quote: str, where: str) -> Iterator[QuoteMatch]:
        """Where a quote occurs: in the field that ``where`` names, in title and abstract otherwise."""
        if not 1 <= len(quote.strip()) <= LONGEST_QUOTE:
            return
        name = where.strip().split(".")[0].split("[")[0]
        named = self._of_field(name) if name in METADATA else []
        prose = sorted(self._prose, key=lambda text: text.where != name)
        for text in (*named, *prose):
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
    """A text reduced to what is compared, and the position of each of its letters in the original."""
    letters: list[str] = []
    origins: list[int] = []
    for at, letter in enumerate(text):
        for plain in _letters(letter):
            if not plain.isspace():
                letters.append(plain)
                origins.append(at)
    return "".join(letters), origins


def _letters(text: str) -> str:
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text.translate(_ALIKE)).translate(_ALIKE)
    return plain.translate(_ALIKE).casefold()


def _occurrences(text: str, sought: str) -> Iterator[int]:
    at = text.find(sought)
    while at >= 0:
        yield at
        at = text.find(sought, at + 1)


def _is_joined(before: str, after: str) -> bool:
    """Whether a word or number goes on from one letter to the next."""
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())
