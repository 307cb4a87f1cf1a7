"""The parts of several sources that are one entity, and the ID that stands for it."""

import pytest

from biofact.identity.joining import LEADING_SOURCES, join_entities
from biofact.protocol.names import NamedEntity
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def part(entity_id, kind, *, label="x", score=1.0, **facts):
    return NamedEntity(entity_id, label, kind, "id", score, **facts)


def protein(entity_id, **facts):
    return part(entity_id, "protein", **facts)


UNIPROT = {"uniprot": "UniProtKB:P04637"}
ENSP = {"ensembl_protein": "ENSP00000269305"}
GENE = ("ENSG00000141510",)


def ids(entities):
    return [list(entity.parts) for entity in entities]


def test_parts_with_the_same_accession_are_one_protein():
    (entity,) = join_entities(
        {
            "ensembl": [protein("UniProtKB:P04637", xrefs=UNIPROT, product_of=GENE)],
            "chembl": [protein("UniProtKB:P04637", label="Cellular tumor antigen p53", xrefs=UNIPROT)],
            "igvf": [protein("UniProtKB:P04637", label="P53_HUMAN", xrefs=UNIPROT)],
        }
    )

    assert list(entity.parts) == ["igvf", "chembl", "ensembl"]
    assert entity.lead.label == "P53_HUMAN"


def test_the_best_entity_comes_first_from_any_source():
    entities = join_entities(
        {
            "chembl": [protein("UniProtKB:P04637", score=0.4, xrefs=UNIPROT)],
            "igvf": [protein("UniProtKB:P38398", score=0.9, xrefs={"uniprot": "UniProtKB:P38398"})],
        }
    )

    assert [entity.lead.id for entity in entities] == ["UniProtKB:P38398", "UniProtKB:P04637"]


def test_all_versions_of_a_translation_are_one():
    (entity,) = join_entities(
        {
            "ensembl": [protein("ENSP00000269305.4", xrefs=ENSP)],
            "igvf": [protein("ENSP00000269305", xrefs=ENSP)],
        }
    )

    assert {source: part.id for source, part in entity.parts.items()} == {
        "igvf": "ENSP00000269305",
        "ensembl": "ENSP00000269305.4",
    }


@pytest.mark.parametrize(
    ("entity", "other"),
    [
        (
            protein("UniProtKB:P04637", label="P53_HUMAN", xrefs=UNIPROT),
            protein("ENSP00000269305", label="P53_HUMAN", xrefs=ENSP),
        ),
        (
            protein("UniProtKB:P04637", xrefs=UNIPROT),
            protein("UniProtKB:P04637-2", xrefs={"uniprot": "UniProtKB:P04637-2"}),
        ),
        (
            part("ENSG00000141510", "gene", label="TP53", xrefs={"ensembl_gene": "ENSG00000141510"}),
            protein("UniProtKB:P04637", label="TP53", xrefs=UNIPROT, product_of=GENE),
        ),
        (protein("A", label="TP53", organism="Homo sapiens"), protein("B", label="TP53", organism="Homo sapiens")),
        (part("MONDO:0007915", "disease", label="lupus"), part("EFO:0002690", "disease", label="lupus")),
    ],
    ids=["entry and translation", "isoform", "gene and protein", "label alone", "name alone"],
)
def test_products_forms_and_namesakes_stay_apart(entity, other):
    assert ids(join_entities({"first": [entity], "second": [other]})) == [["first"], ["second"]]


def test_transcripts_are_one_by_the_accession_of_either_database():
    ensembl_part = part("ENST00000269305.9", "transcript", xrefs={"ensembl_transcript": "ENST00000269305"})
    catalog_part = part("ENST00000269305", "transcript", xrefs={"ensembl_transcript": "ENST00000269305"})

    assert ids(join_entities({"igvf": [catalog_part], "ensembl": [ensembl_part]})) == [["ensembl", "igvf"]]


def test_two_of_one_source_are_never_one():
    alleles = [part(f"NC_000011.10:5227001:T:{base}", "variant", label="rs334") for base in "ACG"]

    assert ids(join_entities({"igvf": alleles})) == [["igvf"]] * 3


@each_of(("kind", "source"), LEADING_SOURCES.items())
def test_one_source_leads_for_each_kind(kind, source):
    shared_id = {"pubmed": "PMID:1"}
    (entity,) = join_entities({"aaa": [part("a", kind, xrefs=shared_id)], source: [part("b", kind, xrefs=shared_id)]})

    assert (next(iter(entity.parts)), entity.lead.id) == (source, "b")


def test_the_best_part_has_the_score_though_another_part_leads():
    shared_id = {"uniprot": "UniProtKB:P04637"}
    (entity,) = join_entities(
        {
            "igvf": [protein("UniProtKB:P04637", score=0.5, xrefs=shared_id)],
            "chembl": [protein("UniProtKB:P04637", score=0.9, xrefs=shared_id)],
        }
    )

    assert (entity.best.score, next(iter(entity.parts))) == (0.9, "igvf")


def test_several_rows_of_one_entity_in_a_source_are_one_entity():
    gene = part("ENSG00000103064.15", "gene", label="SLC7A6", score=0.9)
    rows = [part(gene.id, "gene", label="SLC7A6"), gene, part("ENSG00000103061.13", "gene", label="SLC7A6OS"), gene]

    entities = join_entities({"ensembl": rows, "entrez": [part("NCBIGene:9057", "gene", label="SLC7A6")] * 2})

    assert sorted(entity.lead.id for entity in entities) == ["ENSG00000103061.13", gene.id, "NCBIGene:9057"]
    assert [entity.best.score for entity in entities] == [1.0, 1.0, 1.0]
