"""Acme payloads to records. Pure."""

from typing import Any

from biofact.core.organisms import HUMAN
from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import count, cross_references, document, required_text, rows, text, texts
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.listing import ListSlice
from biofact.protocol.ranking import Names
from biofact.sources.acme.records import AcmeCandidate, AcmeEntry

_XREFS = {"ensembl_gene": "ensembl_id", "entrez": "entrez_id", "uniprot": "uniprot_ids"}
"""Keys of ours, and Acme's fields for them."""


def splitter() -> WholeAnswer:
    """Cuts the answer to a fetch into records; an ID that is not in it has none."""
    return WholeAnswer.of_rows(lambda body: rows(document(body), "results"), _id)


def entry(record: bytes) -> AcmeEntry:
    """A whole record."""
    values = document(record)
    names, xrefs = _names(values), cross_references(values, _XREFS)
    return AcmeEntry(
        id=names.id,
        symbol=names.symbol,
        name=text(values, "name"),
        aliases=texts(values, "aliases"),
        cross_references=xrefs.collected(),
        notices=xrefs.notices,
    )


def candidates(body: bytes, query: str) -> ListSlice[AcmeCandidate]:
    """The hits of a page in Acme's order, each with how it answers ``query``; and how many there are in all."""
    page = document(body)
    found = ReadableRows.of(rows(page, "results"), _names)  # one without an ID is left out, and counted
    hits = [AcmeCandidate.of(gene, query, symbol=gene.symbol) for gene in found.items]
    return ListSlice(hits, count(page, "total"), found.notices("Acme"), rows_read=len(found.outcomes))


def _names(values: dict[str, Any]) -> Names:
    symbol, name = required_text(values, "symbol", "a record", "Acme"), text(values, "name")
    return Names(_id(values), symbol, texts(values, "aliases"), [name] if name else [], taxon_id=HUMAN)


def _id(values: dict[str, Any]) -> str:
    return f"ACME:{required_text(values, 'id', 'a record', 'Acme')}"
