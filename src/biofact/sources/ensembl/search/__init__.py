"""From words to genes: what to ask, how to rank what comes, page by page."""

from biofact.sources.ensembl.search import notices
from biofact.sources.ensembl.search.pages import EnsemblPage, EnsemblPosition, EnsemblSearch
from biofact.sources.ensembl.search.queries import SEARCH, Plan, plan
from biofact.sources.ensembl.search.species import Reach, SpeciesTable, may_name_species, well_known, well_known_in

__all__ = [
    "SEARCH",
    "EnsemblPage",
    "EnsemblPosition",
    "EnsemblSearch",
    "Plan",
    "Reach",
    "SpeciesTable",
    "may_name_species",
    "notices",
    "plan",
    "well_known",
    "well_known_in",
]
