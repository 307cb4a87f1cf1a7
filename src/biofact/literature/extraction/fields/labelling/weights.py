"""Weights of signs, by which one of several candidates is chosen, or the kind of each. ``tools/fit_weights.py``
fits them to labelled abstracts.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import repeat
from typing import Self

import numpy as np
from numpy.typing import NDArray

FOLDER = "biofact.literature.extraction.fields"
Array = NDArray[np.float64]
Steps = NDArray[np.int64]
STEPS = 50
"""Weights are stored as whole numbers: this many make 1."""


@dataclass(frozen=True)
class Weights:
    """How much each sign speaks for each class: a field of which a candidate is the value, or a kind of candidate."""

    classes: tuple[str, ...]
    places: dict[str, int]
    """Row of each sign."""
    table: Steps
    """One row for each sign, one column for each class. Whole, so that sums do not depend on their order."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The weights of a table with tabs: a head of class names, then a sign and its whole numbers in each line."""
        head, *lines = text.splitlines()
        rows = [line.split("\t") for line in lines]
        table = np.array([[int(number or 0) for number in row[1:]] for row in rows], dtype=np.int64)
        return cls(tuple(head.split("\t")[1:]), {row[0]: place for place, row in enumerate(rows)}, table)

    def to_text(self) -> str:
        """The table, without signs that weigh nothing."""
        lines = ["\t".join(("sign", *self.classes))]
        for sign in sorted(self.places):
            row = self.table[self.places[sign]]
            if row.any():
                lines.append("\t".join((sign, *(str(number) if number else "" for number in row))))
        return "\n".join(lines) + "\n"

    def sums(self, candidates: Sequence[AbstractSet[str]]) -> Array:
        """The summed weights of each candidate's signs: one row for each, one column for each class; 1 is e-fold."""
        if len(self.classes) > 1:
            rows = ([self.places[sign] for sign in signs if sign in self.places] for signs in candidates)
            return np.array([self.table[row].sum(axis=0) for row in rows]) / STEPS
        # for one class a table would be slower
        return np.array([[sum(map(self._weight_of.get, signs, repeat(0)))] for signs in candidates]) / STEPS

    @cached_property
    def _weight_of(self) -> dict[str, int]:
        """The weight of each sign for the first class."""
        column = self.table[:, 0].tolist()
        return {sign: column[place] for sign, place in self.places.items()}


@cache
def read_weights(name: str) -> Weights:
    """A table of weights among the fields."""
    return Weights.from_text(files(FOLDER).joinpath(f"{name}.tsv").read_text("utf-8"))


def shares(sums: Array) -> Array:
    """Probabilities of the candidates of one field, which add up to 1; the last is that of none of them."""
    # less the largest, so that nothing overflows
    odds = np.exp(sums - sums.max())
    share: Array = odds / odds.sum()
    return share
