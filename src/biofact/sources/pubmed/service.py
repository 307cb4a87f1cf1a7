"""iCite as a service, which counts citations. PubMed itself is NCBI's: see ``dialects.eutils``."""

from collections.abc import Sequence

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.transport.service import Request, Service

ICITE = Service(
    name="icite",
    title="iCite",
    base_url=declare(
        Setting(
            "BIOFACT_ICITE_URL",
            "Where iCite is, which counts citations of articles.",
            default="https://icite.od.nih.gov/api",
        )
    ),
    per_second=5.0,
    judge=json_values.Judge("error", "detail"),
    licence="iCite data are public domain; cite https://icite.od.nih.gov/",
    probe_path="/pubs?pmids=23456789&fl=pmid,citation_count",
)
"""No limit is published; 5 a second is fair use as we read it."""


MOST_PMIDS = 200
"""PMIDs in one request: iCite's page says 200, an older one 1,000."""
_FIELDS = "pmid,citation_count,relative_citation_ratio,is_clinical"


def citations(pmids: Sequence[str]) -> Request:
    """How often articles are cited, by bare PMIDs; those that iCite does not know are left out."""
    return Request(ICITE, "/pubs", (("pmids", ",".join(pmids)), ("fl", _FIELDS)), accept="application/json")
