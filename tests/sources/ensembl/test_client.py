"""The client on the sandbox: versions, retired IDs, other species, pages, requests, failures."""

import asyncio

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.sandbox import Fault
from tests.each_of import each_of
from tests.marks import requirement
from tests.notices import codes
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

TP53 = "ENSG00000141510"
ONCE_A_DAY = {"/info/species", "/info/data"}


def run(ask, *faults, settings=None):
    """The result of ``ask`` with a client on a sandbox, and the paths that it requested."""

    async def scenario(ensembl, sandbox):
        answer = await ask(ensembl)
        return answer, [request.path for request in sandbox.requests if request.path not in ONCE_A_DAY]

    return on_sandbox("ensembl", scenario, *faults, settings=settings)


def search(query, *faults, **options):
    return run(lambda ensembl: ensembl.search_genes(query, **options), *faults)


def gene(ensembl_id, **options):
    return run(lambda ensembl: ensembl.get_gene(ensembl_id, **options))[0]


MICE = ["mouse", "Mouse", "Mus musculus", "mus_musculus", "10090", 10090, "txid10090", "mice", "house mouse"]


@each_of(
    ("gene_id", "symbol", "species"),
    [
        ("ENSG00000141510", "TP53", "homo_sapiens"),
        ("ENSMUSG00000059552", "Trp53", "mus_musculus"),
        ("ENSRNOG00000010756", "Tp53", "rattus_norvegicus"),
        ("ENSDARG00000035559", "tp53", "danio_rerio"),
        ("FBgn0039044", "p53", "drosophila_melanogaster"),
        ("WBGene00003001", "lin-12", "caenorhabditis_elegans"),
        ("YFL039C", "ACT1", "saccharomyces_cerevisiae"),
    ],
)
def test_genes_of_every_model_organism_are_looked_up_and_found_by_id(gene_id, symbol, species):
    whole, slim = gene(gene_id), gene(gene_id, slim=True)
    page, _ = search(gene_id.lower())

    assert (whole.id, whole.symbol, whole.species) == (gene_id, symbol, species)
    assert slim.model_dump(exclude={"notices"}, exclude_none=True).keys() == {"id", "symbol", "biotype"}
    assert [(row.id, row.match) for row in page.items] == [(gene_id, "id")]


@each_of(
    ("transcript_id", "parent"),
    [("ENST00000269305", TP53), ("YFL039C_mRNA", "YFL039C"), ("FBtr0084360", "FBgn0039044")],
)
def test_transcripts_of_other_organisms_are_looked_up_too(transcript_id, parent):
    transcript, _ = run(lambda ensembl: ensembl.get_transcript(transcript_id))

    assert (transcript.id, transcript.parent_gene) == (transcript_id, parent)


def test_a_current_version_is_as_good_as_none():
    current = gene(TP53).version

    assert gene(f"{TP53}.{current}").notices == gene(TP53).notices


def test_another_version_gets_the_current_record_and_a_notice():
    old = gene(f"{TP53}.1")

    assert (old.id, old.replaces) == (TP53, None)
    assert [notice.message for notice in old.notices if notice.code == "REPLACED"] == [
        f"{TP53}.1 is not current; this is version {old.version}."
    ]


def test_a_retired_id_with_one_replacement_leads_to_it():
    replaced_gene = gene("ENSG00000199004")

    assert (replaced_gene.id, replaced_gene.symbol, replaced_gene.replaces) == (
        "ENSG00000284190",
        "MIR21",
        "ENSG00000199004",
    )
    assert codes(replaced_gene)[0] == "REPLACED"
    assert replaced_gene.cross_references.hgnc == "HGNC:31586"


def test_replacements_are_followed_to_the_end():
    assert gene("ENSG00999900003").symbol == "NEFL"


def test_several_replacements_are_listed_and_none_is_chosen():
    with pytest.raises(EntityNotFound) as raises:
        gene("ENSG00999900001")

    assert "ENSG00000172062 (0.94), ENSG00000205571 (0.88)" in raises.value.message
    assert raises.value.recovery.arguments == {"ensembl_id": "ENSG00000172062"}


def test_a_withdrawn_id_says_after_which_release():
    with pytest.raises(EntityNotFound, match="withdrawn from Ensembl after release 81; nothing replaced it"):
        gene("ENSG00999900002")


def test_a_retired_transcript_leads_to_what_replaced_it():
    transcript, _ = run(lambda ensembl: ensembl.get_transcript("ENST00999900001"))

    assert (transcript.id, transcript.replaces) == ("ENST00000269305", "ENST00999900001")


@requirement("001 FR-008")
@each_of("text", ["ENSP00000269305", "ENSE00002419584", "TP53", "ensg00000141510", "", "ENSG1"])
def test_anything_but_a_gene_id_is_refused(text):
    with pytest.raises(UnresolvedEntity):
        gene(text)


# Cross-references


def test_projected_and_foreign_names_are_ignored():
    mouse = gene("ENSMUSG00000059552").cross_references

    assert mouse.hgnc is None
    assert mouse.alliance == "MGI:98834"


def test_genes_on_alternate_chromosomes_come_after_the_one_on_the_chromosome():
    page, _ = search("GPSM3")

    assert [(row.id, row.chromosome) for row in page.items] == [
        ("ENSG00000213654", "6"),
        ("ENSG00000236697", "HSCHR6_MHC_MANN_CTG1"),
    ]
    assert "SHARED_MATCH" not in codes(page)


def test_genes_that_share_a_symbol_are_all_named():
    page, _ = search("MKKS")

    (notice,) = (notice for notice in page.notices if notice.code == "SHARED_MATCH")
    assert all(row.id in notice.message for row in page.items)
    assert len(page.items) == 3


# Number of requests of a search


@each_of(
    ("query", "options", "limit"),
    [
        ("tumor protein", {}, 2),
        ("tumor protein", {"species": "human"}, 2),
        ("insulin", {}, 2),
        ("BRCA1", {}, 2),
        ("BRCA1", {"species": "human"}, 2),
        ("BRCA1 human", {}, 2),
        ("HER2", {}, 3),
        ("p53", {"species": "mouse"}, 3),
        ("TNF-\u03b1", {}, 3),
        ("BRAC1", {}, 4),
        ("EGRF", {}, 4),
        ("NOTHC", {"species": "human"}, 4),
        ("INSLUIN", {}, 4),
        ("Trp53", {}, 4),
        ("tumer protein", {}, 3),
        ("INSULIN", {}, 4),
    ],
)
def test_a_page_costs_few_requests(query, options, limit):
    page, request = search(query, **options)

    assert page.items
    assert len(request) <= limit, request


@each_of("query", ["qqqzzz99", "QQQZZZ", "qqqzzz", "qqq zzz", "ENSG99999999999", "ENSG00999900002"])
@each_of("options", [{}, {"species": "mouse"}])
def test_a_miss_costs_four_requests_at_most(query, options):
    page, request = search(query, **options)

    assert (page.items, page.pagination.total_count, codes(page)) == ([], 0, ["UNMATCHED"])
    assert len(request) <= 4, request


# Pages of searches


async def all_pages(ensembl, query, page_size, **options):
    pages = [await ensembl.search_genes(query, page_size=page_size, **options)]
    while cursor := pages[-1].pagination.cursor:
        pages.append(await ensembl.search_genes(query, page_size=page_size, cursor=cursor, **options))
        assert len(pages) < 200
    return pages


def assert_pages(query, page_size, options):
    """The pages are disjoint and none is empty, and their scores never rise."""
    pages, _ = run(lambda ensembl: all_pages(ensembl, query, page_size, **options))
    rows = [row for page in pages for row in page.items]

    assert len({row.id for row in rows}) == len(rows)
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    assert all(len(page.items) <= page_size for page in pages)
    assert all(page.items for page in pages[:-1])


HUMAN, MOUSE = {"species": "human"}, {"species": "mouse"}


@requirement("001 FR-004")
@each_of(
    ("query", "page_size", "options"),
    [
        *(("tumor protein", 1, HUMAN), ("tumor protein", 3, {}), ("BRCA1", 3, {}), ("p53", 1, {})),
        *(("insulin", 3, MOUSE), ("protein", 50, {}), ("Trp53", 1, MOUSE), ("BRAC1", 1, HUMAN)),
    ],
)
def test_pages_are_disjoint_and_end_and_scores_never_rise(query, page_size, options):
    assert_pages(query, page_size, options)


@pytest.mark.sweep
@each_of("query", ["tumor protein", "BRCA1", "p53", "insulin", "protein", "Trp53", "BRAC1"])
@each_of("page_size", [1, 3, 50])
@each_of("options", [{}, HUMAN, MOUSE])
def test_pages_of_every_size_are_disjoint_and_end_and_scores_never_rise(query, page_size, options):
    assert_pages(query, page_size, options)


@requirement("001 FR-003")
@each_of("query", ["tumor protein", "protein", "BRCA1", "KRAS"])
def test_all_species_are_searched_human_first(query):
    pages, _ = run(lambda ensembl: all_pages(ensembl, query, 10))
    species = [row.species for page in pages for row in page.items]

    assert species[0] == "homo_sapiens"
    assert species.index(next(name for name in species if name != "homo_sapiens")) == species.count("homo_sapiens")
    assert len(set(species)) > 1
    assert "ORDER" in codes(pages[0])  # on page 1, which may hold human genes alone


def test_the_pages_of_different_sizes_hold_the_same_genes():
    def ids(size):
        pages, _ = run(lambda ensembl: all_pages(ensembl, "protein", size, species="human"))
        return {row.id for page in pages for row in page.items}

    assert ids(2) == ids(7) == ids(100)


def test_a_cursor_of_another_query_is_refused():
    async def ask(ensembl):
        page = await ensembl.search_genes("tumor protein", page_size=1)
        return await ensembl.search_genes("insulin", page_size=1, cursor=page.pagination.cursor)

    with pytest.raises(AmbiguousQuery, match="cursor"):
        run(ask)


def test_slim_rows_hold_identity_score_and_match():
    page, _ = search("BRCA1", slim=True)

    assert page.items[0].model_dump(exclude_none=True, exclude={"notices"}).keys() == {
        "id",
        "symbol",
        "biotype",
        "score",
        "match",
    }


# Species of searches


@each_of("species", MICE)
def test_a_species_is_meant_in_any_spelling(species):
    page, _ = search("Trp53", species=species)

    assert [row.symbol for row in page.items][:1] == ["Trp53"]
    assert {row.species for row in page.items} == {"mus_musculus"}


@each_of("query", ["Trp53 mouse", "mouse Trp53", "Trp53 (mouse)", "Trp53 in mice", "Trp53 Mus musculus"])
def test_a_species_in_the_query_counts_and_is_reported(query):
    page, _ = search(query)

    assert {row.species for row in page.items} == {"mus_musculus"}
    assert "ASSUMED" in codes(page)


def test_a_species_that_only_the_list_knows_counts_beside_a_symbol():
    page, _ = search("TP53 chicken")

    assert codes(page) == ["UNMATCHED"]
    assert "gallus_gallus" in page.notices[0].message


def test_a_gene_of_another_species_is_not_let_through():
    page, _ = search("ENSMUSG00000059552", species="human")

    assert page.items == []
    assert page.notices[0].message == "ENSMUSG00000059552 is Trp53 of mus_musculus, not of homo_sapiens."


# Failures


NO_TEXT = Fault("status", service="ebisearch", status=503, times=None)


def test_symbols_are_found_while_the_search_by_words_is_down():
    page, _ = search("TP53 binding", NO_TEXT)

    assert [row.symbol for row in page.items] == ["TP53"]
    assert codes(page) == ["LEG_FAILED"]


def test_an_alias_in_mouse_spelling_is_found_while_the_search_by_words_is_down():
    page, _ = search("Trp53", NO_TEXT)

    assert [(row.symbol, row.match) for row in page.items] == [("TP53", "alias")]
    assert codes(page) == ["LEG_FAILED"]


@each_of("query", ["tumor protein", "qqqzzz99"])
def test_a_failed_search_is_never_an_empty_list(query):
    with pytest.raises(UpstreamError, match="EBI Search"):
        search(query, NO_TEXT)


def test_a_failure_in_the_disguise_of_a_refusal_is_tried_again():
    fault = Fault("status", status=400, body=b'{"error":"something bad has happened"}')

    page, request = search("BRCA1", fault)
    assert page.items[0].symbol == "BRCA1"
    assert len(request) == 3


def test_a_failure_in_the_disguise_of_a_refusal_is_never_not_found():
    fault = Fault("status", status=400, body=b'{"error":"something bad has happened"}', times=None)

    with pytest.raises(UpstreamError, match="failed"):
        run(lambda ensembl: ensembl.get_gene(TP53), fault)


def test_hits_that_ensembl_does_not_have_are_dropped_and_counted():
    stale = b"""{"hitCount":2,"entries":[
      {"id":"ENSG00000141510","source":"ensembl_gene","fields":{"gene_name":["TP53"],"description":["tumor protein"],
       "species":["Homo sapiens"]}},
      {"id":"ENSG99999999999","source":"ensembl_gene","fields":{"gene_name":["TP99"],"description":["tumor protein"],
       "species":["Homo sapiens"]}}],"facets":[]}"""
    page, _ = search("tumor protein", Fault("body", service="ebisearch", body=stale))

    assert [row.id for row in page.items] == [TP53]
    assert "Rows left out because Ensembl has no such gene now: 1." in [notice.message for notice in page.notices]


def test_a_gene_of_another_id_than_asked_is_never_passed_on():
    other = b'{"ENSG00000141510":{"id":"ENSG00000012048","object_type":"Gene","biotype":"protein_coding"}}'

    with pytest.raises(UpstreamError, match="answered ENSG00000141510 with ENSG00000012048"):
        run(lambda ensembl: ensembl.get_gene(TP53, slim=True), Fault("body", path="lookup/id", body=other))


# Joining


def test_slim_genes_at_once_are_one_request():
    async def ask(ensembl):
        page = await ensembl.search_genes("protein", species="human", page_size=40)
        ids = [row.id for row in page.items]
        return await asyncio.gather(*(ensembl.get_gene(i, slim=True) for i in ids))

    genes, request = run(ask)
    assert len(genes) >= 10
    assert request.count("/lookup/id") == 1  # the page has looked them up


@requirement("001 FR-019")
def test_ten_identical_calls_ask_once_and_a_repeat_not_at_all():
    async def ask(ensembl):
        genes = await asyncio.gather(*(ensembl.get_gene(TP53) for _ in range(10)))
        gene = await ensembl.get_gene(TP53)
        return {gene.model_dump_json() for gene in (*genes, gene)}

    genes, request = run(ask)
    assert len(genes) == 1
    assert sorted(request) == ["/lookup/id", f"/xrefs/id/{TP53}"]
