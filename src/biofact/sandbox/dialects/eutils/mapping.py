"""PubMed's reading of a term: words without a tag are also taken for the heading that they name.

    machine learning  ->  "machine learning"[MeSH Terms] OR ("machine"[All Fields] AND "learning"[All Fields]) OR ...

The translation has the form of recorded answers since 2020, which tell no stack.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from biofact.sandbox.dialects.eutils import terms
from biofact.sandbox.dialects.eutils.terms import (
    ALL_FIELDS,
    Index,
    SearchedPart,
    TermPhrase,
    TermRange,
    TermReader,
    TermResult,
    TermSet,
    field_name,
)
from biofact.sandbox.dialects.eutils.uids import members

_LONGEST_WORDS = 6
_DATE = re.compile(r"(\d{4})(?:/(\d\d?))?(?:/(\d\d?))?")


@dataclass(frozen=True, slots=True)
class Mapped:
    """What words stand for, and what is filed under it."""

    text: str
    """Such as ``"neoplasms"[MeSH Terms]``."""
    uids: Sequence[str]


@runtime_checkable
class MappingIndex(Index, Protocol):
    """A database whose words stand for headings."""

    def mapped(self, phrase: str) -> Mapped | None:
        """What a phrase in lower case stands for; None when it is only words."""

    def full_name(self, field: str) -> str:
        """A field's full name, in which the translation tells it: ``Title/Abstract`` for ``tiab``."""

    def heading(self, field: str, phrase: str) -> str:
        """The name under which a field files what ``phrase`` names; the phrase itself where it files by words."""


def read(
    term: str, index: Index, *, field: str = ALL_FIELDS, sets: Mapping[str, Sequence[str]] | None = None
) -> TermResult:
    """What ``term`` finds in ``index``; as ``terms.read``, and by headings where the database has them."""
    if isinstance(index, MappingIndex):
        return _MappingReader(index, field, sets or {}).read(term)
    return terms.read(term, index, field=field, sets=sets)


class _MappingReader(TermReader):
    """Reads one term with an eye on headings."""

    def __init__(self, index: MappingIndex, field: str, sets: Mapping[str, Sequence[str]]) -> None:
        super().__init__(index, field, sets)
        self._headings = index

    def read(self, term: str) -> TermResult:
        result = super().read(term)
        result.stack = []
        return result

    def _range(self, item: TermRange) -> SearchedPart:
        part = super()._range(item)
        tag = item.high.tag or item.low.tag or self._field
        low, high = _day(" ".join(item.low.words), "/01/01"), _day(" ".join(item.high.words), "/12/31")
        return SearchedPart(part.uids, f"{low}:{high}[{self._headings.full_name(field_name(tag))}]", part.stack)

    def _known(self, phrase: TermPhrase, tag: str, uids: Sequence[str]) -> SearchedPart:
        field, words = field_name(tag), " ".join(phrase.words)
        heading = self._headings.heading(field, words.lower())
        is_renamed = heading != words.lower()
        name = heading if is_renamed or not phrase.is_quoted else words
        text = _in_field(name, self._headings.full_name(field), is_quoted=phrase.is_quoted)
        if is_renamed:
            self._result.translations.append((phrase.written, text))
        return SearchedPart(members(uids), text, [TermSet(text, tag, len(uids))])

    def _named_span(self, words: tuple[str, ...]) -> int:
        """How many of the first words stand for a heading together; 0 when they do not."""
        if self._field != ALL_FIELDS:
            return 0
        counts = range(min(len(words), _LONGEST_WORDS), 0, -1)
        return next((count for count in counts if self._headings.mapped(" ".join(words[:count]).lower())), 0)

    def _named_or_words(self, words: tuple[str, ...]) -> SearchedPart:
        """The heading, all of the words anywhere, or the words as a phrase."""
        phrase = " ".join(words).lower()
        mapped = self._headings.mapped(phrase)
        assert mapped is not None  # noqa: S101  # the span was found by it
        texts = [mapped.text]
        found = {*mapped.uids, *self._anywhere(phrase)}
        if len(words) > 1:
            lists = [set(self._anywhere(word)) for word in phrase.split()]
            found |= set.intersection(*lists)
            texts.append(f"({' AND '.join(_in_field(word, ALL_FIELDS) for word in phrase.split())})")
        text = " OR ".join([*texts, _in_field(phrase, ALL_FIELDS)])
        self._result.translations.append((" ".join(words), text))
        return SearchedPart(found, text, [TermSet(text, ALL_FIELDS, len(found))], "OR")

    def _anywhere(self, phrase: str) -> Sequence[str]:
        return self._index.lookup(field_name(ALL_FIELDS), phrase) or ()


def _in_field(words: str, name: str, *, is_quoted: bool = True) -> str:
    """Words with their field; a truncated word has quotes only where it was given some."""
    return f"{words}[{name}]" if words.endswith("*") and not is_quoted else f'"{words}"[{name}]'


def _day(text: str, rest: str) -> str:
    """A date in full: what it leaves open is filled with what ``rest`` has there."""
    found = _DATE.fullmatch(text)
    if not found:
        return text
    _, month, day = rest.split("/")
    return f"{found[1]}/{int(found[2] or month):02}/{int(found[3] or day):02}"
