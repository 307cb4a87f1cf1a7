"""The recorded answers of PubMed."""

import io

from biofact.sources.pubmed.parse import records
from tests.recordings import FOLDER, recording

NAMES = sorted(f"pubmed/{path.name}" for path in (FOLDER / "pubmed").glob("*.xml*") if path.suffix != ".json")
SEARCHES = [name for name in NAMES if "esearch" in name]
ERROR = next((name for name in NAMES if "bmed_MapPubHash" in name and name.endswith("_DOI_0.xml")), "pubmed/error.xml")
WITHOUT_PMID = "pubmed/fatcat_pubmedsample_no_pmid_2019.xml.gz"
OTHER_PLACE = ("entrez/efetch_pubmed_test_efetch_0.xml",)
ARTICLES = [*(name for name in NAMES if name not in {*SEARCHES, ERROR, WITHOUT_PMID}), *OTHER_PLACE]
TITLELESS = "21413195"
"""A record that the project with the recording has emptied: no article, no book."""


def pieces(body):
    """PMIDs and records as the splitter cuts them."""
    return list(records(io.BytesIO(body)))


def payload(pmid):
    """The newest recorded record of a PMID, as trimmed by the splitter."""
    for name in reversed([*sorted(ARTICLES, key=lambda name: "metapub" in name)]):
        if name.endswith(f"{pmid}.xml") or "pmid" not in name:
            piece = dict(pieces(recording(name))).get(pmid)
            if piece:
                return piece
    raise LookupError(pmid)
