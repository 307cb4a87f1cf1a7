"""The gateway on the sandbox, asked by a real MCP client, in process and in virtual time."""

import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from fastmcp import Client, FastMCP
from jsonschema import Draft202012Validator

from biofact.interfaces.clients import open_clients
from biofact.interfaces.mcp.server import gateway, source_server
from biofact.sandbox import Fault, Sandbox
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.in_process import InProcess
from tests.sandboxed import LIFE, machine

T = TypeVar("T")
ToolCall = tuple[str, Mapping[str, Any]]
check_schema = Draft202012Validator.check_schema


@functools.cache
def compile_schema(schema: str) -> None:
    check_schema(json.loads(schema))


# A client's session checks the output schema of a tool before its first answer, which takes longer than the call does.
# There are hundreds of sessions here and the schemas stay as they are: each is checked once.
Draft202012Validator.check_schema = lambda schema, **_: compile_schema(json.dumps(schema))

_SCHEMAS: dict[str, Any] = {}
_VALIDATORS: dict[str, Any] = {}


def knows_the_tools(client: Client[Any]) -> None:
    """Reuse the list of tools of an earlier session: a session would request it, for a third of its time, to check the
    first answer, and always gets the same.
    """
    session = client.session
    if _SCHEMAS:
        session._tool_output_schemas = dict(_SCHEMAS)
        session._tool_output_validators = dict(_VALIDATORS)


def keep_the_tools(client: Client[Any]) -> None:
    """Let the next session reuse the list of this one."""
    _SCHEMAS.update(client.session._tool_output_schemas)
    _VALIDATORS.update(client.session._tool_output_validators)


@dataclass(frozen=True)
class Reply:
    """A result from the wire."""

    body: dict[str, Any]
    is_failure: bool
    meta: dict[str, Any]
    text: str

    @property
    def code(self) -> str:
        return self.body["error"]["code"] if self.is_failure else "found"

    @property
    def error(self) -> dict[str, Any]:
        """The error of a reply that has to be a failure."""
        assert self.is_failure, self.text
        return dict(self.body["error"])


@dataclass
class Served:
    """A client of the gateway, the sandbox behind it, and the network between."""

    client: Client[Any]
    sandbox: Sandbox
    network: InProcess

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool; structured content has to equal the text, and a failure has none."""
        result = await self.client.call_tool_mcp(tool, dict(arguments))
        (block,) = result.content
        body = json.loads(block.text)
        assert result.structured_content == (None if result.is_error else body)
        return Reply(body, bool(result.is_error), dict(result.meta or {}), block.text)


@asynccontextmanager
async def served(
    *,
    settings: Mapping[str, str] | None = None,
    timing: Timing = LIFE,
    server: Any = gateway,
    protocol: Any = "auto",
    client: Mapping[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[Served]:
    """The gateway with a sandbox and a cache of its own; ``client`` holds options of its MCP client."""
    async with machine(settings, **options) as (sandbox, network, environment):
        mcp_server: FastMCP[Any] = server(functools.partial(open_clients, environment, timing=timing, wire=network))
        async with Client(mcp_server, mode=protocol, **(client or {})) as connected:
            if server is gateway:
                knows_the_tools(connected)
            yield Served(connected, sandbox, network)
            if server is gateway:
                keep_the_tools(connected)


def server_of(source: str) -> Any:
    """The server of one source alone, for ``served``."""
    return functools.partial(source_server, source)


def on_gateway(scenario: Callable[[Served], Awaitable[T]], *, faults: Iterable[Fault] = (), **options: Any) -> T:
    """The result of a scenario with the gateway, whose sandbox has these faults; options are those of ``served``."""

    async def run() -> T:
        async with served(**options) as connection:
            connection.sandbox.faults.set(*faults)
            return await scenario(connection)

    return virtual_time.run(run())


def replies(*calls: ToolCall | Callable[[Reply], ToolCall], **options: Any) -> list[Reply]:
    """The replies to calls, one after another, each a function of the reply before it or known from the start.

    Options are those of ``on_gateway``.
    """

    async def call_all(connection: Served) -> list[Reply]:
        answers: list[Reply] = []
        for call in calls:
            answers.append(await connection.call(*(call(answers[-1]) if callable(call) else call)))
        return answers

    return on_gateway(call_all, **options)
