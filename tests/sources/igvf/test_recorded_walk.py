"""Every recorded object walked by a reader of its own: no fact of a record wrong, lost or invented.

The reader is a table: for each kind of entity the record's field for each of the service's, with its form. A field of a
recorded row that the table names neither as read nor as skipped fails the test.
"""

import re

import pytest

from biofact.sources.igvf import parse
from tests.recordings import needs_recordings
from tests.sources.igvf.recorded import answers

pytestmark = [pytest.mark.quick, needs_recordings]


def identity(value):
    return value


def bare(value):
    return re.sub(r"^[a-z_]+/", "", value)


def after_zero(value):
    return value + 1


def chromosome(value):
    return value.removeprefix("chr")


def strand(value):
    return {"+": 1, "-": -1}[value]


def curie(value):
    return value.removeprefix("ontology_terms/").replace("_", ":", 1)


def curies(values):
    return [curie(value) for value in values]


def efos(value):
    return [curie(term) for term in re.findall(r"\w+_\d+", value)]


def pmid(value):
    return f"PMID:{re.sub('[^0-9]', '', value)}"


def people(value):
    return int(float(value))


def as_list(value):
    return value if isinstance(value, list) else [value]


PLACE = {"chr": ("chromosome", chromosome), "start": ("start", after_zero), "end": ("end", identity)}
ORIGIN = {"source": ("source", identity), "version": ("release", identity)}
NAMES = {"_id": ("id", bare), "name": ("name", identity)}
READ_VALUES = {
    "gene": {
        **NAMES,
        **PLACE,
        **ORIGIN,
        "strand": ("strand", strand),
        "gene_type": ("gene_type", identity),
        "collections": ("collections", identity),
        "study_sets": ("study_sets", identity),
        "synonyms": ("synonyms", identity),
        "hgnc": ("cross_references.hgnc", identity),
        "entrez": ("cross_references.entrez", lambda value: value.removeprefix("ENTREZ:")),
    },
    "transcript": {
        **NAMES,
        **PLACE,
        **ORIGIN,
        "strand": ("strand", strand),
        "transcript_type": ("transcript_type", identity),
        "gene_name": ("gene_name", identity),
        "MANE_Select": ("is_mane_select", identity),
    },
    "protein": {
        **NAMES,
        **ORIGIN,
        "uniprot_full_names": ("full_names", identity),
        "uniprot_names": ("uniprot_names", identity),
        "uniprot_ids": ("uniprot_ids", identity),
        "MANE_Select": ("is_mane_select", identity),
    },
    "variant": {
        **ORIGIN,
        "_id": ("id", bare),
        "chr": ("chromosome", chromosome),
        "pos": ("start", after_zero),
        "ref": ("ref", identity),
        "alt": ("alt", identity),
        "rsid": ("rsids", identity),
        "hgvs": ("hgvs", identity),
        "ca_id": ("ca_id", identity),
    },
    "coding_variant": {
        **NAMES,
        **ORIGIN,
        "gene_name": ("gene_name", identity),
        "protein_id": ("protein_id", identity),
        "protein_name": ("protein_name", identity),
        "transcript_id": ("transcript_id", identity),
        "hgvsp": ("hgvs_p", identity),
        "hgvsc": ("hgvs_c", identity),
        "aapos": ("position", identity),
        "ref": ("ref", identity),
        "alt": ("alt", identity),
    },
    "drug": {**NAMES, **ORIGIN, "drug_ontology_terms": ("ontology_terms", curies)},
    "complex": {
        **NAMES,
        **ORIGIN,
        "alias": ("synonyms", identity),
        "description": ("description", identity),
        "molecules": ("molecules", identity),
        "complex_assembly": ("assembly", as_list),
    },
    "pathway": {
        **NAMES,
        "source": ("source", identity),
        "id_version": ("release", identity),
        "is_in_disease": ("is_in_disease", identity),
        "is_top_level_pathway": ("is_top_level", identity),
        "disease_ontology_terms": ("disease_terms", curies),
        "go_biological_process": ("go_process", curie),
        "name_aliases": ("synonyms", identity),
    },
    "study": {
        **NAMES,
        **ORIGIN,
        "trait_reported": ("trait", identity),
        "trait_efos": ("trait_terms", efos),
        "pmid": ("publication", pmid),
        "pub_title": ("title", identity),
        "pub_author": ("author", identity),
        "pub_journal": ("journal", identity),
        "pub_date": ("date", identity),
        "n_initial": ("sample_size", people),
        "n_cases": ("cases", people),
    },
    "motif": {
        "name": ("id", identity),
        "tf_name": ("name", identity),
        "source": ("source", identity),
        "length": ("length", identity),
    },
    "element": {
        **PLACE,
        "name": ("id", identity),
        "type": ("element_type", identity),
        "source_annotation": ("annotation", identity),
        "source": ("source", identity),
    },
    "dataset": {
        "_id": ("id", bare),
        "file_set_id": ("file_set", identity),
        "lab": ("lab", identity),
        "method": ("method", identity),
        "class": ("kind", identity),
        "source": ("source", identity),
        "simple_sample_summaries": ("samples", identity),
        "download_link": ("download", identity),
    },
}
NO_PLACE = {
    "gene": {"source_url", "organism", "alias", "gene_id"},
    "transcript": {"source_url", "organism"},
    "protein": {"source_url", "organism", "dbxrefs", "full_name"},
    "variant": {"source_url", "spdi", "annotations", "filter", "format", "qual", "organism"},
    "coding_variant": {"source_url", "refcodon", "codonpos"},
    "drug": {"source_url"},
    "complex": {"source_url", "complex_source", "evidence_code", "experimental_evidence", "reactome_xref"},
    "pathway": {"source_url", "organism"},
    "study": {
        *("ancestry_initial", "ancestry_replication", "has_sumstats", "n_replication", "num_assoc_loci"),
        *("study_source", "trait_category"),
    },
    "motif": {"source_url", "pwm"},
    "element": {"source_url", "_id"},
    "dataset": {
        *("source_url", "assay_term_ids", "cell_annotation", "collections", "crispr_modality", "donors"),
        *("genome_browser_link", "preferred_assay_titles", "sample_ids", "samples", "software"),
    },
}
"""Fields that a record does not have; `alias` and `full_name` of 2023 have other names since."""
COMPUTED_FIELDS = {
    "_type", "category", "organism", "assembly_name", "allele_frequencies", "gencode_category", "allele_notation"
}  # fmt: skip
"""Fields that correspond to no single one of the service; other tests compare them."""
KEYS = {
    "gene": "gene",
    "transcript": "transcript",
    "protein": "protein",
    "protein 1": "protein",
    "protein 2": "protein",
    "sequence variant": "variant",
    "sequence_variant": "variant",
    "variant": "variant",
    "complex": "complex",
    "drug": "drug",
    "genomic_element": "element",
}
FILES = {
    "acceptance_genes_proteins.json": "protein",
    "acceptance_proteins_genes.json": "gene",
    "acceptance_studies.json": "study",
    "acceptance_transcripts.json": "transcript",
    "acceptance_variants.json": "variant",
    "example_codingVariants.json": "coding_variant",
    "example_codingVariantsFromVariants.json": "coding_variant",
    "example_drugs.json": "drug",
    "example_filesFilesets.json": "dataset",
    "example_genes.json": "gene",
    "example_motifs.json": "motif",
    "example_nearestGenes.json": "gene",
    "example_pathways.json": "pathway",
    "example_proteins.json": "protein",
    "example_transcripts.json": "transcript",
}


def entities():
    """Every recorded entity, with its kind and file, at any depth."""

    def walk(value, key, file):
        if isinstance(value, list):
            for item in value:
                yield from walk(item, key, file)
        elif isinstance(value, dict):
            kind = KEYS.get(key, FILES.get(file) if key in {"response", "sample"} else None)
            if kind and (value.get("_id") or kind == "motif") and len(value) > 3:
                yield kind, file, value
            for name, item in value.items():
                yield from walk(item, name, file)

    return [result for file, answer in answers().items() for result in walk(answer, "", file)]


def flat(record):
    """The fields of a record by name, those of its cross-references by their own names."""
    references = record.pop("cross_references", {})
    references.pop("ensembl_gene", None)  # is the ID
    return record | {f"cross_references.{name}": value for name, value in references.items()}


def read(kind, row):
    """The values that a record of this row should hold."""
    result = {}
    for name, value in row.items():
        if name in READ_VALUES[kind] and value not in (None, [], ""):
            place, convert = READ_VALUES[kind][name]
            result[place] = convert(value)
    if "synonyms" in result:
        result["synonyms"] = [synonym for synonym in result["synonyms"] if synonym != row.get("name")]
    if kind == "variant":
        result["end"] = row["pos"] + len(row["ref"])
        result["rsids"] = as_list(result["rsids"]) if "rsids" in result else []
        result["name"] = result["rsids"][0] if result["rsids"] else None
    if kind == "coding_variant":
        result["scores"] = {
            name.removesuffix("_score"): value
            for name, value in row.items()
            if name.endswith("_score") and value is not None
        }
    return {name: value for name, value in result.items() if value not in (None, [], {})}


def test_every_field_of_every_recorded_entity_is_named_here():
    pairs = {
        (kind, name)
        for kind, _, row in entities()
        for name in row
        if name not in READ_VALUES[kind] and name not in NO_PLACE[kind] and not name.endswith("_score")
    }

    assert pairs == set(), "New fields of the Catalog: give each a place in READ, or name it in NO_PLACE."
    assert {kind for kind, _, _ in entities()} >= READ_VALUES.keys() - {"element"}
    assert len(entities()) > 250


def test_no_fact_of_a_recorded_entity_is_wrong_lost_or_invented():
    for kind, file, row in entities():
        record = flat(parse.entity(kind, row).model_dump(by_alias=True, exclude={"notices"}))
        values = {name: value for name, value in record.items() if name not in COMPUTED_FIELDS}

        assert values == read(kind, row), (file, row.get("_id"))


@pytest.mark.parametrize("file", ["acceptance_transcripts.json", "acceptance_variants.json"])
def test_recorded_rows_of_a_region_lie_in_it(file):
    """Regions are requested 0-based and half-open: the bases of our records count from 1."""
    lies = []
    for calls in answers()[file].values():
        for call in calls:
            match = re.fullmatch(r"chr(\w+):(\d+)-(\d+)", call["params"].get("region", ""))
            for row in call["response"] if match else ():
                record = parse.entity(FILES[file], row)
                first, last = int(match[2]) + 1, int(match[3])
                lies.append(record.chromosome == match[1] and record.start <= last and first <= record.end)

    assert lies
    assert all(lies)
