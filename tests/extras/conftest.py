"""Fixtures of several tests of the extras."""

import pytest
from benchmarks.redis_server import server

from tests.extras.devtools import Browser
from tests.extras.needs import redis_server


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium, closed after the file."""
    started_browser = Browser(tmp_path_factory.mktemp("browser"))
    yield started_browser
    started_browser.close()


@pytest.fixture(scope="module")
def running_redis(tmp_path_factory):
    """A redis-server for all tests of a file."""
    redis_server()
    with server(tmp_path_factory.mktemp("redis")) as started_server:
        yield started_server


@pytest.fixture
def redis_url(running_redis):
    """The address of an empty Redis."""
    running_redis.empty()
    return running_redis.url
