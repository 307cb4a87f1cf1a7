"""How much speaks for each candidate, by weights that were fitted to what reviewers would note."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np

from biofact.literature.extraction.rules.labelling.chain import Array


def importances(traits: Sequence[Sequence[float]], field: str) -> list[float]:
    """What the traits of each candidate weigh together: the log odds that a reviewer would note it."""
    weighed: list[float] = (np.array(traits, dtype=float) @ read_weights()[field]).tolist() if traits else []
    return weighed


@cache
def read_weights() -> Mapping[str, Array]:
    """Weights of the traits, by field."""
    head, *lines = files(__package__).joinpath("values.tsv").read_text("utf-8").splitlines()
    rows = [[float(number) for number in line.split("\t")[1:]] for line in lines]
    return MappingProxyType(dict(zip(head.split("\t")[1:], np.array(rows).T, strict=True)))
