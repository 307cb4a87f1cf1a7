"""Orders that callers ask for. The service sorts by key only: whoever wants the best must see all that may be. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.catalog import Endpoint, edges
from biofact.sources.igvf.filters import Bound
from biofact.sources.igvf.records import FullAssociation

ORDERS = ("p_value", "effect", "score", "z_score", "r2", "d_prime")
_WORTH = 2  # times as many rows as are needed stand on a page, before a threshold is worth a request
_MARGIN = 1e-3  # of a threshold: values are shown with four digits


@dataclass(frozen=True, slots=True)
class Order:
    """By a field of the rows; rows without it come last."""

    field: str
    is_descending: bool

    @property
    def written(self) -> str:
        """As a caller writes it."""
        return f"-{self.field}" if self.is_descending else self.field

    @classmethod
    def read(cls, text: str) -> "Order":
        """The order that a caller wrote: ``p_value``, or ``-score`` for the greatest first.

        Raises:
            AmbiguousQuery: there is none like it.
        """
        field = text.strip().removeprefix("-")
        if field not in ORDERS:
            raise AmbiguousQuery(
                f"Associations cannot be ordered by {text!r:.80}.",
                hint=f"Valid: {', '.join(ORDERS)}; with - in front the greatest first.",
                invalid_input=text,
            )
        return cls(field, text.strip().startswith("-"))

    def value(self, row: FullAssociation) -> float | None:
        """What a row is ordered by; the smaller comes first."""
        value = _logarithm(row) if self.field == "p_value" else getattr(row, self.field)
        if value is None:
            return None
        return -value if self._is_falling else value

    @property
    def _is_falling(self) -> bool:
        return self.is_descending != (self.field == "p_value")  # the greatest logarithm is the smallest p

    def sort(self, rows: Sequence[FullAssociation]) -> list[FullAssociation]:
        """The rows in order; equal ones stay as they are."""
        return sorted(rows, key=lambda row: math.inf if (value := self.value(row)) is None else value)

    def is_field_of(self, endpoint: Endpoint) -> bool:
        """Whether rows of an endpoint have the field at all."""
        return self.field in edges()[endpoint.edge].has

    def narrow(
        self, endpoint: Endpoint, given: dict[str, str], rows: Sequence[FullAssociation], need: int
    ) -> dict[str, str] | None:
        """The parameters that leave the best ``need`` of these rows, and fewer others; None where there are none."""
        parameter = "neg_log10_pvalue" if self.field == "p_value" else self.field
        if endpoint.parameters.get(parameter) != "range":
            return None
        values = sorted(value for row in rows if (value := self.value(row)) is not None)
        if len(values) < _WORTH * need:
            return None  # that would leave nearly as many rows as there are
        bound = values[need - 1]
        threshold = Bound("gte", -bound - _MARGIN) if self._is_falling else Bound("lte", bound + _MARGIN)
        current = given.get(parameter)
        return {**given, parameter: str(threshold)} if current is None or threshold.is_tighter(current) else None


def _logarithm(row: FullAssociation) -> float | None:
    if row.neg_log10_p_value is not None:
        return row.neg_log10_p_value
    if row.p_value is None:
        return None
    return -math.log10(row.p_value) if row.p_value > 0 else math.inf
