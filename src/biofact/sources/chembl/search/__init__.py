"""Names and structures to ranked compounds, page by page."""

from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.pages import CompoundPage, CompoundPosition, List, Pages
from biofact.sources.chembl.search.queries import ON_TARGET, SEARCH, STRUCTURES, TARGETS, plan
from biofact.sources.chembl.search.ranking import ranked
from biofact.sources.chembl.search.similarity import AlikePages, AlikePosition
from biofact.sources.chembl.search.structures import Structure, is_valid, structure_in
from biofact.sources.chembl.search.targets import OfOrganism, TargetPage, TargetPages, TargetPosition

__all__ = [
    "ON_TARGET",
    "SEARCH",
    "STRUCTURES",
    "TARGETS",
    "AlikePages",
    "AlikePosition",
    "CompoundPage",
    "CompoundPosition",
    "List",
    "OfOrganism",
    "Pages",
    "Structure",
    "TargetPage",
    "TargetPages",
    "TargetPosition",
    "is_valid",
    "notices",
    "plan",
    "ranked",
    "structure_in",
]
