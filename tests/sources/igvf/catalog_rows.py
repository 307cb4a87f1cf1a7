"""Made rows of the Catalog, as its stand-in takes them: each with the name of its collection or edge.

Places count from 1 and end inside, as people write them; everything else is in the service's own form.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from biofact.sandbox.services import igvf
from biofact.sandbox.services.igvf.corpus import reference, variant_row
from biofact.sandbox.tables import Row, Rows, identifier, starter_tables, usual_row
from biofact.sources.igvf.catalog import edges


class CatalogPart(NamedTuple):
    """A row with its collection or edge."""

    collection: str
    """The Catalog's collection of entities, or its edge."""
    fields: Row

    @property
    def values(self) -> Row:
        """The fields without empty values."""
        return {name: value for name, value in self.fields.items() if value is not None and value != ""}

    @property
    def subject(self) -> str:
        """The ID of the first entity that an edge's row joins."""
        return identifier(self.fields["_from"])

    @property
    def object(self) -> str:
        """The ID of the second one."""
        return identifier(self.fields["_to"])


_PACKAGE = igvf.__name__
_SYMBOLS = {"ENSG00000012048": "BRCA1", "ENSG00000139618": "BRCA2", "ENSG00000157764": "BRAF"}
"""Symbols of the genes in made graphs."""


@functools.cache
def _usual(file: str) -> Row:
    return usual_row(_PACKAGE, f"{file}.jsonl")


def _part(collection: str, organism: str = "", **fields: Any) -> CatalogPart:
    """A row; missing fields are as in the starter's rows."""
    return CatalogPart(collection, {**_usual(f"{collection}.{organism}".rstrip(".")), **_lists(fields)})


def _lists(fields: Mapping[str, Any]) -> Row:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _place(chromosome: str, start: int, end: int) -> Row:
    return {"chr": f"chr{chromosome}", "start": start - 1, "end": end}


def gene(
    uid: str, symbol: str, chromosome: str, start: int, end: int, *, organism: str = "human", **fields: Any
) -> CatalogPart:
    return _part("genes", organism, _id=uid, name=symbol, **_place(chromosome, start, end), **fields)


def transcript(
    uid: str, name: str, chromosome: str, start: int, end: int, *, organism: str = "human", **fields: Any
) -> CatalogPart:
    own_values = {"_id": uid, "name": name, "gene_name": name.rpartition("-")[0]}
    return _part("transcripts", organism, **own_values, **_place(chromosome, start, end), **fields)


def protein(uid: str, name: str, *, organism: str = "human", **fields: Any) -> CatalogPart:
    return _part("proteins", organism, _id=uid, name=name, **fields)


def allele(spdi: str, **fields: Any) -> CatalogPart:
    """A variant with only its SPDI and these fields."""
    return CatalogPart("variants", {**variant_row(spdi), **_lists(fields)})


def term(uid: str, name: str, source: str, **fields: Any) -> CatalogPart:
    uri = f"http://purl.obolibrary.org/obo/{uid}"
    return _part("ontology_terms", uri=uri, term_id=uid, name=name, source=source, **fields)


def element(uid: str, chromosome: str, start: int, end: int, *, organism: str = "human", **fields: Any) -> CatalogPart:
    return _part("genomic_elements", organism, _id=uid, name=uid, **_place(chromosome, start, end), **fields)


def other(collection: str, uid: str, **fields: Any) -> CatalogPart:
    """An entity of another collection, such as a drug."""
    return _part(collection, _id=uid, **fields)


def edge(kind: str, subject: str, target: str, /, **fields: Any) -> CatalogPart:
    """A row that joins two entities, given by their IDs or references."""
    edge = edges()[kind]
    ends = {
        name: uid if "/" in uid else reference(end.kind, uid)
        for name, end, uid in (("_from", edge.subject, subject), ("_to", edge.object, target))
    }
    part = ""
    if kind == "variant_phenotype":
        part = "gwas" if fields.get("source") == "OpenTargets" else "measured"
    own_values = _OWN_FORMS[kind](subject, target) if kind in _OWN_FORMS else {}
    return _part(kind, part, **{**ends, **own_values, **fields})


def _regulation(regulator: str, response: str) -> Row:
    place = {"chr": "chr17", "start": 43170000, "end": 43170500}
    return {
        "genomic_element": {**place, "regulator_gene": _symbol(regulator)},
        "response_gene": _symbol(response),
        "method": "CRISPR screen",
        "files_filesets": "files_filesets/IGVFFI1336XWXJ",
    }


def _symbol(gene_id: str) -> str:
    return _SYMBOLS.get(gene_id, gene_id)


def _function(protein_id: str, term_id: str) -> Row:
    return {
        "gene_product_id": f"proteins/{protein_id}",
        **dict.fromkeys(("gene_product_name", "gene_product_symbol"), protein_id),
        "gene_product_type": "protein",
        "go_id": term_id.replace("_", ":"),
        "go_term_name": term_id,
        "qualifier": ["involved_in"],
        "evidence": "IEA",
    }


def _linkage(first: str, second: str) -> Row:
    alleles = {"1": variant_row(first), "2": variant_row(second)}
    return {
        "chr": alleles["1"]["chr"],
        **{
            f"variant_{number}_{name}": value
            for number, row in alleles.items()
            for name, value in {
                "base_pair": f"{row['ref']}:{row['alt']}",
                "rsid": "",
                "pos": row["pos"],
                "spdi": row["spdi"],
                "hgvs": None,
            }.items()
        },
    }


def _prediction(element_id: str, gene_id: str) -> Row:
    return {
        "id": f"genomic_elements/{element_id}",
        "element_type": "tested elements",
        **dict(zip(("element_chr", "element_start", "element_end"), ("chr17", 43045700, 43045711), strict=True)),
        "target_gene": {
            "gene_name": _symbol(gene_id),
            "id": f"genes/{gene_id}",
            "chr": "chr17",
            "start": 43044294,
            "end": 43170245,
        },
    }


_OWN_FORMS: Mapping[str, Callable[[str, str], Row]] = {
    "regulator_gene": _regulation,
    "product_function": _function,
    "variant_variant": _linkage,
    "predicted_element_gene": _prediction,
}
"""Edges whose rows have their ends in a form of their own."""


def catalog(*rows: CatalogPart) -> Rows:
    """Everything that a Catalog holds."""
    result: dict[str, list[Row]] = {}
    for name, row in rows:
        result.setdefault(name, []).append(row)
    return result


@functools.cache
def starter() -> Mapping[str, Sequence[Row]]:
    """The starter rows."""
    return starter_tables(igvf.__name__)


def starter_edges() -> list[CatalogPart]:
    """The starter rows that join two entities."""
    return [CatalogPart(name, row) for name in edges() for row in starter().get(name, ())]
