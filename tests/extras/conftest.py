"""What several tests of the extras stand on."""

import pytest
from benchmarks.redis_server import server

from tests.extras.devtools import Browser
from tests.extras.needs import redis_server


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium, closed after the file."""
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def running_redis(tmp_path_factory):
    """A redis-server for all tests of a file."""
    redis_server()
    with server(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
def redis_url(running_redis):
    """Its address, with nothing in it."""
    running_redis.empty()
    return running_redis.url
