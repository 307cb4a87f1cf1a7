"""Why a PMID leads to no article, and what to do about it. Pure."""

from biofact.core.errors import EntityNotFound
from biofact.sources.pubmed.identifiers import number
from biofact.sources.pubmed.records import curie
from biofact.sources.pubmed.search import SEARCH


def unknown(pmid: str) -> EntityNotFound:
    """PubMed has no such record: it never had, or has deleted it; nothing is forwarded."""
    return EntityNotFound(
        f"PubMed has no record {curie(number(pmid))}.",
        hint=f"Check the number, or call {SEARCH} with words of the title.",
        invalid_input=pmid,
    )
