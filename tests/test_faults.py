"""Each fault against every tool of every source, through the real stack on the sandbox.

A fault that strikes once must not be noticed; one that stays must be told in the right envelope. Never an exception
on the wire, never a wrong or empty success, and the API key is nowhere.
"""

import asyncio
import functools
import logging
import resource
import threading
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from biofact import sources
from biofact.core.tool import specs_of
from biofact.interfaces.spelling import prefixed
from biofact.sandbox import Fault
from tests import virtual_time
from tests.marks import requirement
from tests.sandboxed import LIFE
from tests.served import served

pytestmark = pytest.mark.quick

KEY = "SECRET0123456789abcdef"
PATIENT = virtual_time.timing(read_seconds=5.0)  # one hang leaves time to ask again, in a part of a call too
FAILURES = {"RATE_LIMITED", "UPSTREAM_ERROR"}
MIB = 1 << 20


@dataclass(frozen=True)
class Case:
    """A fault and what it may lead to."""

    fault: Fault
    passes: bool = True
    """Whether trying again helps; a body that is too large, or hostile, is not asked for twice."""
    stays: frozenset[str] = frozenset({"UPSTREAM_ERROR"})
    """The codes when every request meets it."""
    is_below_sources: bool = False
    """Whether the transport alone meets it, and makes of it what another fault is that all tools are asked with: one
    tool of each source is asked then."""


def status(code, body=b"", **headers):
    return Fault("status", status=code, body=body, headers={name.replace("_", "-"): v for name, v in headers.items()})


LIMITED = b'{"error":"API rate limit exceeded","api-key":"' + KEY.encode() + b'","count":"4","limit":"3"}'
RELAYED = b"<eFetchResult><ERROR>proxy_stream() upstream answered 502 Bad Gateway</ERROR></eFetchResult>"
BACKEND = b'{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"Search Backend failed: try later"}}'
CPP = b"<eFetchResult><ERROR>NCBI C++ Exception:\n Error: TXCLIENT(CException::eUnknown)</ERROR></eFetchResult>"
TABLE = b"""{"linksets":[{"dbfrom":"gene","ids":["672"],
"ERROR":"Couldn't resolve #exLinkSrv2, the address table is empty."}]}"""
BAD_KEY = b'{"error":"API key invalid","api-key":"' + KEY.encode() + b'","type":"client","status":"unknown"}'
slow_down = frozenset({"RATE_LIMITED"})

FAULTS = {
    "429 for whole seconds": Case(status(429, LIMITED, Retry_After="1"), stays=slow_down),
    "429 for a part of a second": Case(status(429, LIMITED, Retry_After="0.5"), stays=slow_down, is_below_sources=True),
    "429 until a date": Case(status(429, LIMITED, Retry_After="DATE"), stays=slow_down, is_below_sources=True),
    "429 without Retry-After": Case(status(429, LIMITED), stays=slow_down),
    "the rate limit under 200": Case(Fault("body", body=LIMITED), stays=slow_down),
    "400 with a relayed 502": Case(status(400, RELAYED)),
    "500": Case(status(500, b"WWW Error 500")),
    "502": Case(status(502, b"<html>Bad Gateway</html>"), is_below_sources=True),
    "503": Case(status(503)),
    "503 for a while": Case(status(503, Retry_After="1.5"), is_below_sources=True),
    "408": Case(status(408), is_below_sources=True),
    "connection closed": Case(Fault("close"), is_below_sources=True),
    "reset before the answer": Case(Fault("reset", at=0), is_below_sources=True),
    "reset within the body": Case(Fault("reset", at=40)),
    "timeout": Case(Fault("delay", seconds=3600.0)),
    "slow body": Case(Fault("slow_body", size=1, seconds=30.0), is_below_sources=True),
    "cut body": Case(Fault("truncate", at=60)),
    "body shorter than said": Case(Fault("short", at=60), is_below_sources=True),
    "empty body": Case(Fault("body", body=b" ")),
    "HTML under 200": Case(Fault("html")),
    "backend failed under 200": Case(Fault("body", body=BACKEND)),
    "C++ exception under 200": Case(Fault("body", body=CPP)),
    "address table empty under 200": Case(Fault("body", body=TABLE)),
    "bad API key": Case(status(400, BAD_KEY), passes=False),
    "multiplying entities": Case(Fault("entities"), passes=False),
    "external entity": Case(Fault("external_entity"), passes=False),
    "decompression bomb": Case(Fault("bomb", size=1024 * MIB), passes=False, is_below_sources=True),
    "100 MB body": Case(Fault("oversize", at=200, size=100 * MIB), passes=False),
}


def dated(fault, seconds):
    date = formatdate(virtual_time.wall_now() + seconds, usegmt=True)
    return replace(fault, headers={k: date if v == "DATE" else v for k, v in fault.headers.items()})


def calls(source):
    """For each tool of a source that asks a service the first example that finds something."""
    for spec in specs_of(sources.client_class(source)):  # the pipeline stands on PubMed, and tells what it did without
        example = next(e for e in sources.examples(source) if e.tool == spec.ref.method and e.outcome == "found")
        if example.is_from_service:
            yield prefixed(spec.ref), dict(example.arguments)


def asked(source, case):
    """The calls that a fault is tried on."""
    return [*calls(source)][: 1 if case.is_below_sources else None]


each_source = pytest.mark.parametrize("source", sources.names())


async def answers(examples, *faults, pause_seconds=2, **sandbox_options):
    """What each of these tools says on a gateway of its own; dates are so far ahead."""
    settings = {"NCBI_API_KEY": KEY, "BIOFACT_EMAIL": "me@example.org"}
    said = {}
    for tool, arguments in examples:
        async with served(settings=settings, timing=PATIENT, **sandbox_options) as gateway:
            gateway.sandbox.faults.set(*(dated(fault, pause_seconds) for fault in faults))
            said[tool] = await gateway.call(tool, arguments)
    return said


class Leak(BaseHTTPRequestHandler):
    """Answers whoever fetches an external entity, and remembers it."""

    fetched: ClassVar[list[str]] = []

    def do_GET(self):  # as the library has it
        self.fetched.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        """Stay quiet."""


@pytest.fixture(scope="module")
def leak():
    """A real server at the address that external entities name: a parser does not ask our network."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Leak) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@functools.cache
def untroubled(source):
    return virtual_time.run(answers(calls(source)))


def holds_no_secret(said, caplog):
    everything = said.text + repr(said.meta) + caplog.text
    return KEY not in everything and "me@example.org" not in everything


def timeless(body):
    """An answer without how long it took."""
    if "search_metadata" not in body:
        return body
    metadata = {name: value for name, value in body["search_metadata"].items() if name != "search_time_ms"}
    return {**body, "search_metadata": metadata}


def failure_of_every_item(said):
    """A batch tells failures item by item."""
    return [item["error"]["code"] for item in said.body.get("items", []) if item.get("success") is False]


@pytest.mark.parametrize("name", [name for name, case in FAULTS.items() if case.passes])
@each_source
def test_a_fault_that_passes_is_not_noticed(source, name, caplog):
    caplog.set_level(logging.DEBUG)

    for tool, said in virtual_time.run(answers(asked(source, FAULTS[name]), FAULTS[name].fault)).items():
        assert timeless(said.body) == timeless(untroubled(source)[tool].body), (tool, said.text)
        assert holds_no_secret(said, caplog)


@requirement("004 S-err-net")
@pytest.mark.parametrize("name", FAULTS)
@each_source
def test_a_fault_that_stays_is_told_in_its_envelope(source, name, leak, caplog):
    caplog.set_level(logging.DEBUG)
    case = FAULTS[name]
    told = answers(asked(source, case), replace(case.fault, times=None), pause_seconds=28, port=leak)

    for tool, said in virtual_time.run(told).items():
        codes = [said.code] if said.is_failure else failure_of_every_item(said)
        assert codes, (tool, said.text)
        assert set(codes) <= case.stays, (tool, said.text)
        assert holds_no_secret(said, caplog)
    assert Leak.fetched == []


def test_a_fetched_entity_would_be_noticed(leak):
    with urllib.request.urlopen(f"http://127.0.0.1:{leak}/sandbox/leak"):
        assert Leak.fetched == ["/sandbox/leak"]
    Leak.fetched.clear()


def test_a_record_of_100_mb_is_refused_and_costs_the_others_nothing():
    async def scenario():
        async with served() as gateway:
            gateway.sandbox.faults.set(Fault("oversize", path="efetch", at=900, size=100 * MIB, times=1))
            large = await gateway.call("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
            other = await gateway.call("entrez_get_gene", {"entrez_id": "NCBIGene:7157"})
            return large, other

    large, other = virtual_time.run(scenario())

    assert large.code == "UPSTREAM_ERROR"
    assert other.body["symbol"] == "TP53"


def corrupt(folder):
    """Overwrite whatever is kept, as a dying disk does."""
    for name in {"answers-1.sqlite", "budgets.sqlite"} | {path.name for path in folder.iterdir()}:
        (folder / name).write_bytes(b"\x13not a database" * 500)


@contextmanager
def room_for(size):
    """Let no file grow beyond ``size`` bytes: to a writer this is a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def all_answers(source, folder, before_each=lambda: None):
    said = {}
    for tool, arguments in calls(source):
        before_each()
        async with served(settings={"BIOFACT_CACHE_DIR": str(folder)}) as gateway:
            said[tool] = await gateway.call(tool, arguments)
    return said


def facts(said):
    return {tool: {k: v for k, v in timeless(answer.body).items() if k != "notices"} for tool, answer in said.items()}


@each_source
def test_a_corrupted_cache_costs_no_answer(source, tmp_path):
    said = virtual_time.run(all_answers(source, tmp_path, before_each=lambda: corrupt(tmp_path)))

    assert facts(said) == facts(untroubled(source))


@each_source
def test_an_unusable_cache_folder_costs_no_answer(source, tmp_path):
    (tmp_path / "file").write_text("not a folder")

    said = virtual_time.run(all_answers(source, tmp_path / "file"))

    assert facts(said) == facts(untroubled(source))


@pytest.mark.parametrize("size", [0, 8192, 40_000])
@each_source
def test_a_full_disk_costs_no_answer(source, tmp_path, size):
    with room_for(size):
        said = virtual_time.run(all_answers(source, tmp_path))

    assert facts(said) == facts(untroubled(source))


@each_source
def test_a_clock_set_back_an_hour_neither_blocks_nor_keeps_records_longer(source):
    shift = {"seconds": 0.0}
    timing = replace(LIFE, wall_clock=lambda: virtual_time.wall_now() - shift["seconds"])

    async def scenario():
        async with served(timing=timing) as gateway:
            before = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            shift["seconds"] = 3600.0
            after = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            return before, after

    before, after = virtual_time.run(scenario())

    for tool, said in after.items():
        assert timeless(said.body) == timeless(before[tool].body) == timeless(untroubled(source)[tool].body)


@each_source
def test_a_service_that_dies_leaves_stale_answers_marked_as_such(source):
    async def scenario():
        async with served() as gateway:
            fresh = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            await asyncio.sleep(8 * 86_400.0)
            gateway.sandbox.faults.set(Fault("status", status=503, times=None))
            stale = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            return fresh, stale

    fresh, stale = virtual_time.run(scenario())

    assert facts(stale) == facts(fresh)
    for said in stale.values():
        assert not said.is_failure, said.text
        assert said.meta["biofact/provenance"]["from"] == "stale"
        assert "STALE" in [notice["code"] for notice in said.body["notices"]]
