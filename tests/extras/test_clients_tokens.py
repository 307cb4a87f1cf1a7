"""The same clients at a gateway with authentication: with a valid token, with an invalid one, and signing in."""

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from biofact.sandbox import SandboxProcess
from tests.extras.client_drivers import CLIENTS, environment, gateway_process, result, run
from tests.interfaces.http.issuer import run_issuer

pytestmark = pytest.mark.extras

SEARCH = ("entrez_search_genes", {"query": "BRCA1", "organism": "human"})
STRICT = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
OUT_OF_SCOPE = ("chembl_get_compound", {"chembl_id": "CHEMBL:25"})
CALLS = (SEARCH, STRICT, OUT_OF_SCOPE)
SCOPES = {"chembl", "ensembl", "entrez", "igvf", "pubmed"}


def token(settings, *words):
    command = [sys.executable, "-m", "biofact", "token", *words]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def own_settings(client):
    """Settings that version 1 of TypeScript's needs besides: its programs do not take the scopes from the refusal."""
    return {"scope": " ".join(sorted(SCOPES))} if client == "TypeScript 1" else {}


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    """The results of each client on each visit; in parallel, as far as two cores permit."""
    folder = tmp_path_factory.mktemp("gateway")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    url = f"http://{address}/mcp"
    with SandboxProcess(rate_factor=100) as sandbox, run_issuer() as issuer:
        settings = environment(sandbox, folder / "cache") | {
            "BIOFACT_TOKENS": str(folder / "tokens.json"),
            "BIOFACT_AUTH_ISSUER": issuer.url,
            "BIOFACT_HTTP_URL": url,
            "BIOFACT_AUDIT_LOG": str(folder / "audit.jsonl"),
        }
        revoked_token = token(settings, "add", "eve")
        token(settings, "revoke", "eve")
        servers = {
            "whole": {"token": token(settings, "add", "ann")},
            "entrez alone": {"token": token(settings, "add", "ben", "--scope", "entrez")},
            "revoked": {"token": revoked_token},
            "wrong": {"token": issuer.token(aud="https://other.example.org/mcp")},
            "nobody": {},
            "program": {"signIn": "program", "issuer": issuer.url},
            "person": {"signIn": "person", "issuer": issuer.url},
        }
        with gateway_process(settings, address), ThreadPoolExecutor(4) as pool:
            futures = {
                (client, visit): pool.submit(
                    run, client, {"url": url, **server, **own_settings(client)}, CALLS, settings
                )
                for visit, server in servers.items()
                for client in CLIENTS
            }
            pool.shutdown()
        lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
        yield {"found": futures, "lines": lines, "granted": issuer.granted, "url": url}


@pytest.fixture
def visit_result(visits):
    return lambda client, visit: result(visits["found"][client, visit].result())


every_client = pytest.mark.parametrize("client", CLIENTS)


def content(answer):
    assert "thrown" not in answer, answer
    assert answer.get("isError") in {None, False}
    return answer["structuredContent"]


def assert_answered(search_answer, gene_answer):
    assert content(search_answer)["items"][0]["id"] == "NCBIGene:672"
    assert content(gene_answer)["symbol"] == "BRCA1"


@every_client
def test_a_static_token_opens_everything(client, visit_result):
    whole = visit_result(client, "whole")

    assert whole["tools"] > 20
    assert_answered(*whole["answers"][:2])
    assert content(whole["answers"][2])["id"] == "CHEMBL:25"
    assert whole["refusals"] == []


@every_client
def test_a_call_beyond_the_scopes_of_a_token_is_refused(client, visit_result):
    visit = visit_result(client, "entrez alone")

    assert_answered(*visit["answers"][:2])
    assert "thrown" in visit or "thrown" in visit["answers"][2]  # version 1 of Python's loses its connection
    (refusal,) = visit["refusals"]
    assert refusal["status"] == 403
    assert 'error="insufficient_scope"' in refusal["challenge"]
    assert 'scope="chembl"' in refusal["challenge"]


@every_client
@pytest.mark.parametrize("visit", ["revoked", "wrong"])
def test_a_token_that_will_not_do_is_refused(client, visit, visit_result):
    result = visit_result(client, visit)

    assert "thrown" in result
    assert "answers" not in result
    assert {refusal["status"] for refusal in result["refusals"]} == {401}
    assert 'error="invalid_token"' in result["refusals"][0]["challenge"]


@every_client
def test_a_caller_without_a_token_is_refused(client, visit_result):
    visit = visit_result(client, "nobody")

    assert "answers" not in visit
    assert visit["refusals"][0]["status"] == 401
    assert "error=" not in visit["refusals"][0]["challenge"]
    assert "resource_metadata=" in visit["refusals"][0]["challenge"]


@every_client
@pytest.mark.parametrize("visit", ["program", "person"])
def test_a_client_that_has_only_the_address_signs_in_after_the_first_refusal(client, visit, visit_result):
    signed_in = visit_result(client, visit)

    assert_answered(*signed_in["answers"][:2])
    assert content(signed_in["answers"][2])["id"] == "CHEMBL:25"
    assert [refusal["status"] for refusal in signed_in["refusals"]] == [401]


def test_each_signing_in_was_for_this_gateway_and_its_scopes(visits, visit_result):
    for client in CLIENTS:
        for visit in ("program", "person"):
            visit_result(client, visit)

    granted = visits["granted"]
    assert sorted(grant["grant_type"] for grant in granted) == ["authorization_code"] * 4 + ["client_credentials"] * 4
    assert {grant["resource"] for grant in granted} == {visits["url"]}
    assert {frozenset(grant["scope"].split()) for grant in granted} == {frozenset(SCOPES)}


def test_the_audit_log_has_each_call_and_each_refusal(visits):
    lines = visits["lines"]
    calls = [line for line in lines if line["method"] == "tools/call"]
    reasons = [line["reason"] for line in lines if line.get("reason")]

    assert [line["outcome"] for line in calls] == ["OK"] * len(calls)
    assert len([line for line in calls if line["client"] == "ann"]) == len(CLIENTS) * len(CALLS)
    assert reasons.count("insufficient_scope") == len(CLIENTS)
    assert reasons.count("invalid_token") >= 2 * len(CLIENTS)
    assert reasons.count("no_token") >= 3 * len(CLIENTS)
