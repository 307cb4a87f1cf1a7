"""The population by wording: mentions of people or animals, and which of them names the subjects."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from biofact.literature.extraction.fields.sample_size_rules import sample_size
from biofact.literature.extraction.fields.study_type import OBSERVED, SYNTHESES, TRIALS, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.counts import PERCENT_AFTER, RATE_DENOMINATOR
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.numbers import SCALES, below_hundred, whole_number
from biofact.literature.extraction.text.phrases import diseases, head_of, phrase, phrase_end, phrase_from
from biofact.literature.extraction.text.vocabulary import (
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

MOST_PREMODIFIERS = 6
ANIMAL_MODEL = frozenset(("model", "models"))
"""Nouns of animal models: a mouse model."""
SPECIES = words("mouse rat murine rabbit porcine canine ovine bovine feline primate monkey pig dog cat sheep hamster")
"""Words before such a model: a murine model."""
FOLLOWING = words(
    "with who undergoing receiving aged affected suffering diagnosed presenting having without admitted"
    " treated hospitalized hospitalised living over under taking lacking requiring attending referred exposed"
    " infected scheduled experiencing from in on at of older younger starting awaiting initiating seeking using"
    " born seen deficient subjected fed bearing carrying expressing nearing and whose ≥ > being not"
)
"""Words behind the noun that begin an addition: women *with* asthma."""
NOT_DISTINGUISHING = words(
    "consecutive eligible suitable other remaining total study enrolled selected more additional such new"
    " individual human unrelated trial"
)
"""Words before the noun that distinguish no subjects from others: eligible patients."""
DISTINGUISHING_WORDS = FOLLOWING - words("in on at of from and using")
"""Words that begin an addition which distinguishes subjects from others: women *undergoing* surgery."""
PART = re.compile(r"\b(?:group|groups|arm|arms|each|both|respectively)\b")
"""As in: 20 patients in each group."""
ALLOCATION_STEMS = ("random", "divided", "assigned", "allocated", "included", "enrolled", "recruited", "studied")
"""Words after ``who`` for the allocation, which is no trait of the subjects: patients who were *randomized*."""
MONTHS = words("january february march april june july august september october november december")
"""Months, at which a phrase ends: patients seen in *March*."""
WITHIN_STOPS = (CLAUSE_END | MONTHS | words("were was had showed received is are")) - frozenset(
    ("who", "whose", "had", "underwent", "received")
)
"""Words at which an addition ends: women with asthma *were* enrolled."""
NEXT_THEY = words("provided completed participated reported gave took")
"""Verbs of what the subjects did in the study: patients who *completed* it."""
PAST_VERBS = NEXT_THEY | words("had underwent received later")
"""Words for what happened to the subjects; after ``who`` they end no phrase."""
NOT_DISTINGUISHING_END = re.compile(
    r" (?:of any age|of (?:either|both) (?:sex|gender)|with an? (?:mean|median) age|in (?:the|this|our) (?:study"
    r"|field|trial)|who (?:completed|participated|took part))\b"
)
"""Additions that distinguish no subjects from others. As in: patients who participated."""
NEVER_HEADS = frozenset(("case", "patient's", "patients'", "children's", "child's"))
"""Words that name no subjects: the patient's view."""
KEY_ROLES = words("central key major important main crucial critical")
"""A gene can be a key player."""
MOST_COUNT_WORDS = 6
"""Words of a number before the phrase: one hundred and forty consecutive patients."""
MOST_AFTER_WHO, MOST_AFTER = 9, 12
"""Words that belong to a phrase after ``who``, and after words such as ``with``."""

MENTION_BY_ROLE = {
    "title": 7,
    "objective": 3,
    "methods": 3,
    "participants": 5,
    "results": -1,
    "background": -2,
    "conclusions": 0,
}
"""Points for the section of a mention: some name the subjects more readily."""
ROLE_UNKNOWN = 1
"""For a sentence of an abstract without labels."""
COUNT_BONUS = 3
"""For a count in front: 120 women with asthma."""
DETAIL_BONUS = 2
"""For what follows: women with asthma."""
BARE_PENALTY = 1
"""For a noun alone: women."""
PREMODIFIER_BONUS = 1
"""For a premodifier: pregnant women."""
PART_PENALTY = 4
"""For a group of them: 20 patients in each group."""
CONTROL_PENALTY = 5
"""For those who are compared with: healthy volunteers."""
SHARE_PENALTY = 4
"""For a part in per cent: 30 patients (25%)."""
OTHERS_PENALTY = 2
"""For others, or some only: most patients, of patients with asthma."""
POSSESSIVE_PENALTY = 2
"""For those whose thing is meant: patients' knowledge."""
RATE_PENALTY = 5
"""For a rate: 12 cases per 1000 people."""
UNBORN_PENALTY = 4
"""For pregnancies and fetuses, which are counted besides women: 150 pregnancies."""
EXCLUDED_PENALTY = 6
"""For those left out: excluding patients with diabetes."""
VAGUE_PENALTY = 4
"""For an addition that distinguishes no subjects: patients who participated."""


class Mention(NamedTuple):
    """Subjects as a sentence names them."""

    score: int
    sentence: Sentence
    first: int
    """Index of the phrase's first token."""
    after: int
    stated_count: int
    """The count in front; 0 where there is none."""


def all_mentions(document: Document, heads: frozenset[str]) -> Iterator[Mention]:
    """Every mention of subjects in the article."""
    for sentence in document.all_sentences:
        if sentence.role != "limitations":
            yield from mentions_in(sentence, heads)


def mentions_in(sentence: Sentence, heads: frozenset[str]) -> Iterator[Mention]:
    """The mentions of one sentence."""
    tokens = sentence.tokens
    next_index = 0
    for index in range(len(tokens)):
        if index < next_index or not is_head(sentence, index, heads):
            continue
        first, count = first_of(sentence, index)
        after = after_of(sentence, index)
        next_index = after
        has_detail = index + 1 < len(tokens) and tokens[index + 1].word in DISTINGUISHING_WORDS and after > index + 2
        is_bare = after == index + 1 and not any(is_distinguishing(token.word) for token in tokens[first:index])
        # patients alone could be any; mice are the subjects
        if not has_detail and is_bare and heads is not ANIMALS:
            continue
        score = mention_score(sentence, first, index, after) + COUNT_BONUS * bool(count) + DETAIL_BONUS * has_detail
        score -= BARE_PENALTY * is_bare
        yield Mention(score, sentence, first, after, count)


def is_distinguishing(word: str) -> bool:
    """Whether a word before the noun distinguishes the subjects from others."""
    return word[0].isalpha() and word not in NOT_DISTINGUISHING and below_hundred(word) is None and word not in SCALES


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
    if (word == "players" and before in KEY_ROLES) or (word == "subject" and following == "of"):
        return False
    return noun not in SINGULAR or ("-" not in word and is_alone)


def first_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """The index of the phrase's first token, and the count in front; 0 for none."""
    tokens = sentence.tokens
    first = index
    while first > 0 and index - first < MOST_PREMODIFIERS and is_premodifier(sentence, first - 1, first):
        first -= 1
    if first < index and tokens[first].word in ("and", "or", ","):
        first += 1
    for start in range(max(0, first - MOST_COUNT_WORDS), index):
        number = whole_number(tokens, start)
        if number and first <= number[1] <= index and number[0] > 1:
            return start, number[0]
    is_aged = tokens[first].word.endswith("-old") and first > 1 and tokens[first - 2].word[0].isdigit()
    return (first - 2 if is_aged else first), 0  # 6-year-old children


def is_premodifier(sentence: Sentence, index: int, following: int) -> bool:
    """Whether the token before belongs to the phrase."""
    tokens = sentence.tokens
    word = tokens[index].word
    if word in ("and", "or", ","):
        before = tokens[index - 1].word if index > 0 else ""
        return bool(ADJECTIVE.search(before)) and before not in NO_PREMODIFIER
    if word == "%" or word in HARD_END or word in NO_PREMODIFIER:
        return False
    return word[0].isalnum() and following > 0 and not word.endswith("%")


def after_of(sentence: Sentence, index: int) -> int:
    """The index after the phrase, including what distinguishes the subjects."""
    tokens = sentence.tokens
    after = index + 1
    if [token.word for token in tokens[after : after + 2]] == [",", "aged"]:
        after += 1
    if after < len(tokens) and (tokens[after].word in FOLLOWING or tokens[after].word[0].isdigit()):
        # patients ≥ 65 years
        if tokens[after].word in {"≥", ">"}:
            return min(len(tokens), after + 3)
        if tokens[after].word == "who" and any(
            token.word.startswith(ALLOCATION_STEMS) for token in tokens[after + 1 : after + 4]
        ):
            return after
        if tokens[after].word == "who":
            start = min(len(tokens), after + 3)
            return phrase_end(tokens, start, stops=WITHIN_STOPS | NEXT_THEY, most_words=MOST_AFTER_WHO)
        if tokens[after].word == "and" and not any(
            head_of(token.word) in PEOPLE for token in tokens[after : after + 4]
        ):
            return after
        return phrase_end(tokens, after, stops=WITHIN_STOPS | PAST_VERBS, most_words=MOST_AFTER)
    return after


def mention_score(sentence: Sentence, first: int, index: int, after: int) -> int:
    """The points of a mention for naming the study's subjects."""
    tokens = sentence.tokens
    score = MENTION_BY_ROLE.get(sentence.role, ROLE_UNKNOWN)
    text = " ".join(token.word for token in tokens[first:after])
    score -= PART_PENALTY * bool(PART.search(text))
    is_control = tokens[index].word == "controls" or any(word in text for word in ("healthy", "normal", "volunteers"))
    score -= CONTROL_PENALTY * is_control
    score -= SHARE_PENALTY * bool(PERCENT_AFTER.match(sentence.whole, tokens[index].end, sentence.end))
    before = tokens[first - 1].word if first > 0 else ""
    is_of_others = before in {"most", "many", "these", "those", "some", "of"} and sentence.role != "title"
    score -= OTHERS_PENALTY * is_of_others
    score -= POSSESSIVE_PENALTY * (tokens[index].word.endswith(("'s", "s'", "\u2019s", "s\u2019")))
    is_rate = before in {"per", "every"} or RATE_DENOMINATOR.fullmatch(tokens[first].word)
    score -= RATE_PENALTY * bool(is_rate)
    score -= UNBORN_PENALTY * (tokens[index].word in {"pregnancies", "fetuses"})
    score -= EXCLUDED_PENALTY * before.startswith("exclud")
    score -= VAGUE_PENALTY * bool(NOT_DISTINGUISHING_END.search(text))
    return score + PREMODIFIER_BONUS * (first < index)


MIN_SCORE = 2
"""The least score of a mention."""
TITLE_EXCESS = 3
"""Points more that a review's title needs: it rarely names subjects."""
WHOLE_STUDY_BONUS = 3
"""For those counted as the whole study, who go before its parts."""
MOST_DISEASE_WORDS = 8
KINDS_WITH_PEOPLE = (TRIALS | SYNTHESES | OBSERVED | {"case report", "qualitative study"}) - {"mendelian randomization"}
"""Kinds of study that have people as subjects."""
WITH_CASES = frozenset(("case-control study", "case series", "observational study", "cohort study"))
"""Kinds of study in which cases are subjects."""
WITH_PROFESSIONALS = frozenset(("cross-sectional study", "qualitative study", "observational study"))
"""Kinds of study in which professionals are subjects: 40 nurses."""
DISEASE = re.compile(r"(?i)\b(?:treatment|management|therapy) (?:of|for|in) ")
"""As in: treatment of asthma."""
CASE_OF = re.compile(r"(?i)\b(?:a|the|this|our|rare|unusual|unique|first|one) (?:[\w-]+ ){0,2}?cases? (?:of|with) ")
"""As in: a rare case of sarcoma."""
MAY_GET = re.compile(
    r"(?i)\b(?:risks?|incidence|prevalence|onset|development|prevention|associated with|screening"
    r"|predict\w*)(?: \w+){0,2}\W*$"
)
"""As in: the risk of."""
CASE_VERBS = words("presented presenting admitted referred developed")
"""Verbs at which the description of a patient ends: a man *presented* with fever."""
ONE_PERSON = re.compile(
    r"(?i)\b(?:an?|our|one) (?P<x>(?:(?!case\b|report\b|history\b)[a-z-]+ ){1,3}?(?:patient|man|woman|boy|girl|infant"
    r"|child|male|female|neonate)) (?:with|who|presented|was|had|developed|on)\b"
)
"""As in: a young woman with fever."""
OLD = re.compile(r"(?i)\b(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b")
"""As in: a 45-year-old man."""


def population(document: Document) -> Finding | None:
    """The fullest mention of the subjects; title and counted subjects first."""
    name = kind_of(document)
    if name == "case report" and (finding := case_patient(document)):
        return finding
    size = document.cached(sample_size)
    total = size.value if size else None
    mentions = [mention for mention in candidates(document, name) if mention.score >= MIN_SCORE]
    for mention in sorted(
        mentions, key=lambda mention: -mention.score - WHOLE_STUDY_BONUS * (mention.stated_count == total)
    ):
        if finding := phrase(mention.sentence, mention.first, mention.after):
            return finding
    healthy = next((mention for mention in candidates(document, name) if is_healthy(mention)), None)
    if healthy:
        return phrase(healthy.sentence, healthy.first, healthy.after)
    return disease_of_subjects(document, name) if name in KINDS_WITH_PEOPLE | {"guideline"} else None


def is_healthy(mention: Mention) -> bool:
    """Whether the subjects are healthy people, rather than controls of a patient group."""
    words = [token.word for token in mention.sentence.tokens[mention.first : mention.after]]
    return "healthy" in words and "controls" not in words and mention.sentence.role not in {"background", "conclusions"}


def candidates(document: Document, kind: str) -> Iterator[Mention]:
    """The mentions that can be those of the subjects of such a study."""
    if kind == "animal study":
        yield from all_mentions(document, ANIMALS)
    elif kind == "in vitro study":
        yield from mentions_in(document.title, ANIMALS)
    elif kind in KINDS_WITH_PEOPLE:
        heads = PEOPLE | CASES if kind in WITH_CASES else PEOPLE
        yield from all_mentions(document, heads | PROFESSIONALS if kind in WITH_PROFESSIONALS else heads)
    elif kind in {"review", "guideline"}:
        yield from (
            mention for mention in mentions_in(document.title, PEOPLE) if mention.score > MIN_SCORE + TITLE_EXCESS
        )


def disease_of_subjects(document: Document, kind: str) -> Finding | None:
    """The disease of the subjects, where the title names no people."""
    match = DISEASE.search(document.title.plain) if kind in SYNTHESES | TRIALS else None
    if match:
        return phrase_from(
            document.title, match.end(), stops=WITHIN_STOPS | {"with", "after", "in"}, most_words=MOST_DISEASE_WORDS
        )
    for finding in diseases(document.title):
        # a disease that the subjects may get is a result, no trait of theirs
        if not MAY_GET.search(document.title.plain[: finding.evidence[0].start]):
            return finding
    return None


def case_patient(document: Document) -> Finding | None:
    """The one patient of a case report: by age, in the title, or by the disease of the case."""
    # the background comes last: it may mention other patients
    for sentence in sorted(document.all_sentences, key=lambda sentence: sentence.role == "background"):
        if match := OLD.search(sentence.plain):
            return phrase_from(sentence, match.start(), stops=WITHIN_STOPS | CASE_VERBS)
    titled_mention = max(mentions_in(document.title, PEOPLE), default=None, key=lambda mention: mention.score)
    if titled_mention and titled_mention.score >= MIN_SCORE:
        return phrase(titled_mention.sentence, titled_mention.first, titled_mention.after)
    for sentence in document.all_sentences:
        if match := CASE_OF.search(sentence.plain):
            return phrase_from(sentence, match.end())
        if sentence.role != "background" and (match := ONE_PERSON.search(sentence.plain)):
            return phrase_from(sentence, match.start("x"), stops=WITHIN_STOPS | CASE_VERBS)
    return None
