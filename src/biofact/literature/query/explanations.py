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

HEADINGS, KNOWN_PHRASES, SIZE, AS_WRITTEN = 0.3, 0.2, 0.35, 0.15
"""The weight of each measure."""
USEFUL: dict[QueryStrategy, tuple[int, int]] = {
    "comprehensive": (100, 10_000),
    "focused": (10, 1_000),
    "exploratory": (20, 5_000),
}
"""The useful range of articles for a query of a strategy."""
_TOLERANCE = 2.0  # orders of magnitude outside the useful range, from which on the size scores 0


@dataclass(frozen=True, slots=True)
class Confidence:
    """A score, and its parts in words."""

    score: float
    in_words: str


def confidence_in(
    check: CheckedQuery,
    *,
    has_heading: Sequence[bool],
    phrases: int,
    strategy: QueryStrategy,
    is_whole: bool = True,
) -> Confidence:
    """The confidence in a query: by headings of its concepts, known phrases, its size, and its subjects."""
    if check.count is None:
        return Confidence(0.0, "Confidence 0: PubMed could not be asked.")
    if not check.count:
        return Confidence(0.0, "Confidence 0: nothing matches.")
    if not is_whole:
        return Confidence(0.0, "Confidence 0: it does not look for every subject of the goal.")
    heading_share = sum(has_heading) / len(has_heading) if has_heading else 0.0
    known_share = max(0.0, 1 - len(check.unknown) / phrases) if phrases else 0.0
    size = size_fit(check.count, strategy)
    score = round(
        HEADINGS * heading_share + KNOWN_PHRASES * known_share + SIZE * size + AS_WRITTEN * check.is_as_written, 2
    )
    low, high = USEFUL[strategy]
    articles = "1 article is" if check.count == 1 else f"{check.count:,} articles are"
    return Confidence(
        score,
        f"Confidence {score:g}: {sum(has_heading)} of {len(has_heading)} concepts have a MeSH heading;"
        f" PubMed knows {phrases - len(check.unknown)} of {phrases} phrases; {articles}"
        f" {'within' if size == 1 else 'outside'} the {low:,}-{high:,} that suit the {strategy} strategy;"
        f" PubMed reads it {'as written' if check.is_as_written else 'otherwise than written'}.",
    )


def size_fit(count: int, strategy: QueryStrategy) -> float:
    """1 within the useful range; less for each order of magnitude outside it."""
    low, high = USEFUL[strategy]
    if count < low:
        orders_outside = math.log10(low / max(count, 1))
    elif count > high:
        orders_outside = math.log10(count / high)
    else:
        return 1.0
    return max(0.0, 1 - orders_outside / _TOLERANCE)


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
    query: CountedQuery, request: QueryRequest, today: dt.date, unknown: Container[str] = ()
) -> CanonicalPubMedQuery:
    """A query by rules. Headings that PubMed does not know count as none."""
    draft, check = query.draft, query.check
    headings = [subject.headings_outside(unknown) for subject in draft.subjects if not subject.is_optional]
    trust = confidence_in(
        check,
        has_heading=[bool(known_headings) for known_headings in headings] or [False],
        phrases=len(terms.phrases(check.query)),
        strategy=request.query_strategy,
        is_whole=not query.missing_subjects,
    )
    description = "; ".join(filter(None, (_draft_in_words(draft), draft.filters.in_words())))
    return _query(check, f"{description}. {trust.in_words}", trust.score, today, query.notes)


def suggested_query(
    candidate: SuggestedQuery,
    check: CheckedQuery,
    request: QueryRequest,
    subjects: Iterable[Subject],
    *,
    today: dt.date,
) -> CanonicalPubMedQuery:
    """A query by a model; a clause has a heading if it names one, or a subject that has one."""
    names_with_heading = {
        wording.key(name)
        for subject in subjects
        if subject.headings
        for name in (*subject.headings, *subject.concept.names, *subject.synonyms, *subject.related)
    }
    trust = confidence_in(
        check,
        has_heading=[
            terms.HEADING in clause
            or any(wording.key(phrase) in names_with_heading for phrase in terms.phrases(clause))
            for clause in candidate.clauses
        ],
        phrases=len(terms.phrases(check.query)),
        strategy=request.query_strategy,
    )
    reason = candidate.rationale.rstrip(".") or "A further combination of terms"
    return _query(check, f"Model: {reason}. {trust.in_words}", trust.score, today, ())


def scope(count: int | None, today: dt.date) -> str:
    """The number of articles, in words."""
    if count is None:
        return "unknown: PubMed could not be asked"
    return f"{count:,} article{'' if count == 1 else 's'} on {today}" if count else f"no articles on {today}"


def complexity(queries: Sequence[str], concepts: int) -> Complexity:
    """The complexity by the number of concepts and the phrases of the longest query."""
    phrases = max((len(terms.phrases(query)) for query in queries), default=0)
    if concepts >= _MANY_CONCEPTS or phrases > _MANY_PHRASES:
        return "complex"
    return "moderate" if concepts > 1 else "simple"


def context(domain: Domain | None) -> str:
    """The meaning that ambiguous words have in a domain."""
    return _CONTEXTS[domain or "general"]


def synonyms_in(queries: Iterable[str], subjects: Iterable[Subject]) -> list[str]:
    """The synonyms of the subjects in the queries."""
    used = {phrase.lower() for query in queries for phrase in terms.phrases(query)}
    words = (word for subject in subjects for word in (*subject.synonyms, *subject.related))
    # heart attack* has the synonym heart attacks
    stems = tuple(phrase.removesuffix("*") for phrase in used if phrase.endswith("*"))
    return [word for word in dict.fromkeys(words) if word.lower() in used or word.lower().startswith(stems)]


def assumptions(request: QueryRequest, parsed_goal: ParsedGoal, filters: QueryFilters) -> Iterator[Notice]:
    """Notices of assumptions about the goal, and of words that the queries leave out."""
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
    yield from _omission_notices(parsed_goal)


def _omission_notices(parsed_goal: ParsedGoal) -> Iterator[Notice]:
    """Notices of the parts of a goal that are excluded, offered, or not in the queries."""
    if parsed_goal.excluded:
        message = f"Excluded, as the goal says: {', '.join(parsed_goal.excluded):.200}."
        yield Notice(code="ASSUMED", message=message)
    for words in parsed_goal.unsearchable:
        message = f"'without {words:.60}' is not in the queries: PubMed cannot tell it. exclude_terms leaves words out."
        yield Notice(code="TERM_IGNORED", message=message)
    if optional_names := [concept.name for concept in parsed_goal.concepts if concept.role == "optional"]:
        message = f"Offered, and not required by a comprehensive query: {', '.join(optional_names):.200}."
        yield Notice(code="ASSUMED", message=message)
    if parsed_goal.omitted_concepts:
        message = (
            f"Left out, for so many concepts find nothing together: {', '.join(parsed_goal.omitted_concepts):.200}."
        )
        yield Notice(code="TERM_IGNORED", message=message)


def _query(
    check: CheckedQuery, rationale: str, score: float, today: dt.date, notes: Sequence[Notice]
) -> CanonicalPubMedQuery:
    return CanonicalPubMedQuery(
        query_string=check.query,
        rationale=rationale,
        expected_scope=scope(check.count, today),
        confidence_score=score,
        result_count=check.count,
        notices=[*notes, *check.notices],
    )


def _draft_in_words(draft: Draft) -> str:
    """The main point of a query, and the way of searching for each concept."""
    parts = [part for part in draft.parts if not part.subject.is_optional] or list(draft.parts)
    related_names = [part.subject.concept.name for part in parts if part.style == "related"]
    if len({part.style for part in parts}) == 1:
        lead = STYLES[parts[0].style]
    elif related_names:
        lead = f"What is related to {' and '.join(related_names)}"
    else:
        leading = [part.subject.concept.name for part in parts if part.style in {"major", "title"}]
        lead = f"{' and '.join(leading) or 'One'} as main point"
    ways = zip(draft.parts, draft.clauses, strict=True)
    return f"{lead}: {', and '.join(_way(part, clause) for part, clause in ways)}"


def _way(part: QueryPart, clause: Sequence[Alternative]) -> str:
    """A concept, and the fields of the search for it."""
    name = part.subject.concept.name
    if part.style == "related":
        return f"in place of {name} {', '.join(terms.phrases(terms.any_of(clause)))}"
    places = list(dict.fromkeys(_PLACES[tag] for tag in terms.fields(terms.any_of(clause))))
    count = len(terms.words_of(terms.any_of(clause)))
    extra = f", {count} forms" if count > 1 else ""
    return f"{name} ({' or '.join(places)}{extra})"


def _assumption(assumption: str, parameter: str) -> Notice:
    return Notice(code="ASSUMED", message=f"Read {assumption}; set {parameter} to choose.")
