"""Strict IDs, the records that they lead to, and the evidence of one entity in all databases. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from biofact.core import identifiers
from biofact.core.errors import BiofactError, EntityNotFound
from biofact.core.identifiers import IdKind
from biofact.core.kinds import EntityKind
from biofact.core.records import Notice
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, REGISTRY, CrossReferences, Meaning
from biofact.identity import RESOLVE

_UNIPROT_KEY = REGISTRY["uniprot"]
_VERSION = r"(?:\.\d{1,3})?"


@dataclass(frozen=True, slots=True)
class StrictForm:
    """The form of the IDs of one kind of record."""

    database: str
    kind: EntityKind
    pattern: str


FORMS = (
    StrictForm("entrez", "gene", r"NCBIGene:[1-9]\d{0,11}"),
    StrictForm("ensembl", "gene", rf"(?:{ENSEMBL_GENE}){_VERSION}"),
    StrictForm("ensembl", "transcript", rf"(?:{ENSEMBL_TRANSCRIPT}){_VERSION}"),
    StrictForm("chembl", "compound", r"CHEMBL:[1-9]\d{0,11}"),
    StrictForm("pubmed", "article", r"PMID:[1-9]\d{0,8}"),
    StrictForm("uniprot", "protein", _UNIPROT_KEY.form),
    StrictForm("rsid", "variant", r"rs[1-9]\d*"),
    StrictForm("igvf", "variant", r"NC_\d{6}\.\d+:\d+:[ACGT]*:[ACGT]*"),
    StrictForm("hgvs", "variant", r"NC_\d{6}\.\d+:g\.\S+"),
)
_REPAIRS = (
    (r"(?:ncbi ?gene|gene ?id|entrez(?: ?gene)?)[\s:_#-]*([1-9]\d*)", "NCBIGene:{}"),
    (r"chembl[\s:_-]*0*([1-9]\d*)", "CHEMBL:{}"),
    (r"(?:pmid|pubmed)[\s:_#-]*([1-9]\d*)", "PMID:{}"),
    (r"rs[\s:_-]*([1-9]\d*)", "rs{}"),
)


def strict_form(checked_id: str) -> StrictForm:
    """The form of an ID that ``CHECKED_ID`` lets pass."""
    return next(form for form in FORMS if re.fullmatch(form.pattern, checked_id, re.ASCII))


def _repair(text: str) -> str | None:
    for pattern, canonical in _REPAIRS:
        if match := re.fullmatch(pattern, text.strip(), re.IGNORECASE | re.ASCII):
            return canonical.format(match[1])
    capitals = text.strip().upper()
    if re.fullmatch(ENSEMBL_GENE, capitals, re.ASCII):
        return capitals
    return _UNIPROT_KEY.normalise(capitals)


CHECKED_ID = identifiers.declare(
    IdKind(
        "ID of one of the databases",
        "|".join(form.pattern for form in FORMS),
        "NCBIGene:7157",
        RESOLVE,
        repair=_repair,
        parameter="names",
        is_listed=True,
    )
)


GENE_DATABASES = ("entrez", "ensembl", "igvf")
"""Databases that have records of genes, and can be queried."""

_SOURCE_KEYS: Mapping[str, tuple[str, str, str]] = {
    "entrez": ("entrez", "", "NCBIGene:"),
    "ensembl_gene": ("ensembl", "", ""),
    "chembl": ("chembl", "CHEMBL", "CHEMBL:"),
    "pubmed": ("pubmed", "", ""),
}
"""Keys of the registry for IDs of our sources: the source, the prefix to drop, and that of its strict tools."""
_MEANINGS: Mapping[str, Meaning] = {
    "entrez": "same",
    "ensembl": "same",
    "igvf": "same",
    "chembl": "same",
    "pubmed": "same",
    "doi": "same",
    "pmc": "same",
    "inchi_key": "same",
    "hgvs": "same",
    "ca_id": "same",
    "rsid": "related",  # of a place, not of an allele
    "transcript": "product",
}


def meaning(database: str) -> Meaning:
    """The relation of a database's records to the entity whose ID they have."""
    return _MEANINGS.get(database) or REGISTRY[database].means


def has_single_id(database: str) -> bool:
    """Whether an entity has one ID there."""
    key = REGISTRY.get(database)
    return meaning(database) == "same" and not (key and key.is_many and database not in _MEANINGS)


@dataclass(frozen=True, slots=True)
class DatabaseRecord:
    """One record of one database."""

    database: str
    """The name of a source, or the key in the registry of a database that cannot be queried."""
    id: str
    """The ID of the current record as strict tools take it, without version."""
    kind: EntityKind
    label: str
    requested_id: str = ""
    """The ID that led here."""
    xrefs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """IDs of the same entity and its products, by database."""
    xref_databases: frozenset[str] = frozenset()
    """Databases whose IDs such a record has where they are known."""
    aliases: tuple[str, ...] = ()
    name: str = ""
    organism: str | None = None
    """Scientific name."""
    scaffold: str | None = None
    """The sequence that it lies on, if that is no chromosome."""
    form_of: str | None = None
    product_of: tuple[str, ...] = ()
    """The gene of a transcript, in its own database."""
    has_record: bool = True
    """False for an ID that is known only from the cross-references of other databases."""
    url: str | None = None
    retrieved_at: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The identity of the record."""
        return self.database, self.id

    @property
    def is_replacement(self) -> bool:
        """Whether the requested ID was merged into this record."""
        return bool(self.requested_id) and self.requested_id != self.id

    def points_to(self, other: "DatabaseRecord") -> bool:
        """Whether it names the other record as the same, or as its product."""
        return other.id in self.xrefs.get(other.database, ())


def ids_by_database(cross_references: CrossReferences | None, **extra_ids: str | None) -> dict[str, tuple[str, ...]]:
    """The IDs of cross-references by database, each ID as its strict tools take it; ``extra_ids`` have no key there.

    The Catalog has Ensembl's genes under Ensembl's IDs.
    """
    ids: dict[str, tuple[str, ...]] = {}
    for key in REGISTRY if cross_references else ():
        database, bare_prefix, prefix = _SOURCE_KEYS.get(key, (key, "", ""))
        if values := cross_references.every(key) if cross_references else ():
            ids[database] = tuple(f"{prefix}{value.removeprefix(bare_prefix)}" for value in values)
    if "ensembl" in ids:
        ids["igvf"] = ids["ensembl"]
    return ids | {database: (value,) for database, value in extra_ids.items() if value}


Outcome = DatabaseRecord | BiofactError
NOMENCLATURE = ("hgnc", "alliance", "omim")
"""Databases that give an ID to one gene: records that share one are of the same gene."""


@dataclass(slots=True)
class Evidence:
    """The record of the checked ID, those that cross-references lead to, and the lookups in reverse."""

    start: DatabaseRecord
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    """By database and ID as it was asserted; an ``EntityNotFound`` where the database has no such record."""
    reverse_lookups: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """IDs that the start's own database returns for an ID of another database that the start asserts."""
    databases: tuple[str, ...] = ()
    """Databases that could have records of the entity, the start's own left out."""
    failures: dict[str, BiofactError] = field(default_factory=dict)
    """Databases that could not answer, and why."""
    paralogues: frozenset[str] = frozenset()
    """Ensembl's genes that descend from the same one as the start's."""

    def record(self, database: str, record_id: str) -> DatabaseRecord | None:
        """The record that an asserted ID leads to."""
        outcome = self.outcomes.get((database, record_id))
        return outcome if isinstance(outcome, DatabaseRecord) else None

    def current_id(self, database: str, record_id: str) -> str:
        """An asserted ID, or that of the record which has taken its place."""
        record = self.record(database, record_id)
        return record.id if record else record_id

    def is_absent(self, database: str, record_id: str) -> bool:
        """Whether the database has no current record of this ID."""
        return isinstance(self.outcomes.get((database, record_id)), EntityNotFound)

    def records(self) -> Iterator[DatabaseRecord]:
        """All records but the start, each once."""
        records = {outcome.key: outcome for outcome in self.outcomes.values() if isinstance(outcome, DatabaseRecord)}
        records.pop(self.start.key, None)
        yield from records.values()

    def entity_records(self) -> list[DatabaseRecord]:
        """The records that are of the entity: they name the start, or the start names them and they name no other; or
        they have its ID of the nomenclature and no other ID of its database.
        """
        return [record for record in self.records() if self._is_of_entity(record)]

    def named_records(self) -> list[DatabaseRecord]:
        """The entity's records and those that share an ID of the nomenclature, whatever start they name."""
        return [record for record in self.records() if self._is_of_entity(record) or self._is_related(record)]

    def ids_in(self, database: str) -> list[str]:
        """IDs of the entity in a database, by all records; those that the start names come first."""
        if database == self.start.database:
            return []
        records = (self.start, *self.entity_records())
        claims = [xref for record in records for xref in record.xrefs.get(database, ())]
        related = [record.id for record in self.records() if record.database == database and self._is_related(record)]
        return list(dict.fromkeys((*claims, *related)))

    def refers_to(self, record: DatabaseRecord, other: DatabaseRecord) -> bool:
        """Whether a record names another as the same, be it by an ID that was merged into the other's."""
        xrefs = record.xrefs.get(other.database, ())
        return any(self.current_id(other.database, xref) == other.id for xref in xrefs)

    def shared_nomenclature_ids(self, record: DatabaseRecord) -> list[str]:
        """IDs of the nomenclature that a record and the start have in common."""
        ids = ((self.start.xrefs.get(name, ()), record.xrefs.get(name, ())) for name in NOMENCLATURE)
        return [start_id for start_ids, record_ids in ids for start_id in start_ids if start_id in record_ids]

    def _is_related(self, record: DatabaseRecord) -> bool:
        return self.refers_to(record, self.start) or bool(self.shared_nomenclature_ids(record))

    def _is_of_entity(self, record: DatabaseRecord) -> bool:
        if self.refers_to(record, self.start):
            return True
        # A record that names another of the start's database is of that one, whatever the start says.
        is_silent = not record.xrefs.get(self.start.database)
        return is_silent and (self.start.points_to(record) or bool(self.shared_nomenclature_ids(record)))
