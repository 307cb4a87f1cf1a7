"""Acme payloads to records. Pure."""

from typing import Any

import orjson

from biofact.core.organisms import HUMAN
from biofact.core.words import forms
from biofact.core.xrefs import XrefCollector
from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import count, document, required_text, rows, text, texts
from biofact.protocol.listing import ListSlice
from biofact.protocol.ranking import Match, Names, match
from biofact.sources.acme.records import AcmeCandidate, AcmeEntry

_XREFS = {"ensembl_gene": "ensembl_id", "entrez": "entrez_id", "uniprot": "uniprot_ids"}
"""Keys of ours, and Acme's fields for them."""


def splitter() -> WholeAnswer:
    """Cuts the answer to a fetch into records; an ID that is not in it has none."""
    return WholeAnswer(lambda body: [(_id(row), orjson.dumps(row)) for row in rows(document(body), "results")])


def entry(record: bytes) -> AcmeEntry:
    """A whole record."""
    values = document(record)
    xrefs = XrefCollector()
    for key, field in _XREFS.items():
        for value in (*texts(values, field), text(values, field)):
            xrefs.add(key, value)
    return AcmeEntry(
        id=_id(values),
        symbol=required_text(values, "symbol", "a record", "Acme"),
        name=text(values, "name"),
        aliases=texts(values, "aliases"),
        cross_references=xrefs.collected(),
        notices=xrefs.notices,
    )


def candidates(body: bytes, *, query: str) -> ListSlice[AcmeCandidate]:
    """The hits of a page in Acme's order, each with how it answers ``query``; and how many there are in all."""
    page = document(body)
    return ListSlice([_candidate(row, query) for row in rows(page, "results")], count(page, "total"))


def _candidate(values: dict[str, Any], query: str) -> AcmeCandidate:
    acme_id, symbol = _id(values), required_text(values, "symbol", "a hit", "Acme")
    name = text(values, "name")
    names = Names(acme_id, symbol, texts(values, "aliases"), [name] if name else [], HUMAN)
    found = Match("id", 1.0) if query == acme_id else match(names, forms(query) or [query])
    return AcmeCandidate(id=acme_id, symbol=symbol, name=name, score=found.score, match=found.kind)


def _id(values: dict[str, Any]) -> str:
    return f"ACME:{required_text(values, 'id', 'a record', 'Acme')}"
