"""What was found of one entity in all databases, as verdicts and causes are read from it. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from biofact.core.errors import BiofactError, EntityNotFound
from biofact.identity.database_records import DatabaseRecord

Outcome = DatabaseRecord | BiofactError
NOMENCLATURE = ("hgnc", "alliance", "omim")
"""Databases that give an ID to one gene: records that share one are of the same gene."""


@dataclass(slots=True)
class Evidence:
    """The record that was asked for, those that cross-references lead to, and what leads back."""

    start: DatabaseRecord
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    """By database and ID as it was asserted; an ``EntityNotFound`` where the database has no such record."""
    leading_back: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """What the start's own database has under an ID that it asserts of another."""
    asked: tuple[str, ...] = ()
    """Databases that could have records of the entity, the start's own left out."""
    failures: dict[str, BiofactError] = field(default_factory=dict)
    """Databases that could not answer, and why."""
    paralogues: frozenset[str] = frozenset()
    """Ensembl's genes that descend from the same one as the start's."""

    def record(self, database: str, record_id: str) -> DatabaseRecord | None:
        """The record that an asserted ID leads to."""
        outcome = self.outcomes.get((database, record_id))
        return outcome if isinstance(outcome, DatabaseRecord) else None

    def current_id(self, database: str, record_id: str) -> str:
        """An asserted ID, or that of the record which has taken its place."""
        record = self.record(database, record_id)
        return record.id if record else record_id

    def is_absent(self, database: str, record_id: str) -> bool:
        """The database has no current record of this ID."""
        return isinstance(self.outcomes.get((database, record_id)), EntityNotFound)

    def records(self) -> Iterator[DatabaseRecord]:
        """All records but the start, each once."""
        found = {one.key: one for one in self.outcomes.values() if isinstance(one, DatabaseRecord)}
        found.pop(self.start.key, None)
        yield from found.values()

    def own(self) -> list[DatabaseRecord]:
        """The records that are of the entity: they name the start, or the start names them and they name no other; or
        they have its ID of the nomenclature and no other ID of its database.
        """
        return [record for record in self.records() if self._is_own(record)]

    def called(self) -> list[DatabaseRecord]:
        """The records that are of the entity by the nomenclature, whatever they say of the start."""
        return [record for record in self.records() if self._is_own(record) or self._is_near(record)]

    def of(self, database: str) -> list[str]:
        """IDs in a database that anything found says of the entity; those that the start says come first."""
        if database == self.start.database:
            return []
        own = self.own()
        claims = [claim for record in (self.start, *own) for claim in record.says.get(database, ())]
        found = [record.id for record in self.records() if record.database == database and self._is_near(record)]
        return list(dict.fromkeys((*claims, *found)))

    def names(self, record: DatabaseRecord, other: DatabaseRecord) -> bool:
        """Whether a record says that another is the same, be it by an ID that was merged into the other's."""
        named = record.says.get(other.database, ())
        return any(self.current_id(other.database, one) == other.id for one in named)

    def shared_names(self, record: DatabaseRecord) -> list[str]:
        """IDs of the nomenclature that a record has and the start, too."""
        ids = ((self.start.says.get(name, ()), record.says.get(name, ())) for name in NOMENCLATURE)
        return [one for ours, theirs in ids for one in ours if one in theirs]

    def _is_near(self, record: DatabaseRecord) -> bool:
        return self.names(record, self.start) or bool(self.shared_names(record))

    def _is_own(self, record: DatabaseRecord) -> bool:
        if self.names(record, self.start):
            return True
        is_silent = not record.says.get(self.start.database)
        return is_silent and (self.start.points_to(record) or bool(self.shared_names(record)))
