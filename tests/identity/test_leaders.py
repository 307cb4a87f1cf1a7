"""Names that several genes have: one is the answer only by its weight, of which recordings have hardly any."""

import functools
import random
import re
from collections import defaultdict

import pytest

from biofact.identity.joining import Leader, join_entities
from biofact.identity.resolver import Resolver
from biofact.protocol.names import NamedEntity
from biofact.sources import clients
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import WHOLE, transported

pytestmark = pytest.mark.quick

HUMAN, MOUSE, ZEBRAFISH = 9606, 10090, 7955
SHARED = ["p21", "p65", "NRF2", "PSA", "cdc2", "p16", "PD-1", "RAGE", "NS", "p85", "PKB", "GR", "MLL2"]
SYMBOLS = {"AR": "367", "CAT": "847", "SET": "6418", "MET": "4233"}
"""Symbols that are aliases of other genes or words of everyday, and their GeneIDs."""


def gene(number, weight=None, **facts):
    return NamedEntity(
        f"NCBIGene:{number}", f"G{number}", "gene", "alias", 0.93, shares_match=True, weight=weight, **facts
    )


@each_of(
    ("weights", "expected"),
    [
        ((5_000.0, 100.0), ["NCBIGene:1"]),
        ((2_000.0, 1_000.0), ["NCBIGene:1"]),
        ((5_000.0, 100.0, 2_000.0), ["NCBIGene:1"]),
        ((100.0, 5_000.0), []),  # a pseudogene that is better known
        ((1_999.0, 1_000.0), []),
        ((1_000.0, 1_000.0), []),
        ((5_000.0, None), []),
        ((5_000.0, 100.0, None), []),
        ((None, None), []),
    ],
)
def test_a_gene_leads_by_twice_the_next_weight_where_all_are_known(weights, expected):
    genes = [gene(number, weight) for number, weight in enumerate(weights, 1)]  # in the order of their source

    leader = Leader.of(join_entities({"entrez": genes}))

    assert [entity.lead.id for entity in leader.entities] == expected
    assert leader.ambiguous_with == [entity.written for entity in join_entities({"entrez": genes})[len(expected) :]]


def test_a_gene_leads_those_that_read_through_it_and_no_other():
    through = gene(100_526_664, 9_000.0, is_readthrough=True)

    alone, beside, only = (
        Leader.of(join_entities({"entrez": genes}))
        for genes in ([through, gene(1)], [through, gene(1), gene(2)], [through])
    )

    assert [entity.lead.id for entity in alone.entities] == ["NCBIGene:1"]
    assert (alone.ambiguous_with, alone.reason) == (
        [through.label + f" ({through.id})"],
        "The others read through it, and have its names, too.",
    )
    assert (list(beside.entities), len(beside.ambiguous_with)) == ([], 3)
    assert [entity.lead.id for entity in only.entities] == [through.id]


def test_a_weight_counts_where_another_source_has_the_better_match():
    xrefs = {"entrez": "2"}
    ensembl = NamedEntity("ENSG00000000001.1", "G2", "gene", "alias", 0.95, shares_match=True, xrefs=xrefs)

    leader = Leader.of(join_entities({"entrez": [gene(1, 100.0), gene(2, 5_000.0, xrefs=xrefs)], "ensembl": [ensembl]}))

    assert [entity.lead.id for entity in leader.entities] == ["NCBIGene:2"]


def test_a_gene_that_is_read_with_a_latin_letter_is_never_chosen():
    spelled = NamedEntity("NCBIGene:1965", "EIF2S1", "gene", "alias", 0.93)
    guess = NamedEntity("NCBIGene:83939", "EIF2A", "gene", "symbol", 0.865, latin_reading="EIF2A")

    both, alone = (Leader.of(join_entities({"entrez": genes})) for genes in ([spelled, guess], [guess]))

    assert [entity.lead.id for entity in both.entities] == ["NCBIGene:1965"]
    assert (both.ambiguous_with, both.reason) == (["EIF2A (NCBIGene:83939)"], None)
    assert (list(alone.entities), alone.ambiguous_with) == ([], ["EIF2A (NCBIGene:83939)"])
    assert "has EIF2A, with a Latin letter: a guess" in alone.reason


@functools.cache
def genes_of_aliases():
    """The human genes with each alias that is no gene's symbol, in any letter case, as the recorded file has them."""
    genes, symbols = defaultdict(set), {"-"}
    for cells in gene_table(HUMAN):
        symbols |= {cells[2].lower(), cells[10].lower()}
        for alias in cells[4].split("|"):
            genes[alias.lower()].add(f"{cells[2]} (NCBIGene:{cells[1]})")
    return {alias: names for alias, names in genes.items() if alias not in symbols}


def resolved(*names):
    """The row of each name, among all human genes that have one of them as a symbol or alias."""
    wanted_names = {name.lower() for name in names}

    def has_one(cells):
        return not wanted_names.isdisjoint(name.lower() for name in (cells[2], *cells[4].split("|")))

    return resolved_among(names, HUMAN, has_one)


def resolved_among(names, taxon_id, is_listed):
    """The row of each name, among the genes of the organism whose cells ``is_listed`` takes."""

    async def ask(folder):
        async with transported(recordings=folder, timing=WHOLE) as (transport, _):
            return (await Resolver(clients(transport), transport.afresh).resolve(names, "gene", str(taxon_id))).rows

    with folder_of_genes("\t".join(cells) for cells in gene_table(taxon_id) if is_listed(cells)) as folder:
        return dict(zip(names, virtual_time.run(ask(folder)), strict=True))


@needs_recordings
def test_a_symbol_leads_without_a_weight_and_a_shared_alias_does_not():
    rows = resolved(*SHARED, *SYMBOLS)

    leaders = {name: row.entities[0].id for name, row in rows.items() if row.entities}
    assert leaders == {name: f"NCBIGene:{gene_id}" for name, gene_id in SYMBOLS.items()}
    rivals = {name: set(rows[name].ambiguous_with) for name in SHARED}
    assert rivals == {name: genes_of_aliases()[name.lower()] for name in SHARED}


WORDS = {
    "p21": "TCEAL1",  # of several genes, one of which has it in this letter case
    "cardiac troponin I": None,
    "phosphodiesterase": None,
    "beta-catenin": "CTNNB1",
    "lines homolog (Drosophila)": "LINS1",
    "tumor necrosis factor receptor": "LTBR",
    "nuclear cap binding protein subunit 1, 80kD": "NCBP1",
    "replication factor C (activator 1) 1 (145kD)": "RFC1",  # in the file ", 145kDa"
    "sal-like 3 (Drosophila)": "SALL3",  # and predicted loci whose protein is like it
    "tRNA methionine": "TRX-CAT1-2",  # but for a number
    "glutaredoxin (thioltransferase)": "GLRX",  # in parts, before longer names that hold one
}
"""Names, and the gene in front: the first of the lowest GeneIDs, as no weight is known; none within longer names."""


@functools.cache
def genes_of_words():
    """The rows of human genes that have all words of each name, whatever follows in brackets."""
    words = {name: re.findall(r"\w+", name.partition(" (")[0].lower()) for name in WORDS}
    genes = {name: [] for name in WORDS}
    for row in map("\t".join, gene_table(HUMAN)):
        text = row.lower()
        for name in WORDS:
            if all(word in text for word in words[name]):
                genes[name].append(row)
    return genes


@needs_recordings
@each_of(("name", "symbol"), WORDS.items())
def test_a_search_leads_where_resolve_leads(name, symbol):
    async def ask(folder):
        async with transported(recordings=folder, timing=WHOLE) as (transport, _):
            sources = clients(transport)
            (row,) = (await Resolver(sources, transport.afresh).resolve([name], "gene", "human", is_whole=True)).rows
            return row, await sources["entrez"].search_genes(name, organism="human", page_size=2)

    with folder_of_genes(genes_of_words()[name]) as folder:
        row, page = virtual_time.run(ask(folder))

    first = page.items[0]
    shared = [notice.message for notice in page.notices if notice.code == "SHARED_MATCH"]
    assert bool(shared) == (not row.entities and symbol is not None)
    if symbol is None:
        assert (first.match, row.entities, row.ambiguous_with) == ("text", [], [])
        assert f"By words NCBI Gene finds {first.symbol} ({first.id})" in row.reason
        assert f"No gene is called {name!r}" in str(page.notices)
    else:
        in_front = [*(f"{entity.label} ({entity.id})" for entity in row.entities[:1]), *row.ambiguous_with]
        assert in_front[0] == f"{first.symbol} ({first.id})"
        assert first.symbol == symbol
        assert (f"is called {name!r} but for" in str(page.notices)) == ("Called so but for" in (row.reason or ""))
        assert [written for written in row.ambiguous_with if written not in str(shared)] == []


@functools.cache
def readthroughs():
    """The human genes whose official or other full name calls them so."""
    cells_of_genes = (cells for cells in gene_table(HUMAN) if re.search("read-?through", f"{cells[8]} {cells[11]}"))
    return {f"{cells[2]} (NCBIGene:{cells[1]})" for cells in cells_of_genes}


@needs_recordings
def test_the_alias_of_a_gene_is_not_that_of_one_that_reads_through_it():
    genes = {alias: names - readthroughs() for alias, names in genes_of_aliases().items() if names & readthroughs()}
    single = sorted(alias for alias, names in genes.items() if len(names) == 1 and alias.isalnum())
    names = ["CD205", *random.Random(20261129).sample(single, 20)]

    rows = resolved(*names)

    for name, row in rows.items():
        assert {f"{entity.label} ({entity.id})" for entity in row.entities} == genes[name.lower()], name
        assert {*row.ambiguous_with} == genes_of_aliases()[name.lower()] & readthroughs(), name
    assert len(single) > 40


@needs_recordings
def test_no_alias_that_several_genes_share_is_one_of_them():
    shared = sorted(
        alias for alias, names in genes_of_aliases().items() if 1 < len(names - readthroughs()) < 20 and alias.isalnum()
    )
    names = random.Random(20261129).sample(shared, 60)

    rows = resolved(*names)

    assert {name: row.entities for name, row in rows.items() if row.entities} == {}
    assert [name for name, row in rows.items() if not genes_of_aliases()[name] <= set(row.ambiguous_with)] == []


@needs_recordings
def test_a_greek_letter_and_its_number_are_one_word_or_two():
    symbols = {cells[11]: cells[2] for cells in gene_table(HUMAN)}
    joined = [name for name in symbols if re.search(r"\b(alpha|beta|gamma|delta)\d\b", name)]
    apart = {re.sub(r"\b(alpha|beta|gamma|delta)(\d)\b", r"\1 \2", name): symbols[name] for name in joined}

    rows = resolved_among(tuple(apart), HUMAN, lambda cells: cells[11] in joined)

    assert {name: row.entities[0].label for name, row in rows.items() if row.entities} == apart
    assert len(apart) > 20


@needs_recordings
def test_a_number_that_is_no_gene_id_is_an_alias_of_the_gene_that_lists_it():
    table = [*gene_table(MOUSE)]
    gene_ids = {cells[1] for cells in table}
    listed = defaultdict(set)
    for cells in table:
        for alias in filter(str.isdecimal, cells[4].split("|")):
            listed[alias].add(cells[2])
    numbers = random.Random(20261130).sample(sorted(listed), 40)
    numbers += [number for number in listed if number in gene_ids and number not in numbers]
    by_id = {cells[1]: {cells[2]} for cells in table if cells[1] in numbers}

    rows = resolved_among((*numbers, "999999999"), MOUSE, lambda cells: {cells[1], *cells[4].split("|")} & {*numbers})

    assert rows.pop("999999999").entities == []
    labels = {
        number: {*re.findall(r"(\S+) \(NCBIGene", str(row.ambiguous_with)), *(gene.label for gene in row.entities[:1])}
        for number, row in rows.items()
    }
    assert labels == {number: by_id.get(number, listed[number]) for number in numbers}
    assert len(by_id) == 5


@needs_recordings
def test_a_gene_that_is_listed_for_a_neighbour_is_none_of_the_name():
    name, neighbour = (
        "MAM and LDL receptor class A domain containing 1",
        "MAM and LDL-receptor class A domain-containing protein 1",
    )
    alone, beside = (
        resolved_among(names, ZEBRAFISH, lambda cells: "MAM and LDL" in f"{cells[11]} {cells[13]}")[name]
        for names in ((name,), (name, neighbour))
    )

    assert [gene.label for gene in alone.entities] == ["malrd1"]
    assert beside == alone
