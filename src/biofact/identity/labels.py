"""Whether the label that a caller expects is the entity's."""

from typing import get_args

from biofact.core.entity_kinds import EntityKind
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery
from biofact.core.provenance import Notice
from biofact.identity.evidence import Evidence
from biofact.identity.records import ExpectedLabel, ResolvedEntity
from biofact.identity.resolving import Resolver

_CURRENT = frozenset({"symbol", "name"})
"""What of an entity its label is."""


def read(evidence: Evidence, label: str) -> ExpectedLabel:
    """What the records say of a label. Pure.

    NCBI and Ensembl list previous symbols among aliases; one that another database still shows is told as previous.
    """
    start, own = evidence.start, evidence.called()
    wanted = label.strip().casefold()
    if wanted == start.label.casefold():
        return ExpectedLabel(label=label, status="current")
    if wanted in {record.label.casefold() for record in own}:
        return ExpectedLabel(label=label, status="previous")
    names = {name.casefold() for record in (start, *own) for name in (*record.aliases, record.name)}
    return ExpectedLabel(label=label, status="alias" if wanted in names else "unknown")


async def expected(resolver: Resolver, evidence: Evidence, label: str) -> tuple[ExpectedLabel, list[Notice]]:
    """The same, and which other entities the label is of now."""
    found = read(evidence, label)
    start = evidence.start
    if found.status == "current" or start.kind not in get_args(EntityKind):
        return found, []
    try:
        resolution = await resolver.resolve([label], start.kind, start.organism or "human")
    except AmbiguousQuery as failure:
        return found, [
            Notice(code="LEG_FAILED", message=f"Whose label {label!r:.80} is, is not known. {failure.message}")
        ]
    (row,) = resolution.rows
    if isinstance(row, ErrorEnvelope):
        message = f"Whose label {label!r:.80} is, is not known. {row.error.message}"
        return found, [Notice(code="LEG_FAILED", message=message)]
    ids = {start.id, *(record.id for record in evidence.called())}
    others = [entity for entity in row.entities if entity.match in _CURRENT and not ids & _ids(entity)]
    status = "another" if others and found.status == "unknown" else found.status
    named = [entity.id for entity in others]
    return ExpectedLabel(label=label, status=status, of=named), resolution.notices


def _ids(entity: ResolvedEntity) -> set[str]:
    return {one.partition(".")[0] for one in (entity.id, *entity.ids.values())}
