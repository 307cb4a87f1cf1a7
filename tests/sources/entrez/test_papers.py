"""The papers that NCBI links to a gene, and the retracted ones among them."""

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound
from biofact.sandbox.faults import Fault
from biofact.sandbox.services.entrez.corpus import NcbiGeneFacts, starter_genes
from biofact.sandbox.services.pubmed import facts
from biofact.sandbox.services.pubmed.corpus import starter_articles
from tests import virtual_time
from tests.marks import requirement
from tests.sources.entrez.made_genes import open_entrez
from tests.sources.entrez.test_client import all_pages, codes, on_sandbox

pytestmark = pytest.mark.quick


@requirement("000 R1-elink")
def test_papers_come_newest_first_page_by_page():
    async def scenario(entrez, _):
        return await all_pages(entrez.get_pubmed_links, entrez_id="NCBIGene:672", limit=4)

    pages = on_sandbox(scenario)
    numbers = [int(row.id.removeprefix("PMID:")) for page in pages for row in page.items]

    assert len(numbers) == pages[0].pagination.total_count > 8
    assert numbers == sorted(set(numbers), reverse=True)
    assert "ORDER" in codes(pages[0])


@requirement("000 R5-nolinks")
def test_a_gene_without_papers_differs_from_an_unknown_gene(gene_without_papers):
    async def scenario(entrez, _):
        empty = await entrez.get_pubmed_links(gene_without_papers)
        with pytest.raises(EntityNotFound):
            await entrez.get_pubmed_links("NCBIGene:999999999")
        return empty

    page = on_sandbox(scenario)

    assert (page.items, page.pagination.total_count, page.pagination.cursor) == ([], 0, None)


@pytest.fixture
def gene_without_papers():
    return next(f"NCBIGene:{gene.gene_id}" for gene in starter_genes() if gene.status == "live" and not gene.pmids)


def test_a_retracted_paper_is_marked_and_no_other():
    linked = NcbiGeneFacts(gene_id="1", symbol="ONE", pmids=("9500320", "11832527"))

    async def scenario():
        async with open_entrez([linked]) as entrez:
            return await entrez.get_pubmed_links("NCBIGene:1")

    page = virtual_time.run(scenario())

    assert [(row.id, row.retracted) for row in page.items] == [("PMID:11832527", None), ("PMID:9500320", True)]
    assert codes(page) == ["ORDER"]


def test_a_notice_reports_that_pubmed_did_not_list_retractions():
    async def scenario(entrez, sandbox):
        sandbox.faults.set(Fault("status", path="esummary", status=503, times=None))
        return await entrez.get_pubmed_links("NCBIGene:672", limit=3)

    page = on_sandbox(scenario)

    assert len(page.items) == 3
    assert "LEG_FAILED" in codes(page)


def test_titles_come_with_journal_and_year_and_take_no_further_request():
    linked = NcbiGeneFacts(gene_id="1", symbol="ONE", pmids=("9500320", "11832527", "20301347", "999999998"))

    async def scenario():
        async with open_entrez([linked]) as entrez:
            plain = await entrez.get_pubmed_links("NCBIGene:1")
            return plain, await entrez.get_pubmed_links("NCBIGene:1", titles=True)

    plain, page = virtual_time.run(scenario())
    known = {article.pmid: article for article in starter_articles()}

    assert [row.id for row in page.items] == [row.id for row in plain.items]
    assert all(row.title is row.journal is row.year is None for row in plain.items)
    assert [(row.title is None, row.retracted) for row in page.items] == [
        *((True, None), (False, None), (False, None), (False, True)),
    ]
    for row in page.items[1:]:
        article = known[row.id.removeprefix("PMID:")]
        assert row.title == facts.plain(article.title)
        assert row.journal == (article.journal.short if article.journal else facts.plain(article.book.title))
        assert str(row.year) == (article.published or article.book.contributed)[:4]
    (notice,) = [notice for notice in page.notices if notice.code == "NOT_COVERED"]
    assert notice.message == "PubMed has no summary of PMID:999999998."
    assert codes(plain) == ["ORDER"]


def test_a_page_of_titles_takes_one_request_beside_that_for_the_links():
    async def scenario(entrez, sandbox):
        page = await entrez.get_pubmed_links("NCBIGene:7157", limit=50, titles=True)
        return page, [request.path.rpartition("/")[2] for request in sandbox.requests]

    page, programs = on_sandbox(scenario)

    assert len(page.items) > 10
    assert sorted(programs) == ["elink.fcgi", "esummary.fcgi"]


def test_a_notice_reports_that_pubmed_did_not_send_titles():
    async def scenario(entrez, sandbox):
        sandbox.faults.set(Fault("status", path="esummary", status=503, times=None))
        return await entrez.get_pubmed_links("NCBIGene:672", limit=3, titles=True)

    page = on_sandbox(scenario)

    assert [row.title for row in page.items] == [None] * 3
    assert "Without titles and retractions of the articles." in page.notices[0].message


def test_papers_of_a_replaced_gene_are_those_of_the_current_one():
    async def scenario(entrez, _):
        return await entrez.get_pubmed_links("NCBIGene:9606"), await entrez.get_pubmed_links("NCBIGene:8666")

    old, new = on_sandbox(scenario)

    assert [row.id for row in old.items] == [row.id for row in new.items]
    assert "REPLACED" in codes(old)


def test_a_cursor_of_another_gene_is_refused():
    async def scenario(entrez, _):
        page = await entrez.get_pubmed_links("NCBIGene:672", limit=2)
        await entrez.get_pubmed_links("NCBIGene:7157", limit=2, cursor=page.pagination.cursor)

    with pytest.raises(AmbiguousQuery):
        on_sandbox(scenario)
