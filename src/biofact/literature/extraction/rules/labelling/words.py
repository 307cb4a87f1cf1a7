"""The words of articles by number, with what each shows by itself."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.rules.kinds_of_noun import is_disease_noun, is_treatment_noun
from biofact.literature.extraction.rules.labelling.word_lists import CONTROL, CUES, GENERAL, MEASURE
from biofact.literature.extraction.rules.verbs import FINITE
from biofact.literature.extraction.rules.vocabulary import ANIMALS, AUXILIARIES, DETERMINERS, PEOPLE, PREPOSITIONS
from biofact.literature.extraction.stems import stem

Numbers = NDArray[np.int32]
NUMBER = "#"
"""The text of every number."""
MOST_WORDS = 20_000
"""Words that are remembered; when there are more, all are forgotten."""
FEWEST_LETTERS = 4
"""Of a word that is compared with those of the title."""
COLUMNS = ("text", "sort", "cue", "stem", "opens", "closes")
"""What is known of each word, as numbers."""


class Word(NamedTuple):
    """A token by itself."""

    text: str
    """In lower case; # for a number."""
    is_short_form: bool
    """Whether it has capitals behind its first letter: HFS."""


EDGE = Word("", is_short_form=False)
"""Before the first token of a sentence, and behind the last."""


def word_of(surface: str) -> Word:
    """A token as it is written, as a word."""
    if surface[:1].isdigit():
        return Word(NUMBER, is_short_form=False)
    text = surface.lower().replace("|", "/")  # which sets the parts of a sign apart
    return Word(text, len(text) > 1 and surface[1:] != text[1:])


@lru_cache(maxsize=MOST_WORDS)
def sort_of(text: str) -> str:
    """What kind of noun or of form word it is."""
    sorts = (
        ("treatment", is_treatment_noun(text)),
        ("disease", is_disease_noun(text)),
        ("people", text.rpartition("-")[2] in PEOPLE),
        ("animals", text in ANIMALS),
        ("measure", MEASURE.fullmatch(text) is not None),
        ("general", GENERAL.fullmatch(text) is not None),
        ("control", text in CONTROL),
        ("preposition", text in PREPOSITIONS),
        ("determiner", text in DETERMINERS),
        ("auxiliary", text in AUXILIARIES),
        ("verb", text in FINITE),
    )
    found = "+".join(name for name, holds in sorts if holds)
    return found or ("word" if text[:1].isalpha() else "number" if text[:1] == NUMBER else text)


def signs_of(word: Word) -> Mapping[str, str]:
    """The signs of a word, by family."""
    text = word.text
    found = {"text": text, "sort": f"{sort_of(text)}|{'short' if word.is_short_form else ''}"}
    if text[:1].isalpha():
        found |= {"stem": stem(text), "end": text[-3:], "ending": text[-4:], "beginning": text[:4]}
        if "-" in text or "/" in text:
            found["part"] = re.split(r"[-/]", text)[-1]
    return MappingProxyType(found)


class Vocabulary:
    """Numbers for texts, from 1; 0 is for those that are not known."""

    def __init__(self, texts: Iterable[str] = (), *, grows: bool = False) -> None:
        """``grows``: whether a new text gets a number, as while weights are fitted."""
        self.texts = ["", *dict.fromkeys(text for text in texts if text)]
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        self._grows = grows

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, text: str) -> int:
        """The number of a text."""
        known = self._numbers.get(text)
        if known is None and self._grows:
            known = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return known or 0


class _Numbers(dict[str, int]):
    """The numbers of words as they are written; a new one gets its number when it is looked up."""

    def __init__(self, new: Callable[[str], int]) -> None:
        super().__init__()
        self._new = new

    def __missing__(self, surface: str) -> int:
        self[surface] = number = self._new(surface)
        return number


class Words:
    """Words by number. Number 0 is the edge of a sentence."""

    def __init__(self, texts: Vocabulary, sorts: Vocabulary) -> None:
        self._texts, self._sorts = texts, sorts
        self.cues = Vocabulary(sorted(CUES))
        self.clear()

    def clear(self) -> None:
        """Forget all words but the edge."""
        self._numbers = _Numbers(self._new)
        self._stems: dict[str, int] = {}
        self.known: list[Word] = []
        self.columns: Numbers = np.zeros((1024, len(COLUMNS)), dtype=np.int32)
        self._add(EDGE)

    def numbers(self, surfaces: Iterable[str]) -> list[int]:
        """The numbers of these tokens as they are written."""
        return list(map(self._numbers.__getitem__, surfaces))

    def stem_number(self, text: str) -> int:
        """The number that words of this stem share."""
        return self._stems.setdefault(text, len(self._stems))

    @property
    def stem_count(self) -> int:
        """How many stems have a number."""
        return len(self._stems)

    def _new(self, surface: str) -> int:
        self._add(word_of(surface))
        return len(self.known) - 1

    def _add(self, word: Word) -> None:
        number = len(self.known)
        self.known.append(word)
        if number == len(self.columns):
            self.columns = np.concatenate([self.columns, np.zeros_like(self.columns)])
        text = word.text
        self.columns[number] = (
            self._texts.number(text),
            self._sorts.number(sort_of(text)),
            self.cues.number(text) if text in CUES else 0,
            self.stem_number(stem(text)),
            text in {"(", "["},
            text in {")", "]"},
        )


def column(name: str) -> int:
    """Where a column stands."""
    return COLUMNS.index(name)
