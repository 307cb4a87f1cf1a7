"""What the stand-in knows: taxa, the facts about a gene, and the starter genes written by hand in ``starter/``."""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Self


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
    taxon.taxon_id: taxon
    for taxon in (
        GeneTaxon(9606, "Homo sapiens", "human", "HGNC"),
        GeneTaxon(10090, "Mus musculus", "house mouse", "MGI", also=("mouse",)),
        GeneTaxon(10116, "Rattus norvegicus", "Norway rat", "RGD", also=("rat", "brown rat", "rats")),
        GeneTaxon(7955, "Danio rerio", "zebrafish", "ZFIN"),
        GeneTaxon(7227, "Drosophila melanogaster", "fruit fly", "FLYBASE"),
        GeneTaxon(6239, "Caenorhabditis elegans", "", "WormBase"),
        GeneTaxon(4932, "Saccharomyces cerevisiae", "baker's yeast", also=("brewer's yeast",)),
        GeneTaxon(559292, "Saccharomyces cerevisiae S288C", "", "SGD", parent_id=4932),
        GeneTaxon(63221, "Homo sapiens neanderthalensis", "Neandertal", parent_id=9606),
        GeneTaxon(741158, "Homo sapiens subsp. 'Denisova'", "Denisova hominin", parent_id=9606),
        GeneTaxon(10091, "Mus musculus castaneus", "southeastern Asian house mouse", parent_id=10090),
        GeneTaxon(10092, "Mus musculus domesticus", "western European house mouse", parent_id=10090),
        GeneTaxon(39442, "Mus musculus musculus", "eastern European house mouse", parent_id=10090),
        GeneTaxon(57486, "Mus musculus molossinus", "Japanese wild mouse", parent_id=10090),
    )
}

STARTER_MARK = "[biofact starter text]"
"""Ends every summary that is ours and not NCBI's."""

_RELEASES = {  # the annotation release that the recorded positions on each assembly come from
    "GRCh38.p14": "GCF_000001405.40-RS_2023_10",
    "GRCh38.p13": "Homo sapiens Updated Annotation Release 109.20211119",
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

    @classmethod
    def read(cls, text: str) -> Self:
        """The place written as ``GRCh38.p14 NC_000017.11 7668421-7687490 -``."""
        assembly, accession, span, sign = text.split()
        start, _, end = span.partition("-")
        return cls(assembly, accession, int(start), int(end), {"+": 1, "-": -1}[sign])


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
    folder = resources.files(__package__) / "starter"
    papers = {gene_id: tuple(_expanded(pmids)) for gene_id, pmids in rows((folder / "pubmed.tsv").read_text("utf-8"))}
    genes = [
        _written(gene_id, entry, papers.get(gene_id, ()))
        for name in ("human.toml", "model_organisms.toml")
        for gene_id, entry in tomllib.loads((folder / name).read_text("utf-8")).items()
    ]
    return (*genes, *history((folder / "history.tsv").read_text("utf-8")))


def history(text: str) -> Iterator[NcbiGeneFacts]:
    """The retired genes of a table in the shape of NCBI's ``gene_history``."""
    for taxon_id, current_id, gene_id, symbol, date in rows(text):
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


def rows(text: str) -> Iterator[list[str]]:
    """The cells of a tab-separated table; lines that begin with ``#`` say what it holds."""
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


def _expanded(numbers: str) -> Iterator[str]:
    """Each number of a list in which ``a-b`` stands for all from a to b."""
    for written in numbers.split():
        first, _, last = written.partition("-")
        yield from map(str, range(int(first), int(last or first) + 1))


_ID_FORMS = {  # the forms by which ``ids`` in a starter file are sorted into kinds
    "hgnc": r"HGNC:\d+",
    "omim": r"MIM:(\d{6})",
    "ensembl": r"ENS[A-Z]*G\d{11}",
    "alliance": r"(?:MGI|RGD|ZFIN|FB|WB|SGD):.+",
    "uniprot": r"UniProt:(\w+)",
    "refseq": r"[NX][MR]_\d+",
}


def _written(gene_id: str, entry: Mapping[str, Any], pmids: tuple[str, ...]) -> NcbiGeneFacts:
    """One entry of a starter file. Where an authority names the gene, its names are the gene's unless given."""
    facts: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    ids = _sorted_ids(facts.pop("ids", ""))
    places = tuple(GenomicPlace.read(text) for text in facts.pop("places", ()))
    summary = facts.pop("summary", "")
    symbol, name = facts.pop("official", ("", ""))
    if (ids["hgnc"] or ids["alliance"]) and not symbol:
        symbol, name = facts["symbol"], facts["name"]
    return NcbiGeneFacts(
        gene_id=gene_id,
        chromosomes=tuple(facts.pop("chromosome", "").split()),
        official_symbol=symbol,
        official_name=name,
        nomenclature="Official" if symbol else "",
        places=places,
        release=_RELEASES[places[0].assembly] if places else "",
        hgnc="".join(ids.pop("hgnc")),
        alliance="".join(ids.pop("alliance")),
        pmids=pmids,
        summary=f"{summary} {STARTER_MARK}" if summary else "",
        **ids,
        **facts,
    )


def _sorted_ids(text: str) -> dict[str, Any]:
    found: dict[str, tuple[str, ...]] = dict.fromkeys(_ID_FORMS, ())
    for written in text.split():
        kind, match = next((k, m) for k, form in _ID_FORMS.items() if (m := re.fullmatch(form, written)))
        found[kind] += (match[match.lastindex or 0],)
    return found
