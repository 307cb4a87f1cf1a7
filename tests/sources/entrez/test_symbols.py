"""A symbol with brackets, colons or slashes stays whole, in both ways that NCBI may read one in quotes."""

import re

import pytest
from benchmarks.symbols import RECORDINGS, corpus, not_first, signed

from biofact.sandbox.services.entrez.corpus import NcbiGeneFacts
from biofact.sandbox.services.entrez.standin import GeneDatabase, stand_ins
from tests import virtual_time
from tests.each_of import each_of
from tests.notices import codes
from tests.recordings import needs_recordings
from tests.sandboxed import WHOLE, on_sandbox
from tests.sources.entrez.made_genes import database, open_entrez

pytestmark = pytest.mark.quick

FLY, ZEBRAFISH, MOUSE, HUMAN = 7227, 7955, 10090, 9606
SYMBOLS = (  # each with the genes that its fragments name
    *((FLY, symbol) for symbol in ("l(2)gl", "gl", "mod(mdg4)", "mod", "l(1)sc", "sc", "Su(H)", "su(H)", "H", "E(z)")),
    *((FLY, symbol) for symbol in ("z", "Su(z)12", "su(w[a])", "w", "mt:CoI", "snRNA:U1:21D", "E(spl)m8-HLH", "N")),
    *((ZEBRAFISH, symbol) for symbol in ("zgc:171673", "si:dkey-204f11.64", "il17a/f1", "f1", "il17a")),
    *((MOUSE, symbol) for symbol in ("Gt(ROSA)26Sor", "T(5;8)3Rk", "Del(7)Tyr<c-25H>", "Tyr", "Rosa")),
    *((HUMAN, symbol) for symbol in ("SUZ12", "ERBB2", "MDM2", "TP53")),
)
GENES = [
    NcbiGeneFacts(
        taxon_id=taxon_id,
        gene_id=str(990_100_000 + number),
        symbol=symbol,
        name=f"gene of {symbol}" if taxon_id == HUMAN else "",
        aliases=("HER2",) if symbol == "ERBB2" else (),
    )
    for number, (taxon_id, symbol) in enumerate(SYMBOLS)
]
SIGNED = sorted(symbol for _, symbol in SYMBOLS if re.search(r"\W", symbol))


class SignsAreBlanks(GeneDatabase):
    """One possible NCBI Gene: a name in quotes means its words, with anything between them."""

    def lookup(self, field, phrase):
        if field not in {"gene name", "gene", "sym"}:
            return super().lookup(field, phrase)
        return [uid for uid in self.all_uids() if words(self.docsum(uid)["name"]) == words(phrase)]


class SignsAreUnknown(GeneDatabase):
    """Another possible NCBI Gene: a name with signs in quotes is never found."""

    def lookup(self, field, phrase):
        is_signed = field == "gene name" and re.search(r"[^\w\s-]", phrase)
        return [] if is_signed else super().lookup(field, phrase)


def words(text):
    return re.findall(r"\w+", text.lower())


def search_pages(queries, *, kind=GeneDatabase, organism=None, page_size=50):
    async def ask():
        async with open_entrez(database(*GENES, kind=kind)) as entrez:
            pages = [await entrez.search_genes(query, organism=organism, page_size=page_size) for query in queries]
            return dict(zip(queries, pages, strict=True))

    return virtual_time.run(ask())


@each_of("kind", [GeneDatabase, SignsAreBlanks])
def test_a_symbol_with_signs_comes_first_for_each_reading_of_ncbi(kind):
    for query, page in search_pages(SIGNED, kind=kind).items():
        assert (page.items[0].symbol, page.items[0].match) == (query, "symbol"), query
        assert "ASSUMED" not in codes(page)


PHRASES = ("{} gene", "fly {}", "{} fly", "({})", '"{}"', "{}?", "{} (Drosophila)")


def test_generic_words_organisms_and_marks_around_it_make_no_fragment():
    symbols = ["l(2)gl", "mod(mdg4)", "Su(H)", "mt:CoI"]
    request = {phrase.format(symbol): symbol for phrase in PHRASES for symbol in symbols}

    pages = search_pages(request)

    assert {query: (page.items[0].symbol, page.items[0].match) for query, page in pages.items()} == {
        query: (symbol, "symbol") for query, symbol in request.items()
    }


def test_letter_case_distinguishes_two_symbols_of_an_organism():
    pages = search_pages(["Su(H)", "su(H)"], organism="fly")

    assert {query: page.items[0].symbol for query, page in pages.items()} == {"Su(H)": "Su(H)", "su(H)": "su(H)"}
    assert all("SHARED_MATCH" not in codes(page) for page in pages.values())


FRAGMENTS = {
    "l(3)gl": {"gl"},
    "xx(mod)": {"mod"},
    "ERBB2 (HER2)": {"ERBB2"},
    "HER2 [ERBB2]": {"ERBB2"},
    "TP53/MDM2": {"TP53", "MDM2"},
    "il17a/f2": {"il17a"},
}


def test_a_fragment_is_tried_last_and_is_an_alias_that_was_assumed():
    pages = search_pages(FRAGMENTS)

    leading = {query: [row for row in page.items if row.match != "text"] for query, page in pages.items()}
    assert {query: {row.symbol for row in rows} for query, rows in leading.items()} == FRAGMENTS
    assert {(query, row.match) for query, rows in leading.items() for row in rows} == {
        (query, "alias") for query in FRAGMENTS
    }
    messages = {
        query: [notice.message for notice in page.notices if notice.code == "ASSUMED"] for query, page in pages.items()
    }
    assert {query: [repr(query) in message for message in value] for query, value in messages.items()} == {
        query: [True] for query in FRAGMENTS
    }


def test_a_fragment_stays_an_alias_on_later_pages():
    async def search_both():
        async with open_entrez(database(*GENES)) as entrez:
            first = await entrez.search_genes("TP53/MDM2", page_size=1)
            return first, await entrez.search_genes("TP53/MDM2", page_size=1, cursor=first.pagination.cursor)

    pages = virtual_time.run(search_both())

    assert {page.items[0].symbol for page in pages} == {"TP53", "MDM2"}
    assert [page.items[0].match for page in pages] == ["alias", "alias"]


def test_words_that_ncbi_does_not_know_leave_a_fragment():
    page = search_pages(["TP53 fleegleworp"])["TP53 fleegleworp"]

    assert (page.items[0].symbol, page.items[0].match) == ("TP53", "alias")
    assert "TERM_IGNORED" in codes(page)


TAGGED = {
    "l(2)gl[sym]": "l(2)gl",
    "zgc:171673[Gene Name]": "zgc:171673",
    "su(w[a])[sym]": "su(w[a])",
    "(Su(H)[sym] OR fleegleworp[sym]) AND fly[orgn]": "Su(H)",
    "mod(mdg4) AND fly[orgn]": "mod(mdg4)",
    "TP53[sym]": "TP53",
    "(TP53)[sym]": "TP53",
}


def test_a_tag_that_entrez_knows_stays_syntax_and_the_symbol_before_it_whole():
    pages = search_pages(TAGGED)

    first = {query: (page.items[0].symbol, page.items[0].match) for query, page in pages.items()}
    assert first == {query: (symbol, "symbol") for query, symbol in TAGGED.items()}
    folded = {query: {row.symbol.casefold() for row in page.items} for query, page in pages.items()}
    assert folded == {query: {symbol.casefold()} for query, symbol in TAGGED.items()}


def test_brackets_that_are_no_field_of_entrez_are_part_of_a_name():
    pages = search_pages(["su(w[a])", "TP53 [fleegle]", "NADH dehydrogenase [ubiquinone]"])

    texts = {query: " ".join(notice.message for notice in page.notices) for query, page in pages.items()}
    assert {query: message for query, message in texts.items() if "unknown field" in message} == {}


HARMLESS = [
    *(
        'a"b(c)',
        "l(2)gl\\",
        "l(2)*",
        "Su(H)*",
        '"l(2)gl',
        "l(2)gl]",
        "[l(2)gl",
        "l(2gl",
        "NOT(TP53)",
        "OR/AND",
        "#1(2)",
    ),
    *("l(2) AND", "a:b:c", "l(2)gl~3", "%28l", "TP53 OR", "\u201cSu(H)\u201d", "((((((a)b)c)d)e)f)g"),
]


@each_of(
    ("kind", "signed_query"),
    [(GeneDatabase, HARMLESS), (SignsAreBlanks, HARMLESS[::2]), (SignsAreUnknown, HARMLESS[1::2])],
)
def test_signs_that_mean_something_to_entrez_widen_no_search(kind, signed_query):
    assert_kept_to_the_fly(kind, signed_query)


@pytest.mark.sweep
@each_of("kind", [SignsAreBlanks, SignsAreUnknown])
def test_signs_widen_no_search_for_any_meaning_in_entrez(kind):
    assert_kept_to_the_fly(kind, HARMLESS)


def assert_kept_to_the_fly(kind, request):
    for query, page in search_pages(request, kind=kind, organism="fly").items():
        assert all(row.taxon_id == FLY for row in page.items), query
        symbols = [row.symbol.casefold() for row in page.items if row.match == "symbol"]
        assert all(symbol in query.replace('"', "").casefold() for symbol in symbols), query


@pytest.mark.sweep
@needs_recordings
@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings")
def test_symbols_with_signs_drawn_from_the_recorded_genes_come_first():
    """Sixty of the 300 symbols in ``benchmarks.symbols``."""

    def wrong(entrez, _):
        return not_first("entrez", entrez, signed("entrez", 60), is_organism_given=False)

    assert on_sandbox("entrez", wrong, recordings=corpus(), stand_ins=stand_ins(corpus()), timing=WHOLE) == {}
