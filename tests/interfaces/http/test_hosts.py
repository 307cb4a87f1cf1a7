"""A server answers requests with known Host and Origin headers only."""

import asyncio

import pytest

from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.gateway.hosting import Hosting, HostingOptions, hosting
from tests.interfaces.http.running import answer, call, empty, run_server

pytestmark = pytest.mark.quick

HOSTING = Hosting(
    "127.0.0.1:0",
    "https://biofact.example.org/mcp",
    hosts=("gateway.lab", "*.inner.lab"),
    origins=("https://notebook.example.org",),
)


def statuses(header_sets):
    """The statuses of one server's answers to requests with these headers."""

    async def status_of(host, headers):
        reader, writer = await host.connect()
        head, _, body = call(host.port).partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if line.partition(b":")[0].decode() not in headers]
        lines += [f"{name}: {value}".encode() for name, value in headers.items()]
        writer.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        return (await answer(reader))[0]

    async def ask():
        async with run_server(empty(), hosting=HOSTING) as host:
            return [await status_of(host, headers) for headers in header_sets]

    return asyncio.run(ask())


def of_hosts(*hosts):
    """The status of a request for each host."""
    return dict(zip(hosts, statuses([{"host": host} for host in hosts]), strict=True))


def of_pages(*origins, **headers):
    """The status of a request from each page."""
    return dict(zip(origins, statuses([{**headers, "origin": origin} for origin in origins]), strict=True))


def test_its_own_names_are_answered_and_a_foreign_host_is_refused():
    known_names = ["biofact.example.org", "gateway.lab:8000", "a.inner.lab", "localhost", "127.0.0.1"]
    foreign = ["evil.example.org", "example.org", "gateway.lab.evil.org", "10.0.0.1", ""]

    assert of_hosts(*known_names, *foreign) == {**dict.fromkeys(known_names, 200), **dict.fromkeys(foreign, 421)}


def test_pages_that_may_call_are_answered():
    known_origins = ["https://biofact.example.org", "https://notebook.example.org", "http://localhost:3000"]

    assert of_pages(*known_origins, host="localhost") == dict.fromkeys(known_origins, 200)


def test_a_foreign_page_is_refused():
    foreign = [
        *("https://evil.example.org", "http://biofact.example.org", "https://biofact.example.org.evil.org", "null")
    ]

    assert of_pages(*foreign) == dict.fromkeys(foreign, 403)


def test_settings_say_what_the_command_line_leaves_open():
    settings = Settings(
        {
            "BIOFACT_HTTP_URL": "https://a.org/mcp",
            "BIOFACT_HTTP_WORKERS": "3",
            "BIOFACT_HTTP_ALLOWED_HOSTS": "b, c,",
            "BIOFACT_HTTP_ALLOWED_ORIGINS": "https://d.org",
        }
    )

    assert hosting(HostingOptions("[::]:1"), settings) == Hosting(
        "[::]:1", "https://a.org/mcp", 3, hosts=("b", "c"), origins=("https://d.org",)
    )
    assert hosting(
        HostingOptions("[::]:1", "https://e.org", "1", True, ("f",), ("https://g.org",)), settings
    ) == Hosting("[::]:1", "https://e.org", 1, is_open=True, hosts=("f",), origins=("https://g.org",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": "0"}, "'0' is no number of workers"),
        ({"workers": "65"}, "'65' is no number of workers"),
        ({"workers": "two"}, "'two' is no number of workers"),
        ({"url": "biofact.example.org"}, "'biofact.example.org' is no address of a server"),
        ({"url": "ftp://biofact.example.org"}, "no address of a server"),
        ({"url": "https://biofact.example.org/mcp#here"}, "no address of a server"),
    ],
)
def test_a_value_that_is_none_is_refused(options, message):
    with pytest.raises(WrongUsage, match=message) as wrong:
        hosting(HostingOptions("127.0.0.1:1", **options), Settings({}))

    assert "BIOFACT_HTTP_" in wrong.value.hint
