"""What several sources know under one name, joined where it is proven to be the same. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from biofact.core.entity_kinds import EntityKind
from biofact.core.words import folded
from biofact.protocol.names import NamedEntity

LEADING: Mapping[EntityKind, str] = {
    "gene": "entrez",
    "transcript": "ensembl",
    "protein": "igvf",
    "compound": "chembl",
    "variant": "igvf",
    "disease": "igvf",
    "article": "pubmed",
}
"""Whose ID stands for an entity that several sources know; else the first by name."""


@dataclass(frozen=True)
class JoinedEntity:
    """One entity as the sources know it."""

    parts: Mapping[str, NamedEntity]
    """By source, that whose ID stands for it first."""
    counterparts: frozenset[str] = frozenset()
    """Sources that were asked for it by its label, and not by the name."""

    @property
    def lead(self) -> NamedEntity:
        """What stands for it."""
        return next(iter(self.parts.values()))

    @cached_property
    def best(self) -> NamedEntity:
        """What answers the name best."""
        named = (part for source, part in self.parts.items() if source not in self.counterparts)
        return max(named, key=lambda part: part.score)

    @property
    def is_ambiguous(self) -> bool:
        """A source has others that answer as well."""
        return self.best.shares_match

    def with_part(self, source: str, part: NamedEntity, *, is_counterpart: bool = False) -> "JoinedEntity":
        """With what another source knows of it."""
        counterparts = self.counterparts | ({source} if is_counterpart else set())
        return JoinedEntity(_ordered({**self.parts, source: part}, part.kind), counterparts)


def joined(by_source: Mapping[str, Sequence[NamedEntity]]) -> list[JoinedEntity]:
    """The entities of one name, each once, best first."""
    entities: list[JoinedEntity] = []
    for source, found in by_source.items():
        for part in found:
            place = next((at for at, entity in enumerate(entities) if is_same(entity, source, part)), None)
            if place is None:
                entities.append(JoinedEntity({source: part}))
            else:
                entities[place] = entities[place].with_part(source, part)
    return sorted(entities, key=lambda one: -one.best.score)


def is_same(entity: JoinedEntity, source: str, part: NamedEntity) -> bool:
    """Whether ``part`` is proven to be the entity: by an ID that both know, else by the nomenclature's symbol."""
    if source in entity.parts or part.kind != entity.lead.kind:
        return False
    return any(_have_common_id(other, part) or _have_common_symbol(other, part) for other in entity.parts.values())


def _have_common_id(one: NamedEntity, other: NamedEntity) -> bool:
    return any(one.elsewhere.get(key) == value for key, value in other.elsewhere.items())


def _have_common_symbol(one: NamedEntity, other: NamedEntity) -> bool:
    """A nomenclature gives a symbol to one gene of an organism, and it lies on one chromosome."""
    return (
        one.kind == "gene"
        and one.label == other.label
        and one.organism is not None
        and folded(one.organism) == folded(other.organism or "")
        and (one.chromosome is None or other.chromosome is None or one.chromosome == other.chromosome)
    )


def _ordered(parts: Mapping[str, NamedEntity], kind: EntityKind) -> dict[str, NamedEntity]:
    leading = LEADING.get(kind)
    return dict(sorted(parts.items(), key=lambda item: (item[0] != leading, item[0])))
