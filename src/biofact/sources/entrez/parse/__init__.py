"""NCBI Gene's payloads to records. Pure: no network, no clock."""

from biofact.sources.entrez.parse.docsums import Docsum, docsum
from biofact.sources.entrez.parse.generifs import GeneRifs, generifs, newest
from biofact.sources.entrez.parse.genes import ParsedGene, gene
from biofact.sources.entrez.parse.links import GENE_PUBMED, is_retracted, pmids
from biofact.sources.entrez.parse.split import GeneSplitter
from biofact.sources.entrez.parse.trim import annotated, described, trimmed

__all__ = [
    "GENE_PUBMED",
    "Docsum",
    "GeneRifs",
    "GeneSplitter",
    "ParsedGene",
    "annotated",
    "described",
    "docsum",
    "gene",
    "generifs",
    "is_retracted",
    "newest",
    "pmids",
    "trimmed",
]
