"""Filters of associations: translated for each endpoint, checked on every row, refused where none applies."""

import pytest

from biofact.core.errors import AmbiguousQuery
from tests.each_of import each_of
from tests.marks import requirement
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import allele, element
from tests.sources.igvf.made_graph import GENE_ID, associations_run, changed, edge, ends, eqtl, facts, spdi

pytestmark = pytest.mark.quick

VARIANTS, ELEMENTS = "/genes/variants", "/genes/genomic-elements"
P_VALUES = {1: 1.0, 2: 1.3, 3: 1.302, 4: 8.0, 5: None}
"""Negative log10 p-values of made eQTLs; 0.05 lies between the second and the third."""
CONTEXTS = {"liver": "UBERON_0002107", "right lobe of liver": "UBERON_0001114", "river": "UBERON_0000001"}


def tissue(name):
    return {"biological_context": name, "biosample_term": f"ontology_terms/{CONTEXTS[name]}"}


def regulatory(*edges, lies=None, **options):
    return associations_run(facts(*edges), GENE_ID, "regulatory", lies=lies, **options)


def by_p_value():
    known_values = {place: {} if value is None else {"neg_log10_pvalue": value} for place, value in P_VALUES.items()}
    return [eqtl(place, **fields) for place, fields in known_values.items()]


def of_tissues():
    return [eqtl(place, **tissue(name)) for place, name in enumerate(CONTEXTS)]


def subjects(catalog_run):
    return [row.subject for row in catalog_run.answer.items]


def filter_refusal(filters, relationship="regulatory", entity=GENE_ID, **options):
    """The error, which is raised before any request about associations."""
    with pytest.raises(AmbiguousQuery) as error:
        associations_run(facts(eqtl(1)), entity, relationship, filters=filters, **options)
    return error.value


# P-values


@requirement("003 T3-p_value")
def test_a_p_value_goes_out_as_its_logarithm():
    catalog_run = regulatory(*by_p_value(), filters={"p_value": 0.05})

    assert subjects(catalog_run) == [spdi(3), spdi(4)]
    [params] = catalog_run.params_of(VARIANTS)
    word, _, bound = params["neg_log10_pvalue"].partition(":")
    assert (word, float(bound)) == ("gte", pytest.approx(1.30103, abs=1e-5))
    assert "neg_log10_pvalue" not in catalog_run.params_of(ELEMENTS)[0]
    assert "DROPPED" not in codes(catalog_run.answer)


def test_rows_that_a_service_failed_to_filter_are_dropped_and_counted():
    catalog_run = regulatory(*by_p_value(), filters={"p_value": 0.05}, lies={VARIANTS: changed(neg_log10_pvalue=None)})

    assert subjects(catalog_run) == [spdi(3), spdi(4)]
    assert f"3 of {VARIANTS}" in message(catalog_run.answer, "DROPPED")


def test_rows_dropped_on_the_way_to_an_order_are_counted_once():
    """A service that ignores thresholds sends the same rows repeatedly."""
    rows = [eqtl(place, neg_log10_pvalue=9 if place < 200 else 0.5) for place in range(500)]
    lie = {VARIANTS: changed(neg_log10_pvalue=None)}
    catalog_run = regulatory(*rows, filters={"p_value": 0.05}, order_by="p_value", lies=lie)

    assert subjects(catalog_run) == [spdi(place) for place in range(25)]
    assert f"300 of {VARIANTS}" in message(catalog_run.answer, "DROPPED")


@requirement("003 T3-p_value")
@each_of(
    ("filter_value", "kept_values"),
    [(0.05, [1, 2]), ("0.05", [1, 2]), ("<=0.05", [1, 2]), ("<0.05", [1]), ("lt:0.05", [1]), ("5E-2", [1, 2])],
)
def test_p_values_that_the_service_cannot_filter_are_held_here(filter_value, kept_values):
    values = {1: 0.01, 2: 0.05, 3: 0.05004, 4: 0.06, 5: None}
    rows = [
        edge("element_gene", f"element_{place}", GENE_ID, **({"p_value": value} if value else {}))
        for place, value in values.items()
    ]
    catalog_run = regulatory(*rows, filters={"p_value": filter_value})

    assert [row.p_value for row in catalog_run.answer.items] == [values[place] for place in kept_values]
    assert "DROPPED" not in codes(catalog_run.answer)


def test_a_row_on_the_bound_is_no_stranger_where_the_bound_is_out():
    catalog_run = regulatory(eqtl(1, neg_log10_pvalue=3), eqtl(2, neg_log10_pvalue=4), filters={"p_value": "<0.001"})

    assert subjects(catalog_run) == [spdi(2)]
    assert "DROPPED" not in codes(catalog_run.answer)


@pytest.mark.parametrize("filter_value", [1, "1e-300", 5e-324])
def test_p_values_at_the_ends_of_the_scale_are_understood(filter_value):
    catalog_run = regulatory(
        eqtl(1, neg_log10_pvalue=320), eqtl(2, neg_log10_pvalue=0.5), filters={"p_value": filter_value}
    )

    assert subjects(catalog_run) == (
        [spdi(1), spdi(2)] if filter_value == 1 else [spdi(1)] if filter_value == "1e-300" else []
    )


# Tissues


@requirement("003 T3-tissue")
def test_a_tissue_is_given_in_words_and_rows_of_others_do_not_come():
    catalog_run = regulatory(*of_tissues(), filters={"tissue": "liver"})

    assert [params["biological_context"] for params in catalog_run.params_of(VARIANTS)] == ["liver"]
    assert catalog_run.answer.items
    assert {row.context for row in catalog_run.answer.items} <= {"liver", "right lobe of liver"}


@pytest.mark.parametrize("filter_value", ["livr", "hepatic", "kidney liver"])
def test_a_tissue_that_is_none_brings_no_row_of_another(filter_value):
    """The service sends rows of contexts with similar names."""
    catalog_run = regulatory(*of_tissues(), filters={"tissue": filter_value})

    assert catalog_run.answer.items == []
    if filter_value != "hepatic":
        assert "liver" in message(catalog_run.answer, "DROPPED").partition("contexts:")[2]


@pytest.mark.parametrize("filter_value", ["UBERON:0002107", "UBERON_0002107"])
def test_a_tissue_may_be_a_term(filter_value):
    catalog_run = regulatory(*of_tissues(), filters={"tissue": filter_value})

    assert [row.context_id for row in catalog_run.answer.items] == ["UBERON:0002107"]
    [params] = catalog_run.params_of(VARIANTS)
    assert params["biosample_term"] == "UBERON_0002107"
    assert "biological_context" not in params


def test_a_service_without_ears_for_tissues_shows_none_but_the_asked():
    lie = changed(biological_context=None)
    catalog_run = regulatory(*of_tissues(), filters={"tissue": "river"}, lies={VARIANTS: lie, ELEMENTS: lie})

    assert [row.context for row in catalog_run.answer.items] == ["river"]
    assert f"2 of {VARIANTS}" in message(catalog_run.answer, "DROPPED")


# Sources, methods, labels, ancestries


@pytest.mark.parametrize(("filter_value", "message"), [("GTEx", "EBI"), ("eQTL Catalogue", "EBI"), ("afgr", "AFGR")])
def test_sources_go_by_the_names_of_the_service(filter_value, message):
    catalog_run = regulatory(eqtl(1, source="EBI"), eqtl(2, source="AFGR"), filters={"source": filter_value})

    assert [params["source"] for params in catalog_run.params_of(VARIANTS)] == [message]
    assert [row.source for row in catalog_run.answer.items] == [message]


@requirement("003 T3-GWAS")
def test_the_gwas_catalog_is_asked_for_by_way_of_open_targets():
    rows = [
        edge("variant_phenotype", spdi(1), "EFO_0004611", source="OpenTargets", neg_log10_pvalue=9),
        edge("variant_phenotype", spdi(1), "EFO_0000001", source="IGVF", score=1.0),
    ]
    catalog_run = associations_run(facts(*rows), spdi(1), "genetic", filters={"source": "GWAS Catalog"})

    assert [(row.object, row.source) for row in catalog_run.answer.items] == [("EFO:0004611", "OpenTargets")]


def test_rows_without_a_source_get_that_of_their_endpoint_or_a_notice():
    """Predictions have no such field in the contract; two sources have them."""
    graph = facts(
        edge("predicted_element_gene", "element_1", GENE_ID, score=0.9, model="ENCODE-rE2G", cell_type="K562"),
        elements=(element(uid="element_1", chromosome="17", start=43044290, end=43044400, type="enhancer"),),
        variants=(allele(spdi(1)),),
    )
    page = associations_run(graph, spdi(1), "regulatory", filters={"source": "ENCODE"}).answer
    is_named = any("/variants/predictions" in notice.message for notice in page.notices if notice.code == "NOT_COVERED")
    assert page.items or is_named


@pytest.mark.parametrize(
    ("relationship", "filters", "valid"),
    [
        ("regulatory", {"source": "TCGA"}, ["AFGR", "EBI", "ENCODE", "IGVF"]),
        ("regulatory", {"method": "Western blot"}, ["eQTL", "spliceQTL", "ENCODE-rE2G", "Perturb-seq"]),
        ("regulatory", {"label": "QTL"}, ["eQTL", "spliceQTL"]),
        ("genetic", {"source": "OMIM"}, ["GenCC", "Orphanet", "ClinGen"]),
    ],
)
def test_values_that_there_are_not_are_refused_with_those_there_are(relationship, filters, valid):
    error = filter_refusal(filters, relationship)

    assert set(valid) <= set(error.hint.removeprefix("Valid for ").rstrip(".").replace(":", ",").split(", "))
    assert error.invalid_input == filters


def test_an_ancestry_without_linkage_is_refused_with_those_that_have_it():
    error = filter_refusal({"ancestry": "AMR"}, "ld", spdi(1))

    assert error.hint == "Valid for ancestry: AFR, EAS, EUR, SAS."


# Filters that not all have


@pytest.mark.parametrize(("relationship", "name"), [("genetic", "p_value"), ("structure", "score"), ("ld", "tissue")])
def test_a_filter_that_no_endpoint_has_is_refused(relationship, name):
    entity = spdi(1) if relationship == "ld" else GENE_ID
    error = filter_refusal({name: "0.5"}, relationship, entity)

    assert name in error.message
    assert "cannot be filtered by" in error.hint


def test_endpoints_without_a_filter_are_named_and_not_asked():
    rows = [eqtl(1, source="EBI"), edge("element_gene", "element_1", GENE_ID, source="ENCODE", score=0.9)]
    catalog_run = regulatory(*rows, filters={"score": 0.5})

    assert ends(catalog_run.answer.items) == [("element_1", GENE_ID)]
    words = message(catalog_run.answer, "NOT_COVERED")
    assert VARIANTS in words
    assert "score" in words
    assert catalog_run.params_of(VARIANTS) == []
    assert VARIANTS not in message(catalog_run.answer, "LEGS")


def test_filters_that_no_endpoint_has_together_are_refused():
    assert "score and label" in filter_refusal({"score": 0.5, "label": "eQTL"}).message.replace(
        "label and score", "score and label"
    )


# Numbers


@each_of(
    ("filter_value", "kept_values"),
    [
        (">0.7", [0.71, 0.9]),
        (0.7, [0.7, 0.71, 0.9]),
        ("gte:0.7", [0.7, 0.71, 0.9]),
        ("<= 0.7", [0.5, 0.7]),
        ("lt:.7", [0.5]),
        (1, []),
    ],
)
def test_a_bound_says_whether_it_is_in(filter_value, kept_values):
    rows = [
        edge("element_gene", f"element_{place}", GENE_ID, score=value) for place, value in enumerate([0.5, 0.7, 0.71])
    ]
    rows += [edge("element_gene", "element_8", GENE_ID, score=0.9), edge("element_gene", "element_9", GENE_ID)]
    catalog_run = regulatory(*rows, filters={"score": filter_value})

    assert [row.score for row in catalog_run.answer.items] == kept_values


def test_linkage_is_filtered_by_the_service_and_held_here():
    rows = [
        edge("variant_variant", spdi(0), spdi(place), ancestry="EUR", r2=place / 10, d_prime=1.0)
        for place in range(1, 10)
    ]
    rows.append(edge("variant_variant", spdi(0), spdi(11), ancestry="AFR", r2=0.99, d_prime=1.0))
    for lies in ({}, {"/variants/variant-ld": changed(r2=None, ancestry=None)}):
        catalog_run = associations_run(
            facts(*rows), spdi(0), "ld", filters={"r2": ">0.7", "ancestry": "eur"}, lies=lies
        )

        [params] = catalog_run.params_of("/variants/variant-ld")
        assert (params["r2"], params["ancestry"]) == ("gt:0.7", "EUR")
        assert [row.object for row in catalog_run.answer.items] == [spdi(8), spdi(9)]
    assert "8 of /variants/variant-ld" in message(catalog_run.answer, "DROPPED")


# Texts that are no filter


def test_an_unknown_filter_is_refused_with_those_there_are():
    error = filter_refusal({"pvalue": 0.05})

    assert {"p_value", "tissue", "r2"} <= set(error.hint.split("filters takes ")[1].rstrip(".").split(", "))


@each_of("name", ["p_value", "score", "tissue", "source"])
@each_of("value", [[0.05], {"lte": 0.05}, True, float("nan"), "'", " ", "\n"])
def test_values_of_another_type_are_refused(name, value):
    error = filter_refusal({name: value})

    assert name in error.message
    assert error.hint


@each_of("name", ["p_value", "r2"])
@each_of("value", ["abc", ">.", "1.2.3", "0.5 to 0.7", ">", "0,05", "=0.5", "inf"])
def test_text_that_is_no_number_is_refused(name, value):
    assert filter_refusal({name: value}, "all", spdi(1)).invalid_input == {name: value}


@each_of("value", [0, -0.1, 1.5, ">0.05", "gte:0.05"])
def test_a_value_that_is_no_greatest_p_value_is_refused(value):
    assert "greatest p-value" in filter_refusal({"p_value": value}).hint


def test_a_filter_of_null_is_none():
    catalog_run = regulatory(*by_p_value(), filters={"p_value": None})

    assert len(catalog_run.answer.items) == len(P_VALUES)
