"""``biofact serve``, apart from the command line's library, so that a server starts as fast as it can."""

import asyncio
import functools
import gc
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biofact import sources
from biofact.interfaces import sandbox_option, shutdown
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.usage import WrongUsage

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
        WrongUsage: there is no such source, other machines could reach the address, or its port is taken.
    """
    gc.disable()  # of what is imported nothing becomes garbage, and looking for some takes a tenth of a second
    try:
        server = _server(serving)
        gc.freeze()
    finally:
        gc.enable()
    shutdown.exit_at_once_on_signals()
    if serving.http is None:
        from biofact.interfaces.mcp import stdio  # noqa: PLC0415

        asyncio.run(stdio.serve(server))
    else:
        from biofact.interfaces.mcp import http  # noqa: PLC0415

        asyncio.run(http.serve(server, http.listening_socket(serving.http)))


def _server(serving: Serving) -> "FastMCP[Any]":
    opener = functools.partial(_sandboxed, serving.sandbox) if serving.sandbox else None
    if serving.source is None:
        from biofact.interfaces.mcp.gateway import gateway  # noqa: PLC0415

        return gateway(opener)
    if serving.source in sources.names():
        from biofact.interfaces.mcp.server import source_server  # noqa: PLC0415

        return source_server(serving.source, opener)
    raise WrongUsage(f"There is no source {serving.source!r}.", hint=f"The sources are {', '.join(sources.names())}.")


def _sandboxed(sandbox: SandboxOption) -> "AbstractAsyncContextManager[Clients]":
    from biofact.interfaces.clients import opened  # noqa: PLC0415  # with the first call

    return opened(sandbox=sandbox)
