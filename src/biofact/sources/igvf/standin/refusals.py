"""What the Catalog says when it refuses, as recorded calls of 2026 show it. Data, and what reads them off."""

from collections.abc import Collection, Mapping

_VARIANT = ("spdi", "hgvs", "rsid", "ca_id", "variant_id", "region")
_GENE = ("gene_id", "hgnc_id", "gene_name", "synonym")
_ELSE = ("method", "files_fileset")
_ONE_GENE = "At least one gene property must be defined."
_ONE_PARAMETER = "At least one parameter must be defined."
_ONE_OF_VARIANTS = "At least one of these properties must be defined: spdi, hgvs, rsid, ca_id, variant_id, region"
_VARIANT_NODE = "At least one node property for variant must be defined."
_VARIANT_OR_FILE = "At least one variant property or method or files_fileset must be defined."
_PATHWAY = ("pathway_id", "pathway_name", "name_aliases", "disease_ontology_terms", "go_biological_process")
_CODING_VARIANT = (
    *("id", "name", "hgvsp", "protein_id", "uniprot_name", "gene_name", "amino_acid_position", "transcript_id"),
)
_DISEASE = "disease_id or term_name must be defined."
_SCORES = "variant_id or coding_variant_id is required"
_PHENOTYPE = "At least one phenotype property, or method, or files_filesets must be defined."
_SENTENCE = "At least one of these properties must be defined: {}."

NEEDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "/variants": (_VARIANT, _ONE_OF_VARIANTS),
    "/variants/freq": (_VARIANT, _ONE_OF_VARIANTS),
    "/drugs": (("drug_id", "name"), "Either drug_id or name must be defined."),
    "/genes/variants": (
        (*_GENE, *_ELSE),
        (
            "At least one of these properties must be defined: gene_id, hgnc_id, gene_name, region, alias, method,"
            " files_fileset"
        ),
    ),
    "/variants/genes": ((*_VARIANT, *_ELSE), f"{_ONE_OF_VARIANTS}, method, files_fileset"),
    "/variants/genes/summary": (("spdi", "hgvs", "ca_id", "variant_id"), _ONE_OF_VARIANTS),
    "/genes/genomic-elements": (
        (*_GENE, *_ELSE),
        "At least one of those properties must be defined: gene_id, hgnc_id, name, alias, method, files_fileset.",
    ),
    "/genomic-elements/genes": (
        ("region", *_ELSE),
        "At least one of those properties must be defined: region, files_fileset, method.",
    ),
    "/genomic-elements/variants": (
        ("region", *_ELSE),
        "At least one of these properties must be defined: region, method, files_fileset.",
    ),
    "/variants/genomic-elements": ((*_VARIANT, *_ELSE), _VARIANT_OR_FILE),
    "/variants/predictions": (("variant_id", "spdi", "hgvs", "ca_id"), _VARIANT_NODE),
    "/variants/predictions-count": (("variant_id", "spdi", "hgvs", "ca_id"), _VARIANT_NODE),
    "/variants/genomic-elements/genes": (("variant_id", "spdi", "hgvs", "ca_id"), _VARIANT_NODE),
    "/variants/biosamples": ((*_VARIANT, *_ELSE), "At least one variant property must be defined."),
    "/genomic-elements/biosamples": (("region", "region_type", "source", *_ELSE), _ONE_PARAMETER),
    "/biosamples/genomic-elements": (("biosample_name", "source", *_ELSE), _ONE_PARAMETER),
    "/gene-regulatory-network": (
        tuple(f"{end}_{name}" for end in ("regulator", "response") for name in _GENE),
        "At least one of gene must be defined.",
    ),
    "/variants/phenotypes": (
        (*_VARIANT, *_ELSE),
        "At least one variant property, or method, or files_filesets must be defined.",
    ),
    "/phenotypes/variants": (("phenotype_id", "phenotype_name", *_ELSE), _PHENOTYPE),
    "/variants/diseases": (_VARIANT, "At least one node property for variant / disease must be defined."),
    "/diseases/variants": (("disease_id", "disease_name"), _DISEASE),
    "/diseases/genes": (("disease_id", "disease_name"), _DISEASE),
    "/genes/diseases": (_GENE, _ONE_GENE),
    "/genes/genes": (_GENE, _ONE_GENE),
    "/genes/pathways": (_GENE, _ONE_GENE),
    "/genes/proteins": (_GENE, _ONE_GENE),
    "/genes/transcripts": (_GENE, _ONE_GENE),
    "/genes/coding-variants/scores": (_GENE, _ONE_GENE),
    "/pathways/genes": (_PATHWAY, "At least one pathway property must be defined."),
    "/pathways/pathways": (_PATHWAY, "At least one pathway property must be defined."),
    "/transcripts/genes": (
        ("transcript_id", "region", "transcript_type"),
        "At least one query parameter must be defined.",
    ),
    "/transcripts/proteins": (
        ("transcript_id", "region", "transcript_type"),
        "At least one transcript parameter must be defined.",
    ),
    "/proteins/proteins": (
        (
            *("protein_id", "protein_name", "uniprot_name", "uniprot_full_name", "dbxrefs", "associated_protein_id"),
            *("associated_protein_name", "associated_uniprot_name", "associated_uniprot_full_name"),
            *("associated_dbxrefs", "pmid"),
        ),
        "At least one protein must be defined.",
    ),
    "/proteins/complexes": (
        ("protein_id", "protein_name", "uniprot_name", "uniprot_full_name"),
        (
            "At least one of the following parameters must be defined: protein_id, name, uniprot_name or"
            " uniprot_full_name."
        ),
    ),
    "/complexes/proteins": (("complex_id", "complex_name", "description"), _ONE_PARAMETER),
    "/proteins/variants": (
        ("protein_id", "protein_name", "uniprot_name", "uniprot_full_name", "dbxrefs", *_ELSE),
        "At least one protein property or method or files_fileset must be defined.",
    ),
    "/variants/proteins": ((*_VARIANT, *_ELSE), _VARIANT_OR_FILE),
    "/variants/drugs": (_VARIANT, "At least one node property for variant / drug must be defined."),
    "/drugs/variants": (("drug_id", "drug_name"), "At least one node property for variant / drug must be defined."),
    "/variants/variant-ld": (_VARIANT, "At least one variant property must be defined."),
    "/coding-variants": (_CODING_VARIANT, _SENTENCE.format(", ".join(_CODING_VARIANT))),
    "/coding-variants/phenotypes": (
        (
            *("coding_variant_name", "hgvsp", "uniprot_name", "gene_name", "amino_acid_position", "transcript_id"),
            *_ELSE,
        ),
        "At least one coding variant property is required.",
    ),
    "/coding-variants/phenotypes/score-summary": (("variant_id", "coding_variant_id"), _SCORES),
    "/variants/phenotypes/score-summary": (("variant_id", "coding_variant_id"), _SCORES),
}
"""Of which parameters one has to be given, and what is said when none is; so recorded, or as UPSTREAMS has it."""

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
    """Of which parameters an endpoint needs one, and what it says without; None if it needs none."""
    told = NEEDS.get(path)
    if told is None and declared:
        return declared, _SENTENCE.format(", ".join(declared))
    return told


def widest(path: str, *, is_edge: bool) -> tuple[int, str] | None:
    """The longest region in bases that an endpoint takes, and what it says to a longer one; None if any."""
    if path == "/variants/gnomad-alleles":
        return 1_000, SPAN_1_KB
    is_narrow = path in {"/qtls", "/variants/region-summary"} or (is_edge and path.startswith("/variants/"))
    return (10_000, SPAN_10_KB) if is_narrow else None
