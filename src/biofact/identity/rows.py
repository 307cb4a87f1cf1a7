"""Joined entities as rows of an answer, without what the question says already. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.entity_kinds import EntityKind
from biofact.core.organisms import Taxon
from biofact.identity.joining import JoinedEntity
from biofact.identity.kinds import Reading
from biofact.identity.records import ResolvedEntity


@dataclass(frozen=True, slots=True)
class Shown:
    """How rows are shown: an agent pays for each word."""

    taxon: Taxon | None
    """The organism asked for, where it is a model organism."""
    is_whole: bool = False
    """State what the question says already, too: a file of rows is read without it."""

    def entities(self, entities: Sequence[JoinedEntity], name: str, reading: Reading) -> list[ResolvedEntity]:
        """The entities of one name, best first."""
        return [self._entity(entity, entities, name, reading) for entity in entities]

    def _entity(
        self, entity: JoinedEntity, among: Sequence[JoinedEntity], name: str, reading: Reading
    ) -> ResolvedEntity:
        lead, best = entity.lead, entity.best
        is_asked_organism = self.taxon is not None and lead.organism == self.taxon.name
        return ResolvedEntity(
            id=lead.id,
            label=lead.label if self.is_whole or lead.label != name else None,
            kind=lead.kind if self.is_whole or reading.first != (lead.kind,) else None,
            organism=lead.organism if self.is_whole or not is_asked_organism else None,
            score=best.score,
            match=best.match,
            status=best.status if self.is_whole or best.status != "current" else None,
            ids={source: part.id for source, part in entity.parts.items() if self.is_whole or part.id != lead.id},
            ambiguous_with=_equals(entity, among),
            product_of=list(dict.fromkeys(gene for part in entity.parts.values() for gene in part.product_of)),
            form_of=lead.form_of,
        )


def _equals(entity: JoinedEntity, among: Sequence[JoinedEntity]) -> list[str]:
    """The others of its kind that answer as well."""
    kind: EntityKind = entity.lead.kind
    alike = (other for other in among if other is not entity and other.is_ambiguous and other.lead.kind == kind)
    return [other.lead.id for other in alike] if entity.is_ambiguous else []
