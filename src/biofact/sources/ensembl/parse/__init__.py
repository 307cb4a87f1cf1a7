"""Ensembl's payloads to records. Pure: no network, no clock."""

from biofact.sources.ensembl.parse.documents import (
    Row,
    canonical_transcript,
    kind,
    length,
    parent,
    place_of,
    version,
    xref_rows,
)
from biofact.sources.ensembl.parse.genes import (
    GeneHit,
    Hits,
    Product,
    gene,
    gene_hit,
    hits,
    ids_with_symbol,
    lookup_splitter,
    product,
    slim_gene,
    slim_transcript,
    synonyms,
    transcript,
    transcripts,
    with_symbols,
)
from biofact.sources.ensembl.parse.lists import (
    Archived,
    Letters,
    Molecule,
    RegionLetters,
    Species,
    archived,
    data_release,
    homologues,
    letters,
    region_letters,
    segments,
    species,
)
