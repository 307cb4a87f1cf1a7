"""``biofact serve``, apart from the command line's library, so that a server starts as fast as it can."""

import asyncio
import functools
import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biofact import __version__, sources
from biofact.core.settings import Settings
from biofact.interfaces import sandbox_option, shutdown, terminal
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.usage import no_source

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from biofact.interfaces.clients import Clients


@dataclass(frozen=True, slots=True)
class Serving:
    """What to serve, and where."""

    source: str | None = None
    http: str | None = None
    sandbox: SandboxOption = False


def parse_tokens(tokens: Sequence[str]) -> Serving | None:
    """What the words after ``biofact serve`` ask for. None for a call for help or a mistake: the CLI tells of those."""
    source, http = None, None
    sandbox: SandboxOption = False
    rest = iter(tokens)
    for token in rest:
        if choice := sandbox_option.option(token):
            sandbox = choice
        elif token == "--http":  # noqa: S105
            http = next(rest, "--")
        elif source is None:
            source = token
        else:
            return None
    if any(word.startswith("-") for word in (source, http) if word):
        return None
    return Serving(source, http, sandbox)


def run(serving: Serving) -> None:
    """Serve until the client hangs up or someone stops it.

    Raises:
        WrongUsage: there is no such source, other machines could reach the address, its port is taken, or Redis
            refuses what is set.
    """
    if os.environ.get("BIOFACT_REDIS_URL") and not serving.sandbox:
        from biofact.interfaces.redis_check import check_redis  # noqa: PLC0415

        check_redis(Settings())
    gc.disable()  # of what is imported nothing becomes garbage, and looking for some takes a tenth of a second
    try:
        server = _server(serving)
        gc.freeze()
    finally:
        gc.enable()
    shutdown.exit_at_once_on_signals()
    if serving.http is None:
        if terminal.is_typed_into():
            terminal.write_messages(_greeting(serving))
        from biofact.interfaces.mcp import stdio  # noqa: PLC0415

        asyncio.run(stdio.serve(server))
    else:
        from biofact.interfaces.http.listening import listening_socket  # noqa: PLC0415
        from biofact.interfaces.http.serving import serve  # noqa: PLC0415

        asyncio.run(serve(server, listening_socket(serving.http)))


def _greeting(serving: Serving) -> Iterator[str]:
    """What someone has to know who types the command; a client starts it with pipes, and reads none of this."""
    offered = f"the source {serving.source}" if serving.source else "every source"
    place = ", on the sandbox" if serving.sandbox else ""
    yield f"biofact {__version__}: an MCP server with {offered}{place}. Ctrl-C ends it."
    yield "It waits for an MCP client on standard input; there is nothing to type here."
    yield "Clients start it by themselves once they are set up: biofact install --client claude-desktop,"
    yield "or claude-code, cursor, vscode, or json for any other."


def _server(serving: Serving) -> "FastMCP[Any]":
    opener = functools.partial(_sandboxed, serving.sandbox) if serving.sandbox else None
    if serving.source is None:
        from biofact.interfaces.mcp.gateway import gateway  # noqa: PLC0415

        return gateway(opener)
    if serving.source in sources.names():
        from biofact.interfaces.mcp.server import source_server  # noqa: PLC0415

        return source_server(serving.source, opener)
    raise no_source(serving.source, sources.names())


def _sandboxed(sandbox: SandboxOption) -> "AbstractAsyncContextManager[Clients]":
    from biofact.interfaces.clients import opened  # noqa: PLC0415  # with the first call

    return opened(sandbox=sandbox)
