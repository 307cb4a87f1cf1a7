"""The messages with which the Catalog refuses, as recorded calls of 2026 show them. Data."""

from collections.abc import Collection, Mapping

_ONE_GENE = "At least one gene property must be defined."
_ONE_PARAMETER = "At least one parameter must be defined."
_ONE_OF_VARIANTS = "At least one of these properties must be defined: spdi, hgvs, rsid, ca_id, variant_id, region"
_VARIANT_NODE = "At least one node property for variant must be defined."
_VARIANT_OR_FILE = "At least one variant property or method or files_fileset must be defined."
_DISEASE = "disease_id or term_name must be defined."
_SCORES = "variant_id or coding_variant_id is required"
_PHENOTYPE = "At least one phenotype property, or method, or files_filesets must be defined."
_VARIANT_OR_DRUG = "At least one node property for variant / drug must be defined."
_ONE_PATHWAY = "At least one pathway property must be defined."
_ONE_VARIANT = "At least one variant property must be defined."
_SENTENCE = "At least one of these properties must be defined: {}."

MESSAGES: Mapping[str, str] = {
    "/variants": _ONE_OF_VARIANTS,
    "/variants/freq": _ONE_OF_VARIANTS,
    "/drugs": "Either drug_id or name must be defined.",
    "/genes/variants": (
        "At least one of these properties must be defined: gene_id, hgnc_id, gene_name,"
        " region, alias, method, files_fileset"
    ),
    "/variants/genes": f"{_ONE_OF_VARIANTS}, method, files_fileset",
    "/variants/genes/summary": _ONE_OF_VARIANTS,
    "/genes/genomic-elements": (
        "At least one of those properties must be defined: gene_id, hgnc_id, name, alias, method, files_fileset."
    ),
    "/genomic-elements/genes": "At least one of those properties must be defined: region, files_fileset, method.",
    "/genomic-elements/variants": ("At least one of these properties must be defined: region, method, files_fileset."),
    "/variants/genomic-elements": _VARIANT_OR_FILE,
    "/variants/predictions": _VARIANT_NODE,
    "/variants/predictions-count": _VARIANT_NODE,
    "/variants/genomic-elements/genes": _VARIANT_NODE,
    "/variants/biosamples": _ONE_VARIANT,
    "/genomic-elements/biosamples": _ONE_PARAMETER,
    "/biosamples/genomic-elements": _ONE_PARAMETER,
    "/gene-regulatory-network": "At least one of gene must be defined.",
    "/variants/phenotypes": "At least one variant property, or method, or files_filesets must be defined.",
    "/phenotypes/variants": _PHENOTYPE,
    "/variants/diseases": "At least one node property for variant / disease must be defined.",
    "/diseases/variants": _DISEASE,
    "/diseases/genes": _DISEASE,
    "/genes/diseases": _ONE_GENE,
    "/genes/genes": _ONE_GENE,
    "/genes/pathways": _ONE_GENE,
    "/genes/proteins": _ONE_GENE,
    "/genes/transcripts": _ONE_GENE,
    "/genes/coding-variants/scores": _ONE_GENE,
    "/pathways/genes": _ONE_PATHWAY,
    "/pathways/pathways": _ONE_PATHWAY,
    "/transcripts/genes": "At least one query parameter must be defined.",
    "/transcripts/proteins": "At least one transcript parameter must be defined.",
    "/proteins/proteins": "At least one protein must be defined.",
    "/proteins/complexes": (
        "At least one of the following parameters must be defined: protein_id, name, uniprot_name or uniprot_full_name."
    ),
    "/complexes/proteins": _ONE_PARAMETER,
    "/proteins/variants": "At least one protein property or method or files_fileset must be defined.",
    "/variants/proteins": _VARIANT_OR_FILE,
    "/variants/drugs": _VARIANT_OR_DRUG,
    "/drugs/variants": _VARIANT_OR_DRUG,
    "/variants/variant-ld": _ONE_VARIANT,
    "/coding-variants/phenotypes": "At least one coding variant property is required.",
    "/coding-variants/phenotypes/score-summary": _SCORES,
    "/variants/phenotypes/score-summary": _SCORES,
}
"""The message where none of the needed parameters is given, as recorded or as UPSTREAMS has it."""

ALSO_ENOUGH: Mapping[str, tuple[str, ...]] = {
    "/coding-variants": ("amino_acid_position",),
    "/pathways/genes": ("disease_ontology_terms", "go_biological_process"),
    "/pathways/pathways": ("disease_ontology_terms", "go_biological_process"),
}
"""Parameters that were good alone (audit of June 2026), though the descriptions do not say so."""

ONE_CATEGORY = "Please provide parameters from only one of the four categories: gene, transcript, protein or region"
BOTH_ENDS = "You cannot define both gene and variant inputs."
REGION = (
    'Region format invalid. Please use the format as the example: "chr2:12345-54321". '
    "The end position must be greater than the start position."
)
RANGE = "{} must be a query range using: gte, lte, gt, or lt. For example: lte:0.001"
PHENOTYPE_RANGE = (
    '{} must be a number or a string in the format of "operator:value", where operator can be one of "gt", "gte",'
    ' "lt" or "lte".'
)
SPAN_10_KB = "Region span exceeds 10kb."
SPAN_1_KB = "Region span exceeds 1kb."
NO_VARIANT = "Variant not found."
FAILED = "Internal server error"
UNFILTERED = {"/genomic-elements", "/studies"}
"""Endpoints that break when nothing is filtered."""


def needed(path: str, declared: Collection[str]) -> tuple[Collection[str], str] | None:
    """The parameters of which an endpoint needs one, and its message without; None if it needs none."""
    if not declared or path == "/genes-structure":  # which has a message of its own
        return None
    return (*declared, *ALSO_ENOUGH.get(path, ())), MESSAGES.get(path) or _SENTENCE.format(", ".join(declared))


TOO_WIDE = {10_000: SPAN_10_KB, 1_000: SPAN_1_KB}
"""The message about a longer region than an endpoint takes, by bases."""
