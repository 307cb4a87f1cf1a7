"""Names and structures to ranked compounds, page by page."""

from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.pages import CompoundPage, CompoundPosition, CompoundSearch, List
from biofact.sources.chembl.search.queries import ON_TARGET, SEARCH, STRUCTURES, TARGETS, Plan, plan
from biofact.sources.chembl.search.ranking import LEADS, Ranked, into_families, of_structure, ranked, sharing_best
from biofact.sources.chembl.search.structures import Structure, StructureSearch, is_valid, structure_in
from biofact.sources.chembl.search.targets import OfOrganism, TargetPage, TargetPosition, TargetSearch

__all__ = [
    "LEADS",
    "ON_TARGET",
    "SEARCH",
    "STRUCTURES",
    "TARGETS",
    "CompoundPage",
    "CompoundPosition",
    "CompoundSearch",
    "List",
    "OfOrganism",
    "Plan",
    "Ranked",
    "Structure",
    "StructureSearch",
    "TargetPage",
    "TargetPosition",
    "TargetSearch",
    "into_families",
    "is_valid",
    "notices",
    "of_structure",
    "plan",
    "ranked",
    "sharing_best",
    "structure_in",
]
