"""All genes that the stand-ins know: by ID, by name and by their words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from biofact.sandbox.dialects.word_index import Holders, WordIndex
from biofact.sandbox.services.ensembl import corpus
from biofact.sandbox.services.ensembl.facts import EnsemblGeneFacts, EnsemblTranscriptFacts, Level, Retired
from biofact.sandbox.services.ensembl.species import ServedSpecies


@dataclass(frozen=True, slots=True)
class CurrentRecord:
    """What a stable ID stands for in this release."""

    gene: EnsemblGeneFacts
    level: Level
    version: int | None
    transcripts: tuple[EnsemblTranscriptFacts, ...]
    """All of a gene's; the one of a transcript or translation."""


class GeneIndex:
    """Gene IDs by what can be searched for: words, names, taxon."""

    def __init__(self, genes: Iterable[EnsemblGeneFacts], species: ServedSpecies) -> None:
        self.words = WordIndex()
        self.names = Holders()
        self.by_taxon: defaultdict[int, list[str]] = defaultdict(list)
        for gene in genes:
            self.words.add(gene.id, " ".join(value for values in texts(gene) for value in values))
            self.names.add(gene.id, _names(gene))
            if served := species.named(gene.species):
                self.by_taxon[served.taxon_id].append(gene.id)


class Genes:
    """Genes, their transcripts and translations, and retired IDs. ``known`` genes win over those of ``rows``.

    Rows of gene_info stay text until they are asked for: 90,000 genes load in seconds.
    """

    def __init__(
        self,
        known: Iterable[EnsemblGeneFacts],
        species: ServedSpecies,
        *,
        retired: Iterable[Retired] = (),
        rows: Iterable[str] = (),
    ) -> None:
        self.species = species
        self._known = {gene.id: gene for gene in known}
        self._rows: dict[str, str] = {}
        self._retired = {one.id: one for one in retired}
        self._holders = {
            ensembl_id: gene.id
            for gene in self._known.values()  # rows tell of no transcripts
            for transcript in gene.transcripts
            for ensembl_id in _ids(transcript)
        }
        for row in rows:
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

    def __getitem__(self, ensembl_id: str) -> EnsemblGeneFacts:
        known = self._known.get(ensembl_id)
        return known or corpus.gene(self._rows[ensembl_id], ensembl_id)

    def get(self, ensembl_id: str) -> EnsemblGeneFacts | None:
        """The gene with this ID, written without a version."""
        return self[ensembl_id] if ensembl_id in self._known or ensembl_id in self._rows else None

    def find(self, ensembl_id: str) -> CurrentRecord | None:
        """The gene, transcript or translation with this ID, written without a version."""
        gene = self.get(ensembl_id)
        if gene is not None:
            return CurrentRecord(gene, "gene", gene.version, gene.transcripts)
        holder = self.get(self._holders.get(ensembl_id, ""))
        for transcript in holder.transcripts if holder else ():
            if holder and transcript.id == ensembl_id:
                return CurrentRecord(holder, "transcript", transcript.version, (transcript,))
            translation = transcript.translation
            if holder and translation and translation.id == ensembl_id:
                return CurrentRecord(holder, "translation", translation.version, (transcript,))
        return None

    def versioned(self, asked: str) -> tuple[str, str]:
        """An ID and the version asked for, if any. Worm transcripts have dots of their own, as in ``Y74C9A.2a.1``."""
        ensembl_id, dot, version = asked.rpartition(".")
        if not dot or not version.isdecimal() or self.find(asked):
            return asked, ""
        return ensembl_id, version

    def retired(self, ensembl_id: str) -> Retired | None:
        """What is known of an ID that no current record has."""
        return self._retired.get(ensembl_id)

    def with_symbol(self, species: str, symbol: str) -> list[EnsemblGeneFacts]:
        """The genes of a species with this symbol, in whatever case; those on the reference sequence come first."""
        found = [gene for gene in self.with_name(species, symbol) if gene.symbol.lower() == symbol.lower()]
        return sorted(found, key=lambda gene: (_is_on_patch(gene), gene.id))

    def with_name(self, species: str, name: str) -> list[EnsemblGeneFacts]:
        """The genes of a species with this symbol, synonym or external ID, in whatever case (as MySQL compares)."""
        found = (self[ensembl_id] for ensembl_id in self.index.names.of(name.lower()))
        return sorted((gene for gene in found if gene.species == species), key=lambda gene: gene.id)

    def _take(self, row: str) -> None:
        for ensembl_id in corpus.gene_ids(row):
            if ensembl_id not in self._known and ensembl_id not in self._rows:
                self._rows[ensembl_id] = row


def scientific_name(gene: EnsemblGeneFacts) -> str:
    """The species of a gene as EBI Search writes it: ``Homo sapiens``."""
    return gene.species.replace("_", " ").capitalize()


def texts(gene: EnsemblGeneFacts) -> tuple[tuple[str, ...], ...]:
    """What of a gene is searched by words: its fields, each with its values."""
    return (gene.id,), (gene.symbol,), gene.synonyms, (gene.description,), (scientific_name(gene),)


def _ids(transcript: EnsemblTranscriptFacts) -> tuple[str, ...]:
    return (transcript.id, transcript.translation.id) if transcript.translation else (transcript.id,)


def _names(gene: EnsemblGeneFacts) -> set[str]:
    xrefs = (name for xref in gene.xrefs for name in (xref.primary_id, xref.display_id))
    transcripts = (transcript.name for transcript in gene.transcripts)
    return {name.lower() for name in (gene.symbol, *gene.synonyms, *xrefs, *transcripts) if name}


def _is_on_patch(gene: EnsemblGeneFacts) -> bool:
    """Whether the gene lies on an alternative sequence, such as ``HSCHR6_MHC_COX_CTG1``."""
    return gene.span is not None and "_" in gene.span.region
