"""What is asked of the graph. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from biofact.sources.igvf.associations.nodes import Node
from biofact.sources.igvf.associations.order import Order
from biofact.sources.igvf.filters import Filters


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the graph."""

    nodes: Sequence[Node]
    """Where it starts; several terms that share a name's words, or isoforms."""
    relationship: str
    filters: Filters
    order: Order | None
    limit: int
