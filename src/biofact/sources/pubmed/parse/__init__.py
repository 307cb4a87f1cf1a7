"""PubMed's payloads to records. Pure: no network, no clock."""

from biofact.sources.pubmed.parse.articles import article
from biofact.sources.pubmed.parse.citations import Citations, citation_rows, citations
from biofact.sources.pubmed.parse.mesh import Descriptor, descriptor
from biofact.sources.pubmed.parse.split import ArticleSplitter, records

__all__ = [
    "ArticleSplitter",
    "Citations",
    "Descriptor",
    "article",
    "citation_rows",
    "citations",
    "descriptor",
    "records",
]
