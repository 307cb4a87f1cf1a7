"""The Catalog's rows as a graph: entities by ID, by place and by text, and the edges between them."""

import functools
from collections.abc import Iterable, Iterator, Mapping

from biofact.dialects.genomic.genomes import chromosome_of
from biofact.sandbox.services.igvf.collections import COLLECTION_OF, COLLECTIONS, EDGE_FILTERS
from biofact.sandbox.services.igvf.fuzzy import TextIndex
from biofact.sandbox.services.igvf.places import PlacedRows
from biofact.sandbox.tables import Row, Rows, RowTable, identifier, usual_row
from biofact.sources.igvf.catalog import SPECIES, edges

_PLACED = ("genes", "transcripts", "variants", "genomic_elements")


def variant_row(spdi: str) -> Row:
    """A variant of which nothing is known but its SPDI.

    Raises:
        ValueError: it is no SPDI on a chromosome of today's assemblies.
    """
    accession, position, ref, alt = spdi.split(":")
    found = chromosome_of(accession)
    if found is None:
        raise ValueError(f"{spdi!r} lies on no chromosome of GRCh38 or GRCm39.")
    organism, chromosome = found
    return {
        **_usual_variant(organism),
        "_id": spdi,
        "chr": "chrM" if chromosome == "MT" else f"chr{chromosome}",
        "pos": int(position),
        "ref": ref,
        "alt": alt,
        "spdi": spdi,
        "organism": SPECIES[organism],
    }


@functools.cache
def _usual_variant(organism: str) -> Mapping[str, object]:
    return usual_row(__package__, f"variants.{organism}.jsonl")


class Graph:
    """All that the stand-in knows, as it is looked for.

    Rows come by collection of entities, such as ``genes``, and by edge, such as ``variant_gene``.
    """

    def __init__(self, rows: Rows) -> None:
        self.edges = {name: RowTable(rows.get(name, ()), EDGE_FILTERS, order=("_from", "_to")) for name in edges()}
        everything = {**rows, "variants": (*rows.get("variants", ()), *self._unlisted_variants(rows))}
        self.tables = {
            name: RowTable(everything.get(name, ()), one.filters, key=one.key, order=one.order)
            for name, one in COLLECTIONS.items()
        }
        self.places = {name: PlacedRows(self.tables[name].rows) for name in _PLACED}
        self._texts = {
            (name, parameter): TextIndex((row[one.key], _texts(row, fields)) for row in self.tables[name].rows)
            for name, one in COLLECTIONS.items()
            for parameter, fields in one.texts.items()
        }

    def entity(self, reference: str) -> Row | None:
        """The entity that a reference stands for, such as ``genes/ENSG00000012048``."""
        collection, _, uid = reference.partition("/")
        return self.tables[collection].by_key.get(uid) if collection in self.tables else None

    def holding(self, collection: str, parameter: str, text: str) -> set[str]:
        """IDs of the entities with every word of a text, in whatever case."""
        return self._texts[collection, parameter].holding(text)

    def similar(self, collection: str, parameter: str, text: str) -> set[str]:
        """IDs of the entities that text search has for a parameter."""
        return self._texts[collection, parameter].similar(text, COLLECTIONS[collection].changes)

    def _unlisted_variants(self, rows: Rows) -> Iterator[Row]:
        """Those that edges alone name."""
        listed = {row["_id"] for row in rows.get("variants", ())}
        ends = {name: (edge.subject.kind, edge.object.kind) for name, edge in edges().items()}
        named = {
            identifier(row[field]): None
            for name, table in self.edges.items()
            for field, kind in zip(("_from", "_to"), ends[name], strict=True)
            if kind == "variant"
            for row in table.rows
        }
        return (variant_row(spdi) for spdi in named if spdi not in listed)


def reference(kind: str, uid: str) -> str:
    """``genes/ENSG00000012048``."""
    return f"{COLLECTION_OF[kind]}/{uid}"


def _texts(row: Row, fields: Iterable[str]) -> Iterator[str]:
    for field in fields:
        value = row[field]
        yield from value if isinstance(value, list) else [value or ""]
