"""What NCBI Gene answers are made of."""

from typing import ClassVar, Literal

from biofact.core.match_kinds import MatchKind
from biofact.core.provenance import Number, Record, absent, absent_list
from biofact.core.xrefs import CrossReferences

Status = Literal["live", "secondary", "discontinued", "other"]
"""``secondary`` was replaced by another record, ``discontinued`` by none; ``other`` is for NCBI's own use."""


def curie(gene_id: str | int) -> str:
    """The written form of a GeneID: ``NCBIGene:7157``."""
    return f"NCBIGene:{gene_id}"


def uid_of(entrez_id: str) -> str:
    """The bare number of a GeneID, as E-utilities take it."""
    return entrez_id.removeprefix("NCBIGene:")


class EntrezGene(Record):
    """One gene as NCBI Gene describes it. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "symbol", "organism")

    id: str
    """``NCBIGene:`` and the GeneID."""
    symbol: str
    """The nomenclature authority's where there is one, else NCBI's."""
    organism: str
    """Scientific name."""
    name: str | None = absent("Official full name, else the description.")
    description: str | None = absent("The name as NCBI shows it.")
    aliases: list[str] = absent_list("Other symbols, previous ones among them.")
    other_designations: list[str] = absent_list("Names of the gene's products, and other full names.")
    taxon_id: int | None = absent("NCBI Taxonomy ID of the organism.")
    gene_type: str | None = absent("NCBI's word: protein-coding, pseudo, ncRNA, biological-region, ...")
    status: Status | None = absent()
    chromosome: str | None = absent("Such as 8 or MT; 'X, Y' for a pseudoautosomal gene.")
    map_location: str | None = absent("Cytogenetic band or genetic position.")
    assembly_name: str | None = absent("What start and end count on, such as GRCh38.p14.")
    accession: str | None = absent(
        "The scaffold or alternate locus that start and end count on, when it is no chromosome."
    )
    start: int | None = absent("1-based, inclusive, never above end.")
    end: int | None = absent("1-based, inclusive.")
    strand: Literal[1, -1] | None = absent()
    summary: str | None = absent("What the gene does, as RefSeq or another curator wrote it.")
    cross_references: CrossReferences | None = absent("Keys without a value are absent.")
    replaces: str | None = absent("The asked ID, when this record has taken its place.")
    category: Literal["biolink:Gene"] | None = absent("Biolink class.")
    release: str | None = absent("Annotation release that the coordinates come from.")


class GeneSearchCandidate(Record):
    """One hit of a gene search. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "symbol", "organism", "score", "match")

    id: str
    """``NCBIGene:`` and the GeneID."""
    symbol: str
    organism: str
    """Scientific name."""
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: MatchKind
    name: str | None = absent("Official full name, else the description.")
    description: str | None = absent("The name as NCBI shows it, where that is another.")
    aliases: list[str] = absent_list("Other symbols, previous ones among them: the first ten.")
    other_designations: list[str] = absent_list("Names of the gene's products, and other full names: the first three.")
    taxon_id: int | None = absent("NCBI Taxonomy ID of the organism.")
    chromosome: str | None = absent("Such as 8 or MT; 'X, Y' for a pseudoautosomal gene.")
    map_location: str | None = absent("Cytogenetic band or genetic position.")


class PubMedLink(Record):
    """One article that NCBI links to a gene."""

    id: str
    """``PMID:`` and the number."""
    retracted: Literal[True] | None = absent("Only where PubMed says that it was.")
