"""The contents of a region: genes, transcripts, variants and regulatory elements, queried side by side."""

import asyncio
import collections
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel

from biofact.core.call import Counter
from biofact.core.errors import AmbiguousQuery, CallTool, UnresolvedEntity
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.records import Notice, missing_part
from biofact.dialects.genomic.genomes import ASSEMBLIES, PREVIOUS, Organism
from biofact.dialects.genomic.regions import Region, is_written_like_a_region, region_organism
from biofact.dialects.json_values import number
from biofact.dialects.readable_rows import MissingField, ReadableRows, omission_notices
from biofact.protocol.listing import Listing, ListPage, distinct
from biofact.protocol.lookup import side_request
from biofact.protocol.search import FilteredList, ListGroup, PagePosition
from biofact.protocol.templates import NoticeTemplate
from biofact.sources.igvf import questions
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.entities import EntityLookup, titled
from biofact.sources.igvf.identifiers.forms import read_region
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY, SEARCH_REGION
from biofact.sources.igvf.questions import FAILURES, IGVFQuestions
from biofact.sources.igvf.records import Entity, FullAssociation, RegionContents, VariantEntity, VariantWindow
from biofact.sources.igvf.spans import REACH, overlaps, region_of

_FILTERS = ("category", "min_af", "max_af", "af_source")
_CATEGORIES = ("coding", "noncoding")
_USUAL_FREQUENCY = "gnomad_af_total"
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class VariantFilters:
    """Filters of the variants in a region."""

    category: str | None = None
    min_af: float | None = None
    max_af: float | None = None
    af_source: str = _USUAL_FREQUENCY

    @property
    def is_by_frequency(self) -> bool:
        """Whether the query needs the endpoint with frequencies."""
        return self.min_af is not None or self.max_af is not None

    @property
    def _frequencies(self) -> tuple[float, float]:
        return self.min_af or 0.0, 1.0 if self.max_af is None else self.max_af

    @classmethod
    def read(cls, filters: Mapping[str, object], organism: str) -> "VariantFilters":
        """The filters that a caller wrote.

        Raises:
            AmbiguousQuery: there are filters, and none for this organism.
            InvalidValues: some of them are unknown, or cannot be understood.
        """
        sources = endpoints()["/variants/freq"].parameters["source"]
        invalid_parts = [
            InvalidPart((name,), value, f"variants cannot be filtered by {name!r:.80}", known_names=_FILTERS)
            for name, value in filters.items()
            if name not in _FILTERS
        ]
        for name, valid in (("category", _CATEGORIES), ("af_source", sources)):
            if name in filters and filters[name] not in (None, *valid):
                invalid_parts.append(InvalidPart((name,), filters[name], expected=f"one of {', '.join(valid)}"))
        bounds = {name: _frequency(filters[name]) for name in ("min_af", "max_af") if filters.get(name) is not None}
        invalid_parts += [
            InvalidPart((name,), filters[name], expected="an allele frequency from 0 to 1")
            for name, bound in bounds.items()
            if bound is None
        ]
        low, high = bounds.get("min_af"), bounds.get("max_af")
        if low is not None and high is not None and low > high:
            invalid_parts.append(InvalidPart(("min_af",), filters["min_af"], expected="at most max_af"))
        if invalid_parts:
            raise InvalidValues(invalid_parts)
        if filters and organism != "human":
            hint = "Only human variants can be filtered: leave filters out, or ask for human."
            message = f"Variants of {organism} cannot be filtered by {', '.join(filters)}."
            raise AmbiguousQuery(message, hint=hint, invalid_input=dict(filters))
        category, source = filters.get("category"), filters.get("af_source") or _USUAL_FREQUENCY
        return cls(str(category) if category else None, low, high, str(source))

    def query_parameters(self) -> dict[str, str]:
        """The filters as parameters of the endpoint."""
        parameters = {"GENCODE_category": self.category} if self.category else {}
        if self.is_by_frequency:
            low, high = self._frequencies
            parameters |= {"source": self.af_source, "minimum_af": f"{low:g}", "maximum_af": f"{high:g}"}
        return parameters

    def accept(self, variant: VariantEntity) -> bool:
        """Whether a variant passes; one of unknown frequency never passes bounds of frequency."""
        if self.category is not None and variant.gencode_category != self.category:
            return False
        if not self.is_by_frequency:
            return True
        frequency, (low, high) = variant.allele_frequencies.get(self.af_source), self._frequencies
        return frequency is not None and low <= frequency <= high


def _frequency(value: object) -> float | None:
    """A number from 0 to 1, as one or as a text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return None
    number = float(value) if isinstance(value, str) else value
    return float(number) if 0 <= number <= 1 else None


_ASSEMBLY = NoticeTemplate(
    "ASSUMED",
    "Positions count on {assembly}, from 1. On {previous} the same genes lie elsewhere, often megabases away, and "
    "the Catalog has no older places to tell which: lift older coordinates over first, or give a gene's name as the "
    "region.",
)
_PLACE_OF = NoticeTemplate("QUERY_UNDERSTOOD", "{text} was read as the place of {names}, {place}.")
_CUT = NoticeTemplate(
    "LIST_CUT",
    "More than the {count} {kind} listed lie there; the service sends them by ID. The cursor leads to the others.",
)
_WINDOWS_TO_COME = NoticeTemplate(
    "LIST_CUT",
    "{count} variants are listed; {rest} of {windows} windows, {place}, are still to come. The cursor leads on; a call "
    "looks at five windows at most.",
)
_DROPPED = NoticeTemplate(
    "DROPPED",
    "{count} of {kind} that the service sent lie elsewhere, tell no place or miss a filter, and are left out.",
)
_REPEATED = NoticeTemplate(  # the service's own counts may hold them
    "MISMATCH", "Variants that came again are listed once: {count} rows; variant_count may count them twice."
)
_UNUSED_FILTERS = NoticeTemplate("TERM_IGNORED", "The filters are of variants, which were not asked for.")
_NOT_COUNTED = NoticeTemplate("NOT_COVERED", "The service counts human variants only.")


Include = Literal["genes", "transcripts", "variants", "regulatory_elements"]
USUAL: tuple[Include, ...] = ("genes", "variants", "regulatory_elements")
_KINDS: tuple[str, ...] = get_args(Include)

WINDOW = 10_000
"""Bases in which variants are looked for at once: the longest that their endpoint is declared to take."""
MOST_WINDOWS = 5
"""Windows of one call: with their counts ten requests, two seconds of the service's budget."""
_VARIANT_ROWS = 500  # a page: those that begin before a region leave none of its own out
_VARIANT_PAGES = 10  # of one call
_ROWS = {"genes": 100, "transcripts": 500, "regulatory_elements": 100}
"""A page: one length for every limit, so that cursors hold. The service does not order transcripts of a chromosome."""
_PAGES = 4  # of a kind in one call
_PATHS = {"genes": "/genes", "transcripts": "/transcripts", "regulatory_elements": "/genomic-elements"}


class RegionPosition(BaseModel):
    """The position in a region, by kind; a kind without an entry starts, and one with None has ended."""

    kinds: dict[str, PagePosition | None] = {}


@dataclass(slots=True)
class EntityList(FilteredList[Entity]):
    """The next entities of one kind in a region."""

    windows: list[VariantWindow] = field(default_factory=list)
    """The windows that were searched for variants."""
    notices: list[Notice] = field(default_factory=list)
    dropped_rows: int = 0
    """Rows that lie elsewhere, or miss a filter."""
    omissions: collections.Counter[str] = field(default_factory=collections.Counter)
    """The number of rows without a field that they need, by field."""
    repeats: int = 0
    readable_count: int = 0
    unreadable: MissingField | None = None
    """The error of the first row without a field."""

    def note(self, found: ReadableRows[Entity]) -> None:
        """Count the rows of a page."""
        self.omissions += found.omissions
        self.readable_count += len(found.items)
        self.unreadable = self.unreadable or found.failure

    def add_row_notices(self) -> None:
        """Add the notices of the rows that are not shown.

        Raises:
            MissingField: from the beginning on, every row lacks a field.
        """
        if self.unreadable and not self.readable_count and self.start == PagePosition():
            raise self.unreadable
        if self.dropped_rows:
            self.notices.append(_DROPPED(count=self.dropped_rows, kind=self.key))
        self.notices += omission_notices("The IGVF Catalog", self.omissions, self.key.replace("_", " "))


@dataclass(frozen=True, slots=True)
class RegionSearch:
    """A search of a region for entities of several kinds."""

    questions: IGVFQuestions
    region: Region
    organism: Organism
    filters: VariantFilters
    """The filters of variants."""

    async def page(self, kinds: Sequence[Include], listing: Listing[RegionPosition]) -> RegionContents:
        """Up to a page's size of each kind from the position on, as far as the caller can read them.

        Raises:
            UpstreamError, RateLimited: every kind failed.
        """
        positions, limit = listing.position.kinds if listing.position else {}, listing.page_size
        starts = [(kind, positions.get(kind, PagePosition())) for kind in kinds]
        lists = [EntityList(kind, start) for kind, start in starts if start is not None]
        await asyncio.gather(*(self._fill(part, limit) for part in lists))
        ListGroup(lists).check()
        notices = [notice for part in lists for notice in part.notices]
        if self.filters.query_parameters() and "variants" not in kinds:
            notices.append(_UNUSED_FILTERS())
        entities = {part.key: None if part.failure else _first(part, limit) for part in lists}
        rows = [entity for kind in _KINDS for entity in entities.get(kind) or ()]
        positions = {**positions, **{part.key: part.after(limit) for part in lists}}
        is_end = all(position is None for position in positions.values())
        following = None if is_end else RegionPosition(kinds=positions)
        windows = [window for part in lists for window in part.windows]
        list_page = ListPage(rows, following, notices=notices)
        shown_rows, cursor, notices = listing.cut(list_page, windows, limit=len(rows), order=", kind by kind")
        if len(shown_rows) < len(rows):
            entities = _shown(entities, shown_rows, is_start=shown_rows[:1] == rows[:1])
        return RegionContents(
            region=str(self.region),
            organism=self.organism,
            assembly_name=ASSEMBLIES[self.organism].name,
            **cast("dict[str, Any]", entities),
            variant_windows=windows,
            cursor=cursor,
            notices=notices,
        )

    async def _fill(self, part: EntityList, limit: int) -> None:
        """Read at least ``limit`` entities, or all there are; a failure is a part of the list, with a notice."""
        try:
            await (self._add_variants(part, limit) if part.key == "variants" else self._add_entities(part, limit))
        except FAILURES as failure:
            part.rows, part.windows, part.failure = [], [], failure
            part.notices = [missing_part(part.key.replace("_", " "), failure.message)]

    async def _add_entities(self, part: EntityList, limit: int) -> None:
        path, size = _PATHS[part.key], _ROWS[part.key]
        counter = Counter(0, "pages read")
        for position in part.pages(limit, _PAGES):
            counter.expect()
            parameters = {"region": self.region.half_open}
            found, row_count = await self.questions.entity_page(
                path, parameters, self.organism, page=position.page, limit=size
            )
            await counter.add()
            matches = [entity for entity in found.items if overlaps(entity, self.region)]
            if position.done == 0:  # they were counted when the page was begun
                part.dropped_rows += len(found.items) - len(matches)
                part.note(found)
            # Transcripts of a chromosome are unordered: pages may repeat rows.
            part.add(distinct(matches), PagePosition(position.page + 1) if row_count == size else None)
        part.add_row_notices()
        if part.after(limit) is not None:
            part.notices.append(_CUT(count=len(_first(part, limit)), kind=part.key.replace("_", " ")))

    async def _add_variants(self, part: EntityList, limit: int) -> None:
        """Variants window by window, by ID in each, with the count of each window."""
        window_count = math.ceil(self.region.length / WINDOW)
        windows = self.region.windows(math.ceil(self.region.length / window_count))  # of equal length
        searched: Sequence[Region] = ()
        counter = Counter(0, "pages read")
        for position in part.pages(limit, _VARIANT_PAGES):
            if position.part == part.start.part + MOST_WINDOWS:
                break  # the cursor leads on to the next window
            searched = windows[part.start.part : position.part + 1]
            counter.expect()
            await self._add_variant_page(part, windows, position)
            await counter.add()
        variants = part.rows[:limit]
        window_counts = await asyncio.gather(*map(self._variant_count, searched))
        for window, (count, _) in zip(searched, window_counts, strict=True):
            listed = sum(overlaps(variant, window) for variant in variants)
            part.windows.append(VariantWindow(region=str(window), variant_count=count, listed=listed))
        part.add_row_notices()
        if part.repeats:
            part.notices.append(_REPEATED(count=part.repeats))
        if (following := part.after(limit)) is not None:
            rest = windows[following.part :]
            place = Region(rest[0].chromosome, rest[0].start, rest[-1].end)
            counts = {"count": len(variants), "rest": len(rest), "windows": len(windows)}
            part.notices.append(_WINDOWS_TO_COME(**counts, place=place))
        part.notices += [notice for _, failure in window_counts for notice in failure][:1]
        if self.organism != "human":
            part.notices.append(_NOT_COUNTED())

    async def _add_variant_page(self, part: EntityList, windows: Sequence[Region], position: PagePosition) -> None:
        """One page of one window: its variants, and those that begin a few bases before the region and reach in."""
        window = windows[position.part]
        is_first = position.part == 0 and window.length + REACH <= WINDOW
        query_region = window.extended_before(REACH) if is_first else window
        # /variants takes no bounds of a frequency, and /variants/freq requires a source of frequencies.
        path = "/variants/freq" if self.filters.is_by_frequency else "/variants"
        size = questions.page_size(endpoints()[path], _VARIANT_ROWS)
        parameters = {"region": query_region.half_open, **self.filters.query_parameters()}
        found, row_count = await self.questions.entity_page(
            path, parameters, self.organism, page=position.page, limit=size
        )
        variants = distinct([variant for variant in found.items if isinstance(variant, VariantEntity)])
        answers = [variant for variant in variants if overlaps(variant, query_region) and self.filters.accept(variant)]
        if position.done == 0:  # they were counted when the page was begun
            part.dropped_rows += len(variants) - len(answers)
            part.repeats += len(found.items) - len(variants)
            part.note(found)
        if row_count == size:
            following: PagePosition | None = PagePosition(position.page + 1, part=position.part)
        else:
            is_last = position.part + 1 == len(windows)
            following = None if is_last else PagePosition(part=position.part + 1)
        part.add([variant for variant in answers if overlaps(variant, window)], following)

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


def _first(part: EntityList, limit: int) -> list[Entity]:
    """The first entities of a list, from the first base on."""
    return sorted(distinct(part.rows[:limit]), key=lambda entity: (entity.start or 0, entity.end or 0, entity.id))


def _shown(
    entities: Mapping[str, Sequence[Entity] | None], rows: Sequence[Entity], *, is_start: bool
) -> dict[str, list[Entity] | None]:
    """The entities that are among these rows, by kind. A kind without one of them is absent; a kind without any entity
    is an empty list at the start of the page.
    """
    shown = set(map(id, rows))
    parts = {kind: [entity for entity in of_kind or () if id(entity) in shown] for kind, of_kind in entities.items()}
    return {kind: part or ([] if entities[kind] == [] and is_start else None) for kind, part in parts.items()}


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
        if region_organism(text):
            return region, []
        return region, [_ASSEMBLY(assembly=ASSEMBLIES[organism].name, previous=PREVIOUS[organism])]

    async def _region_by_name(
        self, text: str, organism: Organism, refusal: AmbiguousQuery
    ) -> tuple[Region, list[Notice]]:
        with self.leading_to(text):
            entities = await self._lookup.find(text, None, organism)
        places = {region for entity in entities.entities if (region := region_of(entity))}
        if len(places) != 1:
            raise refusal
        (place,) = places
        names = dict.fromkeys(map(titled, entities.entities))
        return place, [_PLACE_OF(text=text, names=", ".join(names), place=place), *entities.notices]

    def remember(self, elements: Iterable[Entity]) -> None:
        """Store the places of elements that a caller is shown."""
        self._keep({element.id: place for element in elements if (place := region_of(element))})

    def remember_ends(self, rows: Iterable[FullAssociation]) -> None:
        """Store the places of elements at the ends of these rows."""
        places = [(row, Region.from_inclusive(row.region)) for row in rows if row.region]
        self._keep({end: place for row, place in places for end in (row.subject, row.object)})

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
