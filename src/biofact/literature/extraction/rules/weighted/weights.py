"""Tables of weights, and what they make of candidates."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import repeat
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Steps = NDArray[np.int64]
STEPS = 50
"""Weights are kept as whole numbers, so many to 1."""


@dataclass(frozen=True)
class Weights:
    """How much each sign speaks for each field."""

    fields: tuple[str, ...]
    places: dict[str, int]
    """Row of each sign."""
    table: Steps
    """One row for each sign, one column for each field. Whole, so that sums do not hang on their order."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Those of a table with tabs: a head of field names, then a sign and its whole numbers in each line."""
        head, *lines = text.splitlines()
        rows = [line.split("\t") for line in lines]
        table = np.array([[int(number or 0) for number in row[1:]] for row in rows], dtype=np.int64)
        return cls(tuple(head.split("\t")[1:]), {row[0]: place for place, row in enumerate(rows)}, table)

    def to_text(self) -> str:
        """The table, without signs that weigh nothing."""
        lines = ["\t".join(("sign", *self.fields))]
        for sign in sorted(self.places):
            row = self.table[self.places[sign]]
            if row.any():
                lines.append("\t".join((sign, *(str(number) if number else "" for number in row))))
        return "\n".join(lines) + "\n"

    def sums(self, candidates: Sequence[AbstractSet[str]]) -> Array:
        """What the signs of each candidate weigh together: one row for each, one column for each field; 1 is e-fold."""
        total = [[sum(map(one.get, signs, repeat(0))) for one in self._by_sign] for signs in candidates]
        return np.array(total) / STEPS

    @cached_property
    def _by_sign(self) -> list[dict[str, int]]:
        """For each field what each sign weighs: a candidate has too few signs for a table to be faster."""
        columns = self.table.T.tolist()
        return [{sign: column[place] for sign, place in self.places.items()} for column in columns]


@cache
def read_weights(name: str) -> Weights:
    """The table of that name beside this file."""
    return Weights.from_text(files(__package__).joinpath(f"{name}.tsv").read_text("utf-8"))


def shares(sums: Array) -> Array:
    """Probabilities of the candidates of one field, which add up to 1; the last is that of none of them."""
    raised = np.exp(sums - sums.max())
    share: Array = raised / raised.sum()
    return share
