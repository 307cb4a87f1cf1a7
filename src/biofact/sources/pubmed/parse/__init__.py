"""PubMed's payloads to records. Pure: no network, no clock."""

from biofact.sources.pubmed.parse.articles import article
from biofact.sources.pubmed.parse.citations import Citations, CitationSplitter, citations
from biofact.sources.pubmed.parse.mesh import Descriptor, descriptor
from biofact.sources.pubmed.parse.split import ArticleSplitter, records

__all__ = [
    "ArticleSplitter",
    "CitationSplitter",
    "Citations",
    "Descriptor",
    "article",
    "citations",
    "descriptor",
    "records",
]
