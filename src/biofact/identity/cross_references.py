"""IDs of resolved entities in further databases, read from their strict records in batches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from biofact.core.call import Call
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, EntityNotFound
from biofact.core.kinds import EntityKind
from biofact.core.quoting import summary
from biofact.core.records import Notice, missing_part
from biofact.core.tool import BATCH_LIMIT
from biofact.core.xrefs import REGISTRY
from biofact.identity.records import ResolvedEntity, ResolvedName
from biofact.protocol.client import LifeSciencesClient

GENE_KEYS = ("hgnc", "ensembl_gene", "entrez", "uniprot", "refseq", "omim", "alliance")
COMPOUND_KEYS = ("chembl", "pubchem_compound", "pubchem_substance", "drugbank", "kegg", "pdb", "uniprot")
DATABASES = tuple(dict.fromkeys((*GENE_KEYS, *COMPOUND_KEYS)))
"""The databases whose IDs may be asked for, by key of the cross-reference registry."""
SHORT_NAMES: Mapping[str, str] = {"symbol": "label", "ensembl": "ensembl_gene", "pubchem": "pubchem_compound"}
"""Names of columns that people write: the field of an entity, or a key of ``DATABASES``."""
BETWEEN = ";"
"""Stands between the values of a key that has several."""


@dataclass(frozen=True, slots=True)
class RecordSource:
    """The strict records of one kind of entity in one source."""

    source: str
    kind: EntityKind
    batch_tool: str
    keys: tuple[str, ...]
    own_key: str
    """The key of the record's own ID, which needs no record."""
    at_once: int = BATCH_LIMIT
    """Records that come with all side requests within the seconds that a record waits for them."""


RECORD_SOURCES = (
    RecordSource("entrez", "gene", "get_genes_batch", GENE_KEYS, "entrez"),
    RecordSource("ensembl", "gene", "get_genes_batch", GENE_KEYS, "ensembl_gene"),
    RecordSource("chembl", "compound", "get_compounds_batch", COMPOUND_KEYS, "chembl", at_once=5),
)
"""For an entity the first source that knows it is read."""


def checked_databases(names: Sequence[str]) -> tuple[str, ...]:
    """The keys of these databases, each once; short names are read.

    Raises:
        AmbiguousQuery: there is no such database.
    """
    keys = [SHORT_NAMES.get(name.strip().casefold(), name.strip().casefold()) for name in names]
    if unknown := [name for name, key in zip(names, keys, strict=True) if key not in DATABASES]:
        raise AmbiguousQuery(
            f"There are no cross-references to {summary(unknown[0])}.",
            hint=f"Give databases of: {', '.join(DATABASES)}.",
            invalid_input=unknown[0],
        )
    return tuple(dict.fromkeys(keys))


@dataclass(slots=True)
class _Reading:
    """The IDs in the records of one source."""

    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    """By record ID: key and written values."""
    failures: dict[str, str] = field(default_factory=dict)
    """Records that could not be had, wholly or in part, and why."""

    def take(self, record_id: str, record: Any, wanted: Sequence[str]) -> None:
        """Take the record of an ID, or its failure; a record that does not exist has no IDs."""
        if isinstance(record, ErrorEnvelope):
            if record.error.code != EntityNotFound.code:
                self.failures[record_id] = record.error.message
            return
        self.ids[record_id] = dict(_written(record.cross_references, wanted))
        if failed := next((notice for notice in record.notices if notice.code == "LEG_FAILED"), None):
            self.failures[record_id] = failed.message


class CrossReferenceReader:
    """Adds cross-references to rows, by as few requests as there are batches of records."""

    def __init__(
        self, clients: Mapping[str, LifeSciencesClient], new_call: Callable[[], AbstractContextManager[Call]]
    ) -> None:
        self._clients = clients
        self._new_call = new_call

    async def add(
        self, rows: Sequence[ResolvedName | ErrorEnvelope], keys: Sequence[str]
    ) -> tuple[list[ResolvedName | ErrorEnvelope], list[Notice]]:
        """The rows, whose leading entities have these IDs as well, and notices of those that could not be read."""
        leads = [row.entities[0] for row in rows if isinstance(row, ResolvedName) and row.entities]
        found: dict[tuple[str, str], dict[str, str]] = {}
        notices: list[Notice] = []
        for record_source in RECORD_SOURCES:
            wanted = [key for key in keys if key in record_source.keys]
            ids = list(
                dict.fromkeys(lead.ids[record_source.source] for lead in leads if _source(lead) == record_source)
            )
            found |= {(record_source.source, record_id): _own_id(record_source, record_id, wanted) for record_id in ids}
            if ids and {*wanted} - {record_source.own_key}:
                reading = await self._read(record_source, ids, wanted)
                for record_id, values in reading.ids.items():
                    found[record_source.source, record_id] |= values
                notices += self._notices(record_source, reading)
        return [_with_ids(row, found) for row in rows], notices

    async def _read(self, record_source: RecordSource, ids: Sequence[str], wanted: Sequence[str]) -> _Reading:
        """The cross-references of records; those that came in part are asked for again once, as the rest is kept."""
        reading = _Reading()
        await self._read_into(reading, record_source, ids, wanted)
        if record_source.at_once < BATCH_LIMIT and (incomplete := [*reading.failures]):
            reading.failures = {}
            await self._read_into(reading, record_source, incomplete, wanted)
        return reading

    async def _read_into(
        self, reading: _Reading, record_source: RecordSource, ids: Sequence[str], wanted: Sequence[str]
    ) -> None:
        for start in range(0, len(ids), record_source.at_once):
            chunk = ids[start : start + record_source.at_once]
            try:
                with self._new_call():
                    read = getattr(self._clients[record_source.source], record_source.batch_tool)
                    page = await read([*chunk], include=["cross_references"])
            except BiofactError as failure:
                reading.failures |= dict.fromkeys(chunk, failure.message)
                continue
            for record_id, record in zip(chunk, page.items, strict=True):
                reading.take(record_id, record, wanted)

    def _notices(self, record_source: RecordSource, reading: _Reading) -> Iterator[Notice]:
        if reading.failures:
            part = f"all cross-references of {len(reading.failures)} {record_source.kind}s"
            reason = next(iter(reading.failures.values()))
            yield missing_part(f"{part} of {self._clients[record_source.source].title}", reason)


def _source(lead: ResolvedEntity) -> RecordSource | None:
    """The source whose record of an entity is read."""
    return next(
        (source for source in RECORD_SOURCES if source.kind == lead.kind and source.source in lead.ids),
        None,
    )


def _own_id(record_source: RecordSource, record_id: str, wanted: Sequence[str]) -> dict[str, str]:
    """The ID of the record under its own key, unless the row has it there already."""
    key = record_source.own_key
    own_id = REGISTRY[key].normalise(record_id)
    return {key: own_id} if key in wanted and key != record_source.source and own_id else {}


def _written(cross_references: Any, wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    for key in wanted:
        value = getattr(cross_references, key)
        if value:
            yield key, BETWEEN.join(value) if isinstance(value, list) else value


def _with_ids(
    row: ResolvedName | ErrorEnvelope, found: Mapping[tuple[str, str], Mapping[str, str]]
) -> ResolvedName | ErrorEnvelope:
    if isinstance(row, ErrorEnvelope) or not row.entities or (source := _source(row.entities[0])) is None:
        return row
    lead, *others = row.entities
    further_ids = found.get((source.source, lead.ids[source.source]), {})
    # A source's own key stays as its tools take it.
    lead = lead.model_copy(update={"ids": {**further_ids, **lead.ids}})
    return row.model_copy(update={"entities": [lead, *others]})
