"""Questions to iCite; those to PubMed and MeSH are E-utilities'."""

from collections.abc import Sequence

from biofact.sources.pubmed.service import ICITE
from biofact.transport.service import Request

MOST_PMIDS = 200
"""Of one question: iCite's page says 200, an older one 1,000."""
_FIELDS = "pmid,citation_count,relative_citation_ratio,is_clinical"


def citations(pmids: Sequence[str]) -> Request:
    """How often articles are cited, by bare PMIDs; those that iCite does not know are left out."""
    return Request(ICITE, "/pubs", (("pmids", ",".join(pmids)), ("fl", _FIELDS)), accept="application/json")
