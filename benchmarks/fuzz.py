"""Asks every tool absurd questions, on the sandbox: ``python -m benchmarks.fuzz --count 100000 --seed 14``.

A call goes the way of one over MCP from its arguments to the text of its answer: reading, tool, transport, sandbox,
envelope, JSON. With ``--client`` each goes through FastMCP's client and server besides, which takes longer. It fails
on a defect of ours, on a call that outlasts its deadline, and on an answer that is not as promised.
"""

import argparse
import asyncio
import collections
import functools
import json
import logging
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from fastmcp import Client

from benchmarks.fuzz_calls import FRAGMENTS, FuzzCall, Pool, draw_call, pool
from biofact.core.records import compact_json, json_value
from biofact.core.settings import Settings
from biofact.core.tool import ToolSpec, specs_of
from biofact.interfaces import every_source
from biofact.interfaces.answer import tool_answer
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.mcp.server import gateway
from biofact.interfaces.spelling import Spelling, prefixed
from biofact.sandbox import Sandbox
from biofact.transport.timing import Timing

DEADLINE_SECONDS = 5.0
SPEED = 2000.0
QUICK = Timing(rate_factor=SPEED, deadline_seconds=DEADLINE_SECONDS, backoff_seconds=0.01, breaker_seconds=0.2)
CODES = {"UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND", "AMBIGUOUS_QUERY", "RATE_LIMITED", "UPSTREAM_ERROR"}
LONGEST_MESSAGE = 6000
LONGEST_RECOVERY = 1500

STEPS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("pubmed_search", {"search_query": "metformin", "max_results": 3}, "", "articles"),
    ("pubmed_extract_features", {"extraction_schema": FRAGMENTS[0]}, "articles", "extractions"),
    ("pubmed_score_articles", {"scoring_criteria": {"weights": {"sample_size": 1}}}, "articles_with_features",
     "scored_articles"),
    ("pubmed_filter_rank", {"filters": {"from_year": 2000}}, "scored_articles", "ranked_articles"),
)  # fmt: skip
"""Steps of the literature pipeline: the tool, the name of the list that it takes, and that of its own."""

Ask = Callable[[FuzzCall], Awaitable[dict[str, Any]]]


@dataclass
class Findings:
    """The outcomes of all calls."""

    codes: collections.Counter[str] = field(default_factory=collections.Counter)
    defects: dict[str, FuzzCall] = field(default_factory=dict)
    """By what is wrong, the first call that shows it."""
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    late: list[tuple[float, FuzzCall]] = field(default_factory=list)
    slowest_seconds: float = 0.0


class Log(logging.Handler):
    """Keeps where the last defect was."""

    place = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Remember the last line of the traceback, and the last place in it that is ours."""
        lines = [line.strip() for line in record.getMessage().splitlines() if line.strip()]
        files = [line for line in lines if line.startswith("File ") and "/biofact/" in line]
        self.place = f"{lines[-1][:160]} @ {files[-1].rpartition('/biofact/')[2] if files else '?'}"


@asynccontextmanager
async def sandboxed() -> AsyncIterator[Clients]:
    """Clients of every source on a sandbox that is in no hurry to refuse."""
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(rate_factor=SPEED * 2) as sandbox:
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
            async with open_clients(settings, timing=QUICK) as clients:
                yield clients


def call_directly(clients: Clients) -> Ask:
    """Asks as an MCP server does when it has the arguments."""
    spelling = Spelling(every_source, prefixed)

    async def ask(call: FuzzCall) -> dict[str, Any]:
        client = clients.of(every_source.client_class(call.source))
        call_task = call.spec.call(client, call.arguments)
        answer = await tool_answer(call_task, call.spec.ref, spelling, call.arguments)
        body: dict[str, Any] = json.loads(compact_json(answer.body))
        return body

    return ask


@asynccontextmanager
async def by_client() -> AsyncIterator[tuple[Ask, Pool]]:
    """Asks as an agent does: FastMCP's client, the gateway, its middleware; the arguments are what JSON can say."""
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(rate_factor=SPEED * 2) as sandbox:
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
            server = gateway(functools.partial(open_clients, settings, timing=QUICK))
            async with Client(server) as client, open_clients(settings, timing=QUICK) as clients:

                async def ask(call: FuzzCall) -> dict[str, Any]:
                    arguments = json.loads(compact_json(json_value(call.arguments)))
                    result = await client.call_tool_mcp(prefixed(call.spec.ref), arguments)
                    (block,) = result.content
                    body: dict[str, Any] = json.loads(block.text)
                    return body

                yield ask, await fill_pool(clients)


@asynccontextmanager
async def by_answer() -> AsyncIterator[tuple[Ask, Pool]]:
    """Asks as the gateway does when it has the arguments."""
    async with sandboxed() as clients:
        yield call_directly(clients), await fill_pool(clients)


async def fill_pool(clients: Clients) -> Pool:
    """Good calls, with the cursors, lists and handles that the steps of real use show."""
    calls, ask = pool(), call_directly(clients)
    more_calls: list[tuple[str, ToolSpec, dict[str, Any]]] = []
    for source, spec, arguments in calls.good:
        small = {"page_size": 1} if any(parameter.name == "page_size" for parameter in spec.parameters) else {}
        body = await ask(FuzzCall(str(spec.ref), spec, source, {**arguments, **small}))
        if cursor := body.get("pagination", {}).get("cursor"):
            calls.cursors.append(cursor)
            more_calls.append((source, spec, {**arguments, **small, "cursor": cursor}))
        for name in ("articles", "extractions", "scored_articles", "items"):
            calls.parts += body.get(name, [])[:2]
    calls.good += 4 * [*more_calls, *await _steps(calls, ask)]
    return calls


async def _steps(calls: Pool, ask: Ask) -> list[tuple[str, ToolSpec, dict[str, Any]]]:
    """The calls of the literature pipeline, each with the list of the step before, and with its handle."""
    specs = {spec.ref.method: spec for spec in specs_of(every_source.client_class("pubmed"))}
    found: list[tuple[str, ToolSpec, dict[str, Any]]] = []
    before: dict[str, Any] = {}
    for tool, arguments, takes, shows in STEPS:
        lists = [{takes: before[last]} for last in before if takes and last != "collection"]
        handles = [{"collection": before["collection"]}] if takes else []
        argument_sets = [{**arguments, **variant} for variant in (*handles, *lists)] or [arguments]
        found += [("pubmed", specs[tool], argument_set) for argument_set in argument_sets]
        body = await ask(FuzzCall(tool, specs[tool], "pubmed", argument_sets[-1]))
        before = {name: body[name] for name in (shows, "collection") if name in body}
        calls.parts += list(before.values())
    return found


async def fuzz(count: int, seed: int, *, start: int = 0, report: int = 0, is_client: bool = False) -> Findings:
    """The findings of this many calls."""
    findings = Findings()
    with _log_listener() as log:
        async with by_client() if is_client else by_answer() as (ask, calls):
            for place in range(start, start + count):
                await _try(draw_call(calls, seed, place), ask, findings, log)
                _report(findings, report)
    return findings


def _report(findings: Findings, interval: int) -> None:
    if interval and findings.codes.total() % interval == 0:
        print(f"{dict(findings.codes)}, {len(findings.defects)} kinds of defect", flush=True)


@contextmanager
def _log_listener() -> Iterator[Log]:
    """The log of defects, which goes nowhere else."""
    logger, log = logging.getLogger("biofact"), Log()
    logger.addHandler(log)
    logger.propagate = False
    try:
        yield log
    finally:
        logger.removeHandler(log)
        logger.propagate = True


async def _try(call: FuzzCall, ask: Ask, findings: Findings, log: Log) -> None:
    started = time.perf_counter()
    try:
        body = await ask(call)
    except Exception as error:  # noqa: BLE001  # nothing may leave but an answer
        wrong = f"escaped: {type(error).__name__}: {str(error)[:120]}"
        findings.codes["escaped"] += 1
    else:
        findings.codes[body["error"]["code"] if "error" in body else "found"] += 1
        wrong = defect(body, log)
    seconds = time.perf_counter() - started
    findings.slowest_seconds = max(findings.slowest_seconds, seconds)
    if seconds > DEADLINE_SECONDS:
        findings.late.append((seconds, call))
    if wrong:
        findings.counts[wrong] += 1
        findings.defects.setdefault(wrong, call)


def defect(body: dict[str, Any], log: Log) -> str:
    """The defect of an answer; empty for a sound one."""
    error = body.get("error")
    if not isinstance(error, dict):
        return ""
    code, message = error.get("code"), str(error.get("message"))
    wrong = {
        f"defect: {log.place}": "defect of biofact" in message,
        f"code: {code}": code not in CODES,
        f"upstream: {message[:120]}": code == "UPSTREAM_ERROR" and "breaks the schema" not in message,
        "an envelope without its parts": "invalid_input" not in error or not message or not error.get("recovery_hint"),
        "a long message": len(message) + len(str(error.get("recovery_hint"))) > LONGEST_MESSAGE,
        "a recovery that carries a list": len(compact_json(error.get("recovery", {}))) > LONGEST_RECOVERY,
    }
    return next((defect for defect, is_so in wrong.items() if is_so), "")


def main() -> int:
    """Ask; the exit status says whether all is as promised."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--client", action="store_true", help="through FastMCP's client and server, too")
    options = parser.parse_args()
    started = time.perf_counter()
    run = fuzz(options.count, options.seed, start=options.start, report=10_000, is_client=options.client)
    findings = asyncio.run(run)
    print(
        f"{options.count} calls in {time.perf_counter() - started:.0f} s, seed {options.seed}: {dict(findings.codes)}"
    )
    print(f"slowest {findings.slowest_seconds:.2f} s of {DEADLINE_SECONDS:g}, {len(findings.late)} beyond it")
    for defect, times in findings.counts.most_common():
        call = findings.defects[defect]
        print(f"\n{times} x {defect}\n  {call.tool} {compact_json(json_value(call.arguments))[:1500]}")
    for seconds, call in findings.late[:20]:
        print(f"\n{seconds:.1f} s: {call.tool} {compact_json(json_value(call.arguments))[:1500]}")
    return 1 if findings.counts or findings.late else 0


if __name__ == "__main__":
    sys.exit(main())
