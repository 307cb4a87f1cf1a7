"""Questions to the graph: their legs side by side, merged fairly, page by page."""

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from biofact.core.errors import RateLimited, ToolRef, UpstreamError
from biofact.core.provenance import Notice, without
from biofact.sources.igvf import parse
from biofact.sources.igvf.associations import notices
from biofact.sources.igvf.associations.asking import Asking, Spot, Told
from biofact.sources.igvf.associations.legs import (
    Left,
    Leg,
    beyond,
    check_askable,
    check_kept,
    from_node,
    legs,
    reachable,
    through,
)
from biofact.sources.igvf.associations.nodes import Node, of, of_proteins
from biofact.sources.igvf.associations.order import Order
from biofact.sources.igvf.associations.question import Question
from biofact.sources.igvf.catalog import SPECIES, Endpoint, Start, edges, endpoints
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity, FullAssociation, ProteinEntity

FIND_ASSOCIATIONS = ToolRef("igvf", "find_associations")

_REQUESTS, _LEAST_REQUESTS, _MOST_REQUESTS = 60, 2, 6  # for an order: of a call, and of a leg
_MOST_GENES = 10  # of a disease, by way of which regulation is asked for


class Place(BaseModel):
    """Where a list goes on: how many are out, and of each leg its page and rows done, None for one that has ended."""

    out: int = 0
    legs: dict[str, tuple[int, int] | None] = {}


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of associations."""

    rows: list[FullAssociation]
    place: Place | None
    total: int | None
    notices: list[Notice] = field(default_factory=list)


@dataclass(slots=True)
class Round:
    """What became of all legs of a question."""

    told: list[Told] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    failures: list[UpstreamError | RateLimited] = field(default_factory=list)
    """Of questions on the way to legs."""

    @classmethod
    def of(cls, rounds: Iterable["Round"]) -> "Round":
        """Several as one."""
        whole = cls()
        for one in rounds:
            whole.told += one.told
            whole.left += one.left
            whole.notices += one.notices
            whole.failures += one.failures
        return whole


class Graph:
    """Answers questions from the graph."""

    def __init__(self, ask: IGVFQuestions) -> None:
        self._ask = ask
        self._asking = Asking(ask)

    async def page(self, question: Question, place: Place | None) -> Listing:
        """The associations from a place on.

        Raises:
            AmbiguousQuery: nothing answers such a question; the error names what can be asked.
            UpstreamError, RateLimited: every leg failed.
        """
        _check(question)
        came = Round.of(await asyncio.gather(*(self._from(node, question, place) for node in question.nodes)))
        _check_answered(came)
        order = question.order
        listing = _ordered(question, order, came, place) if order else _merged(question, came, place)
        said = notices.of_legs(question, came.told, came.left) if place is None else notices.of_later_page(came.told)
        return Listing(listing.rows, listing.place, listing.total, [*came.notices, *said])

    async def _from(self, node: Node, question: Question, place: Place | None) -> Round:
        beside = len(question.nodes)
        direct = self._answered(node, from_node(node, question.relationship), question, place, beside=beside)
        return Round.of(await asyncio.gather(direct, self._through(node, question, place)))

    async def _through(self, node: Node, question: Question, place: Place | None) -> Round:
        """What is known by way of a gene's proteins, or of a disease's genes."""
        kind = through(node, question.relationship)
        if kind is None:
            return Round()
        try:
            between = await (self._proteins(node) if kind == "protein" else self._genes(node))
        except (UpstreamError, RateLimited) as failure:
            lacking = without(f"what goes by way of {kind}s", failure.message)
            return Round(notices=[lacking], failures=[failure])
        if not between:
            return Round(notices=[notices.no_way(node, kind)])
        asked = beyond(kind, question.relationship)
        beside = len(between[:_MOST_GENES])
        told = [self._answered(each, asked, question, place, beside=beside) for each in between[:_MOST_GENES]]
        said = [notices.by_way_of_genes(node, between, _MOST_GENES)] if kind == "gene" else []
        return Round.of([Round(notices=said), *await asyncio.gather(*told)])

    async def _answered(
        self,
        node: Node,
        asked: Sequence[tuple[Endpoint, Start]],
        question: Question,
        place: Place | None,
        *,
        beside: int = 1,
    ) -> Round:
        """All legs from one entity; ``beside`` is how many entities share what a call may ask."""
        planned, left = legs(node, asked, question.filters, question.order)
        requests = max(_LEAST_REQUESTS, min(_MOST_REQUESTS, _REQUESTS // max(1, len(planned) * beside)))
        asking = (self._told(leg, question, place, requests) for leg in planned)
        told = await asyncio.gather(*map(self._ask.in_part, asking))
        return Round([one for one in told if one is not None], [left])

    async def _told(self, leg: Leg, question: Question, place: Place | None, requests: int) -> Told | None:
        """What a leg answers; None for one that has ended on an earlier page."""
        spot = place.legs.get(leg.key, (0, 0)) if place else (0, 0)
        if spot is None:
            return None
        if question.order is not None:
            need = (place.out if place else 0) + question.limit + 1
            return await self._asking.best(leg, question.order, need, requests=requests)
        return await self._asking.listed(leg, Spot(*spot), question.limit + 1)

    async def _proteins(self, node: Node) -> list[Node]:
        """The proteins of a gene, as one."""
        given = {"gene_id": node.id, "verbose": "true", "organism": SPECIES[node.organism]}
        found = [one for one in await self._joined(node, "/genes/proteins", given) if isinstance(one, ProteinEntity)]
        name = next((one.name for one in found if one.name), None)
        return [of_proteins(found, name, node.organism)] if name else []

    async def _genes(self, node: Node) -> list[Node]:
        """The genes of a disease."""
        found = await self._joined(node, "/diseases/genes", {"disease_id": node.id, "verbose": "true"})
        return [of(one) for one in {one.id: one for one in found}.values()]

    async def _joined(self, node: Node, path: str, given: dict[str, str]) -> list[Entity]:
        """The entities that an endpoint joins with this one, and no other."""
        endpoint = endpoints()[path]
        edge = edges()[endpoint.edge]
        kind = edge.object.kind if node.kind == edge.subject.kind else edge.subject.kind
        rows = await self._ask.rows(path, given)
        own = [
            row for row in rows if any(node.is_in(one, edge) for one in parse.associations(endpoint, row, node.asked()))
        ]
        return [parse.entity(kind, row[kind], node.organism) for row in own if isinstance(row.get(kind), dict)]


def _check(question: Question) -> None:
    """Refuse what no endpoint answers."""
    node = question.nodes[0]
    asked = [pair for one in question.nodes for pair in reachable(one, question.relationship)]
    check_askable(node, question.relationship, asked)
    check_kept(asked, question.filters, question.order)


def _check_answered(came: Round) -> None:
    """Never an empty list for a failure: where nothing was answered, say why."""
    failures = [*came.failures, *(one.failure for one in came.told if one.failure is not None)]
    if failures and all(one.failure is not None for one in came.told):
        raise failures[0]


def _is_whole(came: Round) -> bool:
    """Whether all rows there are have come."""
    return not came.failures and all(one.is_all and one.failure is None for one in came.told)


def _ordered(question: Question, order: Order, came: Round, place: Place | None) -> Listing:
    """The next rows of all legs in one order; a leg that fails is left out of the later pages too."""
    out, spots = (place.out, dict(place.legs)) if place else (0, {})
    if place is not None and (failures := [one.failure for one in came.told if one.failure]):
        raise failures[0]  # rows of its own are among those that are out: what follows cannot be told without it
    spots |= {one.leg.key: None for one in came.told if one.failure is not None}
    rows = order.arranged([row for one in came.told for row, _ in one.rows])
    shown = rows[out : out + question.limit]
    there = Place(out=out + len(shown), legs=spots) if len(rows) > out + len(shown) else None
    return Listing(shown, there, len(rows) if _is_whole(came) and not spots else None)


def _merged(question: Question, came: Round, place: Place | None) -> Listing:
    """The next rows of all legs in turn."""
    first = (place.out if place else 0) % max(1, len(came.told))  # so that no leg leads every page
    in_turn = [*came.told[first:], *came.told[:first]]
    turns = itertools.zip_longest(*([(one, entry) for entry in one.rows] for one in in_turn))
    taken = [pair for turn in turns for pair in turn if pair is not None][: question.limit]
    spots: dict[str, tuple[int, int] | None] = dict(place.legs) if place else {}
    for one in came.told:
        last = [spot for owner, (_, spot) in taken if owner is one]
        spots[one.leg.key] = _next(one, last, spots.get(one.leg.key, (0, 0)))
    goes_on = any(spot is not None for spot in spots.values())
    spots = {key: spot for key, spot in spots.items() if spot != (0, 0)}  # where a leg that is not named begins
    total = sum(len(one.rows) for one in came.told) if place is None and _is_whole(came) else None
    out = (place.out if place else 0) + len(taken)
    return Listing([row for _, (row, _) in taken], Place(out=out, legs=spots) if goes_on else None, total)


def _next(told: Told, taken: Sequence[Spot], begun: tuple[int, int] | None) -> tuple[int, int] | None:
    """Where a leg goes on behind the rows that were taken from it."""
    if told.failure is not None and not told.rows:
        return None  # said in a notice; the next page does not wait for it again
    if len(taken) < len(told.rows):
        return (taken[-1].page, taken[-1].done) if taken else begun
    return None if told.rest is None else (told.rest.page, told.rest.done)
