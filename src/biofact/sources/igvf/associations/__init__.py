"""From an entity to what the graph joins it with: legs side by side, rows held against what was asked, one list."""

from biofact.sources.igvf.associations.graph import FIND_ASSOCIATIONS, Graph, Listing, Place
from biofact.sources.igvf.associations.legs import startable
from biofact.sources.igvf.associations.nodes import nodes
from biofact.sources.igvf.associations.order import ORDERS, Order
from biofact.sources.igvf.associations.question import Question
from biofact.sources.igvf.filters import FILTERS, Filters

__all__ = [
    "FILTERS",
    "FIND_ASSOCIATIONS",
    "ORDERS",
    "Filters",
    "Graph",
    "Listing",
    "Order",
    "Place",
    "Question",
    "nodes",
    "startable",
]
