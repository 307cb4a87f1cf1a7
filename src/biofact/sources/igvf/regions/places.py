"""Places by name: a gene's stands for the region that it fills, and an element's leads to where it was found."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from biofact.core.errors import AmbiguousQuery, CallTool, UnresolvedEntity
from biofact.core.records import Notice
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.genomic.regions import Region, is_written_like_a_region, region_organism
from biofact.sources.igvf.identifiers.forms import read_region
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY, SEARCH_REGION
from biofact.sources.igvf.lookup.entities import EntityLookup
from biofact.sources.igvf.records import Association, Entity, FullAssociation
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.spans import region_of

_REMEMBERED = 10_000  # elements


class Places:
    """Knows places by name, as far as the Catalog tells them."""

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
            return await self._named(text, organism, error)
        return region, [] if region_organism(text) else [notices.assembly(organism)]

    async def _named(self, text: str, organism: Organism, refusal: AmbiguousQuery) -> tuple[Region, list[Notice]]:
        with self.leading_to(text):
            found = await self._lookup.find(text, None, organism)
        places = {region for entity in found.entities if (region := region_of(entity))}
        if len(places) != 1:
            raise refusal
        (place,) = places
        names = dict.fromkeys(f"{one.id} ({one.name})" if one.name else one.id for one in found.entities)
        return place, [notices.read_as(text, ", ".join(names), place), *found.notices]

    def remember(self, elements: Iterable[Entity]) -> None:
        """Take note of where elements lie that a caller is shown."""
        self._keep({element.id: place for element in elements if (place := region_of(element))})

    def remember_ends(self, rows: Iterable[Association]) -> None:
        """Take note of where elements lie at an end of these rows."""
        placed = [row for row in rows if isinstance(row, FullAssociation) and row.region]
        self._keep({end: Region.from_inclusive(row.region) for row in placed if row.region for end in _ends(row)})

    def _keep(self, places: Mapping[str, Region]) -> None:
        self._elements |= places
        for old in list(self._elements)[: max(0, len(self._elements) - _REMEMBERED)]:
            del self._elements[old]

    @contextmanager
    def leading_to(self, text: str) -> Iterator[None]:
        """Let the refusal of an element's accession lead to its place, where that was shown before."""
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
