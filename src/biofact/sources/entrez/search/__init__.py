"""From words to genes: what to ask, how to rank what comes, page by page."""

from biofact.sources.entrez.search.notices import not_understood, refused, replacing, unmatched
from biofact.sources.entrez.search.pages import Pages, Place
from biofact.sources.entrez.search.queries import SEARCH, gene_id, plan
from biofact.sources.entrez.search.ranking import Ranked, candidate

__all__ = [
    "SEARCH",
    "Pages",
    "Place",
    "Ranked",
    "candidate",
    "gene_id",
    "not_understood",
    "plan",
    "refused",
    "replacing",
    "unmatched",
]
