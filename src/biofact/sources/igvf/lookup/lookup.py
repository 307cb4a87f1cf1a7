"""Readings of what a caller wrote, looked up side by side or one after the other."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.provenance import Notice
from biofact.dialects.genomic.genomes import Organism
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import SPECIES, endpoints
from biofact.sources.igvf.filters import Filters, is_term
from biofact.sources.igvf.identifiers.kinds import CALLED
from biofact.sources.igvf.identifiers.readings import Hint, Reading, readings
from biofact.sources.igvf.identifiers.refusals import GET_ENTITY
from biofact.sources.igvf.lookup.absence import nothing, several
from biofact.sources.igvf.lookup.hints import fitting, is_tissue
from biofact.sources.igvf.lookup.keys import PATHS, fills, has_words, is_also_called, is_called, key_of
from biofact.sources.igvf.lookup.symbols import Symbols
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity, ProteinEntity, TermEntity
from biofact.sources.igvf.term_ids import native

_MOST_TERMS = 4
_OF_EITHER = frozenset({"entrez", "protein_id"})  # identifiers that do not tell the organism
_HINTS: dict[str, Hint] = {
    "gene": "gene",
    "protein": "protein",
    "variant": "variant",
    "drug": "drug",
    "term": "disease",
    "pathway": "pathway",
    "complex": "complex",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What was meant: one entity; several where they are alleles, isoforms, or terms that share a name's words."""

    reading: Reading
    entities: tuple[Entity, ...]
    notices: list[Notice] = field(default_factory=list)
    is_by_synonym: bool = False
    is_by_words: bool = False
    """Its name only holds the words that were written."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Finds what callers mean."""

    ask: IGVFQuestions

    async def found(self, text: str, hint: str | None, organism: Organism | None, *, is_start: bool = False) -> Found:
        """What ``text`` means; to start from (``is_start``) also terms whose names hold its words, and any region.

        Raises:
            UnresolvedEntity, AmbiguousQuery: it cannot be read, or means several things alike.
            EntityNotFound: the Catalog has nothing of that name or ID.
        """
        read = readings(text, hint, organism)
        near: list[Entity] = []
        hits: list[Found] = []
        tried: list[Reading] = []
        failures: list[UpstreamError | RateLimited] = []
        for together in _turns(read):
            told = await asyncio.gather(*(self._tried(reading, organism, near, failures) for reading in together))
            tried += together
            hits += [one for one in told if one.entities or (is_start and one.reading.kind == "element")]
            if any(not one.is_by_synonym for one in hits):
                break
        hits = hits or await self._of_mouse(read, organism)
        if not hits and is_start:
            hits = [one for reading in read if (one := _family(reading, near)).entities]
        if not hits:
            raise failures[0] if failures else nothing(text, read, near, organism)
        found = _with_others(text, sorted(hits, key=lambda one: one.is_by_synonym), tried, failures)
        found = replace(found, entities=fitting(text, found.entities, hint))
        return _together(found) if is_start else found

    async def with_tissue(self, filters: Filters) -> Filters:
        """The filters with the terms that a tissue in words is called by; as they are where it has none."""
        if filters.tissue is None:
            return filters
        try:
            if is_term(filters.tissue):
                found = await self._carrying(Reading("term", "term_id", native(filters.tissue)), "human")
            else:
                found = (await self._named(Reading("term", "name", filters.tissue), [])).entities
        except (UpstreamError, RateLimited):
            return filters  # rows are held against the words, as far as these go
        terms = tuple(one for one in found if isinstance(one, TermEntity) and is_tissue(one))
        return replace(filters, tissue_terms=terms[:_MOST_TERMS])

    async def _tried(
        self,
        reading: Reading,
        organism: Organism | None,
        near: list[Entity],
        failures: list[UpstreamError | RateLimited],
    ) -> Found:
        """One reading looked up; where that fails, another may still be right."""
        try:
            return await self._looked_up(reading, organism, near)
        except (UpstreamError, RateLimited) as failure:
            failures.append(failure)
            return Found(reading, ())

    async def _looked_up(self, reading: Reading, organism: Organism | None, near: list[Entity]) -> Found:
        notices = [Notice(code="ASSUMED", message=reading.assumed)] if reading.assumed else []
        if reading.by == "name":
            named = self._gene(reading, organism, near) if reading.kind == "gene" else self._named(reading, near)
            found = await named
            return replace(found, notices=[*notices, *found.notices])
        entities = await self._carrying(reading, reading.organism or organism or "human")
        return Found(reading, entities, notices)

    async def _gene(self, reading: Reading, organism: Organism | None, near: list[Entity]) -> Found:
        symbols = Symbols(self.ask)
        genes, said = await symbols.genes(reading.id, reading.organism or organism)
        near.extend(symbols.near)
        is_named = any(is_called(gene, reading.id) for gene in genes)
        return Found(reading, tuple(genes), said, is_by_synonym=bool(genes) and not is_named)

    async def _named(self, reading: Reading, near: list[Entity]) -> Found:
        """Entities of exactly this name; terms that have it as a synonym where there are none."""
        told = await self._rows(reading, {"name": reading.id})
        if exact := tuple(one for one in told if is_called(one, reading.id)):
            return Found(reading, exact)
        near.extend(told)
        if reading.kind != "term":
            return Found(reading, ())
        told = await self._rows(reading, {"synonyms": reading.id})
        also = tuple(one for one in told if is_also_called(one, reading.id))
        named = ", ".join(f"{one.name} ({one.id})" for one in also)
        said = [Notice(code="QUERY_UNDERSTOOD", message=f"{reading.id} is a synonym of {named}.")] if also else []
        return Found(reading, also, said, is_by_synonym=bool(also))

    async def _carrying(self, reading: Reading, whose: Organism) -> tuple[Entity, ...]:
        """The entities of one organism that carry an identifier."""
        key = key_of(reading)
        told = await self._rows(reading, {key.parameter: key.value(reading.id)}, whose)
        found = tuple(one for one in told if key.carries(one, reading.id))
        return tuple(one for one in found if reading.by == "region" and fills(one, reading.id)) or found

    async def _of_mouse(self, read: Sequence[Reading], organism: Organism | None) -> list[Found]:
        """What the mouse has, where neither the caller nor the ID says whose it is."""
        told = [one for one in read if one.by in _OF_EITHER and not (organism or one.organism)]
        found = await asyncio.gather(*(self._carrying(reading, "mouse") for reading in told))
        said = [Notice(code="ASSUMED", message=f"Nothing human is {one.id}; it is the mouse's.") for one in told]
        return [
            Found(reading, entities, [notice])
            for reading, entities, notice in zip(told, found, said, strict=True)
            if entities
        ]

    async def _rows(self, reading: Reading, given: dict[str, str], whose: Organism = "human") -> list[Entity]:
        """What an endpoint has for an identifier, near misses among it; proteins and transcripts may repeat."""
        path = PATHS[reading.kind]
        if "organism" in endpoints()[path].parameters:
            if whose not in endpoints()[path].organisms:
                return []
            given = {**given, "organism": SPECIES[whose]}
        told = [parse.entity(reading.kind, row, whose) for row in await self.ask.rows(path, given)]
        return list({one.id: one for one in told}.values())


def single(text: str, found: Found) -> tuple[Entity, list[Notice]]:
    """The one entity that is meant; of the isoforms of a protein the one that stands for its gene.

    Raises:
        AmbiguousQuery: there are several, and none stands for the others.
    """
    first, *others = found.entities
    if not others:
        return first, found.notices
    isoforms = [one for one in found.entities if isinstance(one, ProteinEntity)]
    if not isoforms:
        raise several(text, found.entities, "alleles" if first.type == "variant" else "entities")
    chosen = next((one for one in isoforms if one.is_mane_select), isoforms[0])
    also = ", ".join(one.id for one in isoforms if one is not chosen)
    message = f"{text} stands for {len(isoforms)} proteins; {chosen.id} is shown. The others: {also}."
    return chosen, [*found.notices, Notice(code="SEVERAL_VALUES", message=message)]


def _turns(read: Sequence[Reading]) -> list[tuple[Reading, ...]]:
    """The readings that are tried together: all those of an ID that may be two things; names one after the other."""
    if any(reading.by != "name" for reading in read):
        return [tuple(read)]
    return [(reading,) for reading in read]


def _family(reading: Reading, near: Sequence[Entity]) -> Found:
    """Terms whose names hold all the words of a name that none has to itself."""
    if reading.kind != "term" or reading.by != "name":
        return Found(reading, ())
    family = [one for one in near if one.type == "ontology_term" and has_words(one, reading.id)]
    family.sort(key=lambda one: (len(one.name or ""), one.id))
    return Found(reading, tuple(family), is_by_words=True)


def _together(found: Found) -> Found:
    """Terms that share a name, as far as one call goes from all of them; says which they are."""
    is_plain = len(found.entities) == 1 and not found.is_by_words
    if found.reading.kind != "term" or found.reading.by != "name" or is_plain:
        return found
    terms = found.entities[:_MOST_TERMS]
    named = ", ".join(f"{one.id} ({one.name})" for one in terms)
    more = f", not {len(found.entities) - _MOST_TERMS} more" if len(found.entities) > _MOST_TERMS else ""
    said = Notice(code="QUERY_UNDERSTOOD", message=f"{found.reading.id} was read as {named}{more}.")
    return replace(found, entities=terms, notices=[*found.notices, said])


def _with_others(
    text: str, hits: Sequence[Found], tried: Sequence[Reading], failures: Sequence[UpstreamError | RateLimited]
) -> Found:
    """The first hit, with what became of the other readings: those that hit too, and those of an ID that did not."""
    first, *others = hits
    if failures:
        message = f"Whether {text} is something else, too, could not be asked. {failures[0].message}"
        first = replace(first, notices=[*first.notices, Notice(code="LEG_FAILED", message=message)])
        return first
    is_id = any(reading.by != "name" for reading in tried)
    if not others and (len(tried) == 1 or not is_id):
        return first
    words = f"{text} was read as {CALLED[first.reading.kind]}"
    if others:
        also = "; ".join(f"{CALLED[other.reading.kind]}, {_shown(other)}" for other in others)
        hint = _HINTS.get(others[0].reading.kind)
        how = f": call {GET_ENTITY} with hint={hint!r} for that" if hint else ""
        said = Notice(code="SHARED_MATCH", message=f"{words}, and is also {also}{how}.")
    else:
        failed = [reading for reading in tried if reading is not first.reading]
        also = " or ".join(dict.fromkeys(CALLED[reading.kind] for reading in failed))
        said = Notice(code="QUERY_UNDERSTOOD", message=f"{words}; nothing is {also} of that name.")
    return replace(first, notices=[*first.notices, said])


def _shown(found: Found) -> str:
    return ", ".join(one.id if one.name is None else f"{one.id} ({one.name})" for one in found.entities[:_MOST_TERMS])
