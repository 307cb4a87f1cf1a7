"""The terms that queries are composed of; every text is quoted. Pure."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from biofact.literature.query import wording

HEADING, MAJOR = "MeSH Terms", "MeSH Major Topic"
ABSTRACT, TITLE = "Title/Abstract", "Title"
TYPE, DATE = "Publication Type", "Date - Publication"
_TAG = re.compile(r"\[([^\[\]]+)\]")
_QUOTED = re.compile(r'"([^"]*)"')
_HEADED = re.compile(rf'"([^"]*)"\[(?:{HEADING}|{MAJOR})\]')


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """A phrase in a field."""

    text: str
    field: str

    def __str__(self) -> str:
        return f'"{self.text}"[{self.field}]'

    def is_in(self, unknown: Container[str]) -> bool:
        """Whether it is among phrases that PubMed does not know; one without field is not about headings."""
        text = self.text.lower()
        return f"{text}[{self.field.lower()}]" in unknown or (text in unknown and self.field not in {HEADING, MAJOR})


@dataclass(frozen=True, slots=True)
class AllWords:
    """The words of a phrase, anywhere in a field: for phrases that PubMed does not know as such."""

    phrase: str
    field: str

    @property
    def words(self) -> list[str]:
        """Those that matter."""
        result = [word for word in re.findall(r"[^\s/-]+", self.phrase) if re.search(r"\w", word)]
        return [word for word in result if word.lower() not in wording.STOP_WORDS] or result

    def __str__(self) -> str:
        return f"({' AND '.join(str(FieldTerm(word, self.field)) for word in dict.fromkeys(self.words))})"


@dataclass(frozen=True, slots=True)
class TermWithout:
    """One term without another."""

    term: FieldTerm
    other: FieldTerm

    def __str__(self) -> str:
        return f"({self.term} NOT {self.other})"


Alternative = FieldTerm | AllWords | TermWithout


def any_of(alternatives: Iterable[Alternative]) -> str:
    """Any of them, in parentheses."""
    return f"({' OR '.join(map(str, alternatives))})"


def fields(query: str) -> list[str]:
    """The field tags of a query, each once, in their order."""
    return list(dict.fromkeys(_TAG.findall(_QUOTED.sub('""', query))))


def headings(query: str) -> list[str]:
    """The MeSH headings that a query searches for, each once, without those that it excludes."""
    return list(dict.fromkeys(_HEADED.findall(query.partition(") NOT (")[0])))


def phrases(query: str) -> list[str]:
    """The quoted phrases, each once."""
    return list(dict.fromkeys(_QUOTED.findall(query)))
