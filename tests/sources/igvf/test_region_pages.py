"""Regions to their end by their cursor, by the name of a gene there, and elements that lead back to their place."""

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity, UpstreamError
from tests.notices import message
from tests.sources.igvf.catalog_rows import element
from tests.sources.igvf.made_graph import GENE_ID, MOUSE_ID, edge, facts, fixed_lie, region, run, spdi, variant
from tests.sources.igvf.test_regions import of_spans, rows_behind, spaced_rows

pytestmark = pytest.mark.quick


def whole(graph, text, **options):
    """All pages of a region, by their cursors."""

    async def ask(igvf, _):
        pages = [await igvf.search_region(text, **options)]
        while cursor := pages[-1].cursor:
            pages.append(await igvf.search_region(text, cursor=cursor, **options))
            assert len(pages) < 100
        return pages

    return run(ask, graph)


@pytest.mark.parametrize(
    ("length", "step", "calls"),
    [(50_000, 500, 1), (120_000, 1000, 3), pytest.param(500_000, 7000, 10, marks=pytest.mark.sweep)],
)
def test_variants_of_a_long_region_are_whole_by_its_cursor(length, step, calls):
    """Five windows a call: the counts of requests are those of the notice."""
    catalog_run = whole(spaced_rows(step, length), rows_behind(length), include=["variants"], limit=100)

    ids = [variant.id for page in catalog_run.answer for variant in page.variants]
    assert sorted(ids) == sorted(spdi(position) for position in range(0, length, step))
    assert len(catalog_run.answer) == calls
    assert len(catalog_run.params_of("/variants")) <= 5 * calls
    windows = [variant_window for page in catalog_run.answer for variant_window in page.variant_windows]
    assert sum(window.variant_count for window in windows) == sum(window.listed for window in windows) == len(ids)


def test_a_dense_window_is_whole_by_its_cursor():
    catalog_run = whole(spaced_rows(3, 3000), rows_behind(12_000), include=["variants"], limit=90)

    ids = [variant.id for page in catalog_run.answer for variant in page.variants]
    assert len(ids) == len(set(ids)) == 1000
    assert all(page.variants for page in catalog_run.answer[:-1])


def test_genes_and_elements_are_whole_by_the_cursor_and_one_that_ended_is_absent():
    spans = [(150 + position, 400 + position) for position in range(230)]
    graph = of_spans(*spans)
    catalog_run = whole(graph, "chr9:100-1000", include=["genes", "regulatory_elements", "variants"], limit=60)

    for kind, key in (("genes", "genes"), ("regulatory_elements", "genomic_elements")):
        ids = [item.id for page in catalog_run.answer for item in getattr(page, kind)]
        assert sorted(ids) == sorted(item["_id"] for item in graph[key] if item["chr"] == "chr9")
    assert [page.variants for page in catalog_run.answer] == [[], None, None, None]


def test_a_cursor_of_another_region_is_refused():
    async def ask(igvf, _):
        first = await igvf.search_region(rows_behind(60_000), include=["variants"])
        with pytest.raises(AmbiguousQuery, match="cursor"):
            await igvf.search_region(rows_behind(70_000), include=["variants"], cursor=first.cursor)

    run(ask, spaced_rows(500, 60_000))


# By name


def test_a_gene_s_name_stands_for_its_place():
    catalog_run = region(facts(), "brca1", include=["genes"])

    assert catalog_run.answer.region == "chr17:43044295-43170245"
    assert [gene.id for gene in catalog_run.answer.genes] == [GENE_ID]
    assert "BRCA1" in message(catalog_run.answer, "QUERY_UNDERSTOOD")
    assert "GRCh37" not in " ".join(notice.message for notice in catalog_run.answer.notices)
    assert region(facts(), "Brca1", organism="mouse", include=["genes"]).answer.genes[0].id == MOUSE_ID


def test_a_name_without_a_place_is_refused_as_no_region():
    with pytest.raises(EntityNotFound, match="BRCAX"):
        region(facts(), "BRCAX")
    with pytest.raises(AmbiguousQuery, match="not a region"):
        region(facts(), "MONDO:0011450")


def test_an_older_assembly_s_place_leads_to_the_gene_s_name():
    """S3: BRCA1 lies in chr17:41M-42M on GRCh37; the Catalog has no places of GRCh37."""
    answer = region(facts(), "chr17:41000000-42000000", include=["genes"]).answer

    assert answer.genes == []
    assert "give a gene's name as the region" in message(answer, "ASSUMED")


# Elements by their accession


ACCESSION = "EH38E1310547"
ELEMENT = element(uid=ACCESSION, chromosome="9", start=1000, end=1200, type="candidate cis regulatory element")


def test_an_accession_that_was_shown_leads_to_its_place():
    async def ask(igvf, _):
        region = await igvf.search_region("chr9:900-1300", include=["regulatory_elements"])
        with pytest.raises(UnresolvedEntity, match="only its place") as raises:
            await igvf.get_entity(region.regulatory_elements[0].id.lower())
        recovery = raises.value.recovery
        second_page = await igvf.search_region(**recovery.arguments)
        with pytest.raises(UnresolvedEntity) as of_rows:
            await igvf.find_associations(ACCESSION, "regulatory")
        rows = await igvf.find_associations(**of_rows.value.recovery.arguments)
        return recovery, second_page, rows

    graph = facts(edge("element_gene", ACCESSION, GENE_ID), elements=(ELEMENT,))
    recovery, repeat, rows = run(ask, graph).answer

    assert recovery.arguments == {"region": "chr9:1000-1200"}
    assert [regulatory_element.id for regulatory_element in repeat.regulatory_elements] == [ACCESSION]
    assert [(row.subject, row.object) for row in rows.items] == [(ACCESSION, GENE_ID)]


def test_an_accession_that_was_never_shown_says_why_it_cannot_be_asked():
    async def ask(igvf, _):
        with pytest.raises(UnresolvedEntity, match="takes no name of an element") as raises:
            await igvf.get_entity(ACCESSION)
        return raises.value

    error = run(ask, facts(elements=(ELEMENT,))).answer
    assert error.recovery is None
    assert "search_region" in error.hint
    assert "does not know" not in error.message


def test_a_renamed_count_is_reported():
    lies = {"/variants/region-summary": fixed_lie({"number": 3, "by_method": []})}
    answer = region(spaced_rows(500, 1000), rows_behind(1000), lies=lies).answer

    assert [variant_window.variant_count for variant_window in answer.variant_windows] == [None]
    assert "counts of variants" in message(answer, "LEG_FAILED")


@pytest.mark.parametrize(
    ("kind", "path", "name"),
    [
        ("genes", "/genes", "start"),
        ("regulatory_elements", "/genomic-elements", "chr"),
        ("variants", "/variants", "pos"),
    ],
)
def test_a_renamed_place_is_a_failure_and_no_empty_region(kind, path, name):
    def lie(answer, ask):
        return [{("new" if key == name else key): value for key, value in row.items()} for row in answer(ask)]

    graph = facts(variants=(variant(3),), elements=(element(uid="E1", chromosome="17", start=43044299, end=43044400),))
    with pytest.raises(UpstreamError, match=name):
        region(graph, rows_behind(500), include=[kind], lies={path: lie})


def test_doubled_and_extra_rows_of_a_region_are_listed_once():
    def lie(answer, ask):
        return [{**row, "novel": 1} for row in answer(ask)] * 2

    answer = region(facts(variants=(variant(3),)), rows_behind(500), lies={"/variants": lie, "/genes": lie}).answer
    assert [variant.id for variant in answer.variants] == [spdi(3)]
    assert [gene.id for gene in answer.genes] == [GENE_ID]
    assert "listed once: 1 rows" in message(answer, "MISMATCH")
