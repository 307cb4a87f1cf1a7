"""``biofact serve``, over stdio and HTTP. It does without the command line's library, for a fast start."""

import asyncio
import functools
import gc
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biofact import __version__, sources
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage, no_source
from biofact.gateway.authentication import HTTP_URL
from biofact.gateway.hosting import PATH, Hosting, HostingOptions, hosting, is_loopback, listening_socket, socket_url
from biofact.interfaces import log_output, sandbox_option, shutdown, start_slots, terminal
from biofact.interfaces.sandbox_option import SandboxOption

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from fastmcp.server.auth import AuthProvider

    from biofact.gateway.limits import Limits
    from biofact.gateway.workers import Work
    from biofact.interfaces.clients import Clients


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What to serve, and how."""

    source: str | None = None
    sandbox: SandboxOption = False
    http: HostingOptions | None = None
    """The options of HTTP; None for standard input and output."""


MakeServer = Callable[[], "FastMCP[Any]"]
"""Creates the MCP server; picklable where several processes answer."""
_HTTP_VALUES = {"--http": "address", "--url": "url", "--workers": "workers"}
_HTTP_LISTS = {"--allow-host": "hosts", "--allow-origin": "origins"}
_SPARE_SECONDS = 3.0  # after the time that a process may take to stop, before it is killed


def parse_tokens(tokens: Sequence[str]) -> ServeOptions | None:
    """The options in the words after ``biofact serve``; None for help and mistakes, which the CLI answers."""
    source = None
    sandbox: SandboxOption = False
    http: dict[str, Any] = {}
    rest = iter(tokens)
    for token in rest:
        if choice := sandbox_option.option(token):
            sandbox = choice
        elif token in _HTTP_VALUES:
            http[_HTTP_VALUES[token]] = next(rest, "--")  # ``--`` in place of a missing value counts as a mistake below
        elif token in _HTTP_LISTS:
            http.setdefault(_HTTP_LISTS[token], []).append(next(rest, "--"))
        elif token == "--no-auth":  # noqa: S105
            http["is_open"] = True
        elif source is None:
            source = token
        else:
            return None
    words = (source, *(word for value in http.values() for word in (value if isinstance(value, list) else [value])))
    # help, an unknown option or a wrong one: the command line explains
    if any(word.startswith("-") for word in words if isinstance(word, str)) or (http and "address" not in http):
        return None
    lists = {name: tuple(http.get(name, ())) for name in _HTTP_LISTS.values()}
    return ServeOptions(source, sandbox, HostingOptions(**(http | lists)) if http else None)


def run(options: ServeOptions) -> None:
    """Serve until the client closes its end or a signal comes.

    Raises:
        WrongUsage: there is no such source, others could reach the address and call, its port is taken, a quota is
            no number, Redis refuses what is set, or others can write to the cache folder of a server over HTTP.
    """
    if options.source is not None and options.source not in sources.names():
        raise no_source(options.source, sources.names())  # before one process or several start to serve it
    shutdown.exit_at_once_on_signals()
    if os.environ.get("BIOFACT_REDIS_URL") and not options.sandbox:
        from biofact.interfaces.clients import check_redis  # noqa: PLC0415

        check_redis(Settings())
    if options.http is not None:
        from biofact.interfaces.clients import check_folder, check_forms  # noqa: PLC0415
        from biofact.transport import quotas  # noqa: PLC0415

        check_forms(Settings(), quotas.SETTINGS)
        if not options.sandbox:
            check_folder(Settings())
        http_hosting = replace(hosting(options.http, Settings(), options.source), is_sandbox=bool(options.sandbox))
        serve_http(http_hosting, functools.partial(server, options))
        return
    mcp_server = server(options)
    if terminal.is_typed_into():
        terminal.write_messages(_greeting(options))
    from biofact.interfaces import telemetry  # noqa: PLC0415
    from biofact.interfaces.mcp import stdio  # noqa: PLC0415

    start_slots.give_up()
    with log_output.of_a_server(Settings()), telemetry.traced(Settings()):
        asyncio.run(stdio.serve(mcp_server))


def serve_http(hosting: Hosting, make_server: MakeServer) -> None:
    """Serve over HTTP until a signal comes.

    Raises:
        WrongUsage: others could reach the address without authentication; or it is taken.
    """
    from biofact.gateway.limits import Limits  # noqa: PLC0415

    start_slots.give_up()  # workers are forked
    limits = Limits()
    with listening_socket(hosting.address) as listens:
        _check(hosting, listens)
        announce = functools.partial(terminal.write_messages, list(_http_greeting(hosting, listens)))
        import tempfile  # noqa: PLC0415  # nothing else of the command needs these

        from biofact.gateway import metrics  # noqa: PLC0415
        from biofact.gateway.workers import Workers  # noqa: PLC0415

        with tempfile.TemporaryDirectory(prefix="biofact-metrics-") as folder, shutdown.removed_at_exit(folder):
            shared = replace(hosting, metrics_folder=Path(folder))
            if hosting.workers == 1:
                _work(shared, limits, make_server, listens, announce)
                return
            work = functools.partial(_work_in_pool, functools.partial(_work, shared, limits, make_server))
            closing_seconds = limits.closing_seconds + _SPARE_SECONDS
            forget = functools.partial(metrics.forget_worker, Path(folder))
            number = Workers(work, listens, hosting.workers, closing_seconds, forget).run(announce)
    sys.exit(128 + number)


def _check(hosting: Hosting, listens: socket.socket) -> None:
    """Refuse an address that others can reach, without authentication or ``--no-auth``."""
    if hosting.is_open or is_loopback(hosting.address) or _provider(hosting, listens) is not None:
        return
    raise WrongUsage(
        f"Others can reach {hosting.address}, and no authentication is set up: everyone could call.",
        hint="Set up authentication (docs/hosting.md), or say --no-auth if everyone may call; "
        "127.0.0.1:8000 serves this machine alone.",
    )


def _provider(hosting: Hosting, listens: socket.socket) -> "AuthProvider | None":
    """The authentication; None where everyone may call."""
    if hosting.is_open:
        return None
    from biofact.interfaces.http import authentication  # noqa: PLC0415  # brings FastMCP along

    settings = Settings().with_changes({HTTP_URL.name: hosting.url})
    return authentication.provider(settings, socket_url(listens, PATH), hosting.source)


def _work(
    hosting: Hosting,
    limits: "Limits",
    make_server: MakeServer,
    listens: socket.socket,
    on_ready: Callable[[], None],
) -> None:
    """Answer in this process."""
    from biofact.gateway import metrics  # noqa: PLC0415
    from biofact.gateway.limits import allowed_by_system  # noqa: PLC0415
    from biofact.interfaces.http.heavy_requests import HeavyRequests  # noqa: PLC0415
    from biofact.interfaces.http.serving import serve  # noqa: PLC0415  # the supervisor does not answer

    limits = allowed_by_system(limits)
    provider = _provider(hosting, listens)
    make = functools.partial(_guarded, hosting, make_server) if provider else make_server
    folder = hosting.metrics_folder
    forget = functools.partial(metrics.forget_worker, folder) if folder else lambda _: None
    heavy = HeavyRequests(functools.partial(_answer_heavy, hosting, limits, make), forget)
    asyncio.run(serve(make(), listens, hosting, limits, provider=provider, heavy=heavy, on_ready=on_ready))


def _guarded(hosting: Hosting, make_server: MakeServer) -> "FastMCP[Any]":
    """The server, with a check of the scopes of each call."""
    from biofact.interfaces.http import authentication  # noqa: PLC0415

    server = make_server()
    authentication.guard(server, hosting.source)
    return server


def _answer_heavy(hosting: Hosting, limits: "Limits", make_server: MakeServer, link: socket.socket) -> None:
    """Answer heavy requests in a process of their own."""
    from biofact.interfaces.http.serving import serve_heavy  # noqa: PLC0415

    with log_output.on_stderr():
        asyncio.run(serve_heavy(make_server(), link, hosting, limits))


def _work_in_pool(work: "Work", listens: socket.socket, on_ready: Callable[[], None]) -> None:
    """Answer in one of several processes, after the set-up that the main function does in the first."""
    terminal.open_streams()
    shutdown.exit_at_once_on_signals()
    with log_output.on_stderr():
        work(listens, on_ready)


def _http_greeting(hosting: Hosting, listens: socket.socket) -> Iterator[str]:
    """Messages for the person who starts the server."""
    from biofact.transport import quotas  # noqa: PLC0415

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
        clients_text = "MCP clients of this machine find it" if is_local else "MCP clients find it"
        yield f"{clients_text} at this address. Ctrl-C ends it."
        if is_local or not hosting.is_open:
            root = (hosting.url or socket_url(listens, PATH)).removesuffix("/").removesuffix(PATH)
            yield f"Open {root}/ in a browser; Prometheus reads /metrics there."


def server(options: ServeOptions) -> "FastMCP[Any]":
    """The MCP server."""
    gc.disable()  # imported objects stay, and a search for garbage among them takes a tenth of a second
    try:
        mcp_server = _server(options)
        gc.freeze()
    finally:
        gc.enable()
    return mcp_server


def _greeting(options: ServeOptions) -> Iterator[str]:
    """Messages for a person who types the command; a client starts it with pipes, and gets none."""
    sources_text = f"the source {options.source}" if options.source else "every source"
    place = ", on the sandbox" if options.sandbox else ""
    yield f"biofact {__version__}: an MCP server with {sources_text}{place}. Ctrl-C ends it."
    yield "It waits for an MCP client on standard input; there is nothing to type here."
    yield "Clients start it by themselves once they are set up: biofact install --client claude-desktop,"
    yield "or claude-code, cursor, vscode, or json for any other."


def _server(options: ServeOptions) -> "FastMCP[Any]":
    opener = functools.partial(_open_sandbox, options.sandbox) if options.sandbox else None
    if options.source is None:
        from biofact.interfaces.mcp.server import gateway  # noqa: PLC0415

        return gateway(opener)
    from biofact.interfaces.mcp.server import source_server  # noqa: PLC0415

    return source_server(options.source, opener)


def _open_sandbox(sandbox: SandboxOption) -> "AbstractAsyncContextManager[Clients]":
    from biofact.interfaces.clients import open_clients  # noqa: PLC0415  # with the first call

    return open_clients(sandbox=sandbox)
