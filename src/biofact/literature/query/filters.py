"""Filters of every query of a request: publication dates, study types, the Cochrane filter, exclusions. Pure.

The Cochrane Highly Sensitive Search Strategy stands here as published, in its sensitivity-maximising version: for
PubMed the 2008 revision, box 6.4.a of the Cochrane Handbook 5.1; for Ovid the 2023 revision, in the technical
supplement to chapter 4 of the present edition. The lines are as published strategies quote them (read 2026-11-26).
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from biofact.literature.choices import TimeFrame
from biofact.literature.query import cues, wording
from biofact.literature.query.concepts import ParsedGoal
from biofact.literature.query.cues import PublicationDates
from biofact.literature.query.records import QueryRequest
from biofact.literature.query.terms import (
    ABSTRACT,
    DATE,
    HEADING,
    TITLE,
    TYPE,
    Alternative,
    FieldTerm,
    TermWithout,
    any_of,
)

TRIAL_FILTER_NAME = "Cochrane filter for randomised trials, sensitivity-maximising version"
TRIAL_FILTER_SOURCE = (
    "Lefebvre et al., Cochrane Handbook for Systematic Reviews of Interventions: for PubMed the 2008 revision (version"
    " 5.1, box 6.4.a), for Ovid the 2023 revision (technical supplement to chapter 4)"
)
TRIAL_FILTER_PUBMED = (
    "(randomized controlled trial [pt] OR controlled clinical trial [pt] OR randomized [tiab] OR placebo [tiab]"
    " OR drug therapy [sh] OR randomly [tiab] OR trial [tiab] OR groups [tiab]) NOT (animals [mh] NOT humans [mh])"
)
TRIAL_FILTER_OVID = (
    "(exp randomized controlled trial/ or controlled clinical trial.pt. or randomized.ab. or placebo.ab."
    " or drug therapy.fs. or randomly.ab. or trial.ab. or groups.ab.) not (exp animals/ not humans.sh.)"
)
TRIAL_FILTER_TYPES = frozenset({"Randomized Controlled Trial", "Clinical Trial"})
"""Study types that a goal's words name and that the filter stands for."""


_MONTHS: dict[TimeFrame, int] = {"last_year": 12, "last_5_years": 60, "last_10_years": 120}
_OPEN_START, _OPEN_END = "1500/01/01", "3000"  # PubMed wants both ends

_DESIGNS: dict[str, tuple[FieldTerm, ...]] = {
    # NLM's types of publications; cohort studies and their like are not types but subjects.
    "Case Study": (FieldTerm("Case Reports", TYPE),),
    "Cohort Studies": (FieldTerm("Cohort Studies", HEADING), FieldTerm("cohort", ABSTRACT)),
    "Longitudinal Studies": (FieldTerm("Longitudinal Studies", HEADING), FieldTerm("longitudinal", ABSTRACT)),
    "Case-Control Studies": (FieldTerm("Case-Control Studies", HEADING), FieldTerm("case-control", ABSTRACT)),
    "Cross-Sectional Studies": (FieldTerm("Cross-Sectional Studies", HEADING), FieldTerm("cross-sectional", ABSTRACT)),
    "Qualitative Research": (FieldTerm("Qualitative Research", HEADING), FieldTerm("qualitative", ABSTRACT)),
    "Validation Study": (FieldTerm("Validation Study", TYPE), FieldTerm("validation", ABSTRACT)),
}
_EXCLUDED_TYPES = {  # a term to exclude that names a kind of publication; as a word it stands in half of all abstracts
    "review": ("Review",),
    "literature review": ("Review",),
    "systematic review": ("Systematic Review",),
    "meta-analysis": ("Meta-Analysis",),
    "opinion": ("Editorial", "Comment"),
    "editorial": ("Editorial",),
    "commentary": ("Comment",),
    "comment": ("Comment",),
    "letter": ("Letter",),
    "case report": ("Case Reports",),
    "case study": ("Case Reports",),
    "case series": ("Case Reports",),
    "guideline": ("Guideline", "Practice Guideline"),
    "protocol": ("Clinical Trial Protocol",),
    "preprint": ("Preprint",),
    "erratum": ("Published Erratum",),
    "news": ("News",),
}
_TYPES_BY_KEY = {wording.key(name): types for name, types in _EXCLUDED_TYPES.items()}
_ANIMALS = {wording.key(name) for name in ("animal", "animal study", "animal model", "animal research", "animal trial")}


@dataclass(frozen=True, slots=True)
class QueryFilters:
    """The parts of a query other than its subject."""

    dates: PublicationDates | None = None
    designs: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    trials: Literal["", "applied", "offered"] = ""
    """Whether the Cochrane filter is the last line of the query, or offered as such."""

    @property
    def types(self) -> tuple[str, ...]:
        """The study types that the query asks for by NLM's names."""
        return tuple(
            design for design in self.designs if not (self.trials == "applied" and design in TRIAL_FILTER_TYPES)
        )

    @property
    def parts(self) -> tuple[str, ...]:
        """The clauses joined to the subject by AND, without the Cochrane filter."""
        designs = [term for design in self.types for term in _DESIGNS.get(design, (FieldTerm(design, TYPE),))]
        dates = (_date_clause(self.dates),) if self.dates else ()
        return (*dates, any_of(dict.fromkeys(designs))) if designs else dates

    @property
    def exclusion(self) -> str:
        """The clause after NOT; empty if nothing is excluded."""
        terms = dict.fromkeys(term for word in self.excluded for term in exclusion_terms(word))
        return any_of(terms) if terms else ""

    def applied(self, subject: str) -> str:
        """The whole query about a subject. PubMed reads operators from left to right."""
        query = " AND ".join((subject, *self.parts))
        query = f"{query} NOT {self.exclusion}" if self.excluded else query
        return f"{query} AND ({TRIAL_FILTER_PUBMED})" if self.trials == "applied" else query

    def in_words(self) -> str:
        """The articles that pass, as the end of a sentence; empty if all pass."""
        clauses = [_dates_in_words(self.dates)] if self.dates else []
        if self.types:
            clauses.append(f"of the study types {', '.join(self.types)}")
        if self.trials == "applied":
            clauses.append("by the Cochrane filter for randomised trials")
        if self.excluded:
            clauses.append(f"without {', '.join(self.excluded)}")
        return "; ".join(clauses)


def filters_of(request: QueryRequest, parsed_goal: ParsedGoal, today: dt.date) -> QueryFilters:
    """The filters given as parameters, else those in the goal's words; exclusions of both."""
    designs = tuple(dict.fromkeys(request.study_types)) or _designs(parsed_goal.designs, request.keywords)
    dates = parsed_goal.dates
    if request.time_frame:
        months = _MONTHS.get(request.time_frame)
        dates = PublicationDates(cues.before(today, months)) if months else None
    return QueryFilters(
        dates=dates,
        designs=designs,
        excluded=_each_once([*map(wording.keyword, request.exclude_terms), *parsed_goal.excluded]),
        trials=_trials(designs, parsed_goal, is_by_parameter=bool(request.study_types)),
    )


def _trials(
    designs: Sequence[str], parsed_goal: ParsedGoal, *, is_by_parameter: bool
) -> Literal["", "applied", "offered"]:
    """The use of the Cochrane filter: it replaces the goal's own words, but not types named by a parameter."""
    if designs and set(designs) <= TRIAL_FILTER_TYPES and not is_by_parameter:
        return "applied"
    is_on_trials = any("Trial" in design for design in designs) or (parsed_goal.is_intervention and not designs)
    return "offered" if is_on_trials else ""


def exclusion_terms(word: str) -> tuple[Alternative, ...]:
    """The terms that exclude articles on ``word``: by type or heading if it is one, else by title and abstract."""
    if wording.key(word) in _ANIMALS:
        return (TermWithout(FieldTerm("Animals", HEADING), FieldTerm("Humans", HEADING)),)
    types = _TYPES_BY_KEY.get(wording.key(word), ())
    return (*(FieldTerm(name, TYPE) for name in types), FieldTerm(word, TITLE if types else ABSTRACT))


def _designs(designs: Sequence[str], keywords: Sequence[str]) -> tuple[str, ...]:
    """The goal's own designs, without those that a keyword already requires."""
    required = {wording.key(word) for word in keywords}

    def is_required(design: str) -> bool:
        return any(wording.key(term.text) in required for term in _DESIGNS.get(design, ()))

    return tuple(dict.fromkeys(design for design in designs if not is_required(design)))


def _each_once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple({wording.key(word): word for word in words if word}.values())


def _date_clause(dates: PublicationDates) -> str:
    first = f"{dates.first:%Y/%m/%d}" if dates.first else _OPEN_START
    last = f"{dates.last:%Y/%m/%d}" if dates.last else _OPEN_END
    return f"({FieldTerm(first, DATE)} : {FieldTerm(last, DATE)})"


def _dates_in_words(dates: PublicationDates) -> str:
    if dates.first and dates.last:
        return f"published from {dates.first} to {dates.last}"
    return f"published since {dates.first}" if dates.first else f"published until {dates.last}"
