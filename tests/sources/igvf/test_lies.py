"""A service that answers another question, in another shape or too much: never shown, never taken for no answer."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from tests import virtual_time
from tests.each_of import each_of
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import allele, element, gene, transcript
from tests.sources.igvf.made_graph import (
    GENE_ID,
    OTHER_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    associations_run,
    changed,
    client_of,
    edge,
    ends,
    eqtl,
    facts,
    fixed_lie,
    region,
    spdi,
)

pytestmark = pytest.mark.quick

VARIANTS, LINKAGE = "/genes/variants", "/variants/variant-ld"
PARAMS, STRANGE = spdi(1), spdi(500)
MONDO, OTHER_MONDO = "MONDO_0011450", "MONDO_0009861"

STRANGERS = [
    ("regulatory", "/genes/variants", "variant_gene", "gene_id", (None, GENE_ID), (None, OTHER_ID)),
    ("regulatory", "/variants/genes", "variant_gene", "variant_id", (PARAMS, None), (STRANGE, None)),
    ("regulatory", "/genes/genomic-elements", "element_gene", "gene_id", (None, GENE_ID), (None, OTHER_ID)),
    ("regulatory", "/variants/genomic-elements", "variant_element", "variant_id", (PARAMS, None), (STRANGE, None)),
    ("genetic", "/variants/phenotypes", "variant_phenotype", "variant_id", (PARAMS, None), (STRANGE, None)),
    ("genetic", "/variants/diseases", "variant_disease", "variant_id", (PARAMS, None), (STRANGE, None)),
    ("genetic", "/genes/diseases", "gene_disease", "gene_id", (GENE_ID, None), (OTHER_ID, None)),
    ("genetic", "/diseases/genes", "gene_disease", "disease_id", (None, MONDO), (None, OTHER_MONDO)),
    ("genetic", "/phenotypes/variants", "variant_phenotype", "phenotype_id", (None, MONDO), (None, OTHER_MONDO)),
    ("physical", "/proteins/proteins", "protein_protein", "protein_id", (PROTEIN_ID, None), (OTHER_PROTEIN_ID, None)),
    ("physical", "/variants/proteins", "variant_protein", "variant_id", (PARAMS, None), (STRANGE, None)),
    ("functional", "/genes/genes", "gene_gene", "gene_id", (GENE_ID, None), (OTHER_ID, None)),
    ("functional", "/genes/pathways", "gene_pathway", "gene_id", (GENE_ID, None), (OTHER_ID, None)),
    (
        "functional",
        "/gene-products/go-terms",
        "product_function",
        "query",
        (PROTEIN_ID, None),
        (OTHER_PROTEIN_ID, None),
    ),
    ("pharmacological", "/variants/drugs", "variant_drug", "variant_id", (PARAMS, None), (STRANGE, None)),
    ("structure", "/genes/transcripts", "gene_transcript", "gene_id", (GENE_ID, None), (OTHER_ID, None)),
    ("ld", LINKAGE, "variant_variant", "variant_id", (PARAMS, None), (STRANGE, None)),
]
"""Relationship, path, edge, the parameter that is ignored, and the requested and the strange end of its rows."""
OTHER_ENDS = {
    "variant_gene": (spdi(7), "ENSG00000000007"),
    "element_gene": ("element_7", ""),
    "variant_element": ("", "element_7"),
    "variant_phenotype": (spdi(7), "EFO_0000007"),
    "variant_disease": ("", "MONDO_0000007"),
    "gene_disease": ("ENSG00000000007", "MONDO_0000007"),
    "protein_protein": ("", "ENSP00000000007"),
    "variant_protein": ("", "ENSP00000000007"),
    "gene_gene": ("", "ENSG00000000007"),
    "gene_pathway": ("", "R-HSA-7"),
    "product_function": ("", "GO_0000007"),
    "variant_drug": ("", "PA7"),
    "gene_transcript": ("", "ENST00000000007"),
    "variant_variant": ("", spdi(7)),
}


def joined_edge(kind, pair):
    subject, other = (end or usual for end, usual in zip(pair, OTHER_ENDS[kind], strict=True))
    return edge(kind, subject, other)


# Rows about something else


@each_of("case", STRANGERS)
def test_rows_about_another_entity_are_never_shown(case):
    relationship, path, kind, parameter, params, strange = case
    graph = facts(joined_edge(kind, params), joined_edge(kind, strange), variants=(allele(PARAMS),), products=())
    entity, other = (next(filter(None, pair)) for pair in (params, strange))
    honest = associations_run(graph, entity, relationship).answer
    answer = associations_run(graph, entity, relationship, lies={path: changed(**{parameter: other})}).answer

    assert len(honest.items) == 1
    assert [pair for pair in ends(answer.items) if pair in ends(honest.items)] == []
    assert answer.items == []
    assert f"1 of {path}" in message(answer, "DROPPED")


@pytest.mark.parametrize("order", [{}, {"order_by": "p_value"}], ids=["in turn", "in order"])
def test_strangers_among_rows_are_dropped_and_counted(order):
    rows = [eqtl(place, GENE_ID if place % 3 else OTHER_ID, neg_log10_pvalue=90 - place) for place in range(60)]
    lie = {VARIANTS: changed(gene_id=None, method="eQTL")}
    page = associations_run(facts(*rows), GENE_ID, "regulatory", lies=lie, limit=50, **order).answer

    assert ends(page.items) == ends(row for row in rows if row.object == GENE_ID)
    assert f"20 of {VARIANTS}" in message(page, "DROPPED")


def test_strangers_behind_the_first_page_are_counted_where_they_come():
    rows = [eqtl(place, GENE_ID if place < 200 else OTHER_ID) for place in range(250)]

    async def scenario():
        lie = {VARIANTS: changed(gene_id=None, method="eQTL")}
        async with client_of(facts(*rows), lie) as (igvf, _):
            pages = [await igvf.find_associations(GENE_ID, "regulatory", limit=60)]
            while cursor := pages[-1].pagination.cursor:
                pages.append(await igvf.find_associations(GENE_ID, "regulatory", limit=60, cursor=cursor))
            return pages

    pages = virtual_time.run(scenario())
    assert [pair for page in pages for pair in ends(page.items)] == ends(rows[:200])
    assert any("50 of" in notice.message for page in pages for notice in page.notices if notice.code == "DROPPED")


def test_the_protein_of_another_gene_is_no_way_to_what_a_gene_binds():
    graph = facts(edge("protein_protein", OTHER_PROTEIN_ID, "ENSP00000000007"))
    lie = {"/genes/proteins": changed(gene_id=OTHER_ID)}

    try:
        page = associations_run(graph, GENE_ID, "physical", lies=lie).answer
    except UpstreamError:
        return
    assert page.items == []
    assert page.notices


def test_genes_of_another_disease_are_no_way_to_its_regulation():
    graph = facts(edge("gene_disease", OTHER_ID, OTHER_MONDO, source="GenCC"), eqtl(2, OTHER_ID))
    lie = {"/diseases/genes": changed(disease_id=OTHER_MONDO)}

    try:
        page = associations_run(graph, "MONDO:0011450", "regulatory", lies=lie).answer
    except UpstreamError:
        return
    assert page.items == []


def test_elements_of_other_places_are_not_those_of_a_region():
    graph = facts(
        edge("element_gene", "element_1", GENE_ID),
        edge("element_gene", "element_2", GENE_ID),
        elements=tuple(
            element(
                uid=f"element_{position}",
                chromosome="17",
                start=position * 1000,
                end=position * 1000 + 99,
                type="enhancer",
            )
            for position in (1, 2)
        ),
    )
    honest = associations_run(graph, "chr17:1000-1500", "regulatory").answer
    assert ends(honest.items) == [("element_1", GENE_ID)]

    lie = {"/genomic-elements/genes": changed(region="chr17:1999-2500")}
    page = associations_run(graph, "chr17:1000-1500", "regulatory", lies=lie).answer
    assert page.items == []
    assert "1 of /genomic-elements/genes" in message(page, "DROPPED")


@pytest.mark.parametrize("broken", [{"gene": None}, {"sequence_variant": {}}], ids=str)
def test_rows_without_an_end_are_counted(broken):
    graph = facts(eqtl(1), eqtl(2))

    def lie(answer, ask):
        first, *rest = answer(ask)
        return [{**first, **broken}, *rest]

    page = associations_run(graph, GENE_ID, "regulatory", lies={VARIANTS: lie}).answer
    assert ends(page.items) == [(spdi(2), GENE_ID)]
    assert f"1 of {VARIANTS}" in message(page, "DROPPED")


# Rows from elsewhere


@each_of("kind", ["genes", "transcripts", "variants", "regulatory_elements"])
@each_of("other", ["chr9:999-1100", "chr8:99-200"])
def test_rows_outside_of_a_region_are_dropped_and_counted(kind, other):
    chromosome, position = ("9", 1050) if other.startswith("chr9") else ("8", 150)
    fields = {"chromosome": chromosome, "start": position, "end": position + 10}
    accession = {"9": "NC_000009.12", "8": "NC_000008.11"}[chromosome]
    graph = facts(
        genes=(gene(uid="ENSG00000000007", symbol="G7", **fields),),
        transcripts=(transcript(uid="ENST00000000007", name="G7-201", **fields),),
        elements=(element(uid="element_7", type="enhancer", **fields),),
        variants=(allele(f"{accession}:{position}:A:G"),),
    )
    paths = {"regulatory_elements": "/genomic-elements"}
    lies = {paths.get(kind, f"/{kind}"): changed(region=other)}
    answer = region(graph, "chr9:100-200", include=[kind], lies=lies).answer

    assert getattr(answer, kind) == []
    assert message(answer, "DROPPED").startswith("1 of ")


# Shapes


SHAPES = {
    "an object": b"{}",
    "an object of rows": b'{"data": []}',
    "texts": b'["a", "b"]',
    "lists": b"[[]]",
    "nothing": b"",
    "cut JSON": b'[{"gene": "genes/ENSG',
    "a web page": b"<!DOCTYPE html><html></html>",
}


USUAL = ("an object", "texts", "nothing")


@each_of(("name", "order"), [*((name, {}) for name in SHAPES), ("an object", {"order_by": "r2"})])
def test_associations_of_another_shape_are_a_failure(name, order):
    fault = Fault("body", path=LINKAGE, body=SHAPES[name], times=None)

    with pytest.raises(UpstreamError):
        associations_run(facts(variants=(allele(PARAMS),)), PARAMS, "ld", fault, **order)


@each_of("name", USUAL)
@each_of("kind", ["genes", "variants"])
def test_contents_of_another_shape_are_a_failure(name, kind):
    fault = Fault("body", path=f"/{kind}", body=SHAPES[name], times=None)

    with pytest.raises(UpstreamError):
        region(facts(), "chr17:43044295-43045000", fault, include=[kind])


@pytest.mark.parametrize("name", USUAL)
def test_a_start_of_another_shape_is_not_an_absent_one(name):
    fault = Fault("body", path="/genes", body=SHAPES[name], times=None)

    with pytest.raises(UpstreamError):
        associations_run(facts(), GENE_ID, "structure", fault)


# Too much, and the same again


@pytest.mark.parametrize("order", [{}, {"order_by": "p_value"}], ids=["in turn", "in order"])
def test_a_page_of_more_rows_than_asked_for_is_not_the_page(order):
    legs = ("/genes/variants", "/genes/genomic-elements", "/gene-regulatory-network")
    rows = [{}] * 501
    lies = {path: fixed_lie(rows) for path in legs}

    with pytest.raises(UpstreamError, match="501 rows"):
        associations_run(facts(), GENE_ID, "regulatory", lies=lies, **order)


def test_a_region_with_more_genes_than_asked_for_is_refused():
    lies = {"/genes": lambda answer, ask: answer(ask) * 101}

    with pytest.raises(UpstreamError, match="101 rows"):
        region(facts(), "chr17:43044295-43045000", include=["genes"], limit=10, lies=lies)


def test_a_service_that_has_one_page_for_all_numbers_repeats_no_row():
    rows = [eqtl(place) for place in range(300)]

    async def scenario():
        async with client_of(facts(*rows), {VARIANTS: changed(page="0")}) as (igvf, _):
            first = await igvf.find_associations(GENE_ID, "regulatory", limit=100)
            cursor = first.pagination.cursor
            second = await igvf.find_associations(GENE_ID, "regulatory", limit=100, cursor=cursor)
            return [*ends(first.items), *ends(second.items)]

    try:
        output = virtual_time.run(scenario())
    except UpstreamError:
        return
    assert len(set(output)) == len(output)


def test_numbers_written_as_text_are_numbers():
    def lie(answer, ask):
        return [{**row, "neg_log10_pvalue": "9.5", "effect_size": "nan"} for row in answer(ask)]

    graph = facts(eqtl(1, neg_log10_pvalue=9.5))
    page = associations_run(graph, GENE_ID, "regulatory", lies={VARIANTS: lie}, filters={"p_value": 0.05}).answer
    assert [(row.p_value, row.effect) for row in page.items] == [(pytest.approx(10**-9.5, rel=1e-3), None)]
    assert "DROPPED" not in codes(page)


def test_several_rows_of_one_gene_are_one_gene():
    rows = [{**gene(GENE_ID, "SLC7A6", "16", 100, 900).values, "synonyms": ["LAT3"], "source": name} for name in "abc"]

    async def run():
        async with client_of(facts(), {"/genes": fixed_lie(rows)}) as (igvf, _):
            return await igvf.get_entity("SLC7A6")

    assert virtual_time.run(run()).id == GENE_ID
