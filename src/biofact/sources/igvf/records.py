"""The records of the Catalog's answers. Coordinates are 1-based and inclusive."""

from typing import Any, ClassVar, Literal, Self, cast

from pydantic import ConfigDict, Field

from biofact.core.records import Frozen, Number, Record, Result, SlimRecord, absent, absent_list
from biofact.core.xrefs import CrossReferences
from biofact.tables import TableHints

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
    """The fields of every entity of the Catalog. Fields without a value are absent."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    slim_fields: ClassVar[tuple[str, ...]] = ("id",)

    id: str = Field(description="As the Catalog has it; a term's with a colon.")
    type: EntityType = Field(alias="_type", description="The kind of entity.")
    category: str = Field(description="Biolink class.")
    name: str | None = absent("Symbol, or name.")
    organism: Literal["human", "mouse"] | None = absent("Whose it is; terms, drugs, studies and data sets have none.")
    chromosome: str | None = absent("Without chr.")
    start: int | None = absent("1-based, inclusive, never above end.")
    end: int | None = absent("1-based, inclusive.")
    strand: Literal[1, -1] | None = absent("1 forward, -1 reverse.")
    assembly_name: str | None = absent("What start and end count on.")
    synonyms: list[str] = absent_list("Other names and symbols.")
    source: str | None = absent("Whose data it is.")
    release: str | None = absent("Of that source.")
    cross_references: CrossReferences | None = absent("Keys without a value are absent.")

    @classmethod
    def _read(cls, values: Any) -> Self:
        """An entity of any kind from its serialized form; ``_type`` names the kind."""
        kind = values.get("_type") if isinstance(values, dict) else None
        entity_type = _RECORDS.get(str(kind), cls) if cls is Entity else cls
        return cast("Self", super(Entity, entity_type)._read(values))


class OrganismEntity(Entity):
    """An entity of one organism."""

    organism: Literal["human", "mouse"] = Field(description="Whose it is.")


class GeneEntity(OrganismEntity):
    """One gene."""

    name: str = Field(description="Symbol.")
    cross_references: CrossReferences = Field(description="Keys without a value are absent.")
    gene_type: str | None = absent("GENCODE's word: protein_coding, lncRNA ...")
    collections: list[str] = absent_list("Lists of genes that it is on, such as ACMG73.")
    study_sets: list[str] = absent_list("IGVF projects that study it.")


class TranscriptEntity(OrganismEntity):
    """One transcript."""

    name: str = Field(description="Symbol, or name.")
    transcript_type: str | None = absent("GENCODE's word: protein_coding, lncRNA ...")
    gene_name: str | None = absent("Symbol of its gene.")
    is_mane_select: bool | None = absent("Whether it stands for its gene.")


class ProteinEntity(OrganismEntity):
    """The protein of one transcript."""

    full_names: list[str] = absent_list("UniProt's, in words.")
    uniprot_names: list[str] = absent_list("Such as CTCF_HUMAN.")
    uniprot_ids: list[str] = absent_list("Accessions, isoforms among them: P49711-2.")
    is_mane_select: bool | None = absent("Whether its transcript stands for its gene.")


class VariantEntity(OrganismEntity):
    """One allele. Its ID is its SPDI, whose position counts from 0."""

    rsids: list[str] = absent_list("dbSNP: alleles at one place share them.")
    hgvs: str | None = absent("Genomic, on the same sequence; counts from 1.")
    ca_id: str | None = absent("ClinGen Allele Registry.")
    ref: str | None = absent("Reference allele, on the forward strand, in the notation that allele_notation names.")
    alt: str | None = absent("Alternate allele, likewise.")
    allele_notation: Literal["SPDI", "VCF"] | None = absent(
        "How ref and alt are written where their lengths differ: VCF has the base before them."
    )
    gencode_category: str | None = absent("coding or noncoding.")
    allele_frequencies: dict[str, Number] = _mapping("By the service's names, such as gnomad_af_total.")
    strains: list[str] = absent_list("Mouse strains that carry it.")


class CodingVariantEntity(OrganismEntity):
    """One change of a protein."""

    name: str = Field(description="Symbol, or name.")
    gene_name: str | None = absent("Symbol of its gene.")
    protein_id: str | None = absent("Ensembl's.")
    protein_name: str | None = absent("UniProt's entry name.")
    transcript_id: str | None = absent("Ensembl's.")
    hgvs_p: str | None = absent("HGVS of the protein.")
    hgvs_c: str | None = absent("HGVS of the transcript; - and ! of IDs are > and ? here.")
    position: int | None = absent("Residue, from 1.")
    ref: str | None = absent("Reference amino acid, one letter; * is a stop.")
    alt: str | None = absent("Alternate amino acid, one letter; * is a stop.")
    scores: dict[str, Number] = _mapping("Predictors' scores, by name.")


class TermEntity(Entity):
    """One term of an ontology: a disease, phenotype, tissue, cell, function."""

    description: str | None = absent("Definition.")
    ontology: str | None = absent("Whose term it is, such as MONDO.")
    subontology: str | None = absent("Of GO: biological_process, molecular_function or cellular_component.")


TermMatch = Literal["id", "name", "synonym", "text", "near"]


class SlimTermCandidate(SlimRecord):
    """One hit of a search for terms in short."""

    id: str = Field(description="As igvf.get_entity and igvf.find_associations take it.")
    name: str = Field(description="Preferred name.")
    score: Number = Field(description="0-1; never increases along a list, later pages included.")
    match: TermMatch = Field(description="What matched; near is a letter away, for you to confirm.")

    def slim(self) -> "SlimTermCandidate":
        """The short form."""
        return self.shortened(SlimTermCandidate)


class TermCandidate(SlimTermCandidate):
    """One hit of a search for terms. Fields without a value are absent."""

    ontology: str | None = absent("Whose term it is.")
    category: str | None = absent("Biolink class.")
    synonym: str | None = absent("That matched, where the name did not.")


class DrugEntity(Entity):
    """One drug of PharmGKB."""

    name: str = Field(description="Symbol, or name.")
    ontology_terms: list[str] = absent_list("The same drug, mostly in CHEBI.")


class ComplexEntity(OrganismEntity):
    """One complex of proteins."""

    name: str = Field(description="Symbol, or name.")
    description: str | None = absent("What it does.")
    molecules: list[str] = absent_list("Accessions of its parts, with their stoichiometry.")
    assembly: list[str] = absent_list("How its parts are joined: Heterodimer ...")


class PathwayEntity(OrganismEntity):
    """One pathway of Reactome."""

    name: str = Field(description="Symbol, or name.")
    is_in_disease: bool | None = absent("Whether it is a disease's.")
    is_top_level: bool | None = absent("Whether it is part of no other.")
    disease_terms: list[str] = absent_list("DOID:... of its diseases.")
    go_process: str | None = absent("GO:... of the same process.")


class StudyEntity(Entity):
    """One genome-wide association study."""

    trait: str | None = absent("As the authors say it.")
    trait_terms: list[str] = absent_list("Terms of the trait, mostly EFO:...")
    publication: str | None = absent("PMID:...")
    title: str | None = absent("Of the publication.")
    author: str | None = absent("The first.")
    journal: str | None = absent("Of the publication.")
    date: str | None = absent("Of the publication.")
    sample_size: int | None = absent("People at the start.")
    cases: int | None = absent("People with the disease among them.")


class MotifEntity(OrganismEntity):
    """One binding motif of a transcription factor."""

    length: int | None = absent("Bases.")


class DatasetEntity(Entity):
    """One file of results, and the set that it belongs to."""

    file_set: str | None = absent("ID of the set that the file belongs to.")
    lab: str | None = absent("Whose it is.")
    method: str | None = absent("As the filter method takes it.")
    kind: str | None = absent("observed data, prediction ...")
    samples: list[str] = absent_list("In words.")
    download: str | None = absent("Address of the file.")


class ElementEntity(OrganismEntity):
    """One regulatory element."""

    element_type: str | None = absent("candidate cis regulatory element, accessible dna elements or tested elements.")
    annotation: str | None = absent("Such as PLS: Promoter-like signal.")
    method: str | None = absent("By which it was found.")


_RECORDS: dict[str, type[Entity]] = {
    "gene": GeneEntity,
    "transcript": TranscriptEntity,
    "protein": ProteinEntity,
    "variant": VariantEntity,
    "coding_variant": CodingVariantEntity,
    "ontology_term": TermEntity,
    "drug": DrugEntity,
    "complex": ComplexEntity,
    "pathway": PathwayEntity,
    "study": StudyEntity,
    "motif": MotifEntity,
    "dataset": DatasetEntity,
    "regulatory_element": ElementEntity,
}


class Association(Record):
    """A statement on two entities, with its source and evidence. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("subject", "predicate", "object")
    table_hints: ClassVar[TableHints] = TableHints(
        first=(
            *("subject_name", "object_name", "p_value", "effect", "score", "statement"),
            *("context", "method", "source"),
        ),
        stand_ins={"subject_name": "subject", "object_name": "object"},
    )

    subject: str = Field(description="ID; a variant's is its SPDI.")
    predicate: str = Field(description="Biolink predicate.")
    object: str = Field(description="ID.")
    subject_name: str | None = absent("Symbol, rsID or name.")
    object_name: str | None = absent("Symbol, rsID or name.")
    aspect: str | None = absent("What of the object is affected: expression, splicing, binding ...")
    p_value: Number | None = absent("Of the association.")
    effect: Number | None = absent("In the unit of effect_type.")
    effect_type: str | None = absent("beta, effect_size or log2FC.")
    effect_allele: str | None = absent("To which the effect belongs: the alternate; of a study's the lead's.")
    lead_variant: str | None = absent("SPDI of the alleles as VCF has them, where the study's lead is another variant.")
    score: Number | None = absent("The method's own.")
    statement: str | None = absent("Pathogenicity, validity, kind of association or of evidence.")
    context: str | None = absent("Tissue, cell or biosample.")
    source: str | None = absent("Whose data it is.")
    method: str | None = absent("Of measurement or prediction.")
    publications: list[str] = absent_list("PMID:...")


class FullAssociation(Association):
    """An association with all that only some kinds of them have."""

    standard_fields: ClassVar[tuple[str, ...]] = tuple(name for name in Association.model_fields if name != "notices")

    effect_allele_notation: Literal["SPDI", "VCF"] | None = absent("Where the allele is not one base.")
    distance: int | None = absent("Bases to a gene that lies near; 0 where it overlaps.")
    negated: bool | None = absent("True where the source says that it is not so.")
    neg_log10_p_value: Number | None = absent("Where p is too small for a number.")
    z_score: Number | None = absent("The method's own.")
    r2: Number | None = absent("Of linkage disequilibrium, 0-1.")
    d_prime: Number | None = absent("Of linkage disequilibrium, 0-1.")
    ancestry: str | None = absent("Of the people: AFR, EAS, EUR or SAS.")
    study: str | None = absent("Its ID.")
    context_id: str | None = absent("Of the tissue, cell or biosample.")
    cell_annotation: str | None = absent("Of single cells within the context.")
    cell_annotation_id: str | None = absent("Its term.")
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

    region: str = Field(description="1-based, inclusive.")
    variant_count: int | None = absent("Variants that the service counts there, before filters.")
    listed: int = Field(description="Of which are listed.")


class RegionContents(Result):
    """The entities in a region; a kind that was not requested is absent."""

    table_hints: ClassVar[TableHints] = TableHints(first=("list", "id", "name", "chromosome", "start", "end"))

    region: str = Field(description="1-based, inclusive.")
    organism: Literal["human", "mouse"] = Field(description="Whose genome it is.")
    assembly_name: str = Field(description="What positions count on.")
    genes: list[GeneEntity] | None = absent("Genes that overlap it.")
    transcripts: list[TranscriptEntity] | None = absent("Transcripts that overlap it.")
    variants: list[VariantEntity] | None = absent("Variants that lie in it.")
    regulatory_elements: list[ElementEntity] | None = absent("Elements that overlap it.")
    variant_windows: list[VariantWindow] = absent_list("Where variants were looked for.")
    cursor: str | None = absent("Leads to what is still to come; absent at the end.")


class Allele(Frozen):
    """One allele of several that share an rsID."""

    spdi: str = Field(description="Its position counts from 0.")
    hgvs: str | None = absent("Genomic; counts from 1.")
    ca_id: str | None = absent("ClinGen Allele Registry.")


class ResolvedId(Result):
    """All that the Catalog calls one entity."""

    input: str = Field(description="As it was written.")
    entity_type: EntityType = Field(description="What it is.")
    identifiers: dict[str, Any] = Field(
        description="By kind, such as rsid and spdi; of several alleles what they share."
    )
    alleles: list[Allele] = absent_list("All that an rsID has, where it has several.")
    preferred: str | None = absent("The identifier of the kind asked for.")


class SourceDescription(Record):
    """A source of the Catalog's data, and the filter that selects it."""

    slim_fields: ClassVar[tuple[str, ...]] = ("name", "description")
    table_hints: ClassVar[TableHints] = TableHints(wrapped=("description",))

    name: str = Field(description="As the filter `source` takes it.")
    description: str = Field(description="What its data are.")
    categories: list[str] = absent_list("As igvf.list_sources takes them.")
    relationships: list[str] = absent_list("Of igvf.find_associations.")
    methods: list[str] = absent_list("As the filter method takes them.")
    labels: list[str] = absent_list("As the filter label takes them.")
    organisms: list[str] = absent_list("human, mouse.")
