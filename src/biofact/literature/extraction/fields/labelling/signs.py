"""The signs by which a token shows which field it may belong to.

A sign is a family, a place, and one or two texts: ``texts|-1|breast|cancer`` is of a token that follows "breast" and is
"cancer". Families of words are known from each word alone; the others need the sentence or the article.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.phrases import is_disease_noun, is_treatment_noun
from biofact.literature.extraction.text.vocabulary import (
    ANIMALS,
    AUXILIARIES,
    DETERMINERS,
    FINITE,
    PEOPLE,
    PREPOSITIONS,
    stem,
    words,
)

MEASURE = re.compile(
    r"(?:mortality|survival|incidence|prevalence|rates?|risks?|scores?|levels?|quality|time|severity|recurrence"
    r"|outcomes?|function|expression|activity|concentrations?|pressure|efficacy|effectiveness|safety|adherence"
    r"|satisfaction|accuracy|symptoms?|knowledge|attitudes|perceptions|performance|growth|response|progression|index"
    r"|volume|density|weight|intake|duration|frequency|complications?|events?|deaths?|remission|failure|success|length"
    r"|stay|healing|sensitivity|specificity|burden|costs?|prognosis|proliferation|apoptosis)"
)
"""As in: a word such as mortality."""
GENERAL = re.compile(
    r"(?:stud(?:y|ies)|trials?|reviews?|analys[ei]s|data|methods?|results?|literature|hypothesis|groups?|evidence"
    r"|effects?|roles?|impact|purpose|aims?|objectives?|use|patients|model|approach|months?|years?|weeks?|days?"
    r"|baseline|findings?|p|n|age|mean|median|significance|comparison|differences?)"
)
"""As in: a word such as baseline."""
CONTROL = words(
    "lowest reference placebo control controls sham usual standard conventional traditional routine no without"
    " untreated healthy normal vehicle wild-type unexposed alone monotherapy waiting saline inactive lower low other"
)
"""Words of comparators: usual care, placebo."""
CUES = words(
    "primary secondary main outcome outcomes endpoint endpoints compared comparing comparison versus vs than randomized"
    " randomised randomly allocated assigned effect effects efficacy safety receive received receiving treated"
    " treatment with whether aim objective purpose impact association measured assessed evaluated evaluate assess"
    " control placebo group groups arm arms included enrolled recruited patients women men participants significant"
    " significantly difference differences higher lower increased decreased reduced improved improvement reduction"
    " increase between either after"
)
"""Words that a token is read with: the *primary outcome* was pain."""


Numbers = NDArray[np.int32]
NUMBER = "#"
"""The text of every number."""
MOST_REMEMBERED = 20_000
"""Words that are remembered; when there are more, all are forgotten."""
FEWEST_LETTERS = 4
"""The least letters of a word that is compared with those of the title."""
COLUMNS = ("text", "sort", "cue", "stem", "opens", "closes")
"""The properties of each word, as numbers."""


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


@lru_cache(maxsize=MOST_REMEMBERED)
def sort_of(text: str) -> str:
    """The kind of noun or of form word that a text is."""
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
    names = "+".join(name for name, holds in sorts if holds)
    return names or ("word" if text[:1].isalpha() else "number" if text[:1] == NUMBER else text)


def signs_of(word: Word) -> Mapping[str, str]:
    """The signs of a word, by family."""
    text = word.text
    signs = {"text": text, "sort": f"{sort_of(text)}|{'short' if word.is_short_form else ''}"}
    if text[:1].isalpha():
        signs |= {"stem": stem(text), "end": text[-3:], "ending": text[-4:], "beginning": text[:4]}
        if "-" in text or "/" in text:
            signs["part"] = re.split(r"[-/]", text)[-1]
    return MappingProxyType(signs)


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
        number = self._numbers.get(text)
        if number is None and self._grows:
            number = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return number or 0


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
        self.entries: list[Word] = []
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
        return len(self.entries) - 1

    def _add(self, word: Word) -> None:
        number = len(self.entries)
        self.entries.append(word)
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
    """The index of a column."""
    return COLUMNS.index(name)


SHORT_FORM = re.compile(r"[(\[]([A-Za-z][\w\-+/.]{1,11})(?:[;,][^()\[\]]{0,60})?[)\]]")
"""As in: hand-foot syndrome (HFS)."""
WORD = re.compile(r"\S+")
"""As in: hand-foot syndrome."""
BREAK = frozenset("()[]:;")
"""Signs that no long form contains."""
_MOST_MORE = 5
FEWEST_CAPITALS = 2


class LongForm(NamedTuple):
    """The long form of a short one, at the place where the article introduces it."""

    text: str
    sentence: Sentence
    start: int
    """In the whole title or abstract."""


def long_forms(document: Document) -> dict[str, LongForm]:
    """The long form of each short one, by the short one as it is written."""
    forms: dict[str, LongForm] = {}
    for sentence in document.all_sentences:
        for match in SHORT_FORM.finditer(sentence.text):
            short = match[1]
            is_short_form = sum(map(str.isupper, short)) >= FEWEST_CAPITALS
            long = _long_form(short, sentence, match.start()) if is_short_form else None
            if long is not None:
                forms.setdefault(short.removesuffix("s") if short[:-1].isupper() else short, long)
    return forms


def _long_form(short: str, sentence: Sentence, bracket: int) -> LongForm | None:
    """The words before the bracket, if they are the long form."""
    before = sentence.text[:bracket].rstrip()
    start = _start_of_long_form(short, before)
    return None if start is None else LongForm(before[start:], sentence, sentence.start + start)


def _start_of_long_form(short: str, before: str) -> int | None:
    letters = [letter.lower() for letter in short if letter.isalnum()]
    words = [match.start() for match in WORD.finditer(before)]
    first = words[-min(len(words), len(letters) + _MOST_MORE)] if words else 0
    position = len(before)
    for place, letter in enumerate(reversed(letters)):
        is_first = place == len(letters) - 1
        position = next(_places(before, letter, position, first, at_word=is_first), -1)
        if position < 0:
            return None
    long = before[position:]
    if not BREAK.isdisjoint(long):
        return None
    return position if " " in long or "-" in long or len(long) > 2 * len(short) else None


def _places(text: str, letter: str, end: int, first: int, *, at_word: bool) -> Iterator[int]:
    """The places of a letter, the last before ``end`` first; with ``at_word`` only beginnings of words."""
    for index in range(end - 1, first - 1, -1):
        if text[index].lower() == letter and not (at_word and index and text[index - 1].isalnum()):
            yield index


WINDOW = tuple(range(-4, 5))
PAIR = (-2, -1, 0, 1)
"""Places of the first of two adjacent words."""
SAME_PLACE = (0,)
NEIGHBOURS = (-1, 0, 1)
WORD_FAMILIES: Mapping[str, Sequence[int]] = MappingProxyType(
    {
        "text": WINDOW,
        "sort": WINDOW,
        "stem": NEIGHBOURS,
        "end": NEIGHBOURS,
        "ending": SAME_PLACE,
        "beginning": SAME_PLACE,
        "part": SAME_PLACE,
    }
)
"""The families of words by themselves, with the places at which they are read."""


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
        "role, text": Family("role", "text", SAME_PLACE),
        "role, sort": Family("role", "shown sort", SAME_PLACE),
        "role, before": Family("role", "text before", SAME_PLACE),
        "title, sort": Family("title", "shown sort", SAME_PLACE),
        "times, sort": Family("times", "shown sort", SAME_PLACE),
        "brackets, sort": Family("brackets", "shown sort", SAME_PLACE),
        "cue before": Family("cue before", "near before", SAME_PLACE),
        "cue before, sort": Family("cue before", "sort", SAME_PLACE),
        "cue before, role": Family("cue before", "role", SAME_PLACE),
        "cue behind": Family("cue behind", "near behind", SAME_PLACE),
        "cue behind, sort": Family("cue behind", "sort", SAME_PLACE),
        "cue behind, role": Family("cue behind", "role", SAME_PLACE),
    }
)
FAMILIES_BY_PLACES = tuple(
    tuple(name for name, family in FAMILIES.items() if family.places == places) for places in (PAIR, SAME_PLACE)
)
"""The names of the families that are read at the same places, together."""
FAR_BEFORE, FAR_BEHIND = 10, 6
NEAR_TOKENS = 3
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

    def vocabulary(self, trait: str, words: Words) -> Vocabulary:
        """The vocabulary of one trait."""
        if trait.startswith("cue"):
            return words.cues
        return self.texts if "text" in trait else self.sorts if "sort" in trait else SMALL_VOCABULARIES[trait]


SMALL_VOCABULARIES: Mapping[str, Vocabulary] = MappingProxyType(
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
    """Each sentence with the index of its first token."""
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
        roles += [SMALL_VOCABULARIES["role"].number(role)] * (len(numbers) - len(roles))
    word_numbers = np.array(numbers, dtype=np.int32)
    starts = [start for _, start in sentences]
    ends = [*starts[1:], len(numbers)]
    lengths = np.diff([0, *ends])
    first, after = np.repeat(starts, lengths), np.repeat(ends, lengths) - len(EDGES)
    columns = words.columns[word_numbers]
    traits = {name: columns[:, column(name)] for name in ("text", "sort")}
    traits |= {"next text": shift(traits["text"], -1), "next sort": shift(traits["sort"], -1)}
    traits |= {"text before": shift(traits["text"], 1), "role": np.array(roles, dtype=np.int32)}
    traits |= article_traits(document, words, word_numbers, sentences, sorts)
    traits["brackets"] = 1 + within_brackets(columns[:, column("opens")], columns[:, column("closes")], first)
    traits |= cue_traits(columns[:, column("cue")], first, after)
    return TokenTraits(word_numbers, sentences, traits)


def shift(numbers: Numbers, distance: int) -> Numbers:
    """The numbers moved by this distance, with 0 at the free end."""
    result = np.zeros_like(numbers)
    if distance > 0:
        result[distance:] = numbers[:-distance]
    else:
        result[:distance] = numbers[-distance:]
    return result


def within_brackets(opens: Numbers, closes: Numbers, first: Numbers) -> Numbers:
    """Whether each token is within a bracket of its sentence; the brackets themselves are."""
    open_count, close_count = np.cumsum(opens), np.cumsum(closes)
    depth = (open_count - (open_count - opens)[first]) - (close_count - closes - (close_count - closes)[first])
    return (depth > 0).astype(np.int32)


def cue_traits(cues: Numbers, first: Numbers, after: Numbers) -> dict[str, Numbers]:
    """The nearest cue of the sentence before and behind each token, as far as it is near enough."""
    index = np.arange(len(cues))
    # the place of the last cue up to each token; below, of the first one from it on
    last = np.maximum.accumulate(np.where(cues > 0, index, -1))
    previous_cue = np.concatenate([[-1], last[:-1]])
    nearest = np.minimum.accumulate(np.where(cues > 0, index, len(cues))[::-1])[::-1]
    next_cue = np.concatenate([nearest[1:], [len(cues)]])
    is_before = (previous_cue >= first) & (index - previous_cue <= FAR_BEFORE)
    is_behind = (next_cue < after) & (next_cue - index <= FAR_BEHIND)
    traits = {
        "cue before": np.where(is_before, cues[previous_cue], 0),
        "near before": np.where(is_before, 1 + (index - previous_cue <= NEAR_TOKENS), 0),
        "cue behind": np.where(is_behind, cues[np.minimum(next_cue, len(cues) - 1)], 0),
        "near behind": np.where(is_behind, 1 + (next_cue - index <= NEAR_TOKENS), 0),
    }
    return {name: numbers.astype(np.int32) for name, numbers in traits.items()}


def article_traits(
    document: Document,
    words: Words,
    word_numbers: Numbers,
    sentences: Sequence[tuple[Sentence, int]],
    sorts: Vocabulary,
) -> dict[str, Numbers]:
    """Whether the title has a word, how often the article does, and its kind; a short form is read as its long one."""
    columns = words.columns[word_numbers]
    stems, shown_sorts = columns[:, column("stem")], columns[:, column("sort")].copy()
    behind_title = sentences[1][1] if len(sentences) > 1 else len(word_numbers)
    title = zip(word_numbers[:behind_title].tolist(), stems[:behind_title].tolist(), strict=True)
    title_stems = {stem for number, stem in title if len(words.entries[number].text) >= FEWEST_LETTERS}
    is_of_title = np.zeros(words.stem_count, dtype=bool)
    is_of_title[list(title_stems)] = True
    is_titled = is_of_title[stems]
    for short, long in document.cached(long_forms).items():
        head = long.text.split()[-1].lower()
        singular, plural = words.numbers((short, f"{short}s"))
        is_short = (word_numbers == singular) | (word_numbers == plural)
        shown_sorts[is_short] = sorts.number(f"short {sort_of(head)}")
        if words.stem_number(stem(head)) in title_stems:
            is_titled |= is_short
    times = np.bincount(stems, minlength=1)[stems]
    return {
        "title": (1 + is_titled).astype(np.int32),
        "times": np.minimum(times, len(TIMES)).astype(np.int32),
        "shown sort": shown_sorts,
    }


def token_signs(article: TokenTraits, words: Words, vocabularies: Vocabularies, index: int) -> Iterator[str]:
    """All signs of the token at a place, as the table of weights names them."""
    for family, places in WORD_FAMILIES.items():
        for place in places:
            if text := signs_of(words.entries[article.words[index + place]]).get(family):
                yield f"{family}|{place}|{text}"
    for name, (trait, other, places) in FAMILIES.items():
        first, second = vocabularies.vocabulary(trait, words).texts, vocabularies.vocabulary(other, words).texts
        for place in places:
            first_number, second_number = (
                int(article.traits[trait][index + place]),
                int(article.traits[other][index + place]),
            )
            if first_number and second_number:
                yield f"{name}|{place}|{first[first_number]}|{second[second_number]}"
