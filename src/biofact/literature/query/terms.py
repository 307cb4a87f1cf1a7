"""The terms that queries are composed of; every text is quoted. Pure."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from biofact.literature.query import inflection, wording

HEADING, MAJOR = "MeSH Terms", "MeSH Major Topic"
ABSTRACT, TITLE = "Title/Abstract", "Title"
TYPE, DATE = "Publication Type", "Date - Publication"
NEAR = ":~0"
"""After a field: the words side by side in any order, with no need of PubMed's index of phrases."""
_SHORTEST_WORD = 2
_SHORTEST_CUT = 5  # letters before an asterisk of a word among others: gene* would find generations
_TAG = re.compile(r"\[([^\[\]]+)\]")
_QUOTED = re.compile(r'"([^"]*)"')
_WORDED = re.compile(rf'"([^"]*)"\[(?:{ABSTRACT}|{TITLE})(?:{NEAR})?\]')
_HEADED = re.compile(rf'"([^"]*)"\[(?:{HEADING}|{MAJOR})\]')


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """A phrase in a field."""

    text: str
    field: str
    whole: tuple[str, ...] = dataclass_field(default=(), compare=False)
    """What a text with an asterisk stands for."""

    def __str__(self) -> str:
        return f'"{self.text}"[{self.field}]'

    @property
    def is_phrase(self) -> bool:
        """Whether it has several words of a title or abstract, which PubMed may not have in its index of phrases."""
        return self.field in {ABSTRACT, TITLE} and len(re.findall(r"\w+", self.text)) > 1

    def side_by_side(self) -> "list[FieldTerm]":
        """The same words next to each other, whether PubMed knows them as a phrase or not."""
        return [FieldTerm(text, f"{self.field}{NEAR}") for text in self.whole or (self.text.rstrip("*"),)]

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
        """Those that matter, each with an asterisk where its number may differ."""
        words = [
            word for word in re.findall(r"[^\s/-]+", self.phrase) if len(re.findall(r"\w", word)) >= _SHORTEST_WORD
        ]
        kept = [word for word in words if word.lower() not in wording.STOP_WORDS] or words
        cuts = ((word, inflection.stem(word)) for word in kept)
        return [f"{cut}*" if len(cut) >= _SHORTEST_CUT else word for word, cut in cuts]

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


def headings_alone(clause: str) -> str:
    """A clause of alternatives with its headings alone; empty where it has none."""
    kept = [found[0] for found in _HEADED.finditer(clause)]
    return f"({' OR '.join(kept)})" if kept else ""


def words_of(clause: str) -> list[str]:
    """The texts that a clause looks for in titles and abstracts."""
    return list(dict.fromkeys(_WORDED.findall(clause)))


def phrases(query: str) -> list[str]:
    """The quoted phrases, each once."""
    return list(dict.fromkeys(_QUOTED.findall(query)))
