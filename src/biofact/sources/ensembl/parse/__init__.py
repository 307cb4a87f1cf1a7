"""Ensembl's payloads to records. Pure: no network, no clock."""

from biofact.sources.ensembl.parse.archive import Archived, archived
from biofact.sources.ensembl.parse.documents import canonical_transcript, kind, length, parent, version
from biofact.sources.ensembl.parse.found import Found, Hits, hits, ids_with_symbol, looked_up, synonyms, with_symbols
from biofact.sources.ensembl.parse.genes import gene, slim_gene
from biofact.sources.ensembl.parse.homologues import homologues
from biofact.sources.ensembl.parse.mappings import segments
from biofact.sources.ensembl.parse.places import place_of
from biofact.sources.ensembl.parse.products import Product, product
from biofact.sources.ensembl.parse.sequences import Letters, Molecule, RegionLetters, letters, region_letters
from biofact.sources.ensembl.parse.species import Species, species
from biofact.sources.ensembl.parse.split import looked_up_records
from biofact.sources.ensembl.parse.transcripts import slim_transcript, transcript, transcripts
from biofact.sources.ensembl.parse.xrefs import Row, xref_rows

__all__ = [
    "Archived",
    "Found",
    "Hits",
    "Letters",
    "Molecule",
    "Product",
    "RegionLetters",
    "Row",
    "Species",
    "archived",
    "canonical_transcript",
    "gene",
    "hits",
    "homologues",
    "ids_with_symbol",
    "kind",
    "length",
    "letters",
    "looked_up",
    "looked_up_records",
    "parent",
    "place_of",
    "product",
    "region_letters",
    "segments",
    "slim_gene",
    "slim_transcript",
    "species",
    "synonyms",
    "transcript",
    "transcripts",
    "version",
    "with_symbols",
    "xref_rows",
]
