"""One leg asked: page by page, or with rising thresholds until nothing better can be missing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.errors import RetryAfter, UpstreamError
from biofact.sources.igvf import parse
from biofact.sources.igvf.associations.legs import Leg
from biofact.sources.igvf.associations.order import Order
from biofact.sources.igvf.catalog import edges
from biofact.sources.igvf.questions import FAILURES, Failure, IGVFQuestions
from biofact.sources.igvf.records import FullAssociation
from biofact.sources.igvf.requests import page_size

_ROWS = 100  # a page: one length for every limit, so that pages are kept and cursors hold
_PAGES = 4  # of a leg in one call
_NESTED = frozenset({"gene_coding_variant"})  # edges of which a row may hold no association


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a leg goes on: a page, and how many of its rows are done."""

    page: int = 0
    done: int = 0


@dataclass(slots=True)
class Told:
    """What a leg answered."""

    leg: Leg
    rows: list[tuple[FullAssociation, Spot]] = field(default_factory=list)
    """Each with the spot behind it."""
    rest: Spot | None = None
    """Where it goes on; None at its end."""
    dropped: int = 0
    """Rows that did not answer the question."""
    contexts: dict[str, None] = field(default_factory=dict)
    """Of those, in the order in which they came."""
    read: int = 0
    """Rows of the service that were looked at."""
    is_all: bool = False
    """There are no further rows."""
    is_ordered: bool = True
    """No better row can be missing from an order."""
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks legs."""

    ask: IGVFQuestions

    async def listed(self, leg: Leg, spot: Spot, need: int) -> Told:
        """At least ``need`` associations from a spot on, where there are as many; a failure is told, not raised."""
        told = Told(leg, rest=spot)
        try:
            for _ in range(_PAGES):
                if told.rest is None or len(told.rows) >= need:
                    break
                await self._further(told, told.rest)
        except FAILURES as failure:
            told.failure = failure
        told.is_all = told.rest is None and spot == Spot()
        return told

    async def best(self, leg: Leg, order: Order, need: int, *, requests: int) -> Told:
        """The first ``need`` associations in order, if not more; a failure is told, not raised."""
        told = Told(leg)
        try:
            rows = await self._best(told, order, need, requests)
        except FAILURES as failure:
            told.failure = failure
        else:
            told.rows = [(row, Spot()) for row in order.arranged(rows)]
        return told

    async def _further(self, told: Told, spot: Spot) -> None:
        """One more page."""
        leg = told.leg
        size = page_size(leg.endpoint, (leg.endpoint.most or _ROWS) if leg.is_held_here else _ROWS)
        rows = await self._page(leg, leg.given, spot.page, size)
        if spot.page and rows and rows == await self._page(leg, leg.given, spot.page - 1, size):
            raise _repeated(leg, spot.page)
        before = told.dropped
        kept = _kept(told, rows)
        told.dropped = told.dropped if spot.done == 0 else before  # counted when the page was begun
        for place, row in enumerate(kept[spot.done :], start=spot.done + 1):
            told.rows.append((row, Spot(spot.page, place)))
        told.rest = None if len(rows) < size else Spot(spot.page + 1)

    async def _best(self, told: Told, order: Order, need: int, requests: int) -> list[FullAssociation]:
        """All rows above a threshold that leaves ``need`` of them at least; all rows there are, where that is near."""
        leg, size = told.leg, page_size(told.leg.endpoint, told.leg.endpoint.most or _ROWS)
        given, number = leg.given, 0
        rows: list[FullAssociation] = []
        last: list[dict[str, Any]] = []
        for _ in range(requests):
            page = await self._page(leg, given, number, size)
            if number and page and page == last:
                raise _repeated(leg, number)
            last = page
            rows += _kept(told, page)
            if len(page) < size:
                told.is_all = given == leg.given
                return rows
            narrower = order.narrowed(leg.endpoint, given, rows, need) if number == 0 else None
            if narrower is None:
                number += 1
            else:
                given, rows, told.dropped, told.read = narrower, [], 0, 0
        told.is_ordered = False
        return rows

    async def _page(self, leg: Leg, given: dict[str, str], number: int, size: int) -> list[dict[str, Any]]:
        limit = size if "limit" in leg.endpoint.parameters else None
        return await self.ask.rows(leg.endpoint.path, given, page=number, limit=limit)


def _repeated(leg: Leg, number: int) -> UpstreamError:
    message = f"The IGVF Catalog sent page {number} of {leg.endpoint.path} once more as page {number + 1}."
    return UpstreamError(message, hint="Call again later.", recovery=RetryAfter(60))


def _kept(told: Told, rows: Sequence[dict[str, Any]]) -> list[FullAssociation]:
    """The associations that are about the entity and keep the filters; the rest is counted where it is no answer."""
    leg, edge = told.leg, edges()[told.leg.endpoint.edge]
    asked = leg.node.asked()
    read = [list(parse.associations(leg.endpoint, row, asked)) for row in rows]
    found = [one for several in read for one in several]
    told.read += len(rows)
    told.dropped += sum(not several for several in read) if leg.endpoint.edge not in _NESTED else 0
    about = [one for one in found if leg.node.is_in(one, edge)]
    strangers = [one for one in found if not (leg.node.is_near(one, edge) and leg.told.hold(one))]
    told.dropped += len(strangers)
    told.contexts.update(dict.fromkeys(one.context for one in strangers if one.context and leg.told.tissue))
    kept = [one for one in about if leg.told.hold(one) and leg.filters.hold(one)]
    return [one for one in kept if not (leg.is_other_end and one.subject == one.object)]
