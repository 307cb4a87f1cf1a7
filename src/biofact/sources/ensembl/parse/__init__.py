"""Ensembl's payloads to records. Pure: no network, no clock."""

from biofact.sources.ensembl.parse.archive import Archived, archived
from biofact.sources.ensembl.parse.documents import kind, parent, version
from biofact.sources.ensembl.parse.found import Found, Hits, hits, ids_with_symbol, looked_up, synonyms, with_symbols
from biofact.sources.ensembl.parse.genes import gene, slim_gene
from biofact.sources.ensembl.parse.species import Species, species
from biofact.sources.ensembl.parse.split import looked_up_records
from biofact.sources.ensembl.parse.transcripts import transcript, transcripts
from biofact.sources.ensembl.parse.xrefs import Row, xref_rows

__all__ = [
    "Archived",
    "Found",
    "Hits",
    "Row",
    "Species",
    "archived",
    "gene",
    "hits",
    "ids_with_symbol",
    "kind",
    "looked_up",
    "looked_up_records",
    "parent",
    "slim_gene",
    "species",
    "synonyms",
    "transcript",
    "transcripts",
    "version",
    "with_symbols",
    "xref_rows",
]
