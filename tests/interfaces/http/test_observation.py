"""A gateway under observation in a whole app: one call, and all its traces afterwards."""

import json
from functools import partial

import pytest
from fastmcp import Client
from starlette.applications import Starlette
from starlette.routing import Route

from biofact.core import events
from biofact.core.usage import WrongUsage
from biofact.gateway import health
from biofact.gateway.health import Readiness, ShutdownPart
from biofact.interfaces import log_output
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.serving import observed
from biofact.interfaces.mcp.server import gateway
from tests import virtual_time
from tests.interfaces.http.pages import fetch, samples, sum_by
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

SUBJECT = "0123456789abcdef"


def test_one_call_is_in_metrics_log_and_audit_log_and_the_gateway_is_ready(tmp_path, capsys):
    audit = tmp_path / "audit.jsonl"
    environment = {"BIOFACT_AUDIT_LOG": str(audit), "BIOFACT_LOG": "info", "BIOFACT_LOG_FORMAT": "json"}

    async def scenario():
        async with machine(environment) as (_, network, settings):
            server = gateway(partial(open_clients, settings, timing=LIFE, wire=network))
            with (
                log_output.on_stderr(settings),
                observed(server, settings, lambda: SUBJECT) as observation,
            ):
                parts = (*observation.parts, ShutdownPart(lambda: False))
                app = Starlette(routes=[*health.routes(Readiness(parts)), Route("/metrics", observation.metrics)])
                async with Client(server) as client:
                    await client.call_tool_mcp("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
                    return [await fetch(app, path) for path in ("/metrics", "/readyz")]

    metrics, ready = virtual_time.run(scenario())
    counts = samples(metrics.text)
    (log_entry,) = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (audited,) = [json.loads(line) for line in audit.read_text().splitlines()]

    assert sum_by(counts["biofact_calls_total"], "tool", "outcome")["entrez_get_gene", "OK"] == 1
    assert (log_entry["tool"], log_entry["outcome"]) == ("entrez_get_gene", "OK")
    assert (audited["tool"], audited["arguments"]) == ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
    assert ready.json() == {
        "status": "ready",
        "parts": {
            "cache": {"state": "ok", "reason": "sqlite"},
            "ledger": {"state": "ok", "reason": "sqlite"},
            "audit": {"state": "ok"},
            "server": {"state": "ok"},
        },
    }
    assert events.listeners == ()


def test_an_audit_log_that_cannot_be_written_ends_the_start(tmp_path):
    async def scenario():
        async with machine({"BIOFACT_AUDIT_LOG": str(tmp_path / "nowhere" / "audit.jsonl")}) as (_, _, settings):
            with observed(gateway(), settings, lambda: SUBJECT):
                pass

    with pytest.raises(WrongUsage, match="cannot be the audit log"):
        virtual_time.run(scenario())
