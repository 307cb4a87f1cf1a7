"""What the stand-in knows: entities of the Catalog's graph, and the edges between them.

Empty text, None and empty tuples mean not known. Coordinates are 1-based and inclusive, as our records have them; the
stand-in writes them as the service does. IDs are the service's own spelling: ``ENSG00000012048``, ``MONDO_0009861``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Organism = Literal["human", "mouse"]
Strand = Literal["+", "-", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneFacts:
    """One gene."""

    id: str
    symbol: str
    chromosome: str
    """Without ``chr``: 17, X, MT."""
    start: int
    end: int
    strand: Strand = ""
    type: str = "protein_coding"
    hgnc: str = ""
    """``HGNC:1100``."""
    entrez: str = ""
    """``672``."""
    synonyms: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    study_sets: tuple[str, ...] = ()
    organism: Organism = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFacts:
    """One transcript."""

    id: str
    name: str
    """Such as CTCF-201."""
    gene: str
    chromosome: str
    start: int
    end: int
    strand: Strand = ""
    type: str = "protein_coding"
    is_mane_select: bool = False
    organism: Organism = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProteinFacts:
    """One protein of one transcript."""

    id: str
    """``ENSP…``."""
    name: str
    """The gene's symbol."""
    uniprot_names: tuple[str, ...] = ()
    uniprot_full_names: tuple[str, ...] = ()
    uniprot_ids: tuple[str, ...] = ()
    xrefs: tuple[tuple[str, str], ...] = ()
    """Database and ID."""
    is_mane_select: bool = False
    organism: Organism = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantFacts:
    """One allele."""

    spdi: str
    """Which is its ID."""
    rsids: tuple[str, ...] = ()
    hgvs: str = ""
    ca_id: str = ""
    category: Literal["coding", "noncoding", ""] = ""
    frequencies: Mapping[str, float] = field(default_factory=dict)
    """By the service's names, such as ``gnomad_af_total``."""
    strains: tuple[str, ...] = ()
    """Of mice."""
    organism: Organism = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodingVariantFacts:
    """One change of a protein."""

    id: str
    name: str
    gene_name: str
    protein: str
    protein_name: str
    transcript: str
    hgvs_p: str
    hgvs_c: str
    position: int
    """Residue, from 1."""
    ref: str
    alt: str
    scores: Mapping[str, float] = field(default_factory=dict)
    """By the service's names, such as ``REVEL_score``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermFacts:
    """One term of an ontology."""

    id: str
    """``MONDO_0009861``."""
    name: str
    source: str
    synonyms: tuple[str, ...] = ()
    description: str = ""
    subontology: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrugFacts:
    """One drug of PharmGKB."""

    id: str
    name: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplexFacts:
    """One complex of proteins."""

    id: str
    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    molecules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFacts:
    """One genome-wide association study."""

    id: str
    pmid: str = ""
    """``PMID:30929738``."""
    author: str = ""
    date: str = ""
    journal: str = ""
    title: str = ""
    trait: str = ""
    terms: tuple[str, ...] = ()
    sample_size: int | None = None
    cases: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathwayFacts:
    """One pathway of Reactome."""

    id: str
    version: int
    name: str
    aliases: tuple[str, ...] = ()
    is_in_disease: bool = False
    is_top_level: bool = False
    disease_terms: tuple[str, ...] = ()
    go_process: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotifFacts:
    """One binding motif."""

    id: str
    """``STAT3_HUMAN_HOCOMOCOv11``."""
    tf_name: str
    length: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementFacts:
    """One genomic element."""

    id: str
    """Its name, such as ``accessible_dna_element_1_975872_976361_GRCh38_AFGR``."""
    chromosome: str
    start: int
    end: int
    type: str
    annotation: str = ""
    method: str = ""
    source: str = "ENCODE"
    organism: Organism = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts:
    """One file of results."""

    id: str
    file_set: str
    lab: str
    method: str
    kind: str
    """The service's ``class``: prediction, observed data ..."""
    source: str
    samples: tuple[str, ...] = ()
    """In words."""
    collections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFacts:
    """One row of an edge of ``catalog.edges()``: what it joins, and what it says, by the service's field names."""

    edge: str
    subject: str
    """ID."""
    object: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All of it."""

    genes: tuple[GeneFacts, ...] = ()
    transcripts: tuple[TranscriptFacts, ...] = ()
    proteins: tuple[ProteinFacts, ...] = ()
    variants: tuple[VariantFacts, ...] = ()
    coding_variants: tuple[CodingVariantFacts, ...] = ()
    terms: tuple[TermFacts, ...] = ()
    drugs: tuple[DrugFacts, ...] = ()
    complexes: tuple[ComplexFacts, ...] = ()
    studies: tuple[StudyFacts, ...] = ()
    pathways: tuple[PathwayFacts, ...] = ()
    motifs: tuple[MotifFacts, ...] = ()
    elements: tuple[ElementFacts, ...] = ()
    datasets: tuple[DatasetFacts, ...] = ()
    edges: tuple[EdgeFacts, ...] = ()
