"""Who was studied, as a short phrase of the text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.counts import PERCENT_AFTER
from biofact.literature.extraction.rules.kinds_of_noun import diseases
from biofact.literature.extraction.rules.numbers import SCALES, below_hundred, whole_number
from biofact.literature.extraction.rules.phrases import head_of, phrase, phrase_end, phrase_from
from biofact.literature.extraction.rules.sample_size import sample_size
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
SPECIES = words("mouse rat murine rabbit porcine canine ovine bovine feline primate monkey pig dog cat sheep hamster")
FOLLOWING = words(
    "with who undergoing receiving aged affected suffering diagnosed presenting having without admitted"
    " treated hospitalized hospitalised living over under taking lacking requiring attending referred exposed"
    " infected scheduled experiencing from in on at of older younger starting awaiting initiating seeking using"
    " born seen deficient subjected fed bearing carrying expressing nearing and whose ≥ > being not"
)
UNTELLING = words(
    "consecutive eligible suitable other remaining total study enrolled selected more additional such new"
    " individual human unrelated trial"
)
TELLING = FOLLOWING - words("in on at of from and using")
PART = re.compile(r"\b(?:group|groups|arm|arms|each|both|respectively)\b")
ASSIGNED = ("random", "divided", "assigned", "allocated", "included", "enrolled", "recruited", "studied")
MONTHS = words("january february march april june july august september october november december")
WITHIN_STOPS = (CLAUSE_END | MONTHS | words("were was had showed received is are")) - frozenset(
    ("who", "whose", "had", "underwent", "received")
)
NEXT_THEY = words("provided completed participated reported gave took")
PAST = NEXT_THEY | words("had underwent received later")
"""What comes after ``who`` goes on with the phrase, else it is what happened to them."""
SYNTHESES_AND_TRIALS = frozenset(
    ("randomized controlled trial", "clinical trial", "meta-analysis", "systematic review", "protocol")
)
DISEASE = re.compile(r"\b(?:treatment|management|therapy) (?:of|for|in) ", re.IGNORECASE)
CASE_OF = re.compile(
    r"\b(?:a|the|this|our|rare|unusual|unique|first|one) (?:[\w-]+ ){0,2}?cases? (?:of|with) ", re.IGNORECASE
)
UNTELLING_END = re.compile(
    r" (?:of any age|of (?:either|both) (?:sex|gender)|with an? (?:mean|median) age|in (?:the|this|our) (?:study"
    r"|field|trial)|who (?:completed|participated|took part))\b"
)
"""What tells nobody apart."""
MAY_GET = re.compile(
    r"\b(?:risks?|incidence|prevalence|onset|development|prevention|associated with|screening"
    r"|predict\w*)(?: \w+){0,2}\W*$",
    re.IGNORECASE,
)
NEVER_HEADS = frozenset(("case", "patient's", "patients'", "children's", "child's"))
PLAYING = words("central key major important main crucial critical")
"""A gene can be a key player."""
RATE = re.compile(r"10{2,6}|10,000|100,000|1,000,000")
"""Cases in 1000 people are nobody's sample."""
SEEN = words("presented presenting admitted referred developed")
ONE_PERSON = re.compile(
    r"\b(?:an?|our|one) (?P<x>(?:(?!case\b|report\b|history\b)[a-z-]+ ){1,3}?(?:patient|man|woman|boy|girl|infant"
    r"|child|male"
    r"|female|neonate)) (?:with|who|presented|was|had|developed|on)\b",
    re.IGNORECASE,
)
OLD = re.compile(r"\b(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b", re.IGNORECASE)


class Mention(NamedTuple):
    """Subjects as a sentence names them."""

    score: int
    sentence: Sentence
    first: int
    """Index of the phrase's first token."""
    after: int
    many: int
    """How many there are said to be; 0 where that is not said."""


def population(document: Document) -> Finding | None:
    """The fullest mention of the subjects; title and counted subjects first."""
    kind = document.once(study_type)
    name = str(kind.value) if kind else ""
    if name == "case report" and (found := case(document)):
        return found
    size = document.once(sample_size)
    total = size.value if size else None
    mentions = [each for each in candidates(document, name) if each.score >= ENOUGH]
    # those counted as the whole study go before its parts
    for mention in sorted(mentions, key=lambda each: -each.score - 3 * (each.many == total)):
        if found := phrase(mention.sentence, mention.first, mention.after):
            return found
    healthy = next((each for each in candidates(document, name) if is_healthy(each)), None)
    if healthy:
        return phrase(healthy.sentence, healthy.first, healthy.after)
    return diseased(document, name) if name in READ_IN | {"guideline"} else None


def is_healthy(mention: Mention) -> bool:
    """Whether those studied are healthy people, and not somebody's controls."""
    each = [token.word for token in mention.sentence.tokens[mention.first : mention.after]]
    return "healthy" in each and "controls" not in each and mention.sentence.role not in {"background", "conclusions"}


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


def diseased(document: Document, kind: str) -> Finding | None:
    """The disease that those studied have, where the title names no people."""
    match = DISEASE.search(document.title.plain) if kind in SYNTHESES_AND_TRIALS else None
    if match:
        return phrase_from(document.title, match.end(), stops=WITHIN_STOPS | {"with", "after", "in"}, most_words=8)
    titled = (found for found in diseases(document.title) if not is_result(document.title, found))
    return next(titled, None)


def is_result(title: Sentence, found: Finding) -> bool:
    """Whether a disease is what they may get, not what they have."""
    return bool(MAY_GET.search(title.plain[: found.evidence[0].start]))


def case(document: Document) -> Finding | None:
    """The one patient of a case report: by age, by what it is a case of, or in the title."""
    # a background is read last: it may tell of others
    for sentence in sorted(document.everything, key=lambda each: each.role == "background"):
        if match := OLD.search(sentence.plain):
            return phrase_from(
                sentence,
                match.start(),
                stops=WITHIN_STOPS | SEEN,
            )
    titled = max(mentions_in(document.title, PEOPLE), default=None, key=lambda mention: mention.score)
    if titled and titled.score >= ENOUGH:
        return phrase(titled.sentence, titled.first, titled.after)
    for sentence in document.everything:
        if match := CASE_OF.search(sentence.plain):
            return phrase_from(sentence, match.end())
        if sentence.role != "background" and (match := ONE_PERSON.search(sentence.plain)):
            return phrase_from(sentence, match.start("x"), stops=WITHIN_STOPS | SEEN)
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
        score = scored(sentence, first, index, after) + 3 * bool(counted) + 2 * is_told - is_bare
        yield Mention(score, sentence, first, after, counted)


def is_telling(word: str) -> bool:
    """Whether a word before the noun tells the subjects apart from others."""
    return word[0].isalpha() and word not in UNTELLING and below_hundred(word) is None and word not in SCALES


def is_head(sentence: Sentence, index: int, heads: frozenset[str]) -> bool:
    """Whether a token names subjects; a mouse model is one of animals."""
    word = sentence.tokens[index].word
    noun = head_of(word)
    is_model = heads is ANIMALS and (word in ANIMAL_MODEL or word in SPECIES)
    if (noun not in heads and not is_model) or word in NEVER_HEADS:
        return False
    before = sentence.tokens[index - 1].word if index else ""
    if is_model and word in ANIMAL_MODEL:
        return before in SPECIES or before == "animal"
    following = sentence.tokens[index + 1].word if index + 1 < len(sentence.tokens) else "."
    is_alone = following in HARD_END or following in CLAUSE_END or following in FOLLOWING
    if is_model:
        return before in {"the", "in", "a", "adult"} and is_alone
    if (word == "players" and before in PLAYING) or (word == "subject" and following == "of"):
        return False
    return noun not in SINGULAR or ("-" not in word and is_alone)


def first_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """Where the phrase begins, and the count that stands in front; 0 for none."""
    tokens = sentence.tokens
    first = index
    while first > 0 and index - first < MOST_PREMODIFIERS and is_premodifier(sentence, first - 1, first):
        first -= 1
    if first < index and tokens[first].word in ("and", "or", ","):
        first += 1
    for start in range(max(0, first - 6), index):
        read = whole_number(tokens, start)
        if read and first <= read[1] <= index and read[0] > 1:
            return start, read[0]
    is_aged = tokens[first].word.endswith("-old") and first > 1 and tokens[first - 2].word[0].isdigit()
    return (first - 2 if is_aged else first), 0  # 6-year-old children


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
    if [token.word for token in tokens[after : after + 2]] == [",", "aged"]:
        after += 1
    if after < len(tokens) and (tokens[after].word in FOLLOWING or tokens[after].word[0].isdigit()):
        if tokens[after].word in {"≥", ">"}:
            return min(len(tokens), after + 3)
        if tokens[after].word == "who" and any(
            token.word.startswith(ASSIGNED) for token in tokens[after + 1 : after + 4]
        ):
            return after
        if tokens[after].word == "who":
            start = min(len(tokens), after + 3)
            return phrase_end(tokens, start, stops=WITHIN_STOPS | NEXT_THEY, most_words=9)
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
    score -= 5 * bool((first and tokens[first - 1].word in {"per", "every"}) or RATE.fullmatch(tokens[first].word))
    score -= 4 * (tokens[index].word in {"pregnancies", "fetuses"})
    score -= 6 * (first > 0 and tokens[first - 1].word.startswith("exclud"))
    score -= 4 * bool(UNTELLING_END.search(text))
    return score + (1 if first < index else 0)
