"""Numbers with what they count behind them, and how likely each is the size of a study."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Sentence, Token
from biofact.literature.extraction.text.numbers import number_places, whole_number
from biofact.literature.extraction.text.phrases import head_of
from biofact.literature.extraction.text.vocabulary import AUXILIARIES, HARD_END, PREPOSITIONS, words
from biofact.literature.records import Evidence

MIN_SCORE = 3
"""The least score of the size of a study."""
FARTHEST_HEAD = 9
"""Words between a number and what it counts."""

NO_COUNT_OF = words(
    "years year months month weeks week days day hours hour minutes centers centres hospitals clinics sites sessions"
    " groups group arms times mg ml kg mm cm items countries studies trials visits pairs cells samples genes snps"
    " variants lesions teeth eyes segments specimens strains isolates images scans events deaths visits tests doses"
    " points families sequences loci proteins areas units schools states cycles courses injections nodes implants"
)
"""Nouns that are counted within a study, not its subjects: 12 centres."""
BEFORE_PART = words("other remaining another additional only first last further each per every")
"""Words before a count of some only: the *remaining* 30 patients."""
NO_COUNT_BEFORE = words(
    "aged age ages grade stage type phase day days week weeks month months year visit table figure score"
    " version level least > < ≥ ≤ = ± group class schedule cycle around approximately-than than since until disease"
    " covid coronavirus january february march april may june july august september"
    " october november december"
)
"""Words before a number that is no count: *aged* 45 patients."""
NEW_CLAUSE = words("we which who whom that where when it they i the a an each this these those their its our")
"""Words at which the search for the counted noun ends: of 12 *who* had surgery."""
RATES = words("in per")
"""Words before the denominator of a rate: 12 *per* 1000 people."""
RATE_DENOMINATOR = re.compile(r"10{2,6}|10,000|100,000|1,000,000")
"""The denominator of a rate, not a sample: in 1000 people. As in: 1000."""
IN_TOTAL = re.compile(
    r"(?i)(?:\b(?:in total|total (?:number )?of|total sample(?: size)?(?: of)?|overall|altogether|all|sample"
    r"(?: size)? of|cohort of|study of|series of)[,:]?\s*)$"
)
"""As in: a total of."""
PERCENT_AFTER = re.compile(r"\s*[(\[]\s*(?:\d+\s?/\s?\d+[,;]?\s?)?(?:n\s?=\s?\d+[,;]\s?)?\d{1,3}(?:[.·]\d+)?\s?%")
"""As in: 30 patients (25%)."""


@dataclass(frozen=True, slots=True)
class ScoredCount:
    """A number of subjects, and how likely it is the size of the study."""

    value: int
    score: int
    evidence: Evidence
    is_control: bool = False
    is_arm: bool = False
    """Whether it counts the recipients of one of several treatments."""
    first: int = 0
    """Index of the number's first token."""
    after: int = 0
    """Index after what it counts."""


def likeliest_count(counts: list[ScoredCount], *, min_score: int = MIN_SCORE) -> Finding | None:
    """The likeliest count, the first of equals, with the others as its siblings."""
    best = max(counts, key=lambda count: count.score, default=None)
    if best is None or best.score < min_score:
        return None
    siblings = tuple(Finding(count.value, (count.evidence,)) for count in counts if count.value != best.value)
    return Finding(best.value, (best.evidence,), siblings=siblings)


def counted_nouns(sentence: Sentence, nouns: frozenset[str]) -> Iterator[tuple[int, int, int]]:
    """Each number that counts one of these nouns: its value, its first token, and the token of the noun."""
    tokens = sentence.tokens
    next_index = 0
    for index in sentence.cached(number_places):
        number = whole_number(tokens, index) if index >= next_index else None
        if number is None or is_no_count(tokens, index):
            continue
        value, after = number
        # 11-year-old girl, or 2SLGB: a word begins right where the number ends
        is_glued = (
            after < len(tokens) and tokens[after].word[0].isalpha() and tokens[after].start == tokens[after - 1].end
        )
        is_compound = is_glued or (after < len(tokens) and tokens[after].word == "-")
        head = None if is_compound else head_after(tokens, after, nouns)
        if head is not None:
            yield value, index, head
        next_index = after


def is_no_count(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether the words before a number make it an age, a grade or the end of a range."""
    if [token.word for token in tokens[index + 1 : index + 3]] == ["or", "more"]:
        return True
    if index == 0:
        return False
    before = tokens[index - 1]
    if before.word in RATES and RATE_DENOMINATOR.fullmatch(tokens[index].word):
        return True
    is_range = before.word in {"-", "\u2013", "/", "±", "to", "<", ">", "≥", "≤", "=", "+"}
    return (
        before.word in NO_COUNT_BEFORE or (is_range and index > 1 and before.word != "to") or before.word.endswith("-")
    )


def head_after(tokens: tuple[Token, ...], start: int, nouns: frozenset[str]) -> int | None:
    """The index of the noun that a number counts; None if it is not one of these nouns."""
    result = None
    for index in range(start, min(len(tokens), start + FARTHEST_HEAD)):
        word = tokens[index].word
        # a comma may part adjectives: 20 healthy, young women
        if word in HARD_END and not (word == "," and index > start):
            break
        if word in AUXILIARIES or word in NEW_CLAUSE or word in PREPOSITIONS or word[0].isdigit():
            break
        if head_of(word) in nouns:
            result = index
        elif result is not None or word in NO_COUNT_OF:
            break
    return result
