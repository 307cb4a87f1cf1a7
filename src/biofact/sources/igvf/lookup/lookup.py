"""Readings of what a caller wrote, looked up side by side."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from biofact.core.provenance import Notice
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import SPECIES, endpoints
from biofact.sources.igvf.lookup.absence import nothing, several
from biofact.sources.igvf.lookup.places import PATHS, has_words, is_called, key_of, lies_at
from biofact.sources.igvf.lookup.symbols import Symbols
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.reading.identifiers import Hint, Reading, readings
from biofact.sources.igvf.records import Entity, ProteinEntity

Organism = Literal["human", "mouse"]

_MOST_TERMS = 4
_HINTS: dict[str, Hint] = {
    "gene": "gene",
    "protein": "protein",
    "variant": "variant",
    "drug": "drug",
    "term": "disease",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What was meant: one entity; several where they are alleles, isoforms, or terms that share a name's words."""

    reading: Reading
    entities: tuple[Entity, ...]
    notices: list[Notice] = field(default_factory=list)


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
        for together in _turns(read):
            told = await asyncio.gather(*(self._looked_up(reading, organism, near) for reading in together))
            hits = [one for one in told if one.entities or (is_start and one.reading.by == "region")]
            if hits:
                found = _with_others(text, hits, together)
                return _together(found) if is_start else found
        families = [_family(reading, near) for reading in read] if is_start else []
        if family := next((one for one in families if one.entities), None):
            return _together(family)
        raise nothing(text, read, near)

    async def _looked_up(self, reading: Reading, organism: Organism | None, near: list[Entity]) -> Found:
        notices = [Notice(code="ASSUMED", message=reading.assumed)] if reading.assumed else []
        if reading.kind == "gene" and reading.by == "name":
            symbols = Symbols(self.ask)
            genes, said = await symbols.genes(reading.id, reading.organism or organism)
            near.extend(symbols.near)
            return Found(reading, tuple(genes), [*notices, *said])
        if reading.by == "name":
            return Found(reading, tuple(await self._named(reading, near)), notices)
        entities = await self._carrying(reading, organism)
        return Found(reading, tuple(entities), notices)

    async def _carrying(self, reading: Reading, organism: Organism | None) -> list[Entity]:
        """The entities that carry an identifier."""
        key, path = key_of(reading), PATHS[reading.kind]
        whose = reading.organism or organism or "human"
        given = {key.parameter: key.value(reading.id)}
        if "organism" in endpoints()[path].parameters:
            if whose not in endpoints()[path].organisms:
                return []
            given["organism"] = SPECIES[whose]
        rows = await self.ask.rows(path, given)
        told = [parse.entity(reading.kind, row, whose) for row in rows]
        found = _once([one for one in told if key.carries(one, reading.id)])
        return [one for one in found if reading.by == "region" and lies_at(one, reading.id)] or found

    async def _named(self, reading: Reading, near: list[Entity]) -> list[Entity]:
        """Drugs or terms of exactly this name; else those with it as a synonym."""
        rows = await self.ask.rows(PATHS[reading.kind], {"name": reading.id})
        told = _once([parse.entity(reading.kind, row) for row in rows])
        if exact := [one for one in told if is_called(one, reading.id)]:
            return exact
        near.extend(told)
        if reading.kind != "term":
            return []
        rows = await self.ask.rows(PATHS["term"], {"synonyms": reading.id})
        told = _once([parse.entity("term", row) for row in rows])
        wanted = reading.id.casefold()
        return [one for one in told if wanted in {synonym.casefold() for synonym in one.synonyms}]


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
    also_names = [reading for reading in read[1:] if reading.by == "name" and reading.kind != "gene"]
    first = tuple(reading for reading in read if reading not in also_names)
    return [first, *((reading,) for reading in also_names)]


def _family(reading: Reading, near: Sequence[Entity]) -> Found:
    """Terms whose names hold all the words of a name that none has to itself."""
    if reading.kind != "term" or reading.by != "name":
        return Found(reading, ())
    family = [one for one in near if one.type == "ontology_term" and has_words(one, reading.id)]
    return Found(reading, tuple(sorted(family, key=lambda one: (len(one.name or ""), one.id))))


def _together(found: Found) -> Found:
    """Terms that share a name, as far as one call goes from all of them; says which they are."""
    if found.reading.kind != "term" or found.reading.by != "name" or len(found.entities) == 1:
        return found
    terms = found.entities[:_MOST_TERMS]
    named = ", ".join(f"{one.id} ({one.name})" for one in terms)
    more = f", not {len(found.entities) - _MOST_TERMS} more" if len(found.entities) > _MOST_TERMS else ""
    said = Notice(code="QUERY_UNDERSTOOD", message=f"{found.reading.id} was read as {named}{more}.")
    return Found(found.reading, terms, [*found.notices, said])


def _with_others(text: str, hits: Sequence[Found], read: Sequence[Reading]) -> Found:
    """The first hit; where there were several readings, with what became of the others."""
    first, *others = hits
    if len(read) == 1:
        return first
    words = f"{text} was read as {_named(first.reading)}"
    if others:
        also = "; ".join(f"{_named(other.reading)} {other.entities[0].id}" for other in others)
        hint = _HINTS.get(others[0].reading.kind)
        words += f", and is also {also}: ask with hint={hint!r} for that"
        said = Notice(code="SHARED_MATCH", message=f"{words}.")
    else:
        failed = [reading for reading in read if reading is not first.reading]
        also = " or ".join(dict.fromkeys(_named(reading) for reading in failed))
        said = Notice(code="QUERY_UNDERSTOOD", message=f"{words}; nothing is {also} of that name.")
    return Found(first.reading, first.entities, [*first.notices, said])


def _named(reading: Reading) -> str:
    words = {"term": "a term of an ontology", "coding_variant": "a coding variant"}
    return words.get(reading.kind, f"a {reading.kind}")


def _once(entities: Sequence[Entity]) -> list[Entity]:
    """Without repetitions: transcripts and proteins come in no fixed order, and may repeat."""
    return list({one.id: one for one in entities}.values())
