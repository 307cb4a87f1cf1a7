"""What the tokens of an article show of the field that they may belong to.

A sign is a family, a place, and one or two texts: ``texts|-1|breast|cancer`` is of a token that follows "breast" and is
"cancer". Families of words are known from each word alone; the others need the sentence or the article.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from biofact.literature.extraction.rules.labelling.abbreviations import long_forms
from biofact.literature.extraction.rules.labelling.words import (
    FEWEST_LETTERS,
    Numbers,
    Vocabulary,
    Words,
    column,
    signs_of,
    sort_of,
)
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.stems import stem

WINDOW = tuple(range(-4, 5))
PAIR = (-2, -1, 0, 1)
"""Places of the first of two words that stand side by side."""
HERE = (0,)
BESIDE = (-1, 0, 1)
WORD_FAMILIES: Mapping[str, Sequence[int]] = MappingProxyType(
    {"text": WINDOW, "sort": WINDOW, "stem": BESIDE, "end": BESIDE, "ending": HERE, "beginning": HERE, "part": HERE}
)
"""Of a word by itself, and at which places they are read."""


class Family(NamedTuple):
    """Signs of a token in its context: the texts of two traits, and at which places they are read."""

    first: str
    second: str
    places: Sequence[int]


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "texts": Family("text", "next text", PAIR),
        "sorts": Family("sort", "next sort", PAIR),
        "sort, text": Family("sort", "next text", PAIR),
        "text, sort": Family("text", "next sort", PAIR),
        "role, text": Family("role", "text", HERE),
        "role, sort": Family("role", "shown sort", HERE),
        "role, before": Family("role", "text before", HERE),
        "title, sort": Family("title", "shown sort", HERE),
        "times, sort": Family("times", "shown sort", HERE),
        "brackets, sort": Family("brackets", "shown sort", HERE),
        "cue before": Family("cue before", "near before", HERE),
        "cue before, sort": Family("cue before", "sort", HERE),
        "cue before, role": Family("cue before", "role", HERE),
        "cue behind": Family("cue behind", "near behind", HERE),
        "cue behind, sort": Family("cue behind", "sort", HERE),
        "cue behind, role": Family("cue behind", "role", HERE),
    }
)
FAMILIES_BY_PLACES = tuple(tuple(name for name, each in FAMILIES.items() if each.places == at) for at in (PAIR, HERE))
"""Those that are read at the same places, together."""
FAR_BEFORE, FAR_BEHIND = 10, 6
NEAR = 3
TIMES = ("1", "2", "3", "4 or more")
YES_NO = ("no", "yes")
ROLES = (
    "title", "background", "objective", "methods", "participants", "intervention", "outcome", "results", "conclusions",
    "limitations", "unlabelled",
)  # fmt: skip
EDGES = [0] * WINDOW[-1]
"""Words between two sentences."""


class Vocabularies(NamedTuple):
    """The texts of the traits that are read from articles; those of the others are few."""

    texts: Vocabulary
    sorts: Vocabulary

    def of(self, trait: str, words: Words) -> Vocabulary:
        """Of one trait."""
        if trait.startswith("cue"):
            return words.cues
        return self.texts if "text" in trait else self.sorts if "sort" in trait else FEW[trait]


FEW: Mapping[str, Vocabulary] = MappingProxyType(
    {
        "role": Vocabulary(ROLES),
        "title": Vocabulary(YES_NO),
        "times": Vocabulary(TIMES),
        "brackets": Vocabulary(YES_NO),
        "near before": Vocabulary(YES_NO),
        "near behind": Vocabulary(YES_NO),
    }
)
"""Vocabularies that are the same for every table of weights."""


@dataclass(frozen=True, slots=True)
class TokenTraits:
    """All tokens of an article, sentence behind sentence, with edges between them."""

    words: Numbers
    sentences: Sequence[tuple[Sentence, int]]
    """And where its first token stands."""
    traits: Mapping[str, Numbers]
    """For each trait the number of its text at each token."""


def token_traits(document: Document, words: Words, sorts: Vocabulary) -> TokenTraits:
    """The traits of every token."""
    numbers: list[int] = list(EDGES)
    sentences: list[tuple[Sentence, int]] = []
    roles: list[int] = []
    for order, sentence in enumerate(document.all_sentences):
        text, start = sentence.text, sentence.start
        sentences.append((sentence, len(numbers)))
        numbers += words.numbers([text[first - start : after - start] for first, after, _ in sentence.all_tokens])
        numbers += EDGES
        role = "title" if order == 0 else sentence.role or "unlabelled"
        roles += [FEW["role"].number(role)] * (len(numbers) - len(roles))
    each = np.array(numbers, dtype=np.int32)
    starts = [start for _, start in sentences]
    behind = [*starts[1:], len(numbers)]
    lengths = np.diff([0, *behind])
    first, after = np.repeat(starts, lengths), np.repeat(behind, lengths) - len(EDGES)
    columns = words.columns[each]
    traits = {name: columns[:, column(name)] for name in ("text", "sort")}
    traits |= {"next text": shifted(traits["text"], -1), "next sort": shifted(traits["sort"], -1)}
    traits |= {"text before": shifted(traits["text"], 1), "role": np.array(roles, dtype=np.int32)}
    traits |= article_traits(document, words, each, sentences, sorts)
    traits["brackets"] = 1 + within_brackets(columns[:, column("opens")], columns[:, column("closes")], first)
    traits |= cue_traits(columns[:, column("cue")], first, after)
    return TokenTraits(each, sentences, traits)


def shifted(numbers: Numbers, by: int) -> Numbers:
    """The same, so many tokens later."""
    found = np.zeros_like(numbers)
    if by > 0:
        found[by:] = numbers[:-by]
    else:
        found[:by] = numbers[-by:]
    return found


def within_brackets(opens: Numbers, closes: Numbers, first: Numbers) -> Numbers:
    """Whether each token is within a bracket of its sentence; the brackets themselves are."""
    opened, closed = np.cumsum(opens), np.cumsum(closes)
    depth = (opened - (opened - opens)[first]) - (closed - closes - (closed - closes)[first])
    return (depth > 0).astype(np.int32)


def cue_traits(cues: Numbers, first: Numbers, after: Numbers) -> dict[str, Numbers]:
    """The nearest cue of the sentence before and behind each token, as far as it is near enough."""
    at = np.arange(len(cues))
    last = np.maximum.accumulate(np.where(cues > 0, at, -1))
    before = np.concatenate([[-1], last[:-1]])
    nearest = np.minimum.accumulate(np.where(cues > 0, at, len(cues))[::-1])[::-1]
    behind = np.concatenate([nearest[1:], [len(cues)]])
    is_before = (before >= first) & (at - before <= FAR_BEFORE)
    is_behind = (behind < after) & (behind - at <= FAR_BEHIND)
    found = {
        "cue before": np.where(is_before, cues[before], 0),
        "near before": np.where(is_before, 1 + (at - before <= NEAR), 0),
        "cue behind": np.where(is_behind, cues[np.minimum(behind, len(cues) - 1)], 0),
        "near behind": np.where(is_behind, 1 + (behind - at <= NEAR), 0),
    }
    return {name: numbers.astype(np.int32) for name, numbers in found.items()}


def article_traits(
    document: Document, words: Words, each: Numbers, sentences: Sequence[tuple[Sentence, int]], sorts: Vocabulary
) -> dict[str, Numbers]:
    """Whether the title has a word, how often the article does, and its kind; a short form is read as its long one."""
    columns = words.columns[each]
    stems, shown = columns[:, column("stem")], columns[:, column("sort")].copy()
    behind_title = sentences[1][1] if len(sentences) > 1 else len(each)
    title = zip(each[:behind_title].tolist(), stems[:behind_title].tolist(), strict=True)
    titled = {stem for number, stem in title if len(words.known[number].text) >= FEWEST_LETTERS}
    is_of_title = np.zeros(words.stem_count, dtype=bool)
    is_of_title[list(titled)] = True
    is_titled = is_of_title[stems]
    for short, long in document.once(long_forms).items():
        head = long.text.split()[-1].lower()
        one, several = words.numbers((short, f"{short}s"))
        is_short = (each == one) | (each == several)
        shown[is_short] = sorts.number(f"short {sort_of(head)}")
        if words.stem_number(stem(head)) in titled:
            is_titled |= is_short
    times = np.bincount(stems, minlength=1)[stems]
    return {
        "title": (1 + is_titled).astype(np.int32),
        "times": np.minimum(times, len(TIMES)).astype(np.int32),
        "shown sort": shown,
    }


def token_signs(article: TokenTraits, words: Words, vocabularies: Vocabularies, at: int) -> Iterator[str]:
    """All signs of the token at a place, as the table of weights names them."""
    for family, places in WORD_FAMILIES.items():
        for place in places:
            if text := signs_of(words.known[article.words[at + place]]).get(family):
                yield f"{family}|{place}|{text}"
    for name, (trait, other, places) in FAMILIES.items():
        first, second = vocabularies.of(trait, words).texts, vocabularies.of(other, words).texts
        for place in places:
            one, two = int(article.traits[trait][at + place]), int(article.traits[other][at + place])
            if one and two:
                yield f"{name}|{place}|{first[one]}|{second[two]}"
