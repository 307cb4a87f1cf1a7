"""Each fault against every source, through the real stack on the sandbox: the tools by turns, in a sweep every tool.

A fault that strikes once must not be noticed; one that stays must be reported in the right envelope. Never an exception
on the wire, never a wrong or empty success, and the API key is nowhere.
"""

import asyncio
import functools
import logging
import threading
import urllib.request
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
from tests.served import served

pytestmark = pytest.mark.quick

KEY = "SECRET0123456789abcdef"
PATIENT = virtual_time.timing(read_seconds=5.0)  # one hang leaves time to ask again, in a part of a call too
BRIEF = virtual_time.timing(read_seconds=2.0, deadline_seconds=6.0)  # a few attempts show that a fault stays
MIB = 1 << 20


@dataclass(frozen=True)
class Case:
    """A fault and its permitted outcomes."""

    fault: Fault
    passes: bool = True
    """Whether a retry helps; a body that is too large, or hostile, is not requested twice."""
    stays: frozenset[str] = frozenset({"UPSTREAM_ERROR"})
    """The codes if every request fails so."""
    is_below_sources: bool = False
    """Whether the transport alone meets the fault, and treats it like another one that all tools are tested with: then
    only one tool of each source is asked.
    """
    reads_xml: bool = False
    """Whether the fault concerns only tools that read XML, which are among those that get a record."""
    is_large: bool = False
    """Whether the fault takes so long that outside of a sweep only one source is asked."""


def status(code, body=b"", **headers):
    return Fault("status", status=code, body=body, headers={name.replace("_", "-"): v for name, v in headers.items()})


LIMITED = b'{"error":"API rate limit exceeded","api-key":"' + KEY.encode() + b'","count":"4","limit":"3"}'
BAD_GATEWAY_BODY = b"<eFetchResult><ERROR>proxy_stream() upstream answered 502 Bad Gateway</ERROR></eFetchResult>"
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
    "400 with a relayed 502": Case(status(400, BAD_GATEWAY_BODY)),
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
    "multiplying entities": Case(Fault("entities"), passes=False, reads_xml=True),
    "external entity": Case(Fault("external_entity"), passes=False, reads_xml=True),
    "decompression bomb": Case(Fault("bomb", size=1024 * MIB), passes=False, is_below_sources=True),
    "100 MB body": Case(Fault("oversize", at=200, size=100 * MIB), passes=False, is_large=True),
}


def with_retry_date(fault, seconds, wall_clock=virtual_time.wall_now):
    date = formatdate(wall_clock() + seconds, usegmt=True)
    return replace(fault, headers={k: date if v == "DATE" else v for k, v in fault.headers.items()})


def calls(source):
    """The first example with a result of each tool of a source that sends requests."""
    for spec in specs_of(sources.client_class(source)):  # the pipeline depends on PubMed, and reports missing parts
        example = next(e for e in sources.examples(source) if e.tool == spec.ref.method and e.outcome == "found")
        if example.is_from_service:
            yield prefixed(spec.ref), dict(example.arguments)


def calls_for(source, case):
    """The calls that a fault is tried on."""
    return [*calls(source)][: 1 if case.is_below_sources else None]


XML_SOURCES = {"entrez", "pubmed"}
each_source = pytest.mark.parametrize("source", sources.names())

SETTINGS = {"NCBI_API_KEY": KEY, "BIOFACT_EMAIL": "me@example.org"}


async def answers(examples, *faults, pause_seconds=2, **sandbox_options):
    """The reply of each of these tools on a gateway of its own; dates are this far ahead."""
    replies = {}
    for tool, arguments in examples:
        async with served(settings=SETTINGS, timing=PATIENT, **sandbox_options) as gateway:
            gateway.sandbox.faults.set(*(with_retry_date(fault, pause_seconds) for fault in faults))
            replies[tool] = await gateway.call(tool, arguments)
    return replies


class Years:
    """A wall clock on which a year passes during an hour: no cached answer can replace a new one, and no service counts
    as down or asks for a pause.
    """

    def __init__(self):
        self._added_seconds = 0.0

    def now(self):
        return virtual_time.wall_now() + self._added_seconds

    async def one_more(self):
        self._added_seconds += 365 * 86_400.0
        await asyncio.sleep(3600.0)


def is_in_turn(source, name):
    """Whether it is the turn of a source at a fault that one source is enough for."""
    names = sources.names()
    return source == names[list(FAULTS).index(name) % len(names)]


def turns(source):
    """The faults for a source, each with a call: another tool each time, except for faults that all tools of a source
    of XML which get a record meet.

    Sources take turns at faults of the transport alone.
    """
    tools = [*calls(source)]
    for place, (name, case) in enumerate(FAULTS.items()):
        if case.reads_xml and source in XML_SOURCES:
            yield from ((name, call) for call in tools if "_get_" in call[0])
        elif is_in_turn(source, name) or not (case.is_below_sources or case.is_large):
            yield name, tools[place % len(tools)]


class Leak(BaseHTTPRequestHandler):
    """Answers every client that fetches an external entity, and records it."""

    fetched: ClassVar[list[str]] = []

    def do_GET(self):  # as the library has it
        self.fetched.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        """Log nothing."""


@pytest.fixture(scope="module")
def leak():
    """A real server at the address that external entities name: no parser may send a request to it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Leak) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@functools.cache
def undisturbed_replies(source):
    async def ask():
        async with served(settings=SETTINGS, timing=PATIENT) as gateway:
            return {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}

    return virtual_time.run(ask())


def holds_no_secret(reply, caplog):
    visible_text = reply.text + repr(reply.meta) + caplog.text
    return KEY not in visible_text and "me@example.org" not in visible_text


def timeless(body):
    """An answer without its duration."""
    if "search_metadata" not in body:
        return body
    metadata = {name: value for name, value in body["search_metadata"].items() if name != "search_time_ms"}
    return {**body, "search_metadata": metadata}


def failure_of_every_item(reply):
    """The failures of an answer; a batch has one for each item."""
    return [item["error"]["code"] for item in reply.body.get("items", []) if item.get("success") is False]


@each_source
def test_a_fault_that_passes_is_not_noticed(source, caplog):
    caplog.set_level(logging.DEBUG)
    expected, years = undisturbed_replies(source), Years()
    transient_turns = [turn for turn in turns(source) if FAULTS[turn[0]].passes]

    async def wrong_answers():
        async with served(settings=SETTINGS, timing=replace(PATIENT, wall_clock=years.now)) as gateway:
            for name, (tool, arguments) in transient_turns:
                gateway.sandbox.faults.set(with_retry_date(FAULTS[name].fault, 2, years.now))
                reply = await gateway.call(tool, arguments)
                is_noticed = timeless(reply.body) != timeless(expected[tool].body)
                if is_noticed or gateway.sandbox.faults.all() or not holds_no_secret(reply, caplog):
                    yield name, tool, reply.text
                caplog.clear()
                await years.one_more()

    assert virtual_time.run(collect(wrong_answers())) == []


@requirement("004 S-err-net")
@each_source
def test_a_lasting_fault_is_reported_in_its_envelope_and_forgotten_when_it_is_over(source, leak, caplog):
    caplog.set_level(logging.DEBUG)
    expected, years = undisturbed_replies(source), Years()

    async def wrong_answers():
        async with served(settings=SETTINGS, timing=replace(BRIEF, wall_clock=years.now), port=leak) as gateway:
            for name, (tool, arguments) in turns(source):
                gateway.sandbox.faults.set(with_retry_date(replace(FAULTS[name].fault, times=None), 5, years.now))
                reply = await gateway.call(tool, arguments)
                if (
                    not names_fault(reply, FAULTS[name])
                    or "is down" in reply.text
                    or not holds_no_secret(reply, caplog)
                ):
                    yield name, tool, reply.text
                gateway.sandbox.faults.clear()
                caplog.clear()
                await years.one_more()
                if not is_in_turn(source, name):
                    continue
                well = await gateway.call(tool, arguments)
                if timeless(well.body) != timeless(expected[tool].body):
                    yield name, tool, well.text
                await years.one_more()

    assert virtual_time.run(collect(wrong_answers())) == []
    assert Leak.fetched == []


async def collect(wrong):
    return [answer async for answer in wrong]


def names_fault(reply, case):
    """Whether all failures are of the right kind, in a batch of every item."""
    codes = [reply.code] if reply.is_failure else failure_of_every_item(reply)
    return bool(codes) and set(codes) <= case.stays


def test_each_tool_takes_its_turn():
    for source in sources.names():
        assert {tool for _, (tool, _) in turns(source)} == {tool for tool, _ in calls(source)}
    assert {name for source in sources.names() for name, _ in turns(source)} == set(FAULTS)


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name, case in FAULTS.items() if case.passes])
@each_source
def test_no_tool_notices_a_fault_that_passes(source, name, caplog):
    caplog.set_level(logging.DEBUG)

    for tool, reply in virtual_time.run(answers(calls_for(source, FAULTS[name]), FAULTS[name].fault)).items():
        assert timeless(reply.body) == timeless(undisturbed_replies(source)[tool].body), (tool, reply.text)
        assert holds_no_secret(reply, caplog)


@pytest.mark.sweep
@pytest.mark.parametrize("name", FAULTS)
@each_source
def test_every_tool_reports_a_lasting_fault_in_its_envelope(source, name, leak, caplog):
    caplog.set_level(logging.DEBUG)
    case = FAULTS[name]
    replies = answers(calls_for(source, case), replace(case.fault, times=None), pause_seconds=28, port=leak)

    for tool, reply in virtual_time.run(replies).items():
        assert names_fault(reply, case), (tool, reply.text)
        assert holds_no_secret(reply, caplog)
    assert Leak.fetched == []


def test_a_fetched_entity_would_be_noticed(leak):
    with urllib.request.urlopen(f"http://127.0.0.1:{leak}/sandbox/leak"):
        assert Leak.fetched == ["/sandbox/leak"]
    Leak.fetched.clear()


def test_a_record_of_100_mb_is_refused_and_costs_the_others_nothing():
    async def scenario():
        async with served() as gateway:
            gateway.sandbox.faults.set(Fault("oversize", path="efetch", at=900, size=100 * MIB, times=1))
            whole = {"include": ["phenotypes"]}
            large = await gateway.call("entrez_get_gene", {"entrez_id": "NCBIGene:672", **whole})
            other = await gateway.call("entrez_get_gene", {"entrez_id": "NCBIGene:7157", **whole})
            return large, other

    large, other = virtual_time.run(scenario())

    assert large.code == "UPSTREAM_ERROR"
    assert other.body["symbol"] == "TP53"
