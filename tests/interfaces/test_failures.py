"""An agent gets one envelope for every failure, without secrets."""

import logging
import math
from contextlib import asynccontextmanager

import pytest

from biofact.dialects.eutils.service import API_KEY
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.ask import ERAS, body, call, call_tools
from tests.interfaces.toy import TOYS
from tests.marks import requirement

pytestmark = pytest.mark.quick


FAILING_CALLS = [
    ("toy_get_toy", {"toy_id": "ball"}, "UNRESOLVED_ENTITY"),
    ("toy_get_toy", {"toy_id": "TOY:9"}, "ENTITY_NOT_FOUND"),
    ("toy_get_toy", {}, "AMBIGUOUS_QUERY"),
    ("toy_search_toys", {"query": "toys", "page_size": 1000}, "AMBIGUOUS_QUERY"),
    ("toy_break_toy", {"how": "busy"}, "RATE_LIMITED"),
    ("toy_break_toy", {"how": "down"}, "UPSTREAM_ERROR"),
    ("toy_break_toy", {"how": "defect"}, "UPSTREAM_ERROR"),
    ("toy_burn_toy", {}, "AMBIGUOUS_QUERY"),
    ("", {}, "AMBIGUOUS_QUERY"),
]


@requirement("000 envelopes", "001 FR-014", "002 FR-023")
@pytest.mark.parametrize("era", ERAS)
def test_a_failure_is_an_envelope(era):
    results = call_tools(gateway(catalog=TOYS), [(name, arguments) for name, arguments, _ in FAILING_CALLS], era)
    bodies = [body(result) for result in results]

    assert [result.is_error for result in results] == [True] * len(FAILING_CALLS)
    assert [(list(envelope), envelope["success"]) for envelope in bodies] == [(["success", "error"], False)] * len(
        FAILING_CALLS
    )
    assert [
        (*call, envelope["error"]["code"]) for (*call, _), envelope in zip(FAILING_CALLS, bodies, strict=True)
    ] == FAILING_CALLS
    required_keys = {"message", "recovery_hint", "invalid_input"}
    assert [
        failing_call
        for failing_call, envelope in zip(FAILING_CALLS, bodies, strict=True)
        if not required_keys <= set(envelope["error"])
    ] == []


def test_an_unknown_tool_is_refused_with_the_known_ones():
    error = call(gateway(catalog=TOYS), "entrez_search_genes", query="BRCA1")["error"]

    assert error["message"] == "There is no tool 'entrez_search_genes'."
    assert error["invalid_input"] == "entrez_search_genes"
    assert "toy_search_toys, toy_get_toy" in error["recovery_hint"]
    assert "recovery" not in error


def test_waiting_is_a_recovery_too():
    error = call(gateway(catalog=TOYS), "toy_break_toy", how="busy")["error"]

    assert error["recovery"] == {"retry_after_seconds": 7}


def test_recovery_followed_mechanically_succeeds():
    server = gateway(catalog=TOYS)
    recovery = call(server, "toy_get_toy", toy_id="ball")["error"]["recovery"]

    second_body = call(server, recovery["tool"], **recovery["arguments"])

    assert second_body["items"][0]["id"] == "TOY:7"


def test_a_defect_is_logged_and_its_secrets_are_not(monkeypatch, caplog):
    monkeypatch.setenv(API_KEY.name, "s3cret-key")

    with caplog.at_level(logging.ERROR, "biofact"):
        error = call(gateway(catalog=TOYS), "toy_break_toy", how="defect", key="s3cret-key")["error"]

    assert error["message"] == "Answering toy_break_toy hit a defect of biofact: KeyError."
    assert "Traceback" in caplog.text
    assert "spring" in caplog.text
    assert "s3cret-key" not in caplog.text


@pytest.mark.parametrize("era", ERAS)
def test_an_odd_input_is_echoed_and_breaks_nothing(era):
    values = [10**60, 1e308, {"a": {"b": []}}, [[["deep"]]], "\ud800 lone", "e\u0301\U0001f9ec"]

    results = call_tools(gateway(catalog=TOYS), [("toy_get_toy", {"toy_id": value}) for value in values], era)

    errors = [body(result)["error"] for result in results]
    assert [error["code"] for error in errors] == ["UNRESOLVED_ENTITY"] * len(values)
    shown_values = ["\\ud800 lone" if value == "\ud800 lone" else value for value in values]
    assert [error["invalid_input"] for error in errors] == shown_values


def test_a_call_after_a_failure_is_answered_as_ever():
    calls = [
        ("toy_break_toy", {"how": "defect"}),
        ("toy_get_toy", {"toy_id": math.nan}),
        ("toy_get_toy", {"toy_id": "TOY:8"}),
    ]

    assert [result.is_error for result in call_tools(gateway(catalog=TOYS), calls)] == [True, True, False]


def test_clients_that_cannot_be_opened_are_an_envelope_too(caplog):
    @asynccontextmanager
    async def broken():
        raise OSError("no room")
        yield

    error = call(gateway(broken, TOYS), "toy_get_toy", toy_id="TOY:7")["error"]

    assert error["message"] == "Answering toy_get_toy hit a defect of biofact: OSError."
    assert "no room" in caplog.text


ECHOED_INPUTS = [
    ("toy_get_toy", {"toy_id": "ball"}, "ball"),
    ("toy_get_toy", {"toy_id": "TOY:9"}, "TOY:9"),
    ("toy_get_toy", {}, {}),
    ("toy_search_toys", {"query": "toys", "limit": 1000}, 1000),
    ("toy_search_toys", {"query": "toys", "limit": 1000, "size": 1}, {"limit": 1000, "size": 1}),
    ("toy_break_toy", {"how": "busy"}, "busy"),
    ("toy_break_toy", {"how": "down"}, "down"),
    ("toy_break_toy", {"how": "elsewhere", "key": "x"}, "elsewhere"),
    ("toy_break_toy", {"how": "defect", "key": "x"}, {"how": "defect", "key": "x"}),
    ("toy_burn_toy", {"toy_id": "TOY:7"}, "toy_burn_toy"),
]


@requirement("001 FR-014")
def test_every_failure_echoes_what_it_is_about():
    results = call_tools(gateway(catalog=TOYS), [(name, arguments) for name, arguments, _ in ECHOED_INPUTS])

    echoes = [body(result)["error"]["invalid_input"] for result in results]
    assert [
        (name, arguments, echo) for (name, arguments, _), echo in zip(ECHOED_INPUTS, echoes, strict=True)
    ] == ECHOED_INPUTS
