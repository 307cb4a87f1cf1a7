"""Any number of names, in rows as they are resolved; a program that was stopped repeats no request."""

import itertools
import json
from importlib import resources

import pytest

from biofact.core.envelopes import ErrorEnvelope
from biofact.identity.client import AT_ONCE, IdentityClient
from biofact.sandbox import Fault
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.sandboxed import LIFE, machine, on_sandbox

pytestmark = pytest.mark.quick

FACTS = resources.files("biofact.sandbox.services.entrez").joinpath("starter", "gene.human.jsonl").read_text("utf-8")
SYMBOLS = [
    row["symbol"]
    for row in map(json.loads, FACTS.splitlines())
    if row.get("symbol") == row.get("official_symbol", "") and row.get("gene_type") != "biological-region"
]


def column(count):
    """``count`` names: genes in turn with names without an entity, and duplicates of all."""
    pairs = zip(SYMBOLS[: count // 3], (f"NOGENE{number}" for number in itertools.count()), strict=False)
    return list(itertools.islice(itertools.cycle(itertools.chain.from_iterable(pairs)), count))


async def rows_of(client, names, **options):
    return [row async for answer in client.resolve_many(names, **options) for row in answer.items]


def resolved(names, *faults, **options):
    async def ask(client, sandbox):
        return await rows_of(client, names, **options), len(sandbox.requests)

    return on_sandbox("identity", ask, *faults)


@pytest.fixture(scope="module", params=[30, pytest.param(AT_ONCE, marks=pytest.mark.sweep)])
def whole(request):
    """Names for more than one question, their rows from a single run, and the number of requests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("biofact.identity.client.AT_ONCE", request.param)
        names = column(request.param + 10)
        yield names, *resolved(names, kind="gene")


def test_there_is_a_row_for_each_name_in_order(whole):
    names, rows, _ = whole

    assert [row.name for row in rows] == names
    assert all(row.entities[0].label == row.name for row in rows if row.name in SYMBOLS)
    assert not any(row.entities for row in rows if row.name not in SYMBOLS)


def test_names_come_from_anything_that_yields_them():
    rows, _ = resolved(name for name in ("BRCA1", "TP53"))

    assert [row.entities[0].id for row in rows] == ["NCBIGene:672", "NCBIGene:7157"]


def test_no_names_are_no_question():
    assert resolved([]) == ([], 0)


def test_rows_state_what_the_question_says():
    async def ask(client, _):
        brief = (await client.resolve(["BRCA1"])).items[0].entities[0]
        return brief, (await rows_of(client, ["BRCA1"]))[0].entities[0]

    brief, whole = on_sandbox("identity", ask)

    assert brief.model_dump(exclude={"score"}) == {"id": "NCBIGene:672", "match": "symbol", "ids": brief.ids}
    assert (whole.label, whole.kind, whole.organism, whole.status) == ("BRCA1", "gene", "Homo sapiens", "current")
    assert whole.ids == {"entrez": "NCBIGene:672", **brief.ids}


def test_a_value_that_is_no_name_fails_in_its_place():
    rows, _ = resolved(["BRCA1", "", None, 7, "x" * 301, "TP53"])

    assert [isinstance(row, ErrorEnvelope) for row in rows] == [False, True, True, True, True, False]
    assert [row.error.invalid_input for row in rows[1:5]] == ["", None, 7, "x" * 301]


def test_an_answer_states_its_origin():
    async def ask(client, _):
        return [answer async for answer in client.resolve_many(["BRCA1"])]

    (answer,) = on_sandbox("identity", ask)

    assert answer.provenance.origin == "sandbox"


def test_a_resumed_program_repeats_no_request(whole):
    names, expected, request_count = whole

    async def broken():
        async with machine() as (sandbox, network, settings):
            first, second = (Transport(settings, timing=LIFE, wire=network) for _ in range(2))
            answers = IdentityClient(first).resolve_many(names, kind="gene")
            await anext(answers)
            await answers.aclose()
            await first.aclose()
            before = len(sandbox.requests)
            rows = await rows_of(IdentityClient(second), names, kind="gene")
            await second.aclose()
            return rows, before, len(sandbox.requests)

    rows, before, after = virtual_time.run(broken())

    assert rows == expected
    assert 0 < before < after == request_count


def test_a_source_that_is_down_fails_the_rows_that_need_it_and_no_others():
    down = Fault("status", status=503, times=None)

    rows, _ = resolved(["BRCA1", "TP53", ""], down, kind="gene")

    assert [row.error.code for row in rows] == ["UPSTREAM_ERROR", "UPSTREAM_ERROR", "AMBIGUOUS_QUERY"]
