"""Who was studied, as a short phrase of the text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.counting import PERCENT_AFTER
from biofact.literature.extraction.rules.numbers import SCALES, below_hundred, whole_number
from biofact.literature.extraction.rules.phrases import head_of, phrase, phrase_end, phrase_from
from biofact.literature.extraction.rules.study_type import study_type
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import (
    ADJECTIVE,
    ANIMALS,
    CASES,
    CLAUSE_END,
    HARD_END,
    NO_PREMODIFIER,
    PEOPLE,
    PROFESSIONALS,
    SINGULAR,
    words,
)

ENOUGH = 2
MOST_PREMODIFIERS = 6

READ_IN = frozenset(
    (
        "randomized controlled trial", "clinical trial", "meta-analysis", "systematic review", "cohort study",
        "case-control study", "cross-sectional study", "case report", "case series", "observational study",
        "qualitative study", "diagnostic study", "genetic association study", "protocol",
    )
)  # fmt: skip
"""Kinds of study that have people as subjects."""
WITH_CASES = frozenset(("case-control study", "case series", "observational study", "cohort study"))
WITH_PROFESSIONALS = frozenset(("cross-sectional study", "qualitative study", "observational study"))
ANIMAL_MODEL = frozenset(("model", "models"))
SPECIES = words(
    "mouse rat murine rabbit porcine canine ovine bovine feline primate zebrafish monkey pig dog cat sheep hamster"
)
VAGUE = words(
    "subject subjects individual individuals people person persons participants participant male males female females"
)
FOLLOWING = words(
    "with who undergoing receiving aged affected suffering diagnosed presenting having without admitted"
    " treated hospitalized hospitalised living over under taking lacking requiring attending referred exposed"
    " infected scheduled experiencing from in on at of older younger starting awaiting initiating seeking using"
    " born seen deficient subjected fed bearing carrying expressing nearing and whose ≥ > being not"
)
UNTELLING = words(
    "consecutive eligible suitable other remaining total study enrolled selected more additional such new"
    " individual human unrelated"
)
TELLING = FOLLOWING - words("in on at of from and using")
PART = re.compile(r"\b(?:group|groups|arm|arms|each|both|respectively)\b")
ASSIGNED = ("random", "divided", "assigned", "allocated", "included", "enrolled", "recruited", "studied")
MONTHS = words("january february march april june july august september october november december")
WITHIN_STOPS = (CLAUSE_END | MONTHS | words("were was had showed received is are")) - frozenset(
    ("who", "whose", "had", "underwent", "received")
)
PAST = words("had underwent received")
"""What comes after ``who`` goes on with the phrase, else it is what happened to them."""
SYNTHESES_AND_TRIALS = frozenset(
    ("randomized controlled trial", "clinical trial", "meta-analysis", "systematic review", "protocol")
)
DISEASE = re.compile(r"\b(?:treatment|management|therapy) (?:of|for|in) ", re.IGNORECASE)
CASE_OF = re.compile(
    r"\b(?:a|the|this|our|rare|unusual|unique|first|one) (?:[\w-]+ ){0,2}?cases? (?:of|with) ", re.IGNORECASE
)
RATE = re.compile(r"10{2,6}|10,000|100,000|1,000,000")
"""Cases in 1000 people are nobody's sample."""
OLD = re.compile(r"\b(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b", re.IGNORECASE)


class Mention(NamedTuple):
    """Subjects as a sentence names them."""

    score: int
    sentence: Sentence
    first: int
    """Index of the phrase's first token."""
    after: int


def population(document: Document) -> Finding | None:
    """The fullest mention of the subjects; title and counted subjects first."""
    kind = document.once(study_type)
    name = str(kind.value) if kind else ""
    if name == "case report" and (found := case(document)):
        return found
    mentions = sorted(candidates(document, name), key=lambda each: -each.score)
    for mention in mentions:
        if mention.score >= ENOUGH and (found := phrase(mention.sentence, mention.first, mention.after)):
            return found
    return diseased(document) if name in SYNTHESES_AND_TRIALS else None


def candidates(document: Document, kind: str) -> Iterator[Mention]:
    """The mentions that can be those of the subjects of such a study."""
    if kind == "animal study":
        yield from all_mentions(document, ANIMALS)
    elif kind == "in vitro study":
        yield from mentions_in(document.title, ANIMALS)
    elif kind in READ_IN:
        heads = PEOPLE | CASES if kind in WITH_CASES else PEOPLE
        yield from all_mentions(document, heads | PROFESSIONALS if kind in WITH_PROFESSIONALS else heads)
    elif kind in {"review", "guideline"}:
        yield from (mention for mention in mentions_in(document.title, PEOPLE) if mention.score > ENOUGH + 3)


def diseased(document: Document) -> Finding | None:
    """The disease that a trial or synthesis treats, where its title names no people."""
    match = DISEASE.search(document.title.plain)
    return (
        phrase_from(document.title, match.end(), stops=WITHIN_STOPS | {"with", "after", "in"}, most_words=8)
        if match
        else None
    )


def case(document: Document) -> Finding | None:
    """The one patient of a case report: by age, by what it is a case of, or in the title."""
    for sentence in document.everything:
        if sentence.role != "background" and (match := OLD.search(sentence.plain)):
            return phrase_from(
                sentence,
                match.start(),
                stops=WITHIN_STOPS | {"presented", "presenting", "admitted", "referred", "developed"},
            )
    titled = max(mentions_in(document.title, PEOPLE), default=None, key=lambda mention: mention.score)
    if titled and titled.score >= ENOUGH:
        return phrase(titled.sentence, titled.first, titled.after)
    for sentence in document.everything:
        if match := CASE_OF.search(sentence.plain):
            return phrase_from(sentence, match.end())
    return None


def all_mentions(document: Document, heads: frozenset[str]) -> Iterator[Mention]:
    """Every mention with what tells the subjects apart from others."""
    for sentence in document.everything:
        if sentence.role != "limitations":
            yield from mentions_in(sentence, heads)


def mentions_in(sentence: Sentence, heads: frozenset[str]) -> Iterator[Mention]:
    """The mentions of one sentence."""
    tokens = sentence.tokens
    done = 0
    for index in range(len(tokens)):
        if index < done or not is_head(sentence, index, heads):
            continue
        first, counted = first_of(sentence, index)
        after = after_of(sentence, index)
        done = after
        is_told = index + 1 < len(tokens) and tokens[index + 1].word in TELLING and after > index + 2
        is_bare = after == index + 1 and not any(is_telling(each.word) for each in tokens[first:index])
        if not is_told and is_bare and heads is not ANIMALS:
            continue
        score = scored(sentence, first, index, after) + 3 * counted + 2 * is_told - is_bare
        yield Mention(score, sentence, first, after)


def is_telling(word: str) -> bool:
    """Whether a word before the noun tells the subjects apart from others."""
    return word[0].isalpha() and word not in UNTELLING and below_hundred(word) is None and word not in SCALES


def is_head(sentence: Sentence, index: int, heads: frozenset[str]) -> bool:
    """Whether a token names subjects; a mouse model is one of animals."""
    word = sentence.tokens[index].word
    if heads is ANIMALS and word in ANIMAL_MODEL and index:
        return sentence.tokens[index - 1].word in SPECIES or sentence.tokens[index - 1].word == "animal"
    following = sentence.tokens[index + 1].word if index + 1 < len(sentence.tokens) else "."
    if heads is ANIMALS and word in SPECIES:
        return following in HARD_END or following in CLAUSE_END or following in FOLLOWING
    is_noun = head_of(word) in heads
    if is_noun and head_of(word) in SINGULAR:
        return "-" not in word and (following in HARD_END or following in CLAUSE_END or following in FOLLOWING)
    return is_noun and word not in {"patient's", "patients'", "children's", "child's"}


def first_of(sentence: Sentence, index: int) -> tuple[int, bool]:
    """Where the phrase begins, and whether a count stands in front."""
    tokens = sentence.tokens
    first = index
    while first > 0 and index - first < MOST_PREMODIFIERS and is_premodifier(sentence, first - 1, first):
        first -= 1
    if first < index and tokens[first].word in ("and", "or", ","):
        first += 1
    for start in range(max(0, first - 6), index):
        read = whole_number(tokens, start)
        if read and first <= read[1] <= index and read[0] > 1:
            return start, True
    return first, False


def is_premodifier(sentence: Sentence, index: int, following: int) -> bool:
    """Whether the token before belongs to the phrase."""
    tokens = sentence.tokens
    word = tokens[index].word
    if word in ("and", "or", ","):
        return (
            index > 0
            and bool(ADJECTIVE.search(tokens[index - 1].word))
            and tokens[index - 1].word not in NO_PREMODIFIER
        )
    if word == "%" or word in HARD_END or word in NO_PREMODIFIER:
        return False
    return word[0].isalnum() and following > 0 and not word.endswith("%")


def after_of(sentence: Sentence, index: int) -> int:
    """Where the phrase ends: after what tells the subjects apart."""
    tokens = sentence.tokens
    after = index + 1
    if after < len(tokens) and (tokens[after].word in FOLLOWING or tokens[after].word[0].isdigit()):
        if tokens[after].word in {"≥", ">"}:
            return min(len(tokens), after + 3)
        if tokens[after].word == "who" and any(
            token.word.startswith(ASSIGNED) for token in tokens[after + 1 : after + 4]
        ):
            return after
        if tokens[after].word == "who":
            return phrase_end(tokens, min(len(tokens), after + 2), stops=WITHIN_STOPS, most_words=10)
        if tokens[after].word == "and" and not any(head_of(each.word) in PEOPLE for each in tokens[after : after + 4]):
            return after
        return phrase_end(tokens, after, stops=WITHIN_STOPS | PAST, most_words=12)
    return after


def scored(sentence: Sentence, first: int, index: int, after: int) -> int:
    """How likely the mention is that of the study's subjects."""
    tokens = sentence.tokens
    by_role = {
        "title": 7,
        "objective": 3,
        "methods": 3,
        "participants": 5,
        "results": -1,
        "background": -2,
        "conclusions": 0,
    }
    score = by_role.get(sentence.role, 1)
    text = " ".join(token.word for token in tokens[first:after])
    score -= 4 * bool(PART.search(text))
    score -= 5 * (tokens[index].word == "controls" or "healthy" in text or "normal" in text or "volunteers" in text)
    score -= 4 * bool(PERCENT_AFTER.match(sentence.whole, tokens[index].end, sentence.end))
    score -= 2 * (
        first > 0
        and tokens[first - 1].word in {"most", "many", "these", "those", "some", "of"}
        and sentence.role != "title"
    )
    score -= 2 * (tokens[index].word.endswith(("'s", "s'", "\u2019s", "s\u2019")))
    score -= 5 * bool(first and tokens[first - 1].word in {"per", "every"} or RATE.fullmatch(tokens[first].word))
    return score + (1 if first < index else 0)
