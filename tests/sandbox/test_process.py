"""The sandbox in a process of its own, with the stand-ins of all sources."""

import asyncio
import http.client
import json
import re
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from biofact.sandbox import Fault, Latency, Sandbox, SandboxProcess, serve

pytestmark = pytest.mark.quick


def search(url: str, term: str) -> tuple[int, bytes]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}/esearch.fcgi?db=gene&retmode=json&term={term}")
    answer = connection.getresponse()
    status = answer.status, answer.read()
    connection.close()
    return status


@pytest.mark.processes
def test_a_process_serves_is_steered_and_ends() -> None:
    latency = Latency({"esearch.fcgi": 0.01}, (0.0, 0.001))
    with SandboxProcess(rate_factor=10.0, latency=latency) as sandbox:
        url = sandbox.environment()["BIOFACT_NCBI_URL"]
        sandbox.set_faults(Fault("status", status=503))
        failed, match = search(url, "BRCA1[sym]"), search(url, "BRCA1[sym]")
        requests = sandbox.requests()
        sandbox.forget_requests()
        remaining = sandbox.requests()
        with pytest.raises(ValueError, match="A fault needs a kind"):
            sandbox._control("POST", "faults", [{}])

    assert failed[0] == 503
    assert json.loads(match[1])["esearchresult"]["idlist"][0] == "672"
    assert ([request["status"] for request in requests], remaining) == ([503, 200], [])
    with pytest.raises(ConnectionRefusedError):
        search(url, "x")


@pytest.mark.processes
def test_a_process_ends_with_the_one_that_started_it() -> None:
    code = (
        "from biofact.sandbox import SandboxProcess\n"
        "with SandboxProcess() as sandbox:\n    print(sandbox.url, flush=True)\n    input()"
    )
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as parent:  # type: ignore[call-overload]
        assert parent.stdout.readline().startswith(b"http://")

        parent.kill()
        _, complaints = parent.communicate(timeout=120)  # standard error ends when both have gone

    assert complaints == b""


def test_serving_prints_the_settings_to_export() -> None:
    answer: list[str] = []

    async def run() -> None:
        event = asyncio.Event()

        def write(line: str) -> None:
            answer.append(line)
            if line.startswith("#"):
                event.set()

        task = asyncio.create_task(serve(Sandbox(), write=write))
        await event.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())

    (ncbi,) = (line for line in answer if line.startswith("export BIOFACT_NCBI_URL="))
    assert re.fullmatch(r"export BIOFACT_NCBI_URL=http://127\.0\.0\.1:\d+/entrez/eutils\n", ncbi)
