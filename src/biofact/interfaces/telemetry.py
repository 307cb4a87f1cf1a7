"""OpenTelemetry spans by the conventions for GenAI, MCP and HTTP: of clients' requests, and of those to services.

https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md, read 2026-11-26. A span holds
no query, no ID, no token and no address but those of services, so that ``mcp.resource.uri`` and ``jsonrpc.request.id``,
which a client writes, are left out. FastMCP's own spans hold such things and are off wherever ours are on; it goes on
to take up a client's trace from ``params._meta``.
"""

import importlib.util
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from biofact import __version__
from biofact.core import events
from biofact.core.events import CallAnswered, CallBegan, Event, ModelAnswered, RequestEnded
from biofact.core.extras import install_command
from biofact.core.settings import Setting, Settings, declare
from biofact.interfaces import terminal

if TYPE_CHECKING:
    from contextvars import Token

    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

ENDPOINT = declare(
    Setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "Where `biofact serve` sends traces, as OTLP over HTTP (needs biofact[serve]).",
        example="http://127.0.0.1:4318",
    )
)
HEADERS = declare(
    Setting("OTEL_EXPORTER_OTLP_HEADERS", "What goes with traces, such as a key; shown nowhere.", is_secret=True)
)

_NO_ERRORS = {"OK", "INPUT_REQUIRED"}
_OF_THE_PROTOCOL = {"REFUSED", "CANCELLED"}
_FIRST_ERROR_STATUS = 400
_PORTS = {"http": 80, "https": 443}
_EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


@contextmanager
def traced(settings: Settings) -> Iterator[None]:
    """Make spans within, where an address is set to send them to, or a host has set up OpenTelemetry itself.

    Nothing of OpenTelemetry's SDK is imported where neither is so.
    """
    from opentelemetry import trace  # noqa: PLC0415  # FastMCP has loaded it

    provider = _exporting_provider(settings)
    if provider is None and isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        yield
        return
    try:
        with spans_of(trace.get_tracer("biofact", __version__, provider)):
            yield
    finally:
        if provider is not None:
            provider.shutdown()  # exports the remaining spans


@contextmanager
def spans_of(tracer: "Tracer") -> Iterator[None]:
    """Make spans by ``tracer`` within, and none of FastMCP's."""
    import fastmcp  # noqa: PLC0415  # as above

    before = fastmcp.settings.telemetry_mode
    fastmcp.settings.telemetry_mode = "propagation_only"
    try:
        with events.subscription(Spans(tracer).listener):
            yield
    finally:
        fastmcp.settings.telemetry_mode = before


class Spans:
    """A listener that makes spans. Those of requests to services are made when these have ended."""

    def __init__(self, tracer: "Tracer") -> None:
        self._tracer = tracer
        self._open: dict[CallBegan, tuple[Span, Token[Context]]] = {}

    def listener(self, event: Event) -> None:
        """Begin, end or make the span of an event: for ``events.subscription``."""
        match event:
            case CallBegan():
                self._begin(event)
            case CallAnswered():
                self._end(event)
            case RequestEnded():
                self._add_request(event)
            case ModelAnswered():
                self._add_model(event)
            case _:
                pass

    def _begin(self, call: CallBegan) -> None:
        from opentelemetry import context, trace  # noqa: PLC0415

        attributes = {
            "mcp.method.name": call.method,
            "mcp.protocol.version": call.protocol,
            "mcp.session.id": call.session_id,
            "gen_ai.operation.name": "execute_tool" if call.tool else "",
            "gen_ai.tool.name": call.tool,
            "enduser.pseudo.id": call.subject,
        }
        name = f"{call.method} {call.tool}".strip()
        span = self._tracer.start_span(name, kind=trace.SpanKind.SERVER, attributes=_present(attributes))
        self._open[call] = span, context.attach(trace.set_span_in_context(span))

    def _end(self, answer: CallAnswered) -> None:
        from opentelemetry import context, trace  # noqa: PLC0415

        if answer.began not in self._open:
            return  # it began before this listener was added
        span, token = self._open.pop(answer.began)
        context.detach(token)
        if answer.outcome not in _NO_ERRORS:
            is_tool_error = answer.began.tool and answer.outcome not in _OF_THE_PROTOCOL
            span.set_attribute("error.type", "tool_error" if is_tool_error else answer.outcome)
            span.set_status(trace.StatusCode.ERROR)
        span.set_attribute("biofact.outcome", answer.outcome)
        span.end()

    def _add_request(self, request: RequestEnded) -> None:
        url = urlsplit(request.url)
        error = str(request.status) if request.status >= _FIRST_ERROR_STATUS else request.failure
        attributes = {
            "http.request.method": request.method,
            "url.full": request.url,
            "server.address": url.hostname,
            "server.port": url.port or _PORTS.get(url.scheme),
            "http.response.status_code": request.status,
            "http.response.body.size": request.size,
            "http.request.resend_count": request.attempt - 1,
            "service.peer.name": request.service,
            "error.type": error,
        }
        self._add(request.method, request.seconds, attributes)

    def _add_model(self, answer: ModelAnswered) -> None:
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",  # the endpoint speaks OpenAI's protocol
            "gen_ai.request.model": answer.model,
            "biofact.tokens": answer.tokens,  # of question and answer; some services report only their sum
            "error.type": "ModelFailed" if answer.is_failure else None,
        }
        self._add(f"chat {answer.model}", answer.seconds, attributes)

    def _add(self, name: str, seconds: float, attributes: Mapping[str, Any]) -> None:
        """Add a span that ends now, below the span under way."""
        from opentelemetry import trace  # noqa: PLC0415

        ended_at = time.time_ns()
        span = self._tracer.start_span(
            name,
            kind=trace.SpanKind.CLIENT,
            attributes=_present(attributes),
            start_time=ended_at - int(seconds * 1_000_000_000),
        )
        if attributes["error.type"]:
            span.set_status(trace.StatusCode.ERROR)
        span.end(ended_at)


def _present(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value}


def _exporting_provider(settings: Settings) -> "TracerProvider | None":
    """A provider that exports spans, if an endpoint is set and the extra installed. The SDK reads its settings."""
    if not settings[ENDPOINT]:
        return None
    if not all(map(importlib.util.find_spec, ("opentelemetry.sdk", "opentelemetry.exporter"))):
        terminal.write_messages(
            [f"biofact: {ENDPOINT.name} is set, but no trace is sent before {install_command('serve')}."]
        )
        return None
    exporter = importlib.import_module(_EXPORTER).OTLPSpanExporter()
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource  # noqa: PLC0415  # only where an endpoint is set
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    resource = Resource({"service.name": "biofact", "service.version": __version__})
    provider = TracerProvider(resource=resource.merge(OTELResourceDetector().detect()))  # a host's attributes win
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider
