"""What the stand-in knows: species, genes with their transcripts, retired IDs. Empty means not known."""

from dataclasses import dataclass, field
from typing import Literal

Level = Literal["gene", "transcript", "translation"]


@dataclass(frozen=True, slots=True)
class SpeciesFacts:
    """One entry of ``info/species``."""

    name: str
    """Production name, such as ``homo_sapiens``."""
    display_name: str
    common_name: str
    taxon_id: int
    assembly: str
    aliases: tuple[str, ...] = ()
    strain: str = ""
    accession: str = ""


@dataclass(frozen=True, slots=True)
class SequenceSpan:
    """Where something lies; positions are 1-based and inclusive."""

    region: str
    """Chromosome or scaffold, such as ``17`` or ``HSCHR6_MHC_COX_CTG1``."""
    start: int
    end: int
    strand: int
    """+1 or -1."""


@dataclass(frozen=True, slots=True)
class ExonFacts:
    """One exon of a transcript."""

    id: str
    start: int
    end: int
    version: int = 1


@dataclass(frozen=True, slots=True)
class TranslationFacts:
    """The protein of a coding transcript."""

    id: str
    length: int
    """Amino acids."""
    version: int | None = None
    start: int | None = None
    """Genomic start of the coding sequence; never above ``end``."""
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnsemblTranscriptFacts:
    """One transcript."""

    id: str
    version: int | None = None
    biotype: str
    name: str = ""
    """Such as ``BRAF-201``."""
    span: SequenceSpan | None = None
    exons: tuple[ExonFacts, ...] = ()
    """In the order of transcription."""
    length: int | None = None
    """Spliced, in bases."""
    translation: TranslationFacts | None = None
    mane_select: str = ""
    """RefSeq transcript with its version, such as ``NM_000546.6``."""
    mane_plus_clinical: str = ""


@dataclass(frozen=True, slots=True)
class Xref:
    """One cross-reference as ``xrefs/id`` tells it."""

    dbname: str
    primary_id: str
    display_id: str = ""
    """``primary_id`` where empty."""
    level: Level = "gene"
    info_type: str = "DEPENDENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnsemblGeneFacts:
    """Everything that the stand-in tells about one gene."""

    id: str
    version: int | None = None
    species: str = "homo_sapiens"
    symbol: str = ""
    """Empty for a gene without a name."""
    description: str = ""
    """As Ensembl writes it, with ``[Source:HGNC Symbol;Acc:HGNC:11998]`` at its end."""
    biotype: str = "protein_coding"
    span: SequenceSpan | None = None
    assembly: str = ""
    synonyms: tuple[str, ...] = ()
    """Other symbols, previous ones among them: EBI Search's ``gene_synonym``; ``xrefs/symbol`` finds by them."""
    canonical: str = ""
    """ID of the canonical transcript, with its version where known."""
    transcripts: tuple[EnsemblTranscriptFacts, ...] = ()
    xrefs: tuple[Xref, ...] = ()


@dataclass(frozen=True, slots=True)
class Retired:
    """A stable ID that no current record has."""

    id: str
    version: int
    release: int
    """The last one that had it."""
    type: Literal["Gene", "Transcript", "Translation"] = "Gene"
    assembly: str = "GRCh38"
    replacements: tuple[tuple[str, float], ...] = field(default=())
    """Stable IDs with Ensembl's mapping score, 0-1."""
