"""Where phrases stand in a text, whatever their case, number, hyphens, Greek letters and side of the ocean. Pure."""

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biofact.literature.query import wording

_WORD = re.compile(r"\w+")
_SHORTEST_STEM = 4
"""Letters before an asterisk: fewer would stand for anything."""
_REMEMBERED = 65536
"""Words; 2,000 abstracts have some 30,000."""


class PhraseMatch(NamedTuple):
    """A phrase in a text."""

    start: int
    end: int
    group: int
    """The place of its group among those that were given."""


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    group: int
    is_stem: bool
    """Whether the last word may have any ending."""


@functools.lru_cache(_REMEMBERED)
def word_key(word: str) -> str:
    """One form for spellings of a word that differ in case, number, Greek letters, or by the ocean between."""
    return wording.key(word)


class PhraseFinder:
    """Finds the phrases of several groups in one pass; of phrases that begin at one word the longest counts."""

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        self._by_word: dict[str, list[_Phrase]] = defaultdict(list)
        self._by_stem: dict[str, list[_Phrase]] = defaultdict(list)
        for group, phrases in enumerate(groups):
            for phrase in phrases:
                self._add(phrase, group)
        for known in (*self._by_word.values(), *self._by_stem.values()):
            known.sort(key=lambda one: -len(one.words))

    def _add(self, phrase: str, group: int) -> None:
        for written in {phrase, wording.in_speech(phrase)}:
            words = [key for word in _WORD.findall(written) if (key := word_key(word))]
            is_stem = phrase.endswith("*") and bool(words) and len(words[-1]) >= _SHORTEST_STEM
            if not words:
                continue
            one = _Phrase(tuple(words), group, is_stem)
            if is_stem and len(words) == 1:
                self._by_stem[words[0][:_SHORTEST_STEM]].append(one)
            else:
                self._by_word[words[0]].append(one)

    def matches(self, text: str) -> list[PhraseMatch]:
        """Every match in the order of the text; those of one group do not overlap."""
        words = [*_WORD.finditer(text)]
        keys = [word_key(word[0]) for word in words]
        found: list[PhraseMatch] = []
        ends: dict[int, int] = {}
        for place in range(len(words)):
            for phrase in self._at(keys, place):
                if ends.get(phrase.group, 0) <= place:
                    ends[phrase.group] = place + len(phrase.words)
                    last = words[place + len(phrase.words) - 1]
                    found.append(PhraseMatch(words[place].start(), last.end(), phrase.group))
        return found

    def _at(self, keys: Sequence[str], place: int) -> Iterator[_Phrase]:
        word = keys[place]
        for phrase in (*self._by_word.get(word, ()), *self._by_stem.get(word[:_SHORTEST_STEM], ())):
            window = keys[place : place + len(phrase.words)]
            if len(window) < len(phrase.words) or tuple(window[:-1]) != phrase.words[:-1]:
                continue
            if window[-1] == phrase.words[-1] or (phrase.is_stem and window[-1].startswith(phrase.words[-1])):
                yield phrase
