"""The meaning of each field of a record, and fields that contradict each other or have an odd form."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.records import Record
from biofact.sources.igvf import guide, parse, records
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.client import IGVFClient
from tests import virtual_time
from tests.each_of import each_of
from tests.sources.igvf.catalog_rows import starter
from tests.sources.igvf.made_graph import client_of, facts
from tests.sources.igvf.made_rows_of_diseases import GWAS

pytestmark = pytest.mark.quick

QTL = {"gene": "genes/ENSG00000012048", "sequence_variant": "variants/NC_000017.11:43044300:G:A", "source": "EBI"}
RECORDS = [
    var for var in vars(records).values() if isinstance(var, type) and issubclass(var, Record | records.Result)
] + [records.Allele, records.VariantWindow]
GENE = {"_id": "ENSG00000012048", "name": "BRCA1", "chr": "chr17", "start": 43044294, "end": 43170245}
VARIANT = {"_id": "NC_000017.11:43044300:AA:A", "chr": "chr17", "pos": 43044300, "ref": "AA", "alt": "A"}


def undescribed_fields(schema, names=None):
    """The fields, at any depth, without a description."""
    definitions = schema.get("$defs", names or {})
    for name, field in schema.get("properties", {}).items():
        if not field.get("description"):
            yield name
        for inner in (field, field.get("items", {})):
            yield from (f"{name}.{deeper}" for deeper in undescribed_fields(inner, definitions))
    for name, definition in schema.get("$defs", {}).items():
        yield from (f"{name}.{field}" for field in undescribed_fields(definition, definitions))


@each_of("record", RECORDS)
def test_every_field_of_a_record_has_a_description(record):
    fields = {name for name, field in record.model_fields.items() if not field.description}

    assert fields - {"notices", "replaces"} == set()


@pytest.mark.parametrize("uri", ["gene", "variant"])
def test_a_schema_resource_describes_every_field(uri):
    schema = json.loads(guide.schema(uri))

    assert list(undescribed_fields(schema)) == []
    assert {"id", "_type", "category", "organism", "strand", "synonyms", "notices"} <= schema["properties"].keys()


def test_every_schema_resource_is_walked():
    async def texts():
        async with client_of(facts()) as (igvf, _):
            return [json.loads(await igvf.gene_schema()), json.loads(await igvf.variant_schema())]

    schemas = virtual_time.run(texts())
    names = [name for name in vars(IGVFClient) if name.endswith("_schema")]
    assert len(names) == len(schemas)
    assert [list(undescribed_fields(schema)) for schema in schemas] == [[], []]


# Alleles


@pytest.mark.parametrize(
    ("spdi", "ref", "alt", "pos", "notation"),
    [
        ("NC_000017.11:43044300:AA:A", "AA", "A", 43044300, "SPDI"),
        ("NC_000001.11:913274:GGG:GG", "TG", "T", 913273, "VCF"),  # recorded 2023
        ("NC_000017.11:43044300:A:G", "A", "G", 43044300, None),
        ("NC_000019.10:11105541:CAGC:GCTG", "CAGC", "GCTG", 11105541, None),
    ],
)
def test_alleles_say_how_they_are_written_where_it_matters(spdi, ref, alt, pos, notation):
    row = {**VARIANT, "_id": spdi, "spdi": spdi, "ref": ref, "alt": alt, "pos": pos, "chr": f"chr{int(spdi[3:9])}"}
    entity = parse.entity("variant", row)

    assert entity.allele_notation == notation
    assert entity.notices == []


def association(path, row):
    [item] = parse.associations(endpoints()[path], row)
    return item


@pytest.mark.parametrize(
    ("fields", "allele", "notation"),
    [
        ({"effect_size": 0.5}, "A", None),
        ({"effect_size": 0.5, "sequence_variant": "variants/NC_000017.11:5:GG:GGG"}, "GGG", "SPDI"),
    ],
)
def test_an_effect_allele_has_its_notation(fields, allele, notation):
    read_values = association("/variants/genes", {**QTL, **fields})

    assert (read_values.effect_allele, read_values.effect_allele_notation) == (allele, notation)


def test_the_lead_s_allele_is_as_vcf_has_it():
    read_values = association("/variants/phenotypes", {**GWAS, "beta": 0.2, "direction": "+", "lead_alt": "TGA"})

    assert (read_values.effect_allele, read_values.effect_allele_notation) == ("TGA", "VCF")


# Written oddly


@each_of(
    ("pmids", "read_values"),
    [
        ("15451847.0", ["PMID:15451847"]),
        (15451847.0, ["PMID:15451847"]),
        (["15451847.0", 15451847], ["PMID:15451847"]),
        ("12501224; 23764561", ["PMID:12501224", "PMID:23764561"]),
        ("PMID: 12501224", ["PMID:12501224"]),
        (["http://pubmed.ncbi.nlm.nih.gov/12501224/"], ["PMID:12501224"]),
        ([], []),
        (None, []),
    ],
)
def test_publications_are_read_in_all_written_forms(pmids, read_values):
    item = association("/variants/genes", {**QTL, "pmids": pmids})

    assert item.publications == read_values
    assert "INVALID_CROSS_REFERENCE" not in [notice.code for notice in item.notices]


def test_a_publication_without_a_pmid_is_reported():
    item = association("/variants/genes", {**QTL, "pmids": ["12501224", "unpublished"]})

    assert item.publications == ["PMID:12501224"]
    assert [notice.message for notice in item.notices if notice.code == "INVALID_CROSS_REFERENCE"] == [
        "Publications that are no PMID, left out: 'unpublished'."
    ]


@each_of(
    ("kind", "row", "words"),
    [
        ("gene", {**GENE, "start": 43170245, "end": 43044294}, "above end"),
        ("element", {"name": "E1", "chr": "chr1", "start": 99, "end": 9}, "above end"),
        ("element", {"name": "e_1_100_200_GRCh38", "chr": "chr1", "start": 100, "end": 300}, "e_1_100_200_GRCh38"),
        ("variant", {**VARIANT, "chr": "chr9"}, "chromosome 9"),
        ("coding_variant", {"_id": "x", "name": "x", "hgvsp": "p.Gly253Asp", "aapos": 254}, "p.Gly253Asp"),
        ("study", {"_id": "GCST1", "name": "x", "n_initial": "100", "n_cases": "200.0"}, "200 cases"),
    ],
)
def test_fields_that_contradict_each_other_are_reported(kind, row, words):
    [notice] = parse.entity(kind, row).notices

    assert notice.code == "MISMATCH"
    assert words in notice.message


def test_a_place_that_ends_before_its_start_is_dropped():
    entity = parse.entity("gene", {**GENE, "start": 43170245, "end": 43044294})

    assert (entity.chromosome, entity.start, entity.end) == ("17", None, None)


def test_honest_rows_contradict_nothing():
    for collection, kind in (("genes", "gene"), ("variants", "variant"), ("genomic_elements", "element")):
        entitys = [parse.entity(kind, row) for row in starter()[collection]]
        assert [item.notices for item in entitys if item.notices] == []


# Renamed


@each_of(
    ("kind", "name"),
    [
        ("gene", "name"),
        ("gene", "start"),
        ("transcript", "chr"),
        ("variant", "pos"),
        ("variant", "ref"),
        ("term", "name"),
        ("drug", "name"),
        ("pathway", "name"),
        ("motif", "tf_name"),
        ("element", "end"),
        ("coding_variant", "name"),
        ("complex", "name"),
    ],
)
def test_a_renamed_field_is_a_change_of_the_service(kind, name):
    collections = {"term": "ontology_terms", "element": "genomic_elements", "complex": "complexes"}
    row = starter()[collections.get(kind, f"{kind}s")][0]
    parse.check_fields(kind, row)

    with pytest.raises(UpstreamError, match=f"'{name}'"):
        parse.check_fields(kind, {("new_" + key if key == name else key): value for key, value in row.items()})
