"""Associations without a recording, from rows by hand in the shape of today's contract."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.parse import StartEntity
from tests.each_of import each_of
from tests.recordings import needs_recordings
from tests.sources.igvf import contract
from tests.sources.igvf.made_rows import CTCF, EDNRA, REGULATORY, RS704
from tests.sources.igvf.made_rows_of_diseases import GENETIC, GWAS
from tests.sources.igvf.made_rows_of_proteins import FUNCTIONAL, GO, LD, PHYSICAL

pytestmark = pytest.mark.quick

GRAPH = {**REGULATORY, **GENETIC, **PHYSICAL, **FUNCTIONAL}
QTL = {"gene": EDNRA, "sequence_variant": RS704, "label": "eQTL", "source": "AFGR"}
DELETION = {
    "chr": "chr1",
    "pos": 913273,
    "ref": "TG",
    "alt": "T",
    "rsid": ["rs5772026"],
    "spdi": "NC_000001.11:913274:GGG:GG",
    "hgvs": "NC_000001.11:g.913277del",
    "_id": "NC_000001.11:913274:GGG:GG",
}


def read(path, row, params=None):
    return [association.model_dump(mode="json") for association in parse.associations(endpoints()[path], row, params)]


def first_association(path, row, params=None):
    [result] = read(path, row, params)
    return result


@each_of("label", GRAPH)
def test_a_row_is_read_whole(label):
    path, row, expected, *params = GRAPH[label]

    assert read(path, row, *params) == [expected]


@needs_recordings
@each_of("label", GRAPH)
def test_a_row_has_no_field_that_the_contract_does_not_have(label):
    path, row, *_ = GRAPH[label]

    assert [name for name in nested(row) if not contract.value_at(contract.answer(path), name)] == []


def nested(value, before=""):
    for name, message in value.items():
        yield before + name
        inner = message[0] if isinstance(message, list) and message else message
        yield from nested(inner, f"{before}{name}.") if isinstance(inner, dict) else ()


@each_of(
    ("message", "output"),
    [
        ({"neg_log10_pvalue": 3}, {"p_value": 0.001}),
        ({"neg_log10_pvalue": "3"}, {"p_value": 0.001}),
        ({"neg_log10_pvalue": "0"}, {"p_value": 1}),
        ({"p_value": 0.001}, {"p_value": 0.001}),
        ({"p_value": "1e-3", "neg_log10_pvalue": None}, {"p_value": 0.001}),
        ({"p_value": 0.001, "neg_log10_pvalue": 3.02}, {"p_value": 0.000955}),  # rounded, the more exact one
        ({"neg_log10_pvalue": 412}, {"neg_log10_p_value": 412}),
        ({"neg_log10_pvalue": "412.5", "p_value": 0}, {"neg_log10_p_value": 412.5}),
        ({"neg_log10_pvalue": "inf"}, {}),
        ({"neg_log10_pvalue": "not given"}, {}),
        ({"neg_log10_pvalue": None, "p_value": None}, {}),
        ({}, {}),
    ],
)
def test_a_p_value_is_read_in_every_written_form(message, output):
    result = first_association("/variants/genes", {**QTL, **message})

    assert {name: result[name] for name in ("p_value", "neg_log10_p_value") if name in result} == output
    assert "notices" not in result


def test_a_p_value_of_zero_is_not_shown_as_a_measurement():
    result = first_association("/variants/genes", {**QTL, "p_value": 0, "neg_log10_pvalue": None})

    assert "p_value" not in result


def test_p_values_that_contradict_each_other_come_with_a_notice_and_the_logarithm_s_is_shown():
    result = first_association("/variants/genes", {**QTL, "p_value": 0.01, "neg_log10_pvalue": 5})

    assert result["p_value"] == 1e-05
    [notice] = result["notices"]
    assert notice["code"] == "MISMATCH"
    assert "0.01" in notice["message"]
    assert "5" in notice["message"]


@each_of(
    ("message", "effect"),
    [
        ({"beta": 0, "direction": "", "beta_ci_lower": 0, "beta_ci_upper": 0}, None),
        ({"beta": 0, "direction": None}, None),
        ({"beta": 0, "direction": "+"}, 0),
        ({"beta": -0.5, "direction": "-"}, -0.5),
        ({"beta": None}, None),
        ({"beta": "0.125"}, 0.125),
    ],
)
def test_an_effect_of_a_study_is_read_if_it_has_one(message, effect):
    result = first_association("/variants/phenotypes", {**GWAS, **message})

    assert result.get("effect") == effect
    assert ("effect_type" in result, "effect_allele" in result) == (effect is not None, effect is not None)


def test_a_measured_effect_of_zero_is_kept():
    result = first_association("/variants/genes", {**QTL, "log2FC": 0})

    assert (result["effect"], result["effect_type"], result["effect_allele"]) == (0, "log2FC", "A")


@each_of(
    ("message", "lead"),
    [
        ({"lead_chrom": "17", "lead_pos": 28367840, "lead_ref": "G", "lead_alt": "A"}, None),
        ({"lead_pos": "28367841"}, "NC_000017.11:28367840:T:A"),
        ({"lead_chrom": "chrX", "lead_pos": 100}, "NC_000023.11:99:T:A"),
        ({"lead_chrom": "MT", "lead_pos": 100}, "NC_012920.1:99:T:A"),
        ({"lead_chrom": "chrM", "lead_pos": 100}, "NC_012920.1:99:T:A"),
        ({"lead_chrom": "GL000220.1"}, None),
        ({"lead_chrom": "23"}, None),
        ({"lead_chrom": None}, None),
        ({"lead_pos": None}, None),
    ],
)
def test_the_lead_variant_of_a_study_is_kept_if_it_is_another_one_on_a_known_chromosome(message, lead):
    assert first_association("/variants/phenotypes", {**GWAS, **message}).get("lead_variant") == lead


def test_a_deletion_that_leads_by_itself_is_no_other_variant_for_being_written_as_in_a_vcf():
    lead = {"lead_chrom": "1", "lead_pos": 913274, "lead_ref": "TG", "lead_alt": "T"}
    result = first_association("/variants/phenotypes", {**GWAS, **lead, "variant": DELETION, "rsid": DELETION["rsid"]})

    assert result["subject"] == "NC_000001.11:913274:GGG:GG"
    assert "lead_variant" not in result
    assert "notices" not in result


@each_of(
    ("qualifier", "predicate", "negated"),
    [
        (["involved_in"], "biolink:actively_involved_in", None),
        (["NOT|involved_in"], "biolink:actively_involved_in", True),
        (["NOT", "enables"], "biolink:enables", True),
        (["NOT|part_of"], "biolink:part_of", True),
        ("NOT|located_in", "biolink:located_in", True),
        (["a relation of tomorrow"], "biolink:related_to", None),
        ([], "biolink:related_to", None),
        (None, "biolink:related_to", None),
    ],
)
def test_a_denied_relation_is_negated(qualifier, predicate, negated):
    result = first_association("/gene-products/go-terms", {**GO, "qualifier": qualifier})

    assert (result["predicate"], result.get("negated")) == (predicate, negated)


@each_of(
    ("message", "publications"),
    [
        ({"pmids": ["http://pubmed.ncbi.nlm.nih.gov/12501224", "https://pubmed.ncbi.nlm.nih.gov/23764561/"]}, 2),
        ({"pmids": ["PMID:12501224", "12501224", "http://pubmed.ncbi.nlm.nih.gov/12501224"]}, 1),
        ({"pmids": ["", "none", None, "10.1000/x"]}, 0),
        ({"pmids": None}, 0),
        ({"pmids": []}, 0),
    ],
)
def test_publications_are_listed_once_each_in_every_written_form(message, publications):
    path, row, *_ = GENETIC["a pathogenic variant in full, which comes without an ID"]
    result = first_association(path, {**row, **message}).get("publications", [])

    assert result == ["PMID:12501224", "PMID:23764561"][:publications]


def test_many_publications_are_all_listed_as_no_other_tool_has_them():
    path, row, *_ = PHYSICAL["two proteins in full"]
    result = first_association(
        path, {**row, "pmids": [f"http://pubmed.ncbi.nlm.nih.gov/{1000 + n}" for n in range(25)]}
    )

    assert result["publications"] == [f"PMID:{1000 + n}" for n in range(25)]
    assert "notices" not in result


def test_a_symbol_that_is_not_the_gene_s_comes_with_a_notice_unless_it_is_a_synonym():
    path, row, *_ = GENETIC["a gene and a disease, by GenCC"]
    other, synonym = (
        first_association(path, {**row, "gene_symbol": "PKU1", "gene": {**row["gene"], "synonyms": synonyms}})
        for synonyms in ([], ["PKU1"])
    )

    assert [notice["code"] for notice in other["notices"]] == ["MISMATCH"]
    assert "notices" not in synonym
    assert other["subject_name"] == synonym["subject_name"] == "PAH"


@pytest.mark.parametrize("params", [StartEntity("variant", "NC_000011.10:9071938:C:T"), None])
def test_the_first_of_a_pair_stays_first_where_the_other_has_no_rsid(params):
    result = first_association("/variants/variant-ld", {**LD, "variant_2_rsid": None}, params)

    assert (result["subject"], result["object"]) == ("NC_000011.10:9071938:C:T", "NC_000011.10:9084088:A:G")


@each_of(
    ("path", "row"),
    [
        ("/variants/genes", {**QTL, "gene": None}),
        ("/variants/genes", {**QTL, "sequence_variant": []}),
        ("/variants/phenotypes", {**GWAS, "phenotype_id": None, "phenotype_term": None}),
        ("/proteins/proteins", {"protein_1": [CTCF], "protein_2": []}),
        ("/genes/coding-variants/scores", {"protein_change": None, "variants": None}),
        ("/gene-regulatory-network", {"response_gene": "genes/ENSG00000151617", "genomic_element": None}),
    ],
)
def test_a_row_without_an_end_is_ignored(path, row):
    assert read(path, row, StartEntity("variant", "NC_000017.11:28367839:G:A")) == []


@pytest.mark.parametrize(
    ("path", "row", "names"),
    [
        ("/variants/genes", {}, "sequence_variant and gene"),
        ("/variants/genes", {"variant": QTL["sequence_variant"], "target": QTL["gene"]}, "sequence_variant and gene"),
        ("/variants/variant-ld", {"variant_1_spdi": None, "variant_2_spdi": None}, "variant_1 and variant_2"),
        ("/genes/coding-variants/scores", {"protein_change": None}, "variants"),
    ],
)
def test_a_row_without_both_ends_is_a_change_of_the_service(path, row, names):
    with pytest.raises(UpstreamError, match=names):
        read(path, row, StartEntity("variant", "NC_000017.11:28367839:G:A"))


def test_a_term_without_an_id_is_not_replaced_by_its_name():
    assert read("/variants/phenotypes", {**GWAS, "phenotype_id": None}) == []
