"""The facts of rows beside their ends: of screens, of results that are not significant, of single cells."""

import pytest

from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from tests.marks import requirement
from tests.notices import codes, message
from tests.sources.igvf.made_graph import GENE_ID, PROTEIN_ID, associations_run, edge, eqtl, facts, spdi

pytestmark = pytest.mark.quick

BRCA1 = {"_id": GENE_ID, "name": "BRCA1", "chr": "chr17", "start": 43044294, "end": 43170245}
ELEMENT = {"_id": "element_1", "name": "element_1", "chr": "chr17", "start": 43044294, "end": 43044400}
SCREEN_FIELDS = {"genomic_element": ELEMENT, "gene": BRCA1, "method": "CRISPR screen", "source": "IGVF", "log2FC": -2.4}


def read(path, row):
    [item] = parse.associations(endpoints()[path], row)
    return item


def test_a_screen_names_its_perturbation_as_the_sign_of_an_effect_depends_on_it():
    senses = read("/genes/genomic-elements", {**SCREEN_FIELDS, "crispr_modality": "knockout", "significant": True})

    assert (senses.modality, senses.significant, senses.effect) == ("knockout", True, -2.4)
    assert senses.predicate == "biolink:regulates"


def test_a_result_that_is_not_significant_does_not_regulate():
    senses = read("/genes/genomic-elements", {**SCREEN_FIELDS, "significant": False})

    assert (senses.predicate, senses.significant) == ("biolink:related_to", False)


@pytest.mark.parametrize(
    ("assertion", "negated"),
    [("Benign", True), ("Likely Benign", True), ("Pathogenic", None), ("Uncertain Significance", None)],
)
def test_a_benign_variant_is_not_associated_with_the_disease(assertion, negated):
    row = {"sequence_variant": "variants/NC_000017.11:1:A:G", "disease": "ontology_terms/MONDO_0009861"}
    senses = read("/variants/diseases", {**row, "assertion": assertion, "source": "ClinGen"})

    assert (senses.statement, senses.negated) == (assertion, negated)


def test_single_cells_stand_beside_the_tissue():
    cells = {"cell_annotation": "hepatocyte", "cell_annotation_term": "ontology_terms/CL_0000182"}
    senses = read("/genes/genomic-elements", {**SCREEN_FIELDS, **cells, "biological_context": "liver"})

    assert (senses.context, senses.cell_annotation, senses.cell_annotation_id) == ("liver", "hepatocyte", "CL:0000182")


@pytest.mark.parametrize("p_value", [0, -3, 5.012])
def test_an_impossible_p_value_is_dropped_with_a_notice(p_value):
    senses = read("/genes/genomic-elements", {**SCREEN_FIELDS, "p_value": p_value})

    assert senses.p_value is None
    assert [notice.code for notice in senses.notices] == ["MISMATCH"]


@requirement("003 T3-GTEx")
def test_a_notice_reports_a_source_that_the_catalog_does_not_distinguish_from_another():
    page = associations_run(facts(eqtl(1, source="EBI")), GENE_ID, "regulatory", filters={"source": "GTEx"}).answer

    assert [row.source for row in page.items] == ["EBI"]
    assert "GTEx" in message(page, "QUERY_UNDERSTOOD")


def test_rows_of_two_sources_are_of_each():
    graph = facts(
        edge("protein_protein", "ENSP00000350283", "ENSP00000260947", source="BioGRID; IntAct"),
        edge("protein_protein", "ENSP00000350283", "ENSP00000267101", source="BioGRID"),
    )
    answer = associations_run(graph, "ENSP00000350283", "physical", filters={"source": "BioGRID"}).answer
    first_answer = associations_run(graph, "ENSP00000350283", "physical", filters={"source": "IntAct"}).answer

    assert (len(answer.items), [row.source for row in first_answer.items]) == (2, ["BioGRID; IntAct"])


def test_a_filter_that_the_service_does_not_know_reads_whole_pages():
    """One row of 1,600 passes the filter; a page has 500."""
    rows = [edge("element_gene", f"element_{place:04}", GENE_ID, score=0.1) for place in range(1600)]
    rows[900] = edge("element_gene", "element_0900", GENE_ID, score=0.9)
    catalog_run = associations_run(facts(*rows), GENE_ID, "regulatory", filters={"score": ">0.7"})

    assert [row.score for row in catalog_run.answer.items] == [0.9]
    assert len(catalog_run.params_of("/genes/genomic-elements")) == 4


def test_a_notice_counts_rows_read_without_a_match():
    rows = [edge("variant_protein", spdi(place), PROTEIN_ID, score=0.1) for place in range(520)]
    page = associations_run(facts(*rows), PROTEIN_ID, "physical", filters={"score": ">0.7"}).answer

    assert page.items == []
    assert page.pagination.cursor
    assert "0 of the 400 read so far" in message(page, "LEGS")
    assert "DROPPED" not in codes(page)
