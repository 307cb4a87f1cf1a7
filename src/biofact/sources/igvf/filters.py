"""Filters of associations: read once, sent to each endpoint in its own parameters, checked on every row. Pure."""

import math
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.sources.igvf.catalog import Endpoint, edges
from biofact.sources.igvf.records import FullAssociation, TermEntity
from biofact.sources.igvf.term_ids import curie, native

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}
_SIGNS = {">=": "gte", ">": "gt", "<=": "lte", "<": "lt", "": ""}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_RANGE = re.compile(rf"(?i)(?:(?P<word>gte|gt|lte|lt):|(?P<sign>>=|>|<=|<|))\s*(?P<number>{_NUMBER})")
_GREATEST = 1e300  # of a bound
_MARGIN = 1e-6  # of a logarithm, so that a bound is not lost by rounding it
_TERM = re.compile(r"[A-Za-z]+[:_]\d{3,}")
_AND = "; "  # between the sources of a row
_NAMES_OF_SOURCES = {"gtex": "EBI", "eqtl catalogue": "EBI", "gwas catalog": "OpenTargets"}
"""Sources whose rows the Catalog lists under another name."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower or upper bound of a number."""

    comparison: str
    """gte, gt, lte or lt, as the service has them."""
    number: float

    def __str__(self) -> str:
        return f"{self.comparison}:{self.number:.10g}"

    def is_tighter(self, parameter: str) -> bool:
        """Whether fewer numbers keep it than a bound on the same side, written as a parameter of the service."""
        comparison, _, number = parameter.partition(":")
        if comparison[:2] != self.comparison[:2]:
            return False
        return self.number > float(number) if self.comparison.startswith("g") else self.number < float(number)

    def accepts(self, value: float | None) -> bool:
        """Whether a number is within the bound; False for None."""
        return value is not None and _COMPARISONS[self.comparison](value, self.number)


FILTERS = ("p_value", "source", "tissue", "method", "label", "score", "z_score", "effect", "r2", "d_prime", "ancestry")
_RANGES = frozenset({"score", "z_score", "effect", "r2", "d_prime"})
_FIELDS = {
    "p_value": ("p_value", "neg_log10_p_value"),
    "tissue": ("context", "context_id", "cell_annotation", "cell_annotation_id"),
}
"""The fields of a row that a filter compares, if there are several."""


@dataclass(frozen=True, slots=True)
class AssociationFilters:
    """Filters of associations; without filters, every row is accepted."""

    by_name: Mapping[str, Any]
    """In the order of ``FILTERS``: of numbers a ``Bound``, which is an upper one of a p-value, else text."""
    raw_values: Mapping[str, object]
    """As the caller wrote them."""
    tissue_terms: tuple[TermEntity, ...] = ()
    """The ontology terms of the tissue; empty if there are none."""

    @property
    def tissue(self) -> str | None:
        """In words, or as a term's ID; None if it is no filter."""
        return self.by_name.get("tissue")

    @classmethod
    def read(cls, filters: Mapping[str, object]) -> "AssociationFilters":
        """The filters that a caller wrote.

        Raises:
            InvalidValues: some of them are unknown, or their values cannot be understood.
        """
        values: dict[str, Any] = {}
        invalid_parts: list[InvalidPart] = []
        for name, value in filters.items():
            try:
                if value is not None:
                    values[name] = _value(name, value)
            except InvalidValues as error:
                invalid_parts += error.parts
        if invalid_parts:
            raise InvalidValues(invalid_parts)
        by_name = {name: values[name] for name in FILTERS if name in values}
        return cls(by_name, {name: value for name, value in filters.items() if value is not None})

    def subset(self, names: Collection[str]) -> "AssociationFilters":
        """The filters with these names."""
        return replace(self, by_name={name: value for name, value in self.by_name.items() if name in names})

    def inclusive(self) -> "AssociationFilters":
        """As the service understands them: it sends rows whose p-value is the bound itself."""
        bound = self.by_name.get("p_value")
        return self if bound is None else replace(self, by_name={**self.by_name, "p_value": Bound("lte", bound.number)})

    def accept(self, row: FullAssociation) -> bool:
        """Whether a row keeps all of them."""
        return all(self._accepts(name, expected, row) for name, expected in self.by_name.items())

    def undecided_filter(self, row: FullAssociation) -> str | None:
        """The first filter whose value a row lacks; None if it has all values, or breaks another filter."""
        undecided_names = [
            name for name in self.by_name if all(getattr(row, field) is None for field in _FIELDS.get(name, (name,)))
        ]
        decided_filters = self.subset(self.by_name.keys() - undecided_names)
        return next(iter(undecided_names), None) if decided_filters.accept(row) else None

    def _accepts(self, name: str, expected: Any, row: FullAssociation) -> bool:
        match name:
            case "tissue":
                return self._is_of_tissue(row)
            case "p_value":
                greatest = expected.number
                if expected.comparison == "lte":
                    greatest = max(greatest, float(f"{greatest:.4g}"))  # p-values are shown with four digits
                p = 0.0 if row.neg_log10_p_value is not None else row.p_value
                return Bound(expected.comparison, greatest).accepts(p)
            case "source":
                return any(_is_same(source, _name_in_catalog(expected)) for source in (row.source or "").split(_AND))
            case "method" | "label" | "ancestry":
                return _is_same(getattr(row, name), expected)
            case _:
                return bool(expected.accepts(getattr(row, name)))

    def _is_of_tissue(self, row: FullAssociation) -> bool:
        """By its term; a row that names no term, by the words."""
        row_terms = {term for term in (row.context_id, row.cell_annotation_id) if term}
        if not self.tissue_terms or not row_terms:
            names = [name for term in self.tissue_terms for name in (term.name, *term.synonyms) if name]
            return any(_is_of_tissue(name, row) for name in names or [str(self.tissue)])
        return bool(row_terms & {term.id for term in self.tissue_terms})


def query_parameters(endpoint: Endpoint, filters: AssociationFilters) -> dict[str, str]:
    """The filters that the service itself applies, as an endpoint's parameters."""
    parameters: dict[str, str] = {}
    for name, expected in filters.by_name.items():
        match name:
            case "p_value" if "neg_log10_pvalue" in endpoint.parameters:
                parameters["neg_log10_pvalue"] = f"gte:{-math.log10(expected.number) - _MARGIN:.6f}"
            case "tissue" if filters.tissue_terms and "biosample_term" in endpoint.parameters:
                if len(filters.tissue_terms) == 1:  # the endpoint takes one
                    parameters["biosample_term"] = native(filters.tissue_terms[0].id)
            case "tissue" if is_term(str(expected)) and "biosample_term" in endpoint.parameters:
                parameters["biosample_term"] = native(str(expected))
            case "tissue" if "biological_context" in endpoint.parameters:
                parameters["biological_context"] = str(expected)
            case "z_score" | "r2" | "d_prime" if endpoint.parameters.get(name) == "range":
                parameters[name] = str(expected)
            case "source" if any(_AND in source for source in endpoint.sources):
                pass  # a row of two sources is of each, which the service would not send
            case "source" | "method" | "label" | "ancestry" if name in endpoint.parameters:
                parameters[name] = _valid_value(endpoint, name, str(expected)) or ""
            case _:
                pass  # checked on the rows
    return parameters


def is_term(tissue: str) -> bool:
    """Whether a tissue is given as a term's ID."""
    return _TERM.fullmatch(tissue) is not None


def is_applied_upstream(endpoint: Endpoint, name: str) -> bool:
    """Whether the service itself filters an endpoint's rows by this."""
    parameters = {"p_value": "neg_log10_pvalue", "tissue": "biological_context"}
    return parameters.get(name, name) in endpoint.parameters


def catalog_source(filters: AssociationFilters) -> str | None:
    """The Catalog's name of the source, if the caller uses another name; else None."""
    return _NAMES_OF_SOURCES.get((filters.by_name.get("source") or "").casefold())


def unsupported_filter(endpoint: Endpoint, filters: AssociationFilters) -> str | None:
    """The first filter that an endpoint's rows do not support; None if they support all."""
    return next((name for name, expected in filters.by_name.items() if not _supports(endpoint, name, expected)), None)


def valid_values(endpoint: Endpoint, name: str) -> tuple[str, ...]:
    """The values of a filter that an endpoint takes; empty if they are not listed, or it takes none."""
    if name == "source":
        return endpoint.sources
    values = endpoint.parameters.get(name, ())
    return () if isinstance(values, str) else values


def _supports(endpoint: Endpoint, name: str, expected: object) -> bool:
    if name in {"source", "method", "label", "ancestry"}:
        return name not in edges()[endpoint.edge].lacks and _valid_value(endpoint, name, str(expected)) is not None
    return name in edges()[endpoint.edge].has


def _valid_value(endpoint: Endpoint, name: str, expected: str) -> str | None:
    """The valid value that a caller means, in any letter case."""
    value = _name_in_catalog(expected) if name == "source" else expected
    return next((valid for valid in valid_values(endpoint, name) if _is_same(valid, value)), None)


def _name_in_catalog(source: str) -> str:
    return _NAMES_OF_SOURCES.get(source.casefold(), source)


def _value(name: str, value: object) -> object:
    if name not in FILTERS:
        raise InvalidValues([InvalidPart((name,), value, f"there is no filter {name!r:.80}", known_names=FILTERS)])
    if name in _RANGES:
        return _bound(name, value)
    if name == "p_value":
        return _p_value(value)
    if not isinstance(value, str) or not value.strip() or re.search(r"[\"'\\`\x00-\x1f]", value):
        raise _wrong_value(name, value, "text, without quotes")
    return value.strip()


def _bound(name: str, value: object, *, bare: str = "gte") -> Bound:
    """A bound; ``bare`` is the comparison of a number without a sign."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _GREATEST
    text = f"{value:.17g}" if is_number else value
    match = _RANGE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or not math.isfinite(float(match["number"])):
        raise _wrong_value(name, value, "a number (the least), or one with a sign, such as '>0.7', '<=-2' or 'gte:0.8'")
    return Bound((match["word"] or _SIGNS[match["sign"]] or bare).lower(), float(match["number"]))


def _p_value(value: object) -> Bound:
    bound = _bound("p_value", value, bare="lte")
    if bound.comparison not in {"lt", "lte"} or not 0 < bound.number <= 1:
        raise _wrong_value("p_value", value, "the greatest p-value, above 0 and at most 1, such as 0.05")
    return bound


def _wrong_value(name: str, value: object, expected: str) -> InvalidValues:
    return InvalidValues([InvalidPart((name,), value, expected=expected)])


def _is_same(value: str | None, expected: str) -> bool:
    """Whether they are equal but for letter case."""
    return (value or "").casefold() == expected.casefold()


def _is_of_tissue(tissue: str, row: FullAssociation) -> bool:
    """Whether a row is about a tissue: the term, or a context whose name holds all the words."""
    if is_term(tissue):
        expected = curie(tissue).casefold()
        return expected in {(row.context_id or "").casefold(), (row.cell_annotation_id or "").casefold()}
    words = set(re.findall(r"\w+", tissue.casefold()))
    contexts = (row.context, row.cell_annotation)
    return bool(words) and any(words <= set(re.findall(r"\w+", (context or "").casefold())) for context in contexts)
