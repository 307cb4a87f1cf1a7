"""The genes that the stand-in knows, found by their words: the starter genes, and recorded gene_info files."""

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from biofact.sandbox.dialects.gene_info import FOLDER, PLACEHOLDER, GeneRow, gene_row, recorded_rows
from biofact.sandbox.tables import Row, facts, hashable, starter_rows, starter_tables, starter_text
from biofact.sandbox.word_index import WordIndex, folded, phrase_text


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
    other_names: tuple[str, ...] = ()
    """Further names in NCBI Taxonomy."""


TAXA: dict[int, GeneTaxon] = {
    taxon.taxon_id: taxon for taxon in facts(GeneTaxon, starter_rows(__package__, "taxon.jsonl"))
}


@dataclass(frozen=True, slots=True)
class GenomicPlace:
    """A gene's span on a reference assembly; positions are 1-based and inclusive."""

    assembly: str
    accession: str
    """Accession of the sequence, with its version."""
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
    """A finding of articles about a gene, in our own words."""

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
    weight: int = 0
    """NCBI's own ``geneweight``; 0 where no recording shows it, as an estimate would pass for evidence."""

    @property
    def taxon(self) -> GeneTaxon:
        """The organism; one outside the table is named by its number."""
        return TAXA.get(self.taxon_id) or GeneTaxon(self.taxon_id, f"taxon {self.taxon_id}")

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol of the gene, the preferred one first."""
        return tuple(dict.fromkeys(filter(None, (self.symbol, self.official_symbol, *self.aliases))))

    @property
    def extent(self) -> int:
        """How long the record is, see ``_extent``."""
        names = (*self.aliases, *self.designations, self.hgnc, self.alliance, *self.ensembl, *self.omim)
        return _extent(self.gene_type, sum(map(bool, names)))


def _extent(gene_type: str, names: int) -> int:
    """How many further names and references a gene has, twice if it codes for a protein: an order for long lists.

    NCBI lists the best known genes first, by weights that hardly a recording shows. This one says which records are
    long. It is no evidence of which gene a name means, so that no answer states it.
    """
    return 2 * names if gene_type == "protein-coding" else names


@functools.cache
def starter_genes() -> tuple[NcbiGeneFacts, ...]:
    """The genes written by hand in ``starter/``: live ones, and retired ones with and without a replacement."""
    tables = starter_tables(__package__)
    annotations = {row["gene_id"]: _annotation(row) for row in tables["annotation"]}
    genes = (_starter_gene(row, annotations.get(row["gene_id"], {})) for row in tables["gene"])
    return (*genes, *history(starter_text(__package__, "history.tsv")))


def _starter_gene(row: Row, annotation: Mapping[str, Any]) -> NcbiGeneFacts:
    places, pmids = facts(GenomicPlace, row.get("places", ())), tuple(_expanded(row.get("pmids", ())))
    return NcbiGeneFacts(**{**hashable(row), "places": places, "pmids": pmids}, **annotation)


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
            # A hyphen where there is no date.
            discontinued_on=re.sub(r"(\d{4})(\d\d)(\d\d)", r"\1-\2-\3", date).strip("-"),
        )


def _expanded(numbers: Iterable[str]) -> Iterator[str]:
    """Each number of a list in which ``a-b`` stands for all from a to b."""
    for number in numbers:
        first, _, last = number.partition("-")
        yield from map(str, range(int(first), int(last or first) + 1))


_HISTORY = "genenorm_ncbi_history_20260421.tsv"
_AUTHORITIES = {"MGI": "", "RGD": "RGD:", "ZFIN": "ZFIN:", "FLYBASE": "FB:", "WormBase": "WB:", "SGD": "SGD:"}
"""Prefixes of the species' own databases in the Alliance's spelling; MGI's identifiers include theirs."""
_NAMING = ("HGNC:", "AllianceGenome:", *(f"{database}:" for database in _AUTHORITIES))
_SMALL_LIST = 200
_NOMENCLATURE = {"O": "Official", "I": "Interim"}


def gene_info(row: str) -> NcbiGeneFacts:
    """The gene that one row of NCBI's ``gene_info`` describes."""
    facts = gene_row(row)
    return NcbiGeneFacts(
        taxon_id=facts.taxon_id,
        gene_id=facts.gene_id,
        symbol=facts.symbol,
        aliases=facts.synonyms,
        chromosomes=facts.chromosomes,
        map_location=facts.map_location,
        name=facts.description,
        gene_type=facts.gene_type,
        official_symbol=facts.official_symbol,
        official_name=facts.official_name,
        nomenclature=_NOMENCLATURE.get(facts.nomenclature, ""),
        designations=facts.designations,
        hgnc=facts.first_id("HGNC"),
        alliance=_alliance(facts),
        ensembl=tuple(facts.ids.get("Ensembl", ())),
        omim=tuple(facts.ids.get("MIM", ())),
    )


def _alliance(facts: GeneRow) -> str:
    """The Alliance's identifier of another species' gene; older files have only its source's."""
    if facts.first_id("HGNC"):
        return ""
    ids = [f"{prefix}{value}" for database, prefix in _AUTHORITIES.items() for value in facts.ids.get(database, ())]
    return next(iter((*facts.ids.get("AllianceGenome", ()), *ids)), "")


class GeneIndex:
    """GeneIDs by what can be searched for."""

    def __init__(self, rows: Iterable[str], genes: Iterable[NcbiGeneFacts]) -> None:
        self.by_taxon: defaultdict[int, list[str]] = defaultdict(list)
        self.by_type: defaultdict[str, list[str]] = defaultdict(list)
        self.by_chromosome: defaultdict[str, list[str]] = defaultdict(list)
        self.alive: list[str] = []
        self.words = WordIndex()
        for row in rows:
            self._add_row(row)
        for gene in genes:
            self._add_known(gene)
        self.under_taxon = {taxon_id: self._uids_below(taxon_id) for taxon_id in TAXA}
        """GeneIDs of a taxon and of those below it, lowest first."""

    def _add_row(self, row: str) -> None:
        cells = row.split("\t", 14)
        uid = cells[1]
        self._group(uid, int(cells[0]), cells[9], cells[6].split("|") if cells[6] != "-" else ())
        self.alive.append(uid)
        self.words.add(uid, _row_text(cells))

    def _add_known(self, gene: NcbiGeneFacts) -> None:
        self._group(gene.gene_id, gene.taxon_id, gene.gene_type, gene.chromosomes)
        if gene.status == "live":
            self.alive.append(gene.gene_id)
        self.words.add(gene.gene_id, _facts_text(gene))

    def _group(self, uid: str, taxon_id: int, gene_type: str, chromosomes: Iterable[str]) -> None:
        self.by_taxon[taxon_id].append(uid)
        self.by_type[gene_type].append(uid)
        for chromosome in chromosomes:
            self.by_chromosome[chromosome.lower()].append(uid)

    def _uids_below(self, taxon_id: int) -> list[str]:
        taxa = [taxon.taxon_id for taxon in TAXA.values() if taxon_id in {taxon.taxon_id, taxon.parent_id}]
        return sorted((uid for taxon in taxa for uid in self.by_taxon.get(taxon, ())), key=int)


class GeneCorpus:
    """Genes by GeneID, and an index from words to GeneIDs. Where both have a gene, ``genes`` wins over ``rows``, to
    whose genes ``further_facts`` are added by GeneID.

    Rows of gene_info stay text until they are asked for: 220,000 genes load in seconds and take some 200 MB.
    """

    def __init__(
        self,
        genes: Iterable[NcbiGeneFacts],
        rows: Iterable[str] = (),
        further_facts: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._further_facts = further_facts or {}
        self._rows: dict[str, str] = {}
        for row in rows:
            _, uid, symbol, _ = row.split("\t", 3)
            if symbol != PLACEHOLDER:
                self._rows.setdefault(uid, row)
        # In one of the two only.
        self._facts = {gene.gene_id: _merged(gene, self._rows.pop(gene.gene_id, "")) for gene in genes}
        self.uids = frozenset((*self._rows, *self._facts))
        """Every GeneID, retired ones included."""

    @cached_property
    def index(self) -> GeneIndex:
        """Built for the first search: it takes seconds, and lookups by GeneID need none."""
        return GeneIndex(self._rows.values(), self._facts.values())

    @classmethod
    def recorded(
        cls,
        recordings: Path,
        genes: Iterable[NcbiGeneFacts],
        further_facts: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Self:
        """The genes of the gene_info and gene_history files in a folder of recordings; ``genes`` win over them."""
        past = recordings / FOLDER / _HISTORY
        genes_by_id = {gene.gene_id: gene for gene in genes}
        retired = history(past.read_text("utf-8")) if past.is_file() else ()
        further_genes = (gene for gene in retired if gene.gene_id not in genes_by_id)
        return cls((*further_genes, *genes_by_id.values()), recorded_rows(recordings), further_facts)

    def get(self, uid: str) -> NcbiGeneFacts | None:
        """The gene with this GeneID."""
        return self[uid] if uid in self.uids else None

    def __getitem__(self, uid: str) -> NcbiGeneFacts:
        if uid in self._facts:
            return self._facts[uid]
        gene = gene_info(self._rows[uid])
        return replace(gene, **self._further_facts[uid]) if uid in self._further_facts else gene

    def extent(self, uid: str) -> int:
        """How long the record of a gene is, from a row without parsing it whole: a search can rank every gene."""
        return self._facts[uid].extent if uid in self._facts else _row_extent(self._rows[uid])

    def with_words(self, phrase: str) -> list[str]:
        """GeneIDs of the genes that hold the words of ``phrase`` side by side; ``*`` at its end stands for more."""
        words = folded(phrase).split()
        if not words:
            return []
        lists = [self.index.words.holders(word) for word in words]
        if phrase.endswith("*"):
            lists[-1] = self.index.words.holders_of_prefix(words[-1])
        if len(lists) == 1:
            return list(dict.fromkeys(lists[0]))
        fewest = min(lists, key=len)  # the rarest word leaves the fewest genes to read
        uids = list(dict.fromkeys(fewest))
        if not uids:
            return []
        if len(uids) > _SMALL_LIST:  # to go through the lists of common words takes longer than to read a few genes
            shared = set(uids).intersection(*lists)
            uids = [uid for uid in uids if uid in shared]
        text = phrase_text(phrase)
        # Only cells that hold the words side by side are cut into values: that takes far longer than to look at a row.
        in_row = re.compile(r"(?:(?![|\t])[\W_])+".join(words))
        near_uids = (uid for uid in uids if uid in self._facts or in_row.search(self._rows[uid].lower()))
        return [uid for uid in near_uids if text in self._text(uid)]

    def with_value(self, phrase: str) -> list[str]:
        """GeneIDs of the genes that may hold ``phrase`` as a whole value; of rows only those that have such a cell.

        A common word stands in thousands of rows, and to look at a row's text takes a tenth of reading it.
        """
        uids = self.with_words(phrase)
        if not uids:
            return []
        ending = "" if phrase.endswith("*") else r"(?=[|\t]|$)"
        # A value begins after the start of a cell, a bar, or an ID's colon.
        value = re.compile(rf"[|:\t]{re.escape(phrase.removesuffix('*'))}{ending}")
        return [uid for uid in uids if uid in self._facts or value.search(self._rows[uid].lower())]

    def _text(self, uid: str) -> str:
        """The words of a gene between blanks; values are apart, so that no phrase spans two."""
        gene = self._facts.get(uid)
        text = _facts_text(gene) if gene else _row_text(self._rows[uid].split("\t", 14))
        return " | ".join(f" {folded(value)} " for value in text.split("|"))


def _merged(gene: NcbiGeneFacts, row: str) -> NcbiGeneFacts:
    """A starter gene with the further names that the corpus knows; its own come first."""
    if not row:
        return gene
    facts = gene_info(row)
    return replace(
        gene,
        aliases=tuple(dict.fromkeys((*gene.aliases, *facts.aliases))),
        designations=tuple(dict.fromkeys((*gene.designations, *facts.designations))),
    )


def _row_text(cells: list[str]) -> str:
    """The searched texts of a gene_info row: symbols, names and IDs, each once."""
    symbol, name, official = cells[2], cells[8], cells[10:12]
    official_names = "" if official == [symbol, name] else "|".join(official)
    # The Alliance repeats HGNC's.
    ids = cells[5].partition("|AllianceGenome")[0].replace("MIM:", "").replace("Ensembl:", "")
    return f"{symbol}|{cells[4]}|{ids}|{cells[7]}|{name}|{official_names}|{cells[13]}"


def _row_extent(row: str) -> int:
    """The extent of the gene that ``gene_info`` reads from the row."""
    cells = row.split("\t", 14)
    names = [name for cell in (cells[4], cells[13]) if cell != "-" for name in cell.split("|")]
    references = cells[5].split("|")
    counted_references = [reference for reference in references if reference.startswith(("Ensembl:", "MIM:"))]
    is_named = any(reference.startswith(_NAMING) for reference in references)
    return _extent(cells[9], len(names) + len(counted_references) + is_named)


def _facts_text(gene: NcbiGeneFacts) -> str:
    ids = (gene.hgnc, gene.alliance, *gene.ensembl, *gene.omim, *gene.uniprot, *gene.refseq, *gene.pmids)
    names = (gene.name, gene.official_name, *gene.designations, gene.map_location, gene.summary)
    return "|".join((*gene.symbols, *names, *ids))
