"""A cache of the release before this one, written here as that release wrote it."""

import asyncio
import hashlib
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.settings import Settings
from biofact.sources.entrez.client import EntrezClient
from biofact.transport.keep.cache import CACHE_DIR
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing
from tests.transport.scene import Clock

pytestmark = pytest.mark.quick

NCBI = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
TABLES = """
CREATE TABLE answers (
    key BLOB PRIMARY KEY, checksum INTEGER, used_at REAL, size INTEGER,
    url TEXT, retrieved_at REAL, expires_at REAL, is_packed INTEGER, body BLOB
);
CREATE INDEX by_use ON answers (used_at, size);
CREATE TABLE totals (id INTEGER PRIMARY KEY, entries INTEGER, bytes INTEGER);
INSERT INTO totals VALUES (1, 0, 0);
CREATE TRIGGER added AFTER INSERT ON answers
    BEGIN UPDATE totals SET entries = entries + 1, bytes = bytes + new.size; END;
CREATE TRIGGER changed AFTER UPDATE OF size ON answers
    BEGIN UPDATE totals SET bytes = bytes - old.size + new.size; END;
CREATE TRIGGER dropped AFTER DELETE ON answers
    BEGIN UPDATE totals SET entries = entries - 1, bytes = bytes - old.size; END;
PRAGMA user_version = 1;
"""
SUMMARY = (
    b'{"uid":"672","name":"BRCA1","description":"BRCA1 DNA repair associated","status":"","currentid":"",'
    b'"otheraliases":"BRCAI, RNF53","otherdesignations":"","geneweight":1,'
    b'"organism":{"scientificname":"Homo sapiens","commonname":"human","taxid":9606}%s}'
)
SHORT, LONG = SUMMARY % b"", SUMMARY % (b',"summary":"' + b"x" * 20_000 + b'"')  # long ones are packed


def write(folder: Path, kind: str, uid: str, body: bytes | None, at: float) -> None:
    """Add an answer as the release before did."""
    is_new = not (folder / "answers-1.sqlite").exists()
    key = hashlib.blake2b(f"ncbi\0{NCBI}\0{kind}\0{uid}".encode(), digest_size=20).digest()
    is_packed = body is not None and len(body) > 16 * 1024
    stored = zlib.compress(body, 1) if is_packed else body
    head = [f"{NCBI}/esummary.fcgi?db=gene&id={uid}", at, at + 86_400.0, int(is_packed)]
    checksum = zlib.crc32(stored or b"", zlib.crc32(key + repr(head).encode()))
    with closing(sqlite3.connect(folder / "answers-1.sqlite", isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        if is_new:
            file.executescript(TABLES)
        row = (key, checksum, at, len(stored or b"") + 200, *head, stored)
        file.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def run_on(folder: Path, ask):
    """The result of ``ask`` for a client without a network on the cache in the folder; then the cache's stats."""

    async def scenario():
        clock = Clock()
        settings = Settings({CACHE_DIR.name: str(folder), "BIOFACT_OFFLINE": "1"})
        transport = Transport(settings, timing=Timing(wall_clock=clock))
        try:
            return await ask(EntrezClient(transport)), await transport.cache.stats()
        finally:
            await transport.aclose()

    return asyncio.run(scenario())


@pytest.mark.parametrize("body", [SHORT, LONG])
def test_an_answer_of_the_same_kind_is_read(tmp_path, body):
    write(tmp_path, "gene-docsum/2", "672", body, Clock().now)

    gene, stats = run_on(tmp_path, lambda entrez: entrez.get_gene("NCBIGene:672", slim=True))

    assert (gene.id, gene.symbol, gene.organism) == ("NCBIGene:672", "BRCA1", "Homo sapiens")
    assert (gene.provenance.origin, gene.provenance.retrieved_at) == ("cache", "2027-01-15T08:00:00Z")
    assert gene.notices == []
    assert (stats.entries, stats.kind) == (1, "sqlite")


def test_an_answer_of_a_kind_whose_bytes_changed_is_requested_again(tmp_path):
    write(tmp_path, "gene-docsum/0", "672", b"bytes that this release cannot read", Clock().now)

    with pytest.raises(UpstreamError, match=r"the answer is not in the cache"):
        run_on(tmp_path, lambda entrez: entrez.get_gene("NCBIGene:672", slim=True))


def test_that_there_was_no_such_record_is_read_too(tmp_path):
    write(tmp_path, "gene-docsum/2", "999999999", None, Clock().now)

    (page, _) = run_on(tmp_path, lambda entrez: entrez.search_genes("NCBIGene:999999999"))

    assert page.items == []
