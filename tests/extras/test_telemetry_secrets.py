"""Spans hold no key, address or token, and no word of a caller."""

import re

import pytest

from biofact.interfaces import every_source, telemetry
from tests.extras import needs
from tests.interfaces.http import planted

pytestmark = pytest.mark.extras

needs.opentelemetry()

from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402


@pytest.mark.parametrize("toolset", every_source.toolsets())
def test_nothing_planted_is_in_a_span(toolset):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    with telemetry.spans_of(provider.get_tracer("test")):
        run = planted.run(toolset, "json")

    spans = "\n".join(span.to_json() for span in exporter.get_finished_spans())
    assert [secret for secret in planted.SECRETS if secret in spans] == []
    assert [word for word in run.words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", spans)] == []
    assert "tools/call" in spans
    assert "trace_id" in run.log
