"""Acme as a service, and what is asked of it."""

from collections.abc import Sequence

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.protocol.lookup import RecordKind
from biofact.protocol.search import WordSearch
from biofact.sources.acme import parse
from biofact.sources.acme.identifiers import ENTRY_ID
from biofact.sources.acme.records import SlimAcmeEntry
from biofact.transport.service import Request, Service

_URL = declare(Setting("BIOFACT_ACME_URL", "Where Acme is.", default="https://acme.example"))
ACME = Service(
    name="acme",
    title="Acme",
    base_url=_URL,
    per_second=5.0,
    judge=json_values.judge,
    licence="Acme data are CC0.",
    probe_path="/fetch/1001",
)
"""No limit is published; 5 a second is fair use as we read it."""


def search(words: str, offset: int, limit: int) -> Request:
    """A page of what Acme finds for words, best first."""
    params = (("query", words), ("offset", str(offset)), ("limit", str(limit)))
    return Request(ACME, "/search", params, accept="application/json")


HITS = WordSearch(ENTRY_ID, search, parse.candidates)


def fetch(acme_ids: Sequence[str]) -> Request:
    """Whole records, of 100 IDs at most."""
    return Request(ACME, ("fetch", ",".join(map(ENTRY_ID.local, acme_ids))), accept="application/json")


ENTRIES = RecordKind(ACME, ENTRY_ID, "entry/1", 100, fetch, parse.splitter, parse.entry, SlimAcmeEntry)
