"""Scores of texts: points by category, keywords, likeness, quality by form. Pure; definitions in docs/scoring.md.

The points of study types follow the order of the evidence pyramid: syntheses of trials, trials, observational studies
with a comparison, those without, single cases, work without patients, opinion. The distances between the steps are our
choice.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from biofact.core.quoting import name_list
from biofact.core.words import folded
from biofact.literature.scoring.criteria import CategoricalScore, KeywordMatch, TextQuality, TextSimilarity
from biofact.literature.scoring.values import Array, Unfit, by_distinct, by_text, stated_value, texts

_BY_POINTS: dict[float, tuple[str, ...]] = {
    1.0: (
        "meta analysis", "meta analyses", "network meta analysis", "individual participant data meta analysis",
        "systematic review", "systematic reviews", "systematic review and meta analysis",
        "systematic review of randomized controlled trials", "meta analysis of randomized controlled trials",
        "umbrella review", "cochrane review",
    ),
    0.9: (
        "randomized controlled trial", "randomized controlled trials", "randomized clinical trial", "randomized trial",
        "randomized controlled study", "randomized study", "cluster randomized trial", "randomized crossover trial",
        "pragmatic clinical trial", "equivalence trial", "adaptive clinical trial", "clinical trial phase iii",
        "phase iii clinical trial", "phase iii trial", "phase 3 trial", "randomized", "rct",
    ),
    0.7: (
        "clinical trial", "controlled clinical trial", "clinical trial phase i", "clinical trial phase ii",
        "clinical trial phase iv", "phase i trial", "phase ii trial", "phase iv trial", "phase 1 trial",
        "phase 2 trial", "phase 4 trial", "interventional study", "intervention study",
        "non randomized controlled trial", "non randomized clinical trial", "non randomized trial",
        "non randomized study", "nonrandomized controlled trial", "nonrandomized clinical trial", "nonrandomized trial",
        "quasi experimental study", "non randomized", "nonrandomized", "quasi randomized", "quasi randomized trial",
        "quasi randomized study", "pseudo randomized trial", "pseudo randomized study", "nonrandomized study",
        "single arm trial", "open label trial", "crossover trial", "trial", "trials", "mendelian randomization",
        "mendelian randomization study",
    ),
    0.6: (
        "cohort", "cohort study", "prospective study", "prospective cohort study", "retrospective study",
        "retrospective cohort study", "longitudinal study", "follow up study", "comparative study", "registry study",
        "population based study", "genome wide association study", "genetic association study", "gwas",
        "diagnostic study", "diagnostic accuracy study", "secondary analysis", "post hoc analysis", "subgroup analysis",
        "ancillary analysis", "secondary analysis of a randomized trial", "target trial emulation", "trial emulation",
        "emulation", "scoping review",
    ),
    0.5: (
        "case control", "case control study", "observational", "observational study", "validation study",
        "multicenter study",
    ),
    0.4: ("cross sectional", "cross sectional study", "survey", "prevalence study", "ecological study", "twin study"),
    0.3: (
        "case series", "qualitative study", "pilot study", "feasibility study", "guideline", "practice guideline",
        "consensus statement", "review", "reviews", "narrative review", "literature review",
    ),
    0.2: (
        "case report", "case reports", "case study", "animal study", "animal experiment", "animal", "in vivo",
        "preclinical study", "preclinical", "study protocol", "clinical trial protocol", "systematic review protocol",
        "trial protocol", "protocol",
    ),
    0.1: (
        "in vitro", "in vitro study", "cell line study", "in silico", "computational study", "simulation study",
        "modelling study",
    ),
    0.05: ("editorial", "comment", "commentary", "letter", "opinion", "viewpoint", "perspective", "news", "interview"),
}  # fmt: skip

POINTS: dict[str, float] = {name: points for points, names in _BY_POINTS.items() for name in names}
"""By study type: British and American spellings and hyphens are one (``categories.canonical``)."""

SECONDARY_TYPES = (
    "review", "reviews", "protocol", "emulation", "editorial", "comment", "commentary", "letter", "opinion",
    "viewpoint", "perspective", "news", "secondary analysis", "post hoc analysis",
)  # fmt: skip
"""The type of a category by its last word, whatever it names before: a randomized trial protocol."""

GRADES: dict[str, float] = {
    "very high": 1.0,
    "high": 1.0,
    "excellent": 1.0,
    "strong": 1.0,
    "good": 0.8,
    "moderate": 0.6,
    "medium": 0.5,
    "fair": 0.5,
    "average": 0.5,
    "some concerns": 0.5,
    "unclear": 0.4,
    "low": 0.25,
    "weak": 0.25,
    "poor": 0.1,
    "very low": 0.0,
    "none": 0.0,
}
"""Read only where they are the whole value: "high-risk cohort" is a cohort."""


_MOST_SHOWN = 3
_NEGATED = re.compile(r"^not (?:(?:a|an|the|truly|properly) )?(?=randomiz)|\bun(?=randomiz)")
"""Words that make a trial a non-randomized one: not a randomised trial."""
_TURNING_WORD = re.compile(r"\b(?:of|in|from|within|nested|for|on|about|to|among|using|with|without|before|not|no)\b")
"""Words after which a category names its object, its setting or its contrary."""
_NEGATION = re.compile(r"(?:not|no)\b")
"""A negation, which tells nothing of the category itself: not a systematic review."""
_TRIAL_PROPERTIES = re.compile(r"(?<=randomized )(?:(?!of |in |for |and )\w+ ){1,8}?(?=(?:trials?|study|studies)\b)")
"""Further properties of a trial: randomised, double-blind, placebo-controlled."""


def canonical(category: str) -> str:
    """One form for all spellings of a category: case, hyphens, blanks, British "randomised" and "centre"."""
    plain = " ".join(re.sub(r"[^\w]+|_", " ", folded(category)).split())
    return re.sub(r"\brandomis", "randomiz", plain).replace("modeling", "modelling").replace("centre", "center")


class _PointsTable:
    """Points by category as ``canonical``."""

    def __init__(self, points: Mapping[str, float] | None, other: float | None) -> None:
        self.points = {canonical(name): value for name, value in (POINTS if points is None else points).items()}
        self.grades = GRADES if points is None else {}
        all_points = [*self.points.values(), *self.grades.values()]
        self.other = min(all_points) / 2 + max(all_points) / 2 if other is None else other
        longest_first = sorted(filter(None, self.points), key=len, reverse=True)
        self.name_pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b") if longest_first else None
        self.has_hierarchy = points is None
        self.unknown: Counter[str] = Counter()

    def points_of(self, category: str) -> float | None:
        """The points of a category: of its whole name, else of the longest known name in its head, then in it all."""
        name = canonical(category)
        whole = self.points.get(name, self.grades.get(name))
        if whole is not None or self.name_pattern is None:
            return whole
        readings = self._interpretations(name) if self.has_hierarchy else (name,)
        return next((points for points in map(self._longest, readings) if points is not None), None)

    def _longest(self, name: str) -> float | None:
        """The points of the longest known name that a category contains."""
        result = max(self.name_pattern.findall(name), key=len, default=None) if self.name_pattern else None
        return None if result is None else self.points[result]

    def _interpretations(self, name: str) -> tuple[str, ...]:
        """The interpretations of a study type, the surest first: a review of trials is a review."""
        plain = _TRIAL_PROPERTIES.sub("", _NEGATED.sub("non ", name))
        head = _TURNING_WORD.split(plain, maxsplit=1)[0].strip()
        last = next((word for word in SECONDARY_TYPES if head.endswith(f" {word}")), None)
        whole = "" if _NEGATION.match(plain) else plain
        return tuple(filter(None, (last if last and head not in self.points else "", head, whole)))

    def points_or_other(self, category: str) -> float:
        """The points of a category; the default points of an unknown one, which is counted."""
        points = self.points_of(category)
        if points is None:
            self.unknown[category] += 1
            return self.other
        return points


def categorical_score(values: Sequence[Any], options: CategoricalScore, unfit: Unfit, messages: list[str]) -> Array:
    """The points of each category; the highest points of a list."""
    table = _PointsTable(options.points, options.other)

    def measure(category: Any) -> float:
        if not isinstance(category, str):
            raise TypeError
        return table.points_or_other(category) if category.strip() else math.nan

    try:
        scores = by_distinct(values, measure)  # only texts: the most common case
    except TypeError:  # other values among them, or unhashable ones
        table.unknown.clear()
        scores = by_distinct([_entries(value, unfit) for value in values], lambda entries: _best(entries, table))
    if table.unknown:
        categories = name_list([f"{category!r:.60}" for category in table.unknown], _MOST_SHOWN)
        messages.append(f"no points are known for {categories}; each scored {table.other:g}, halfway or as given.")
    return scores


def _entries(value: Any, unfit: Unfit) -> tuple[str, ...] | None:
    value = stated_value(value)
    entries = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(text for text in texts(list(entries), unfit) if text) or None


def _best(entries: tuple[str, ...], table: _PointsTable) -> float:
    """The highest points; entries without points, such as "Journal Article", count only if no other has any."""
    known_points = [points for points in map(table.points_of, entries) if points is not None]
    if not known_points:
        table.unknown["; ".join(entries)] += 1
    return max(known_points, default=table.other) if entries else math.nan


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
    """The share of the keywords in each text, as whole words."""
    article_texts = texts(values, unfit)
    distinct = {text: plain(text) for text in dict.fromkeys(article_texts) if text is not None}
    keywords = options.keywords
    if keywords is None:
        keywords = _shared_words(distinct[text] for text in article_texts if text is not None)
        word_list = ", ".join(map(repr, keywords)) or "none"
        messages.append(
            "keyword_match without keywords looked for the words that most of the articles share "
            f"({word_list}); to name your own, write {{'name': 'keyword_match', 'keywords': [...]}}."
        )
    patterns = [_pattern(plain(word)) for word in keywords]
    required = min(options.enough or len(patterns), len(patterns)) or 1
    return by_distinct(
        article_texts,
        lambda text: min(sum(pattern.search(distinct[text]) is not None for pattern in patterns) / required, 1.0),
    )


def _pattern(keyword: str) -> re.Pattern[str]:
    """Finds a keyword as whole words; hyphens and blanks are one, an asterisk at the end is any ending."""
    parts = _GAPS.split(keyword.rstrip("*").strip())
    ending = r"\w*" if keyword.endswith("*") else ""
    return re.compile(rf"(?<!\w){_GAP.join(map(re.escape, filter(None, parts)))}{ending}(?!\w)")


def _shared_words(plain_texts: Any) -> list[str]:
    """The words of most texts, where each text counts once; equal counts in alphabetical order."""
    text_counts = Counter(word for text in plain_texts for word in dict.fromkeys(content_words(text)))
    return sorted(text_counts, key=lambda word: (-text_counts[word], word))[:_MOST_KEYWORDS]


def content_words(text: str) -> list[str]:
    """The content words of a ``plain`` text: two letters or more, no stop words."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word not in STOP_WORDS]


def text_similarity(values: Sequence[Any], options: TextSimilarity, unfit: Unfit, messages: list[str]) -> Array:
    """The cosine between the TF-IDF vectors of each text and the reference."""
    article_texts = texts(values, unfit)
    vectors = _Vectors([text for text in article_texts if text is not None])
    if options.reference is None:
        messages.append(
            "text_similarity without a reference compared each text with all of them together; "
            "to name one, write {'name': 'text_similarity', 'reference': '...'}."
        )
        similarities = vectors.likeness_to_all()
    else:
        similarities = vectors.likeness(options.reference)
        if not any(similarities.values()):
            messages.append("text_similarity: no text shares a word with the reference.")
    return by_distinct(article_texts, lambda text: 1.0 - similarities[text] if options.reverse else similarities[text])


class _Vectors:
    """The TF-IDF vectors of texts, each of length 1, as triples of text, word and weight."""

    def __init__(self, texts: list[str]) -> None:
        counts_by_text = Counter(texts)
        self.texts = list(counts_by_text)
        self.text_counts = np.fromiter(counts_by_text.values(), np.float64, len(counts_by_text))
        self.vocabulary: dict[str, int] = {}
        words = [content_words(plain(text)) for text in self.texts]
        word_numbers = [
            self.vocabulary.setdefault(word, len(self.vocabulary)) for text_words in words for word in text_words
        ]
        rows = np.repeat(np.arange(len(words)), [len(text_words) for text_words in words])
        width = max(len(self.vocabulary), 1)
        # one number for each pair of a text and a word
        places, counts = np.unique(rows * width + np.array(word_numbers, dtype=np.int64), return_counts=True)
        self.row, self.word = np.divmod(places, width)
        self.rarest = math.log(1 + len(texts)) + 1
        self.rarity = self.rarest - np.log1p(np.bincount(self.word, self.text_counts[self.row], width))
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
        goal = np.bincount(self.word, self.weight * self.text_counts[self.row], len(self.rarity))
        return self._cosines(goal.astype(np.float64), 0.0)

    def _cosines(self, goal: Array, outside_square: float) -> dict[str, float]:
        """The cosines with a vector; ``outside_square`` is the square of its part outside the vocabulary."""
        length = math.sqrt(float(np.sum(goal**2)) + outside_square)
        cosines = self._by_text(self.weight * goal[self.word]) / (length or 1.0)
        return dict(zip(self.texts, np.minimum(cosines, 1.0).tolist(), strict=True))

    def _by_text(self, parts: Array) -> Array:
        sums: Array = np.bincount(self.row, parts, len(self.texts)).astype(np.float64)
        return sums


def text_quality(values: Sequence[Any], options: TextQuality, unfit: Unfit, _messages: list[str]) -> Array:
    """The quality of each text by its form: length, variety, numbers."""
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
