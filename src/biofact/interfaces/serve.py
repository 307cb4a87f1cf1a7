"""``biofact serve``, apart from the command line's library, so that a server starts as fast as it can."""

import asyncio
import functools
import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from biofact import __version__, sources
from biofact.core.settings import Settings
from biofact.core.usage import no_source
from biofact.gateway.hosting import HostingOptions, hosting
from biofact.interfaces import sandbox_option, shutdown, terminal
from biofact.interfaces.sandbox_option import SandboxOption

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from biofact.interfaces.clients import Clients


@dataclass(frozen=True, slots=True)
class Serving:
    """What to serve, and where."""

    source: str | None = None
    sandbox: SandboxOption = False
    http: HostingOptions | None = None
    """How to serve over HTTP; None for standard input and output."""


_HTTP_VALUES = {"--http": "address", "--url": "url", "--workers": "workers"}
_HTTP_LISTS = {"--allow-host": "hosts", "--allow-origin": "origins"}


def parse_tokens(tokens: Sequence[str]) -> Serving | None:
    """What the words after ``biofact serve`` ask for. None for a call for help or a mistake: the CLI tells of those."""
    source = None
    sandbox: SandboxOption = False
    http: dict[str, Any] = {}
    rest = iter(tokens)
    for token in rest:
        if choice := sandbox_option.option(token):
            sandbox = choice
        elif token in _HTTP_VALUES:
            http[_HTTP_VALUES[token]] = next(rest, "--")
        elif token in _HTTP_LISTS:
            http.setdefault(_HTTP_LISTS[token], []).append(next(rest, "--"))
        elif token == "--no-auth":  # noqa: S105
            http["is_open"] = True
        elif source is None:
            source = token
        else:
            return None
    words = (source, *(word for value in http.values() for word in (value if isinstance(value, list) else [value])))
    if any(word.startswith("-") for word in words if isinstance(word, str)) or (http and "address" not in http):
        return None
    lists = {name: tuple(http.get(name, ())) for name in _HTTP_LISTS.values()}
    return Serving(source, sandbox, HostingOptions(**(http | lists)) if http else None)


def run(serving: Serving) -> None:
    """Serve until the client hangs up or someone stops it.

    Raises:
        WrongUsage: there is no such source, others could reach the address and call, its port is taken, a quota is
            no number, Redis refuses what is set, or others can write to the cache folder of a server over HTTP.
    """
    if serving.source is not None and serving.source not in sources.names():
        raise no_source(serving.source, sources.names())  # before one process or several start to serve it
    shutdown.exit_at_once_on_signals()
    if os.environ.get("BIOFACT_REDIS_URL") and not serving.sandbox:
        from biofact.interfaces.clients import check_redis  # noqa: PLC0415

        check_redis(Settings())
    if serving.http is not None:
        from biofact.interfaces.clients import check_folder, check_forms  # noqa: PLC0415
        from biofact.interfaces.http import hosted  # noqa: PLC0415
        from biofact.transport import quotas  # noqa: PLC0415

        check_forms(Settings(), quotas.SETTINGS)
        if not serving.sandbox:
            check_folder(Settings())
        how = replace(hosting(serving.http, Settings(), serving.source), is_sandbox=bool(serving.sandbox))
        hosted.run(how, functools.partial(server, serving))
        return
    made = server(serving)
    if terminal.is_typed_into():
        terminal.write_messages(_greeting(serving))
    from biofact.interfaces import telemetry  # noqa: PLC0415
    from biofact.interfaces.mcp import stdio  # noqa: PLC0415

    with telemetry.traced(Settings()):
        asyncio.run(stdio.serve(made))


def server(serving: Serving) -> "FastMCP[Any]":
    """The MCP server."""
    gc.disable()  # of what is imported nothing becomes garbage, and looking for some takes a tenth of a second
    try:
        made = _server(serving)
        gc.freeze()
    finally:
        gc.enable()
    return made


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
        from biofact.interfaces.mcp.server import gateway  # noqa: PLC0415

        return gateway(opener)
    from biofact.interfaces.mcp.server import source_server  # noqa: PLC0415

    return source_server(serving.source, opener)


def _sandboxed(sandbox: SandboxOption) -> "AbstractAsyncContextManager[Clients]":
    from biofact.interfaces.clients import opened  # noqa: PLC0415  # with the first call

    return opened(sandbox=sandbox)
