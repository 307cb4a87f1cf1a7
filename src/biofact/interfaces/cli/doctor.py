"""What a person wants to know when answers do not come: installation, settings, proxies, budgets, cache, services."""

import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

from biofact import sources
from biofact.core import call
from biofact.core.errors import BiofactError, NoNetwork, WrongSetting
from biofact.core.settings import Settings
from biofact.interfaces import every_source, terminal
from biofact.interfaces.cli import environment, output, progress
from biofact.interfaces.clients import Clients, check_folder, opened
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Spelling, command
from biofact.transport.ask.retry import OFFLINE
from biofact.transport.keep.cache import cache_folder
from biofact.transport.private_files import shared_reason
from biofact.transport.redis_link import REDIS_URL
from biofact.transport.service import Refused, Request, Service, redacted
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

PATIENT = Timing(deadline_seconds=5.0)

Row = dict[str, Any]


async def examine(*, sandbox: SandboxOption = False) -> dict[str, list[Row]]:
    """What there is to know, section by section. That there is no network is said on stderr, once."""
    services = _services()
    given = Settings()
    outages: list[NoNetwork] = []
    async with (
        opened(given, timing=PATIENT, sandbox=sandbox, is_checked=False) as clients,
        progress.shown("asking the services"),
    ):
        transport = clients.transport
        found = await asyncio.gather(*(_service(transport, service, outages) for service in services))
        redis = await _redis(transport)
        cache = await _cache(transport)
        settings = environment.setting_rows(transport.settings, given)
    if outages:
        spelling = Spelling(every_source, command)
        message = f"{len(outages)} of {len(services)} services were not asked: {outages[0].problem}."
        terminal.write_messages((f"error: {message}", f"hint: {spelling.text(outages[0].hint)}"))
    return {
        "installation": environment.installation_rows(),
        "settings": settings,
        "unknown_variables": environment.unknown_rows(os.environ),
        "network": environment.network_rows(os.environ),
        "services": list(found),
        "redis": redis,
        "cache": [cache],
    }


async def probe(*, sandbox: SandboxOption = False) -> list[Row]:
    """What the services say to the questions that their documentation leaves open."""
    turns: defaultdict[Service, asyncio.Lock] = defaultdict(asyncio.Lock)  # side by side, but each asked one at a time
    async with (
        opened(timing=PATIENT, sandbox=sandbox, is_checked=False) as clients,
        progress.shown("probing the services"),
    ):

        async def asked(label: str, request: Request) -> Row:
            async with turns[request.service]:
                return await _probe(clients.transport, label, request)

        return list(await asyncio.gather(*(asked(label, request) for label, request in _probes())))


async def cache_stats(*, sandbox: SandboxOption = False) -> Row:
    """What the cache holds, and where."""
    async with _kept(sandbox) as clients:
        return await _cache(clients.transport)


async def clear_cache(*, sandbox: SandboxOption = False) -> int:
    """How many answers were forgotten; pauses that services asked for are forgotten, too."""
    async with _kept(sandbox) as clients:
        for service in _services():
            await clients.transport.budgets.lift(service)
        return await clients.transport.cache.clear()


def _kept(sandbox: SandboxOption) -> AbstractAsyncContextManager[Clients]:
    """Clients of which only what is kept is of interest: of all settings, their folder has to be right.

    Raises:
        WrongUsage: others can write to it.
    """
    if not sandbox:
        check_folder(Settings())
    return opened(sandbox=sandbox, is_checked=False)


def write_tables(found: Mapping[str, list[Row]]) -> None:
    """Write each section under its name; one without rows says nothing."""
    for section, rows in found.items():
        if rows:
            output.write_line(section.replace("_", " ").upper())
            output.write_rows(rows)
            output.write_line()
    terminal.write_messages(f"note: {message}" for message in _mistakes(found))


def _mistakes(found: Mapping[str, list[Row]]) -> Iterator[str]:
    """What is wrong with the environment."""
    for row in found["settings"]:
        if "expected" in row:
            yield f"the value of {row['name']} cannot be read; set it to {row['expected']}, or unset it."
    for row in found["unknown_variables"]:
        close = f"; did you mean {row['closest']}?" if row["closest"] else "."
        yield f"biofact has no setting {row['name']}{close}"
    folder = cache_folder(Settings())
    if folder and (reason := shared_reason(folder)):
        yield f"the cache folder {str(folder)!r} is not used: {reason}; take that away (chmod go-w)."


def _services() -> list[Service]:
    """Every service that a source asks, once."""
    found = (service for name in sources.names() for service in sources.client_class(name).services)
    return list({service.name: service for service in found}.values())


def _probes() -> Iterator[tuple[str, Request]]:
    for name in sources.names():
        yield from sources.client_class(name).probes


async def _service(transport: Transport, service: Service, outages: list[NoNetwork]) -> Row:
    budget = transport.budgets.stats(service)
    return {
        "name": service.name,
        "reachable": await _reachability(transport, service, outages),
        "per_second": budget.per_second,
        "next_slot_seconds": round(budget.next_slot_seconds, 3),
        "paused": "yes" if budget.is_paused else "no",
        "kept_in": budget.kept,
        "url": redacted(transport.settings[service.base_url], transport.settings),
        "title": service.title,
    }


async def _reachability(transport: Transport, service: Service, outages: list[NoNetwork]) -> str:
    if transport.settings.is_on(OFFLINE):
        return f"not checked: {OFFLINE.name} is set"
    start = time.monotonic()
    try:
        with call.session():
            await transport.fetch(Request(service, service.probe_path), len)
    except NoNetwork as error:
        outages.append(error)
        return f"no: {error.problem}"
    except BiofactError as error:
        return f"no: {error.message}"
    except Refused as refused:
        return f"no: {refused}"
    return f"yes, in {time.monotonic() - start:.1f} s"


async def _probe(transport: Transport, label: str, request: Request) -> Row:
    try:
        with call.session():
            body = await transport.fetch(replace(request, absent_status=None), bytes)  # the reply is what is asked for
    except BiofactError as error:
        return {"probe": label, "answer": error.message}
    except Refused as refused:
        status, body = refused.answer.status, refused.answer.body
    else:
        status = 200
    head = body[:_HEAD_BYTES].decode("utf-8", "replace")
    return {"probe": label, "status": status, "answer": redacted(head, transport.settings)}


async def _redis(transport: Transport) -> list[Row]:
    """How replicas share budgets and cache; nothing where they do not."""
    if not transport.settings[REDIS_URL]:
        return []
    try:
        await transport.join()
    except WrongSetting as wrong:
        return [{"usable": f"no: {wrong.__cause__}"}]
    state = transport.redis_state
    if state is None or not state.is_ok:
        return [{"usable": f"no: it is {state.fault if state else 'away'}"}]
    return [{"usable": "yes", "replicas": state.replicas}]


async def _cache(transport: Transport) -> Row:
    try:
        stats = await transport.cache.stats()
    except WrongSetting as wrong:
        return {"entries": 0, "bytes": 0, "location": f"none: {wrong.__cause__}", "kept_in": "none"}
    return {"entries": stats.entries, "bytes": stats.bytes, "location": stats.location, "kept_in": stats.kind}


_HEAD_BYTES = 1500
