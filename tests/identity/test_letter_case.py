"""Symbols written as in mouse and rat and asked for human are read as human, with a remark."""

import functools
import random
import re

import pytest

from biofact.identity.client import IdentityClient
from biofact.sources import clients
from tests import virtual_time
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import transported

pytestmark = [pytest.mark.quick, needs_recordings]

HUMAN, MOUSE = 9606, 10090
READING = "Written as in mouse and rat; read as human."
SEED = 37


def drawn(names, count):
    return sorted(random.Random(SEED).sample(sorted(names), count))


@functools.cache
def human_genes():
    """The human rows by symbol, and those that each alias names alone, as it is written."""
    rows = {cells[2]: cells for cells in gene_table(HUMAN)}
    owners = {}
    for cells in rows.values():
        for alias in cells[4].split("|"):
            owners.setdefault(alias.casefold(), []).append((alias, cells))
    single = {alias: cells for named in owners.values() if len(named) == 1 for alias, cells in named}
    return rows, {alias: cells for alias, cells in single.items() if alias.upper() not in rows}


def answers(names, genes, organism="human"):
    async def ask(folder):
        async with transported(recordings=folder) as (transport, _):
            answer = await IdentityClient(transport).resolve(names, kind="gene", organism=organism)
            page = await clients(transport)["entrez"].search_genes(names[0], organism=organism)
            return answer, page

    with folder_of_genes({"\t".join(cells): None for cells in genes}) as folder:
        return virtual_time.run(ask(folder))


def test_a_symbol_in_the_letter_case_of_mouse_has_a_remark():
    rows, _ = human_genes()
    of_mouse = {cells[2] for cells in gene_table(MOUSE) if re.fullmatch("[A-Z][a-z]+[0-9a-z]*", cells[2])}
    names = drawn({symbol for symbol in of_mouse if symbol.upper() in rows}, 5)
    answer, page = answers(names, [rows[name.upper()] for name in names])

    for name, row in zip(names, answer.items, strict=True):
        assert (row.entities[0].id, row.reason) == (f"NCBIGene:{rows[name.upper()][1]}", READING)
    (notice,) = (notice for notice in answer.notices if "read as human" in notice.message)
    assert notice.code == "ASSUMED"
    assert names[0] in notice.message
    assert [notice.code for notice in page.notices if "read as human" in notice.message] == ["ASSUMED"]


def test_a_human_alias_in_its_own_letter_case_is_not_taken_for_a_symbol_of_mouse():
    _, aliases = human_genes()
    names = drawn({alias for alias in aliases if re.fullmatch("[A-Z][a-z]+[0-9][0-9a-z]*", alias)}, 10)
    answer, page = answers(names, [aliases[name] for name in names])

    assert [row.entities[0].id for row in answer.items] == [f"NCBIGene:{aliases[name][1]}" for name in names]
    assert {row.reason for row in answer.items} == {None}
    assert "read as human" not in str([*answer.notices, *page.notices])


def test_a_symbol_of_mouse_asked_for_mouse_is_as_it_is_written():
    genes = {cells[2]: cells for cells in gene_table(MOUSE)}
    answer, _ = answers(["Trp53", "Brca1"], [genes["Trp53"], genes["Brca1"]], organism="mouse")

    assert [row.reason for row in answer.items] == [None, None]


def test_other_letter_cases_are_no_assumption():
    rows, _ = human_genes()
    names = ["BRCA1", "brca1", "bRCA1", "C9orf72", "hMLH1", "Bcl-2", "Insulin receptor"]
    answer, _ = answers(names, [rows[symbol] for symbol in ("BRCA1", "C9orf72", "MLH1", "BCL2", "INSR")])

    assert [(bool(row.entities), row.reason) for row in answer.items] == [(True, None)] * len(names)
