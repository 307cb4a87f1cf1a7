"""Statements of papers about a gene: GeneRIFs, page by page."""

import json

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.sandbox.faults import Fault
from biofact.sandbox.services.entrez.corpus import GeneRifFact, NcbiGeneFacts
from biofact.sources.entrez import parse
from tests import virtual_time
from tests.each_of import each_of
from tests.sources.entrez import gene_xml as xml
from tests.sources.entrez.made_genes import database, open_entrez, replaced_gene, withdrawn
from tests.sources.entrez.test_client import all_pages, codes, on_sandbox

pytestmark = pytest.mark.quick


def rif(text, *pmids, date="2024-01-02"):
    return GeneRifFact(text, tuple(map(str, pmids)), date)


def gene(*rifs, gene_id=1):
    return NcbiGeneFacts(gene_id=str(gene_id), symbol="ONE", generifs=rifs)


def generif_pages(*genes, entrez_id="NCBIGene:1", page_size=100):
    async def scenario():
        async with open_entrez(genes) as entrez:
            return await all_pages(entrez.get_generifs, entrez_id=entrez_id, page_size=page_size)

    return virtual_time.run(scenario())


def texts(pages):
    return [row.text for page in pages for row in page.items]


def test_the_newest_pmid_comes_first_and_of_one_article_the_earliest():
    rows = (
        rif("old", 5),
        rif("second of nine", 9, date="2024-02-01"),
        rif("first of nine", 9, date="2024-01-01"),
        rif("two articles", 3, 12),
    )

    (page,) = generif_pages(gene(*rows))

    assert [(row.text, row.pmids, row.date) for row in page.items] == [
        ("two articles", ["PMID:12", "PMID:3"], "2024-01-02"),
        ("first of nine", ["PMID:9"], "2024-01-01"),
        ("second of nine", ["PMID:9"], "2024-02-01"),
        ("old", ["PMID:5"], "2024-01-02"),
    ]
    assert codes(page) == ["ORDER"]


@each_of("page_size", [1, 2, 3, 4, 7, 50])
def test_pages_are_full_disjoint_and_the_whole_list(page_size):
    rows = [rif(f"{number} {copy}", 100 + number // 3) for number in range(11) for copy in "ab"]

    pages = generif_pages(gene(*rows), page_size=page_size)

    assert sorted(texts(pages)) == sorted(row.text for row in rows)
    assert {page.pagination.total_count for page in pages} == {22}
    assert all(len(page.items) == page_size for page in pages[:-1])


@each_of("output", [1, 2, 3])
def test_a_cursor_stays_right_when_new_ones_come_in_at_the_head(output):
    before = [rif("a", 9), rif("b", 9, date="2024-02-01"), rif("c", 7), rif("d", 5)]
    news = [rif("new", 20), rif("new of nine", 9, date="2024-03-01")]

    async def scenario():
        async with open_entrez([gene(*before)]) as entrez:
            first = await entrez.get_generifs("NCBIGene:1", page_size=output)
        async with open_entrez([gene(*before, *news)]) as entrez:
            rest = await entrez.get_generifs("NCBIGene:1", page_size=50, cursor=first.pagination.cursor)
        return [row.text for row in first.items], [row.text for row in rest.items]

    first, rest = virtual_time.run(scenario())

    assert first == ["a", "b", "c", "d"][:output]
    assert [text for text in rest if not text.startswith("new")] == ["a", "b", "c", "d"][output:]
    assert "new" not in rest


def test_those_that_say_the_same_of_the_same_articles_are_one():
    (page,) = generif_pages(gene(rif("same", 5), rif("same", 5, date="2023-01-01"), rif("same", 6)))

    assert [(row.text, row.pmids, row.date) for row in page.items] == [
        ("same", ["PMID:6"], "2024-01-02"),
        ("same", ["PMID:5"], "2023-01-01"),
    ]


def test_a_gene_without_generifs_differs_from_an_unknown_and_a_withdrawn_one():
    genes = (gene(), withdrawn(2, "GONE"))

    (empty,) = generif_pages(*genes)

    assert (empty.items, empty.pagination.total_count, empty.pagination.cursor) == ([], 0, None)
    with pytest.raises(EntityNotFound, match="has no record"):
        generif_pages(*genes, entrez_id="NCBIGene:3")
    with pytest.raises(EntityNotFound, match="withdrew"):
        generif_pages(*genes, entrez_id="NCBIGene:2")


def test_those_of_a_replaced_gene_are_those_of_the_current_one():
    (page,) = generif_pages(gene(rif("current", 5)), replaced_gene(2, 1), entrez_id="NCBIGene:2")

    assert texts([page]) == ["current"]
    assert codes(page) == ["REPLACED", "ORDER"]


def test_a_cursor_of_another_gene_and_a_name_are_refused():
    async def scenario(entrez, _):
        page = await entrez.get_generifs("NCBIGene:7157", page_size=2)
        with pytest.raises(AmbiguousQuery):
            await entrez.get_generifs("NCBIGene:672", page_size=2, cursor=page.pagination.cursor)
        with pytest.raises(UnresolvedEntity):
            await entrez.get_generifs("TP53")

    on_sandbox(scenario)


def test_interactions_are_no_generifs():
    comments = xml.commentary("generif", heading="Interactions", comment=xml.commentary("generif", text="binds"))
    comments += xml.commentary("generif", heading="HIV-1 protein interactions", text="binds")
    comments += xml.commentary("generif", text="says")

    rows = parse.generifs(xml.gene(gene_ref=xml.gene_with_names("A"), comments=comments)).rows

    assert [(row.text, row.pmids, row.date) for row in rows] == [("says", [], None)]


def test_one_that_says_nothing_is_damage_and_no_empty_list():
    commentary = xml.commentary("generif", words="says")

    with pytest.raises(UpstreamError, match="A GeneRIF says nothing"):
        parse.generifs(xml.gene(gene_ref=xml.gene_with_names("A"), comments=commentary))


def test_the_list_is_asked_for_once_and_kept():
    async def scenario(entrez, sandbox):
        await all_pages(entrez.get_generifs, entrez_id="NCBIGene:7157", page_size=2)
        return [request.path for request in sandbox.requests]

    assert len(on_sandbox(scenario)) == 1


def test_the_generifs_of_another_gene_are_refused():
    lie = database(gene(rif("other", 5), gene_id=2))

    async def scenario(entrez, sandbox):
        body = b"".join(lie.fetch(["2"]))
        sandbox.faults.set(Fault("body", path="efetch", body=body, times=None))
        await entrez.get_generifs("NCBIGene:7157")

    with pytest.raises(UpstreamError):
        on_sandbox(scenario)


def test_a_rif_costs_little():
    async def scenario(entrez, _):
        return await entrez.get_generifs("NCBIGene:7157")

    assert set(json.loads(on_sandbox(scenario).items[0].model_dump_json())) == {"text", "pmids", "date"}
