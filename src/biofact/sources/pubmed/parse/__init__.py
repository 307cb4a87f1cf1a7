"""PubMed's payloads to records. Pure: no network, no clock."""

from biofact.sources.pubmed.parse.articles import article
from biofact.sources.pubmed.parse.split import (
    ArticleSplitter,
    Citations,
    Descriptor,
    citation_rows,
    citations,
    descriptor,
    records,
)
