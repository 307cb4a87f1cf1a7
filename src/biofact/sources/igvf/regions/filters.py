"""Filters of the variants in a region. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.records import VariantEntity

_FILTERS = ("category", "min_af", "max_af", "af_source")
_CATEGORIES = ("coding", "noncoding")
_USUAL_FREQUENCY = "gnomad_af_total"
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class VariantFilters:
    """Filters of the variants in a region."""

    category: str | None = None
    min_af: float | None = None
    max_af: float | None = None
    af_source: str = _USUAL_FREQUENCY

    @property
    def is_by_frequency(self) -> bool:
        """Whether the query needs the endpoint with frequencies."""
        return self.min_af is not None or self.max_af is not None

    @property
    def _frequencies(self) -> tuple[float, float]:
        return self.min_af or 0.0, 1.0 if self.max_af is None else self.max_af

    @classmethod
    def read(cls, filters: Mapping[str, object], organism: str) -> "VariantFilters":
        """The filters that a caller wrote.

        Raises:
            AmbiguousQuery: there are filters, and none for this organism.
            InvalidValues: some of them are unknown, or cannot be understood.
        """
        sources = endpoints()["/variants/freq"].parameters["source"]
        invalid_parts = [
            InvalidPart((name,), value, f"variants cannot be filtered by {name!r:.80}", known_names=_FILTERS)
            for name, value in filters.items()
            if name not in _FILTERS
        ]
        for name, valid in (("category", _CATEGORIES), ("af_source", sources)):
            if name in filters and filters[name] not in (None, *valid):
                invalid_parts.append(InvalidPart((name,), filters[name], expected=f"one of {', '.join(valid)}"))
        bounds = {name: _frequency(filters[name]) for name in ("min_af", "max_af") if filters.get(name) is not None}
        invalid_parts += [
            InvalidPart((name,), filters[name], expected="an allele frequency from 0 to 1")
            for name, bound in bounds.items()
            if bound is None
        ]
        low, high = bounds.get("min_af"), bounds.get("max_af")
        if low is not None and high is not None and low > high:
            invalid_parts.append(InvalidPart(("min_af",), filters["min_af"], expected="at most max_af"))
        if invalid_parts:
            raise InvalidValues(invalid_parts)
        if filters and organism != "human":
            hint = "Only human variants can be filtered: leave filters out, or ask for human."
            message = f"Variants of {organism} cannot be filtered by {', '.join(filters)}."
            raise AmbiguousQuery(message, hint=hint, invalid_input=dict(filters))
        category, source = filters.get("category"), filters.get("af_source") or _USUAL_FREQUENCY
        return cls(str(category) if category else None, low, high, str(source))

    def query_parameters(self) -> dict[str, str]:
        """The filters as parameters of the endpoint."""
        parameters = {"GENCODE_category": self.category} if self.category else {}
        if self.is_by_frequency:
            low, high = self._frequencies
            parameters |= {"source": self.af_source, "minimum_af": f"{low:g}", "maximum_af": f"{high:g}"}
        return parameters

    def accept(self, variant: VariantEntity) -> bool:
        """Whether a variant passes; one of unknown frequency never passes bounds of frequency."""
        if self.category is not None and variant.gencode_category != self.category:
            return False
        if not self.is_by_frequency:
            return True
        frequency, (low, high) = variant.allele_frequencies.get(self.af_source), self._frequencies
        return frequency is not None and low <= frequency <= high


def _frequency(value: object) -> float | None:
    """A number from 0 to 1, as one or as a text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return None
    number = float(value) if isinstance(value, str) else value
    return float(number) if 0 <= number <= 1 else None
