"""What ``resolve`` answers."""

from typing import Self

from pydantic import Field

from biofact.core.entity_kinds import EntityKind, EntityStatus
from biofact.core.match_kinds import EntityMatch
from biofact.core.provenance import Frozen, Number, absent, absent_list


class ResolvedEntity(Frozen):
    """One entity, with its ID in each database that knows it."""

    id: str = Field(description="As strict tools take it, in the database that leads for its kind.")
    label: str | None = absent("Symbol, preferred name or title, where it is not the name as asked.")
    kind: EntityKind | None = absent("Where the question leaves more than one.")
    organism: str | None = absent("Scientific name, where it is not the one asked for.")
    score: Number = Field(description="0-1.")
    match: EntityMatch = Field(description="What of the entity the name matched.")
    status: EntityStatus | None = absent("Where it is not current.")
    ids: dict[str, str] = Field(
        default_factory=dict,
        exclude_if=lambda value: not value,
        description="Its IDs in the other databases, as their tools take them.",
    )
    ambiguous_with: list[str] = absent_list("IDs of other entities that answer the name equally well.")
    product_of: list[str] = absent_list("The gene that makes this transcript or protein.")
    form_of: str | None = absent("The parent of this salt or other form of a compound.")

    def slim(self) -> Self:
        """Without how it is related to others; what answers the name equally well stays."""
        return self.model_copy(update={"product_of": [], "form_of": None})


class ResolvedName(Frozen):
    """What a name stands for."""

    name: str = Field(description="As asked.")
    entities: list[ResolvedEntity] = Field(description="Best first; empty where no database knows the name.")
    reason: str | None = absent("Why there is none.")

    def slim(self) -> Self:
        """The best entity alone."""
        return self.model_copy(update={"entities": [entity.slim() for entity in self.entities[:1]]})
