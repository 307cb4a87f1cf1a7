"""How many studies a review includes."""

import re
from collections.abc import Iterator

from biofact.literature.extraction.rules.counts import BEFORE_PART, IN_TOTAL, PERCENT_AFTER, ScoredCount, counted_nouns
from biofact.literature.extraction.rules.numbers import whole_number
from biofact.literature.extraction.rules.phrases import token_at
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import words
from biofact.literature.extraction.written_numbers import TENS, UNITS

STUDIES = words("studies trials rcts articles papers publications reports cohorts comparisons documents guidelines")
INCLUDED = re.compile(
    r"(?i)\b(?:includ\w+|met|fulfilled|meeting|eligible|pooled|analy[sz]ed|selected|comprising|contributed|involving"
    r"|reporting|provided|yielded|synthesi[sz]ed)\b"
)
"""As in: studies that met the criteria."""
FOUND_ONLY = re.compile(
    r"(?i)\b(?:screened|retrieved|inspected|yielded|records|potentially|full[- ]text|duplicates?|excluded|titles)\b"
)
"""As in: records were screened."""


SPELLED = "|".join(sorted((*UNITS, *TENS), key=len, reverse=True))
ELIGIBLE = re.compile(
    r"(?i)(?:\band|,|;|\bwhich|\bthese|\bthem|\bonly|\bidentified) (?P<n>\d{1,3}|(?:"
    + SPELLED
    + r")(?:-\w+)?) (?:\w+ ){0,2}?"
    r"(?:(?:were|was) (?:\w+ )?(?:eligible|suitable|included|selected|retained|analy[sz]ed)|met|fulfilled)\b"
)
"""Of 229 studies, 6 were suitable. As in: of 229 studies, 6 were suitable."""
LETTERS_BEFORE, LETTERS_BEHIND = 60, 90
"""Characters around a count that are searched for what happened to the studies."""
ELIGIBLE_SCORE = 7
"""For those that remained: of 229 studies, 6 were suitable."""
BASE_SCORE = 1
INCLUDED_BONUS = 4
"""For those that count: 12 studies were included."""
FOUND_PENALTY = 2
"""For those that were only looked at: 229 records were screened."""
TOTAL_BONUS = 2
"""For a stated total: a total of 12 trials."""
IDENTIFIED_BONUS = 1
"""We identified 12 studies."""
SHARE_PENALTY = 4
"""For a part in per cent: 3 studies (25%)."""
PART_PENALTY = 3
"""For some of them: another 3 trials."""
RESULTS_BONUS = 1
"""For the section that reports what was included."""
OF_PENALTY = 1
"""For studies of something: 3 studies of aspirin."""


def study_counts(document: Document) -> Iterator[ScoredCount]:
    """Everything that counts studies, in the order of the text."""
    for sentence in document.all_sentences:
        if sentence.role in {"background", "conclusions"}:
            continue
        if match := ELIGIBLE.search(sentence.plain):
            read = whole_number(sentence.tokens, token_at(sentence, match.start("n")))
            if read and (sentence.words & STUDIES):
                yield ScoredCount(read[0], ELIGIBLE_SCORE, sentence.evidence_of(match, "n"))
        tokens = sentence.tokens
        for value, first, head in counted_nouns(sentence, STUDIES):
            evidence = sentence.evidence(tokens[first].start, tokens[head].end)
            yield ScoredCount(value, study_score(sentence, first, head), evidence)


def study_score(sentence: Sentence, first: int, head: int) -> int:
    """How likely the count is that of the included studies."""
    tokens = sentence.tokens
    start, end = tokens[first].start - sentence.start, tokens[head].end - sentence.start
    before = re.split(r"[,;:]", sentence.plain[max(0, start - LETTERS_BEFORE) : start])[-1]
    near = before + sentence.plain[start:end] + re.split(r"[,;:]", sentence.plain[end : end + LETTERS_BEHIND])[0]
    score = BASE_SCORE + INCLUDED_BONUS * bool(INCLUDED.search(near)) - FOUND_PENALTY * bool(FOUND_ONLY.search(near))
    score += TOTAL_BONUS if IN_TOTAL.search(before) else 0
    score += IDENTIFIED_BONUS if re.search(r"\b(?:identified|found)\b", near, re.IGNORECASE) else 0
    score -= SHARE_PENALTY if PERCENT_AFTER.match(sentence.whole, tokens[head].end, sentence.end) else 0
    score -= PART_PENALTY if first and tokens[first - 1].word in BEFORE_PART else 0
    follows_of = head + 1 < len(tokens) and tokens[head + 1].word == "of"
    return score + RESULTS_BONUS * (sentence.role == "results") - OF_PENALTY * follows_of
