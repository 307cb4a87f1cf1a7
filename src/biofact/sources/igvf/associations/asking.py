"""One leg asked: page by page, or with rising thresholds until nothing better can be missing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.errors import RateLimited, UpstreamError
from biofact.sources.igvf import parse
from biofact.sources.igvf.associations.legs import Leg
from biofact.sources.igvf.associations.order import Order
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import FullAssociation
from biofact.sources.igvf.requests import page_size

_ROWS = 100  # a page: one length for every limit, so that pages are kept and cursors hold
_PAGES = 4  # of a leg in one call
_THRESHOLDS = 5


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
    is_partial: bool = False
    """Better ones may be missing from an order."""
    failure: UpstreamError | RateLimited | None = None


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
        except (UpstreamError, RateLimited) as failure:
            told.failure = failure
        return told

    async def best(self, leg: Leg, order: Order, need: int) -> Told:
        """The first ``need`` associations in order; a failure is told, not raised."""
        told = Told(leg)
        try:
            rows, is_whole = await self._all_above(leg, order, need, told)
        except (UpstreamError, RateLimited) as failure:
            told.failure = failure
            return told
        told.rows = [(row, Spot()) for row in order.arranged(rows)]
        told.is_partial = not is_whole
        return told

    async def _further(self, told: Told, spot: Spot) -> None:
        """One more page."""
        leg, size = told.leg, page_size(told.leg.endpoint, _ROWS)
        rows = await self.ask.rows(leg.endpoint.path, leg.given, page=spot.page, limit=_limit(leg, size))
        kept = _kept(told, rows)
        is_last = len(rows) < size
        behind = None if is_last else Spot(spot.page + 1)
        for place, row in enumerate(kept[spot.done :], start=spot.done + 1):
            told.rows.append((row, Spot(spot.page, place)))
        told.rest = behind

    async def _all_above(self, leg: Leg, order: Order, need: int, told: Told) -> tuple[list[FullAssociation], bool]:
        """All rows at least as good as the ``need`` best, and whether they are all."""
        size = page_size(leg.endpoint, leg.endpoint.most or _ROWS)
        given = leg.given
        rows: list[FullAssociation] = []
        for _ in range(_THRESHOLDS):
            page = await self.ask.rows(leg.endpoint.path, given, limit=_limit(leg, size))
            rows = _kept(told, page)
            if len(page) < size:
                return rows, True
            narrower = order.narrowed(leg.endpoint, given, rows, need)
            if narrower is None:
                break
            given = narrower
        return await self._read_on(leg, given, rows, told)

    async def _read_on(
        self, leg: Leg, given: dict[str, str], rows: Sequence[FullAssociation], told: Told
    ) -> tuple[list[FullAssociation], bool]:
        """The pages behind a full one, as many as a call may ask for."""
        size = page_size(leg.endpoint, leg.endpoint.most or _ROWS)
        found = list(rows)
        for number in range(1, _PAGES):
            page = await self.ask.rows(leg.endpoint.path, given, page=number, limit=_limit(leg, size))
            found += _kept(told, page)
            if len(page) < size:
                return found, True
        return found, False


def _limit(leg: Leg, size: int) -> int | None:
    return size if "limit" in leg.endpoint.parameters else None


def _kept(told: Told, rows: Sequence[dict[str, Any]]) -> list[FullAssociation]:
    """The associations that are about the entity and keep the filters; the rest is counted where it is no answer."""
    leg = told.leg
    asked = leg.node.asked()
    found = [one for row in rows for one in parse.associations(leg.endpoint, row, asked)]
    strange = [one for one in found if not (leg.node.is_in(one) and leg.told.hold(one))]
    told.dropped += len(strange)
    told.contexts.update(dict.fromkeys(one.context for one in strange if one.context))
    return [one for one in found if leg.node.is_in(one) and leg.filters.hold(one)]
