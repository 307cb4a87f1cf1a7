"""Fixtures of several tests of the extras."""

import pytest
from benchmarks.redis_server import server

from biofact.gateway import ledger, link, membership, replicas, store
from biofact.gateway import redis as redis_backend
from tests.extras.devtools import Browser
from tests.extras.needs import redis_server

_LONG_SECONDS = 120.0
_PATIENCE = (
    (redis_backend, "_PATIENCE_SECONDS"),
    (link, "_CONNECT_SECONDS"),
    (link, "_CHECK_SECONDS"),
    (ledger, "_CLOCK_SECONDS"),
    (membership, "SLOW_SECONDS"),
    (store, "_SLOW_SECONDS"),
    (replicas, "LEASE_SECONDS"),
)
"""How long Redis may take for an answer, until it counts as lost."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium, closed after the module."""
    started_browser = Browser(tmp_path_factory.mktemp("browser"))
    yield started_browser
    started_browser.close()


@pytest.fixture(scope="module")
def running_redis(tmp_path_factory):
    """A redis-server for all tests of a module."""
    redis_server()
    with server(tmp_path_factory.mktemp("redis")) as started_server:
        yield started_server


@pytest.fixture
def patience(monkeypatch):
    """A Redis that is there is never lost, however long a busy machine makes it and us wait."""
    for module, name in _PATIENCE:
        monkeypatch.setattr(module, name, _LONG_SECONDS)


@pytest.fixture
def redis_url(running_redis, patience):
    """The address of an empty Redis, which is waited for."""
    running_redis.empty()
    return running_redis.url
