"""The sources that a token may ask: others are refused with 403 before the call begins, in both eras."""

import pytest
from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE

from biofact.gateway.limits import LIGHT_BYTES
from biofact.interfaces import every_source
from biofact.interfaces.http.authentication import CALL, READ, RequiredScopes, ResourceServer
from biofact.interfaces.mcp.server import source_server
from biofact.interfaces.spelling import prefixed
from tests.interfaces.http.protected import METADATA, challenge, content, handshake, modern, send_all, settings
from tests.interfaces.http.static import with_tokens
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

ALL = {*every_source.names()}
OF_ALL = RequiredScopes(every_source)
BOTH_ERAS = pytest.mark.parametrize("request_of", [modern, handshake])
GET = {"name": "toy_get_toy", "arguments": {"toy_id": "TOY:8"}}


@pytest.fixture
def environment(issuer, tmp_path):
    return settings(tmp_path, issuer, BIOFACT_TOKENS=None)


def test_each_tool_needs_the_scope_of_its_source():
    required = {
        prefixed(tool.ref): OF_ALL.of(CALL, prefixed(tool.ref))
        for name in every_source.names()
        for tool in every_source.listing(name).tools
    }

    assert len(required) > 30
    assert all(scopes == {name.partition("_")[0]} for name, scopes in required.items())
    assert required["pubmed_extract_features"] == required["pubmed_search"] == {"pubmed"}


REQUIRED_SCOPES = [
    (CALL, "resolve", ALL),
    (CALL, "check_identity", ALL),
    (CALL, "no_such_tool", set()),
    (CALL, None, set()),
    (CALL, ["entrez_get_gene"], set()),
    (READ, "chembl://compound/CHEMBL25/structure.svg", {"chembl"}),
    (READ, "igvf://schemas/gene", {"igvf"}),
    (READ, "file:///etc/passwd", set()),
    (READ, "entrez_get_gene", set()),
    ("tools/list", "entrez_get_gene", set()),
    ("prompts/get", "entrez", set()),
    (None, "entrez_get_gene", set()),
]


def test_each_request_needs_its_scopes():
    assert [(method, name, OF_ALL.of(method, name)) for method, name, _ in REQUIRED_SCOPES] == REQUIRED_SCOPES


def test_a_server_of_one_source_needs_its_scope():
    response = RequiredScopes(every_source, "entrez")

    assert response.all == {"entrez"}
    assert response.of(CALL, "get_gene") == response.of(READ, "entrez://x") == {"entrez"}
    assert response.of("tools/list", None) == set()


def calls_with(issuer, request_of, scopes):
    """A call with a token of each of these scopes."""
    return [request_of("tools/call", issuer.token(scope=scope), **GET) for scope in scopes]


@BOTH_ERAS
def test_a_call_beyond_the_scopes_says_which_it_needs(environment, issuer, request_of):
    scopes = ["doll", "openid profile", "", "TOY", "toys"]
    challenges = {
        "error": "insufficient_scope",
        "error_description": "Required scope: toy",
        "scope": "toy",
        "resource_metadata": METADATA,
    }

    refusal = send_all(environment, *calls_with(issuer, request_of, scopes))

    answers_by_scope = {
        scope: (response.status_code, challenge(response)) for scope, response in zip(scopes, refusal, strict=True)
    }
    assert answers_by_scope == dict.fromkeys(scopes, (403, challenges))


@BOTH_ERAS
def test_a_call_within_the_scopes_is_answered(environment, issuer, request_of):
    scopes = ["toy", "openid toy", "toy doll"]

    accepted = send_all(environment, *calls_with(issuer, request_of, scopes))

    answers_by_scope = {
        scope: (response.status_code, content(response)) for scope, response in zip(scopes, accepted, strict=True)
    }
    assert answers_by_scope == dict.fromkeys(scopes, (200, {"id": "TOY:8", "name": "doll"}))


@BOTH_ERAS
def test_a_long_call_beyond_the_scopes_is_refused_where_it_begins(environment, issuer, request_of):
    long_get = {**GET, "arguments": {**GET["arguments"], "padding": "x" * LIGHT_BYTES}}

    (refusal,) = send_all(environment, request_of("tools/call", issuer.token(scope="doll"), **long_get))

    assert "doll" not in refusal.text
    assert "scope" in refusal.text.lower() or refusal.status_code == 403


@BOTH_ERAS
def test_a_list_of_scopes_in_the_other_claim_is_held_to_as_well(environment, issuer, request_of):
    narrow, wide = (issuer.token(scope=None, scp=scopes) for scopes in (["doll"], ["doll", "toy"]))

    refusal, accepted = send_all(environment, *(request_of("tools/call", token, **GET) for token in (narrow, wide)))

    assert [refusal.status_code, accepted.status_code] == [403, 200]


@BOTH_ERAS
def test_a_token_without_any_scope_claim_may_ask_nothing(environment, issuer, request_of):
    token = issuer.token(scope=None)

    refusal, list_response = send_all(
        environment, request_of("tools/call", token, **GET), request_of("tools/list", token)
    )

    assert [refusal.status_code, list_response.status_code] == [403, 200]


@BOTH_ERAS
def test_lists_are_the_same_for_every_token(environment, issuer, request_of):
    narrow, wide = issuer.token(scope="doll"), issuer.token()

    lists = send_all(environment, request_of("tools/list", narrow), request_of("tools/list", wide))

    names = [[tool["name"] for tool in response.json()["result"]["tools"]] for response in lists]
    assert names[0] == names[1]
    assert "toy_get_toy" in names[0]


@BOTH_ERAS
def test_a_tool_that_is_not_there_is_no_matter_of_scopes(environment, issuer, request_of):
    (accepted,) = send_all(
        environment, request_of("tools/call", issuer.token(scope="doll"), name="no_such_tool", arguments={})
    )

    assert accepted.status_code == 200
    assert content(accepted)["error"]["message"] == "There is no tool 'no_such_tool'."


@BOTH_ERAS
def test_resources_are_held_to_the_same_scopes(environment, issuer, request_of):
    reads = [request_of("resources/read", issuer.token(scope=scope), uri="toy://rules") for scope in ("doll", "toy")]

    refusal, accepted = send_all(environment, *reads)

    assert refusal.status_code == 403
    assert challenge(refusal)["scope"] == "toy"
    assert accepted.status_code == 200


@BOTH_ERAS
def test_static_tokens_are_held_to_their_scopes(tmp_path, request_of):
    narrow, wide = with_tokens(tmp_path, "narrow", scopes=["doll"])[0], None
    (refusal,) = send_all(settings(tmp_path), request_of("tools/call", narrow, **GET))

    assert refusal.status_code == 403
    assert challenge(refusal) == {
        "error": "insufficient_scope",
        "error_description": "Required scope: toy",
        "scope": "toy",
    }
    (wide,) = with_tokens(tmp_path, "wide")
    (accepted,) = send_all(settings(tmp_path), request_of("tools/call", wide, **GET))
    assert accepted.status_code == 200


def test_a_server_of_one_source_holds_to_its_scope(environment, issuer):
    calls = [
        modern("tools/call", issuer.token(scope=scope), name="get_toy", arguments={"toy_id": "TOY:8"})
        for scope in ("doll", "toy")
    ]

    refusal, accepted = send_all(environment, *calls, source="toy", server=source_server("toy", catalog=TOYS))

    assert [refusal.status_code, accepted.status_code] == [403, 200]


def test_headers_that_say_something_else_than_the_body_are_refused(environment, issuer):
    token, body = issuer.token(scope="doll"), {"arguments": {"toy_id": "TOY:8"}}

    def with_headers(**headers):
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        return lambda client: modern("tools/call", token, name="toy_get_toy", **body)(RewritingApp(client, changed))

    lies = [
        with_headers(mcp_method="tools/list"),
        with_headers(mcp_name="toy_no_such_tool"),
        with_headers(mcp_name="=?base64?!?="),
    ]

    for refusal in send_all(environment, *lies):
        assert refusal.status_code == 400
        assert refusal.json()["error"]["code"] == -32020


class RewritingApp:
    """A client that changes the headers of its requests."""

    def __init__(self, client, headers):
        self._client = client
        self._headers = headers

    async def post(self, url, *, json, headers):
        return await self._client.post(url, json=json, headers=dict(headers) | self._headers)


ARGUMENTS = '"arguments":{"toy_id":"TOY:8"}'
NAME_FIELD = f'"name":"toy_get_toy",{ARGUMENTS}'
SPELLINGS = [
    f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"tools/list","params":{{{NAME_FIELD}}}}}',
    f'{{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{{{NAME_FIELD}}}}}',
    f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"x",{NAME_FIELD}}}}}',
    f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{NAME_FIELD},"name":"x"}}}}',
    f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{}},"params":{{{NAME_FIELD}}}}}',
    f'[{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{NAME_FIELD}}}}}]',
    f'{{"jsonrpc":"2.0","id":1,"method":"tools\\/call","params":{{"name":"toy\\u005fget_toy",{ARGUMENTS}}}}}',
    f'\ufeff{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{NAME_FIELD}}}}}',
    f' \n{{"id":1,"params":{{{NAME_FIELD}}},"method":"tools/call","jsonrpc":"2.0"}} ',
    *("", "7", "null", "{", '"tools/call"', '{"params":[]}', "[" * 50_000, "\udcff"),
]


def test_no_spelling_of_a_request_gets_by(environment, issuer):
    headers = {
        "authorization": f"Bearer {issuer.token(scope='doll')}",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
    }

    def send_body(body):
        return lambda client: client.post("/mcp", content=body.encode("utf-8", "surrogateescape"), headers=headers)

    answers = dict(zip(SPELLINGS, send_all(environment, *map(send_body, SPELLINGS)), strict=True))

    assert [body for body, response in answers.items() if '"name":"doll"' in response.text.replace("\\", "")] == []
    assert {body: response for body, response in answers.items() if response.status_code not in {200, 400, 403}} == {}
    let_by = [body for body, response in answers.items() if response.status_code == 200]
    assert [body for body in let_by if "tools/list" not in body and '"x"' not in body] == []


def test_a_body_beyond_the_limit_is_refused_before_it_is_read(environment, issuer):
    async def chunks():
        for _ in range(5 * DEFAULT_MAX_REQUEST_BODY_SIZE // 65_536):
            yield b" " * 65_536

    headers = {"authorization": f"Bearer {issuer.token(scope='doll')}", "content-type": "application/json"}

    (answer,) = send_all(environment, lambda client: client.post("/mcp", content=chunks(), headers=headers))

    assert answer.status_code == 413


def test_the_guard_refuses_what_the_check_has_not_seen(environment, issuer, monkeypatch):
    """The check over HTTP may read a request differently from the server, which decides in the end."""
    whole = ResourceServer.get_middleware
    monkeypatch.setattr(ResourceServer, "get_middleware", lambda self: whole(self)[:-1])
    token = issuer.token(scope="doll")

    answers = send_all(
        environment,
        modern("tools/call", token, **GET),
        handshake("tools/call", token, **GET),
        modern("resources/read", token, uri="toy://rules"),
        handshake("resources/read", token, uri="toy://rules"),
    )

    for call_response in answers[:2]:
        assert call_response.json()["result"]["isError"] is True
        assert call_response.json()["result"]["content"][0]["text"] == "Insufficient scope. Required: toy"
    for read_response in answers[2:]:
        assert read_response.json()["error"]["message"] == "Insufficient scope. Required: toy"
