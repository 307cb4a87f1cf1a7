"""Keeps a full gene within 250 tokens besides its summary, for agents pay for each. Pure.

The lists give way: they are cut from behind, each in its turn, and one notice counts what is not listed.
"""

import functools
import math
import re
from collections.abc import Mapping, Sequence

from biofact.core.provenance import Notice
from biofact.core.xrefs import REGISTRY
from biofact.sources.entrez.records import EntrezGene

_MOST = 242  # of 250, as our count errs by a few
_NOTICE = 25
_KEY = 4
_TURNS = (("refseq", "aliases", "uniprot", "aliases"), ("other_designations",))  # the longest names come last
XREFS = ("refseq", "uniprot")
"""The cross-references that are lists."""

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\sA-Za-z0-9]+")
_COMMON_WORD = 7  # letters; longer words are rare ones, of several tokens


def tokens(text: str) -> int:
    """About how many o200k tokens ``text`` costs: a tokenizer is no dependency, but tests hold this against one."""
    return sum(map(_cost, _PIECE.findall(text)))


@functools.lru_cache(maxsize=4096)
def _cost(piece: str) -> int:
    if piece[-1].islower():
        return 1 if len(piece) <= _COMMON_WORD else (len(piece) - 4) // 2
    return -(-len(piece) // (3 if piece.isalnum() else 4))


def fitted(gene: EntrezGene, lists: Mapping[str, Sequence[str]]) -> EntrezGene:
    """``gene`` with as much of ``lists`` as its budget allows; of a cross-reference one value at least.

    ``lists`` are values of ``aliases``, ``other_designations``, and of the cross-references ``refseq``, ``uniprot``.
    """
    wanted = {name: list(values) for name, values in lists.items() if values}
    prices = {name: [tokens(value) + 1 for value in values] for name, values in wanted.items()}
    room = _MOST - tokens(gene.model_dump_json(exclude={"summary"}))
    shown = _shown(prices, room)
    notices = list(gene.notices)
    if any(shown[name] < len(values) for name, values in wanted.items()):
        shown = _shown(prices, room - _NOTICE)
        notices.append(_notice({name: len(values) - shown[name] for name, values in wanted.items()}))
    kept = {name: values[: shown[name]] for name, values in wanted.items()}
    xrefs = {name: kept.pop(name) for name in XREFS if name in kept}
    cross_references = gene.cross_references and gene.cross_references.model_copy(update=xrefs)
    return gene.model_copy(update={**kept, "cross_references": cross_references, "notices": notices})


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
    if count == len(prices) or (name in XREFS and count == REGISTRY[name].most):
        return math.inf
    return prices[count] + (_KEY if count == 0 else 0)


def _notice(rest: Mapping[str, int]) -> Notice:
    counts = ", ".join(f"{name.replace('_', ' ')} ({count})" for name, count in rest.items() if count)
    return Notice(code="LIST_CUT", message=f"More {counts}.")
