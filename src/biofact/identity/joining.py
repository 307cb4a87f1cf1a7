"""The entities of one name as several databases know it: joined where that is proven, and which of them leads. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from biofact.core.kinds import EntityKind
from biofact.core.words import folded
from biofact.protocol.names import NamedEntity
from biofact.protocol.ranking import IN_PART

LEADING_SOURCES: Mapping[EntityKind, str] = {
    "gene": "entrez",
    "transcript": "ensembl",
    "protein": "igvf",
    "compound": "chembl",
    "variant": "igvf",
    "disease": "igvf",
    "article": "pubmed",
}
"""The source whose ID leads for an entity of several sources; without it, the first source by name."""
_UNPLACED = "Un"
"""The chromosome of NCBI's genes on sequences that no chromosome has."""


@dataclass(frozen=True)
class JoinedEntity:
    """One entity as the sources know it."""

    parts: Mapping[str, NamedEntity]
    """The hits by source, the one with the leading ID first."""
    counterparts: frozenset[str] = frozenset()
    """Sources that were searched for its label, and not for the name."""

    @property
    def lead(self) -> NamedEntity:
        """The part with the leading ID."""
        return next(iter(self.parts.values()))

    @cached_property
    def best(self) -> NamedEntity:
        """The part that matches the name best."""
        name_hits = (part for source, part in self.parts.items() if source not in self.counterparts)
        return max(name_hits, key=lambda part: part.score)

    @property
    def is_ambiguous(self) -> bool:
        """Whether a source has other entities that match equally well."""
        return self.best.shares_match

    @property
    def is_readthrough(self) -> bool:
        """Whether it is transcribed across other genes, and has their names besides its own."""
        return any(part.is_readthrough for part in self.parts.values())

    @property
    def written(self) -> str:
        """The label, with the leading ID in brackets."""
        return f"{self.lead.label} ({self.lead.id})"

    def in_part(self) -> "JoinedEntity":
        """The entity as it answers a text of which the name is a part: by an alias at best."""
        parts = {
            source: replace(
                part, match="alias" if part.match == "symbol" else part.match, score=round(part.score - IN_PART, 3)
            )
            for source, part in self.parts.items()
        }
        return JoinedEntity(parts, self.counterparts)

    def with_part(self, source: str, part: NamedEntity, *, is_counterpart: bool = False) -> "JoinedEntity":
        """The entity with the part of another source."""
        counterparts = self.counterparts | ({source} if is_counterpart else set())
        return JoinedEntity(_leading_first({**self.parts, source: part}, part.kind), counterparts)


def join_entities(by_source: Mapping[str, Sequence[NamedEntity]]) -> list[JoinedEntity]:
    """The entities of one name, each once, best first."""
    entities: list[JoinedEntity] = []
    for source, hits in by_source.items():
        distinct_hits: dict[tuple[str, str], NamedEntity] = {}
        for hit in hits:  # best first: the first of several rows of an entity stands for it
            distinct_hits.setdefault((hit.kind, hit.id), hit)
        for hit in distinct_hits.values():
            index = next((number for number, entity in enumerate(entities) if is_same(entity, source, hit)), None)
            if index is None:
                entities.append(JoinedEntity({source: hit}))
            else:
                entities[index] = entities[index].with_part(source, hit)
    return sorted(entities, key=_order)


def _order(entity: JoinedEntity) -> tuple[float, bool]:
    """Best first; among equals those that the leading source knows, in its order."""
    return (-entity.best.score, LEADING_SOURCES.get(entity.lead.kind) not in entity.parts)


def is_same(entity: JoinedEntity, source: str, part: NamedEntity) -> bool:
    """Whether ``part`` is proven to be the entity: by a common ID, or else by the nomenclature's symbol."""
    if source in entity.parts or part.kind != entity.lead.kind:
        return False
    return any(_have_common_id(other, part) or _have_common_symbol(other, part) for other in entity.parts.values())


def _have_common_id(entity: NamedEntity, other: NamedEntity) -> bool:
    return any(entity.xrefs.get(key) == value for key, value in other.xrefs.items())


def _have_common_symbol(gene: NamedEntity, other: NamedEntity) -> bool:
    """A nomenclature gives a symbol to one gene of an organism, and it lies on one chromosome."""
    return (
        gene.kind == "gene"
        and gene.label == other.label
        and gene.organism is not None
        and folded(gene.organism) == folded(other.organism or "")
        and _may_share_chromosome(gene, other)
    )


def _may_share_chromosome(gene: NamedEntity, other: NamedEntity) -> bool:
    """A pseudoautosomal gene of NCBI's lies on ``X, Y``, Ensembl's on one of them; an unplaced one may lie anywhere."""
    chromosomes, other_chromosomes = (
        {*re.findall(r"[^\s,|]+", part.chromosome or _UNPLACED)} for part in (gene, other)
    )
    return not chromosomes.isdisjoint(other_chromosomes) or _UNPLACED in chromosomes | other_chromosomes


def _leading_first(parts: Mapping[str, NamedEntity], kind: EntityKind) -> dict[str, NamedEntity]:
    leading = LEADING_SOURCES.get(kind)
    return dict(sorted(parts.items(), key=lambda item: (item[0] != leading, item[0])))


Lookup = Callable[[str], Sequence[JoinedEntity]]
"""A name to its entities, best first."""

MARGIN = 2.0
"""How many times the weight of the next an entity must have to lead those that answer a name equally well, the weights
of all of which are known (decision 0110).
"""
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Leader:
    """The entities that a name stands for, best first; none where several answer it equally well and none is ahead by
    evidence.
    """

    entities: Sequence[JoinedEntity]
    ambiguous_with: Sequence[str] = ()
    reason: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it names no entity."""
        return not self.entities and not self.ambiguous_with

    @classmethod
    def of(cls, entities: Sequence[JoinedEntity]) -> "Leader":
        """The leader of the entities of a name, best first; never one that was read with a Latin letter for a Greek."""
        guesses = [entity for entity in entities if entity.best.latin_reading]
        if not guesses:
            return cls._of_names(entities)
        leader = cls._of_names([entity for entity in entities if not entity.best.latin_reading])
        first = guesses[0]
        guess = f"{first.written} has {first.best.latin_reading}, with a Latin letter: a guess."
        reason = leader.reason if leader.entities or leader.ambiguous_with else guess
        return cls(leader.entities, [*leader.ambiguous_with, *_named(guesses)], reason)

    @classmethod
    def _of_names(cls, entities: Sequence[JoinedEntity]) -> "Leader":
        if not entities or not entities[0].is_ambiguous:
            return cls(entities)
        kind = entities[0].lead.kind
        equals = [entity for entity in entities if entity.is_ambiguous and entity.lead.kind == kind]
        if len(equals) == 1:  # the source has others that it does not list
            return cls(entities)
        equals.sort(key=lambda entity: entity.is_readthrough)  # else in their source's order
        rest = [entity for entity in entities if entity not in equals]
        rivals = [entity for entity in equals if not entity.is_readthrough]
        if len(rivals) == 1:
            reason = "The others read through it, and have its names, too."
            return cls([equals[0], *rest], _named(equals[1:]), reason)
        first, *others = weights = [entity.lead.weight or 0.0 for entity in rivals or equals]
        second = max(others)
        if all(weights) and first >= MARGIN * second:
            reason = f"Ahead of {len(equals) - 1} more by its database's weight: {first:,.0f} beside {second:,.0f}."
            return cls([equals[0], *rest], _named(equals[1:]), reason)
        reason = (
            f"{len(equals)} {kind}s match equally well ({equals[0].best.match}) and none is ahead;"
            " ask with the ID of the one that is meant."
        )
        return cls((), _named(equals), reason)

    @classmethod
    def of_parts(cls, parts: Mapping[str, Sequence[JoinedEntity]]) -> "Leader | None":
        """The leader of a cell whose parts have these entities, best first: the one that all of them name; None where
        no part names any.
        """
        best = {part: _equals(entities) for part, entities in parts.items()}
        ids = [{entity.lead.id for entity in entities} for entities in best.values()]
        candidates: dict[str, JoinedEntity] = {}
        for entity in (entity for entities in best.values() for entity in entities):
            known = candidates.setdefault(entity.lead.id, entity)
            candidates[entity.lead.id] = max(known, entity, key=lambda candidate: candidate.best.score)
        if not candidates:
            return None
        common = set.intersection(*ids)
        if len(parts) > 1 and len(common) == 1:
            entity = candidates[common.pop()]
            names = " and ".join(map(repr, parts))
            return cls([entity.in_part()], reason=f"Read in parts: {names} are the same {entity.lead.kind}.")
        meanings = ", ".join(
            f"{part!r} is {' or '.join(_named(entities)) or 'no name'}" for part, entities in best.items()
        )
        count = {2: "Two"}.get(len(parts), str(len(parts)))
        what = f"{count} names in one cell" if all(ids) and len(parts) > 1 else "Known in part"
        return cls((), _named([*candidates.values()]), f"{what}: {meanings}.")


def _equals(entities: Sequence[JoinedEntity]) -> Sequence[JoinedEntity]:
    """The entities that match a name best, alike."""
    own = [entity for entity in entities if not entity.best.latin_reading]
    is_shared = bool(own) and own[0].is_ambiguous
    return (
        [entity for entity in own if entity.is_ambiguous and entity.lead.kind == own[0].lead.kind]
        if is_shared
        else own[:1]
    )


def _named(entities: Sequence[JoinedEntity]) -> list[str]:
    return [entity.written for entity in entities[:_MOST_NAMED]]
