"""The stand-in for EBI Search: its domain ``ensembl_gene``, in the shape of a recorded answer."""

import functools
from collections.abc import Sequence

from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.sandbox.services.ensembl.genes import Genes, scientific_name
from biofact.sandbox.services.ensembl.query import QueryError, parsed
from biofact.sandbox.services.ensembl.relevance import ranked
from biofact.sandbox.services.ensembl.requests import check_parameters
from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, refused, written
from biofact.sandbox.tables import Row

_DOMAIN = "ensembl_gene"
_SEARCH = f"/{_DOMAIN}"
_ENTRY = f"/{_DOMAIN}/entry/"
_FIELDS = ("id", "name", "description", "gene_name", "gene_synonym", "transcript_count", "species")
_FILTERS = ("TAXONOMY",)
_OF_SEARCH = frozenset({"query", "size", "start", "fields", "format"})
_OF_ENTRY = frozenset({"fields", "format"})
_DEFAULT_SIZE = 15
_LARGEST_SIZE = 100
_LARGEST_START = 1_000_000
_KEPT = 32
"""Queries whose order is remembered: the pages of one search come one after the other."""


class EbiSearchStandIn(RefusingStandIn):
    """Answers as EBI Search does for the domain of Ensembl's genes."""

    service = EBI_SEARCH

    def __init__(self, genes: Genes) -> None:
        self._genes = genes
        self._found = functools.lru_cache(maxsize=_KEPT)(self._ranked)

    def answer(self, ask: Ask) -> Reply | None:
        """The answer in the service's form; None for another domain."""
        path = ask.path.removesuffix("/")
        if path == _SEARCH:
            return self._searched(ask)
        return self._fetched(ask, path.removeprefix(_ENTRY).split(",")) if path.startswith(_ENTRY) else None

    def _searched(self, ask: Ask) -> Reply:
        _check(ask, _OF_SEARCH)
        fields = _fields(ask)
        size = _number(ask, "size", _DEFAULT_SIZE, _LARGEST_SIZE)
        start = _number(ask, "start", 0, _LARGEST_START)
        if not any(name == "query" for name, _ in ask.params):
            return written(self._described())
        found = self._found(ask.one("query"))
        entries = [self._entry(self._genes[uid], fields) for uid in found[start : start + size]]
        return written({"hitCount": len(found), "entries": entries, "facets": []})

    def _fetched(self, ask: Ask, uids: Sequence[str]) -> Reply:
        """Unknown IDs are left out (no recording shows what becomes of them)."""
        _check(ask, _OF_ENTRY)
        fields = _fields(ask)
        genes = (self._genes.get(uid) for uid in uids)
        return written({"entries": [self._entry(gene, fields) for gene in genes if gene]})

    def _ranked(self, query: str) -> list[str]:
        try:
            node = parsed(query)
        except QueryError as error:
            raise refused(f"The query cannot be read: {error}.") from error
        return ranked(self._genes, node)

    def _described(self) -> Row:
        fields = [{"id": name} for name in (*_FIELDS, *_FILTERS)]
        size = [{"name": "Number of entries", "value": str(len(self._genes))}]
        return {"domains": [{"id": _DOMAIN, "name": "Ensembl Gene", "indexInfos": size, "fieldInfos": fields}]}

    def _entry(self, gene: Row, fields: Sequence[str]) -> Row:
        entry: Row = {"id": gene["id"], "source": _DOMAIN}
        if fields:
            values = self._values(gene)
            entry["fields"] = {name: values[name] for name in fields}
        return entry

    def _values(self, gene: Row) -> dict[str, list[str]]:
        """Each field's values; a fact that is not known is an empty list."""
        uid, symbol, transcripts = gene["id"], gene.get("display_name", ""), gene.get("Transcript", ())
        authority = next((xref["dbname"] for xref in gene["xrefs"] if xref.get("display_id", "") == symbol), "")
        return {
            "id": [uid],
            "name": [f"{uid} ({authority}: {symbol})" if authority and symbol else uid],
            "description": [gene["description"]] if "description" in gene else [],
            "gene_name": [symbol] if symbol else [],
            "gene_synonym": gene["synonyms"],
            "transcript_count": [str(len(transcripts))] if transcripts else [],
            "species": [scientific_name(gene)],
        }


def _check(ask: Ask, allowed: frozenset[str]) -> None:
    if ask.method != "GET":
        raise refused(f"Method {ask.method} is not allowed.", status=405)
    check_parameters(ask, allowed, of=ask.path)
    if ask.one("format", "json") != "json":
        raise refused("The sandbox writes json only.")


def _fields(ask: Ask) -> list[str]:
    names = [name for name in ask.one("fields").split(",") if name]
    if unknown := sorted(set(names) - set(_FIELDS)):
        raise refused(f"{_DOMAIN} has no field {', '.join(unknown)}.")
    return names


def _number(ask: Ask, name: str, default: int, most: int) -> int:
    text = ask.one(name, str(default))
    if not text.isdecimal() or int(text) > most:
        raise refused(f"{name} is a number from 0 to {most}, not {text!r:.40}.")
    return int(text)
