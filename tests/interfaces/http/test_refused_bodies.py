"""Clients read the answer to a body that is refused before its end; the rest of that body is bounded."""

import asyncio
import http.client
import itertools
import json
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from contextlib import closing
from urllib.parse import urlsplit

import httpx2
import pytest

from biofact.gateway.limits import Limits
from tests.each_of import each_of
from tests.interfaces.http.running import LONGEST_SECONDS, empty, run_server

pytestmark = pytest.mark.processes  # clients in threads and processes, on sockets

LIMITS = Limits(body_bytes=100_000, unread_body_bytes=40 * 2**20, unread_body_seconds=60.0)


def run(ask, limits=LIMITS):
    """The result of a client in a thread that asks a server."""

    async def ask_host():
        async with run_server(empty(), limits) as host:
            return await asyncio.wait_for(asyncio.to_thread(ask, host.url), LONGEST_SECONDS)

    return asyncio.run(ask_host())


def by_http_client(url, body):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    with closing(connection):
        connection.request("POST", urlsplit(url).path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def by_urllib(url, body):
    try:
        urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"}), timeout=30)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def by_httpx2(url, body):
    answer = httpx2.post(url, content=body, headers={"Content-Type": "application/json"}, timeout=30)
    return answer.status_code, answer.json()


def by_curl(url, body):
    command = ["curl", "-s", "-w", "\n%{http_code}", "-H", "Expect:", "-H", "Content-Type: application/json"]
    done = subprocess.run([*command, "--data-binary", "@-", url], input=body, capture_output=True, check=True)
    answer, _, status = done.stdout.rpartition(b"\n")
    return int(status), json.loads(answer)


CLIENTS = [by_http_client, by_urllib, by_httpx2, *([by_curl] if shutil.which("curl") else [])]


@each_of(("client", "megabytes"), list(itertools.product(CLIENTS, (1, 5, 30))))
def test_clients_read_why_a_long_body_is_refused(client, megabytes):
    status, answer = run(lambda url: client(url, b"x" * megabytes * 2**20))

    assert status == 413
    assert answer["error"]["message"] == "The body is longer than 100,000 bytes. Ask for less at once."


def test_clients_read_why_a_long_head_is_refused():
    def ask(url):
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        with closing(connection):
            connection.request("GET", "/mcp", headers={f"X-{number}": "x" * 60_000 for number in range(90)})
            return connection.getresponse().status

    assert run(ask) == 400


def endless_bytes(url):
    """The number of bytes that a server takes after its refusal, and before it closes."""
    count = 0
    with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=60) as caller:
        caller.sendall(b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9000000000\r\n\r\n")
        try:
            while True:
                count += caller.send(b"x" * 65536)
        except OSError:
            return count


def test_what_is_sent_after_a_refusal_is_bounded_in_bytes():
    assert 2**20 < run(endless_bytes, Limits(unread_body_bytes=2**20, unread_body_seconds=60.0)) < 40 * 2**20


def test_what_is_sent_after_a_refusal_is_bounded_in_time():
    def ask(url):
        with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=60) as caller:
            caller.sendall(b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 900000\r\n\r\n")
            answer = b""
            while piece := caller.recv(65536):
                answer += piece
            try:  # the server has closed its half; then the rest
                while True:
                    caller.send(b"x")
            except OSError:
                return answer

    assert run(ask, Limits(body_bytes=1000, unread_body_seconds=0.05)).startswith(b"HTTP/1.1 413")
