"""A symbol with brackets, colons or slashes stays whole in Ensembl's lookups, their paths, and EBI Search."""

from contextlib import asynccontextmanager

import pytest
from benchmarks.symbols import RECORDINGS, corpus, not_first, signed

from biofact.sandbox.services.ensembl.corpus import ServedSpecies, rows_of_starter
from biofact.sandbox.services.ensembl.search import EbiSearchStandIn
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn, stand_ins
from biofact.sources.ensembl import service
from tests import virtual_time
from tests.each_of import each_of
from tests.notices import codes
from tests.recordings import needs_recordings
from tests.sandbox.services.ensembl.made_genes import gene, genes, xref
from tests.sandboxed import WHOLE, on_sandbox, sandboxed

pytestmark = pytest.mark.quick

FLY, ZEBRAFISH, MOUSE, HUMAN = "drosophila_melanogaster", "danio_rerio", "mus_musculus", "homo_sapiens"
FORMS = {FLY: "FBgn99{:05}", ZEBRAFISH: "ENSDARG999{:08}", MOUSE: "ENSMUSG999{:08}", HUMAN: "ENSG999{:08}"}
SYMBOLS = (  # each with the genes that its fragments name
    *((FLY, symbol) for symbol in ("l(2)gl", "gl", "mod(mdg4)", "mod", "l(1)sc", "sc", "Su(H)", "H", "E(z)", "z")),
    *((FLY, symbol) for symbol in ("Su(z)12", "su(w[a])", "w", "mt:CoI", "snRNA:U1:21D", "E(spl)m8-HLH", "e(y)2")),
    *((ZEBRAFISH, symbol) for symbol in ("zgc:171673", "si:dkey-204f11.64", "il17a/f1", "f1", "il17a")),
    *((MOUSE, symbol) for symbol in ("Gt(ROSA)26Sor", "T(5;8)3Rk", "Del(7)Tyr<c-25H>", "Tyr", "Rosa", "Igk-V12/13")),
    *((HUMAN, symbol) for symbol in ("SUZ12", "ERBB2", "MDM2", "TP53", "ENY2", "H", "NEU1")),
)
SYNONYMS = {"ERBB2": ("HER2",), "ENY2": ("e(y)2",), "NEU1": ("neu",)}
GENES = [
    gene(
        FORMS[species].format(number),
        symbol,
        xref("EntrezGene", str(990_100_000 + number), symbol),
        species=species,
        description=f"gene number {number}",
        synonyms=list(SYNONYMS.get(symbol, ())),
    )
    for number, (species, symbol) in enumerate(SYMBOLS)
]
SIGNED = [(symbol, species) for species, symbol in SYMBOLS if set(symbol) & set("():/[")]


@asynccontextmanager
async def client(known_values=GENES):
    answers = genes(*known_values, transcripts=[], served_species=ServedSpecies(rows_of_starter()["species"]))
    async with sandboxed("ensembl", stand_ins=(EnsemblStandIn(answers), EbiSearchStandIn(answers))) as (
        ensembl,
        sandbox,
    ):
        yield ensembl, sandbox


def search_pages(request, **options):
    async def ask():
        async with client() as (ensembl, _):
            return {
                (query, species): await ensembl.search_genes(query, species=species, **options)
                for query, species in request
            }

    return virtual_time.run(ask())


@each_of("is_species_given", [True, False])
def test_a_symbol_with_signs_comes_first(is_species_given):
    pairs = [(symbol, species if is_species_given else None) for symbol, species in SIGNED]

    for (query, _), page in search_pages(pairs).items():
        assert (page.items[0].symbol, page.items[0].match) == (query, "symbol"), query
        assert [row.symbol for row in page.items if row.match == "symbol"] == [query], query
        assert "ASSUMED" not in codes(page)


PHRASES = ("{} gene", "fly {}", "{} fly", "({})", '"{}"', "{}?", "{} (Drosophila)")


def test_generic_words_species_and_marks_around_it_make_no_fragment():
    symbols = ["l(2)gl", "mod(mdg4)", "Su(H)", "mt:CoI", "E(z)"]
    request = {(phrase.format(symbol), None): symbol for phrase in PHRASES for symbol in symbols}

    pages = search_pages(request)

    assert {query: (page.items[0].symbol, page.items[0].match) for query, page in pages.items()} == {
        query: (symbol, "symbol") for query, symbol in request.items()
    }


FRAGMENTS = {
    ("l(3)gl", "fly"): {"gl"},
    ("xx(mod)", "fly"): {"mod"},
    ("ERBB2 (HER2)", None): {"ERBB2"},
    ("HER2 [ERBB2]", "human"): {"ERBB2"},
    ("HER2/neu", None): {"ERBB2", "NEU1"},
    ("TP53/MDM2", None): {"TP53", "MDM2"},
    ("il17a/f2", "zebrafish"): {"il17a"},
}


def test_a_fragment_is_tried_last_and_is_an_alias_that_was_assumed():
    pages = search_pages(FRAGMENTS)

    leading = {request: [row for row in page.items if row.match != "text"] for request, page in pages.items()}
    assert {request: {row.symbol for row in rows} for request, rows in leading.items()} == FRAGMENTS
    assert {(request, row.match) for request, rows in leading.items() for row in rows} == {
        (request, "alias") for request in FRAGMENTS
    }
    messages = {
        request: [notice.message for notice in page.notices if notice.code == "ASSUMED"]
        for request, page in pages.items()
    }
    assert {request: [repr(request[0]) in message for message in value] for request, value in messages.items()} == {
        request: [True] for request in FRAGMENTS
    }


def test_the_kind_of_match_is_the_same_on_the_second_page():
    async def search_both(query, species):
        async with client() as (ensembl, _):
            first = await ensembl.search_genes(query, species=species, page_size=1)
            cursor = first.pagination.cursor
            return first, await ensembl.search_genes(query, species=species, page_size=1, cursor=cursor)

    for query in ("TP53/MDM2", "HER2/neu"):
        pages = virtual_time.run(search_both(query, None))
        assert [page.items[0].match for page in pages] == ["alias", "alias"], query
        assert pages[0].items[0].id != pages[1].items[0].id


def test_another_species_symbol_stands_before_a_human_alias_of_the_same_letters():
    page = search_pages([("e(y)2", None)])["e(y)2", None]

    assert [(row.symbol, row.match) for row in page.items] == [("e(y)2", "symbol"), ("ENY2", "alias")]


@each_of("count", [5, 150])
def test_a_word_in_capitals_leads_with_the_human_gene_beside_any_number_of_others(count):
    mice = [gene(FORMS[MOUSE].format(n), f"Wrd{n}", species=MOUSE, description="wordlike") for n in range(count)]
    human = gene(FORMS[HUMAN].format(1), "WRD1", description="wordlike of the human kind")

    async def ask():
        async with client([*mice, human]) as (ensembl, _):
            return await ensembl.search_genes("WORDLIKE", page_size=3)

    rows = virtual_time.run(ask()).items
    assert rows[0].species == HUMAN


HARMLESS = [
    *('a"b(c)', "l(2)gl\\", "l(2)*", "Su(X)?", '"l(3)gl', "l(2gl", "NOT(TP53)", "OR/AND", "a:b:c", "l(2)gl~3"),
    *("TAXONOMY:9606", "a/../b(c)", "..%2F(x)", "a?b=c(d)", "a#b(c)", "id/x(y)", "((((((a)b)c)d)e)f)g", "name:TP53"),
]


def test_signs_that_mean_something_to_a_service_widen_no_search():
    for (query, _), page in search_pages([(query, "fly") for query in HARMLESS]).items():
        assert all(row.species == FLY for row in page.items), query
        assert all(row.symbol in query for row in page.items if row.match == "symbol"), query


SEGMENTS = ("a/b", "a?b", "a#b", "a%b", "a%2Fb", "a[b]", "a(b)", "a b", "a:b", "a&b=c", "a\\b", "a;b")


def test_a_symbol_is_one_segment_of_an_address_with_any_signs():
    async def symbol_requests():
        async with client() as (ensembl, sandbox):
            paths = {}
            for symbol in SEGMENTS:
                await ensembl._questions.carriers(HUMAN, symbol)  # the question alone
                paths[symbol] = sandbox.requests[-1].path.partition("/xrefs/")[2]
            return paths

    segments = {
        symbol: service.xrefs_of_symbol(HUMAN, symbol).quoted_path.partition(f"/{HUMAN}/")[2] for symbol in SEGMENTS
    }
    assert {symbol: segment for symbol, segment in segments.items() if set("/?#[] \\&=;:()") & set(segment)} == {}
    assert virtual_time.run(symbol_requests()) == {symbol: f"symbol/{HUMAN}/{symbol}" for symbol in SEGMENTS}


@pytest.mark.sweep
@needs_recordings
@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings")
def test_symbols_with_signs_drawn_from_the_recorded_genes_come_first():
    """Sixty of the 300 symbols in ``benchmarks.symbols``."""

    def wrong(ensembl, _):
        return not_first("ensembl", ensembl, signed("ensembl", 60), is_organism_given=False)

    assert on_sandbox("ensembl", wrong, recordings=corpus(), stand_ins=stand_ins(corpus()), timing=WHOLE) == {}
