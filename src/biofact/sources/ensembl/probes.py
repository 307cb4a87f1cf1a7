"""Questions that only the live service can settle."""

from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.sources.ensembl import requests
from biofact.sources.ensembl.identifiers import EnsemblRegion
from biofact.transport.service import Request

_TP53_END = EnsemblRegion("17", 7661779, 7661800)
PROBES = (
    ("a gene with all levels of cross-references", requests.xrefs("ENSG00000141510")),
    ("whether POST lookup takes expand and mane", requests.lookup(("ENSG00000141510",), expanded=True)),
    ("genes that carry a synonym", requests.xrefs_of_symbol("homo_sapiens", "p53")),
    ("genes of a symbol with brackets", requests.xrefs_of_symbol("drosophila_melanogaster", "l(2)gl")),
    ("genes of a symbol with a slash", requests.xrefs_of_symbol("danio_rerio", "il17a/f1")),
    ("a symbol with brackets in quotes", requests.gene_search('"l(2)gl" AND TAXONOMY:7227', 0, 3)),
    ("a symbol with a colon in quotes", requests.gene_search('"si:dkey-204f11.64" OR "zgc:171673"', 0, 3)),
    ("what the archive says of an unknown ID", requests.archive("ENSG99999999999")),
    ("the fields of the gene index", Request(EBI_SEARCH, "/ensembl_gene", (("format", "json"),))),
    ("a filter by taxon", requests.gene_search("tumor AND protein AND TAXONOMY:9606", 0, 3)),
    ("the sequence of a region", requests.region_sequence("homo_sapiens", _TP53_END)),
    ("the cds of a transcript", requests.sequence("ENST00000269305", "cds")),
    ("a region on another assembly", requests.assembly_map("homo_sapiens", "GRCh38", _TP53_END, "GRCh37")),
    ("the homologues of a gene", requests.homologies("homo_sapiens", "ENSG00000141510", "all", "mus_musculus")),
    ("synonyms of entries", requests.synonyms(("ENSG00000141510",))),
    ("wildcards", requests.gene_search("(br?a1 OR brc?1) AND TAXONOMY:9606", 0, 3)),
)
