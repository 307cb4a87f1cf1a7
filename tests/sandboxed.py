"""A source's client on the sandbox, in process and in virtual time."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, TypeVar

from biofact.core.errors import BiofactError
from biofact.core.settings import Settings
from biofact.interfaces import every_source
from biofact.sandbox import Fault, Sandbox
from biofact.sandbox.scripted_model import ScriptedModel
from biofact.transport.keep.cache import Cache
from biofact.transport.keep.store import MemoryStore
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests import virtual_time
from tests.in_process import InProcess, in_process

T = TypeVar("T")
LIFE = virtual_time.timing()
"""Deadlines, waits and rates of real use: in virtual time they cost nothing."""
WHOLE = virtual_time.timing(deadline_seconds=3600.0, side_leg_seconds=3600.0)
"""For answers that have to be whole, even beyond the rates within the time of a call."""


@asynccontextmanager
async def machine(
    settings: Mapping[str, str] | None = None, model: ScriptedModel | None = None, **options: Any
) -> AsyncIterator[tuple[Sandbox, InProcess, Settings]]:
    """A sandbox with these options, the network to it, and settings with a new cache that is deleted afterwards."""
    assert isinstance(asyncio.get_running_loop(), virtual_time.VirtualLoop), "run this with virtual_time.run"
    models = [model] if model else []
    with tempfile.TemporaryDirectory() as folder:
        async with in_process(*models, **options) as (sandbox, network):
            stand_in_settings = sandbox.environment() | (model.environment() if model else {})
            yield sandbox, network, Settings({"BIOFACT_CACHE_DIR": folder, **stand_in_settings, **(settings or {})})


@asynccontextmanager
async def transported(
    *, settings: Mapping[str, str] | None = None, timing: Timing = LIFE, **options: Any
) -> AsyncIterator[tuple[Transport, Sandbox]]:
    """A transport and the sandbox with these options behind it."""
    async with (
        machine(settings, **options) as (sandbox, network, environment),
        aclosing(_in_memory(environment, timing, network)) as transport,
    ):
        yield transport, sandbox


def _in_memory(settings: Settings, timing: Timing, network: InProcess) -> Transport:
    """A transport with cache and budgets in memory. Their files are a tenth of the work of a call, and are tested in
    ``tests/transport`` and by all tests of the gateway.
    """
    cache = Cache(settings, timing)
    cache._store = MemoryStore()
    return Transport(settings, timing=timing, cache=cache, budgets=Budgets(settings, timing, None), wire=network)


@asynccontextmanager
async def sandboxed(source: str, **options: Any) -> AsyncIterator[tuple[Any, Sandbox]]:
    """A client of a source and the sandbox behind it; options as those of ``transported``."""
    async with transported(**options) as (transport, sandbox):
        yield every_source.client_class(source)(transport), sandbox


def on_sandbox(source: str, scenario: Callable[[Any, Sandbox], Awaitable[T]], *faults: Fault, **options: Any) -> T:
    """The result of a scenario with a client of a source and its sandbox, which has these faults, in virtual time."""

    async def run() -> T:
        async with sandboxed(source, **options) as (client, sandbox):
            sandbox.faults.set(*faults)
            return await scenario(client, sandbox)

    return virtual_time.run(run())


async def result_or_error(
    call: Awaitable[T], kinds: tuple[type[BiofactError], ...] = (BiofactError,)
) -> T | BiofactError:
    """The result of a call, or the error of these kinds that it raises."""
    try:
        return await call
    except kinds as error:
        return error
