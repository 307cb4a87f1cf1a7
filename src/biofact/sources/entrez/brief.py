"""Keeps a full gene within 250 tokens besides its summary, for agents pay for each. Pure.

The lists give way: they are cut from behind, each in its turn, and one notice counts them.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from biofact.core.records import estimated_tokens, token_limit
from biofact.core.xrefs import REGISTRY

T = TypeVar("T")

REFSEQ, UNIPROT = "cross_references.refseq", "cross_references.uniprot"
XREFS = (REFSEQ, UNIPROT)
"""The cross-references of a gene that are lists."""

_MOST = token_limit(250)
_NOTICE, _NOTICE_OF_LIST = 17, 9  # what it costs to say that lists are cut
_KEY = 4
_TURNS = (("aliases", REFSEQ, "aliases", UNIPROT), ("other_designations",))  # the longest names come last


def fitting(rest: str, lists: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many values of each list fit beside the ``rest`` of a record, as JSON; of a cross-reference one at least.

    ``lists`` are ``aliases``, ``other_designations``, and the cross-references ``REFSEQ`` and ``UNIPROT``.
    """
    prices = {name: [estimated_tokens(value) + 1 for value in values] for name, values in lists.items() if values}
    room = _MOST - estimated_tokens(rest)
    shown, cut = _shown(prices, room), 0
    while (count := sum(shown[name] < len(prices[name]) for name in prices)) > cut:
        cut = count  # the notice takes room, so that more may be cut
        shown = _shown(prices, room - _NOTICE - cut * _NOTICE_OF_LIST)
    return shown


def of_part(part: str, paths: Mapping[str, T]) -> dict[str, T]:
    """Those of the paths that lead to a list of this part of the record, or to one in it."""
    return {path: value for path, value in paths.items() if path.partition(".")[0] == part}


def cut(part: str, lengths: Mapping[str, tuple[int, int]]) -> str:
    """How much of a part is listed: ``aliases 4 of 8``, or ``cross_references (refseq 1 of 8)``; empty if all."""
    counts = [f"{path.rpartition('.')[2]} {listed} of {count}" for path, (listed, count) in lengths.items()]
    return f"{part} ({', '.join(counts)})" if counts and part not in lengths else ", ".join(counts)


def _shown(prices: Mapping[str, list[int]], space: int) -> dict[str, int]:
    """How many values of each list to show, such that all of them fit into ``space`` tokens."""
    shown = {name: int(name in XREFS) for name in prices}  # no xref at all would read as if there were none
    room: float = space - sum(_KEY + prices[name][0] for name in XREFS if name in prices)
    for group in _TURNS:
        turns = [name for name in group if name in prices]
        while turns:
            name, *others = turns
            price = _next_price(name, prices[name], shown[name])
            if price > room:
                turns = [other for other in others if other != name]
            else:
                turns = [*others, name]
                shown[name] += 1
                room -= price
    return shown


def _next_price(name: str, prices: list[int], count: int) -> float:
    """What one more value costs; endlessly much when there is none, or no more may be listed."""
    if count == len(prices) or (name in XREFS and count == REGISTRY[name.rpartition(".")[2]].most):
        return math.inf
    return prices[count] + (_KEY if count == 0 else 0)
