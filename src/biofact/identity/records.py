"""The records that ``resolve`` and ``check_identity`` return."""

from typing import ClassVar, Literal, Self

from pydantic import Field

from biofact.core.kinds import EntityKind, EntityMatch, EntityStatus
from biofact.core.records import Frozen, Number, Result, absent, absent_list
from biofact.identity import rows
from biofact.tables import TableForm

Verdict = Literal["agree", "one_way", "disagree", "missing", "retired", "one_to_many"]
Cause = Literal["merged record", "readthrough", "patch or haplotype", "paralogue", "lag of releases"]


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
    product_of: list[str] = absent_list("The gene that makes this transcript or protein.")
    form_of: str | None = absent("The parent of this salt or other form of a compound.")

    def slim(self) -> Self:
        """Without how it is related to others."""
        return self.model_copy(update={"product_of": [], "form_of": None})


class ResolvedName(Frozen):
    """The entities of a name. In a table it is a row: the best entity, its IDs by database, and the reason."""

    table_form: ClassVar[TableForm] = rows.RESOLVED

    name: str = Field(description="As asked.")
    entities: list[ResolvedEntity] = Field(
        description="Best first; empty where no database knows the name, or where several answer it equally well."
    )
    ambiguous_with: list[str] = absent_list("Others that may be meant as well, `SYMBOL (ID)`, best first.")
    reason: str | None = absent("Why there is none, why the first is ahead of `ambiguous_with`, or how it was read.")

    def slim(self) -> Self:
        """The best entity alone, and what answers the name equally well."""
        return self.model_copy(update={"entities": [entity.slim() for entity in self.entities[:1]]})


class Assertion(Frozen):
    """A cross-reference: the ID of one database in the record of another."""

    by: str = Field(description="The database.")
    of: str | None = absent("Its record, where that is not the one asked for.")
    says: str
    url: str | None = absent("Where it says so; told where the databases do not agree.")
    retrieved_at: str | None = absent("ISO 8601, UTC.")
    points_back: bool | None = absent("Whether the record of the ID says so in turn; absent where it was not read.")


class DatabaseVerdict(Frozen):
    """The verdict on one database."""

    database: str
    id: str | None = absent("As its strict tools take it.")
    verdict: Verdict
    cause: Cause | None = absent("Likely, as far as the records show one.")
    assertions: list[Assertion] = absent_list()


class ExpectedLabel(Frozen):
    """The status of the label that the caller expects."""

    label: str
    status: Literal["current", "alias", "previous", "another", "unknown"]
    of: list[str] = absent_list("Other entities that are called so now.")


class CheckedIdentity(Result):
    """Whether the databases mean the same under the IDs that they give for an entity."""

    id: str = Field(description="Of the current record.")
    label: str = Field(description="Symbol, preferred name or title there.")
    kind: EntityKind
    organism: str | None = absent("Scientific name.")
    form_of: str | None = absent("The parent of this salt or other form of a compound, which is an entity of its own.")
    expected_label: ExpectedLabel | None = absent()
    other_id: str | None = absent("Of the other's current record.")
    same: bool | None = absent("Whether the two IDs are one entity; absent where unknown.")
    reason: str | None = absent("Who asserts what of the two.")
    databases: list[DatabaseVerdict]
