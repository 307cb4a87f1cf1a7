"""Ensembl genes as NCBI's gene_info files tell of them: names, IDs and chromosomes, no positions, no transcript."""

from collections.abc import Iterator
from pathlib import Path

from biofact.sandbox.dialects.gene_info import GeneRow, gene_row, recorded_rows
from biofact.sandbox.services.ensembl.rows import whole_gene
from biofact.sandbox.tables import Row

_SPECIES = {"9606": "homo_sapiens", "10090": "mus_musculus", "7955": "danio_rerio", "7227": "drosophila_melanogaster"}
_MARKS = ("Ensembl:", "FLYBASE:")
"""What stands before an Ensembl gene ID: of the fly Ensembl has FlyBase's own."""
_BIOTYPES = {"protein-coding": "protein_coding", "pseudo": "pseudogene"}
_AUTHORITIES = {"HGNC": ("HGNC", "HGNC Symbol"), "MGI": ("MGI", "MGI Symbol"), "ZFIN": ("ZFIN_ID", "ZFIN")}
"""By NCBI's name of a database: Ensembl's, and what its descriptions call it."""


def ensembl_rows(recordings: Path) -> Iterator[str]:
    """The recorded rows that name an Ensembl gene, of the species that Ensembl has under the same taxon."""
    rows = recorded_rows(recordings)
    return (row for row in rows if any(mark in row for mark in _MARKS) and row[: row.index("\t")] in _SPECIES)


def gene_ids(row: str) -> list[str]:
    """The Ensembl genes that a row names: one, or several where Ensembl splits the gene."""
    references = row.split("\t", 6)[5].split("|")
    return [reference.partition(":")[2] for reference in references if reference.startswith(_MARKS)]


def gene(row: str, ensembl_id: str) -> Row:
    """One of the Ensembl genes of a row."""
    row_facts = gene_row(row)
    symbol = row_facts.official_symbol or row_facts.symbol
    described = {"description": text} if (text := _description(row_facts)) else {}
    place = {"seq_region_name": row_facts.chromosomes[0]} if len(row_facts.chromosomes) == 1 else {}
    return whole_gene(
        {
            "id": ensembl_id,
            "species": _SPECIES[str(row_facts.taxon_id)],
            "display_name": symbol,
            **described,
            **place,
            "biotype": _BIOTYPES.get(row_facts.gene_type, row_facts.gene_type),
            "synonyms": [name for name in row_facts.synonyms if name != symbol],
            "xrefs": list(_xrefs(row_facts, symbol)),
        }
    )


def _description(row_facts: GeneRow) -> str:
    source, accession = "NCBI gene", row_facts.gene_id
    for database, (_, title) in _AUTHORITIES.items():
        if found := row_facts.first_id(database):
            source, accession = title, found
    name = row_facts.official_name or row_facts.description
    return f"{name} [Source:{source};Acc:{accession}]" if name else ""


def _xrefs(row_facts: GeneRow, symbol: str) -> Iterator[Row]:
    of_gene = {"level": "gene", "info_type": "DEPENDENT"}
    for database, (dbname, _) in _AUTHORITIES.items():
        for uid in row_facts.ids.get(database, ()):
            yield {**of_gene, "dbname": dbname, "primary_id": uid, "display_id": symbol, "info_type": "DIRECT"}
    yield {**of_gene, "dbname": "EntrezGene", "primary_id": row_facts.gene_id, "display_id": symbol}
    for number in row_facts.ids.get("MIM", ()):
        yield {**of_gene, "dbname": "MIM_GENE", "primary_id": number}
