"""All genes that the stand-ins know: by ID, by name and by their words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from biofact.sandbox.services.ensembl import corpus
from biofact.sandbox.services.ensembl.rows import Level, whole_genes
from biofact.sandbox.services.ensembl.species import ServedSpecies
from biofact.sandbox.tables import Row, Rows
from biofact.sandbox.word_index import Holders, WordIndex


@dataclass(frozen=True, slots=True)
class CurrentRecord:
    """What a stable ID stands for in this release."""

    gene: Row
    level: Level
    record: Row
    transcripts: list[Row]
    """All of a gene's; the one of a transcript or translation."""


class GeneIndex:
    """Gene IDs by what can be searched for: words, names, taxon."""

    def __init__(self, genes: Iterable[Row], species: ServedSpecies) -> None:
        self.words = WordIndex()
        self.names = Holders()
        self.by_taxon: defaultdict[int, list[str]] = defaultdict(list)
        for gene in genes:
            self.words.add(gene["id"], " ".join(value for values in texts(gene) for value in values))
            self.names.add(gene["id"], _names(gene))
            if served := species.named(gene["species"]):
                self.by_taxon[int(served["taxon_id"])].append(gene["id"])


class Genes:
    """Genes, their transcripts and translations, and retired IDs. ``rows`` win over those of ``gene_info``.

    Rows of gene_info stay text until they are asked for: 90,000 genes load in seconds.
    """

    def __init__(self, rows: Rows, species: ServedSpecies, gene_info: Iterable[str] = ()) -> None:
        self.species = species
        self._known = {gene["id"]: gene for gene in whole_genes(rows)}
        self._rows: dict[str, str] = {}
        self._retired = {row["id"]: row for row in rows.get("retired", ())}
        self._holders = {
            record["id"]: gene["id"]
            for gene in self._known.values()  # gene_info has no transcripts
            for transcript in gene.get("Transcript", ())
            for record in (transcript, transcript.get("Translation", transcript))
        }
        for row in gene_info:
            self._take(row)

    @cached_property
    def index(self) -> GeneIndex:
        """Made for the first search: it takes seconds, and genes asked for by ID need none."""
        return GeneIndex(map(self.__getitem__, self), self.species)

    def __len__(self) -> int:
        return len(self._known) + len(self._rows)

    def __iter__(self) -> Iterator[str]:
        yield from self._known
        yield from self._rows

    def __getitem__(self, ensembl_id: str) -> Row:
        known = self._known.get(ensembl_id)
        return known or corpus.gene(self._rows[ensembl_id], ensembl_id)

    def get(self, ensembl_id: str) -> Row | None:
        """The gene with this ID, written without a version."""
        return self[ensembl_id] if ensembl_id in self._known or ensembl_id in self._rows else None

    def find(self, ensembl_id: str) -> CurrentRecord | None:
        """The gene, transcript or translation with this ID, written without a version."""
        gene = self.get(ensembl_id)
        if gene is not None:
            return CurrentRecord(gene, "gene", gene, gene.get("Transcript", []))
        holder = self.get(self._holders.get(ensembl_id, "")) or {}
        for transcript in holder.get("Transcript", ()):
            if transcript["id"] == ensembl_id:
                return CurrentRecord(holder, "transcript", transcript, [transcript])
            translation = transcript.get("Translation")
            if translation and translation["id"] == ensembl_id:
                return CurrentRecord(holder, "translation", translation, [transcript])
        return None

    def versioned(self, asked: str) -> tuple[str, str]:
        """An ID and the version asked for, if any. Worm transcripts have dots of their own, as in ``Y74C9A.2a.1``."""
        ensembl_id, dot, version = asked.rpartition(".")
        if not dot or not version.isdecimal() or self.find(asked):
            return asked, ""
        return ensembl_id, version

    def retired(self, ensembl_id: str) -> Row | None:
        """What is known of an ID that no current record has."""
        return self._retired.get(ensembl_id)

    def with_symbol(self, species: str, symbol: str) -> list[Row]:
        """The genes of a species with this symbol, in whatever case; those on the reference sequence come first."""
        named = self.with_name(species, symbol)
        found = [gene for gene in named if gene.get("display_name", "").lower() == symbol.lower()]
        return sorted(found, key=lambda gene: (_is_on_patch(gene), gene["id"]))

    def with_name(self, species: str, name: str) -> list[Row]:
        """The genes of a species with this symbol, synonym or external ID, in whatever case (as MySQL compares)."""
        found = (self[ensembl_id] for ensembl_id in self.index.names.of(name.lower()))
        return sorted((gene for gene in found if gene["species"] == species), key=lambda gene: gene["id"])

    def _take(self, row: str) -> None:
        for ensembl_id in corpus.gene_ids(row):
            if ensembl_id not in self._known and ensembl_id not in self._rows:
                self._rows[ensembl_id] = row


def scientific_name(gene: Row) -> str:
    """The species of a gene as EBI Search writes it: ``Homo sapiens``."""
    return str(gene["species"]).replace("_", " ").capitalize()


def texts(gene: Row) -> tuple[tuple[str, ...], ...]:
    """What of a gene is searched by words: its fields, each with its values."""
    name, description = gene.get("display_name", ""), gene.get("description", "")
    return (gene["id"],), (name,), tuple(gene["synonyms"]), (description,), (scientific_name(gene),)


def _names(gene: Row) -> set[str]:
    xrefs = (xref.get(name, "") for xref in gene["xrefs"] for name in ("primary_id", "display_id"))
    records = (record.get("display_name", "") for record in (gene, *gene.get("Transcript", ())))
    return {name.lower() for name in (*records, *gene["synonyms"], *xrefs) if name}


def _is_on_patch(gene: Row) -> bool:
    """Whether the gene lies on an alternative sequence, such as ``HSCHR6_MHC_COX_CTG1``."""
    return "_" in gene.get("seq_region_name", "")
