"""What associations a caller wants. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from biofact.sources.igvf.associations.nodes import Node
from biofact.sources.igvf.associations.order import Order
from biofact.sources.igvf.filters import AssociationFilters


@dataclass(frozen=True, slots=True)
class AssociationQuery:
    """The associations that a caller wants."""

    nodes: Sequence[Node]
    """Where they start; several terms that share a name's words, or isoforms."""
    relationship: str
    filters: AssociationFilters
    order: Order | None
    limit: int
