"""The contents of a region: genes, transcripts, variants and regulatory elements, queried side by side."""

import asyncio
import math
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast, get_args

from pydantic import BaseModel

from biofact.core.call import Counter
from biofact.core.envelopes import Cursor
from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef, UnresolvedEntity
from biofact.core.records import Notice, missing_part
from biofact.dialects.genomic.genomes import ASSEMBLIES, PREVIOUS, Organism
from biofact.dialects.genomic.regions import Region, is_written_like_a_region, region_organism
from biofact.dialects.json_values import number
from biofact.protocol.listing import CutPosition, cut_notice, fitting_count, place_type
from biofact.protocol.lookup import side_request
from biofact.sources.igvf import questions
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.entities import EntityLookup
from biofact.sources.igvf.identifiers.forms import read_region
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY, SEARCH_REGION
from biofact.sources.igvf.questions import FAILURES, Failure, IGVFQuestions
from biofact.sources.igvf.records import (
    Association,
    Entity,
    FullAssociation,
    RegionContents,
    VariantEntity,
    VariantWindow,
)
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.spans import REACH, overlaps, region_of


def assembly(organism: Organism) -> Notice:
    """A notice of the assembly that positions count on."""
    message = (
        f"Positions count on {ASSEMBLIES[organism].name}, from 1. On {PREVIOUS[organism]} the same genes lie elsewhere,"
        " often megabases away, and the Catalog has no older places to tell which: lift older coordinates over first,"
        " or give a gene's name as the region."
    )
    return Notice(code="ASSUMED", message=message)


def region_of_name(text: str, name: str, region: Region) -> Notice:
    """A notice of the entity whose place a name stands for."""
    return Notice(code="QUERY_UNDERSTOOD", message=f"{text} was read as the place of {name}, {region}.")


def cut(kind: str, limit: int) -> Notice:
    """A notice that the list is cut."""
    message = f"More than the {limit} {kind.replace('_', ' ')} listed lie there; the service sends them by ID."
    return Notice(code="LIST_CUT", message=f"{message} The cursor leads to the others.")


def variants_to_come(windows: Sequence[Region], following: int, count: int) -> Notice:
    """A notice of the windows that are still to be searched for variants."""
    rest = windows[following:]
    place = Region(rest[0].chromosome, rest[0].start, rest[-1].end)
    message = f"{count} variants are listed; {len(rest)} of {len(windows)} windows, {place}, are still to come."
    return Notice(code="LIST_CUT", message=f"{message} The cursor leads on; a call looks at five windows at most.")


def dropped_rows(kind: str, count: int) -> list[Notice]:
    """Rows that do not answer the query."""
    if not count:
        return []
    message = (
        f"{count} of {kind} that the service sent lie elsewhere, tell no place or miss a filter, and are left out."
    )
    return [Notice(code="DROPPED", message=message)]


def repeated_rows(count: int) -> list[Notice]:
    """Rows that came more than once, which the service's own counts may hold."""
    if not count:
        return []
    message = f"Variants that came again are listed once: {count} rows; variant_count may count them twice."
    return [Notice(code="MISMATCH", message=message)]


def unused_filters() -> Notice:
    """Filters that nothing was filtered by."""
    return Notice(code="TERM_IGNORED", message="The filters are of variants, which were not asked for.")


class KindPosition(NamedTuple):
    """The position in the entities of one kind."""

    page: int = 0
    done: int = 0
    """Rows of the page."""
    window: int = 0
    """The index of the window, for variants."""


class RegionPosition(BaseModel):
    """The position in a region, by kind; a kind without an entry starts, a kind with None has ended."""

    kinds: dict[str, KindPosition | None] = {}


WINDOW = 10_000
"""Bases in which variants are looked for at once: the longest that their endpoint is declared to take."""
MOST_WINDOWS = 5
"""Windows of one call: with their counts ten requests, two seconds of the service's budget."""
_VARIANT_ROWS = 500  # a page: those that begin before a region leave none of its own out
_VARIANT_PAGES = 10  # of one call


@dataclass(frozen=True, slots=True)
class RegionPart:
    """The entities of one kind in a region."""

    entities: list[Entity] | None = None
    """None if the request failed."""
    windows: list[VariantWindow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    rest: KindPosition | None = None
    """The position of the next entity; None at the end."""


@dataclass(slots=True)
class _WindowScan:
    """The state of one call's search through the windows."""

    position: KindPosition | None
    variants: list[VariantEntity] = field(default_factory=list)
    windows: list[Region] = field(default_factory=list)
    """The windows that were searched."""
    dropped_rows: int = 0
    """Rows that lie elsewhere, or miss a filter."""
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class RegionVariants:
    """Lists the variants of regions."""

    questions: IGVFQuestions
    organism: Organism
    filters: VariantFilters
    limit: int

    async def part(self, region: Region, begin: KindPosition) -> RegionPart:
        """Up to ``limit`` variants of a region from a position on, by ID in each window, and the next position."""
        windows = region.windows(math.ceil(region.length / math.ceil(region.length / WINDOW)))  # of equal length
        scan = _WindowScan(begin)
        counter = Counter(0, "pages read")
        for _ in range(_VARIANT_PAGES):
            position = scan.position
            is_new = position is not None and (not scan.windows or scan.windows[-1] is not windows[position.window])
            if position is None or len(scan.variants) >= self.limit:
                break
            if is_new and len(scan.windows) == MOST_WINDOWS:
                break
            counter.expect()
            await self._add_page(scan, windows, position)
            await counter.add()
        window_counts = await asyncio.gather(*map(self._variant_count, scan.windows))
        variant_windows = [
            VariantWindow(
                region=str(window),
                variant_count=count,
                listed=sum(overlaps(variant, window) for variant in scan.variants),
            )
            for window, (count, _) in zip(scan.windows, window_counts, strict=True)
        ]
        failures = [notice for _, failure in window_counts for notice in failure]
        sorted_variants = sorted(scan.variants, key=by_place)
        return RegionPart(
            [*sorted_variants], variant_windows, self._notices(scan, windows, failures[:1]), scan.position
        )

    async def _add_page(self, scan: _WindowScan, windows: Sequence[Region], position: KindPosition) -> None:
        """One page of one window: its variants, and those that begin a few bases before the region and reach in."""
        window = windows[position.window]
        if not scan.windows or scan.windows[-1] is not window:
            scan.windows.append(window)
        is_first = position.window == 0 and window.length + REACH <= WINDOW
        query_region = window.extended_before(REACH) if is_first else window
        path = "/variants/freq" if self.filters.is_by_frequency else "/variants"
        size = questions.page_size(endpoints()[path], _VARIANT_ROWS)
        parameters = {"region": query_region.half_open, **self.filters.query_parameters()}
        rows = await self.questions.entities(path, parameters, self.organism, page=position.page, limit=size)
        variants = list({variant.id: variant for variant in rows if isinstance(variant, VariantEntity)}.values())
        answers = [variant for variant in variants if overlaps(variant, query_region) and self.filters.accept(variant)]
        window_variants = [variant for variant in answers if overlaps(variant, window)]
        page_variants = window_variants[position.done :][: self.limit - len(scan.variants)]
        scan.variants += page_variants
        if position.done == 0:
            scan.dropped_rows += len(variants) - len(answers)
            scan.repeats += len(rows) - len(variants)
        done = position.done + len(page_variants)
        if done < len(window_variants):
            scan.position = position._replace(done=done)
        elif len(rows) == size:
            scan.position = KindPosition(position.page + 1, 0, position.window)
        else:
            is_last = position.window + 1 == len(windows)
            scan.position = None if is_last else KindPosition(window=position.window + 1)

    async def _variant_count(self, window: Region) -> tuple[int | None, list[Notice]]:
        """How many variants a window has; a count that fails takes no variants with it."""
        if self.organism != "human":
            return None, []
        question = self.questions.summary("/variants/region-summary", {"region": window.half_open})
        summary, failure = await side_request(question, "counts of variants", failures=FAILURES)
        count = number(summary or {}, "variant_count")
        if summary is not None and count is None:
            failure = [missing_part("counts of variants", "The service sent none.")]
        return count, failure

    def _notices(self, scan: _WindowScan, windows: Sequence[Region], failure: Sequence[Notice]) -> list[Notice]:
        messages = [*dropped_rows("variants", scan.dropped_rows), *repeated_rows(scan.repeats)]
        if scan.position is not None:
            messages.append(variants_to_come(windows, scan.position.window, len(scan.variants)))
        messages += failure
        if self.organism != "human":
            messages.append(Notice(code="NOT_COVERED", message="The service counts human variants only."))
        return messages


def by_place(entity: Entity) -> tuple[int, int, str]:
    """The sort key that lists entities from the first base on."""
    return entity.start or 0, entity.end or 0, entity.id


Include = Literal["genes", "transcripts", "variants", "regulatory_elements"]
USUAL: tuple[Include, ...] = ("genes", "variants", "regulatory_elements")

_ROWS = {"genes": 100, "transcripts": 500, "regulatory_elements": 100}
"""A page: one length for every limit, so that cursors hold. The service does not order transcripts of a chromosome."""
_PAGES = 4  # of a kind in one call
_PATHS = {"genes": "/genes", "transcripts": "/transcripts", "regulatory_elements": "/genomic-elements"}


@dataclass(frozen=True, slots=True)
class RegionSearch:
    """Searches regions for entities of several kinds."""

    questions: IGVFQuestions

    async def contents(
        self,
        region: Region,
        organism: Organism,
        include: Sequence[Include],
        filters: VariantFilters,
        *,
        limit: int,
        position: RegionPosition | None = None,
    ) -> tuple[RegionContents, RegionPosition | None]:
        """Up to ``limit`` of each kind from a position on, and the next position; None at the end.

        Raises:
            UpstreamError, RateLimited: every kind failed.
        """
        variants = RegionVariants(self.questions, organism, filters, limit)
        positions = dict(position.kinds) if position else {}
        kinds = [kind for kind in include if positions.get(kind, KindPosition()) is not None]
        starts = [positions.get(kind) or KindPosition() for kind in kinds]
        coroutines = [
            variants.part(region, begin) if kind == "variants" else self._kind(kind, region, organism, limit, begin)
            for kind, begin in zip(kinds, starts, strict=True)
        ]
        parts = await asyncio.gather(*map(_part_or_failure, kinds, coroutines))
        failures = [failure for _, failure in parts if failure]
        if len(failures) == len(kinds):
            raise failures[0]
        messages = [notice for part, _ in parts for notice in part.notices]
        if filters.query_parameters() and "variants" not in include:
            messages.append(unused_filters())
        rest = positions | {kind: part.rest for kind, (part, _) in zip(kinds, parts, strict=True)}
        following = RegionPosition(kinds=rest) if any(place is not None for place in rest.values()) else None
        contents = RegionContents(
            region=str(region),
            organism=organism,
            assembly_name=ASSEMBLIES[organism].name,
            **{kind: cast("Any", part.entities) for kind, (part, _) in zip(kinds, parts, strict=True)},
            variant_windows=[window for part, _ in parts for window in part.windows],
            notices=messages,
        )
        return contents, following

    async def _kind(self, kind: str, region: Region, organism: Organism, limit: int, begin: KindPosition) -> RegionPart:
        """Up to ``limit`` entities of one kind, page by page of the service."""
        path, size = _PATHS[kind], _ROWS[kind]
        entities: dict[str, Entity] = {}
        dropped_count, position = 0, begin
        rest: KindPosition | None = begin
        counter = Counter(0, "pages read")
        for _ in range(_PAGES):
            counter.expect()
            page_entities = await self.questions.entities(
                path, {"region": region.half_open}, organism, page=position.page, limit=size
            )
            await counter.add()
            matches = list({entity.id: entity for entity in page_entities if overlaps(entity, region)}.values())
            selected = matches[position.done :][: limit - len(entities)]
            entities |= {entity.id: entity for entity in selected}
            dropped_count += sum(not overlaps(entity, region) for entity in page_entities) if position.done == 0 else 0
            done = position.done + len(selected)
            is_full = len(page_entities) == size
            rest = KindPosition(position.page, done) if done < len(matches) else None
            rest = KindPosition(position.page + 1) if rest is None and is_full else rest
            if rest is None or len(entities) >= limit:
                break
            position = rest
        messages = dropped_rows(kind, dropped_count)
        if rest is not None:
            messages.append(cut(kind, len(entities)))
        return RegionPart(sorted(entities.values(), key=by_place), notices=messages, rest=rest)


async def _part_or_failure(kind: str, coroutine: Awaitable[RegionPart]) -> tuple[RegionPart, Failure | None]:
    """The part of one kind; on a failure an empty part with a notice, and the failure."""
    try:
        return await coroutine, None
    except FAILURES as failure:
        return RegionPart(notices=[missing_part(kind.replace("_", " "), failure.message)]), failure


_MOST_ELEMENTS = 10_000  # elements


class Places:
    """Places by name, as far as the Catalog has them."""

    def __init__(self, lookup: EntityLookup) -> None:
        self._lookup = lookup
        self._elements: dict[str, Region] = {}

    async def region(self, text: str, organism: Organism) -> tuple[Region, list[Notice]]:
        """The region that ``text`` spells, or that the entity of this name fills; and how it was read.

        Raises:
            AmbiguousQuery: it is neither, or means several places.
            EntityNotFound, UnresolvedEntity: the Catalog has nothing of this name.
        """
        try:
            region = read_region(text, organism)
        except AmbiguousQuery as error:
            is_name = isinstance(error.recovery, CallTool) and error.recovery.tool == GET_ENTITY
            if not is_name or is_written_like_a_region(text):
                raise
            return await self._region_by_name(text, organism, error)
        return region, [] if region_organism(text) else [assembly(organism)]

    async def _region_by_name(
        self, text: str, organism: Organism, refusal: AmbiguousQuery
    ) -> tuple[Region, list[Notice]]:
        with self.leading_to(text):
            entities = await self._lookup.find(text, None, organism)
        places = {region for entity in entities.entities if (region := region_of(entity))}
        if len(places) != 1:
            raise refusal
        (place,) = places
        names = dict.fromkeys(
            f"{entity.id} ({entity.name})" if entity.name else entity.id for entity in entities.entities
        )
        return place, [region_of_name(text, ", ".join(names), place), *entities.notices]

    def remember(self, elements: Iterable[Entity]) -> None:
        """Store the places of elements that a caller is shown."""
        self._keep({element.id: place for element in elements if (place := region_of(element))})

    def remember_ends(self, rows: Iterable[Association]) -> None:
        """Store the places of elements at the ends of these rows."""
        element_rows = [row for row in rows if isinstance(row, FullAssociation) and row.region]
        self._keep({end: Region.from_inclusive(row.region) for row in element_rows if row.region for end in _ends(row)})

    def _keep(self, places: Mapping[str, Region]) -> None:
        self._elements |= places
        for old in list(self._elements)[: max(0, len(self._elements) - _MOST_ELEMENTS)]:
            del self._elements[old]

    @contextmanager
    def leading_to(self, text: str) -> Iterator[None]:
        """Add the place of an element to the refusal of its accession, if it was shown before."""
        try:
            yield
        except UnresolvedEntity as error:
            accession = text.strip()
            if place := self._elements.get(accession) or self._elements.get(accession.upper()):
                error.recovery = CallTool(SEARCH_REGION, {"region": str(place)})
                error.hint = f"It lies at {place}: ask for that region."
            raise


def _ends(row: FullAssociation) -> tuple[str, str]:
    return row.subject, row.object


_KINDS: tuple[str, ...] = get_args(Include)


class RegionListing:
    """A list of several kinds, each of up to ``limit`` rows; a page that is too long is shown kind by kind."""

    def __init__(
        self,
        tool: ToolRef,
        query: Mapping[str, object],
        options: Mapping[str, object],
        *,
        cursor: str | None,
        limit: int,
    ) -> None:
        """``query`` are the arguments that choose the rows.

        Raises:
            AmbiguousQuery: the cursor is damaged, or comes from another query.
        """
        self._cursor = Cursor(tool, query, options)
        self._rows_shown = 0
        self.limit = limit
        self.position: RegionPosition | None = None
        place = self._cursor.read(cursor, place_type(RegionPosition)).root if cursor else None
        if isinstance(place, CutPosition):
            self.position, self.limit, self._rows_shown = place.page, place.page_size, place.rows_shown
        else:
            self.position = place

    def page(self, contents: RegionContents, following: RegionPosition | None) -> RegionContents:
        """The page as the caller can read it, with the cursor that leads on: to its rest, or to ``following``."""
        rows = [entity for _, entity in _rows(contents)]
        count = fitting_count(rows[self._rows_shown :], [*contents.notices, *contents.variant_windows])
        end = self._rows_shown + count
        place: BaseModel | None = following
        changes: dict[str, Any] = {}
        if end < len(rows):
            place = CutPosition(page=self.position, page_size=self.limit, rows_shown=end)
            notice = cut_notice(count, len(rows), "The cursor leads to the others, kind by kind.")
            changes["notices"] = [*contents.notices, notice]
        if self._rows_shown or end < len(rows):
            changes |= _row_slice(contents, self._rows_shown, end)
        return contents.model_copy(update={**changes, "cursor": self._cursor.write(place) if place else None})


def _rows(contents: RegionContents) -> Iterator[tuple[str, Entity]]:
    """All rows of a page by kind, in the order of its fields."""
    for kind in _KINDS:
        for entity in getattr(contents, kind) or ():
            yield kind, entity


def _row_slice(contents: RegionContents, start: int, end: int) -> dict[str, list[Entity] | None]:
    """The rows from ``start`` to ``end``, by kind. A kind without one of them is absent; a kind without any row is an
    empty list at the start of the page.
    """
    parts: dict[str, list[Entity]] = {kind: [] for kind in _KINDS if getattr(contents, kind) == [] and not start}
    for kind, entity in list(_rows(contents))[start:end]:
        parts.setdefault(kind, []).append(entity)
    return {kind: parts.get(kind) for kind in _KINDS}
