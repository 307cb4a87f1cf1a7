"""From words to genes: what to ask, how to rank what comes, page by page."""

from biofact.sources.entrez.search import notices
from biofact.sources.entrez.search.organisms import organism
from biofact.sources.entrez.search.pages import GenePage, GenePosition, Pages
from biofact.sources.entrez.search.queries import LEAD_LIMIT, SEARCH, Plan, gene_id, plan, runnable
from biofact.sources.entrez.search.ranking import by_id, candidate, is_of

__all__ = [
    "LEAD_LIMIT",
    "SEARCH",
    "GenePage",
    "GenePosition",
    "Pages",
    "Plan",
    "by_id",
    "candidate",
    "gene_id",
    "is_of",
    "notices",
    "organism",
    "plan",
    "runnable",
]
