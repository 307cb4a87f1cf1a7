"""Refused requests: each is counted by its reason, and a line of the audit log, without a word of its sender's."""

import asyncio
import json
import shutil

import httpx2
import pytest

from biofact.core import events
from biofact.core.events import AuditFailed, RequestRefused
from biofact.gateway.audit import AuditFile
from biofact.gateway.tokens import new_token
from biofact.interfaces.http import authentication
from biofact.interfaces.http.audit import MOST_REFUSALS, Audit
from biofact.interfaces.http.serving import FurtherRoutes, observed
from biofact.interfaces.mcp.server import gateway
from biofact.interfaces.mcp.subject import subject
from tests.interfaces.http.pages import samples, sum_by
from tests.interfaces.http.protected import URL, handshake, listing, modern, settings
from tests.interfaces.http.running import run_server
from tests.interfaces.http.static import entry, write
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

GET_TOY = {"name": "toy_get_toy", "arguments": {"toy_id": "TOY:8"}}
WORD = "zebrafinchgene77"
"""A word that only callers write."""


@pytest.fixture
def tokens(tmp_path):
    """A token for everything, and one for dolls alone."""
    whole, dolls = new_token(), new_token()
    write(tmp_path / "tokens.json", entry("ann", whole), entry("ben", dolls, ["doll"]))
    return whole, dolls


@pytest.fixture
def answer_requests(tmp_path, tokens):
    """Asks a gateway with tokens; returns the statuses, the lines of its audit log, and its metrics."""
    path = tmp_path / "audit.jsonl"
    environment = settings(tmp_path, BIOFACT_AUDIT_LOG=str(path))

    async def run(requests):
        server = gateway(catalog=TOYS)
        provider = authentication.provider(environment, URL, catalog=TOYS)
        authentication.guard(server, catalog=TOYS)
        with observed(server, environment, subject) as observation:
            further_routes = FurtherRoutes({"/metrics": observation.metrics}, ())
            async with (
                run_server(server, provider=provider, further_routes=further_routes) as host,
                httpx2.AsyncClient(base_url=host.url.removesuffix("/mcp"), verify=False) as client,
            ):
                statuses = [(await request(client)).status_code for request in requests]
        return statuses, observation.metrics.page()[0].decode()

    def ask(*requests):
        statuses, page = asyncio.run(run(requests))
        log_text = path.read_text()
        return statuses, [json.loads(line) for line in log_text.splitlines()], samples(page), log_text + page

    return ask


def fetch(path, method="GET", **headers):
    return lambda client: client.request(method, path, headers=headers)


@pytest.mark.parametrize("call", [modern, handshake])
def test_each_has_a_line_and_a_count_by_its_reason(answer_requests, tokens, call):
    whole, dolls = tokens
    statuses, lines, counts, _ = answer_requests(
        listing(),
        listing("biofact_wrong"),
        call("tools/call", dolls, **GET_TOY),
        fetch("/metrics"),
        fetch("/mcp", host="evil.example.org"),
        fetch("/mcp", origin="https://evil.example.org"),
        call("tools/call", whole, **GET_TOY),
    )

    assert statuses == [401, 401, 403, 401, 421, 403, 200]
    *refusal_lines, call_line = lines
    assert [(line["method"], line["path"], line["status"], line["reason"]) for line in refusal_lines] == [
        ("POST", "/mcp", 401, "no_token"),
        ("POST", "/mcp", 401, "invalid_token"),
        ("POST", "/mcp", 403, "insufficient_scope"),
        ("GET", "/metrics", 401, "no_token"),
        ("GET", "/mcp", 421, "foreign_host"),
        ("GET", "/mcp", 403, "foreign_origin"),
    ]
    assert {line["outcome"] for line in refusal_lines} == {"REFUSED"}
    assert all(line["time"].endswith("+00:00") for line in refusal_lines)
    assert (call_line["tool"], call_line["outcome"], call_line["client"]) == ("toy_get_toy", "OK", "ann")
    assert sum_by(counts["biofact_refused_requests_total"], "reason") == {
        "no_token": 2, "invalid_token": 1, "insufficient_scope": 1, "foreign_host": 1, "foreign_origin": 1,
    }  # fmt: skip


def test_a_known_caller_is_logged_by_name(answer_requests, tokens):
    _, (refusal, listing_line), _, _ = answer_requests(
        modern("tools/call", tokens[1], **GET_TOY), modern("tools/call", tokens[1], name="doll_get_doll", arguments={})
    )

    assert (refusal["client"], refusal["reason"]) == ("ben", "insufficient_scope")
    assert refusal["subject"] == listing_line["subject"] != ""


def test_nothing_that_its_sender_chose_stands_anywhere(answer_requests):
    statuses, lines, _, log_text = answer_requests(
        listing(WORD),
        fetch(f"/{WORD}", host=f"{WORD}.example.org"),
        fetch(f"/mcp?{WORD}", origin=f"https://{WORD}.example.org"),
        fetch("/mcp", method=WORD.upper()),
        modern("tools/call", headers=[("user-agent", WORD), ("authorization", f"Basic {WORD}")], name=WORD),
    )

    assert statuses == [401, 421, 403, 401, 401]
    assert (lines[1]["path"], lines[3]["method"]) == ("other", "other")
    assert WORD not in log_text.lower()


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_flood_of_anonymous_refusals_is_summed_up(tmp_path):
    path, clock = tmp_path / "audit.jsonl", Clock()
    audit = Audit(AuditFile(path), lambda: "", clock=clock)
    event = RequestRefused("POST", "/mcp", 401, "no_token")

    for _ in range(MOST_REFUSALS + 30):
        audit.listener(event)
    clock.now = 59.9
    audit.listener(event)
    before = path.read_text().splitlines()
    clock.now = 60.0
    audit.listener(event)
    audit.listener(event)
    _, skipped, *later_lines = [json.loads(line) for line in path.read_text().splitlines()[MOST_REFUSALS - 1 :]]

    assert len(before) == MOST_REFUSALS
    assert {name: skipped[name] for name in ("method", "outcome", "requests")} == {
        "method": "audit", "outcome": "SKIPPED", "requests": 31,
    }  # fmt: skip
    assert [line["outcome"] for line in later_lines] == ["REFUSED", "REFUSED"]


def test_a_flood_of_refusals_of_a_known_caller_is_written_line_by_line(tmp_path):
    path = tmp_path / "audit.jsonl"
    audit = Audit(AuditFile(path), lambda: "0123456789abcdef", clock=Clock())

    for _ in range(MOST_REFUSALS + 30):
        audit.listener(RequestRefused("POST", "/mcp", 403, "insufficient_scope"))

    assert len(path.read_text().splitlines()) == MOST_REFUSALS + 30


def test_a_refused_request_that_cannot_be_written_is_counted_and_named_as_lost(tmp_path):
    path = tmp_path / "there" / "audit.jsonl"
    path.parent.mkdir()
    audit = Audit(AuditFile(path), lambda: "0123456789abcdef", clock=Clock())
    refused_event = RequestRefused("POST", "/mcp", 403, "insufficient_scope")
    failures = []
    shutil.rmtree(path.parent)

    with events.subscription(failures.append):
        audit.listener(refused_event)
    path.parent.mkdir()
    audit.listener(refused_event)
    loss_line, log_text = [json.loads(line) for line in path.read_text().splitlines()]

    assert [type(event) for event in failures] == [AuditFailed]
    assert (loss_line["outcome"], loss_line["calls"]) == ("LOST", 1)
    assert log_text["outcome"] == "REFUSED"
