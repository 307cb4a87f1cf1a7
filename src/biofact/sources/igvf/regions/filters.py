"""Which variants of a region are meant. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.records import VariantEntity

_FILTERS = ("category", "min_af", "max_af", "af_source")
_USUAL_FREQUENCY = "gnomad_af_total"


@dataclass(frozen=True, slots=True)
class VariantFilters:
    """Which variants of a region are meant."""

    category: str | None = None
    min_af: float | None = None
    max_af: float | None = None
    af_source: str = _USUAL_FREQUENCY

    @property
    def is_by_frequency(self) -> bool:
        """Whether another endpoint is asked, which knows frequencies."""
        return self.min_af is not None or self.max_af is not None

    @classmethod
    def read(cls, given: Mapping[str, object], organism: str) -> "VariantFilters":
        """The filters that a caller wrote.

        Raises:
            AmbiguousQuery: one of them is unknown, cannot be understood, or does not exist for this organism.
        """
        if unknown := [name for name in given if name not in _FILTERS]:
            raise _refused(unknown[0], given, f"Filters of variants: {', '.join(_FILTERS)}.")
        if given and organism != "human":
            raise _refused(next(iter(given)), given, "Only human variants can be filtered.")
        sources = endpoints()["/variants/freq"].parameters["source"]
        source = given.get("af_source", _USUAL_FREQUENCY)
        if not isinstance(source, str) or source not in sources:
            raise _refused("af_source", given, f"Valid: {', '.join(sources)}.")
        category = given.get("category")
        if category not in (None, "coding", "noncoding"):
            raise _refused("category", given, "Valid: coding, noncoding.")
        low, high = (_frequency(name, given) for name in ("min_af", "max_af"))
        if low is not None and high is not None and low > high:
            raise _refused("min_af", given, "Give min_af at most as great as max_af.")
        return cls(str(category) if category else None, low, high, str(source))

    def told(self) -> dict[str, str]:
        """What the service is told of them."""
        found = {"GENCODE_category": self.category} if self.category else {}
        if self.is_by_frequency:
            high = 1.0 if self.max_af is None else self.max_af
            found |= {"source": self.af_source, "minimum_af": f"{self.min_af or 0:g}", "maximum_af": f"{high:g}"}
        return found

    def hold(self, variant: VariantEntity) -> bool:
        """Whether a variant is meant. A frequency that is not known is none."""
        if self.category is not None and variant.gencode_category != self.category:
            return False
        if not self.is_by_frequency:
            return True
        told = variant.allele_frequencies.get(self.af_source)
        return told is not None and (self.min_af or 0.0) <= told <= (1.0 if self.max_af is None else self.max_af)


def _frequency(name: str, given: Mapping[str, object]) -> float | None:
    value = given.get(name)
    if value is None:
        return None
    found = re.fullmatch(r"(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?", str(value).strip(), re.ASCII | re.IGNORECASE)
    if isinstance(value, bool) or found is None or not 0 <= float(found[0]) <= 1:
        raise _refused(name, given, f"Give {name} as an allele frequency from 0 to 1.")
    return float(found[0])


def _refused(name: str, given: Mapping[str, object], hint: str) -> AmbiguousQuery:
    message = f"Variants cannot be filtered by {name} {given.get(name)!r:.80}."
    return AmbiguousQuery(message, hint=hint, invalid_input=dict(given))
