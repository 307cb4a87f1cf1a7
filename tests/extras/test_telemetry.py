"""Spans by the conventions, recorded and exported by OpenTelemetry's own SDK."""

import asyncio
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastmcp import Client

from biofact.interfaces import telemetry
from biofact.interfaces.mcp.server import gateway
from biofact.sandbox.faults import Fault
from tests import virtual_time
from tests.extras import needs
from tests.interfaces.ask import ERAS
from tests.interfaces.test_start_up import client_lines
from tests.interfaces.toy import TOYS
from tests.served import served

pytestmark = pytest.mark.extras

needs.opentelemetry()

from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402
from opentelemetry.trace import SpanKind, StatusCode  # noqa: E402

ROOT = Path(__file__).parents[2]
TRACE_ID, PARENT_ID = 0x4BF92F3577B34DA6A3CE929D0E0E4736, 0x00F067AA0BA902B7
TRACE_PARENT = f"00-{TRACE_ID:032x}-{PARENT_ID:016x}-01"
GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})


@contextmanager
def recorded_spans():
    """The spans created within the block."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = []
    with telemetry.spans_of(provider.get_tracer("test")):
        yield spans
    spans += exporter.get_finished_spans()


def traced(scenario, **options):
    async def run():
        async with served(**options) as asked_gateway:
            return await scenario(asked_gateway)

    with recorded_spans() as spans:
        virtual_time.run(run())
    return spans


def calls(spans):
    return [span for span in spans if span.attributes.get("mcp.method.name") == "tools/call"]


def requests(spans):
    return [span for span in spans if "http.request.method" in span.attributes]


@pytest.mark.parametrize("era", ERAS)
def test_a_call_is_one_server_span_and_its_requests_are_below_it(era):
    async def scenario(gateway):
        await gateway.call("entrez_search_genes", {"query": "TP53"})
        return len(gateway.sandbox.requests)

    spans = traced(scenario, protocol=era)
    (call,) = calls(spans)

    assert call.name == "tools/call entrez_search_genes"
    assert call.kind is SpanKind.SERVER
    assert call.status.status_code is StatusCode.UNSET
    assert {**call.attributes, "mcp.protocol.version": ""} == {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "entrez_search_genes",
        "biofact.outcome": "OK",
    }
    assert call.attributes["mcp.protocol.version"] in {"2025-11-25", "2026-07-28"}
    assert len(requests(spans)) >= 2
    for request in requests(spans):
        assert (request.kind, request.parent.span_id) == (SpanKind.CLIENT, call.context.span_id)
        assert request.attributes["url.full"].startswith("http://127.0.0.1:80/entrez/eutils/e")
        assert "?" not in request.attributes["url.full"]
        assert request.attributes["server.address"] == "127.0.0.1"
        assert request.attributes["http.response.status_code"] == 200
        assert request.attributes["service.peer.name"] == "ncbi"
        assert request.start_time <= request.end_time


def test_each_request_of_a_client_is_one_span():
    async def scenario(gateway):
        await gateway.client.list_tools()
        await gateway.call(*GENE)
        await gateway.client.list_prompts()

    names = [span.name for span in traced(scenario) if span.kind is SpanKind.SERVER]

    assert len(names) == len(set(names))
    assert {"tools/list", "tools/call entrez_get_gene", "prompts/list"} <= set(names)


def test_a_trace_of_the_client_is_continued():
    async def scenario(gateway):
        await gateway.client.call_tool_mcp(*GENE, meta={"traceparent": TRACE_PARENT, "tracestate": "of=theirs"})

    spans = traced(scenario)
    (call,) = calls(spans)

    assert (call.context.trace_id, call.parent.span_id) == (TRACE_ID, PARENT_ID)
    assert call.context.trace_state.get("of") == "theirs"
    assert {request.context.trace_id for request in requests(spans)} == {TRACE_ID}


@pytest.mark.parametrize("traceparent", ["", "00-nonsense-01", "\u202e", f"00-{0:032x}-{0:016x}-01"])
def test_a_trace_that_cannot_be_read_is_replaced_by_a_new_one(traceparent):
    async def scenario(gateway):
        result = await gateway.client.call_tool_mcp(*GENE, meta={"traceparent": traceparent})
        assert not result.is_error

    (call,) = calls(traced(scenario))

    assert call.parent is None


def test_a_tool_that_fails_is_an_error_and_says_which():
    async def scenario(gateway):
        await gateway.call("entrez_get_gene", {"entrez_id": "BRCA1"})
        await gateway.client.call_tool_mcp("entrez_made_up", {})

    wrong, unknown = calls(traced(scenario))

    assert (wrong.attributes["error.type"], wrong.attributes["biofact.outcome"]) == ("tool_error", "UNRESOLVED_ENTITY")
    assert (wrong.status.status_code, wrong.status.description, wrong.events) == (StatusCode.ERROR, None, ())
    assert (unknown.name, unknown.attributes["gen_ai.tool.name"]) == ("tools/call unknown", "unknown")


def test_each_attempt_at_a_request_is_a_span():
    async def scenario(gateway):
        gateway.sandbox.faults.set(Fault("status", "ncbi", status=503), Fault("close", "ncbi"))
        tool, arguments = GENE
        await gateway.call(tool, {**arguments, "slim": True})  # asks one service alone

    first, second, third = requests(traced(scenario))

    assert [span.attributes.get("error.type") for span in (first, second, third)] == [
        "503",
        "RemoteProtocolError",
        None,
    ]
    assert [span.attributes.get("http.request.resend_count") for span in (first, second, third)] == [None, 1, 2]
    assert [span.status.status_code.name for span in (first, second, third)] == ["ERROR", "ERROR", "UNSET"]


def test_calls_at_the_same_time_keep_their_requests_apart():
    async def scenario(gateway):
        searches = [
            gateway.call("ensembl_search_genes", {"query": name, "species": "human"}) for name in ("TP53", "MYC")
        ]
        await asyncio.gather(*searches, gateway.call("chembl_search_compounds", {"query": "aspirin"}))

    spans = traced(scenario)
    services = {
        call.context.span_id: {
            request.attributes["service.peer.name"] for request in requests(spans)
            if request.parent.span_id == call.context.span_id
        }
        for call in calls(spans)
    }  # fmt: skip

    by_tool = [(call.attributes["gen_ai.tool.name"], services[call.context.span_id]) for call in calls(spans)]
    assert ("chembl_search_compounds", {"chembl"}) in by_tool
    assert all("chembl" not in tool_services for tool, tool_services in by_tool if tool == "ensembl_search_genes")


def test_a_resource_leaves_no_uri():
    async def ask():
        async with Client(gateway(catalog=TOYS)) as client:
            templates = await client.list_resource_templates()
            uri = templates[0].uri_template.partition("{")[0] + "PLANTED"
            with pytest.raises(Exception):  # noqa: B017  # whatever the client makes of it
                await client.read_resource(uri)

    with recorded_spans() as spans:
        asyncio.run(ask())

    (span,) = (span for span in spans if span.name == "resources/read")
    assert span.status.status_code is StatusCode.ERROR
    assert not any("PLANTED" in span.to_json() for span in spans)


_COLLECTOR = """
import http.server, json, sys
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from google.protobuf.json_format import MessageToDict
import gzip

class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        found = MessageToDict(ExportTraceServiceRequest.FromString(body))
        print(json.dumps([self.path, self.headers.get("x-key"), found]), flush=True)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
print(server.server_port, flush=True)
server.serve_forever()
"""


@contextmanager
def collector():
    """A collector of traces on loopback: its address, and the pipe on which it writes what it receives."""
    with subprocess.Popen([sys.executable, "-c", _COLLECTOR], stdout=subprocess.PIPE, text=True) as process:
        try:
            address = f"http://127.0.0.1:{process.stdout.readline().strip()}"
            yield address, (json.loads(line) for line in process.stdout)
        finally:
            process.kill()


def served_over_pipes(**environment):
    """The text that ``biofact serve`` writes on stderr while it answers one call, and the modules it has imported."""
    program = "import sys; from biofact.__main__ import main; code = main(); "
    program += "print(*sorted(name for name in sys.modules if 'opentelemetry' in name), file=sys.stderr)"
    request = client_lines("tools/call", name="entrez_get_gene", arguments={"entrez_id": "BRCA1"})
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "--sandbox"],
        input="".join(json.dumps(line) + "\n" for line in request),
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment}, timeout=60, check=True,
    )  # fmt: skip
    return done.stderr


def test_serve_exports_where_an_address_is_set():
    names = set()
    with collector() as (address, exports):
        errors = served_over_pipes(OTEL_EXPORTER_OTLP_ENDPOINT=address, OTEL_EXPORTER_OTLP_HEADERS="x-key=s3cret")
        while "tools/call entrez_get_gene" not in names:  # on a busy machine they come in several parts
            path, key, export = next(exports)
            (resource,) = export["resourceSpans"]
            names |= {span["name"] for scope in resource["scopeSpans"] for span in scope["spans"]}

    attributes = {
        attribute["key"]: attribute["value"].get("stringValue") for attribute in resource["resource"]["attributes"]
    }
    assert (path, key) == ("/v1/traces", "s3cret")
    assert attributes["service.name"] == "biofact"
    assert "BRCA1" not in json.dumps(export)
    assert "s3cret" not in errors


def test_a_host_names_the_service_as_it_likes():
    with collector() as (address, exports):
        served_over_pipes(OTEL_EXPORTER_OTLP_ENDPOINT=address, OTEL_SERVICE_NAME="genes")
        _, _, export = next(exports)

    assert {"key": "service.name", "value": {"stringValue": "genes"}} in export["resourceSpans"][0]["resource"][
        "attributes"
    ]


def test_without_an_address_nothing_of_the_sdk_is_imported():
    loaded = served_over_pipes(OTEL_EXPORTER_OTLP_ENDPOINT="")

    assert "opentelemetry.trace" in loaded
    assert "opentelemetry.sdk" not in loaded
    assert "opentelemetry.exporter" not in loaded
