"""The main result of a study, by which its p-value, significance, effect and interval are chosen: that of the primary
outcome in the whole population; where none is called primary, that which title and conclusions speak of. Where none is
likely enough, there is none.

Each stated result has signs (``result_signs``), and each sign has weights, fitted to labelled abstracts by
``tools/fit_weights.py``: how much it speaks for being the main result, and for each role.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, cast

from biofact.literature.extraction.fields.effects import BOUND_PARTS, ESTIMATE_PARTS, direction, of_measure
from biofact.literature.extraction.fields.field import AMOUNT, OBJECT, Column, Field
from biofact.literature.extraction.fields.labelling.weights import read_weights, shares
from biofact.literature.extraction.fields.outcome_results import (
    ResultRole,
    StatedResult,
    is_p_value,
    stated_outcomes,
    stated_results,
)
from biofact.literature.extraction.fields.p_values import NOT_SIGNIFICANT, STATED_SIGNIFICANT, significance
from biofact.literature.extraction.fields.result_signs import (
    ResultLikeness,
    full_stems,
    likenesses,
    result_cues,
    result_signs,
    share,
)
from biofact.literature.extraction.fields.study_type import kind_of
from biofact.literature.extraction.findings import Finding, Value, main_finding
from biofact.literature.extraction.text.document import Document, Sentence

Part = Callable[[StatedResult], Finding | None]

MIN_SHARE = 0.35
"""The least probability of the main result."""
NEVER = 20.0
"""Taken from the weights of a result that is never the main one."""
OF_PRIMARY = 1.0
"""The weight of having all words of the primary outcome, beside what is learnt: short abstracts have little else."""
ONLY_RESULT = 2.5
"""The weight of being the only result: few abstracts to learn from have one."""
MIN_SURE = 0.6
"""The least probability, over all results, that the main one is significant, or is not."""
MIN_PRIMARY = 0.15
"""The least probability that a result which has most words of the primary outcome is of it."""
WITHOUT_MAIN_RESULT = frozenset(("review", "guideline", "protocol"))
"""Kinds of articles that quote results of others."""
NEVER_MAIN = frozenset(("baseline", "heterogeneity", "interaction", "model", "trend"))
"""Roles of results that answer no question of the study."""
NEAR_RESULTS = 2
"""Results before or behind another that can be further analyses of it."""
NOT_WHOLE = frozenset(("restricted", "lead restricted", "baseline", "safety", "crude"))
MOST_OF = 0.5
"""The share of an outcome's words that a sentence has which speaks of it."""


class Reading(NamedTuple):
    """A stated result, how likely it is the main one, and its likeliest role."""

    result: StatedResult
    share: float
    role: ResultRole
    outcome: Finding | None
    """The primary outcome that it is of, by the name that the text gives it."""
    likeness: ResultLikeness
    """How much it is of the outcomes that the text ranks."""


def readings(document: Document) -> list[Reading]:
    """All stated results, in the order of the text."""
    results = document.cached(stated_results)
    primary = document.cached(stated_outcomes).primary
    found: list[Reading] = []
    for result, likeness, role, main_share in zip(
        results, document.cached(likenesses), document.cached(_roles), document.cached(_main_shares), strict=True
    ):
        outcome = result.name if likeness.outcome is None else primary[likeness.outcome]
        found.append(Reading(result, main_share, role, outcome if role == "primary" else None, likeness))
    return found


def _roles(document: Document) -> list[ResultRole]:
    """The role of each result."""
    signs, table = document.cached(result_signs)[:-1], read_weights("result_roles")
    role_shares = (dict(zip(table.classes, shares(sums).tolist(), strict=True)) for sums in table.sums(signs))
    return [
        _role(share_of, likeness) for share_of, likeness in zip(role_shares, document.cached(likenesses), strict=True)
    ]


def _main_shares(document: Document) -> list[float]:
    """The probability of each result that it is the main one."""
    sums = read_weights("main_result").sums(document.cached(result_signs))[:, 0]
    has_primary = bool(document.cached(stated_outcomes).primary)
    likely = 0
    for place, (result, likeness, role, cues) in enumerate(
        zip(
            document.cached(stated_results),
            document.cached(likenesses),
            document.cached(_roles),
            document.cached(result_cues),
            strict=True,
        )
    ):
        is_of_outcome = likeness.primary >= MOST_OF
        if result.test or "baseline" in cues or (role in NEVER_MAIN and not is_of_outcome):
            sums[place] -= NEVER
        else:
            likely += likeness.primary > 0 or not has_primary
            sums[place] += OF_PRIMARY * (likeness.primary >= 1)
    sums[-1] -= ONLY_RESULT * (likely == 1)
    main_shares: list[float] = shares(sums)[:-1].tolist()
    return main_shares


def _role(role_shares: Mapping[str, float], likeness: ResultLikeness) -> ResultRole:
    """The likeliest role; primary even if less likely where the result has most words of the primary outcome."""
    role = cast("ResultRole", max(role_shares, key=role_shares.__getitem__))
    is_of_outcome = likeness.outcome is not None and likeness.primary >= MOST_OF
    return "primary" if is_of_outcome and role_shares["primary"] >= MIN_PRIMARY else role


def main_result(document: Document) -> StatedResult | None:
    """The likeliest main result, by the analysis of it that counts; None where none is likely enough."""
    found = document.cached(readings)
    best = max(range(len(found)), key=lambda place: found[place].share, default=None)
    if best is None or found[best].share < MIN_SHARE or kind_of(document) in WITHOUT_MAIN_RESULT:
        return None
    return _completed(found[counting_analysis(found, best, document)].result, document)


def counting_analysis(found: Sequence[Reading], place: int, document: Document) -> int:
    """The place of the analysis of a result that counts: in the whole population before a part of it, and adjusted
    before unadjusted, where the text states both next to each other.
    """
    cues = document.cached(result_cues)
    before = range(place - 1, max(-1, place - NEAR_RESULTS - 1), -1)
    if "restricted" in cues[place]:
        whole = (near for near in before if not cues[near] & NOT_WHOLE and _is_of_same(found, near, place))
        return next(whole, place)
    if "adjusted" in cues[place] and "crude" not in cues[place]:
        return place
    behind = range(place + 1, min(len(found), place + NEAR_RESULTS + 1))
    adjusted = (
        near
        for near in behind
        if "adjusted" in cues[near]
        and not cues[near] & {"crude", "restricted"}
        and (found[near].result.name is None or "crude" in cues[place])
        and _is_of_same(found, near, place)
    )
    return next(adjusted, place)


def _is_of_same(found: Sequence[Reading], near: int, place: int) -> bool:
    """Whether a result near another can be a further analysis of it."""
    first, second = found[near], found[place]
    names = [reading.result.name for reading in (first, second)]
    is_named_alike = None in names or len({str(name.value).lower() for name in names if name}) == 1
    is_of_primary = first.likeness.outcome is not None and first.likeness.primary > MOST_OF
    has_as_much = first.result.effect is not None or second.result.effect is None
    is_one_outcome = first.likeness.outcome == second.likeness.outcome and (is_named_alike or is_of_primary)
    return is_one_outcome and has_as_much and not first.result.test


def _completed(result: StatedResult, document: Document) -> StatedResult:
    """The result with the effect or p-value that the next clause states alone: one result may stand in two."""
    results = document.cached(stated_results)
    following = next((other for other in results[results.index(result) + 1 :]), None)
    if following is None or following.clause.sentence != result.clause.sentence or following.name is not None:
        return result
    has_other = (result.effect is None) != (following.effect is None)
    if has_other and (result.p_value is None) != (following.p_value is None) and not following.test:
        statistics = (*result.clause.statistics, *following.clause.statistics)
        return result._replace(clause=result.clause._replace(statistics=statistics))
    return result


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
    found = document.cached(readings) if kind_of(document) not in WITHOUT_MAIN_RESULT else []
    likely = [
        (reading.share, found[counting_analysis(found, place, document)].result) for place, reading in enumerate(found)
    ]
    for answer in (True, False):
        agreeing = [(share, result) for share, result in likely if _is_significant(result) is answer]
        if sum(share for share, _ in agreeing) >= MIN_SURE:
            _, best = max(agreeing, key=lambda pair: pair[0])
            return Finding(answer, _decisive(best).evidence, is_derived=True)
    return None if document.cached(main_result) is not None else _by_words(document)


def _decisive(result: StatedResult) -> Finding:
    """The p-value if it decides whether the result is significant, else the effect with its interval."""
    p_value = result.p_value
    decides = p_value is not None and isinstance(p_value.value, dict) and significance(p_value.value) is not None
    return p_value if p_value and (decides or result.effect is None) else result.effect or result.clause.statistics[0]


def _by_words(document: Document) -> Finding | None:
    """Significance by the sentences on the primary outcome; without one, by all results if they are called alike."""
    names = [full_stems(str(outcome.value), document) for outcome in document.cached(stated_outcomes).primary]
    sentences = [sentence for sentence in document.sentences if sentence.role in {"results", "conclusions", ""}]
    if names:
        sentences = [
            sentence
            for sentence in sentences
            if any(share(name, full_stems(sentence.text, document)) >= MOST_OF for name in names)
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


def _states_p_value(document: Document) -> bool:
    return any(result.p_value is not None for result in document.cached(stated_results))


def _states_effect(document: Document) -> bool:
    return any(result.effect is not None for result in document.cached(stated_results))


P_VALUE = Field(
    name="p_value",
    find=p_value,
    has_candidates=_states_p_value,
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
    has_candidates=lambda document: bool(document.cached(stated_results)),
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
    has_candidates=_states_effect,
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
    has_candidates=_states_effect,
    names=("ci ci_95 ci95 confidence_limits effect_ci confidence_intervals interval 95_ci 95_confidence_interval"),
    kinds=OBJECT,
    parts=BOUND_PARTS,
    unit="of the effect's measure",
    is_of_study=True,
    label="Confidence interval",
)
