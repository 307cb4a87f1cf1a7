"""The main result of a study, by which its p-value, significance, effect and interval are chosen: that of the primary
outcome in the whole population; where none is called primary, that which title and conclusions speak of. Where results
that are as likely disagree, there is none.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.fields.effects import BOUND_PARTS, ESTIMATE_PARTS, UNDIRECTED, direction, of_measure
from biofact.literature.extraction.fields.field import AMOUNT, OBJECT, Column, Field
from biofact.literature.extraction.fields.labelling.signs import long_forms
from biofact.literature.extraction.fields.outcome_results import (
    StatedResult,
    content_stems,
    is_p_value,
    stated_outcomes,
    stated_results,
)
from biofact.literature.extraction.fields.p_values import NOT_SIGNIFICANT, STATED_SIGNIFICANT, significance
from biofact.literature.extraction.findings import Finding, Value, main_finding
from biofact.literature.extraction.text.document import Document, Sentence

Part = Callable[[StatedResult], Finding | None]

_OF_THE_STUDY = frozenset(("primary", "", "sensitivity", "safety"))
"""Roles of results that can be the main one."""
_ADJUSTED = re.compile(
    r"(?i)(?<!un)(?<!un-)\badjust|\bmultivaria|\ba[HOR]R\b|\baIRR\b|\bintention|\bmatched\b|\bpropensity"
)
"""As in: after adjustment for age."""
_LOG_RANK = 0.2
"""The cost of each result before it."""
_CLOSE = 1.5
"""Two results whose scores differ by less may both be the main one."""
_PRIMARY, _SENSITIVITY, _SAFETY = 6.0, -2.5, -2.0
_TITLE, _CONCLUSIONS, _EFFECT, _WELL_ADJUSTED = 3.0, 3.0, 0.8, 2.0
_NEARLY_ALL_OF = 0.8
_OF_ACCURACY = -3.0
"""The weight of an effect that is an accuracy or agreement."""
_SHORT_FORM = re.compile(r"[A-Z][\w-]{1,11}|[A-Za-z]+[A-Z]\w*")
"""A short form. As in: mobility (SPPB)."""
_CORE = re.compile(
    r"\b(?:in the (?:intention|whole|overall|full|modified|per)|at (?:\d+|week|month|day|year|one|two|three|four"
    r"|six|twelve)|within|over \d+|during|by (?:\d+|day|week))\b"
)
"""Words behind the core of an outcome. As in: mortality at 28 days."""
_ANAPHOR = re.compile(
    r"(?i)^\W*(?:(?:at|after|by|over|in|within|on|overall|when|for)\b[^,;(]{0,60},?\s)?(?:(?:however|thus|overall),\s)?"
    r"(?:the|this|these|it|its|that|a|an|mean|adjusted|corresponding)\b(?: [\w-]+){0,4}? ?"
    r"(?:differences?|ratios?|changes?|effects?|associations?|risks?|odds|[acs]?[HOR]Rs?|estimates?|reductions?|increases?|improvements?|was|were)\b"
    r"(?! (?:of|in|for|on|between)\b)"
)
"""A sentence on what the one before it was of. As in: The adjusted difference was."""
_ROOT = 6
"""Letters of a stem that a noun and its verb share: readmission, readmitted."""
_DEATH = re.compile(r"(?i)\b(?:died|dying|dead|deaths?|mortality|fatal(?:ity|ities)?)\b")
"""Words that mean the same outcome. As in: patients had died."""
_BRACKET_BEHIND = 40
"""Characters behind an outcome in which its short form stands."""
_MOST_OF = 0.5
"""The share of an outcome's words that a clause has which speaks of it."""


_MOST_RESULTS = 60
"""Results of one abstract that are weighed; real ones have some twenty."""
_LONGEST_TOPIC = 600
"""Characters of a sentence that may say what a clause is of."""


class _Candidate(NamedTuple):
    result: StatedResult
    score: float
    is_primary: bool
    outcome: Finding | None
    """The primary outcome that it is of, by the name that the text gives it."""


class _Outcome(NamedTuple):
    """A primary outcome by the roots of its words, by these with the words in brackets, and by its short forms."""

    roots: frozenset[str]
    all_roots: frozenset[str]
    short_forms: frozenset[str]

    def is_of(self, words: frozenset[str], name: frozenset[str]) -> bool:
        """Whether a result with these words, and this name if it has one, is of the outcome."""
        is_named = bool(name) and _share(name, self.all_roots) >= _NEARLY_ALL_OF
        return is_named or _share(self.roots, words) >= _MOST_OF or not self.short_forms.isdisjoint(words)


def main_result(document: Document) -> StatedResult | None:
    """The result of the primary outcome; None where none is clear."""
    candidates = sorted(document.cached(_candidates), key=lambda candidate: -candidate.score)
    if not candidates:
        return None
    best, *others = candidates
    if best.is_primary:
        return _completed(best.result, document)
    if document.cached(stated_outcomes).primary:
        return None  # it has a result without a number, or none
    answer = _is_significant(best.result)
    rivals = [other.result for other in others if best.score - other.score < _CLOSE]
    if any(_is_significant(rival) not in {answer, None} for rival in rivals):
        return None
    return _completed(best.result, document)


def primary_places(document: Document) -> dict[int, Finding]:
    """The primary outcome of each result that is of one, by the place of the result among all."""
    places = {id(result): place for place, result in enumerate(document.cached(stated_results))}
    candidates = document.cached(_candidates)
    return {places[id(candidate.result)]: candidate.outcome for candidate in candidates if candidate.outcome}


def _candidates(document: Document) -> list[_Candidate]:
    title = _stems(document.title, document)
    conclusions = frozenset[str]().union(
        *(_stems(sentence, document) for sentence in document.sentences if sentence.role == "conclusions")
    )
    stated_primary = document.cached(stated_outcomes).primary
    primary = [_primary_outcome(outcome, document) for outcome in stated_primary]
    results = [result for result in document.cached(stated_results) if result.role in _OF_THE_STUDY][:_MOST_RESULTS]
    topics = [_full_stems(_topic(result, document), document) for result in results]
    nearest = _nearest(primary, topics)
    candidates: list[_Candidate] = []
    for place, (result, words) in enumerate(zip(results, topics, strict=True)):
        name = _full_stems(str(result.name.value), document) if result.name else frozenset[str]()
        numbers = (number for number, outcome in enumerate(primary) if outcome.is_of(words, name))
        number = next(numbers, nearest.get(place))
        is_primary = number is not None or result.role == "primary"
        outcome = result.name if number is None else stated_primary[number]
        about = name or (words if number is None else primary[number].roots)
        score = _TITLE * _share(about, title) + _CONCLUSIONS * _share(about, conclusions) - _LOG_RANK * place
        score += _PRIMARY if is_primary else _SAFETY if result.role == "safety" else 0.0
        score += _SENSITIVITY if result.role == "sensitivity" else 0.0
        score += _effect_weight(result)
        score += _WELL_ADJUSTED if _ADJUSTED.search(result.clause.text) else 0.0
        candidates.append(_Candidate(result, score, is_primary, outcome if is_primary else None))
    return candidates


def _nearest(primary: Sequence[_Outcome], topics: Sequence[frozenset[str]]) -> dict[int, int]:
    """The number of the primary outcome of which a result has the most words that not all results have, by the place of
    the result, if none has enough of them.
    """
    shared = frozenset.intersection(*topics) if topics else frozenset[str]()
    places: dict[int, int] = {}
    for number, outcome in enumerate(primary):
        overlaps = [len((outcome.roots - shared) & words) for words in topics]
        if max(overlaps, default=0) and not any(_share(outcome.roots, words) >= _MOST_OF for words in topics):
            places |= {place: number for place, overlap in enumerate(overlaps) if overlap == max(overlaps)}
    return places


def _effect_weight(result: StatedResult) -> float:
    if result.effect is None or not isinstance(result.effect.value, dict):
        return 0.0
    return _OF_ACCURACY if result.effect.value.get("measure") in UNDIRECTED else _EFFECT


def _primary_outcome(outcome: Finding, document: Document) -> _Outcome:
    (piece, *_) = outcome.evidence
    text = document.title.whole if piece.where == "title" else document.abstract
    behind = text[piece.end or 0 : (piece.end or 0) + _BRACKET_BEHIND]
    bracket = re.match(r"\s*\(([^()]*)\)", behind)
    within = re.findall(r"\(([^()]*)\)", piece.quote) + ([bracket[1]] if bracket else [])
    short_forms = [form for form in within if _SHORT_FORM.fullmatch(form)]
    all_words = f"{piece.quote} {' '.join(within)}"
    return _Outcome(
        _full_stems(_CORE.split(str(outcome.value))[0] or str(outcome.value), document),
        _full_stems(all_words, document),
        frozenset(root for form in short_forms for root in _full_stems(form, document))
        if len(short_forms) == 1
        else frozenset(),
    )


def _topic(result: StatedResult, document: Document) -> str:
    """The words that say what a result is of: where its clause names no outcome, those before it, too."""
    clause = result.clause
    if result.name is not None:
        return clause.text
    within = clause.sentence.text[max(0, clause.end - _LONGEST_TOPIC) : clause.end]
    place = document.sentences.index(clause.sentence)
    is_anaphoric = place > 0 and _ANAPHOR.match(within) is not None
    return f"{document.sentences[place - 1].text} {within}" if is_anaphoric else within


def _completed(result: StatedResult, document: Document) -> StatedResult:
    """The result with the effect or p-value that the next clause states alone: one result may stand in two."""
    results = document.cached(stated_results)
    following = next((other for other in results[results.index(result) + 1 :]), None)
    if following is None or following.clause.sentence != result.clause.sentence or following.name is not None:
        return result
    has_other = (result.effect is None) != (following.effect is None)
    if has_other and (result.p_value is None) != (following.p_value is None) and following.role in _OF_THE_STUDY:
        statistics = (*result.clause.statistics, *following.clause.statistics)
        return result._replace(clause=result.clause._replace(statistics=statistics))
    return result


def _full_stems(text: str, document: Document) -> frozenset[str]:
    """The stems that distinguish a text, with short forms written out."""
    forms = document.cached(long_forms)
    long_words = (forms[word].text if word in forms else word for word in re.findall(r"[\w-]+", text))
    written_out = _DEATH.sub("death", " ".join(long_words))
    return frozenset(word[:_ROOT] for word in content_stems(written_out))


def _stems(sentence: Sentence, document: Document) -> frozenset[str]:
    return _full_stems(sentence.text, document)


def _share(stems: frozenset[str], within: frozenset[str]) -> float:
    return len(stems & within) / len(stems) if stems else 0.0


def _is_significant(result: StatedResult) -> bool | None:
    """Whether a result is significant by its p-value, else by its interval."""
    if result.p_value is not None and isinstance(result.p_value.value, dict):
        by_p = significance(result.p_value.value)
        if by_p is not None:
            return by_p
    effect = result.effect.value if result.effect else None
    side = direction(effect) if isinstance(effect, dict) and "low" in effect else None
    return None if side is None else side != "none"


def p_value(document: Document) -> Finding | None:
    """The p-value of the main result, with those of other results as its siblings."""
    return _main(document, lambda result: result.p_value)


def effect_size(document: Document) -> Finding | None:
    """The effect of the main result, with those of other results as its siblings."""
    return _main(document, lambda result: result.effect)


def _main(document: Document, part: Part) -> Finding | None:
    main = document.cached(main_result)
    value = part(main) if main else None
    if value is None:
        return None
    others = [
        finding
        for result in document.cached(stated_results)
        for finding in result.clause.statistics
        if finding != value and is_p_value(finding) == is_p_value(value)
    ]
    return main_finding([value, *others])


def confidence_interval(document: Document) -> Finding | None:
    """The interval of the main result's effect."""
    main = document.cached(effect_size)
    if main is None or not isinstance(main.value, dict) or "low" not in main.value:
        return None
    interval_parts: dict[str, Value] = {name: main.value[name] for name in ("low", "high", "level")}
    return Finding(interval_parts, main.evidence)


def statistical_significance(document: Document) -> Finding | None:
    """Whether the main result is significant: by its p-value, its interval, else by what the text calls it."""
    main = document.cached(main_result)
    if main is not None and (answer := _is_significant(main)) is not None:
        return Finding(answer, _decisive(main).evidence, is_derived=True)
    return None if main is not None else _by_words(document)


def _decisive(result: StatedResult) -> Finding:
    """The p-value if it decides whether the result is significant, else the effect with its interval."""
    p_value = result.p_value
    decides = p_value is not None and isinstance(p_value.value, dict) and significance(p_value.value) is not None
    return p_value if p_value and (decides or result.effect is None) else result.effect or result.clause.statistics[0]


def _by_words(document: Document) -> Finding | None:
    """Significance by the sentences on the primary outcome; without one, by all results if they are called alike."""
    names = [_full_stems(str(outcome.value), document) for outcome in document.cached(stated_outcomes).primary]
    sentences = [sentence for sentence in document.sentences if sentence.role in {"results", "conclusions", ""}]
    if names:
        sentences = [
            sentence
            for sentence in sentences
            if any(_share(name, _stems(sentence, document)) >= _MOST_OF for name in names)
        ]
    elif document.cached(stated_results):
        return None
    statements = list(_statements(sentences))
    answers = {finding.value for finding in statements}
    return statements[0] if len(answers) == 1 else None


def _statements(sentences: Iterable[Sentence]) -> Iterable[Finding]:
    for sentence in sentences:
        if "ignifican" not in sentence.text:
            continue
        if match := NOT_SIGNIFICANT.search(sentence.text):
            yield Finding(value=False, evidence=(sentence.evidence_of(match),))
        elif match := STATED_SIGNIFICANT.search(sentence.text):
            yield Finding(value=True, evidence=(sentence.evidence_of(match),))


P_VALUE = Field(
    name="p_value",
    find=p_value,
    names="p pvalue p_val main_p_value primary_p_value p_values significance_value",
    kinds=AMOUNT,
    parts=MappingProxyType({"value": "number", "operator": "sign comparison", "text": ""}),
    is_of_study=True,
    label="P value",
    column=Column(8, "number"),
)


STATISTICAL_SIGNIFICANCE = Field(
    name="statistical_significance",
    find=statistical_significance,
    names=(
        "is_significant significant statistically_significant significance is_statistically_significant "
        "result_significant"
    ),
    kinds=frozenset(("string", "boolean", "any")),
    is_of_study=True,
)


EFFECT_SIZE = Field(
    name="effect_size",
    find=effect_size,
    names=(
        "effect effect_estimate effect_measure main_effect odds_ratio hazard_ratio risk_ratio "
        "relative_risk rate_ratio mean_difference effect_value treatment_effect or hr rr or_value hr_value "
        "rr_value primary_effect effect_sizes estimate measure_of_effect auc sensitivity correlation"
    ),
    kinds=AMOUNT,
    parts=ESTIMATE_PARTS,
    narrow=of_measure,
    unit="of its measure",
    is_of_study=True,
    label="Effect",
    column=Column(
        7,
        {"measure": "string", "value": "number", "low": "number", "high": "number", "level": "number"},
    ),
)


CONFIDENCE_INTERVAL = Field(
    name="confidence_interval",
    find=confidence_interval,
    names=("ci ci_95 ci95 confidence_limits effect_ci confidence_intervals interval 95_ci 95_confidence_interval"),
    kinds=OBJECT,
    parts=BOUND_PARTS,
    unit="of the effect's measure",
    is_of_study=True,
    label="Confidence interval",
)
