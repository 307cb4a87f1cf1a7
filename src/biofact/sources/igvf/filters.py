"""What a caller filters by: read once, told to each endpoint in its own words, and held against every row. Pure."""

import math
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from biofact.core.argument_faults import InvalidPart, InvalidValues
from biofact.sources.igvf.catalog import Endpoint, edges
from biofact.sources.igvf.records import FullAssociation, TermEntity
from biofact.sources.igvf.term_ids import native, shown

_TESTS: dict[str, Callable[[float, float], bool]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}
_SIGNS = {">=": "gte", ">": "gt", "<=": "lte", "<": "lt", "": ""}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_RANGE = re.compile(rf"(?:(?P<word>gte|gt|lte|lt):|(?P<sign>>=|>|<=|<|))\s*(?P<number>{_NUMBER})", re.IGNORECASE)
_GREATEST = 1e300  # of a bound
_MARGIN = 1e-6  # of a logarithm, so that a bound is not lost by rounding it
_TERM = re.compile(r"[A-Za-z]+[:_]\d{3,}")
_AND = "; "  # between the sources of a row
_NAMES_OF_SOURCES = {"gtex": "EBI", "eqtl catalogue": "EBI", "gwas catalog": "OpenTargets"}
"""Whose data stand under another name in the Catalog."""


@dataclass(frozen=True, slots=True)
class Range:
    """A bound that a number has to keep."""

    word: str
    """gte, gt, lte or lt, as the service has them."""
    bound: float

    def __str__(self) -> str:
        return f"{self.word}:{self.bound:.10g}"

    def is_tighter(self, asked: str) -> bool:
        """Whether it leaves less than a bound on the same side, written as the service has it."""
        word, _, number = asked.partition(":")
        if word[:2] != self.word[:2]:
            return False
        return self.bound > float(number) if self.word.startswith("g") else self.bound < float(number)

    def holds(self, value: float | None) -> bool:
        """Whether a number keeps it; one that is not known does not."""
        return value is not None and _TESTS[self.word](value, self.bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """All filters; None is none."""

    written: Mapping[str, object] = field(default_factory=dict)
    """As the caller wrote them."""
    tissue_terms: tuple[TermEntity, ...] = ()
    """What the tissue is called in ontologies, where it is known."""
    p_value: Range | None = None
    """An upper bound."""
    source: str | None = None
    tissue: str | None = None
    """In words, or as a term's ID."""
    method: str | None = None
    label: str | None = None
    score: Range | None = None
    z_score: Range | None = None
    effect: Range | None = None
    r2: Range | None = None
    d_prime: Range | None = None
    ancestry: str | None = None

    @classmethod
    def read(cls, given: Mapping[str, object]) -> "Filters":
        """The filters that a caller wrote.

        Raises:
            InvalidValues: some of them are unknown, or their values cannot be understood.
        """
        values: dict[str, Any] = {}
        wrong: list[InvalidPart] = []
        for name, value in given.items():
            try:
                if value is not None:
                    values[name] = _read(name, value)
            except InvalidValues as error:
                wrong += error.wrong
        if wrong:
            raise InvalidValues(wrong)
        return cls(**values, written={name: value for name, value in given.items() if value is not None})

    def given(self) -> dict[str, Any]:
        """Those that are given, by name."""
        return {name: value for name in FILTERS if (value := getattr(self, name)) is not None}

    def only(self, names: Collection[str]) -> "Filters":
        """Some of them."""
        left: dict[str, Any] = {name: None for name in FILTERS if name not in names}
        return replace(self, **left, written={name: self.written[name] for name in self.written if name in names})

    def inclusive(self) -> "Filters":
        """As the service knows them: a p-value on its bound is no stranger."""
        if self.p_value is None:
            return self
        return replace(self, p_value=Range("lte", self.p_value.bound))

    def hold(self, row: FullAssociation) -> bool:
        """Whether a row keeps all of them."""
        return all(
            self._is_of_tissue(row) if name == "tissue" else _holds(name, wanted, row)
            for name, wanted in self.given().items()
        )

    def _is_of_tissue(self, row: FullAssociation) -> bool:
        """By its term; a row that names no term, by the words."""
        named = {one for one in (row.context_id, row.cell_annotation_id) if one}
        if not self.tissue_terms or not named:
            names = [name for one in self.tissue_terms for name in (one.name, *one.synonyms) if name]
            return any(_is_in(name, row) for name in names or [str(self.tissue)])
        return bool(named & {one.id for one in self.tissue_terms})


FILTERS = tuple(one.name for one in fields(Filters) if one.name not in {"written", "tissue_terms"})
_RANGES = frozenset({"score", "z_score", "effect", "r2", "d_prime"})


def told(endpoint: Endpoint, filters: Filters) -> dict[str, str]:
    """What the service is told of the filters: those that the endpoint takes, in its own words."""
    found: dict[str, str] = {}
    for name, wanted in filters.given().items():
        match name:
            case "p_value" if "neg_log10_pvalue" in endpoint.parameters:
                found["neg_log10_pvalue"] = f"gte:{-math.log10(wanted.bound) - _MARGIN:.6f}"
            case "tissue" if filters.tissue_terms and "biosample_term" in endpoint.parameters:
                if len(filters.tissue_terms) == 1:  # the endpoint takes one
                    found["biosample_term"] = native(filters.tissue_terms[0].id)
            case "tissue" if is_term(str(wanted)) and "biosample_term" in endpoint.parameters:
                found["biosample_term"] = native(str(wanted))
            case "tissue" if "biological_context" in endpoint.parameters:
                found["biological_context"] = str(wanted)
            case "z_score" | "r2" | "d_prime" if endpoint.parameters.get(name) == "range":
                found[name] = str(wanted)
            case "source" if any(_AND in one for one in endpoint.sources):
                pass  # a row of two sources is of each, which the service would not send
            case "source" | "method" | "label" | "ancestry" if name in endpoint.parameters:
                found[name] = _spelt(endpoint, name, str(wanted)) or ""
            case _:
                pass  # the rows are held against it
    return found


def is_term(tissue: str) -> bool:
    """Whether a tissue is given as a term's ID."""
    return _TERM.fullmatch(tissue) is not None


def told_of(endpoint: Endpoint, name: str) -> bool:
    """Whether the service itself filters an endpoint's rows by this."""
    parameters = {"p_value": "neg_log10_pvalue", "tissue": "biological_context"}
    return parameters.get(name, name) in endpoint.parameters


def renamed(filters: Filters) -> str | None:
    """The name of a source in the Catalog, where the caller's is another."""
    return _NAMES_OF_SOURCES.get((filters.source or "").casefold())


def why_not(endpoint: Endpoint, filters: Filters) -> str | None:
    """Which filter an endpoint's rows cannot keep; None where they can keep all."""
    return next((name for name, wanted in filters.given().items() if not _takes(endpoint, name, wanted)), None)


def valid_values(endpoint: Endpoint, name: str) -> tuple[str, ...]:
    """The values of a filter that an endpoint takes; none where they are no list, or it does not take any."""
    if name == "source":
        return endpoint.sources
    values = endpoint.parameters.get(name, ())
    return () if isinstance(values, str) else values


def _takes(endpoint: Endpoint, name: str, wanted: object) -> bool:
    if name in {"source", "method", "label", "ancestry"}:
        return name not in edges()[endpoint.edge].lacks and _spelt(endpoint, name, str(wanted)) is not None
    return name in edges()[endpoint.edge].has


def _spelt(endpoint: Endpoint, name: str, wanted: str) -> str | None:
    """The valid value that a caller means, in any letter case."""
    asked = _NAMES_OF_SOURCES.get(wanted.casefold(), wanted) if name == "source" else wanted
    return next((one for one in valid_values(endpoint, name) if one.casefold() == asked.casefold()), None)


def _read(name: str, value: object) -> object:
    if name not in FILTERS:
        raise InvalidValues([InvalidPart((name,), value, f"there is no filter {name!r:.80}", known=FILTERS)])
    if name in _RANGES:
        return _range(name, value)
    if name == "p_value":
        return _p_value(value)
    if not isinstance(value, str) or not value.strip() or re.search(r"[\"'\\`\x00-\x1f]", value):
        raise _refused(name, value, "text, without quotes")
    return value.strip()


def _range(name: str, value: object, *, bare: str = "gte") -> Range:
    """A bound; ``bare`` is what a number without a sign is."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _GREATEST
    text = f"{value:.17g}" if is_number else value
    found = _RANGE.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or not math.isfinite(float(found["number"])):
        raise _refused(name, value, "a number (the least), or one with a sign, such as '>0.7', '<=-2' or 'gte:0.8'")
    return Range((found["word"] or _SIGNS[found["sign"]] or bare).lower(), float(found["number"]))


def _p_value(value: object) -> Range:
    bound = _range("p_value", value, bare="lte")
    if bound.word not in {"lt", "lte"} or not 0 < bound.bound <= 1:
        raise _refused("p_value", value, "the greatest p-value, above 0 and at most 1, such as 0.05")
    return bound


def _refused(name: str, value: object, expected: str) -> InvalidValues:
    return InvalidValues([InvalidPart((name,), value, expected=expected)])


def _holds(name: str, wanted: object, row: FullAssociation) -> bool:
    match name:
        case "p_value" if isinstance(wanted, Range):
            p = 0.0 if row.neg_log10_p_value is not None else row.p_value
            return p is not None and (_shown(p, wanted.bound) if wanted.word == "lte" else p < wanted.bound)
        case "source":
            asked = _NAMES_OF_SOURCES.get(str(wanted).casefold(), str(wanted))
            return any(_is(one, asked) for one in (row.source or "").split(_AND))
        case "method" | "label" | "ancestry":
            told_by = getattr(row, name)
            return _is(told_by, str(wanted))
        case _:
            return isinstance(wanted, Range) and wanted.holds(getattr(row, name))


def _shown(p: float, greatest: float) -> bool:
    """Whether a p-value, which is shown with four digits, is at most this."""
    return p <= max(greatest, float(f"{greatest:.4g}"))


def _is(told_by: str | None, wanted: str) -> bool:
    return (told_by or "").casefold() == wanted.casefold()


def _is_in(tissue: str, row: FullAssociation) -> bool:
    """Whether a row is about a tissue: the term, or a context whose name holds all the words."""
    if is_term(tissue):
        wanted = shown(tissue).casefold()
        return wanted in {(row.context_id or "").casefold(), (row.cell_annotation_id or "").casefold()}
    words = set(re.findall(r"\w+", tissue.casefold()))
    contexts = (row.context, row.cell_annotation)
    return bool(words) and any(words <= set(re.findall(r"\w+", (one or "").casefold())) for one in contexts)
