"""Ensembl's starter rows, and genes with their transcripts as ``lookup`` has them whole."""

import functools
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from biofact.sandbox.tables import Row, Rows, starter_tables

RELEASE = 113
"""The release whose species are recorded; genes are as this or an earlier one has them."""
Level = Literal["gene", "transcript", "translation"]


@functools.cache
def rows_of_starter() -> Rows:
    """The starter rows: species, genes, transcripts, retired stable IDs. Read once in a process."""
    return starter_tables(__package__)


def whole_genes(rows: Rows) -> list[Row]:
    """The genes with their transcripts."""
    transcripts: dict[str, list[Row]] = defaultdict(list)
    for row in rows.get("transcript", ()):
        transcripts[row["Parent"]].append(row)
    return [whole_gene(row, transcripts[row["id"]]) for row in rows.get("gene", ())]


def whole_gene(gene: Row, transcripts: Iterable[Row] = ()) -> Row:
    """A gene with all that a lookup can show, its synonyms and cross-references; what is not known is left out."""
    whole = {
        **gene,
        **_head(gene, "Gene"),
        "source": "ensembl_havana",
        "logic_name": f"ensembl_havana_gene_{gene['species']}",
        "Transcript": [_transcript(row, gene) for row in transcripts],
    }
    return _known(whole)


def _transcript(row: Row, gene: Row) -> Row:
    """With region and strand of the gene, where its own span is known."""
    place = {name: gene[name] for name in ("seq_region_name", "strand")} if "start" in row else {}
    translation = row.get("Translation")
    whole = {
        **row,
        **_head(gene, "Transcript"),
        **place,
        "source": "havana",
        "logic_name": f"havana_{gene['species']}",
        "is_canonical": int(row["id"] == gene.get("canonical_transcript", "").partition(".")[0]),
        "Exon": [{**exon, **_head(gene, "Exon"), **place} for exon in row["Exon"] if place],
        "Translation": translation and {**translation, **_head(gene, "Translation"), "Parent": row["id"]},
    }
    return {**_known(whole), "MANE": [{"id": row["id"], **_head(gene, "mane"), **match} for match in row["MANE"]]}


def _head(gene: Row, kind: str) -> Row:
    return {"species": gene["species"], "object_type": kind, "db_type": "core"}


def _known(row: Row) -> Row:
    """Without the parts that there are not."""
    return {name: value for name, value in row.items() if name not in {"Transcript", "Exon", "Translation"} or value}
