"""One letter is a query where it is a whole symbol or alias: every one of the recorded human and mouse files."""

import re
import string
from collections import defaultdict

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.identity.client import IdentityClient
from biofact.sources import clients
from tests import virtual_time
from tests.each_of import check_each
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import result_or_error, transported

pytestmark = pytest.mark.quick

HUMAN, MOUSE = 9606, 10090
ORGANISMS = {HUMAN: "human", MOUSE: "mouse"}


def letters_of(taxon_id):
    """The genes that each letter names in its own case, as symbol and as alias; and the rows of all of them."""
    symbols, aliases, rows = defaultdict(set), defaultdict(set), []
    for cells in gene_table(taxon_id):
        own = {name for name in (cells[2], *cells[4].split("|")) if len(name) == 1 and name.isalpha()}
        rows += [cells] * bool(own)
        for name in own:
            (symbols if name == cells[2] else aliases)[name].add(f"NCBIGene:{cells[1]}")
    return symbols, aliases, rows


def with_clients(scenario, recordings=None):
    async def run():
        async with transported(**({"recordings": recordings} if recordings else {})) as (transport, _):
            return await scenario(clients(transport), IdentityClient(transport).resolve)

    return virtual_time.run(run())


@needs_recordings
@pytest.mark.parametrize(("taxon_id", "count"), [(HUMAN, 8), pytest.param(MOUSE, 16, marks=pytest.mark.sweep)])
def test_the_letter_of_a_symbol_or_else_of_an_alias_leads_everywhere(taxon_id, count):
    symbols, aliases, rows = letters_of(taxon_id)
    letters = sorted({*symbols, *aliases})
    organism = ORGANISMS[taxon_id]
    ensembl_ids = {
        cells[2]: cells[5].partition("Ensembl:")[2].partition("|")[0]
        for cells in rows
        if cells[2] in symbols and "Ensembl:" in cells[5]
    }
    assert len(letters) == count  # in NCBI's files

    async def ask(sources, resolve):
        pages = {letter: await sources["entrez"].search_genes(letter, organism=organism) for letter in letters}
        for letter, ensembl_id in ensembl_ids.items():
            (first, *_) = (await sources["ensembl"].search_genes(letter, species=organism)).items
            assert (first.id, first.match) == (ensembl_id, "symbol")
        return pages, (await resolve(letters, organism=organism)).items

    with folder_of_genes("\t".join(cells) for cells in rows) as folder:
        pages, answers = with_clients(ask, folder)

    def check(row):
        own_ids = symbols[row.name] or aliases[row.name]
        ids_in_row = {entity.id for entity in row.entities[:1]} or set(
            re.findall(r"NCBIGene:\d+", str(row.ambiguous_with))
        )
        assert ids_in_row == own_ids
        assert {hit.id for hit in pages[row.name].items if hit.score == pages[row.name].items[0].score} == own_ids

    check_each(answers, check)


@pytest.mark.parametrize(
    ("letter", "organism", "ids"),
    [
        ("w", "fly", ("NCBIGene:31271", "FBgn0003996")),
        ("N", "fly", ("NCBIGene:31293", "FBgn0004647")),
    ],
)
def test_a_letter_is_a_symbol_in_every_source(letter, organism, ids):
    async def ask(sources, resolve):
        found = [
            await sources["entrez"].search_genes(letter, organism=organism),
            await sources["entrez"].search_genes(f"{letter} {organism}"),
            await sources["ensembl"].search_genes(letter, species=organism),
        ]
        return found, (await resolve([letter], organism=organism)).items[0].entities

    (by_argument, in_words, in_ensembl), (entity, *_) = with_clients(ask)

    for page, gene_id in ((by_argument, ids[0]), (in_words, ids[0]), (in_ensembl, ids[1])):
        assert [(hit.id, hit.match) for hit in page.items] == [(gene_id, "symbol")]
        assert page.pagination.total_count == 1
    assert entity.id == ids[0]


def test_one_character_that_is_no_symbol_is_no_query():
    """Neither as a word, nor as a GeneID of one digit, nor for entities other than genes."""
    texts = ["q", "j", "7", "\u3071", "\u03b1"]

    async def ask(sources, resolve):
        searches = [(sources[name].search_genes, text) for name in ("entrez", "ensembl") for text in texts]
        searches += [(sources["chembl"].search_compounds, "w"), (sources["igvf"].search_terms, "w")]
        refusals = [await result_or_error(search(text)) for search, text in searches]
        return refusals, (await resolve(texts)).items, (await resolve(["w"], kind="compound")).items

    refusals, (unknown, other, *unreadable), of_compounds = with_clients(ask)

    assert [*map(type, refusals)] == [AmbiguousQuery] * 12
    assert all("2 to 300 characters" in refusal.message + refusal.hint for refusal in refusals)
    assert [(row.entities, row.reason) for row in (unknown, other)] == [([], "No gene is called so.")] * 2
    assert {row.error.code for row in (*unreadable, *of_compounds)} == {"AMBIGUOUS_QUERY"}


def test_no_letter_is_searched_by_words():
    async def ask(sources):
        for letter in string.ascii_lowercase[::3]:
            await result_or_error(sources["entrez"].search_genes(letter))
            await result_or_error(sources["ensembl"].search_genes(letter))

    async def run():
        async with transported() as (transport, sandbox):
            await ask(clients(transport))
            return sandbox.requests

    requests = virtual_time.run(run())

    terms = [dict(request.params).get("term", "") for request in requests if request.path == "/esearch.fcgi"]
    assert len(terms) >= 9
    assert [term for term in terms if "[Gene Name]" not in term.partition(" AND ")[0]] == []
    assert {request.service for request in requests}.isdisjoint({"ebisearch"})
