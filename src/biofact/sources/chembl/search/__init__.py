"""Names and structures to ranked compounds, page by page."""

from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.pages import CompoundPage, CompoundPosition, List, Pages
from biofact.sources.chembl.search.queries import ON_TARGET, SEARCH, plan
from biofact.sources.chembl.search.ranking import ranked
from biofact.sources.chembl.search.structures import Structure, structure_in

__all__ = [
    "ON_TARGET",
    "SEARCH",
    "CompoundPage",
    "CompoundPosition",
    "List",
    "Pages",
    "Structure",
    "notices",
    "plan",
    "ranked",
    "structure_in",
]
