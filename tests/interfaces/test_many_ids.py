"""Columns of thousands of IDs, and lists of many pages: each row in its place, in few requests, and resumable."""

import asyncio
import csv
import io
import json
import random
import re
import sys
from types import SimpleNamespace

import pytest

from biofact.interfaces.cli import arguments
from biofact.interfaces.cli.tool_command import tool_inputs
from biofact.sandbox import Fault
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.entrez.corpus import GeneCorpus, NcbiGeneFacts, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.interfaces.tool_commands import run_tool, spec
from tests.sandboxed import LIFE, machine, transported

pytestmark = pytest.mark.quick

LIVE, WITHDRAWN, ABSENT = 1700, 100, 100
FIRST = 5_000_001
GENES = [NcbiGeneFacts(gene_id=str(FIRST + number), symbol=f"GENE{number}") for number in range(LIVE)] + [
    NcbiGeneFacts(
        gene_id=str(FIRST + number), symbol=f"OLD{number}", status="discontinued", discontinued_on="2020-02-02"
    )
    for number in range(LIVE, LIVE + WITHDRAWN)
]
VALID = [f"NCBIGene:{FIRST + number}" for number in range(LIVE + WITHDRAWN + ABSENT)]
MALFORMED = [f"GENE{number}" for number in range(100)]
IDS = random.Random(7).sample([*VALID, *MALFORMED], 2000)
CODES = {**dict.fromkeys(VALID[LIVE:], "ENTITY_NOT_FOUND"), **dict.fromkeys(MALFORMED, "UNRESOLVED_ENTITY")}
BATCH, SINGLE = spec("entrez", "get_genes_batch"), spec("entrez", "get_gene")


def genes():
    """A sandbox of thousands of genes."""
    return machine(stand_ins=[EutilsStandIn(GeneDatabase(GeneCorpus(GENES)))])


def rows(text):
    """The rows of TSV by column."""
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def typed_ids(ids, command):
    """The arguments of a command for these IDs."""
    return {"entrez_ids": ids, "slim": True} if command is BATCH else {"entrez_id": ids, "slim": True}


async def asked_in_life(ids, command):
    """The exit code of a command for these IDs, and the number of its requests and seconds."""
    async with genes() as (sandbox, network, settings):
        transport = Transport(settings, timing=LIFE, wire=network)
        code = await run_tool(transport, command, typed_ids(ids, command), format="tsv")
        await transport.aclose()
        return code, len(sandbox.requests), virtual_time.now()


@pytest.mark.parametrize(
    ("command", "count", "most_requests"),
    [(BATCH, 2000, 20), (SINGLE, 300, 6), pytest.param(SINGLE, 2000, 40, marks=pytest.mark.sweep)],
    ids=["batch", "one by one", "many one by one"],
)
def test_two_thousand_ids_of_which_300_fail_are_two_thousand_rows_in_few_requests(
    command, count, most_requests, capsys
):
    ids = IDS[:count]
    code, requests, seconds = virtual_time.run(asked_in_life(ids, command))
    out, err = capsys.readouterr()
    records = rows(out)
    failures = {gene_id: CODES[gene_id] for gene_id in ids if gene_id in CODES}

    assert (len(IDS), len(CODES)) == (2000, 300)
    assert code == 1
    assert [row["input"] for row in records] == ids
    assert {row["input"]: row["error"] for row in records if row["error"]} == failures
    assert all(row["id"] == row["input"] for row in records if not row["error"])
    assert f"note: {len(failures)} of {count:,} rows failed.\n" in err
    assert len(err.splitlines()) <= 14
    assert requests <= most_requests
    assert seconds < 60


def test_a_column_of_ids_is_the_same_from_a_file_and_standard_input(tmp_path, monkeypatch, subtests):
    monkeypatch.chdir(tmp_path)
    column = "\ufeff# all of them\r\n" + "\r\n\r\n".join(IDS) + "\r\n"
    (tmp_path / "ids.txt").write_bytes(column.encode())

    for word in ("@ids.txt", "@-"):
        with subtests.test(word):
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(column.encode())))
            with tool_inputs(BATCH, arguments.parse_words(BATCH, {"entrez_ids": (word,)}), {}) as inputs:
                assert inputs.texts == IDS
    with tool_inputs(BATCH, arguments.parse_words(BATCH, {"entrez_ids": tuple(IDS)}), {}) as inputs:
        assert inputs.texts == IDS


def test_a_killed_run_continues_with_the_missing_rows(capsys):
    ids = IDS[:800]

    async def kill():
        async with genes() as (sandbox, network, settings):
            first = Transport(settings, timing=LIFE, wire=network)
            run = asyncio.create_task(run_tool(first, BATCH, typed_ids(ids, BATCH), format="tsv"))
            output = ""
            while len(output.splitlines()) < 400:
                await asyncio.sleep(0.01)
                output += capsys.readouterr().out
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            await first.aclose()
            before = len(sandbox.requests)
            second = Transport(settings, timing=LIFE, wire=network)
            code = await run_tool(second, BATCH, typed_ids(ids, BATCH), format="tsv")
            await second.aclose()
            return code, output, sandbox.requests[:before], sandbox.requests[before:]

    code, output, before, after = virtual_time.run(kill())
    out, err = capsys.readouterr()

    assert code == 1
    assert err.startswith("note: what was answered is kept: the same command goes on from there.\n")
    assert out.startswith(output)
    assert [row["input"] for row in rows(out)] == ids
    assert ids_in(before)
    live = set(VALID[:LIVE]) & set(ids)
    assert live <= ids_in(before) | ids_in(after)
    assert live & ids_in(before) & ids_in(after) == set()


@pytest.mark.parametrize(("sandbox", "message"), [(None, 1), (True, 0)])
def test_a_killed_run_says_that_answers_are_kept_where_they_are(sandbox, message, capsys):
    async def kill():
        async with transported() as (transport, services):
            services.faults.set(Fault("delay", seconds=20.0, times=None))
            run = asyncio.create_task(run_tool(transport, SINGLE, typed_ids(VALID[:2], SINGLE), sandbox=sandbox))
            await asyncio.sleep(5)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run

    virtual_time.run(kill())

    assert capsys.readouterr().err.count("what was answered is kept") == message


def ids_in(requests):
    """The IDs whose summaries were requested."""
    texts = [
        value for request in requests if "esummary" in request.path for name, value in request.params if name == "id"
    ]
    return {f"NCBIGene:{gene}" for text in texts for gene in text.split(",")}


def test_a_service_that_fails_midway_leaves_the_rows_so_far_and_the_failures_in_their_places(capsys):
    async def ask():
        async with genes() as (sandbox, network, settings):
            sandbox.faults.set(Fault("status", status=503, after=4, times=None))
            transport = Transport(settings, timing=LIFE, wire=network)
            code = await run_tool(transport, BATCH, typed_ids(ids, BATCH), format="tsv")
            await transport.aclose()
            return code

    ids = VALID[:850]
    assert virtual_time.run(ask()) == 1
    out, err = capsys.readouterr()
    records = rows(out)
    good = [row for row in records if not row["error"]]
    assert [row["input"] for row in records] == ids
    assert records[: len(good)] == good
    assert len(good) >= 200
    assert {row["error"] for row in records[len(good) :]} == {"UPSTREAM_ERROR"}
    assert f"note: {len(ids) - len(good)} of 850 rows failed.\n" in err
    assert err.count("error: ") == 1


COMPOUNDS = spec("chembl", "find_compounds_for_target")
TARGET = {"target_id": ["UniProtKB:P00533"], "page_size": 3}


async def of_target(transport, sandbox, *, cursor=None, **options):
    """The exit code, and the number of requests."""
    before = len(sandbox.requests)
    code = await run_tool(transport, COMPOUNDS, TARGET | ({"cursor": cursor} if cursor else {}), **options)
    return code, len(sandbox.requests) - before


def test_all_pages_are_one_list_with_each_row_once(capsys):
    async def ask():
        async with transported() as (transport, sandbox):
            await of_target(transport, sandbox, format="tsv")
            first = rows(capsys.readouterr().out)
            code, requests = await of_target(transport, sandbox, format="tsv", all=True)
            whole, err = capsys.readouterr()
            await of_target(transport, sandbox, format="json", all=True)
            return code, requests, first, rows(whole), err, json.loads(capsys.readouterr().out)

    code, requests, first, whole, err, document = virtual_time.run(ask())
    ids = [row["id"] for row in whole]

    assert code == 0
    assert len(first) == 3
    assert whole[:3] == first
    assert len(ids) > 6
    assert len(set(ids)) == len(ids)
    assert "--cursor" not in err
    assert [item["id"] for item in document["items"]] == ids
    assert document["pagination"]["cursor"] is None
    assert requests <= len(ids)


def test_a_page_of_a_search_that_cannot_be_read_is_no_row(capsys):
    async def ask():
        async with transported() as (transport, sandbox):
            tool, query = spec("entrez", "search_genes"), {"query": "kinase", "page_size": 2}
            await run_tool(transport, tool, query, format="tsv")
            first = rows(capsys.readouterr().out)
            sandbox.faults.set(Fault("status", status=503, times=None))
            code = await run_tool(transport, tool, query, format="tsv", all=True)
            return code, first, *capsys.readouterr()

    code, first, out, err = virtual_time.run(ask())

    assert code == 1
    assert len(first) == 2
    assert rows(out)[:2] == first
    assert all(row["id"] for row in rows(out))
    assert "rows failed" not in err
    assert err.count("error: ") == 1
    assert "note: Not all pages could be read; the rest: --cursor " in err


def test_many_lists_with_more_pages_are_reported_by_their_number(capsys):
    async def ask():
        async with transported() as (transport, _):
            genes = ["NCBIGene:672"] * 3 + [f"NCBIGene:{gene.gene_id}" for gene in starter_genes() if gene.pmids[1:]]
            links = {"entrez_id": genes, "limit": 1}
            await run_tool(transport, spec("entrez", "get_pubmed_links"), links, format="json")
            return capsys.readouterr()

    out, err = virtual_time.run(ask())

    assert [row["input"] for row in json.loads(out)["items"]][:3] == ["NCBIGene:672"] * 3
    assert re.fullmatch(r"note: \d\d lists are longer; --all reads them to the end\.\n", err)


@pytest.mark.parametrize("form", ["tsv", "json"])
def test_pages_that_cannot_be_read_leave_earlier_ones_and_a_cursor_to_continue(form, capsys):
    async def ask():
        async with transported() as (transport, sandbox):
            await of_target(transport, sandbox, format="json")
            first = json.loads(capsys.readouterr().out)
            await of_target(transport, sandbox, format="json", cursor=first["pagination"]["cursor"])
            second = json.loads(capsys.readouterr().out)
            sandbox.faults.set(Fault("status", service="chembl", status=503, times=None))
            code, _ = await of_target(transport, sandbox, format=form, all=True)
            return code, [item["id"] for item in first["items"] + second["items"]], *capsys.readouterr()

    code, first, out, err = virtual_time.run(ask())
    (line,) = [line for line in err.splitlines() if "--cursor" in line]

    assert code == 1
    assert "error: " in err
    assert line.startswith("note: Not all pages could be read; the rest: --cursor ")
    if form == "tsv":
        *whole, failed = rows(out)
        assert [row["id"] for row in whole] == first
        assert (failed["input"], failed["error"]) == ("UniProtKB:P00533", "UPSTREAM_ERROR")
    else:
        document = json.loads(out)
        assert [item["id"] for item in document["items"]] == first
        assert document["pagination"]["cursor"] == line.split()[-1]
