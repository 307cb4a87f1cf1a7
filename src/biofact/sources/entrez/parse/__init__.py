"""NCBI Gene's payloads to records. Pure: no network, no clock."""

from biofact.sources.entrez.parse.docsums import Docsum, docsum
from biofact.sources.entrez.parse.genes import ParsedGene, gene
from biofact.sources.entrez.parse.links import GENE_PUBMED, is_retracted, pmids
from biofact.sources.entrez.parse.split import GeneSplitter

__all__ = ["GENE_PUBMED", "Docsum", "GeneSplitter", "ParsedGene", "docsum", "gene", "is_retracted", "pmids"]
