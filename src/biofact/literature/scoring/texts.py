"""Scores of texts: keywords, likeness, quality by form. Pure; definitions in docs/scoring.md."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from biofact.core.words import folded
from biofact.literature.scoring.criteria import KeywordMatch, TextQuality, TextSimilarity
from biofact.literature.scoring.values import Array, Unfit, by_distinct, by_text, texts

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\b\d")
_GAP = r"[\s\-/]+"
_GAPS = re.compile(_GAP)
_MOST_KEYWORDS = 10
_USUAL_VARIETY = 0.6
_WITHOUT_NUMBERS = 0.7

_STOP_WORDS = (
    "a an and are as at be been but by can did do does for from had has have in into is it its may more no nor "
    "not of on or our than that the their them then there these they this those to was we were which who with "
    "within without after all also among any between both during each either versus vs via will would"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())


def plain(text: str) -> str:
    """``text`` in the form in which texts are compared: case, Greek letters and blanks do not count."""
    return text.lower() if text.isascii() else folded(text)


def keyword_match(values: Sequence[Any], options: KeywordMatch, unfit: Unfit, messages: list[str]) -> Array:
    """The share of the keywords that each text holds, as whole words."""
    read = texts(values, unfit)
    distinct = {text: plain(text) for text in dict.fromkeys(read) if text is not None}
    keywords = options.keywords
    if keywords is None:
        keywords = _shared_words(distinct[text] for text in read if text is not None)
        named = ", ".join(map(repr, keywords)) or "none"
        messages.append(
            "keyword_match without keywords looked for the words that most of the articles share "
            f"({named}); to name your own, write {{'name': 'keyword_match', 'keywords': [...]}}."
        )
    patterns = [_pattern(plain(word)) for word in keywords]
    enough = min(options.enough or len(patterns), len(patterns)) or 1
    return by_distinct(
        read, lambda text: min(sum(pattern.search(distinct[text]) is not None for pattern in patterns) / enough, 1.0)
    )


def _pattern(keyword: str) -> re.Pattern[str]:
    """Finds a keyword as whole words; hyphens and blanks are one, an asterisk at the end is any ending."""
    parts = _GAPS.split(keyword.rstrip("*").strip())
    ending = r"\w*" if keyword.endswith("*") else ""
    return re.compile(rf"(?<!\w){_GAP.join(map(re.escape, filter(None, parts)))}{ending}(?!\w)")


def _shared_words(read: Any) -> list[str]:
    """The words that most texts hold, each text counting once; equal ones in the order of the alphabet."""
    held = Counter(word for text in read for word in dict.fromkeys(content_words(text)))
    return sorted(held, key=lambda word: (-held[word], word))[:_MOST_KEYWORDS]


def content_words(text: str) -> list[str]:
    """The words of a ``plain`` text that carry meaning: two letters or more, none of the most common."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word not in STOP_WORDS]


def text_similarity(values: Sequence[Any], options: TextSimilarity, unfit: Unfit, messages: list[str]) -> Array:
    """The cosine between the TF-IDF vectors of each text and the reference."""
    read = texts(values, unfit)
    vectors = _Vectors([text for text in read if text is not None])
    if options.reference is None:
        messages.append(
            "text_similarity without a reference compared each text with all of them together; "
            "to name one, write {'name': 'text_similarity', 'reference': '...'}."
        )
        scored = vectors.likeness_to_all()
    else:
        scored = vectors.likeness(options.reference)
        if not any(scored.values()):
            messages.append("text_similarity: no text shares a word with the reference.")
    return by_distinct(read, lambda text: 1.0 - scored[text] if options.reverse else scored[text])


class _Vectors:
    """The TF-IDF vectors of texts, each of length 1, as triples of text, word and weight."""

    def __init__(self, given: list[str]) -> None:
        often = Counter(given)
        self.texts = list(often)
        self.often = np.fromiter(often.values(), np.float64, len(often))
        self.vocabulary: dict[str, int] = {}
        words = [content_words(plain(text)) for text in self.texts]
        numbered = [self.vocabulary.setdefault(word, len(self.vocabulary)) for each in words for word in each]
        rows = np.repeat(np.arange(len(words)), [len(each) for each in words])
        width = max(len(self.vocabulary), 1)
        places, counts = np.unique(rows * width + np.array(numbered, dtype=np.int64), return_counts=True)
        self.row, self.word = np.divmod(places, width)
        self.rarest = math.log(1 + len(given)) + 1
        self.rarity = self.rarest - np.log1p(np.bincount(self.word, self.often[self.row], width))
        weight = (1 + np.log(counts)) * self.rarity[self.word]
        self.weight = weight / np.sqrt(self._by_text(weight**2))[self.row]

    def likeness(self, reference: str) -> dict[str, float]:
        """The cosine of each text with ``reference``, whose unknown words count as the rarest."""
        counts = Counter(content_words(plain(reference)))
        goal = np.zeros(len(self.rarity))
        unknown = 0.0
        for word, count in counts.items():
            number = self.vocabulary.get(word)
            if number is None:
                unknown += ((1 + math.log(count)) * self.rarest) ** 2
            else:
                goal[number] = (1 + math.log(count)) * self.rarity[number]
        return self._cosines(goal, unknown)

    def likeness_to_all(self) -> dict[str, float]:
        """The cosine of each text with the sum of all."""
        goal: Array = np.bincount(self.word, self.weight * self.often[self.row], len(self.rarity)).astype(np.float64)
        return self._cosines(goal, 0.0)

    def _cosines(self, goal: Array, beyond: float) -> dict[str, float]:
        """The cosines with a vector; ``beyond`` is the square of its part outside the vocabulary."""
        length = math.sqrt(float(np.sum(goal**2)) + beyond)
        cosines = self._by_text(self.weight * goal[self.word]) / (length or 1.0)
        return dict(zip(self.texts, np.minimum(cosines, 1.0).tolist(), strict=True))

    def _by_text(self, parts: Array) -> Array:
        sums: Array = np.bincount(self.row, parts, len(self.texts)).astype(np.float64)
        return sums


def text_quality(values: Sequence[Any], options: TextQuality, unfit: Unfit, _messages: list[str]) -> Array:
    """How much each text says, by its form: length, variety, numbers."""
    return by_text(values, unfit, lambda text: quality(text, options.length))


def quality(text: str, length: float) -> float:
    """Saturating length, times variety of words, times 0.7 to 1 by how many numbers there are."""
    words = _WORD.findall(text.lower())
    if not words:
        return 0.0
    saturation = 1.0 - math.exp(-len(words) / length)
    variety = min(len(set(words)) / (_USUAL_VARIETY * len(words)), 1.0)
    numbers = len(_NUMBER.findall(text))
    specific = 1.0 - math.pow(0.5, numbers)
    return saturation * variety * (_WITHOUT_NUMBERS + (1.0 - _WITHOUT_NUMBERS) * specific)
