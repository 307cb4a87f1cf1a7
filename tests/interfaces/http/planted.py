"""Calls of every tool with planted secrets and words, without and with failures, and all texts written meanwhile."""

import io
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.server.auth import AccessToken
from starlette.applications import Starlette

from biofact.core import events
from biofact.core.errors import ToolRef
from biofact.core.settings import Settings
from biofact.gateway import health
from biofact.gateway.metrics import Metrics
from biofact.interfaces import every_source, log_output
from biofact.interfaces.clients import open_clients
from biofact.interfaces.mcp.server import OnDemand, gateway
from biofact.interfaces.spelling import prefixed
from biofact.sandbox.faults import Fault
from biofact.transport.keep.cache import CACHE_DIR
from tests import virtual_time
from tests.interfaces.http.pages import fetch
from tests.interfaces.http.protected import carried
from tests.sandboxed import LIFE, machine

KEY, EMAIL, TOKEN, MODEL_KEY = "KEY0planted1", "planted@example.org", "TOKEN0planted2", "MODELKEY0planted3"
SECRETS = (KEY, EMAIL, TOKEN, MODEL_KEY)
WORD = "zebrafinchgene77"
"""A word that only callers write."""

_ECHO = json.dumps({"error": "API key invalid", "api-key": KEY, "email": EMAIL, "term": WORD, "count": "4"}).encode()
FAULTS = (
    Fault("status", status=400, body=_ECHO, times=None),
    Fault("status", status=429, headers={"retry-after": "1"}, body=_ECHO, times=None),
    Fault("status", status=500, body=_ECHO, times=None),
    Fault("body", body=_ECHO, times=None),
    Fault("close", times=None),
)

Call = tuple[str, dict[str, Any], set[str]]
"""A tool, its arguments, and the words among them that are the caller's."""


@dataclass
class Output:
    """The output of a run, by place."""

    log: str = ""
    metrics: str = ""
    health: str = ""
    answers: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    """The callers' words, without values that schemas offer."""


def calls_of(toolset: str, *, is_whole: bool) -> Iterator[Call]:
    """Each example, and the same with the planted word for each text that a caller may choose; and these texts.

    For a part of the examples, the first of each tool.
    """
    listing = every_source.listing(toolset)
    schemas = {tool.ref.method: json.dumps(tool.input_schema) for tool in listing.tools}
    tools_seen: set[str] = set()
    for example in every_source.examples(toolset):
        if example.tool not in schemas:
            continue  # a resource
        if example.tool in tools_seen and not is_whole:
            continue
        tools_seen.add(example.tool)
        is_free = partial(_is_free, schemas[example.tool])
        name = prefixed(ToolRef(toolset, example.tool))
        words = {text for text in texts(example.arguments) if is_free(text) and _is_distinctive(text)}
        yield name, dict(example.arguments), words
        yield name, plant(example.arguments, is_free), {WORD}


def _is_distinctive(text: str) -> bool:
    """Whether only callers write this text: a log has numbers of bytes, and kinds such as ``mesh-search``."""
    return len(text) >= 5 and not text.isdecimal()


def _is_free(schema: str, text: str) -> bool:
    return bool(text) and json.dumps(text) not in schema


def texts(value: Any) -> list[str]:
    """Every text within arguments."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return [*itertools.chain.from_iterable(map(texts, inner))]


def plant(value: Any, is_free: Any) -> Any:
    """The same arguments with the planted word in place of each free text."""
    match value:
        case str():
            return WORD if is_free(value) else value
        case Mapping():
            return {name: plant(inner, is_free) for name, inner in value.items()}
        case list() | tuple():
            return [plant(inner, is_free) for inner in value]
        case _:
            return value


def run(toolset: str, log_format: str, *, is_whole: bool = False, **of_the_host: str) -> Output:
    """All output of a hosted gateway that answers calls of a toolset, without faults and with each, or a share."""
    settings = {"NCBI_API_KEY": KEY, "BIOFACT_EMAIL": EMAIL, "BIOFACT_LLM_API_KEY": MODEL_KEY}
    of_the_log = Settings({**settings, "BIOFACT_LOG": "debug", "BIOFACT_LOG_FORMAT": log_format, **of_the_host})
    output, stderr, metrics = Output(), io.StringIO(), Metrics()
    token = AccessToken(
        token=TOKEN, client_id="claude.ai", scopes=[], subject="ann", claims={"iss": "https://login.example"}
    )
    with ExitStack() as stack:
        stack.enter_context(redirect_stderr(stderr))
        stack.enter_context(log_output.on_stderr(of_the_log))
        stack.enter_context(log_output.of_a_server(of_the_log))
        stack.enter_context(events.subscription(metrics.listener))
        stack.enter_context(carried(token))
        faults = FAULTS if is_whole else FAULTS[every_source.toolsets().index(toolset) % 3 :: 3]
        virtual_time.run(_answer_all([*calls_of(toolset, is_whole=is_whole)], faults, settings, output))
    output.log = stderr.getvalue()
    samples = (line for line in metrics.page()[0].decode().splitlines() if not line.startswith("#"))
    output.metrics = "\n".join(samples)  # the rest of the page is fixed text
    return output


def _files(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


async def _answer_all(calls: list[Call], faults: Sequence[Fault], settings: Mapping[str, str], output: Output) -> None:
    async with machine(settings) as (sandbox, network, environment):
        server = gateway(partial(open_clients, environment, timing=LIFE, wire=network))
        async with Client(server) as client:
            await _answer(client, calls, output)
            calls_with_word = [call for call in calls if call[2] == {WORD}]  # the others are in the cache by now
            for fault in faults:
                sandbox.faults.clear()
                sandbox.faults.set(fault)
                await _answer(client, calls_with_word, output)
            (on_demand,) = (provider for provider in server.providers if isinstance(provider, OnDemand))
            app = Starlette(routes=health.routes(health.Readiness(health.kept_parts(on_demand.offer.transport))))
            output.health = "".join([(await fetch(app, path)).text for path in ("/healthz", "/readyz")])
        output.files = _files(Path(environment[CACHE_DIR]))


async def _answer(client: Any, calls: list[Call], output: Output) -> None:
    for name, arguments, words in calls:
        output.words |= words
        result = await client.call_tool_mcp(name, arguments)
        output.answers.append(result.model_dump_json())
