"""The entities that a caller's text means: its readings looked up side by side or one after the other."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice
from biofact.dialects.genomic.genomes import Organism
from biofact.sources.igvf.catalog import endpoint_of
from biofact.sources.igvf.filters import AssociationFilters, is_term
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY, KIND_PHRASES, Hint, IdentifierReading
from biofact.sources.igvf.identifiers.readings import readings
from biofact.sources.igvf.lookup.absence import ambiguous, not_found
from biofact.sources.igvf.lookup.hints import fitting_entities, is_tissue
from biofact.sources.igvf.lookup.keys import fills, has_words, is_also_called, is_called, key_of
from biofact.sources.igvf.lookup.symbols import GeneSymbols
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity, ProteinEntity, TermEntity
from biofact.sources.igvf.term_ids import native

_MOST_TERMS = 4
_OF_EITHER = frozenset({"entrez", "protein_id"})  # identifiers that do not show the organism


@dataclass(frozen=True, slots=True)
class FoundEntities:
    """What a caller meant: one entity; several where they are alleles, isoforms, or terms that share a name's words."""

    reading: IdentifierReading
    entities: tuple[Entity, ...]
    notices: list[Notice] = field(default_factory=list)
    is_by_synonym: bool = False
    is_by_words: bool = False
    """Its name only holds the words that were written."""
    near: tuple[Entity, ...] = ()
    """Others that the service sent: near misses."""
    failure: UpstreamError | RateLimited | None = None
    """Why it is not known."""


@dataclass(frozen=True, slots=True)
class EntityLookup:
    """Finds what callers mean."""

    questions: IGVFQuestions

    async def find(
        self, text: str, hint: str | None, organism: Organism | None, *, is_start: bool = False
    ) -> FoundEntities:
        """What ``text`` means; to start from (``is_start``) also terms whose names hold its words, and any region.

        Raises:
            UnresolvedEntity, AmbiguousQuery: it cannot be read, or means several things alike.
            EntityNotFound: the Catalog has nothing of that name or ID.
        """
        alternatives = readings(text, hint, organism)
        tried: list[FoundEntities] = []
        hits: list[FoundEntities] = []
        for together in _batches(alternatives):
            tried += await asyncio.gather(*(self._try(reading, organism) for reading in together))
            hits = [found for found in tried if found.entities or (is_start and found.reading.kind == "element")]
            if any(not hit.is_by_synonym for hit in hits):
                break
        hits = hits or await self._find_in_mouse(alternatives, organism)
        near = [entity for found in tried for entity in found.near]
        if not hits and is_start:
            hits = [family for reading in alternatives if (family := _family(reading, near)).entities]
        if not hits:
            failure = next((found.failure for found in tried if found.failure), None)
            raise failure or not_found(text, alternatives, near, organism)
        found = _add_other_readings(text, sorted(hits, key=lambda hit: hit.is_by_synonym), tried)
        found = replace(found, entities=fitting_entities(text, found.entities, hint))
        return _shared_name(found) if is_start else found

    async def by_reading(self, reading: IdentifierReading) -> tuple[Entity, ...]:
        """The entities that carry an identifier that has been read; none where there are none."""
        return await self._find_by_id(reading, "human")

    async def add_tissue_terms(self, filters: AssociationFilters) -> AssociationFilters:
        """The filters with the ontology terms of their tissue; as they are where it has none."""
        if filters.tissue is None:
            return filters
        try:
            if is_term(filters.tissue):
                found = await self._find_by_id(IdentifierReading("term", "term_id", native(filters.tissue)), "human")
            else:
                found = (await self._find_by_name(IdentifierReading("term", "name", filters.tissue))).entities
        except (UpstreamError, RateLimited):
            return filters  # rows are compared with the words then
        terms = tuple(term for term in found if isinstance(term, TermEntity) and is_tissue(term))
        return replace(filters, tissue_terms=terms[:_MOST_TERMS])

    async def _try(self, reading: IdentifierReading, organism: Organism | None) -> FoundEntities:
        """One reading looked up; where that fails, another may still be right."""
        try:
            found = await self._look_up(reading, reading.organism or organism)
        except (UpstreamError, RateLimited) as failure:
            return FoundEntities(reading, (), failure=failure)
        assumed = [Notice(code="ASSUMED", message=reading.assumed)] if reading.assumed else []
        return replace(found, notices=[*assumed, *found.notices])

    async def _look_up(self, reading: IdentifierReading, organism: Organism | None) -> FoundEntities:
        if reading.by != "name":
            return FoundEntities(reading, await self._find_by_id(reading, organism or "human"))
        return await (self._find_gene(reading, organism) if reading.kind == "gene" else self._find_by_name(reading))

    async def _find_gene(self, reading: IdentifierReading, organism: Organism | None) -> FoundEntities:
        symbols = GeneSymbols(self.questions)
        genes, notices = await symbols.genes(reading.id, organism)
        is_by_synonym = bool(genes) and not any(is_called(gene, reading.id) for gene in genes)
        return FoundEntities(reading, tuple(genes), notices, is_by_synonym, near=tuple(symbols.near))

    async def _find_by_name(self, reading: IdentifierReading) -> FoundEntities:
        """Entities of exactly this name; terms that have it as a synonym where there are none."""
        near = tuple(await self._entities(reading, {"name": reading.id}))
        if exact := tuple(entity for entity in near if is_called(entity, reading.id)):
            return FoundEntities(reading, exact)
        if reading.kind != "term":
            return FoundEntities(reading, (), near=near)
        rows = await self._entities(reading, {"synonyms": reading.id})
        also = tuple(term for term in rows if is_also_called(term, reading.id))
        named = ", ".join(f"{term.name} ({term.id})" for term in also)
        notices = [Notice(code="QUERY_UNDERSTOOD", message=f"{reading.id} is a synonym of {named}.")] if also else []
        return FoundEntities(reading, also, notices, is_by_synonym=bool(also), near=near)

    async def _find_by_id(self, reading: IdentifierReading, organism: Organism) -> tuple[Entity, ...]:
        """The entities of one organism that carry an identifier."""
        key = key_of(reading)
        given = {key.parameter: key.value(reading.id)}
        rows = await self._entities(reading, given, organism, found_by=key.field)
        found = tuple(entity for entity in rows if key.carries(entity, reading.id))
        return tuple(entity for entity in found if reading.by == "region" and fills(entity, reading.id)) or found

    async def _find_in_mouse(
        self, alternatives: Sequence[IdentifierReading], organism: Organism | None
    ) -> list[FoundEntities]:
        """What the mouse has, where neither the caller nor the ID says whose it is."""
        open_readings = (reading for reading in alternatives if not (organism or reading.organism))
        candidates = [reading for reading in open_readings if reading.by in _OF_EITHER]
        found = await asyncio.gather(*(self._find_by_id(reading, "mouse") for reading in candidates))
        messages = (f"Nothing human is {reading.id}; it is the mouse's." for reading in candidates)
        return [
            FoundEntities(reading, entities, [Notice(code="ASSUMED", message=message)])
            for reading, entities, message in zip(candidates, found, messages, strict=True)
            if entities
        ]

    async def _entities(
        self, reading: IdentifierReading, given: dict[str, str], organism: Organism = "human", *, found_by: str = ""
    ) -> list[Entity]:
        """What an endpoint has for an identifier, each entity once; near misses may be among them."""
        endpoint = endpoint_of(reading.kind)
        if "organism" in endpoint.parameters and organism not in endpoint.organisms:
            return []
        found = await self.questions.entities(endpoint.path, given, organism, found_by=found_by)
        return list({entity.id: entity for entity in found}.values())


def single_entity(text: str, found: FoundEntities) -> tuple[Entity, list[Notice]]:
    """The one entity that is meant; of the isoforms of a protein the one that stands for its gene.

    Raises:
        AmbiguousQuery: there are several, and none stands for the others.
    """
    first, *others = found.entities
    if not others:
        return first, found.notices
    isoforms = [protein for protein in found.entities if isinstance(protein, ProteinEntity)]
    if not isoforms:
        raise ambiguous(text, found.entities, "alleles" if first.type == "variant" else "entities")
    chosen = next((protein for protein in isoforms if protein.is_mane_select), isoforms[0])
    also = ", ".join(protein.id for protein in isoforms if protein is not chosen)
    message = f"{text} stands for {len(isoforms)} proteins; {chosen.id} is shown. The others: {also}."
    return chosen, [*found.notices, Notice(code="SEVERAL_VALUES", message=message)]


def _batches(alternatives: Sequence[IdentifierReading]) -> list[tuple[IdentifierReading, ...]]:
    """The readings that are looked up together: all those of an ID that may be two things; of names one at a time."""
    if any(reading.by != "name" for reading in alternatives):
        return [tuple(alternatives)]
    return [(reading,) for reading in alternatives]


def _family(reading: IdentifierReading, near: Sequence[Entity]) -> FoundEntities:
    """Terms whose names hold all the words of a name that none has to itself."""
    if reading.kind != "term" or reading.by != "name":
        return FoundEntities(reading, ())
    family = [term for term in near if term.type == "ontology_term" and has_words(term, reading.id)]
    family.sort(key=lambda term: (len(term.name or ""), term.id))
    return FoundEntities(reading, tuple(family), is_by_words=True)


def _shared_name(found: FoundEntities) -> FoundEntities:
    """Terms that share a name, as far as one call goes from all of them; says which they are."""
    is_plain = len(found.entities) == 1 and not found.is_by_words
    if found.reading.kind != "term" or found.reading.by != "name" or is_plain:
        return found
    terms = found.entities[:_MOST_TERMS]
    named = ", ".join(f"{term.id} ({term.name})" for term in terms)
    more = f", not {len(found.entities) - _MOST_TERMS} more" if len(found.entities) > _MOST_TERMS else ""
    notice = Notice(code="QUERY_UNDERSTOOD", message=f"{found.reading.id} was read as {named}{more}.")
    return replace(found, entities=terms, notices=[*found.notices, notice])


def _add_other_readings(text: str, hits: Sequence[FoundEntities], tried: Sequence[FoundEntities]) -> FoundEntities:
    """The first hit, with what became of the other readings: those that hit too, and those of an ID that did not."""
    first, *others = hits
    if failure := next((found.failure for found in tried if found.failure), None):
        message = f"Whether {text} is something else, too, could not be asked. {failure.message}"
        return replace(first, notices=[*first.notices, Notice(code="LEG_FAILED", message=message)])
    is_id = any(found.reading.by != "name" for found in tried)
    if not others and (len(tried) == 1 or not is_id):
        return first
    words = f"{text} was read as {KIND_PHRASES[first.reading.kind]}"
    if others:
        also = "; ".join(f"{KIND_PHRASES[other.reading.kind]}, {_listed(other)}" for other in others)
        kind = others[0].reading.kind
        hint = "disease" if kind == "term" else kind
        how = f": call {GET_ENTITY} with hint={hint!r} for that" if hint in get_args(Hint) else ""
        notice = Notice(code="SHARED_MATCH", message=f"{words}, and is also {also}{how}.")
    else:
        failed = [found.reading.kind for found in tried if found.reading is not first.reading]
        also = " or ".join(dict.fromkeys(KIND_PHRASES[kind] for kind in failed))
        notice = Notice(code="QUERY_UNDERSTOOD", message=f"{words}; nothing is {also} of that name.")
    return replace(first, notices=[*first.notices, notice])


def _listed(found: FoundEntities) -> str:
    listed = found.entities[:_MOST_TERMS]
    return ", ".join(entity.id if entity.name is None else f"{entity.id} ({entity.name})" for entity in listed)
