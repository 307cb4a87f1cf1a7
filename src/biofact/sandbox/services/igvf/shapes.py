"""What a row of each kind of edge holds, field by field, as the service's contract has it. Data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Render = Literal[
    "gene",
    "bare gene",
    "short gene",
    "variant",
    "simple variant",
    "nameless variant",
    "transcript",
    "protein",
    "bare protein",
    "term",
    "phenotype",
    "drug",
    "complex",
    "pathway",
    "motif",
    "biosample element",
    "short element",
    "tested element",
    "whole element",
]
"""How an end is written where it is written whole."""


@dataclass(frozen=True, slots=True)
class End:
    """How one end of an edge is written."""

    field: str
    render: Render
    is_listed: bool = False
    """Whether the whole entity stands alone in a list."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a row of one kind of edge holds."""

    fields: str
    """Names with blanks between: null where not known; with ``!`` never null; with ``~`` left out where not known."""
    subject: End
    object: End
    usual: Mapping[str, str]
    """What a field says where the facts do not tell."""


_OBSERVED = {"class": "observed data"}

SHAPES: Mapping[str, Shape] = {
    "variant_gene": Shape(
        "intron_chr intron_start intron_end effect_size neg_log10_pvalue neg_log10_pvalue_adj log2FC"
        " posterior_inclusion_probability coefficient_stddev power significant standard_error z_score"
        " credible_set_min_r2 method crispr_modality source! source_url! label! p_value chr biological_context!"
        " biosample_term! study name class files_filesets",
        End("sequence_variant", "variant"),
        End("gene", "gene"),
        {**_OBSERVED, "label": "eQTL", "method": "eQTL", "source": "AFGR"},
    ),
    "element_gene": Shape(
        "name! label! method! class! source! source_url! biological_context biosample_term cell_annotation"
        " cell_annotation_term files_filesets! crispr_modality score transcription_start_site rna_pseudobulk_tpm"
        " log2FC effect_size z_score t_score idr p_value p_value_adj neg_log10_pvalue neg_log10_pvalue_adj significant",
        End("genomic_element", "short element"),
        End("gene", "short gene"),
        {"class": "prediction", "label": "regulatory element", "method": "ENCODE-rE2G", "source": "ENCODE"},
    ),
    "variant_element": Shape(
        "name! label! method! class log2FC neg_log10_pvalue beta files_filesets biological_context biosample_term"
        " source source_url",
        End("variant", "simple variant"),
        End("genomic_element", "whole element"),
        {**_OBSERVED, "label": "caQTL", "method": "caQTL", "source": "AFGR"},
    ),
    "variant_biosample": Shape(
        "strand log2FC DNA_count_ref DNA_count_alt RNA_count_ref RNA_count_alt postProbEffect CI_lower_95 CI_upper_95"
        " significant neg_log10_pvalue neg_log10_pvalue_adj label! method! class source! source_url! name!"
        " files_filesets",
        End("variant", "variant"),
        End("biosample", "term"),
        {**_OBSERVED, "label": "variant effect on regulatory element activity", "method": "MPRA", "source": "IGVF"},
    ),
    "element_biosample": Shape(
        "log2FC strand neg_log10_pvalue neg_log10_pvalue_adj DNA_count RNA_count significant source! source_url! name!"
        " class! method! files_filesets",
        End("genomic_element", "biosample element"),
        End("biosample", "term"),
        {**_OBSERVED, "method": "MPRA", "source": "ENCODE"},
    ),
    "variant_disease": Shape(
        "gene_id~ gene_name~ assertion~ pmids~ class method label files_filesets source! source_url! name!",
        End("sequence_variant", "nameless variant"),
        End("disease", "term"),
        {"source": "ClinGen"},
    ),
    "gene_disease": Shape(
        "pmids term_name~ gene_symbol~ association_type association_status sgc_id hgnc classification moi_id moi_name"
        " submitter class method label files_filesets source! source_url! inheritance_mode name!",
        End("gene", "gene"),
        End("disease", "term"),
        {"source": "Orphanet"},
    ),
    "element_phenotype": Shape(
        "name! label! method! class! source! source_url! biological_context! biosample_term! files_filesets!"
        " crispr_modality z_score p_value neg_log10_pvalue significant num_guides num_guides_hit num_guides_nonhit"
        " fraction_guides_hit phenotype_name",
        End("genomic_element", "short element"),
        End("phenotype", "phenotype"),
        {**_OBSERVED, "label": "element effect on phenotype", "method": "CRISPR screen", "source": "IGVF"},
    ),
    "protein_protein": Shape(
        "detection_method! detection_method_code! interaction_type! interaction_type_code! confidence_value_biogrid"
        " confidence_value_intact label! class! method! source_url! source! organism! pmids! name! files_filesets",
        End("protein_1", "bare protein", is_listed=True),
        End("protein_2", "bare protein", is_listed=True),
        {**_OBSERVED, "label": "physical interaction", "source": "BioGRID", "organism": "Homo sapiens"},
    ),
    "complex_protein": Shape(
        "name! stoichiometry chain_id isoform_id number_of_paralogs linked_features class method label files_filesets"
        " source! source_url!",
        End("complex", "complex"),
        End("protein", "protein"),
        {"source": "EBI", "source_url": "https://www.ebi.ac.uk/complexportal/"},
    ),
    "variant_protein": Shape(
        "biosample_term biological_context regulatory_type class label name! method files_filesets source source_url"
        " score neg_log10_pvalue_adj_ref neg_log10_pvalue_adj_alt motif motif_log2FC beta se gene gene_consequence"
        " neg_log10_pvalue p_value neg_log10_pvalue_adj variant_effect_score SEMpl_annotation SEMpl_baseline alt_score"
        " ref_score relative_binding_affinity effect_on_binding",
        End("sequence_variant", "simple variant"),
        End("protein_complex", "bare protein"),
        {**_OBSERVED, "label": "pQTL", "method": "pQTL", "source": "UKB"},
    ),
    "protein_motif": Shape(
        "source! name! class method files_filesets",
        End("protein", "protein"),
        End("motif", "motif"),
        {"source": "HOCOMOCOv11", "method": "HOCOMOCO"},
    ),
    "gene_gene": Shape(
        "z_score~ associated_process detection_method~ detection_method_code~ interaction_type~ interaction_type_code~"
        " confidence_value_biogrid confidence_value_intact pmids~ label! method! class! source! source_url! name!"
        " files_filesets",
        End("gene_1", "bare gene", is_listed=True),
        End("gene_2", "bare gene", is_listed=True),
        {**_OBSERVED, "label": "co-expression", "source": "COXPRESdb", "method": "RNA-seq"},
    ),
    "gene_pathway": Shape(
        "source! source_url! organism! class! method label files_filesets~ name!",
        End("gene", "gene"),
        End("pathway", "pathway"),
        {"class": "biological relationship", "source": "Reactome", "organism": "Homo sapiens"},
    ),
    "pathway_pathway": Shape(
        "source! source_url! organism! class! method label files_filesets~ name!",
        End("parent_pathway", "pathway"),
        End("child_pathway", "pathway"),
        {"class": "biological relationship", "source": "Reactome", "organism": "Homo sapiens"},
    ),
    "gene_transcript": Shape(
        "source! source_url! version! name!",
        End("gene", "gene"),
        End("transcript", "transcript"),
        {"source": "GENCODE", "version": "v43"},
    ),
    "gene_protein": Shape("", End("gene", "gene"), End("protein", "protein"), {}),
    "transcript_protein": Shape(
        "source! source_url! name!",
        End("transcript", "transcript"),
        End("protein", "protein", is_listed=True),
        {"source": "UniProt"},
    ),
}
"""By edge. The other edges have a shape of their own in ``render_edges``."""

VERBOSE: Mapping[str, frozenset[str]] = {
    "/variants/drugs": frozenset({"drug"}),
    "/genes/proteins": frozenset({"protein"}),
    "/genes/diseases": frozenset({"disease"}),
    "/genes/transcripts": frozenset({"transcript"}),
    "/transcripts/genes": frozenset({"gene"}),
    "/transcripts/proteins": frozenset({"protein"}),
    "/proteins/genes": frozenset({"gene"}),
    "/proteins/motifs": frozenset({"motif"}),
    "/proteins/complexes": frozenset({"complex"}),
    "/proteins/transcripts": frozenset({"transcript"}),
    "/genomic-elements/biosamples": frozenset({"biosample"}),
    "/genomic-elements/phenotypes": frozenset({"genomic_element"}),
    "/phenotypes/genomic-elements": frozenset({"genomic_element"}),
    "/motifs/proteins": frozenset({"protein", "complex"}),
    "/drugs/variants": frozenset({"sequence_variant"}),
    "/pathways/genes": frozenset({"gene"}),
    "/biosamples/genomic-elements": frozenset({"genomic_element"}),
}
"""Which ends ``verbose`` writes whole, where it is not all of them: so the descriptions in the contract."""

NAMES: Mapping[str, str] = {
    "/variants/genes": "modulates expression of",
    "/genes/variants": "expression modulated by",
    "/genomic-elements/genes": "regulates",
    "/genes/genomic-elements": "regulated by",
    "/variants/genomic-elements/genes": "regulates",
    "/variants/predictions": "regulates",
    "/variants/genomic-elements": "modulates accessibility of",
    "/genomic-elements/variants": "modulates accessibility of",
    "/variants/biosamples": "modulates activity in",
    "/biosamples/variants": "activity modulated by",
    "/genomic-elements/biosamples": "expression effect in",
    "/biosamples/genomic-elements": "has expression effect of",
    "/variants/phenotypes": "associated with",
    "/phenotypes/variants": "associated with",
    "/variants/diseases": "associated with",
    "/diseases/variants": "associated with",
    "/genes/diseases": "associated with",
    "/diseases/genes": "associated with",
    "/genomic-elements/phenotypes": "affects",
    "/phenotypes/genomic-elements": "affected by",
    "/proteins/proteins": "physically interacts with",
    "/complexes/proteins": "contains",
    "/proteins/complexes": "belongs to",
    "/variants/proteins": "modulates binding of",
    "/proteins/variants": "binding modulated by",
    "/proteins/motifs": "uses",
    "/motifs/proteins": "is used by",
    "/genes/genes": "interacts with",
    "/genes/pathways": "belongs to",
    "/pathways/genes": "contains",
    "/pathways/pathways": "has part",
    "/variants/drugs": "associated with",
    "/drugs/variants": "associated with",
    "/genes/transcripts": "transcribes",
    "/transcripts/genes": "transcribed by",
    "/transcripts/proteins": "translates to",
    "/proteins/transcripts": "translated from",
    "/variants/variant-ld": "correlated with",
}
"""A row's relation in words, as it reads in the endpoint's direction."""
SPECIAL_NAMES: Mapping[tuple[str, str], str] = {
    ("/variants/genes", "spliceQTL"): "modulates splicing of",
    ("/genes/variants", "spliceQTL"): "splicing modulated by",
    ("/variants/proteins", "pQTL"): "associated with levels of",
    ("/proteins/variants", "pQTL"): "level associated with",
    ("/genes/genes", "co-expression"): "coexpressed with",
    ("/gene-products/go-terms", "biological_process"): "involved in",
    ("/gene-products/go-terms", "cellular_component"): "is located in",
    ("/gene-products/go-terms", "molecular_function"): "has the function",
    ("/go-terms/gene-products", "biological_process"): "has component",
    ("/go-terms/gene-products", "cellular_component"): "contains",
    ("/go-terms/gene-products", "molecular_function"): "is a function of",
}
"""Where it goes by the row's label, or by the branch of GO."""
