"""The signs by which a stated result shows its role, and whether it is the study's main one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.fields.effects import direction
from biofact.literature.extraction.fields.labelling.signs import long_forms
from biofact.literature.extraction.fields.outcome_results import (
    PRIMARY_NAMED,
    StatedResult,
    content_stems,
    is_p_value,
    stated_outcomes,
    stated_results,
)
from biofact.literature.extraction.fields.p_values import significance
from biofact.literature.extraction.fields.study_type import BENCH, OBSERVED, SYNTHESES, TRIALS, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.vocabulary import stem

NEAR = 5
"""Words before a statistic that say what it is of."""
LEAD = 160
"""Characters at the beginning of a sentence that say of whom or when its results are."""
LEAD_WORDS = 6
"""Words at the beginning of a sentence that say of whom or when its results are."""
MOST_PLACES = 6
"""Results after which the place says no more."""
_WORD = re.compile(r"[^\W\d_][\w'-]*|%|[<>=±]")
"""Words and signs. As in: non-inferior by 3 % (P < 0.05)"""
_TERM = re.compile(r"[\w-]+")
"""A word with its hyphens. As in: the re-admission rate"""
_ROOT = 6
"""Letters of a stem that a noun and its verb share: readmission, readmitted."""
_DEATH = re.compile(r"(?i)\b(?:died|dying|dead|deaths?|mortality|fatal(?:ity|ities)?)\b")
"""Words that mean the same outcome. As in: patients had died."""
_SHORT_FORM = re.compile(r"[A-Z][\w-]{1,11}|[A-Za-z]+[A-Z]\w*")
"""A short form. As in: mobility (SPPB)."""
_CORE = re.compile(
    r"\b(?:in the (?:intention|whole|overall|full|modified|per)|at (?:\d+|week|month|day|year|one|two|three|four"
    r"|six|twelve)|within|over \d+|during|by (?:\d+|day|week))\b"
)
"""Words behind the core of an outcome. As in: mortality at 28 days."""
_BRACKET_BEHIND = 40
"""Characters behind an outcome in which its short form stands."""
_ANAPHOR = re.compile(
    r"(?i)^\W*(?:(?:at|after|by|over|in|within|on|overall|when|for)\b[^,;(]{0,60},?\s)?(?:(?:however|thus|overall),\s)?"
    r"(?:the|this|these|it|its|that|a|an|mean|adjusted|corresponding)\b(?: [\w-]+){0,4}? ?"
    r"(?:differences?|ratios?|changes?|effects?|associations?|risks?|odds|[acs]?[HOR]Rs?|estimates?|reductions?|increases?|improvements?|was|were)\b"
    r"(?! (?:of|in|for|on|between)\b)"
)
"""A sentence on what the one before it was of. As in: The adjusted difference was."""
_LONGEST_TOPIC = 600
"""Characters of a sentence that may say what a clause is of."""


CUES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        # As in: after adjustment for age.
        "adjusted": re.compile(
            r"(?i)(?<!un)(?<!un-)\b(?:adjust|multivaria|propensity|weighting|attenuat|independent)\w*|\ba[HORI]?[OR]Rs?\b"
            r"|(?<!un)matched"
        ),
        # As in: in the unadjusted analysis.
        "crude": re.compile(
            r"(?i)\bunadjusted\b|\bcrude\b|\bunivari\w+|\bunmatched\b|\bbefore (?:adjust|match)\w+|\bminimally\b"
        ),
        # As in: restricted to women.
        "restricted": re.compile(
            r"(?i)\bsub-?(?:groups?|sets?|analys[ei]s|populations?)\b|\bpost[- ]?hoc\b|\bexploratory\b|\bstratif\w+"
            r"|\b(?:restrict|limit|confin)(?:ed|ing|ion) to\b|\bper[- ]protocol\b|\bsensitivity analys|\bexcluding\b"
            r"|\bexcluded\b|\bcompleters?\b|\bon[- ]treatment\b|\bas[- ]treated\b|\bimput\w+"
            r"|^\W*(?:among|in|for) (?:the )?(?:\d+ )?"
            r"(?:patients|participants|women|men|those|children|adults|subjects)\b"
        ),
        # As in: major bleeding was rarer.
        "safety": re.compile(
            r"(?i)\badverse\b|\bside[- ]effects?|\btoxicit|\bsafety\b|\btolera\w+|\bbleeding\b|\bha?emorrhages?\b"
            r"|\bhypogly\w+|\bhypotension\b|\bdiarrh\w+|\bnausea\b|\bvomiting\b|\bwithdr[ae]w\w*|\bdiscontinu\w+"
            r"|\bcomplications?\b"
        ),
        # As in: did not differ at baseline.
        "baseline": re.compile(
            r"(?i)(?<!from )(?<!for )(?<!with )(?<!than )\bbaseline\b(?!-| to\b| adjust)"
            r"|\bat (?:entry|enrol\w+|randomi[sz]ation|admission|the start)\b|\bcharacteristics\b"
            r"|\b(?:younger|older) (?!than \d|people|adults|patients|women|men|age)"
            r"|^\W*(?:and |or )?(?:the )?(?:mean |median |patients'? )?"
            r"(?:age|sex|gender|weight|BMI|body mass index|smoking)\b(?! at\b)"
            r"(?:\s*\(|[^.;]{0,40}\b(?:differ|similar|comparable|balanced|alike|matched))"
            r"|\bwell[- ](?:matched|balanced)\b"
        ),
        # As in: for the secondary outcome.
        "secondary": re.compile(
            r"(?i)\b(?:key )?(?:secondary|tertiary)\b(?! (?:prevention|care|school|to|infection|hyper|progressive))"
        ),
        # As in: the primary analysis.
        "primary": re.compile(
            r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? "
            r"(?:end ?-?points?|outcomes?|measure|analysis|comparison|result|hypothesis)\b|\bintention[- ]to[- ]treat\b"
        ),
    }
)
"""Words that show what kind of analysis a result is of."""
_DENIAL = re.compile(
    r"(?i)\b(?:no|not|neither|nor|without|similar|equal|comparable|fail(?:ed|s)?|lack|unlikely|disappeared|absence)\b"
)
"""Words of conclusions that nothing was found. As in: did not improve survival"""
_CLAIM = re.compile(
    r"(?i)\b(?:improv|reduc|increas|decreas|effective|superior|associat|better|lower|higher|greater|prolong|shorten|enhanc"
    r"|prevent|benefi|significant|favou?r)\w*"
)
"""Words of conclusions that something was found. As in: zinc improved survival"""


def full_stems(text: str, document: Document) -> frozenset[str]:
    """The roots of the words that distinguish a text, with short forms written out."""
    forms = document.cached(long_forms)
    roots: set[str] = set()
    for word in _TERM.findall(text):
        roots |= _roots(forms[word].text if word in forms else word)
    return frozenset(roots)


@lru_cache(maxsize=20_000)
def _roots(text: str) -> frozenset[str]:
    """The roots of the words of a term."""
    return frozenset(word[:_ROOT] for word in content_stems(_DEATH.sub("death", text)))


def share(stems: frozenset[str], within: frozenset[str]) -> float:
    """The share of stems that others hold."""
    return len(stems & within) / len(stems) if stems else 0.0


class NamedOutcome(NamedTuple):
    """An outcome by the roots of its words, by these with the words in brackets, and by its short forms."""

    roots: frozenset[str]
    all_roots: frozenset[str]
    short_forms: frozenset[str]

    def likeness(self, words: frozenset[str], name: frozenset[str]) -> float:
        """How much a result with these words, and this name if it has one, is of the outcome; 1 is fully."""
        if not self.short_forms.isdisjoint(words):
            return 1.0
        return max(share(self.roots, words), share(name, self.all_roots) if len(name) > 1 else 0.0)


def named_outcome(outcome: Finding, document: Document) -> NamedOutcome:
    """An outcome with the short form behind it."""
    (piece, *_) = outcome.evidence
    text = document.title.whole if piece.where == "title" else document.abstract
    behind = text[piece.end or 0 : (piece.end or 0) + _BRACKET_BEHIND]
    bracket = re.match(r"\s*\(([^()]*)\)", behind)
    within = re.findall(r"\(([^()]*)\)", piece.quote) + ([bracket[1]] if bracket else [])
    short_forms = [form for form in within if _SHORT_FORM.fullmatch(form)]
    return NamedOutcome(
        full_stems(_CORE.split(str(outcome.value))[0] or str(outcome.value), document),
        full_stems(f"{piece.quote} {' '.join(within)}", document),
        frozenset(root for form in short_forms for root in full_stems(form, document))
        if len(short_forms) == 1
        else frozenset(),
    )


def topic(result: StatedResult, document: Document) -> str:
    """The words that say what a result is of: where its clause names no outcome, those before it, too."""
    clause = result.clause
    if result.name is not None:
        return clause.text
    within = clause.sentence.text[max(0, clause.end - _LONGEST_TOPIC) : clause.end]
    place = document.sentences.index(clause.sentence)
    is_anaphoric = place > 0 and _ANAPHOR.match(within) is not None
    return f"{document.sentences[place - 1].text} {within}" if is_anaphoric else within


class ResultContext(NamedTuple):
    """The facts that all results of an article share."""

    study: str
    """The study type; empty where it is not known."""
    kind: str
    """A group of study types that are written alike."""
    claim: str
    """Whether title and conclusions deny a finding, claim one, or both."""
    title: frozenset[str]
    conclusions: frozenset[str]
    aims: frozenset[str]
    primary: Sequence[NamedOutcome]
    secondary: Sequence[NamedOutcome]


def result_context(document: Document) -> ResultContext:
    """The context of an article's results."""
    names = document.cached(stated_outcomes)
    kind = kind_of(document)
    kinds = (("trial", TRIALS), ("synthesis", SYNTHESES), ("observed", OBSERVED), ("bench", BENCH))

    def words(role: str) -> frozenset[str]:
        sentences = (sentence for sentence in document.sentences if sentence.role == role)
        return frozenset[str]().union(*(full_stems(sentence.text, document) for sentence in sentences))

    conclusions = words("conclusions")
    if not conclusions and document.sentences:
        conclusions = full_stems(document.sentences[-1].text, document)
    return ResultContext(
        kind,
        next((name for name, group in kinds if kind in group), "other"),
        _claim_of(document),
        full_stems(document.title.text, document),
        conclusions,
        words("objective"),
        [named_outcome(outcome, document) for outcome in names.primary],
        [named_outcome(outcome, document) for outcome in names.secondary],
    )


def _claim_of(document: Document) -> str:
    """Whether the conclusions deny a finding, claim one, or both."""
    last = [sentence for sentence in document.sentences if sentence.role == "conclusions"] or document.sentences[-1:]
    text = " ".join(sentence.plain for sentence in last[:2])
    return f"{'denied' if _DENIAL.search(text) else ''}{'claimed' if _CLAIM.search(text) else ''}"


class ResultLikeness(NamedTuple):
    """How much a result is of the outcomes that the text ranks."""

    primary: float
    outcome: int | None
    """The number of the primary outcome that it is most of."""
    secondary: float


def likenesses(document: Document) -> list[ResultLikeness]:
    """For each result, in the order of the text. One without an outcome of its own is of that before it in its
    sentence, or of that which its sentence takes up again.
    """
    context = document.cached(result_context)
    found: list[ResultLikeness] = []
    for result in document.cached(stated_results):
        words = full_stems(topic(result, document), document)
        name = full_stems(str(result.name.value), document) if result.name else frozenset[str]()
        primary = [outcome.likeness(words, name) for outcome in context.primary]
        best = max(primary, default=0.0)
        secondary = max((outcome.likeness(words, name) for outcome in context.secondary), default=0.0)
        own = ResultLikeness(best, primary.index(best) if best else None, secondary)
        is_again = result.name is None and bool(found) and CUES["adjusted"].search(result.clause.text) is not None
        found.append(max(own, found[-1], key=lambda likeness: likeness.primary) if is_again else own)
    return found


_BUCKETS = (("all", 1.0), ("most", 0.6), ("half", 0.4), ("some", 1e-9), ("none", 0.0))


def bucket(part: float) -> str:
    """A share as one of five words."""
    return next(name for name, least in _BUCKETS if part >= least)


def result_signs(document: Document) -> list[set[str]]:
    """The signs of each stated result, and last those of the article, which say that it has no main one."""
    results = document.cached(stated_results)
    context, likeness = document.cached(result_context), document.cached(likenesses)
    best = max((entry.primary for entry in likeness), default=0.0)
    signs: list[set[str]] = []
    first_of_best = True
    cues = document.cached(result_cues)
    for place, (result, entry) in enumerate(zip(results, likeness, strict=True)):
        own = {*word_signs(result), *place_signs(results, place), *statistic_signs(result)}
        own |= set(matching_signs(result, entry, best, context, document))
        own |= set(analysis_signs(place, cues, context))
        if best and entry.primary == best:
            own |= {"first of the likest"} if first_of_best else {"further of the likest"}
            first_of_best = False
        signs.append(own)
    return [*signs, set(article_signs(results, context, best))]


def article_signs(results: Sequence[StatedResult], context: ResultContext, best: float) -> Iterator[str]:
    """The signs of the article, which say that none of its results is the main one."""
    ranked = f"ranked={bool(context.primary)}"
    answers = f"answers={len({answer_of(result) for result in results if not result.test} - {''})}"
    yield "none"
    for sign in (ranked, answers, f"study={context.study}", f"kind={context.kind}", f"claim={context.claim}"):
        yield f"none, {sign}"
    yield f"none, {ranked}, {answers}"
    yield f"none, {ranked}, {answers}, {context.kind}"
    yield f"none, best={bucket(best)}"
    yield f"none, {ranked}, best={bucket(best)}"
    yield f"none, results={bucket(min(1.0, len(results) / 10))}"
    yield f"none, {context.kind}, {ranked}"


def result_cues(document: Document) -> list[frozenset[str]]:
    """The kinds of analysis that the words of each result show."""
    return [cues_of(result) for result in document.cached(stated_results)]


def cues_of(result: StatedResult) -> frozenset[str]:
    """The kinds of analysis that the words of a clause, or those that lead its sentence, show."""
    sentence, clause = result.clause.sentence, result.clause
    found = {name for name, pattern in CUES.items() if pattern.search(clause.text)}
    lead = sentence.text[: min(clause.start, LEAD)]
    return frozenset(found | {f"lead {name}" for name, pattern in CUES.items() if lead and pattern.search(lead)})


def analysis_signs(place: int, cues: Sequence[frozenset[str]], context: ResultContext) -> Iterator[str]:
    """The kind of analysis of a result, and whether a better one of the same stands near."""
    own = cues[place]
    ranked = bool(context.primary)
    yield from (f"cue {name}" for name in own)
    yield from (f"cue {name}, ranked={ranked}" for name in own)
    yield f"cues={','.join(sorted(own & set(CUES)))}"
    behind = frozenset[str]().union(*cues[place + 1 : place + 3])
    before = frozenset[str]().union(*cues[max(0, place - 2) : place])
    yield f"adjusted={'adjusted' in own}, adjusted behind={'adjusted' in behind}"
    yield f"crude={'crude' in own}, adjusted behind={'adjusted' in behind}"
    yield f"adjusted={'adjusted' in own}, crude before={'crude' in before}"


def answer_of(result: StatedResult) -> str:
    """Whether a result is significant, as far as its p-value or interval shows it."""
    if result.p_value is not None and isinstance(result.p_value.value, dict):
        by_p = significance(result.p_value.value)
        if by_p is not None:
            return "yes" if by_p else "no"
    effect = result.effect.value if result.effect else None
    side = direction(effect) if isinstance(effect, dict) and "low" in effect else None
    return "" if side is None else "no" if side == "none" else "yes"


def word_signs(result: StatedResult) -> Iterator[str]:
    """The words of the clause, those right before its first statistic, within it, and those that lead the sentence."""
    clause = result.clause
    sentence = clause.sentence
    first = clause.statistics[0].evidence[0]
    last = clause.statistics[-1].evidence[0]
    before = sentence.text[clause.start : max(clause.start, (first.start or 0) - sentence.start)]
    behind = sentence.text[(last.end or 0) - sentence.start : clause.end]
    stems_before = _stems(before)
    yield from (f"w {word}" for word in stems_before)
    yield from (f"near {word}" for word in stems_before[-NEAR:])
    yield from (f"next {word}" for word in stems_before[-1:])
    yield from (f"behind {word}" for word in _stems(behind))
    yield from sentence.cached(_sentence_signs)
    for finding in clause.statistics:
        yield from (f"within {word.lower()}" for word in _WORD.findall(finding.evidence[0].quote))
    if result.name is not None:
        yield from (f"name {word}" for word in _stems(str(result.name.value)))
    if PRIMARY_NAMED.search(clause.plain):
        yield "called primary"


def _stems(text: str) -> list[str]:
    return [stem(word.lower()) for word in _WORD.findall(text)]


def _sentence_signs(sentence: Sentence) -> list[str]:
    """The signs that all results of a sentence share: its words, and those that lead it."""
    stems = _stems(sentence.text)
    return [*(f"lead {word}" for word in stems[:LEAD_WORDS]), *(f"sentence {word}" for word in set(stems))]


def place_signs(results: Sequence[StatedResult], place: int) -> Iterator[str]:
    """The signs of the place of a result among the others."""
    result = results[place]
    sentence = result.clause.sentence
    yield f"section={sentence.role or 'none'}"
    yield f"place={min(place, MOST_PLACES)}"
    yield f"place from the end={min(len(results) - 1 - place, MOST_PLACES)}"
    within = sum(other.clause.sentence is sentence for other in results[:place])
    yield f"in sentence={min(within, 2)}"
    sentences = list(dict.fromkeys(id(other.clause.sentence) for other in results[: place + 1]))
    yield f"sentence={min(len(sentences) - 1, MOST_PLACES)}"


def statistic_signs(result: StatedResult) -> Iterator[str]:
    """The kinds of numbers that a result has."""
    has_p = result.p_value is not None
    effect = result.effect.value if result.effect else None
    measure = str(effect.get("measure")) if isinstance(effect, dict) else "none"
    yield f"p={has_p}"
    yield f"measure={measure}"
    yield f"p={has_p}, effect={effect is not None}"
    if isinstance(effect, dict):
        yield f"interval={'low' in effect}"
    yield f"significant={answer_of(result)}"
    yield f"statistics={min(len(result.clause.statistics), 4)}"
    yield f"only p={all(map(is_p_value, result.clause.statistics))}"


def matching_signs(
    result: StatedResult, entry: ResultLikeness, best: float, context: ResultContext, document: Document
) -> Iterator[str]:
    """The signs of its likeness to title, aims, conclusions and ranked outcomes."""
    has_primary = bool(context.primary)
    about = full_stems(str(result.name.value) if result.name else result.clause.text, document)
    primary = f"primary={bucket(entry.primary) if has_primary else 'untold'}"
    likest = f"likest={best > 0 and entry.primary == best}"
    yield primary
    yield f"{primary}, {likest}"
    yield f"{primary}, secondary={bucket(entry.secondary)}"
    yield f"secondary={bucket(entry.secondary)}"
    for name, words in (("title", context.title), ("conclusions", context.conclusions), ("aims", context.aims)):
        part = bucket(share(about, words))
        yield f"{name}={part}"
        yield f"{name}={part}, ranked={has_primary}"
        yield f"{name}={part}, named={result.name is not None}"
    yield f"kind={context.kind}"
    yield f"claim={context.claim}, significant={answer_of(result)}"
    yield f"claim={context.claim}, significant={answer_of(result)}, {likest}"
    yield f"test={result.test}"
    yield f"named={result.name is not None}"
    yield f"{context.kind}, ranked={has_primary}, {likest}"
