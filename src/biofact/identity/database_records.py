"""What a database's record says of itself and of the same entity elsewhere. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from biofact.core.entity_kinds import EntityKind
from biofact.core.provenance import Notice
from biofact.core.xrefs import REGISTRY, CrossReferences, Meaning

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
