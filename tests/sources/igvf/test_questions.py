"""Fourteen questions that people ask the Catalog, each answered in two calls at most, compared with starter facts."""

import pytest

from tests.marks import requirement
from tests.served import replies, server_of
from tests.sources.igvf import expected
from tests.sources.igvf.catalog_rows import starter, starter_edges
from tests.sources.igvf.expected import curie

pytestmark = pytest.mark.quick

BRCA1, CTCF, EYE = "ENSG00000012048", "ENSG00000102974", "Orphanet_101435"
LIVER = "UBERON:0002107"
SYMBOLS = {gene["_id"]: gene["name"] for gene in starter()["genes"]}


def answers(*calls):
    """The answers of a server of this source to one call, or to two of which the second may depend on the first."""
    assert len(calls) <= 2
    answers = replies(*calls, server=server_of("igvf"))
    assert [answer.text for answer in answers if answer.is_failure] == []
    return [answer.body for answer in answers]


def association_rows(entity_id, relationship, **options):
    """The rows of the only list that answers a question."""
    (page,) = answers(("find_associations", {"entity_id": entity_id, "relationship": relationship, **options}))
    return page["items"]


def edges(kind, **fields):
    """Starter edges with these ends and fields."""
    group = [row for row in starter_edges() if row.collection == kind]
    return [
        row for row in group if all(getattr(row, name, row.values.get(name)) == value for name, value in fields.items())
    ]


def variant(rsid):
    (spdi,) = [variant["_id"] for variant in starter()["variants"] if rsid in (variant["rsid"] or ())]
    return spdi


def elements_at(chromosome, position):
    return {
        genomic_element["_id"]
        for genomic_element in starter()["genomic_elements"]
        if (genomic_element["organism"], genomic_element["chr"]) == ("Homo sapiens", f"chr{chromosome}")
        and genomic_element["start"] < position <= genomic_element["end"]
    }


def region_of(entity):
    """The second call, for the entities that overlap the first."""
    place = "chr{chromosome}:{start}-{end}".format(**entity.body)
    return "search_region", {"region": place, "include": ["regulatory_elements"]}


def test_1_describe_tp53():
    (gene,) = answers(("get_entity", {"id": "TP53"}))

    (row,) = [gene for gene in starter()["genes"] if gene["name"] == "TP53"]
    assert gene == expected.gene(row)
    assert (row["chr"], row["start"], row["end"], row["hgnc"]) == ("chr17", 7661778, 7687546, "HGNC:11998")


def test_2_which_variants_lie_at_chr16_20000000():
    (contents,) = answers(("search_region", {"region": "chr16:20000000", "include": ["variants"]}))

    assert {variant["id"] for variant in contents["variants"]} == {
        "NC_000016.10:19999999:T:C",
        "NC_000016.10:19999999:T:G",
    }
    assert {variant["start"] for variant in contents["variants"]} == {20000000}


@requirement("003 T3-genetic")
def test_3_which_diseases_is_a_variant_associated_with():
    (row,) = association_rows("NC_000012.12:102917129:T:C", "genetic")

    assert (row["object"], row["object_name"]) == ("MONDO:0009861", "phenylketonuria")
    assert (row["statement"], row["gene"], row["source"]) == ("Pathogenic", "PAH", "ClinGen")
    assert row["publications"] == ["PMID:2574002", "PMID:9450897"]


def test_4_which_variants_are_relevant_to_lupus():
    rows = association_rows("lupus", "genetic")

    terms = {
        curie(ontology_term["term_id"])
        for ontology_term in starter()["ontology_terms"]
        if "lupus" in {ontology_term["name"], *(ontology_term["synonyms"] or ())}
    }
    filter_value = [row for row in edges("variant_phenotype") if curie(row.object) in terms]
    assert len(filter_value) == 5
    assert {(row["subject"], row["p_value"]) for row in rows} == {
        (row.subject, row.values["p_value"]) for row in filter_value
    }
    assert {row["object"] for row in rows} <= terms


def test_5_which_transcripts_does_the_protein_ctcf_have():
    rows = association_rows("CTCF", "structure", hint="protein")

    pairs = {(row["subject"], row["object"]) for row in rows if row["predicate"] == "biolink:translates_to"}
    proteins = [protein["_id"] for protein in starter()["proteins"] if "CTCF_HUMAN" in (protein["uniprot_names"] or ())]
    assert pairs == {(row.subject, row.object) for row in edges("transcript_protein") if row.object in proteins}
    assert {transcript for transcript, _ in pairs} == {"ENST00000264010", "ENST00000401394"}


@pytest.mark.parametrize(("question", "rsid", "count"), [(6, "rs62513865", 1), (10, "rs6994300", 2)])
def test_6_and_10_which_elements_lie_over_a_variant(question, rsid, count):
    result, contents = answers(("get_entity", {"id": rsid}), region_of)

    elements = {regulatory_element["id"] for regulatory_element in contents["regulatory_elements"]}
    assert elements == elements_at(result["chromosome"], result["start"]), question
    assert len(elements) == count


def test_7_which_eqtls_are_there_in_liver():
    rows = association_rows("liver", "regulatory", filters={"method": "eQTL"}, limit=100)

    filter_value = edges("variant_gene", method="eQTL", biosample_term="ontology_terms/UBERON_0002107")
    assert len(filter_value) >= 10
    assert {(row["subject"], row["object"]) for row in rows} == {(row.subject, row.object) for row in filter_value}
    assert {(row["context"], row["context_id"], row["method"]) for row in rows} == {("liver", LIVER, "eQTL")}


@requirement("003 T3-regulatory")
def test_8_which_elements_regulate_brca1_with_a_score_above_0_7():
    rows = association_rows("BRCA1", "regulatory", filters={"score": ">0.7"})

    filter_value = [row for row in edges("element_gene", object=BRCA1) if row.values.get("score", 0) > 0.7]
    assert len(filter_value) == 3
    assert {(row["subject"], row["score"]) for row in rows} == {
        (row.subject, row.values["score"]) for row in filter_value
    }


def test_9_which_are_the_five_best_eqtls_of_rare_genetic_eye_disease():
    arguments = {"filters": {"method": "eQTL"}, "order_by": "p_value", "limit": 5}
    rows = association_rows("Orphanet_101435", "regulatory", **arguments)

    genes = {row.subject for row in edges("gene_disease", object=EYE)}
    filter_value = [row for row in edges("variant_gene", method="eQTL") if row.object in genes]
    best = sorted(filter_value, key=lambda row: -row.values["neg_log10_pvalue"])[:5]
    assert [(row["subject"], row["object"]) for row in rows] == [(row.subject, row.object) for row in best]
    assert [row["p_value"] for row in rows] == [
        pytest.approx(10 ** -row.values["neg_log10_pvalue"], rel=1e-3) for row in best
    ]


@requirement("003 T3-functional")
def test_11_which_five_genes_are_co_expressed_with_brca1_by_ascending_z_score():
    rows = association_rows(BRCA1, "functional", filters={"source": "COXPRESdb"}, order_by="z_score", limit=5)

    known_values = [row for row in edges("gene_gene", source="COXPRESdb") if BRCA1 in {row.subject, row.object}]
    minimum = sorted(known_values, key=lambda row: row.values["z_score"])[:5]
    subjects = [({row["subject"], row["object"]} - {BRCA1}).pop() for row in rows]
    assert list(zip(subjects, (row["z_score"] for row in rows), strict=True)) == [
        (({row.subject, row.object} - {BRCA1}).pop(), row.values["z_score"]) for row in minimum
    ]
    assert [SYMBOLS[item] for item in subjects] == ["APOE", "CA2", "SORT1", "SERPINA1", "CHEK2"]


def test_12_which_genes_does_a_variant_affect():
    rows = association_rows("NC_000020.11:3658947:A:G", "regulatory")

    filter_value = edges("variant_gene", subject="NC_000020.11:3658947:A:G")
    assert {(row["object"], row["object_name"]) for row in rows} == {
        (row.object, SYMBOLS[row.object]) for row in filter_value
    }
    assert {row["object_name"] for row in rows} == {"ADAM33", "SIGLEC1"}


def test_13_is_rs6994300_an_eqtl():
    (row,) = association_rows("rs6994300", "regulatory", filters={"method": "eQTL"})

    (filter_value,) = edges("variant_gene", subject=variant("rs6994300"), method="eQTL")
    assert (row["subject"], row["object"], row["object_name"]) == (filter_value.subject, filter_value.object, "NCALD")
    assert (row["context"], row["effect"], row["effect_allele"]) == ("brain", filter_value.values["effect_size"], "A")


@requirement("003 T3-all")
@pytest.mark.parametrize("relationship", ["regulatory", "all"])
def test_14_which_are_five_variants_of_brca1(relationship):
    rows = association_rows("BRCA1", relationship, filters={"method": "eQTL"}, limit=5)

    pairs = {(row.subject, row.values["biological_context"]) for row in edges("variant_gene", object=BRCA1)}
    assert len({(row["subject"], row["context"]) for row in rows}) == 5
    assert {(row["subject"], row["context"]) for row in rows} <= pairs
