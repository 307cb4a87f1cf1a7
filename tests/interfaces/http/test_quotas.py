"""Quotas of callers over HTTP with tokens: beyond one a caller gets a time to retry after, and others are served."""

import asyncio
import functools
import json
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.serving import observed
from biofact.interfaces.mcp.server import gateway
from biofact.interfaces.mcp.subject import subject
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.sandbox.scripted_model import honest
from tests import virtual_time
from tests.in_process import scripted_model
from tests.interfaces.http.pages import samples, sum_by
from tests.interfaces.http.protected import content, handshake, modern, protected, settings
from tests.interfaces.http.static import with_tokens
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

CALLS, TOKENS, COLLECTIONS = "BIOFACT_CALLS_PER_MINUTE", "BIOFACT_MODEL_TOKENS_PER_DAY", "BIOFACT_COLLECTIONS_MIB"
GENE = {"name": "entrez_get_gene", "arguments": {"entrez_id": "NCBIGene:672", "slim": True}}
PICTURE = {"uri": "chembl://compound/CHEMBL:25/structure.svg"}
SEARCH = {"name": "pubmed_search", "arguments": {"search_query": "metformin", "slim": True}}
SCHEMA = {"participant_count": "number"}
STEP = 60.0 / 12
REFUSALS = "biofact_quota_refusals_total"


@dataclass
class Hosted:
    """A gateway behind tokens, and its metrics."""

    client: Any
    observation: Any
    model: Any = None

    async def call(self, token, request_of=modern, **params):
        return await request_of("tools/call", token, **params)(self.client)

    async def answer(self, token, **params):
        return content(await self.call(token, **params))

    async def code(self, token, **params):
        answer = await self.answer(token, **params)
        return answer["error"]["code"] if "error" in answer else "OK"

    def metric(self, name, *labels):
        return sum_by(samples(self.observation.metrics.page()[0].decode())[name], *labels)


@asynccontextmanager
async def hosted(folder, model=None, **quotas):
    auth_settings = settings(folder, BIOFACT_AUDIT_LOG=str(folder / "audit.jsonl"))
    async with machine(quotas, model=model) as (_, network, environment):
        server = gateway(functools.partial(open_clients, environment, timing=LIFE, wire=network))
        with observed(server, auth_settings, subject) as observation:
            async with protected(auth_settings, catalog=every_source, server=server) as client:
                yield Hosted(client, observation, model)


def run(folder, scenario, line=None, **quotas):
    """The result of a scenario with a gateway and the tokens of two callers; ``line`` is its model's answer."""
    tokens = with_tokens(folder, "ann", "bob")

    async def main():
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(scripted_model(line)) if line else None
            server = await stack.enter_async_context(hosted(folder, model, **quotas))
            return await scenario(server, *tokens)

    return virtual_time.run(main())


@pytest.mark.parametrize("request_of", [modern, handshake])
def test_a_caller_over_their_quota_of_calls_is_served_after_the_reported_wait(tmp_path, request_of):
    async def scenario(server, ann, bob):
        call = functools.partial(server.call, request_of=request_of, **GENE)
        for _ in range(3):
            assert content(await call(ann))["symbol"] == "BRCA1"
        refusal = await call(ann)
        error = content(refusal)["error"]
        other = content(await call(bob))
        await asyncio.sleep(error["recovery"]["retry_after_seconds"])
        return refusal.json()["result"], error, other, content(await call(ann))

    result, error, other, later_result = run(tmp_path, scenario, **{CALLS: "3"})

    assert (result["isError"], error["code"]) == (True, "RATE_LIMITED")
    assert error["message"] == "Your quota of calls on this gateway is used up: 3 a minute."
    seconds = error["recovery"]["retry_after_seconds"]
    assert 60 - STEP < seconds <= 60 + STEP
    assert error["recovery_hint"] == f"Wait {seconds} seconds, then call again, or ask the gateway's host for more."
    assert other["symbol"] == later_result["symbol"] == "BRCA1"


def test_a_resource_is_a_call_too(tmp_path):
    async def scenario(server, ann, bob):
        await server.call(ann, **GENE)
        return (await modern("resources/read", ann, **PICTURE)(server.client)).json()

    error = run(tmp_path, scenario, **{CALLS: "1"})["error"]

    assert error["data"]["error"]["code"] == "RATE_LIMITED"
    assert error["message"].startswith("Your quota of calls on this gateway is used up: 1 a minute.")


def test_refusals_are_counted_and_in_the_audit_log(tmp_path):
    async def scenario(server, ann, bob):
        outcomes = [await server.code(ann, **GENE) for _ in range(4)]
        return outcomes, server.metric("biofact_calls_total", "outcome"), server.metric(REFUSALS, "quota")

    outcomes, calls, refusals = run(tmp_path, scenario, **{CALLS: "2"})

    assert outcomes == ["OK", "OK", "RATE_LIMITED", "RATE_LIMITED"]
    assert (calls["OK"], calls["RATE_LIMITED"]) == (2.0, 2.0)
    assert refusals == {"calls": 2.0}
    lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [line["outcome"] for line in lines] == outcomes


def test_an_own_key_opens_no_second_quota(tmp_path):
    async def scenario(server, ann, bob):
        headers = [("X-NCBI-API-Key", "0123456789abcdef")]
        plain = [await server.code(ann, **GENE) for _ in range(2)]
        with_key = await modern("tools/call", ann, headers, **GENE)(server.client)
        return plain, content(with_key)["error"]["code"]

    assert run(tmp_path, scenario, **{CALLS: "2"}) == (["OK", "OK"], "RATE_LIMITED")


def test_without_a_setting_no_calls_are_counted(tmp_path):
    async def scenario(server, ann, bob):
        return {await server.code(ann, **GENE) for _ in range(50)}

    assert run(tmp_path, scenario) == {"OK"}


def test_over_their_tokens_a_caller_gets_the_result_of_rules_and_a_notice(tmp_path):
    async def scenario(server, ann, bob):
        pmids = [article["id"] for article in (await server.answer(ann, **SEARCH))["articles"]]

        def extract(token, mode):
            arguments = {"extraction_schema": SCHEMA, "articles": pmids[:1], "validation_mode": mode}
            return server.answer(token, name="pubmed_extract_features", arguments=arguments)

        first = await extract(ann, "best_effort")
        chat_count = len(server.model.chats)
        second = await extract(ann, "best_effort")
        query = {"name": "pubmed_generate_query", "arguments": {"research_goal": "statins and dementia"}}
        queries = await server.answer(ann, **query)
        strict = await extract(ann, "strict")
        assert len(server.model.chats) == chat_count
        other = await extract(bob, "strict")
        await asyncio.sleep(strict["error"]["recovery"]["retry_after_seconds"])
        return first, second, queries, strict["error"], other, await extract(ann, "strict")

    line = honest(ExtractionSchema.read(SCHEMA))
    first, second, queries, error, other, later_result = run(tmp_path, scenario, line, **{TOKENS: "100"})

    assert [result["extraction_metadata"]["method"] for result in (first, other, later_result)] == ["model"] * 3
    assert [row["extraction_metadata"]["method"] for row in second["extractions"]] == ["rules"]
    (notice,) = [notice["message"] for notice in second["notices"] if notice["code"] == "LEG_FAILED"]
    assert "your quota of model tokens on this gateway is used up: 100 a day." in notice
    assert notice.endswith("Rules read them instead.")
    assert queries["method"] == "rules"
    assert "your quota of model tokens on this gateway is used up: 100 a day" in str(queries["notices"])
    assert error["code"] == "RATE_LIMITED"
    assert error["message"] == "Your quota of model tokens on this gateway is used up: 100 a day."
    assert "best_effort" in error["recovery_hint"]
    assert 22 * 3600 < error["recovery"]["retry_after_seconds"] <= 26 * 3600


def test_over_their_collections_a_caller_gets_the_answer_without_one(tmp_path):
    async def scenario(server, ann, bob):
        articles = [{"id": f"PMC{number}", "title": "Metformin."} for number in range(100)]
        handles = []
        for number in range(40):
            schema = {f"{'long' * 13}_{number}_{field}": "string" for field in range(40)}
            arguments = {"extraction_schema": schema, "articles": articles, "validation_mode": "partial"}
            answer = await server.answer(ann, name="pubmed_extract_features", arguments=arguments)
            assert answer["extractions"]
            handles.append(answer.get("collection"))
            if handles[-1] is None:
                break
        refusals = server.metric(REFUSALS, "quota")
        return handles, answer, refusals, (await server.answer(bob, **SEARCH)).get("collection")

    handles, answer, refusals, other = run(tmp_path, scenario, **{COLLECTIONS: "1"})

    assert 1 < len(handles) < 40
    (notice,) = [notice["message"] for notice in answer["notices"] if notice["code"] == "QUOTA_REACHED"]
    assert notice.startswith("No collection is kept of this list. Your quota of collections on this gateway is used up")
    assert "Wait " in notice
    assert refusals == {"collections": 1.0}
    assert other
