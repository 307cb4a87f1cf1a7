"""Every recorded row of an edge walked by a reader of its own: no fact of an association wrong, lost or invented.

The reader is a table: for each endpoint the path in its rows of each field of an association, its form there, and the
fields that are not read. A field of a recorded row that is in neither fails the test.
"""

import re
from dataclasses import dataclass, field

import pytest

from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.parse import StartEntity
from tests.recordings import needs_recordings
from tests.sources.igvf.recorded import answers, sample
from tests.sources.igvf.test_old_shapes import RENAMED_FIELDS, TODAY

pytestmark = [pytest.mark.quick, needs_recordings]

VARIANT, GENE, PROTEIN = "NC_000001.11:40242002:G:A", "ENSG00000000007", "ENSP00000000007"


def identity(value):
    return value


def bare(value):
    return re.sub(r"^[a-z_]+/", "", value)


def curie(value):
    return bare(value).replace("_", ":", 1)


def first(values):
    return values[0] if isinstance(values, list) else values


def joined_text(values):
    return ", ".join(values)


def p_value(logarithm):
    return pytest.approx(10 ** -float(logarithm), rel=1e-3)


def pmids(values):
    numbers = [re.sub(r"\D", "", value) for value in ([values] if isinstance(values, str) else values)]
    return [f"PMID:{number}" for number in dict.fromkeys(numbers)]


def relation(qualifiers):
    """Biolink's word for GO's."""
    return f"biolink:{ {'involved_in': 'actively_involved_in'}.get(qualifiers[0], qualifiers[0]) }"


def affected_aspect(name):
    """The aspect that is modulated."""
    return re.search("expression|splicing|binding", name)[0]


def file_of(address):
    """The data set behind an address of IGVF's or ENCODE's files."""
    match = re.search(r"IGVFFI\w{8}|ENCFF\w{6}", address)
    return match[0] if match else None


ROW = {
    "source": ("source", identity),
    "source_url": ("dataset", file_of),
    "files_filesets": ("dataset", bare),
    "method": ("method", identity),
    "label": ("label", identity),
    "biological_context": ("context", identity),
    "biosample_term": ("context_id", curie),
    "neg_log10_pvalue": ("p_value", p_value),
    "pmids": ("publications", pmids),
}
"""The fields of most rows, wherever they have them."""


@dataclass
class Reader:
    """The reading of the rows of one endpoint."""

    fields: dict
    nests: tuple = ()
    """Lists of objects, each of which is an association."""
    answer: dict = field(default_factory=dict)
    """Values of all rows of the endpoint."""
    skipped: str = ""
    """Fields that an association does not have."""


def ends(subject, other, names="", *, kinds=(bare, bare)):
    """The paths of the two ends, and of their names."""
    result = {subject: ("subject", kinds[0]), other: ("object", kinds[1])}
    for path, place in zip(names.split(), ("subject_name", "object_name"), strict=False):
        if path != "-":
            result[path] = (place, first)
    return result


OF_A_VARIANT = "chr pos ref alt spdi hgvs ca_id"
ELEMENT = "chr name type source_annotation source source_url"


def readers_of(path, names):
    return " ".join(f"{path}.{name}" for name in names.split())


CAQTL = Reader(
    ends("variant._id", "genomic_element._id", "variant.rsid") | {"beta": ("effect", identity)},
    answer={
        "predicate": "biolink:affects",
        "aspect": "accessibility",
        "effect_type": "beta",
        "relationship": "regulatory",
    },
    skipped=f"name class log2FC {readers_of('variant', OF_A_VARIANT)} {readers_of('genomic_element', ELEMENT)}"
    " genomic_element.start genomic_element.end",
)
GO = Reader(
    ends("gene_product_id", "go_id", "gene_product_symbol go_term_name")
    | {"evidence": ("statement", identity), "qualifier": ("predicate", relation)},
    answer={"relationship": "functional"},
    skipped="gene_product_name gene_product_type organism name",
)
RELATED = Reader(
    ends("sequence_variant._id", "related.gene._id", "sequence_variant.rsid related.gene.name")
    | {"related.protein._id": ("object", bare), "related.protein.name": ("object_name", identity)}
    | {f"related.sources.{name}": entry for name, entry in ROW.items()}
    | {"related.sources.name": ("aspect", affected_aspect)},
    nests=("related", "related.sources"),
    answer={"predicate": "biolink:affects"},
    skipped=f"{readers_of('sequence_variant', OF_A_VARIANT)} {readers_of('related.gene', 'chr gene_id hgnc organism')}"
    " related.protein.uniprot_names related.sources.motif",
)
QTL = Reader(
    ends("sequence_variant", "gene") | {"effect_size": ("effect", identity)},
    answer={"predicate": "biolink:affects", "effect_type": "effect_size", "relationship": "regulatory"},
    skipped="chr intron_chr intron_start intron_end",
)
READ_VALUES = {
    "annotationsFromGoTerms": GO,
    "goTermsFromAnnotations": GO,
    "genomicElementsFromVariants": CAQTL,
    "variantsFromGenomicElements": CAQTL,
    "genesProteinsFromVariants": RELATED,
    "variantsFromGeneProteins": RELATED,
    "genesProteinsGenesProteins": Reader(
        ends("protein._id", "related._id", "protein.name related.name"),
        nests=("related",),
        answer={"predicate": "biolink:related_to"},
        skipped="protein.uniprot_names related.uniprot_names",
    ),
    "codingVariantsFromGenes": Reader(
        ends("variants.variant._id", "START", "variants.variant.rsid")
        | {f"variants.scores.{name}": entry for name, entry in ROW.items()}
        | {"protein_change.hgvsp": ("change", identity), "variants.scores.score": ("score", identity)},
        nests=("variants", "variants.scores"),
        answer={"predicate": "biolink:is_sequence_variant_of", "object": GENE, "relationship": "coding"},
        skipped=readers_of("protein_change", "protein_id protein_name transcript_id aapos ref alt")
        + " "
        + readers_of("variants.variant", OF_A_VARIANT),
    ),
    "codingVariantsFromVariants": Reader(
        ends("START", "_id", "- name") | {"hgvsp": ("change", identity), "gene_name": ("gene", identity)},
        answer={"subject": VARIANT, "predicate": "biolink:related_to", "relationship": "coding"},
        skipped="ref alt protein_name protein_id transcript_id aapos hgvsc refcodon codonpos",
    ),
    "deprecatedCodingVariantsSummary": Reader(
        ends("variant_id", "transcript_id")
        | {"hgvsp": ("change", identity), "gene_name": ("gene", identity), "score": ("score", identity)}
        | {"dataType": ("method", identity), "portalLink": ("dataset", file_of)},
        answer={"predicate": "biolink:is_sequence_variant_of"},
    ),
    "genomicElementsFromVariantsCount": Reader(
        ends("START", "genes.id", "- genes.gene_name"),
        nests=("genes",),
        answer={"subject": VARIANT, "predicate": "biolink:affects"},
        skipped="cell_types name",
    ),
    "motifsFromProteins": Reader(
        ends("protein", "motif.name", "- motif.tf_name"),
        answer={"predicate": "biolink:interacts_with", "relationship": "physical"},
        skipped="name motif.length motif.pwm motif.source motif.source_url",
    ),
    "proteinsFromMotifs": Reader(
        ends("protein._id", "motif", "protein.name", kinds=(bare, lambda value: re.sub("_ENSP.*", "", bare(value)))),
        answer={"predicate": "biolink:interacts_with", "relationship": "physical"},
        skipped="name "
        + readers_of(
            "protein", "MANE_Select organism source source_url uniprot_full_names uniprot_ids uniprot_names dbxrefs"
        ),
    ),
    "nearestGenes": Reader(
        ends("START", "_id", "- name"),
        answer={
            "subject": VARIANT,
            "predicate": "biolink:related_to",
            "aspect": "proximity",
            "relationship": "nearest_genes",
        },
        skipped="chr start end gene_type strand hgnc entrez collections study_sets version synonyms",
    ),
    "qtlSummaryEndpoint": Reader(
        ends("START", "gene.gene_id", "- gene.gene_name")
        | {"effect_size": ("effect", identity), "qtl_type": ("label", identity)},
        answer={
            "subject": VARIANT,
            "predicate": "biolink:affects",
            "aspect": "expression",
            "effect_type": "effect_size",
        },
        skipped="chr name gene.gene_start gene.gene_end",
    ),
    "variantsFromDiseases": Reader(
        ends("sequence_variant", "disease", kinds=(bare, curie))
        | {"assertion": ("statement", identity), "gene_name": ("gene", identity)},
        answer={"predicate": "biolink:associated_with", "relationship": "genetic"},
        skipped="gene_id name",
    ),
    "variantsFromVariantID": Reader(
        ends("variant_1_spdi", "variant_2_spdi", "variant_1_rsid variant_2_rsid")
        | {name: (name, identity) for name in ("r2", "d_prime", "ancestry")},
        answer={"predicate": "biolink:in_linkage_disequilibrium_with", "relationship": "ld"},
        skipped="chr sequence_variant name variant_1_base_pair variant_2_base_pair variant_1_pos variant_2_pos"
        " variant_1_hgvs variant_2_hgvs",
    ),
    # Rows of 2023-24, under today's names:
    "genesFromDiseases": Reader(
        ends("gene", "disease", "gene_symbol term_name", kinds=(bare, curie))
        | {"association_type": ("statement", identity)},
        answer={"predicate": "biolink:gene_associated_with_condition", "relationship": "genetic"},
        skipped="association_status",
    ),
    "variantsFromGenes": QTL,
    "genesFromVariants": QTL,
    "proteinsProteins": Reader(
        ends("protein_1", "protein_2"),
        answer={"predicate": "biolink:physically_interacts_with", "relationship": "physical"},
        skipped="detection_method detection_method_code interaction_type interaction_type_code"
        " confidence_value_biogrid confidence_value_intact",
    ),
    "drugsFromVariants": Reader(
        ends("_from", "drug")
        | {"pmid": ("publications", pmids), "phenotype_categories": ("statement", joined_text)}
        | {"gene_symbol": ("gene", joined_text)},
        answer={"predicate": "biolink:affects_response_to", "relationship": "pharmacological"},
        skipped="study_parameters variant_drug_ID",
    ),
}
"""Readers by the service's name of the operation."""
BY_OPERATION = {endpoint.operation: endpoint for endpoint in endpoints().values() if endpoint.edge}
TEXT = ("/diseases/genes", "/genes/variants", "/variants/genes", "/proteins/proteins", "/variants/drugs")
"""Paths whose rows of 2023-24 still have both ends under today's names of the fields."""


def with_current_names(path, row):
    """A row of 2023-24 with the names of today, without the removed fields."""
    names = RENAMED_FIELDS[path]
    return {names.get(name, name): value for name, value in row.items() if names.get(name, name)}


def is_brief(row):
    """Whether the ends of a row are IDs: whole ones had other names, and no IDs, in 2023."""
    values = [value for item in row.values() for value in (item if isinstance(item, list) else [item])]
    return not any(isinstance(value, dict) and "study_type" not in value for value in values)


def recorded_calls():
    """Each recorded row of an edge, with its endpoint."""
    for file in answers():
        operation = file.removeprefix("example_").removesuffix(".json")
        if file.startswith("example_") and operation in BY_OPERATION and sample(operation):
            yield BY_OPERATION[operation], sample(operation)
    for file, answer in answers().items():
        for path, calls in answer.items() if file.startswith("acceptance_") else ():
            if path in TEXT:
                now = [with_current_names(path, row) for call in calls for row in call["response"]]
                yield from ((endpoints()[TODAY.get(path, path)], row) for row in now if is_brief(row))


def flat(row, nests, prefix=""):
    """The values of each association in a row, by their paths in the row."""
    result = [{}]
    for name, value in row.items():
        path = f"{prefix}{name}"
        if path in nests:
            result = [
                item | options for item in result for entry in value for options in flat(entry, nests, f"{path}.")
            ]
        elif isinstance(value, dict):
            [inner] = flat(value, nests, f"{path}.")
            result = [item | inner for item in result]
        else:
            result = [item | {path: value} for item in result]
    return result


def read(reader, values):
    """The fields expected of an association with these values."""
    result = dict(reader.answer)
    for path, value in values.items():
        place, convert = reader.fields.get(path) or ROW.get(path) or (None, None)
        if place and value not in (None, [], "") and (message := convert(value)) is not None:
            result[place] = message
    if "genomic_element.start" in values:  # counts from 0, half-open
        chromosome, start, end = (values[f"genomic_element.{name}"] for name in ("chr", "start", "end"))
        result["region"] = f"{chromosome}:{start + 1}-{end}"
    if values.get("label") == "eQTL":
        result["aspect"] = "expression"
    if "effect" not in result:
        return {name: value for name, value in result.items() if name != "effect_type"}
    spdi = result["subject"].split(":")  # IDs of 2023 tell no allele
    return result | ({"effect_allele": spdi[3]} if len(spdi) == 4 else {})


def compared_rows():
    """The expected associations of each recorded row, and those that were read from it."""
    for endpoint, row in recorded_calls():
        reader = READ_VALUES[endpoint.operation]
        start = StartEntity("gene", GENE) if endpoint.edge == "gene_coding_variant" else StartEntity("variant", VARIANT)
        expected = [read(reader, values) for values in flat(row, reader.nests)]
        expected = [item for item in expected if {"subject", "object"} <= item.keys()]  # some of 2023 lack one
        model_dumps = [
            association.model_dump(exclude={"notices"}) for association in parse.associations(endpoint, row, start)
        ]
        yield endpoint, expected, model_dumps


def test_every_field_of_every_recorded_edge_is_named_here():
    pairs = {
        (endpoint.operation, path)
        for endpoint, row in recorded_calls()
        for values in flat(row, READ_VALUES[endpoint.operation].nests)
        for path, value in values.items()
        if path not in READ_VALUES[endpoint.operation].fields
        and path not in READ_VALUES[endpoint.operation].skipped.split()
        and path not in ROW
        and not (value is None and path.endswith("_score"))
    }

    assert pairs == set(), "New fields of the Catalog: give each a place in READ, or name it as unplaced there."
    assert {endpoint.operation for endpoint, _ in recorded_calls()} == READ_VALUES.keys()


def test_no_fact_of_a_recorded_edge_is_wrong_lost_or_invented():
    pairs = 0
    for endpoint, expected, result in compared_rows():
        assert result == expected, endpoint.operation
        pairs += sum(map(len, result))

    assert pairs > 1500
