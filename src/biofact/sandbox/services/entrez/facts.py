"""What the stand-in knows: taxa, the facts about a gene, and the starter genes written by hand in ``starter/``."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.sandbox.tables import Row, facts, frozen, starter_rows, starter_text


@dataclass(frozen=True, slots=True)
class GeneTaxon:
    """An organism as NCBI Gene names it."""

    taxon_id: int
    scientific: str
    common: str = ""
    authority: str = ""
    """The nomenclature authority's Dbtag, such as ``HGNC``."""
    parent_id: int | None = None
    """The species, for a taxon below it that has genes of its own."""
    also: tuple[str, ...] = ()
    """Further names by which NCBI Taxonomy finds it."""


TAXA: dict[int, GeneTaxon] = {
    taxon.taxon_id: taxon for taxon in facts(GeneTaxon, starter_rows(__package__, "taxon.jsonl"))
}


@dataclass(frozen=True, slots=True)
class GenomicPlace:
    """Where a gene lies on a reference assembly; positions are 1-based and inclusive."""

    assembly: str
    accession: str
    """Of the sequence, with its version."""
    start: int
    end: int
    strand: int
    """+1 or -1."""


@dataclass(frozen=True, slots=True)
class GoFact:
    """One annotation of a gene with a GO term."""

    id: str
    name: str
    aspect: str
    """``function``, ``process`` or ``component``."""
    qualifier: str
    evidence: str
    pmids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhenotypeFact:
    """One disease of a gene."""

    name: str
    omim: str
    medgen: str


@dataclass(frozen=True, slots=True)
class GeneRifFact:
    """What articles say of a gene, in our own words."""

    text: str
    pmids: tuple[str, ...]
    date: str
    """ISO date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NcbiGeneFacts:
    """Everything that the stand-in knows about one gene. Empty means not known."""

    gene_id: str
    symbol: str
    taxon_id: int = 9606
    name: str = ""
    gene_type: str = "protein-coding"
    status: str = "live"
    """``live``, ``secondary`` (replaced by ``current_id``) or ``discontinued``."""
    current_id: str = ""
    discontinued_on: str = ""
    """ISO date."""
    chromosomes: tuple[str, ...] = ()
    map_location: str = ""
    aliases: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    """Other names; of a protein-coding gene the first is the protein's preferred name."""
    official_symbol: str = ""
    official_name: str = ""
    nomenclature: str = ""
    """``Official`` or ``Interim``, where an authority names the gene."""
    places: tuple[GenomicPlace, ...] = ()
    release: str = ""
    """Annotation release of ``places``."""
    summary: str = ""
    hgnc: str = ""
    alliance: str = ""
    """``MGI:98834``, ``RGD:3889``, ``ZFIN:ZDB-GENE-990415-270``, and the like."""
    ensembl: tuple[str, ...] = ()
    omim: tuple[str, ...] = ()
    uniprot: tuple[str, ...] = ()
    """Primary accessions of reviewed entries."""
    refseq: tuple[str, ...] = ()
    """Transcripts, without version."""
    pmids: tuple[str, ...] = ()
    go_terms: tuple[GoFact, ...] = ()
    phenotypes: tuple[PhenotypeFact, ...] = ()
    generifs: tuple[GeneRifFact, ...] = ()
    known_weight: int = 0
    """NCBI's own ``geneweight``; 0 where no recording shows it."""

    @property
    def taxon(self) -> GeneTaxon:
        """The organism; one outside the table is named by its number."""
        return TAXA.get(self.taxon_id) or GeneTaxon(self.taxon_id, f"taxon {self.taxon_id}")

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol that the gene goes by, the preferred first."""
        return tuple(dict.fromkeys(filter(None, (self.symbol, self.official_symbol, *self.aliases))))

    @property
    def weight(self) -> int:
        """How well known the gene is: NCBI's ``geneweight``, else a proxy on its scale."""
        names = (*self.aliases, *self.designations, self.hgnc, self.alliance, *self.ensembl, *self.omim)
        return self.known_weight or estimated_weight(self.gene_id, self.gene_type, sum(map(bool, names)))


def estimated_weight(gene_id: str, gene_type: str, names: int) -> int:
    """A proxy for ``geneweight``, from how many further names and cross-references a gene has.

    Real weights are not published. Much-studied genes have many of both, and GeneIDs that were given early; most of
    them code for proteins. The factors bring KRAS near its recorded 267797.
    """
    estimate = 8_000 * names + 5_000 * max(0, 10 - len(gene_id))
    return estimate if gene_type == "protein-coding" else estimate // 2


@functools.cache
def starter_genes() -> tuple[NcbiGeneFacts, ...]:
    """The genes written by hand in ``starter/``: live ones, and retired ones with and without a replacement."""
    files = ("gene.human.jsonl", "gene.model_organisms.jsonl")
    further = {row["gene_id"]: _annotation(row) for row in starter_rows(__package__, "annotation.jsonl")}
    genes = (_gene(row, further.get(row["gene_id"], {})) for name in files for row in starter_rows(__package__, name))
    return (*genes, *history(starter_text(__package__, "history.tsv")))


def _gene(row: Row, annotation: Mapping[str, Any]) -> NcbiGeneFacts:
    places, pmids = facts(GenomicPlace, row.get("places", ())), tuple(_expanded(row.get("pmids", ())))
    return NcbiGeneFacts(**{**frozen(row), "places": places, "pmids": pmids}, **annotation)


def _annotation(row: Row) -> dict[str, Any]:
    kinds = {"go_terms": GoFact, "phenotypes": PhenotypeFact, "generifs": GeneRifFact}
    return {name: facts(kind, row.get(name, ())) for name, kind in kinds.items()}


def history(text: str) -> Iterator[NcbiGeneFacts]:
    """The retired genes of a table in the shape of NCBI's ``gene_history``."""
    lines = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    for taxon_id, current_id, gene_id, symbol, date in lines:
        is_replaced = current_id != "-"
        yield NcbiGeneFacts(
            gene_id=gene_id,
            symbol=symbol,
            taxon_id=int(taxon_id),
            gene_type="unknown",
            status="secondary" if is_replaced else "discontinued",
            current_id=current_id if is_replaced else "",
            discontinued_on=re.sub(r"(\d{4})(\d\d)(\d\d)", r"\1-\2-\3", date).strip("-"),
        )


def _expanded(numbers: Iterable[str]) -> Iterator[str]:
    """Each number of a list in which ``a-b`` stands for all from a to b."""
    for written in numbers:
        first, _, last = written.partition("-")
        yield from map(str, range(int(first), int(last or first) + 1))
