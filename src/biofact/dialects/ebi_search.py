"""EBI Search: one query language, and one form of answer, over the indexes of EMBL-EBI's databases. Pure.

Words are lower case, parts of a phrase stand in quotes, ``?`` is any one letter within a word
(https://www.ebi.ac.uk/ebisearch/documentation, read 2026-11-20).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.dialects.json_values import loaded, nested_object, number, objects, texts
from biofact.dialects.readable_rows import ReadableRows
from biofact.transport.service import Answer, Request, Service, Transient, Verdict

MOST_HITS = 100
"""Hits of one answer."""
_LONGEST_TERM = 1500  # characters when encoded: a term is sent by GET, so it is part of an address
_LONGEST_PATTERN = 15  # letters of a word: each has a pattern of its own

_WORD = re.compile(r"[^\W_]+")
_SIGN = re.compile(r"[^\w\s-]")
_SYNTAX = re.compile(r'["\\*?~^]')  # within quotes, too
_CONJUNCTIONS = {"and", "or", "not"}
_FAILED = re.compile(r"something bad has happened|backend|try again|timed? ?out", re.IGNORECASE)


def judge(answer: Answer) -> Verdict:
    """The verdict on an answer."""
    return json_values.verdict(answer, json_values.error_words(answer.body, "error"), _FAILED) or "refused"


EBI_SEARCH = Service(
    name="ebisearch",
    title="EBI Search",
    base_url=declare(
        Setting(
            "BIOFACT_EBI_SEARCH_URL",
            "Where EBI Search is, which finds Ensembl genes by words.",
            default="https://www.ebi.ac.uk/ebisearch/ws/rest",
        )
    ),
    per_second=5.0,
    judge=judge,
    licence="Subject to EMBL-EBI's terms of use (https://www.ebi.ac.uk/about/terms-of-use).",
    probe_path="/ensembl_gene",
)
"""No limit is published; 5 a second is fair use as we read it."""


def search(domain: str, term: str, start: int, size: int, fields: Iterable[str]) -> Request:
    """Entries of a domain that match a term, with these fields; ``size`` is 100 at most."""
    params = (("query", term), ("size", str(size)), ("start", str(start)), ("fields", ",".join(fields)))
    return Request(EBI_SEARCH, (domain,), (*params, ("format", "json")), accept="application/json")


def fetch(domain: str, ids: Iterable[str], fields: Iterable[str]) -> Request:
    """The entries of a domain with these IDs, 100 at most, with these fields."""
    params = (("fields", ",".join(fields)), ("format", "json"))
    return Request(EBI_SEARCH, (domain, "entry", ",".join(ids)), params, accept="application/json")


@dataclass(frozen=True, slots=True)
class Entry:
    """One hit."""

    id: str
    fields: Mapping[str, list[str]]
    """Values by field; fields without a value are absent."""

    def first(self, name: str) -> str | None:
        """The first value of a field."""
        return next(iter(self.fields.get(name, ())), None)


@dataclass(frozen=True, slots=True)
class Entries:
    """A part of the list that a search found."""

    count: int
    """Hits of the whole list."""
    found: ReadableRows[Entry]


def entries(start: int, body: bytes) -> Entries:
    """The entries of an answer from the ``start``-th hit on.

    Raises:
        Transient: the body is damaged, or something else, or has fewer hits than it says.
        MissingField: no hit has an ID.
    """
    values = loaded(body)
    count = number(values, "hitCount") if isinstance(values, dict) else None
    if count is None or not isinstance(values.get("entries"), list):
        raise Transient("sent something other than hits")
    rows = objects(values, "entries")
    if bool(rows) != (start < count):
        raise Transient(f"sent {len(rows)} hits from number {start} on, of {count}")
    return Entries(count, ReadableRows.of(rows, _entry))


def fetched(body: bytes) -> list[Entry]:
    """The entries of a request by ID, as far as they exist.

    Raises:
        Transient: the body is damaged, or something else.
    """
    return ReadableRows.of(json_values.rows(loaded(body), "entries"), _entry).items


def _entry(row: dict[str, Any]) -> Entry:
    fields = nested_object(row, "fields")
    entry_id = json_values.required_text(row, "id", "a hit", "EBI Search")
    return Entry(entry_id.strip(), {name: values for name in fields if (values := texts(fields, name))})


def all_words(words: str) -> str:
    """A term for all of the words, each one's parts side by side: ``TNF-alpha`` is a phrase, ``tumor protein`` two
    words.
    """
    parts = [_WORD.findall(word.lower()) for word in words.split()]
    searched_parts = [part for part in parts if part and part[0] not in _CONJUNCTIONS] or [
        part for part in parts if part
    ]
    return " AND ".join(f'"{" ".join(part)}"' if len(part) > 1 else part[0] for part in searched_parts)


def verbatim(name: str) -> str | None:
    """A term for a name with signs, in quotes: an index may keep ``si:dkey`` together, or not; None without signs."""
    has_signs = " " not in name and _SIGN.search(name) is not None
    return f'("{name.lower()}")' if has_signs and not _SYNTAX.search(name) else None


def searched_words(text: str) -> list[str]:
    """The words of a text that can be searched, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if word not in _CONJUNCTIONS]


def one_letter_off(word: str, shortest: int) -> list[str]:
    """The word, and what it is after one letter, no digit, was changed, dropped, put in, or swapped with the next; of
    a word with fewer than ``shortest`` letters, the word alone.
    """
    if len(word) > _LONGEST_PATTERN or sum(map(str.isalpha, word)) < shortest:
        return [word]
    letters = [place for place, letter in enumerate(word) if not letter.isdigit()]
    substitutions = [f"{word[:i]}?{word[i + 1 :]}" for i in letters if i]
    insertions = [f"{word[:i]}?{word[i:]}" for i in range(1, len(word) + 1)]
    deletions = [f"{word[:i]}{word[i + 1 :]}" for i in letters]
    transpositions = [f"{word[:i]}{word[i + 1]}{word[i]}{word[i + 2 :]}" for i in letters if i + 1 in letters]
    return list(dict.fromkeys((word, *transpositions, *deletions, *substitutions, *insertions)))


def fits(term: str, max_characters: int = _LONGEST_TERM) -> bool:
    """Whether a term has ``most`` characters at most when it is encoded."""
    return len(quote_plus(term)) <= max_characters
