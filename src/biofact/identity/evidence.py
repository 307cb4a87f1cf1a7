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
    """How the IDs of one kind of record are written."""

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
_NEARLY = (
    (r"(?:ncbi ?gene|gene ?id|entrez(?: ?gene)?)[\s:_#-]*([1-9]\d*)", "NCBIGene:{}"),
    (r"chembl[\s:_-]*0*([1-9]\d*)", "CHEMBL:{}"),
    (r"(?:pmid|pubmed)[\s:_#-]*([1-9]\d*)", "PMID:{}"),
    (r"rs[\s:_-]*([1-9]\d*)", "rs{}"),
)


def form_of(checked_id: str) -> StrictForm:
    """The form of an ID that ``CHECKED_ID`` lets pass."""
    return next(form for form in FORMS if re.fullmatch(form.pattern, checked_id, re.ASCII))


def _repaired(text: str) -> str | None:
    for pattern, written in _NEARLY:
        if found := re.fullmatch(pattern, text.strip(), re.IGNORECASE | re.ASCII):
            return written.format(found[1])
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
        repair=_repaired,
        parameter="names",
        is_listed=True,
    )
)


GENE_DATABASES = ("entrez", "ensembl", "igvf")
"""Databases that have records of genes, and can be asked for them."""

_WRITTEN: Mapping[str, tuple[str, str, str]] = {
    "entrez": ("entrez", "", "NCBIGene:"),
    "ensembl_gene": ("ensembl", "", ""),
    "chembl": ("chembl", "CHEMBL", "CHEMBL:"),
    "pubmed": ("pubmed", "", ""),
}
"""Keys of the registry that are IDs of databases we ask: the database, and how its strict tools write the value."""
_BEYOND_REGISTRY: Mapping[str, Meaning] = {
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


def means(database: str) -> Meaning:
    """How what a database has under an ID relates to the entity."""
    return _BEYOND_REGISTRY.get(database) or REGISTRY[database].means


def is_single(database: str) -> bool:
    """Whether an entity has one ID there."""
    key = REGISTRY.get(database)
    return means(database) == "same" and not (key and key.is_many and database not in _BEYOND_REGISTRY)


@dataclass(frozen=True, slots=True)
class DatabaseRecord:
    """One record of one database."""

    database: str
    """Of the source, or the key of the registry that a database has which cannot be asked."""
    id: str
    """As its strict tools take it, without version; that of the current record."""
    kind: EntityKind
    label: str
    asked: str = ""
    """The ID that led here."""
    says: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """IDs of the same entity and its products, by database."""
    tells: frozenset[str] = frozenset()
    """Databases of which such a record says the IDs where it knows them."""
    aliases: tuple[str, ...] = ()
    name: str = ""
    organism: str | None = None
    """Scientific name."""
    scaffold: str | None = None
    """Where it lies, if on no chromosome."""
    form_of: str | None = None
    is_askable: bool = True
    """False for an ID of a database that is known from what others say of it."""
    url: str | None = None
    retrieved_at: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Which record it is."""
        return self.database, self.id

    @property
    def is_replacement(self) -> bool:
        """It stands for an ID that was merged into it."""
        return bool(self.asked) and self.asked != self.id

    def points_to(self, other: "DatabaseRecord") -> bool:
        """Whether it says that the other is the same, or its product."""
        return other.id in self.says.get(other.database, ())


def ids_by_database(cross_references: CrossReferences | None, **further: str | None) -> dict[str, tuple[str, ...]]:
    """The IDs of cross-references by database, each ID as its strict tools take it; ``further`` are no keys of theirs.

    The Catalog has Ensembl's genes under Ensembl's IDs.
    """
    found: dict[str, tuple[str, ...]] = {}
    for key in REGISTRY if cross_references else ():
        database, bare, written = _WRITTEN.get(key, (key, "", ""))
        if values := cross_references.every(key) if cross_references else ():
            found[database] = tuple(f"{written}{value.removeprefix(bare)}" for value in values)
    if "ensembl" in found:
        found["igvf"] = found["ensembl"]
    return found | {database: (value,) for database, value in further.items() if value}


Outcome = DatabaseRecord | BiofactError
NOMENCLATURE = ("hgnc", "alliance", "omim")
"""Databases that give an ID to one gene: records that share one are of the same gene."""


@dataclass(slots=True)
class Evidence:
    """The record that was asked for, those that cross-references lead to, and what leads back."""

    start: DatabaseRecord
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    """By database and ID as it was asserted; an ``EntityNotFound`` where the database has no such record."""
    leading_back: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """What the start's own database has under an ID that it asserts of another."""
    asked: tuple[str, ...] = ()
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
        """The database has no current record of this ID."""
        return isinstance(self.outcomes.get((database, record_id)), EntityNotFound)

    def records(self) -> Iterator[DatabaseRecord]:
        """All records but the start, each once."""
        found = {one.key: one for one in self.outcomes.values() if isinstance(one, DatabaseRecord)}
        found.pop(self.start.key, None)
        yield from found.values()

    def own(self) -> list[DatabaseRecord]:
        """The records that are of the entity: they name the start, or the start names them and they name no other; or
        they have its ID of the nomenclature and no other ID of its database.
        """
        return [record for record in self.records() if self._is_own(record)]

    def called(self) -> list[DatabaseRecord]:
        """The records that are of the entity by the nomenclature, whatever they say of the start."""
        return [record for record in self.records() if self._is_own(record) or self._is_near(record)]

    def of(self, database: str) -> list[str]:
        """IDs in a database that anything found says of the entity; those that the start says come first."""
        if database == self.start.database:
            return []
        own = self.own()
        claims = [claim for record in (self.start, *own) for claim in record.says.get(database, ())]
        found = [record.id for record in self.records() if record.database == database and self._is_near(record)]
        return list(dict.fromkeys((*claims, *found)))

    def names(self, record: DatabaseRecord, other: DatabaseRecord) -> bool:
        """Whether a record says that another is the same, be it by an ID that was merged into the other's."""
        named = record.says.get(other.database, ())
        return any(self.current_id(other.database, one) == other.id for one in named)

    def shared_names(self, record: DatabaseRecord) -> list[str]:
        """IDs of the nomenclature that a record has and the start, too."""
        ids = ((self.start.says.get(name, ()), record.says.get(name, ())) for name in NOMENCLATURE)
        return [one for ours, theirs in ids for one in ours if one in theirs]

    def _is_near(self, record: DatabaseRecord) -> bool:
        return self.names(record, self.start) or bool(self.shared_names(record))

    def _is_own(self, record: DatabaseRecord) -> bool:
        if self.names(record, self.start):
            return True
        is_silent = not record.says.get(self.start.database)
        return is_silent and (self.start.points_to(record) or bool(self.shared_names(record)))
