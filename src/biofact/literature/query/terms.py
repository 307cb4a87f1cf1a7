"""The quoted terms that queries consist of, and the forms in which a phrase stands in titles and abstracts. Pure.

Diabetes, Gestational  ->  Gestational diabet*
pre-eclampsia          ->  pre-eclampsia*, preeclampsia*
leukaemia              ->  leukaemia*, leukemia*
"""

import functools
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import NamedTuple

from biofact.literature.query import synonyms, wording

HEADING, MAJOR = "MeSH Terms", "MeSH Major Topic"
ABSTRACT, TITLE = "Title/Abstract", "Title"
TYPE, DATE = "Publication Type", "Date - Publication"
PROXIMITY = ":~0"
"""Suffix of a field: the words side by side in any order, whether PubMed's index of phrases has them or not."""
_SHORTEST_WORD = 2
_SHORTEST_CUT = 5  # letters before an asterisk of a word among others: gene* would find generations
_TAG = re.compile(r"\[([^\[\]]+)\]")
_QUOTED = re.compile(r'"([^"]*)"')
_TEXT_TERM = re.compile(rf'"([^"]*)"\[(?:{ABSTRACT}|{TITLE})(?:{PROXIMITY})?\]')
_HEADING_TERM = re.compile(rf'"([^"]*)"\[(?:{HEADING}|{MAJOR})\]')


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """A phrase in a field."""

    text: str
    field: str
    whole: tuple[str, ...] = dataclass_field(default=(), compare=False)
    """The complete forms of a text with an asterisk."""

    def __str__(self) -> str:
        return f'"{self.text}"[{self.field}]'

    @property
    def is_phrase(self) -> bool:
        """Whether it has several words for titles or abstracts, which PubMed's index of phrases may lack."""
        return self.field in {ABSTRACT, TITLE} and len(re.findall(r"\w+", self.text)) > 1

    def side_by_side(self) -> "list[FieldTerm]":
        """The same words next to each other, whether PubMed's index has the phrase or not."""
        return [FieldTerm(text, f"{self.field}{PROXIMITY}") for text in self.whole or (self.text.rstrip("*"),)]

    def is_in(self, unknown: Container[str]) -> bool:
        """Whether it is among phrases that PubMed does not know; a phrase without a field is no heading."""
        text = self.text.lower()
        return f"{text}[{self.field.lower()}]" in unknown or (text in unknown and self.field not in {HEADING, MAJOR})


@dataclass(frozen=True, slots=True)
class AllWords:
    """The words of a phrase anywhere in a field, for phrases that PubMed does not know."""

    phrase: str
    field: str

    @property
    def words(self) -> list[str]:
        """The content words, with an asterisk where singular and plural differ."""
        words = [
            word for word in re.findall(r"[^\s/-]+", self.phrase) if len(re.findall(r"\w", word)) >= _SHORTEST_WORD
        ]
        content_words = [word for word in words if word.lower() not in wording.STOP_WORDS] or words
        cuts = ((word, wording.stem(word)) for word in content_words)
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
    """The alternatives joined by OR, in parentheses."""
    return f"({' OR '.join(map(str, alternatives))})"


def fields(query: str) -> list[str]:
    """The field tags of a query, each once, in their order."""
    return list(dict.fromkeys(_TAG.findall(_QUOTED.sub('""', query))))


def headings(query: str) -> list[str]:
    """The MeSH headings that a query searches for, each once, without those that it excludes."""
    return list(dict.fromkeys(_HEADING_TERM.findall(query.partition(") NOT (")[0])))


def headings_alone(clause: str) -> str:
    """The headings of a clause as a clause of their own; empty if it has none."""
    headings = [match[0] for match in _HEADING_TERM.finditer(clause)]
    return f"({' OR '.join(headings)})" if headings else ""


def words_of(clause: str) -> list[str]:
    """The texts of a clause for titles and abstracts."""
    return list(dict.fromkeys(_TEXT_TERM.findall(clause)))


def phrases(query: str) -> list[str]:
    """The quoted phrases, each once."""
    return list(dict.fromkeys(_QUOTED.findall(query)))


_OTHER_MEANING = frozenset({"aged"})
"""Names of headings that have another meaning in an abstract: "patients aged 3 to 5"."""
_SHORTEST = 2  # letters and digits; one letter is no term
_LONGEST_ACRONYM = 6
_CACHED_PHRASES = 4096  # phrases of some two dozen questions
_PART = 3  # letters on each side of a hyphen that may be a blank as well
_CLOSED_PREFIX = re.compile(
    r"(?i)\b(anti|auto|bio|cardio|co|e|electro|endo|immuno|inter|intra|micro|multi|neo|neuro|non|para|peri|post|pre|psycho|re"
    r"|semi|socio|sub|tele|trans|under|x)-(?=[a-z]{3})"
)
"""Prefixes that authors also write in one word. As in: pre-eclampsia, e-cigarettes."""
_OPEN_PREFIX = re.compile(
    r"(?i)\b(?:(non)(?!e|ag)(?=[a-z]{7})|(pre|post)(?=(?:operativ|partum|natal|menopaus|traumat|term\b|school|surg)))"
)
"""As in: nonalcoholic, postoperative."""


class TextForm(NamedTuple):
    """A form to search for, and the complete forms behind its asterisk."""

    text: str
    whole: tuple[str, ...]


_LETTER_NAME = re.compile(r"^A \d|\b(?:[Tt]ype|[Gg]roup|[Vv]itamin) [Aa]$")
"""Names in which the letter is no article. As in: A 23187, vitamin A."""


def free_text(phrases: Iterable[str], *, is_wide: bool = False) -> list[TextForm]:
    """Every form of the phrases, each once, those of the first phrase first; an asterisk stands for any ending.

    ``is_wide`` cuts last words to the root that their verb and adjective share.

    Left out are forms that a form with an asterisk finds anyway, and forms with another meaning.
    """
    results: dict[str, TextForm] = {}
    for form in (form for phrase in phrases for form in forms(phrase, is_wide=is_wide)):
        known_key = next((key for key, other in results.items() if covers(other.text, form.text)), form.text.lower())
        if known_key in results:
            results[known_key] = _merge_forms(results[known_key], form)
            continue
        # a form with an asterisk takes the place of forms that it finds
        covered_keys = [key for key, other in results.items() if covers(form.text, other.text)]
        results[known_key] = functools.reduce(_merge_forms, map(results.pop, covered_keys), form)
    return list(results.values())


def _merge_forms(form: TextForm, other: TextForm) -> TextForm:
    """The first form, which now also stands for the complete forms of the other."""
    return TextForm(form.text, tuple({text.lower(): text for text in (*other.whole, *form.whole)}.values()))


@functools.lru_cache(maxsize=_CACHED_PHRASES)
def forms(phrase: str, *, is_wide: bool = False) -> tuple[TextForm, ...]:
    """The forms of one phrase; none if it is no term. Cached, since each draft of a query has the same names."""
    return tuple(_forms(phrase, is_wide=is_wide))


def _forms(phrase: str, *, is_wide: bool) -> Iterator[TextForm]:
    text = wording.clean(wording.without_accents(wording.in_speech(phrase)))
    if not is_term(text):
        return
    if phrase.endswith("*"):
        yield TextForm(wording.keyword(phrase), (text,))
        return
    for spelling in wording.spellings(text):
        for form in hyphenations(spelling):
            # names of organisms and acronyms have no other number
            if synonyms.is_organism(form) or (wording.is_acronym(form) and len(form) <= _LONGEST_ACRONYM):
                yield TextForm(form, (form,))
            else:
                yield from _numbers(form, is_wide=is_wide)


def _numbers(phrase: str, *, is_wide: bool) -> Iterator[TextForm]:
    for form in wording.numbers(phrase, is_wide=is_wide):
        yield TextForm(form, tuple(wording.both_numbers(phrase)) if form.endswith("*") else (form,))


def hyphenations(phrase: str) -> list[str]:
    """The phrase as it is written, and with its hyphens removed, replaced by blanks, or added, as authors write it."""
    with_blanks = re.sub(rf"(?<=[^\W\d_]{{{_PART}}})-(?=[^\W\d_]{{{_PART}}})", " ", phrase)
    with_hyphens = _OPEN_PREFIX.sub(lambda match: f"{match[0]}-", phrase)
    return list(dict.fromkeys((phrase, _CLOSED_PREFIX.sub(r"\1", phrase), with_blanks, with_hyphens)))


def is_term(text: str) -> bool:
    """Whether a text can be searched for by itself."""
    letters = re.sub(r"[\W_]", "", text)
    if len(letters) < _SHORTEST or letters.isdecimal() or text.lower() in _OTHER_MEANING:
        return False
    words = text.lower().split()
    is_whole = len(words) == 1 or text.startswith("in ") or _LETTER_NAME.search(text) or synonyms.is_organism(text)
    return bool(is_whole) or not {words[0], words[-1]} & wording.STOP_WORDS


def covers(stem: str, form: str) -> bool:
    """Whether a form with an asterisk finds another one."""
    rest = form.lower().removeprefix(stem[:-1].lower()) if stem.endswith("*") else form
    return stem.endswith("*") and len(rest) < len(form) and not re.search(r"[\s-]", rest)
