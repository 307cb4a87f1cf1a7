"""From words to genes: what to ask, how to rank what comes, page by page."""

from biofact.sources.entrez.search import notices
from biofact.sources.entrez.search.pages import EntrezSearch, GenePage, GenePosition, by_id, candidate, is_of
from biofact.sources.entrez.search.queries import LEAD_LIMIT, SEARCH, Plan, gene_id, plan, read_organism, runnable

__all__ = [
    "LEAD_LIMIT",
    "SEARCH",
    "EntrezSearch",
    "GenePage",
    "GenePosition",
    "Plan",
    "by_id",
    "candidate",
    "gene_id",
    "is_of",
    "notices",
    "plan",
    "read_organism",
    "runnable",
]
