"""The term language of Entrez: reads a search term and finds what it names, as esearch does.

    tumor protein[title] AND (human[orgn] OR mouse[orgn]) NOT 100:200[uid]

Operators are upper case and go from left to right without precedence; words side by side are joined by AND.
A phrase that the database does not know is dropped, and the rest is searched.

In PubMed, words without a tag are also taken for the heading that they name:

    machine learning  ->  "machine learning"[MeSH Terms] OR ("machine"[All Fields] AND "learning"[All Fields]) OR ...

Such a translation has the form of recorded answers since 2020, which have no stack.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import and_, sub
from typing import Any, Protocol, runtime_checkable


class Uids(list[str]):
    """UIDs with their set, computed once: 200,000 of them are searched again and again."""

    @cached_property
    def members(self) -> frozenset[str]:
        """All of them, in no order."""
        return frozenset(self)


def members(uids: Sequence[str] | None) -> AbstractSet[str]:
    """The UIDs without their order; none for None."""
    return uids.members if isinstance(uids, Uids) else set(uids or ())


def union(first: AbstractSet[str], second: AbstractSet[str]) -> AbstractSet[str]:
    """All of both. Sets that do not change are united once: query after query keeps to the same organisms."""
    if isinstance(first, frozenset) and isinstance(second, frozenset):  # a set that can change is no key of a cache
        return _united(first, second)
    return first | second


@lru_cache(maxsize=16)
def _united(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return first | second


ALL_FIELDS = "All Fields"

# A tag or quote that is not closed goes on to the end of the term.
_TOKEN = re.compile(r'(?P<mark>[():])|(?P<tag>\[[^\]]*\]?)|(?P<quoted>"[^"]*"?)|(?P<word>[^\s()\[\]":]+)')
_OPERATORS: dict[str, Callable[[AbstractSet[str], AbstractSet[str]], AbstractSet[str]]] = {
    "AND": and_,
    "OR": union,
    "NOT": sub,
}
_ORGANISM_FIELDS = {"orgn", "organism", "porgn", "primary organism", "organism:noexp"}
_STOP_WORDS = {"a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with"}
_LONGEST_ORGANISM_WORDS = 3
_DISTANCE = re.compile(r"~\d+")


class Index(Protocol):
    """The database that a term searches."""

    def lookup(self, field: str, phrase: str) -> Sequence[str] | None:
        """UIDs that match one phrase in one field, both in lower case; None for an unknown field.

        ``phrase`` may end with ``*``, and may be a range such as ``2020:2024``.
        """

    def all_uids(self) -> Collection[str]:
        """Every UID there is."""

    def docsum(self, uid: str) -> dict[str, Any] | None:
        """The esummary JSON object of a UID; None for an unknown one."""


@dataclass(slots=True)
class TermResult:
    """The UIDs that match a term, and the service's reading of it."""

    uids: AbstractSet[str] = field(default_factory=set)
    translation: str = ""
    translations: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a phrase and its translation."""
    stack: list["TermSet | str"] = field(default_factory=list)
    """The query in postfix order, with the hits of each phrase; empty when nothing in it is known."""
    phrases_not_found: list[str] = field(default_factory=list)
    fields_not_found: list[str] = field(default_factory=list)
    phrases_ignored: list[str] = field(default_factory=list)
    quoted_phrases_not_found: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TermSet:
    """One phrase of a query, and its hits."""

    term: str
    field: str
    count: int
    explode: str = "N"


def read(
    term: str, index: Index, *, field: str = ALL_FIELDS, sets: Mapping[str, Sequence[str]] | None = None
) -> TermResult:
    """The result of ``term`` in ``index``, by headings too if the database has them.

    ``field`` is searched for phrases without a tag; ``sets`` are earlier results, written ``#1`` in a term.
    """
    reader = _MappingReader(index, field, sets or {}) if isinstance(index, MappingIndex) else None
    return (reader or TermReader(index, field, sets or {})).read(term)


@dataclass(frozen=True, slots=True)
class TermPhrase:
    """Words that are searched for together."""

    words: tuple[str, ...]
    tag: str | None = None
    is_quoted: bool = False

    @property
    def text(self) -> str:
        """The words, in quotes where they were."""
        words_text = " ".join(self.words)
        return f'"{words_text}"' if self.is_quoted else words_text

    @property
    def written(self) -> str:
        """As it stood in the term."""
        return self.text if self.tag is None else f"{self.text}[{self.tag}]"


@dataclass(frozen=True, slots=True)
class TermRange:
    """All values from one to another."""

    low: TermPhrase
    high: TermPhrase


def _items(term: str) -> Iterator[str | TermPhrase | TermRange]:
    """The term as marks, operators, phrases with their tags, and ranges."""
    builder = _PhraseBuilder()
    for token in _TOKEN.finditer(term):
        text = token[0]
        if token.lastgroup == "tag":
            builder.tag(text.strip("[]").strip())
        elif text == ":":
            yield from builder.colon()
        elif text in {"(", ")"} or text in _OPERATORS:  # upper case only: and, or, not are words
            yield from builder.flush()
            yield text
        elif phrase := text.strip('"').strip():
            yield from builder.add(phrase, is_quoted=token.lastgroup == "quoted")
    yield from builder.flush()


@dataclass(slots=True)
class _PhraseBuilder:
    """Words of one phrase as they come; a tag ends it and applies to all of them."""

    phrase: TermPhrase | None = None
    low: TermPhrase | None = None

    def add(self, text: str, *, is_quoted: bool) -> Iterator[TermPhrase | TermRange]:
        phrase = self.phrase
        if phrase and not is_quoted and not phrase.is_quoted and phrase.tag is None and self.low is None:
            self.phrase = TermPhrase((*phrase.words, text))
        else:
            if phrase:
                yield from self.flush()
            self.phrase = TermPhrase((text,), is_quoted=is_quoted)

    def tag(self, text: str) -> None:
        if self.phrase and self.phrase.tag is None:
            self.phrase = TermPhrase(self.phrase.words, text, self.phrase.is_quoted)

    def colon(self) -> Iterator[TermPhrase | TermRange]:
        phrase, self.phrase = self.phrase, None
        if phrase and phrase.tag is None and len(phrase.words) > 1:
            yield TermPhrase(phrase.words[:-1])  # only the word before the colon is an end of the range
            phrase = TermPhrase(phrase.words[-1:])
        self.low = phrase or self.low

    def flush(self) -> Iterator[TermPhrase | TermRange]:
        low, high = self.low, self.phrase
        self.low = self.phrase = None
        if low and high:
            yield TermRange(low, high)
        elif low or high:
            yield low or high  # type: ignore[misc]  # one of them is there


@dataclass(slots=True)
class SearchedPart:
    """A piece of the query that has been searched; one that is not known was dropped."""

    uids: AbstractSet[str]
    text: str
    stack: list[TermSet | str]
    operator: str = ""
    """Operator between its pieces; empty for a single phrase or a group."""

    @property
    def is_known(self) -> bool:
        """Whether the database knows something in it."""
        return bool(self.stack)

    def operand_text(self, operator: str) -> str:
        """Text of the part as an operand of ``operator``."""
        is_flat = self.operator in {"", operator} and operator != "NOT"  # a NOT (b NOT c) is not a NOT b NOT c
        return self.text if is_flat or not self.operator else f"({self.text})"

    def grouped(self) -> "SearchedPart":
        """The part in parentheses."""
        return SearchedPart(self.uids, self.text, [*self.stack, "GROUP"], self.operator) if self._is_open else self

    @property
    def _is_open(self) -> bool:
        return self.is_known and self.stack[-1] in _OPERATORS


class TermReader:
    """Reads one term. Open parentheses stand on a stack of our own: their depth is the caller's choice."""

    def __init__(self, index: Index, field: str, sets: Mapping[str, Sequence[str]]) -> None:
        self._index = index
        self._field = field
        self._sets = sets
        self._result = TermResult()

    def read(self, term: str) -> TermResult:
        """The result of a term."""
        whole = self._whole(term)
        result = self._result
        if whole is not None and whole.is_known:
            result.uids, result.translation = whole.uids, whole.text
            result.stack = whole.stack if isinstance(whole.stack[-1], str) else [*whole.stack, "GROUP"]
        elif whole is not None:
            result.translation = f"({whole.text})"
        if not result.uids:
            result.messages.append("No items found.")
        return result

    def _whole(self, term: str) -> SearchedPart | None:
        frames: list[tuple[SearchedPart | None, str]] = []
        whole: SearchedPart | None = None
        operator = "AND"
        is_balanced = True
        for item in _items(term):
            if item == "(":
                frames.append((whole, operator))
                whole, operator = None, "AND"
            elif item == ")":
                is_balanced = is_balanced and bool(frames)
                whole, operator = self._closed(whole, frames), "AND"  # a parenthesis too many closes nothing
            elif isinstance(item, str):
                operator = item
            else:
                whole, operator = self._combine(whole, operator, self._search_item(item)), "AND"
        is_balanced = is_balanced and not frames
        while frames:
            whole = self._closed(whole, frames)
        if not is_balanced:
            self._result.messages.append("Unbalanced parentheses.")  # a warning, no error (public fixture)
        return whole

    def _closed(self, inner: SearchedPart | None, frames: list[tuple[SearchedPart | None, str]]) -> SearchedPart | None:
        outer, operator = frames.pop() if frames else (None, "AND")
        return outer if inner is None else self._combine(outer, operator, inner.grouped())

    def _combine(self, first: SearchedPart | None, operator: str, second: SearchedPart) -> SearchedPart:
        if first is None and (operator != "NOT" or not second.is_known):
            return second
        # NOT needs records to take away from.
        if first is None or (not first.is_known and operator == "NOT" and second.is_known):
            all_uids = set(self._index.all_uids())
            first = SearchedPart(all_uids, "all[Filter]", [TermSet("all[Filter]", "Filter", len(all_uids))])
        if first.is_known != second.is_known:  # an unknown part is dropped, and the rest is searched
            return first if first.is_known else second
        uids = _OPERATORS[operator](first.uids, second.uids)
        text = f"{first.operand_text(operator)} {operator} {second.operand_text(operator)}"
        return SearchedPart(uids, text, [*first.stack, *second.stack, operator] if first.is_known else [], operator)

    def _all(self, parts: list[SearchedPart]) -> SearchedPart:
        whole: SearchedPart | None = None
        for part in parts:
            whole = self._combine(whole, "AND", part)
        assert whole is not None  # noqa: S101  # a phrase has at least one word
        return whole

    def _search_item(self, item: TermPhrase | TermRange) -> SearchedPart:
        if isinstance(item, TermRange):
            return self._range(item)
        if item.tag is not None:
            return self._tagged(item)
        return self._untagged(item) if item.is_quoted else self._words(item.words)

    def _range(self, item: TermRange) -> SearchedPart:
        low, high = " ".join(item.low.words), " ".join(item.high.words)
        tag = item.high.tag or item.low.tag or self._field
        name = field_name(tag)
        is_uids = name == "uid"
        uids = _uid_range(self._index, low, high) if is_uids else self._index.lookup(name, f"{low}:{high}".lower())
        ends = [TermSet(f"{end.text}[{tag}]", tag, 0) for end in (item.low, item.high)]
        text = f"{ends[0].term} : {ends[1].term}"
        if uids is None:
            self._result.fields_not_found.append(tag)
            return SearchedPart(set(), text, [])
        return SearchedPart(members(uids), text, [*ends, "RANGE"])

    def _tagged(self, phrase: TermPhrase) -> SearchedPart:
        """The longest run of words before the tag that its field knows; words before those have no tag."""
        tag = phrase.tag or self._field
        for start in range(len(phrase.words)):
            run = TermPhrase(phrase.words[start:], tag, phrase.is_quoted)
            uids = self._index.lookup(field_name(tag), " ".join(run.words).lower())
            if uids is None:
                self._result.fields_not_found.append(tag)
                return self._search_item(TermPhrase(phrase.words, None, phrase.is_quoted))
            if uids:
                before = [self._words(phrase.words[:start])] if start else []
                return self._all([*before, self._part_with_hits(run, tag, uids)])
        return self._unknown(phrase, tag)

    def _untagged(self, phrase: TermPhrase) -> SearchedPart:
        """A quoted phrase or a word in the field of the request."""
        uids = self._index.lookup(field_name(self._field), " ".join(phrase.words).lower())
        return self._part_with_hits(phrase, self._field, uids) if uids else self._unknown(phrase, self._field)

    def _unknown(self, phrase: TermPhrase, tag: str) -> SearchedPart:
        if phrase.is_quoted and not _DISTANCE.search(tag):  # words at a distance are not searched one by one
            self._result.quoted_phrases_not_found.append(phrase.written)
            words = tuple(word for text in phrase.words for word in text.split())
            return self._search_item(TermPhrase(words, phrase.tag))
        self._result.phrases_not_found.append(phrase.written)
        return SearchedPart(set(), f"{phrase.text}[{tag}]", [])

    def _part_with_hits(self, phrase: TermPhrase, tag: str, uids: Sequence[str]) -> SearchedPart:
        organism = self._organism_of(phrase, uids) if field_name(tag) in _ORGANISM_FIELDS else None
        text = f'"{organism}"[Organism]' if organism else f"{phrase.text}[{tag}]"
        if organism and text != phrase.written:
            self._result.translations.append((phrase.written, text))
        term_set = TermSet(text, "Organism", len(uids), "Y") if organism else TermSet(text, tag, len(uids))
        return SearchedPart(members(uids), text, [term_set])

    def _organism_of(self, phrase: TermPhrase, uids: Sequence[str]) -> str | None:
        """The scientific name that ``phrase`` stands for; None for a number or a group of organisms."""
        if re.fullmatch(r"(?:txid)?\d+", phrase.words[0]):
            return None
        docsums = [self._index.docsum(uid) or {} for uid in (uids[0], uids[-1])]
        names = {docsum.get("organism", {}).get("scientificname") for docsum in docsums}
        return names.pop() if len(names) == 1 else None

    def _words(self, words: tuple[str, ...]) -> SearchedPart:
        """Words without quotes and tag: each is searched for, and those that name an organism also as such."""
        parts: list[SearchedPart] = []
        rest = words
        while rest:
            span = self._named_span(rest)
            if span:
                parts.append(self._named_or_words(rest[:span]))
            elif rest[0] in _STOP_WORDS and len(words) > 1:  # alone it is all that is asked for
                self._result.phrases_ignored.append(rest[0])
            else:
                parts.append(self._word(rest[0]))
            rest = rest[span or 1 :]
        return self._all(parts or [SearchedPart(set(), " ".join(words), [])])

    def _word(self, word: str) -> SearchedPart:
        if word.startswith("#") and (uids := self._sets.get(word[1:])) is not None:
            return SearchedPart(members(uids), word, [TermSet(word, "", len(uids))])
        return self._untagged(TermPhrase((word,)))

    def _named_span(self, words: tuple[str, ...]) -> int:
        """How many of the first words name one organism together; 0 when they name none."""
        if self._field != ALL_FIELDS:
            return 0
        # The longest name first, such as all of mus musculus.
        for count in range(min(len(words), _LONGEST_ORGANISM_WORDS), 0, -1):
            uids = self._index.lookup("organism", " ".join(words[:count]).lower())
            if uids and self._organism_of(TermPhrase(words[:count]), uids):
                return count
        return 0

    def _named_or_words(self, words: tuple[str, ...]) -> SearchedPart:
        phrase = TermPhrase(words)
        name = " ".join(words).lower()
        uids = self._index.lookup("organism", name) or ()
        text = f'"{self._organism_of(phrase, uids)}"[Organism]'
        uids_anywhere = self._index.lookup("all fields", name) or ()
        alternatives = f"{text} OR {phrase.text}[{ALL_FIELDS}]"
        self._result.translations.append((phrase.text, alternatives))
        stack = [
            TermSet(text, "Organism", len(uids), "Y"),
            TermSet(f"{phrase.text}[{ALL_FIELDS}]", ALL_FIELDS, len(uids_anywhere)),
        ]
        return SearchedPart({*uids, *uids_anywhere}, alternatives, [*stack, "OR", "GROUP"], "OR")


def field_name(tag: str) -> str:
    """The field without a qualifier such as ``:exp``; ``:noexp`` and a distance, ``:~3``, make it another field."""
    name, _, qualifier = tag.lower().partition(":")
    is_other = qualifier.strip() == "noexp" or _DISTANCE.fullmatch(qualifier.strip())
    return f"{name.strip()}:{qualifier.strip()}" if is_other else name.strip()


def _uid_range(index: Index, low: str, high: str) -> list[str]:
    if not (low.isdecimal() and high.isdecimal()):
        return []
    return [uid for uid in index.all_uids() if uid.isdecimal() and int(low) <= int(uid) <= int(high)]


_LONGEST_WORDS = 6
_DATE = re.compile(r"(\d{4})(?:/(\d\d?))?(?:/(\d\d?))?")


@dataclass(frozen=True, slots=True)
class PhraseMapping:
    """The heading that words stand for, and the records under it."""

    text: str
    """Such as ``"neoplasms"[MeSH Terms]``."""
    uids: Sequence[str]


@runtime_checkable
class MappingIndex(Index, Protocol):
    """A database whose words stand for headings."""

    def map_phrase(self, phrase: str) -> PhraseMapping | None:
        """The heading that a phrase in lower case stands for, or None if it is only words."""

    def full_name(self, field: str) -> str:
        """A field's full name, which the translation shows: ``Title/Abstract`` for ``tiab``."""

    def heading(self, field: str, phrase: str) -> str:
        """The name under which a field files what ``phrase`` names; the phrase itself where it files by words."""


class _MappingReader(TermReader):
    """Reads one term with an eye on headings."""

    def __init__(self, index: MappingIndex, field: str, sets: Mapping[str, Sequence[str]]) -> None:
        super().__init__(index, field, sets)
        self._headings = index

    def read(self, term: str) -> TermResult:
        result = super().read(term)
        result.stack = []  # none in PubMed's answers since 2020
        return result

    def _range(self, item: TermRange) -> SearchedPart:
        part = super()._range(item)
        tag = item.high.tag or item.low.tag or self._field
        low, high = _day(" ".join(item.low.words), "/01/01"), _day(" ".join(item.high.words), "/12/31")
        return SearchedPart(part.uids, f"{low}:{high}[{self._headings.full_name(field_name(tag))}]", part.stack)

    def _part_with_hits(self, phrase: TermPhrase, tag: str, uids: Sequence[str]) -> SearchedPart:
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
        return next((count for count in counts if self._headings.map_phrase(" ".join(words[:count]).lower())), 0)

    def _named_or_words(self, words: tuple[str, ...]) -> SearchedPart:
        """The heading, all of the words anywhere, or the words as a phrase."""
        phrase = " ".join(words).lower()
        mapped = self._headings.map_phrase(phrase)
        assert mapped is not None  # noqa: S101  # the span was found by it
        texts = [mapped.text]
        hits = {*mapped.uids, *self._uids_in_all_fields(phrase)}
        if len(words) > 1:
            lists = [set(self._uids_in_all_fields(word)) for word in phrase.split()]
            hits |= set.intersection(*lists)
            texts.append(f"({' AND '.join(_in_field(word, ALL_FIELDS) for word in phrase.split())})")
        text = " OR ".join([*texts, _in_field(phrase, ALL_FIELDS)])
        self._result.translations.append((" ".join(words), text))
        return SearchedPart(hits, text, [TermSet(text, ALL_FIELDS, len(hits))], "OR")

    def _uids_in_all_fields(self, phrase: str) -> Sequence[str]:
        return self._index.lookup(field_name(ALL_FIELDS), phrase) or ()


def _in_field(words: str, name: str, *, is_quoted: bool = True) -> str:
    """Words with their field; a truncated word has quotes only where it was given some."""
    return f"{words}[{name}]" if words.endswith("*") and not is_quoted else f'"{words}"[{name}]'


def _day(text: str, rest: str) -> str:
    """A date in full: what it leaves open is filled with what ``rest`` has there."""
    match = _DATE.fullmatch(text)
    if not match:
        return text
    _, month, day = rest.split("/")
    return f"{match[1]}/{int(match[2] or month):02}/{int(match[3] or day):02}"
