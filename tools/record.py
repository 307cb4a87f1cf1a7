"""Asks services the examples of their sources, and saves what they send, or shows what has changed since.

``make record NAME=entrez`` saves into the recordings folder (``BIOFACT_RECORDINGS``, else ``recordings``);
``make live`` compares with it. Bodies are saved as they came, each with a sidecar that names its request without keys.
"""

import argparse
import asyncio
import difflib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import httpx2

from biofact import sources
from biofact.core.errors import BiofactError
from biofact.core.settings import Settings
from biofact.core.tool import spec_of
from biofact.transport.service import redacted
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

PERSONAL = {"api_key", "email", "tool"}
SHOWN_LINES = 20
AT_THE_RATE = Timing()


class Recorder(httpx2.AsyncBaseTransport):
    """A network that remembers what came over it."""

    def __init__(self) -> None:
        self._network = httpx2.AsyncHTTPTransport()
        self.exchanges: list[tuple[httpx2.Request, httpx2.Response, bytes]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer of the real network, kept."""
        answer = await self._network.handle_async_request(request)
        body = await answer.aread()
        self.exchanges.append((request, answer, body))
        headers = {
            name: value
            for name, value in answer.headers.items()
            if name not in {"content-encoding", "transfer-encoding"}
        }
        return httpx2.Response(answer.status_code, headers=headers, content=body)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._network.aclose()


async def record_examples(source: str, timing: Timing) -> Recorder:
    """Ask every example of a source that finds something, past the cache."""
    recorder = Recorder()
    with tempfile.TemporaryDirectory() as cache:
        settings = Settings().with_changes({"BIOFACT_CACHE_DIR": cache})
        transport = Transport(settings, timing=timing, wire=recorder)
        client_class = sources.client_class(source)
        client = client_class(transport)
        for example in sources.examples(source):
            try:
                await spec_of(client_class, example.tool).call(client, example.arguments)
            except BiofactError as error:
                print(f"{source}.{example.tool} {dict(example.arguments)}: {error.code}")
        await transport.aclose()
        await recorder.aclose()
    return recorder


def request_of(request: httpx2.Request) -> dict[str, object]:
    """The request as the sidecar tells it: without keys, contact and the name of this program."""
    params = [(name, value) for name, value in request.url.params.multi_items() if name not in PERSONAL]
    url = str(request.url.copy_with(query=None))
    return {
        "method": request.method,
        "url": url,
        "params": params,
        "body": redacted(request.content.decode(), Settings()),
    }


def name_of(source: str, request_facts: dict[str, object], body: bytes) -> str:
    """The same name for the same request, whenever it is asked."""
    endpoint = str(request_facts["url"]).rpartition("/")[2].partition(".")[0]
    digest = hashlib.blake2b(
        json.dumps([endpoint, request_facts["params"], request_facts["body"]]).encode(), digest_size=6
    ).hexdigest()
    return f"{source}/{endpoint}_{digest}.{'json' if body[:1] in b'{[' else 'xml'}"


def save(path: Path, request_facts: dict[str, object], answer: httpx2.Response, body: bytes) -> None:
    """Write body and sidecar."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    sidecar = {
        "request": request_facts,
        "status": answer.status_code,
        "headers": dict(answer.headers),
        "recorded": datetime.now(UTC).date().isoformat(),
    }
    path.with_name(path.name + ".meta.json").write_text(json.dumps(sidecar, indent=1) + "\n")


def show_difference(path: Path, body: bytes) -> bool:
    """Print how the answer differs from the recorded one; whether it does."""
    before = path.read_bytes().decode(errors="replace").splitlines() if path.is_file() else []
    after = body.decode(errors="replace").splitlines()
    lines = list(difflib.unified_diff(before, after, str(path), "now", lineterm="", n=0))
    for line in lines[:SHOWN_LINES]:
        print(line[:200])
    return bool(lines)


def main(arguments: Sequence[str] | None = None, timing: Timing = AT_THE_RATE) -> int:
    """Record or compare; comparing exits with 1 when something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *sources.names()], help="sources; all by default")
    parser.add_argument("--diff", action="store_true", help="compare with what is recorded")
    options = parser.parse_args(arguments)
    folder = Path(os.environ.get("BIOFACT_RECORDINGS") or "recordings")
    changed_count = 0
    for source in options.names or sources.names():
        for request, answer, body in asyncio.run(record_examples(source, timing)).exchanges:
            request_facts = request_of(request)
            path = folder / name_of(source, request_facts, body)
            if options.diff:
                changed_count += show_difference(path, body)
            else:
                save(path, request_facts, answer, body)
                print(path)
    return 1 if changed_count else 0


if __name__ == "__main__":
    sys.exit(main())
