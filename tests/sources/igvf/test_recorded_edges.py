"""Every recorded row of an edge walked by a reader of its own: no fact of an association wrong, lost or invented.

The reader is a table: of each endpoint, where in its rows each field of an association stands and how it is written
there, and what there is no place for. A field of a recorded row that is in neither fails the test.
"""

import re
from dataclasses import dataclass, field

import pytest

from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.parse import StartEntity
from tests.recordings import needs_recordings
from tests.sources.igvf.recorded import answers, sample
from tests.sources.igvf.test_old_shapes import RENAMED, TODAY

pytestmark = [pytest.mark.quick, needs_recordings]

VARIANT, GENE, PROTEIN = "NC_000001.11:40242002:G:A", "ENSG00000000007", "ENSP00000000007"


def same(value):
    return value


def bare(value):
    return re.sub(r"^[a-z_]+/", "", value)


def curie(value):
    return bare(value).replace("_", ":", 1)


def first(values):
    return values[0] if isinstance(values, list) else values


def joined(values):
    return ", ".join(values)


def p_value(logarithm):
    return pytest.approx(10 ** -float(logarithm), rel=1e-3)


def pmids(values):
    numbers = [re.sub(r"\D", "", value) for value in ([values] if isinstance(values, str) else values)]
    return [f"PMID:{number}" for number in dict.fromkeys(numbers)]


def relation(qualifiers):
    """Biolink's word for GO's."""
    return f"biolink:{ {'involved_in': 'actively_involved_in'}.get(qualifiers[0], qualifiers[0]) }"


def affected(name):
    """What is said to be modulated."""
    return re.search("expression|splicing|binding", name)[0]


def file_of(address):
    """The data set behind an address of IGVF's or ENCODE's files."""
    found = re.search(r"IGVFFI\w{8}|ENCFF\w{6}", address)
    return found[0] if found else None


ROW = {
    "source": ("source", same),
    "source_url": ("dataset", file_of),
    "files_filesets": ("dataset", bare),
    "method": ("method", same),
    "label": ("label", same),
    "biological_context": ("context", same),
    "biosample_term": ("context_id", curie),
    "neg_log10_pvalue": ("p_value", p_value),
    "pmids": ("publications", pmids),
}
"""Of most rows, wherever they have it."""


@dataclass
class Reader:
    """How rows of one endpoint are read."""

    fields: dict
    nests: tuple = ()
    """Lists of objects, each of which is an association."""
    said: dict = field(default_factory=dict)
    """What all rows of the endpoint say."""
    unplaced: str = ""
    """Fields that an association has no place for."""


def ends(subject, other, names="", *, kinds=(bare, bare)):
    """Where the two ends stand, and their names."""
    found = {subject: ("subject", kinds[0]), other: ("object", kinds[1])}
    for path, place in zip(names.split(), ("subject_name", "object_name"), strict=False):
        if path != "-":
            found[path] = (place, first)
    return found


OF_A_VARIANT = "chr pos ref alt spdi hgvs ca_id"
ELEMENT = "chr name type source_annotation source source_url"


def under(path, names):
    return " ".join(f"{path}.{name}" for name in names.split())


CAQTL = Reader(
    ends("variant._id", "genomic_element._id", "variant.rsid") | {"beta": ("effect", same)},
    said={
        "predicate": "biolink:affects",
        "aspect": "accessibility",
        "effect_type": "beta",
        "relationship": "regulatory",
    },
    unplaced=f"name class log2FC {under('variant', OF_A_VARIANT)} {under('genomic_element', ELEMENT)}"
    " genomic_element.start genomic_element.end",
)
GO = Reader(
    ends("gene_product_id", "go_id", "gene_product_symbol go_term_name")
    | {"evidence": ("statement", same), "qualifier": ("predicate", relation)},
    said={"relationship": "functional"},
    unplaced="gene_product_name gene_product_type organism name",
)
RELATED = Reader(
    ends("sequence_variant._id", "related.gene._id", "sequence_variant.rsid related.gene.name")
    | {"related.protein._id": ("object", bare), "related.protein.name": ("object_name", same)}
    | {f"related.sources.{name}": entry for name, entry in ROW.items()}
    | {"related.sources.name": ("aspect", affected)},
    nests=("related", "related.sources"),
    said={"predicate": "biolink:affects"},
    unplaced=f"{under('sequence_variant', OF_A_VARIANT)} {under('related.gene', 'chr gene_id hgnc organism')}"
    " related.protein.uniprot_names related.sources.motif",
)
QTL = Reader(
    ends("sequence_variant", "gene") | {"effect_size": ("effect", same)},
    said={"predicate": "biolink:affects", "effect_type": "effect_size", "relationship": "regulatory"},
    unplaced="chr intron_chr intron_start intron_end",
)
READ = {
    "annotationsFromGoTerms": GO,
    "goTermsFromAnnotations": GO,
    "genomicElementsFromVariants": CAQTL,
    "variantsFromGenomicElements": CAQTL,
    "genesProteinsFromVariants": RELATED,
    "variantsFromGeneProteins": RELATED,
    "genesProteinsGenesProteins": Reader(
        ends("protein._id", "related._id", "protein.name related.name"),
        nests=("related",),
        said={"predicate": "biolink:related_to"},
        unplaced="protein.uniprot_names related.uniprot_names",
    ),
    "codingVariantsFromGenes": Reader(
        ends("variants.variant._id", "START", "variants.variant.rsid")
        | {f"variants.scores.{name}": entry for name, entry in ROW.items()}
        | {"protein_change.hgvsp": ("change", same), "variants.scores.score": ("score", same)},
        nests=("variants", "variants.scores"),
        said={"predicate": "biolink:is_sequence_variant_of", "object": GENE, "relationship": "coding"},
        unplaced=under("protein_change", "protein_id protein_name transcript_id aapos ref alt")
        + " "
        + under("variants.variant", OF_A_VARIANT),
    ),
    "codingVariantsFromVariants": Reader(
        ends("START", "_id", "- name") | {"hgvsp": ("change", same), "gene_name": ("gene", same)},
        said={"subject": VARIANT, "predicate": "biolink:related_to", "relationship": "coding"},
        unplaced="ref alt protein_name protein_id transcript_id aapos hgvsc refcodon codonpos",
    ),
    "deprecatedCodingVariantsSummary": Reader(
        ends("variant_id", "transcript_id")
        | {"hgvsp": ("change", same), "gene_name": ("gene", same), "score": ("score", same)}
        | {"dataType": ("method", same), "portalLink": ("dataset", file_of)},
        said={"predicate": "biolink:is_sequence_variant_of"},
    ),
    "genomicElementsFromVariantsCount": Reader(
        ends("START", "genes.id", "- genes.gene_name"),
        nests=("genes",),
        said={"subject": VARIANT, "predicate": "biolink:affects"},
        unplaced="cell_types name",
    ),
    "motifsFromProteins": Reader(
        ends("protein", "motif.name", "- motif.tf_name"),
        said={"predicate": "biolink:interacts_with", "relationship": "physical"},
        unplaced="name motif.length motif.pwm motif.source motif.source_url",
    ),
    "proteinsFromMotifs": Reader(
        ends("protein._id", "motif", "protein.name", kinds=(bare, lambda value: re.sub("_ENSP.*", "", bare(value)))),
        said={"predicate": "biolink:interacts_with", "relationship": "physical"},
        unplaced="name "
        + under(
            "protein", "MANE_Select organism source source_url uniprot_full_names uniprot_ids uniprot_names dbxrefs"
        ),
    ),
    "nearestGenes": Reader(
        ends("START", "_id", "- name"),
        said={
            "subject": VARIANT,
            "predicate": "biolink:related_to",
            "aspect": "proximity",
            "relationship": "nearest_genes",
        },
        unplaced="chr start end gene_type strand hgnc entrez collections study_sets version synonyms",
    ),
    "qtlSummaryEndpoint": Reader(
        ends("START", "gene.gene_id", "- gene.gene_name")
        | {"effect_size": ("effect", same), "qtl_type": ("label", same)},
        said={"subject": VARIANT, "predicate": "biolink:affects", "aspect": "expression", "effect_type": "effect_size"},
        unplaced="chr name gene.gene_start gene.gene_end",
    ),
    "variantsFromDiseases": Reader(
        ends("sequence_variant", "disease", kinds=(bare, curie))
        | {"assertion": ("statement", same), "gene_name": ("gene", same)},
        said={"predicate": "biolink:associated_with", "relationship": "genetic"},
        unplaced="gene_id name",
    ),
    "variantsFromVariantID": Reader(
        ends("variant_1_spdi", "variant_2_spdi", "variant_1_rsid variant_2_rsid")
        | {name: (name, same) for name in ("r2", "d_prime", "ancestry")},
        said={"predicate": "biolink:in_linkage_disequilibrium_with", "relationship": "ld"},
        unplaced="chr sequence_variant name variant_1_base_pair variant_2_base_pair variant_1_pos variant_2_pos"
        " variant_1_hgvs variant_2_hgvs",
    ),
    # Of 2023-24, under today's names:
    "genesFromDiseases": Reader(
        ends("gene", "disease", "gene_symbol term_name", kinds=(bare, curie))
        | {"association_type": ("statement", same)},
        said={"predicate": "biolink:gene_associated_with_condition", "relationship": "genetic"},
        unplaced="association_status",
    ),
    "variantsFromGenes": QTL,
    "genesFromVariants": QTL,
    "proteinsProteins": Reader(
        ends("protein_1", "protein_2"),
        said={"predicate": "biolink:physically_interacts_with", "relationship": "physical"},
        unplaced="detection_method detection_method_code interaction_type interaction_type_code"
        " confidence_value_biogrid confidence_value_intact",
    ),
    "drugsFromVariants": Reader(
        ends("_from", "drug")
        | {"pmid": ("publications", pmids), "phenotype_categories": ("statement", joined)}
        | {"gene_symbol": ("gene", joined)},
        said={"predicate": "biolink:affects_response_to", "relationship": "pharmacological"},
        unplaced="study_parameters variant_drug_ID",
    ),
}
"""By the service's name of the operation."""
BY_OPERATION = {endpoint.operation: endpoint for endpoint in endpoints().values() if endpoint.edge}
JOINED = ("/diseases/genes", "/genes/variants", "/variants/genes", "/proteins/proteins", "/variants/drugs")
"""Paths of which the rows of 2023-24 still have both ends when their fields are called as they are today."""


def renamed(path, row):
    """A row of 2023-24 with the names of today, without the fields that are gone."""
    names = RENAMED[path]
    return {names.get(name, name): value for name, value in row.items() if names.get(name, name)}


def is_brief(row):
    """Whether its ends are IDs: whole ones had other names, and no IDs, in 2023."""
    told = [value for each in row.values() for value in (each if isinstance(each, list) else [each])]
    return not any(isinstance(value, dict) and "study_type" not in value for value in told)


def recorded():
    """Each recorded row of an edge, with its endpoint."""
    for file in answers():
        operation = file.removeprefix("example_").removesuffix(".json")
        if file.startswith("example_") and operation in BY_OPERATION and sample(operation):
            yield BY_OPERATION[operation], sample(operation)
    for file, answer in answers().items():
        for path, calls in answer.items() if file.startswith("acceptance_") else ():
            if path in JOINED:
                now = [renamed(path, row) for call in calls for row in call["response"]]
                yield from ((endpoints()[TODAY.get(path, path)], row) for row in now if is_brief(row))


def flat(row, nests, prefix=""):
    """What each association of a row has, by its path in the row."""
    found = [{}]
    for name, value in row.items():
        path = f"{prefix}{name}"
        if path in nests:
            found = [one | more for one in found for entry in value for more in flat(entry, nests, f"{path}.")]
        elif isinstance(value, dict):
            [inner] = flat(value, nests, f"{path}.")
            found = [one | inner for one in found]
        else:
            found = [one | {path: value} for one in found]
    return found


def read(reader, values):
    """The fields that an association of these values should have."""
    found = dict(reader.said)
    for path, value in values.items():
        place, convert = reader.fields.get(path) or ROW.get(path) or (None, None)
        if place and value not in (None, [], "") and (told := convert(value)) is not None:
            found[place] = told
    if "genomic_element.start" in values:  # counts from 0, half-open
        chromosome, start, end = (values[f"genomic_element.{name}"] for name in ("chr", "start", "end"))
        found["region"] = f"{chromosome}:{start + 1}-{end}"
    if values.get("label") == "eQTL":
        found["aspect"] = "expression"
    if "effect" not in found:
        return {name: value for name, value in found.items() if name != "effect_type"}
    spdi = found["subject"].split(":")  # IDs of 2023 tell no allele
    return found | ({"effect_allele": spdi[3]} if len(spdi) == 4 else {})


def walked():
    """Of each recorded row the associations that it should be, and those that it is read as."""
    for endpoint, row in recorded():
        reader = READ[endpoint.operation]
        start = StartEntity("gene", GENE) if endpoint.edge == "gene_coding_variant" else StartEntity("variant", VARIANT)
        expected = [read(reader, values) for values in flat(row, reader.nests)]
        expected = [one for one in expected if {"subject", "object"} <= one.keys()]  # some of 2023 lack one
        found = [one.model_dump(exclude={"notices"}) for one in parse.associations(endpoint, row, start)]
        yield endpoint, expected, found


def test_every_field_of_every_recorded_edge_is_named_here():
    unnamed = {
        (endpoint.operation, path)
        for endpoint, row in recorded()
        for values in flat(row, READ[endpoint.operation].nests)
        for path, value in values.items()
        if path not in READ[endpoint.operation].fields
        and path not in READ[endpoint.operation].unplaced.split()
        and path not in ROW
        and not (value is None and path.endswith("_score"))
    }

    assert unnamed == set(), "New fields of the Catalog: give each a place in READ, or name it as unplaced there."
    assert {endpoint.operation for endpoint, _ in recorded()} == READ.keys()


def test_no_fact_of_a_recorded_edge_is_wrong_lost_or_invented():
    compared = 0
    for endpoint, expected, found in walked():
        assert found == expected, endpoint.operation
        compared += sum(map(len, found))

    assert compared > 1500
