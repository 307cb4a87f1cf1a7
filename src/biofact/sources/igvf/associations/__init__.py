"""From an entity to what the graph joins it with: endpoints queried side by side, rows checked, one list."""

from biofact.sources.igvf.associations.endpoint_queries import can_start
from biofact.sources.igvf.associations.nodes import nodes
from biofact.sources.igvf.associations.order import ORDERS, Order
from biofact.sources.igvf.associations.query import AssociationQuery
from biofact.sources.igvf.associations.search import FIND_ASSOCIATIONS, AssociationPosition, AssociationSearch
from biofact.sources.igvf.filters import FILTERS, AssociationFilters

__all__ = [
    "FILTERS",
    "FIND_ASSOCIATIONS",
    "ORDERS",
    "AssociationFilters",
    "AssociationPosition",
    "AssociationQuery",
    "AssociationSearch",
    "Order",
    "can_start",
    "nodes",
]
