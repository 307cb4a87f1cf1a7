"""The clients of a command or server: they ask the real services, or a sandbox of their own."""

import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from biofact import clients
from biofact.clients import Clients
from biofact.core.errors import WrongSetting
from biofact.core.folder_files import FolderFile
from biofact.core.settings import Setting, Settings, declared_settings, setting_faults
from biofact.core.usage import PORTS, WrongUsage
from biofact.gateway import link as _link  # noqa: F401  # declares a setting
from biofact.interfaces import start_slots
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.shutdown import removed_at_exit
from biofact.transport.backends import REDIS_URL, registered
from biofact.transport.keep.cache import cache_folder
from biofact.transport.private_files import SharedFolder, refuse_shared
from biofact.transport.service import redacted
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.sandbox import Sandbox
    from biofact.transport.ask.wire import Network


__all__ = ["Clients", "check", "check_folder", "check_forms", "open_clients"]
_REAL_TIME = Timing()
_PORT_FILE = "sandbox-port"


@asynccontextmanager
async def open_clients(
    settings: Settings | None = None,
    *,
    timing: Timing = _REAL_TIME,
    sandbox: SandboxOption = False,
    wire: "Network | None" = None,
    is_checked: bool = True,
) -> AsyncIterator[Clients]:
    """The clients of the real services; with ``sandbox``, of stand-ins that run within.

    A folder as ``sandbox`` keeps their cache, with the collections in it. ``wire`` takes the place of the network.
    Without ``is_checked``, a service whose address cannot be read fails when it is asked.

    Raises:
        WrongUsage: ``sandbox`` cannot be a folder, a setting cannot be read, or others can write to the cache folder.
    """
    if sandbox:
        folder = _temporary_folder() if sandbox is True else _kept_folder(sandbox)
        with folder as path:
            async with _running_sandbox(path / _PORT_FILE) as running, AsyncExitStack() as stack:
                changes = clients.sandbox_settings(running, str(path))  # their cache and budgets are in the folder, too
                sandbox_settings = (settings or Settings()).with_changes(changes)
                opened = open_clients(sandbox_settings, timing=timing, is_checked=is_checked)
                yield await stack.enter_async_context(opened)
        return
    settings = settings or Settings()
    if is_checked:
        check(settings)
    start_slots.give_up()
    async with clients.open_clients(settings, timing=timing, wire=wire) as opened_clients:
        yield opened_clients


def check(settings: Settings) -> None:
    """Check the settings, Redis and the cache folder.

    Raises:
        WrongUsage: one cannot be read, Redis refuses what is set, or others can write to the cache folder.
    """
    check_forms(settings, declared_settings())
    check_redis(settings)
    check_folder(settings)


def check_forms(settings: Settings, declared_settings: Iterable[Setting]) -> None:
    """Check that the values of some settings can be read.

    Raises:
        WrongUsage: a value cannot be read.
    """
    for fault in setting_faults(settings, declared_settings):
        name = fault.setting.name
        value = "" if fault.setting.is_secret else f" {redacted(settings[fault.setting], settings)!r:.80}"
        hint = f"Set {name} to {fault.expected}, or unset it."
        raise WrongUsage(f"The value{value} of {name} cannot be read.", hint=hint)


def check_redis(settings: Settings) -> None:
    """Check the Redis of the settings, if any: it answers, or may do so later.

    Raises:
        WrongUsage: it can never answer with these settings.
    """
    if url := settings[REDIS_URL]:
        try:
            registered(url).check(url)
        except WrongSetting as wrong:
            raise WrongUsage(wrong.message, hint=wrong.hint) from wrong


def check_folder(settings: Settings) -> None:
    """Check that only this user can write to the cache folder.

    Raises:
        WrongUsage: others can.
    """
    try:
        if folder := cache_folder(settings):
            refuse_shared(folder)
    except SharedFolder as shared:
        hint = "Take that right away (chmod go-w), or set BIOFACT_CACHE_DIR to a folder of your own."
        raise WrongUsage(f"The cache folder cannot be used; {shared}.", hint=hint) from shared


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="biofact-") as folder, removed_at_exit(folder):
        yield Path(folder)


@contextmanager
def _kept_folder(folder: Path) -> Iterator[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "Give --sandbox= a folder that can be written to, or --sandbox alone for one that goes afterwards."
        raise WrongUsage(f"{str(folder)!r} cannot be the sandbox's folder.", hint=hint) from error
    yield folder


@asynccontextmanager
async def _running_sandbox(port_file: Path) -> AsyncIterator["Sandbox"]:
    """A sandbox at the port of the last command, because the cache knows a service by its address.

    Where that port is taken, it listens at a free one: then the cache has no answers, and the result is the same.
    """
    from biofact.sandbox import Sandbox  # noqa: PLC0415  # most commands run without

    port = _read_port(port_file)
    async with AsyncExitStack() as stack:
        try:
            sandbox = await stack.enter_async_context(Sandbox(port=port))
        except OSError:
            sandbox = await stack.enter_async_context(Sandbox())
        if not port:
            _write_port(port_file, sandbox.url)
        yield sandbox


def _write_port(port_file: Path, url: str) -> None:
    FolderFile.at_path(port_file).replace(str(urlsplit(url).port).encode())


def _read_port(port_file: Path) -> int:
    """The port in the file; 0, which stands for a free one, where the file has none."""
    file = FolderFile.at_path(port_file)
    text = file.read_bytes().decode("utf-8", "replace").strip() if file.is_file() else ""
    return int(text) if text.isascii() and text.isdecimal() and int(text) in PORTS else 0
