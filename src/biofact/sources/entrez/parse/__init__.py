"""NCBI Gene's payloads to records. Pure: no network, no clock."""

from biofact.sources.entrez.parse.docsums import GENE_PUBMED, Docsum, docsum, pmids, trimmed_docsum
from biofact.sources.entrez.parse.genes import GeneRifs, ParsedGene, gene, generifs, newest
from biofact.sources.entrez.parse.reports import refseqs, reported_gene, trimmed_gene, trimmed_product
from biofact.sources.entrez.parse.trim import GeneSplitter, annotated, trimmed, with_generifs
