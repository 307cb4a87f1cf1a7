"""``biofact doctor`` and ``cache``: installation, settings, proxies, budgets, cache, and which services answer."""

import asyncio
import difflib
import os
import platform
import sys
import sysconfig
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import getproxies

import biofact
from biofact import sources
from biofact.core import call
from biofact.core.errors import BiofactError, NoNetwork, WrongSetting
from biofact.core.settings import Setting, Settings, declared_settings, setting_faults
from biofact.gateway import audit as _audit_file  # noqa: F401  # so does this
from biofact.gateway import authentication as _authentication  # noqa: F401  # declares them
from biofact.gateway import hosting as _hosting  # noqa: F401  # declares them
from biofact.gateway import link as _link  # noqa: F401  # declares a setting
from biofact.interfaces import every_source, terminal
from biofact.interfaces import telemetry as _telemetry  # noqa: F401  # declares settings
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.clients import Clients, check_folder, open_clients
from biofact.interfaces.sandbox_option import FLAG, SandboxOption
from biofact.interfaces.spelling import Spelling, command
from biofact.transport.ask.retry import OFFLINE
from biofact.transport.backends import REDIS_URL
from biofact.transport.keep.cache import cache_folder
from biofact.transport.private_files import shared_reason
from biofact.transport.service import Refused, Request, Service, redacted
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

Row = dict[str, Any]

FOR_TESTS = (
    Setting("BIOFACT_RECORDINGS", "The folder of recorded answers; for biofact's own tests."),
    Setting("BIOFACT_REQUIRE_RECORDINGS", "Fail without recordings; for biofact's own tests.", is_switch=True),
    Setting("BIOFACT_REQUIRE_EXTRAS", "Fail without what the extras need; for biofact's own tests.", is_switch=True),
)
_PROXIES = {"http": "http:// addresses", "https": "https:// addresses", "all": "all other addresses"}
_CERTIFICATES = {
    "SSL_CERT_FILE": "File of the certificates to trust, in place of the system's.",
    "SSL_CERT_DIR": "Folder of the certificates to trust; not read where SSL_CERT_FILE is set.",
}
_NOT_SET = "not set"
_ENVIRONMENT = "environment"
_LIKENESS = 0.85  # of two names: a slip of a letter or two
_HEAD_BYTES = 1500
PATIENT = Timing(deadline_seconds=5.0)
"""A person waits for the report: a service that takes longer counts as out of reach."""


def all_settings() -> list[Setting]:
    """The settings of all parts, by name, without those of the tests."""
    for name in every_source.toolsets():
        every_source.client_class(name)  # imports what declares them
    return sorted(declared_settings(), key=lambda setting: setting.name)


def setting_rows(in_force: Settings, user_settings: Settings) -> list[Row]:
    """Each setting with its value ``in_force``, and its origin: ``user_settings``, the sandbox, or the default.

    A row with an unreadable value says what is ``expected``.
    """
    settings = [*all_settings(), *(setting for setting in FOR_TESTS if user_settings.is_set(setting))]
    faults = {fault.setting: {"expected": fault.expected} for fault in setting_faults(in_force, settings)}
    return [
        {
            "name": setting.name,
            "origin": _origin(setting, in_force, user_settings),
            "value": _shown_value(setting, in_force),
            "meaning": setting.meaning,
            **faults.get(setting, {}),
        }
        for setting in settings
    ]


def network_rows(environment: Mapping[str, str]) -> list[Row]:
    """The proxies and certificates of the HTTP client, as it reads them: variables first, then the system's settings.

    In small letters a variable counts before the same in capital ones.
    """
    in_force = getproxies()
    rows = [_proxy(scheme, f"Proxy for {meaning}.", in_force, environment) for scheme, meaning in _PROXIES.items()]
    rows.append(_proxy("no", "Hosts that are asked without a proxy; * is all.", in_force, environment))
    for name, meaning in _CERTIFICATES.items():
        value = environment.get(name, "")
        origin = _ENVIRONMENT if value else "default"
        rows.append({"name": name, "origin": origin, "value": value or "the system's", "meaning": meaning})
    return rows


def unknown_rows(environment: Mapping[str, str]) -> list[Row]:
    """Variables that look like settings and are none, each with the closest setting."""
    settings = [setting.name for setting in (*all_settings(), *FOR_TESTS)]
    return [
        {"name": name, "closest": closest}
        for name in sorted(set(environment) - set(settings))
        if (closest := _closest(name, settings)) is not None
    ]


def installation_rows() -> list[Row]:
    """The version of biofact, and the Python and system that run it."""
    values = {
        "biofact": biofact.__version__,
        "python": f"{platform.python_version()}, {sys.executable}",
        "platform": platform.platform(),
        "command": _script() or f"{sys.executable} -m biofact; there is no command biofact beside it",
        "package": str(Path(biofact.__file__).parent),
    }
    return [{"name": name, "value": value} for name, value in values.items()]


def _script() -> str:
    """The command of this installation, wherever the PATH leads."""
    suffix = ".exe" if sys.platform == "win32" else ""
    folders = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    scripts = (folder / f"biofact{suffix}" for folder in folders)
    return next((str(script) for script in scripts if script.is_file()), "")


def _shown_value(setting: Setting, settings: Settings) -> str:
    if not settings[setting]:
        return _NOT_SET
    return "set" if setting.is_secret else redacted(settings[setting], settings)


def _origin(setting: Setting, in_force: Settings, user_settings: Settings) -> str:
    if in_force[setting] != user_settings[setting]:
        return FLAG
    if user_settings.is_in_file(setting):
        return "file"
    return _ENVIRONMENT if user_settings.is_set(setting) else "default"


def _proxy(scheme: str, meaning: str, in_force: Mapping[str, str], environment: Mapping[str, str]) -> Row:
    names = [name for name in environment if name.lower() == f"{scheme}_proxy" and environment[name]]
    proxy = in_force.get(scheme, "")
    is_bare = bool(proxy) and scheme != "no" and "://" not in proxy
    value = redacted(f"http://{proxy}" if is_bare else proxy, Settings(environment))
    origin = "default" if not value else _ENVIRONMENT if names else "system"
    name = min(names, key=str.isupper, default=f"{scheme}_proxy".upper())
    return {"name": name, "origin": origin, "value": value or _NOT_SET, "meaning": meaning}


def _closest(name: str, settings: list[str]) -> str | None:
    """The setting that a name resembles; empty for a BIOFACT_ name that resembles none, None for another name."""
    is_ours = name.upper().startswith("BIOFACT_")
    close = difflib.get_close_matches(name.upper(), settings, n=1, cutoff=0.6 if is_ours else _LIKENESS)
    if close:
        return close[0]
    return "" if is_ours else None


def release_rows(now: float) -> list[Row]:
    """The newest release that is known of each database with a list of them, and whether it is ``overdue`` by now."""
    tables = ((name, sources.client_class(name).releases) for name in sources.names())
    return [
        {
            "source": name,
            "newest_known": table.newest,
            "month": table.months[table.newest],
            "list_of": table.read_on,
            **({"overdue": notice.message} if (notice := table.overdue(now)) else {}),
        }
        for name, table in tables
        if table is not None
    ]


async def examine(*, sandbox: SandboxOption, resets_budgets: bool = False) -> dict[str, list[Row]]:
    """The report by section, after a reset of the budgets where that is asked for. A missing network is reported on
    stderr, once.
    """
    services = _services()
    user_settings = Settings()
    outages: list[NoNetwork] = []
    async with (
        open_clients(user_settings, timing=PATIENT, sandbox=sandbox, is_checked=False) as clients,
        progress.show_activity("asking the services"),
    ):
        transport = clients.transport
        if resets_budgets:
            await _reset_budgets(transport)
        service_rows = await asyncio.gather(*(_service(transport, service, outages) for service in services))
        redis = await _redis(transport)
        cache = await _cache(transport)
        settings = setting_rows(transport.settings, user_settings)
        releases = release_rows(transport.timing.wall_clock())
    if outages:
        spelling = Spelling(every_source, command)
        message = f"{len(outages)} of {len(services)} services were not asked: {outages[0].problem}."
        terminal.write_messages((f"error: {message}", f"hint: {spelling.text(outages[0].hint)}"))
    return {
        "installation": installation_rows(),
        "settings": settings,
        "unknown_variables": unknown_rows(os.environ),
        "network": network_rows(os.environ),
        "services": service_rows,
        "releases": releases,
        "redis": redis,
        "cache": [cache],
    }


async def probe(*, sandbox: SandboxOption) -> list[Row]:
    """The replies of the services to questions that their documentation leaves open."""
    locks: defaultdict[Service, asyncio.Lock] = defaultdict(asyncio.Lock)  # one request at a time for each service
    async with (
        open_clients(timing=PATIENT, sandbox=sandbox, is_checked=False) as clients,
        progress.show_activity("probing the services"),
    ):

        async def reply(label: str, request: Request) -> Row:
            async with locks[request.service]:
                return await _probe(clients.transport, label, request)

        probes = (probe for name in sources.names() for probe in sources.client_class(name).probes)
        return await asyncio.gather(*(reply(label, request) for label, request in probes))


async def cache_stats(*, sandbox: SandboxOption) -> Row:
    """The size and the place of the cache."""
    async with _unchecked_clients(sandbox) as clients:
        return await _cache(clients.transport)


async def clear_cache(*, sandbox: SandboxOption) -> int:
    """The number of deleted answers; pauses that services asked for are lifted, too."""
    async with _unchecked_clients(sandbox) as clients:
        await _reset_budgets(clients.transport)
        return await clients.transport.cache.clear()


async def _reset_budgets(transport: Transport) -> None:
    """Lift the pauses of all services; a damaged row of the ledger is mended on the way."""
    for service in _services():
        await transport.budgets.lift(service)


def _unchecked_clients(sandbox: SandboxOption) -> AbstractAsyncContextManager[Clients]:
    """Clients for their cache and budgets only: of all settings, just the folder has to be right.

    Raises:
        WrongUsage: other users can write to the folder.
    """
    if not sandbox:
        check_folder(Settings())
    return open_clients(sandbox=sandbox, is_checked=False)


def write_tables(report: Mapping[str, list[Row]]) -> None:
    """Write each section under its name; sections without rows are left out."""
    for section, rows in report.items():
        if rows:
            writers.write_line(section.replace("_", " ").upper())
            writers.write_rows(rows)
            writers.write_line()
    terminal.write_messages(f"note: {message}" for message in _mistakes(report))


def _mistakes(report: Mapping[str, list[Row]]) -> Iterator[str]:
    """Messages on mistakes in the environment, and on databases that may be out of date."""
    for row in report["settings"]:
        if "expected" in row:
            yield f"the value of {row['name']} cannot be read; set it to {row['expected']}, or unset it."
    for row in report["unknown_variables"]:
        close = f"; did you mean {row['closest']}?" if row["closest"] else "."
        yield f"biofact has no setting {row['name']}{close}"
    yield from (row["overdue"] for row in report["releases"] if "overdue" in row)
    folder = cache_folder(Settings())
    if folder and (reason := shared_reason(folder)):
        yield f"the cache folder {str(folder)!r} is not used: {reason}; take that away (chmod go-w)."


def _services() -> list[Service]:
    """Every service of the sources, once."""
    services = (service for name in sources.names() for service in sources.client_class(name).services)
    return list({service.name: service for service in services}.values())


async def _service(transport: Transport, service: Service, outages: list[NoNetwork]) -> Row:
    budget = await transport.budgets.stats(service)
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
    except Refused as refusal:
        return f"no: {refusal}"
    return f"yes, in {time.monotonic() - start:.1f} s"


async def _probe(transport: Transport, label: str, request: Request) -> Row:
    try:
        with call.session():
            body = await transport.fetch(replace(request, is_absent=None), bytes)  # the reply is what is asked for
    except BiofactError as error:
        return {"probe": label, "answer": error.message}
    except Refused as refusal:
        status, body = refusal.answer.status, refusal.answer.body
    else:
        status = 200
    head = body[:_HEAD_BYTES].decode("utf-8", "replace")
    return {"probe": label, "status": status, "answer": redacted(head, transport.settings)}


async def _redis(transport: Transport) -> list[Row]:
    """The state of the Redis that replicas share budgets and cache by; empty without one."""
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
