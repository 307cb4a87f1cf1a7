"""Who was studied, as a short phrase of the text."""

import re
from collections.abc import Iterator

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.kinds_of_noun import diseases
from biofact.literature.extraction.rules.mentions import WITHIN_STOPS, Mention, all_mentions, mentions_in
from biofact.literature.extraction.rules.phrases import phrase, phrase_from
from biofact.literature.extraction.rules.sample_size import sample_size
from biofact.literature.extraction.rules.study_type import kind_of
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import ANIMALS, CASES, PEOPLE, PROFESSIONALS, words

ENOUGH = 2
"""Of the score of a mention."""
TITLE_EXCESS = 3
"""How much more a review's title must say: it seldom names subjects."""
WHOLE_STUDY_BONUS = 3
"""For those counted as the whole study, who go before its parts."""
MOST_DISEASE_WORDS = 8
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
SYNTHESES_AND_TRIALS = frozenset(
    ("randomized controlled trial", "clinical trial", "meta-analysis", "systematic review", "protocol")
)
DISEASE = re.compile(r"(?i)\b(?:treatment|management|therapy) (?:of|for|in) ")
"""As in: treatment of asthma."""
CASE_OF = re.compile(r"(?i)\b(?:a|the|this|our|rare|unusual|unique|first|one) (?:[\w-]+ ){0,2}?cases? (?:of|with) ")
"""As in: a rare case of sarcoma."""
MAY_GET = re.compile(
    r"(?i)\b(?:risks?|incidence|prevalence|onset|development|prevention|associated with|screening"
    r"|predict\w*)(?: \w+){0,2}\W*$"
)
"""As in: the risk of."""
SEEN = words("presented presenting admitted referred developed")
ONE_PERSON = re.compile(
    r"(?i)\b(?:an?|our|one) (?P<x>(?:(?!case\b|report\b|history\b)[a-z-]+ ){1,3}?(?:patient|man|woman|boy|girl|infant"
    r"|child|male"
    r"|female|neonate)) (?:with|who|presented|was|had|developed|on)\b"
)
"""As in: a young woman with fever."""
OLD = re.compile(r"(?i)\b(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b")
"""As in: a 45-year-old man."""


def population(document: Document) -> Finding | None:
    """The fullest mention of the subjects; title and counted subjects first."""
    name = kind_of(document)
    if name == "case report" and (finding := case(document)):
        return finding
    size = document.once(sample_size)
    total = size.value if size else None
    mentions = [each for each in candidates(document, name) if each.score >= ENOUGH]
    for mention in sorted(mentions, key=lambda each: -each.score - WHOLE_STUDY_BONUS * (each.many == total)):
        if finding := phrase(mention.sentence, mention.first, mention.after):
            return finding
    healthy = next((each for each in candidates(document, name) if is_healthy(each)), None)
    if healthy:
        return phrase(healthy.sentence, healthy.first, healthy.after)
    return disease_of_subjects(document, name) if name in READ_IN | {"guideline"} else None


def is_healthy(mention: Mention) -> bool:
    """Whether the subjects are healthy people, rather than controls of a patient group."""
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
        yield from (mention for mention in mentions_in(document.title, PEOPLE) if mention.score > ENOUGH + TITLE_EXCESS)


def disease_of_subjects(document: Document, kind: str) -> Finding | None:
    """The disease of the subjects, where the title names no people."""
    match = DISEASE.search(document.title.plain) if kind in SYNTHESES_AND_TRIALS else None
    if match:
        return phrase_from(
            document.title, match.end(), stops=WITHIN_STOPS | {"with", "after", "in"}, most_words=MOST_DISEASE_WORDS
        )
    titled = (finding for finding in diseases(document.title) if not is_result(document.title, finding))
    return next(titled, None)


def is_result(title: Sentence, found: Finding) -> bool:
    """Whether a disease is what they may get, not what they have."""
    return bool(MAY_GET.search(title.plain[: found.evidence[0].start]))


def case(document: Document) -> Finding | None:
    """The one patient of a case report: by age, by what it is a case of, or in the title."""
    # the background comes last: it may mention other patients
    for sentence in sorted(document.all_sentences, key=lambda each: each.role == "background"):
        if match := OLD.search(sentence.plain):
            return phrase_from(
                sentence,
                match.start(),
                stops=WITHIN_STOPS | SEEN,
            )
    titled = max(mentions_in(document.title, PEOPLE), default=None, key=lambda mention: mention.score)
    if titled and titled.score >= ENOUGH:
        return phrase(titled.sentence, titled.first, titled.after)
    for sentence in document.all_sentences:
        if match := CASE_OF.search(sentence.plain):
            return phrase_from(sentence, match.end())
        if sentence.role != "background" and (match := ONE_PERSON.search(sentence.plain)):
            return phrase_from(sentence, match.start("x"), stops=WITHIN_STOPS | SEEN)
    return None
