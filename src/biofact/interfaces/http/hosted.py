"""``biofact serve --http``: where it listens, whom it lets in, and in how many processes it answers."""

import asyncio
import functools
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.gateway import metrics
from biofact.gateway.authentication import HTTP_URL
from biofact.gateway.hosting import PATH, Hosting, is_loopback, listening_socket, socket_url
from biofact.gateway.limits import Limits, allowed_by_system
from biofact.interfaces import log_output, shutdown, terminal
from biofact.transport import quotas

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from fastmcp.server.auth import AuthProvider

MakeServer = Callable[[], "FastMCP[Any]"]
"""Makes the MCP server. Can be pickled where several processes answer."""

_SPARE_SECONDS = 3.0  # until a process that was told to stop is killed, beyond what it may take itself


def run(hosting: Hosting, make_server: MakeServer) -> None:
    """Serve until someone stops it.

    Raises:
        WrongUsage: others could reach the address, and would not be asked who they are; or it is taken.
    """
    limits = Limits()
    with listening_socket(hosting.address) as listens:
        _check(hosting, listens)
        announce = functools.partial(terminal.write_messages, list(_greeting(hosting, listens)))
        if hosting.workers == 1:
            _work(hosting, limits, make_server, listens, announce)
            return
        from biofact.gateway.workers import Workers  # noqa: PLC0415  # one process needs none

        with tempfile.TemporaryDirectory(prefix="biofact-metrics-") as folder, shutdown.removed_at_exit(folder):
            shared = replace(hosting, metrics_folder=Path(folder))
            work = functools.partial(_work_beside_others, shared, limits, make_server)
            closing_seconds = limits.closing_seconds + _SPARE_SECONDS
            forget = functools.partial(metrics.forget_worker, Path(folder))
            number = Workers(work, listens, hosting.workers, closing_seconds, forget).run(announce)
    sys.exit(128 + number)


def _check(hosting: Hosting, listens: socket.socket) -> None:
    """Whoever else can reach the address has to be known, or to be welcome in words."""
    if hosting.is_open or is_loopback(hosting.address) or _provider(hosting, listens) is not None:
        return
    raise WrongUsage(
        f"Others can reach {hosting.address}, and no authentication is set up: everyone could call.",
        hint="Set up authentication (docs/hosting.md), or say --no-auth if everyone may call; "
        "127.0.0.1:8000 serves this machine alone.",
    )


def _provider(hosting: Hosting, listens: socket.socket) -> "AuthProvider | None":
    """What lets callers in; None where everyone may call."""
    if hosting.is_open:
        return None
    from biofact.interfaces.http import authentication  # noqa: PLC0415  # brings FastMCP along

    settings = Settings().replaced({HTTP_URL.name: hosting.url})
    return authentication.provider(settings, socket_url(listens, PATH), hosting.source)


def _work(
    hosting: Hosting,
    limits: Limits,
    make_server: MakeServer,
    listens: socket.socket,
    on_ready: Callable[[], None],
) -> None:
    """Be a process that answers."""
    from biofact.interfaces.http import authentication  # noqa: PLC0415
    from biofact.interfaces.http.serving import serve  # noqa: PLC0415  # the one that starts others does not answer

    limits = allowed_by_system(limits)
    server = make_server()
    provider = _provider(hosting, listens)
    if provider is not None:
        authentication.guard(server, hosting.source)
    asyncio.run(serve(server, listens, hosting, limits, provider=provider, on_ready=on_ready))


def _work_beside_others(
    hosting: Hosting,
    limits: Limits,
    make_server: MakeServer,
    listens: socket.socket,
    on_ready: Callable[[], None],
) -> None:
    """Be one of several processes that answer; it is as new as the first one was when it was started."""
    terminal.open_streams()
    shutdown.exit_at_once_on_signals()
    with log_output.on_stderr():
        _work(hosting, limits, make_server, listens, on_ready)


def _greeting(hosting: Hosting, listens: socket.socket) -> Iterator[str]:
    """What someone has to know who starts the server."""
    yield f"biofact: {socket_url(listens, PATH)}"
    if hosting.url:
        yield f"Callers know it as {hosting.url}."
    is_local = is_loopback(hosting.address)
    if hosting.is_open and not is_local:
        yield "Everyone who reaches it may call: no token is asked for."
    if not is_local:
        names = ", ".join(dict.fromkeys((*hosting.allowed_hosts, "its own address", "localhost")))
        yield f"It answers to these names: {names}; --allow-host adds one."
    unused = [setting.name for setting in quotas.SETTINGS if Settings().is_set(setting)]
    if unused and _provider(hosting, listens) is None:
        yield f"Not in use: {', '.join(unused)}."
        yield "Callers without tokens cannot be told apart, so they have no quotas."
    if hosting.workers > 1:
        yield (
            f"{hosting.workers} processes answer, without sessions: agents on protocols before 2026-07-28 cannot lend "
            "their model, and rules read articles for them. --workers 1 lets them."
        )
    if terminal.is_typed_into():
        here = "MCP clients of this machine find it" if is_local else "MCP clients find it"
        yield f"{here} at this address. Ctrl-C ends it."
        if is_local or not hosting.is_open:
            root = (hosting.url or socket_url(listens, PATH)).removesuffix("/").removesuffix(PATH)
            yield f"Open {root}/ in a browser; Prometheus reads /metrics there."
