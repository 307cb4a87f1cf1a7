"""An answer in words: rationales, confidence, scope, and what was assumed about a goal. Pure.

docs/queries.md has the formula of the confidence.
"""

import datetime as dt
import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from biofact.core.records import Notice
from biofact.literature.choices import Domain, QueryStrategy
from biofact.literature.query import synonyms, terms, wording
from biofact.literature.query.concepts import ParsedGoal
from biofact.literature.query.counts import CheckedQuery, CountedQuery
from biofact.literature.query.drafts import STYLES, Draft, QueryPart
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.records import CanonicalPubMedQuery, Complexity, QueryRequest
from biofact.literature.query.subjects import Subject
from biofact.literature.query.suggestions import SuggestedQuery
from biofact.literature.query.terms import Alternative

HEADINGS, KNOWN, SIZE, AS_WRITTEN = 0.3, 0.2, 0.35, 0.15
"""What each measure is worth."""
USEFUL: dict[QueryStrategy, tuple[int, int]] = {
    "comprehensive": (100, 10_000),
    "focused": (10, 1_000),
    "exploratory": (20, 5_000),
}
"""From how many to how many articles a query of a strategy serves its purpose."""
_FORGIVEN = 2.0  # orders of magnitude outside, at which nothing is left


@dataclass(frozen=True, slots=True)
class Confidence:
    """A score, and what it is made of."""

    score: float
    in_words: str


def confidence_in(
    checked: CheckedQuery,
    *,
    has_heading: Sequence[bool],
    phrases: int,
    strategy: QueryStrategy,
    is_whole: bool = True,
) -> Confidence:
    """The confidence in a query: by headings of its concepts, known phrases, its size, and its subjects."""
    if checked.count is None:
        return Confidence(0.0, "Confidence 0: PubMed could not be asked.")
    if not checked.count:
        return Confidence(0.0, "Confidence 0: nothing matches.")
    if not is_whole:
        return Confidence(0.0, "Confidence 0: it does not look for every subject of the goal.")
    headed = sum(has_heading) / len(has_heading) if has_heading else 0.0
    known = max(0.0, 1 - len(checked.unknown) / phrases) if phrases else 0.0
    size = size_fit(checked.count, strategy)
    score = round(HEADINGS * headed + KNOWN * known + SIZE * size + AS_WRITTEN * checked.is_as_written, 2)
    low, high = USEFUL[strategy]
    articles = "1 article is" if checked.count == 1 else f"{checked.count:,} articles are"
    return Confidence(
        score,
        f"Confidence {score:g}: {sum(has_heading)} of {len(has_heading)} concepts have a MeSH heading;"
        f" PubMed knows {phrases - len(checked.unknown)} of {phrases} phrases; {articles}"
        f" {'within' if size == 1 else 'outside'} the {low:,}-{high:,} that suit the {strategy} strategy;"
        f" PubMed reads it {'as written' if checked.is_as_written else 'otherwise than written'}.",
    )


def size_fit(count: int, strategy: QueryStrategy) -> float:
    """1 within the useful range; outside it falls with the order of magnitude."""
    low, high = USEFUL[strategy]
    if count < low:
        off = math.log10(low / max(count, 1))
    elif count > high:
        off = math.log10(count / high)
    else:
        return 1.0
    return max(0.0, 1 - off / _FORGIVEN)


_CONTEXTS: dict[Domain, str] = {
    "medical": "medical: of several meanings, diseases, procedures and care come first",
    "technology": "technology: of several meanings, computing and technical methods come first",
    "biology": "biology: of several meanings, genes, organisms and molecules come first",
    "psychology": "psychology: of several meanings, mind and behaviour come first",
    "general": "general: no meaning is preferred",
}
_PLACES = {
    terms.HEADING: "MeSH heading",
    terms.MAJOR: "MeSH major topic",
    terms.ABSTRACT: "title and abstract",
    terms.TITLE: "title",
    f"{terms.ABSTRACT}{terms.PROXIMITY}": "title and abstract",
    f"{terms.TITLE}{terms.PROXIMITY}": "title",
}
_MANY_CONCEPTS, _MANY_PHRASES = 4, 30


def rules_query(
    counted: CountedQuery, request: QueryRequest, today: dt.date, unknown: Container[str] = ()
) -> CanonicalPubMedQuery:
    """A query that the rules made. Headings among what PubMed does not know count as none."""
    draft, checked = counted.draft, counted.checked
    headings = [one.headings_outside(unknown) for one in draft.subjects if not one.is_optional]
    trust = confidence_in(
        checked,
        has_heading=[bool(known) for known in headings] or [False],
        phrases=len(terms.phrases(checked.query)),
        strategy=request.query_strategy,
        is_whole=not counted.lost,
    )
    about = "; ".join(filter(None, (_draft_in_words(draft), draft.filters.in_words())))
    return _query(checked, f"{about}. {trust.in_words}", trust.score, today, counted.notes)


def suggested_query(
    candidate: SuggestedQuery,
    checked: CheckedQuery,
    request: QueryRequest,
    subjects: Iterable[Subject],
    *,
    today: dt.date,
) -> CanonicalPubMedQuery:
    """A query that a model suggested; its clauses have a heading where they name one, or a subject that has one."""
    headed = {
        wording.key(name)
        for one in subjects
        if one.headings
        for name in (*one.headings, *one.concept.names, *one.synonyms, *one.related)
    }
    trust = confidence_in(
        checked,
        has_heading=[
            terms.HEADING in clause or any(wording.key(phrase) in headed for phrase in terms.phrases(clause))
            for clause in candidate.clauses
        ],
        phrases=len(terms.phrases(checked.query)),
        strategy=request.query_strategy,
    )
    reason = candidate.rationale.rstrip(".") or "A further combination of terms"
    return _query(checked, f"Model: {reason}. {trust.in_words}", trust.score, today, ())


def scope(count: int | None, today: dt.date) -> str:
    """How many articles there are, in words."""
    if count is None:
        return "unknown: PubMed could not be asked"
    return f"{count or 'no':,} article{'' if count == 1 else 's'} on {today}" if count else f"no articles on {today}"


def complexity(queries: Sequence[str], concepts: int) -> Complexity:
    """By the concepts and phrases of the longest query."""
    phrases = max((len(terms.phrases(query)) for query in queries), default=0)
    if concepts >= _MANY_CONCEPTS or phrases > _MANY_PHRASES:
        return "complex"
    return "moderate" if concepts > 1 else "simple"


def context(domain: Domain | None) -> str:
    """How ambiguous words were read."""
    return _CONTEXTS[domain or "general"]


def synonyms_in(queries: Iterable[str], subjects: Iterable[Subject]) -> list[str]:
    """The other words for the subjects that the queries have."""
    used = {phrase.lower() for query in queries for phrase in terms.phrases(query)}
    words = (word for one in subjects for word in (*one.synonyms, *one.related))
    stems = tuple(phrase.removesuffix("*") for phrase in used if phrase.endswith("*"))
    return [word for word in dict.fromkeys(words) if word.lower() in used or word.lower().startswith(stems)]


def assumptions(request: QueryRequest, parsed_goal: ParsedGoal, filters: QueryFilters) -> Iterator[Notice]:
    """What was read out of the goal, and what of it is not in the queries."""
    if parsed_goal.dates and not request.time_frame:
        yield _assumption(
            f"{parsed_goal.time_words!r:.60} in the goal as {filters.in_words().split(';')[0]}", "time_frame"
        )
    elif parsed_goal.dates and request.time_frame and any(letter.isdigit() for letter in parsed_goal.time_words):
        message = f"time_frame={request.time_frame!r} is used in place of the goal's {parsed_goal.time_words!r:.60}."
        yield Notice(code="TERM_IGNORED", message=message)
    if filters.trials == "applied":
        yield _assumption(f"{', '.join(filters.designs)} in the goal as the Cochrane filter for trials", "study_types")
    elif filters.designs and not request.study_types:
        yield _assumption(f"the goal's words as study types: {', '.join(filters.designs)}", "study_types")
    if parsed_goal.own_work:
        yield _assumption(f"{parsed_goal.own_work!r:.80} as what is being written, not as a study type", "study_types")
    for concept in parsed_goal.concepts:
        if concept.ambiguous_acronym:
            meaning = synonyms.synonym_entry(concept.ambiguous_acronym, request.domain)
            yield _assumption(f"{concept.ambiguous_acronym} as {meaning.phrase if meaning else concept.name}", "domain")
    yield from _set_aside(parsed_goal)


def _set_aside(parsed_goal: ParsedGoal) -> Iterator[Notice]:
    """What of a goal is excluded, offered, or not in the queries."""
    if parsed_goal.excluded:
        message = f"Excluded, as the goal says: {', '.join(parsed_goal.excluded):.200}."
        yield Notice(code="ASSUMED", message=message)
    for words in parsed_goal.unsearchable:
        message = f"'without {words:.60}' is not in the queries: PubMed cannot tell it. exclude_terms leaves words out."
        yield Notice(code="TERM_IGNORED", message=message)
    if offered := [one.name for one in parsed_goal.concepts if one.role == "optional"]:
        message = f"Offered, and not required by a comprehensive query: {', '.join(offered):.200}."
        yield Notice(code="ASSUMED", message=message)
    if parsed_goal.omitted:
        message = f"Left out, for so many concepts find nothing together: {', '.join(parsed_goal.omitted):.200}."
        yield Notice(code="TERM_IGNORED", message=message)


def _query(
    checked: CheckedQuery, rationale: str, score: float, today: dt.date, notes: Sequence[Notice]
) -> CanonicalPubMedQuery:
    return CanonicalPubMedQuery(
        query_string=checked.query,
        rationale=rationale,
        expected_scope=scope(checked.count, today),
        confidence_score=score,
        result_count=checked.count,
        notices=[*notes, *checked.notices],
    )


def _draft_in_words(draft: Draft) -> str:
    """What the query is after, and how each concept is searched for."""
    parts = [part for part in draft.parts if not part.subject.is_optional] or list(draft.parts)
    swapped = [part.subject.concept.name for part in parts if part.style == "related"]
    if len({part.style for part in parts}) == 1:
        lead = STYLES[parts[0].style]
    elif swapped:
        lead = f"What is related to {' and '.join(swapped)}"
    else:
        leading = [part.subject.concept.name for part in parts if part.style in {"major", "title"}]
        lead = f"{' and '.join(leading) or 'One'} as main point"
    ways = zip(draft.parts, draft.clauses, strict=True)
    return f"{lead}: {', and '.join(_way(part, clause) for part, clause in ways)}"


def _way(part: QueryPart, clause: Sequence[Alternative]) -> str:
    """A concept, and where it is searched for."""
    name = part.subject.concept.name
    if part.style == "related":
        return f"in place of {name} {', '.join(terms.phrases(terms.any_of(clause)))}"
    places = list(dict.fromkeys(_PLACES[tag] for tag in terms.fields(terms.any_of(clause))))
    count = len(terms.words_of(terms.any_of(clause)))
    extra = f", {count} forms" if count > 1 else ""
    return f"{name} ({' or '.join(places)}{extra})"


def _assumption(what: str, parameter: str) -> Notice:
    return Notice(code="ASSUMED", message=f"Read {what}; set {parameter} to choose.")
