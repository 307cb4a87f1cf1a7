"""The page of a gateway: its contents, its audience, and its limits."""

import asyncio
import base64
import functools
import hashlib
import re

import pytest
from jsonschema import Draft202012Validator

from biofact.interfaces import every_source
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.page.routes import headers, page
from biofact.interfaces.mcp.server import gateway, source_server
from tests import virtual_time
from tests.interfaces.http.page_app import TOKEN, message, opened_app, page_app
from tests.interfaces.toy import TOYS
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

SECRETS = {
    "NCBI_API_KEY": "0a1b2c3d4e5f60718293a4b5c6d7e8f90123",
    "BIOFACT_EMAIL": "planted@example.org",
    "BIOFACT_LLM_API_KEY": "sk-planted-key",
}
QUERY = "BRCA1 planted question"


def fetch_page(path, server=None, *, headers=None, **options):
    """The answer to a GET of a gateway's page."""

    async def run():
        async with opened_app(page_app(server or gateway(catalog=TOYS), **options)) as client:
            return await client.get(path, headers=headers)

    return asyncio.run(run())


def element_text(name):
    """The text of the page's only element of this name."""
    (text,) = re.findall(rf"<{name}>(.*?)</{name}>", page().decode(), re.DOTALL)
    return text


def test_the_page_runs_its_own_script_and_style_and_nothing_else():
    answer = fetch_page("/")

    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    for name in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(element_text(name).encode()).digest()).decode()
        assert policy[f"{name}-src"] == f"'sha256-{digest}'"
    assert policy["default-src"] == policy["form-action"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"


def test_the_page_may_not_be_cached_or_framed():
    answer = fetch_page("/")

    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"


def test_the_page_needs_no_other_file_and_no_other_place():
    assert re.findall(r'(?:src|href|action)="(?!#|data:,")[^"]*"', page().decode()) == []
    assert "://" not in element_text("style")
    for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert name not in element_text("script")
    for name in ("localStorage", "sessionStorage", "indexedDB", "cookie", "caches"):
        assert name not in element_text("script")


def test_the_page_is_the_same_for_every_caller():
    assert fetch_page("/").content == fetch_page("/", gateway(), needs_token=True, is_sandbox=True).content == page()
    assert fetch_page("/").headers["content-security-policy"] == headers()["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/state", "/catalog"])
def test_the_page_s_requests_need_the_token_that_calls_need(path):
    def status(token):
        headers_sent = {"authorization": f"Bearer {token}"} if token else {}
        return fetch_page(path, headers=headers_sent, needs_token=True).status_code

    assert fetch_page("/", needs_token=True).status_code == 200
    assert (status(""), status("wrong"), status(TOKEN)) == (401, 401, 200)
    assert fetch_page(path).headers["cache-control"] == "no-store"


def test_the_sandbox_takes_the_token_that_calls_take():
    async def run():
        async with opened_app(page_app(gateway(catalog=TOYS), needs_token=True)) as client:
            return await client.post("/sandbox/mcp", **message("tools/list"))

    assert asyncio.run(run()).status_code == 401


def test_a_gateway_on_the_sandbox_offers_no_second_one():
    async def run():
        async with opened_app(page_app(gateway(catalog=TOYS), is_sandbox=True)) as client:
            return (await client.get("/state")).json(), await client.post("/sandbox/mcp", **message("tools/list"))

    state, answer = asyncio.run(run())

    assert (state["is_sandbox"], state["sandbox"]) == (True, None)
    assert answer.status_code == 404


def test_every_tool_is_there_under_its_name_with_an_example_that_fits():
    toolsets = fetch_page("/catalog", gateway()).json()["toolsets"]
    tools = [tool for toolset in toolsets for tool in toolset["tools"]]

    assert [toolset["name"] for toolset in toolsets] == list(every_source.toolsets())
    assert len(tools) == sum(len(every_source.listing(name).tools) for name in every_source.toolsets())
    for tool in tools:
        assert tool["title"]
        assert tool["description"]
        assert tool["example"]
        Draft202012Validator(tool["input_schema"]).validate(tool["example"])


def test_a_server_of_one_source_shows_its_tools_by_their_bare_names():
    server = source_server("entrez")
    (toolset,) = fetch_page("/catalog", server).json()["toolsets"]

    assert toolset["title"] == "NCBI Gene"
    assert "search_genes" in [tool["name"] for tool in toolset["tools"]]
    assert list(fetch_page("/state", source_server("entrez")).json()["sources"]) == ["entrez"]


async def shown_after_a_call(settings, path="/state"):
    """The page's data on a gateway with these settings after a call, and its requests to services before and after."""
    async with machine(settings) as (sandbox, network, environment):
        server = gateway(functools.partial(open_clients, environment, timing=LIFE, wire=network))
        async with opened_app(page_app(server)) as client:
            before = (await client.get(path)).text
            asked_before = len(sandbox.requests)
            call = message("tools/call", name="entrez_search_genes", arguments={"query": QUERY})
            await client.post("/mcp", **call)
            await asyncio.sleep(60)
            request_count = len(sandbox.requests)
            response = await client.get(path)
            return before, response, (asked_before, len(sandbox.requests) - request_count)


@pytest.mark.parametrize("path", ["/", "/state", "/catalog"])
def test_no_secret_and_no_query_is_shown_and_no_service_asked(path):
    before, response, request_count = virtual_time.run(shown_after_a_call(SECRETS, path))

    assert request_count == (0, 0)
    for secret in (*SECRETS.values(), QUERY, "planted", "/tmp", "127.0.0.1"):
        assert secret not in before
        assert secret not in response.text


def test_the_state_is_that_of_every_service_and_of_the_cache():
    _, response, _ = virtual_time.run(shown_after_a_call({"NCBI_API_KEY": SECRETS["NCBI_API_KEY"]}))
    state = response.json()

    assert state["sources"]["entrez"] == ["ncbi", "ncbi-datasets"]
    assert state["services"]["ncbi"] == {
        "title": "NCBI E-utilities",
        "per_second": 10.0,
        "next_slot_seconds": 0.0,
        "is_paused": False,
        "kept_in": "sqlite",
    }
    assert state["cache"]["kept_in"] == "sqlite"
    assert state["cache"]["entries"] > 0
    assert (state["is_offline"], state["has_redis"]) == (False, False)
