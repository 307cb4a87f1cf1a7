"""Backends that machines share are found by the scheme of their URL among installed entry points, and only then."""

import asyncio
import importlib.metadata
import subprocess
import sys

import pytest

from biofact.core.errors import WrongSetting
from biofact.core.settings import Settings
from biofact.transport import backends
from biofact.transport.keep.cache import CACHE_DIR, Cache
from biofact.transport.keep.store import Entry, MemoryStore
from biofact.transport.service import DAY, Answer, Keep
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from biofact.transport.turns.ledgers import MemoryLedger
from tests.transport.scene import TOY

pytestmark = pytest.mark.quick


class SharedStore(MemoryStore):
    def take_notice(self):
        return None


class SharedLedger:
    """A ledger as others could register it: slots by a clock that stands still."""

    kind = "elsewhere"

    def __init__(self):
        self.memory = MemoryLedger(lambda: 0.0)
        self.requests = 0

    async def join(self):
        pass

    async def take(self, request):
        self.requests += 1
        return await self.memory.take(request)

    async def refusal(self, request):
        return None

    def stretch(self, request):
        return 1.0

    def is_used(self):
        return True

    def state(self):
        return None

    def take_notice(self):
        return None

    async def aclose(self):
        pass


class Backend:
    def __init__(self):
        self.stored, self.counted = SharedStore(), SharedLedger()

    def store(self, settings, timing):
        return self.stored

    def ledger(self, settings, timing, folder, local):
        return self.counted


@pytest.fixture
def register(monkeypatch):
    """Makes these the only entry points of the group."""

    def registered(**entry_points):
        points = importlib.metadata.EntryPoints(
            importlib.metadata.EntryPoint(scheme, value, backends.GROUP) for scheme, value in entry_points.items()
        )
        monkeypatch.setattr(backends, "_entry_points", lambda: points)

    return registered


def test_another_scheme_is_served_by_the_backend_that_is_registered_for_it(register, monkeypatch):
    backend = Backend()
    monkeypatch.setattr(sys.modules[__name__], "backend", backend, raising=False)
    register(elsewhere=f"{__name__}:backend")
    settings = Settings({backends.REDIS_URL.name: "elsewhere://host/0"})

    async def scenario():
        cache, budgets = Cache(settings), Budgets(settings, Timing(), None)
        await cache.keep(TOY, Keep("word/1", "a", DAY), Entry.of(Answer(200, {}, b"a", ""), b"a", 0.0, DAY))
        await budgets.take(TOY, "interactive")
        await budgets.aclose()
        return (await backend.stored.size())[0], backend.counted.requests

    entries, requests = asyncio.run(scenario())

    assert entries == 1
    assert requests >= 1


@pytest.mark.parametrize(
    ("entry_points", "reason", "hint"),
    [
        ({}, "is older than its code", "Install biofact again (from a clone: pip install -e .)"),
        (
            {"redis": "biofact.gateway.redis:backend"},
            "its URL cannot be understood",
            "Set BIOFACT_REDIS_URL to a value",
        ),
    ],
    ids=["a stale installation", "an unknown scheme"],
)
def test_a_url_without_a_backend_is_an_error_at_the_first_use(register, tmp_path, entry_points, reason, hint):
    register(**entry_points)
    settings = Settings({backends.REDIS_URL.name: "elsewhere://host/0", CACHE_DIR.name: str(tmp_path)})

    async def scenario():
        cache, budgets = Cache(settings), Budgets(settings, Timing(), tmp_path)
        with pytest.raises(WrongSetting, match=reason) as of_cache:
            await cache.find(TOY, "word/1", "a")
        with pytest.raises(WrongSetting, match=reason) as of_budget:
            await budgets.take(TOY, "interactive")
        await cache.aclose()
        await budgets.aclose()
        return of_cache.value, of_budget.value

    for error in asyncio.run(scenario()):
        assert error.hint.startswith(hint)
        assert "host" not in error.message
        assert error.__cause__ is not None


@pytest.mark.processes
def test_a_program_without_a_url_imports_nothing_of_hosting():
    program = """
import sys
from biofact import EntrezClient
EntrezClient()
print([name for name in sys.modules if name.startswith("biofact.gateway")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "[]\n"
