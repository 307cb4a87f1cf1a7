"""What the Catalog's answers are made of. Coordinates are 1-based and inclusive."""

from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from biofact.core.provenance import Frozen, Number, Record, Result, absent, absent_list
from biofact.core.xrefs import CrossReferences

EntityType = Literal[
    "gene",
    "transcript",
    "protein",
    "variant",
    "coding_variant",
    "ontology_term",
    "drug",
    "complex",
    "pathway",
    "study",
    "motif",
    "dataset",
    "regulatory_element",
]


def _mapping(description: str) -> Any:
    """A mapping that is left out of every answer when it is empty."""
    return Field(default_factory=dict, exclude_if=lambda value: not value, description=description)


class Entity(Record):
    """What every entity of the Catalog has. Fields without a value are absent."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    slim_fields: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    type: EntityType = Field(alias="_type")
    category: str
    """Biolink class."""
    name: str | None = absent("Symbol, or name.")
    organism: Literal["human", "mouse"] | None = absent()
    chromosome: str | None = absent("Without chr.")
    start: int | None = absent("1-based, inclusive, never above end.")
    end: int | None = absent("1-based, inclusive.")
    strand: Literal[1, -1] | None = absent()
    assembly_name: str | None = absent("What start and end count on.")
    synonyms: list[str] = absent_list()
    source: str | None = absent("Whose data it is.")
    release: str | None = absent("Of that source.")
    cross_references: CrossReferences | None = absent("Keys without a value are absent.")


class GeneEntity(Entity):
    """One gene."""

    gene_type: str | None = absent("GENCODE's word: protein_coding, lncRNA ...")
    collections: list[str] = absent_list("Lists of genes that it is on, such as ACMG73.")
    study_sets: list[str] = absent_list("IGVF projects that study it.")


class TranscriptEntity(Entity):
    """One transcript."""

    transcript_type: str | None = absent()
    gene_name: str | None = absent()
    is_mane_select: bool | None = absent("Whether it stands for its gene.")


class ProteinEntity(Entity):
    """The protein of one transcript."""

    full_names: list[str] = absent_list()
    uniprot_names: list[str] = absent_list("Such as CTCF_HUMAN.")
    uniprot_ids: list[str] = absent_list("Accessions, isoforms among them: P49711-2.")
    is_mane_select: bool | None = absent()


class VariantEntity(Entity):
    """One allele. Its ID is its SPDI, whose position counts from 0."""

    rsids: list[str] = absent_list()
    hgvs: str | None = absent("Genomic, on the same sequence; counts from 1.")
    ca_id: str | None = absent("ClinGen Allele Registry.")
    ref: str | None = absent()
    alt: str | None = absent()
    gencode_category: str | None = absent("coding or noncoding.")
    allele_frequencies: dict[str, Number] = _mapping("By the service's names, such as gnomad_af_total.")
    strains: list[str] = absent_list("Mouse strains that carry it.")


class CodingVariantEntity(Entity):
    """One change of a protein."""

    gene_name: str | None = absent()
    protein_id: str | None = absent()
    protein_name: str | None = absent()
    transcript_id: str | None = absent()
    hgvs_p: str | None = absent()
    hgvs_c: str | None = absent()
    position: int | None = absent("Residue, from 1.")
    ref: str | None = absent("Amino acid.")
    alt: str | None = absent("Amino acid.")
    scores: dict[str, Number] = _mapping("Predictors' scores, by name.")


class TermEntity(Entity):
    """One term of an ontology: a disease, phenotype, tissue, cell, function."""

    description: str | None = absent()
    ontology: str | None = absent()
    subontology: str | None = absent()


class DrugEntity(Entity):
    """One drug of PharmGKB."""

    ontology_terms: list[str] = absent_list()


class ComplexEntity(Entity):
    """One complex of proteins."""

    description: str | None = absent()
    molecules: list[str] = absent_list("Accessions of its parts, with their stoichiometry.")
    assembly: list[str] = absent_list()


class PathwayEntity(Entity):
    """One pathway of Reactome."""

    is_in_disease: bool | None = absent()
    is_top_level: bool | None = absent()
    disease_terms: list[str] = absent_list()
    go_process: str | None = absent()


class StudyEntity(Entity):
    """One genome-wide association study."""

    trait: str | None = absent("As the authors say it.")
    trait_terms: list[str] = absent_list()
    publication: str | None = absent("PMID:...")
    title: str | None = absent()
    author: str | None = absent("The first.")
    journal: str | None = absent()
    date: str | None = absent()
    sample_size: int | None = absent("People at the start.")
    cases: int | None = absent()


class MotifEntity(Entity):
    """One binding motif of a transcription factor."""

    length: int | None = absent("Bases.")


class DatasetEntity(Entity):
    """One file of results, and the set that it belongs to."""

    file_set: str | None = absent()
    lab: str | None = absent()
    method: str | None = absent()
    kind: str | None = absent("observed data, prediction ...")
    samples: list[str] = absent_list()
    download: str | None = absent()


class ElementEntity(Entity):
    """One regulatory element."""

    element_type: str | None = absent()
    annotation: str | None = absent("Such as PLS: Promoter-like signal.")
    method: str | None = absent()


class Association(Record):
    """What is said of two entities, by whom, on what grounds. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("subject", "predicate", "object")

    subject: str
    predicate: str
    """Biolink predicate."""
    object: str
    subject_name: str | None = absent()
    object_name: str | None = absent()
    aspect: str | None = absent("What of the object is affected: expression, splicing, binding ...")
    p_value: Number | None = absent()
    effect: Number | None = absent()
    effect_type: str | None = absent("beta, effect_size or log2FC.")
    effect_allele: str | None = absent("To which the effect belongs: the alternate; of a study's the lead's.")
    lead_variant: str | None = absent("SPDI, where the study's lead is another variant.")
    score: Number | None = absent()
    statement: str | None = absent("Pathogenicity, validity, kind of association or of evidence.")
    context: str | None = absent("Tissue, cell or biosample.")
    source: str | None = absent()
    method: str | None = absent()
    publications: list[str] = absent_list("PMID:...")


class FullAssociation(Association):
    """An association with all that only some kinds of them have."""

    negated: bool | None = absent("True where the source says that it is not so.")
    neg_log10_p_value: Number | None = absent("Where p is too small for a number.")
    z_score: Number | None = absent()
    r2: Number | None = absent()
    d_prime: Number | None = absent()
    ancestry: str | None = absent()
    study: str | None = absent("Its ID.")
    context_id: str | None = absent("Of the tissue, cell or biosample.")
    cell_annotation: str | None = absent("Of single cells within the context.")
    cell_annotation_id: str | None = absent()
    modality: str | None = absent("What a CRISPR screen did: knockout, interference, activation ...")
    significant: bool | None = absent("As the source judges; false is no association.")
    region: str | None = absent("Of the element.")
    change: str | None = absent("Of the protein, HGVS.")
    gene: str | None = absent("Which the row is about, where it is neither end.")
    relationship: str | None = absent("Which of the asked.")
    label: str | None = absent("The Catalog's word for the kind of association.")
    dataset: str | None = absent("From which the row comes.")


class VariantWindow(Frozen):
    """A part of a region in which variants were looked for."""

    region: str
    variant_count: int | None = absent("Variants that the service counts there, before filters.")
    listed: int
    """Of which are listed."""


class RegionContents(Result):
    """What lies in a region; a kind that was not asked for is absent."""

    region: str
    organism: Literal["human", "mouse"]
    assembly_name: str
    genes: list[GeneEntity] | None = absent()
    transcripts: list[TranscriptEntity] | None = absent()
    variants: list[VariantEntity] | None = absent()
    regulatory_elements: list[ElementEntity] | None = absent()
    variant_windows: list[VariantWindow] = absent_list("Where variants were looked for.")


class Allele(Frozen):
    """One allele of several that share an rsID."""

    spdi: str
    hgvs: str | None = absent()
    ca_id: str | None = absent()


class ResolvedId(Result):
    """All that the Catalog calls one entity."""

    input: str
    entity_type: EntityType
    identifiers: dict[str, Any]
    """By kind, such as ``rsid`` and ``spdi``; of several alleles only what they share."""
    alleles: list[Allele] = absent_list("All that an rsID has, where it has several.")
    preferred: str | None = absent("The identifier of the kind asked for.")


class SourceDescription(Record):
    """Somebody whose data the Catalog holds, and how to ask for it alone."""

    slim_fields: ClassVar[tuple[str, ...]] = ("name", "description")

    name: str
    """As the filter `source` takes it."""
    description: str
    categories: list[str] = absent_list()
    relationships: list[str] = absent_list("Of igvf.find_associations.")
    methods: list[str] = absent_list("As the filter method takes them.")
    labels: list[str] = absent_list("As the filter label takes them.")
    organisms: list[str] = absent_list()
