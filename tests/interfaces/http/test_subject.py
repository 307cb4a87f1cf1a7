"""The subject of a call: a digest that depends on the token only, and does not reveal its owner."""

import asyncio
import re

import pytest
from fastmcp import Client, FastMCP

from biofact.core import call
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.mcp.calls import current_caller
from biofact.interfaces.mcp.resources import AnsweringResource
from biofact.interfaces.spelling import Spelling, prefixed
from tests.interfaces.http.issuer import run_issuer
from tests.interfaces.http.protected import content, handshake, modern, protected, send_all, settings
from tests.interfaces.http.static import with_tokens
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

BOTH_ERAS = pytest.mark.parametrize("request_of", [modern, handshake])


def server():
    mcp_server = FastMCP("who")

    @mcp_server.tool
    def show_subject() -> dict:
        return {"subject": current_caller().subject}

    async def answer():
        return ToolAnswer({}, content=call.caller().subject)

    mcp_server.add_resource(
        AnsweringResource(uri="who://asks", name="asks").with_answer(answer, Spelling(TOYS, prefixed))
    )
    return mcp_server


def subjects(environment, *tokens, request_of=modern):
    calls = [request_of("tools/call", token, name="show_subject", arguments={}) for token in tokens]
    return [content(answer)["subject"] for answer in send_all(environment, *calls, server=server())]


@BOTH_ERAS
def test_a_subject_is_the_same_for_all_its_tokens(issuer, tmp_path, request_of):
    environment = settings(tmp_path, issuer, BIOFACT_TOKENS=None)
    tokens = [
        issuer.token(sub="alice@example.org", client_id="claude"),
        issuer.token(sub="alice@example.org", client_id="chatgpt", jti="2"),
        issuer.token(sub="bob@example.org", client_id="claude"),
        issuer.token(sub=None, client_id="bob@example.org"),
        issuer.token(sub=None, client_id="claude"),
    ]

    subjects_found = subjects(environment, *tokens, request_of=request_of)

    assert subjects_found[0] == subjects_found[1]
    assert len(set(subjects_found)) == 4
    assert all(re.fullmatch("[0-9a-f]{16}", subject) for subject in subjects_found)


def test_two_issuers_may_have_a_subject_of_one_name(tmp_path):
    with run_issuer() as first_issuer, run_issuer() as second_issuer:
        (first_subject,) = subjects(
            settings(tmp_path, first_issuer, BIOFACT_TOKENS=None), first_issuer.token(sub="alice")
        )
        (second_subject,) = subjects(
            settings(tmp_path, second_issuer, BIOFACT_TOKENS=None), second_issuer.token(sub="alice")
        )

    assert first_subject != second_subject


def test_the_owner_of_a_static_token_is_its_name(issuer, tmp_path):
    old, bob = with_tokens(tmp_path, "alice", "bob")
    before = subjects(
        settings(tmp_path, issuer), old, bob, issuer.token(sub="alice"), issuer.token(sub=None, client_id="alice")
    )
    (new,) = with_tokens(tmp_path, "alice")

    after = subjects(settings(tmp_path, issuer), new)

    assert after == before[:1]
    assert len(set(before)) == 4


def test_calls_under_way_together_keep_their_subjects(tmp_path):
    names = [f"user-{number}" for number in range(20)]
    tokens = with_tokens(tmp_path, *names)

    async def run():
        async with protected(settings(tmp_path), server=server()) as client:
            calls = [modern("tools/call", token, name="show_subject", arguments={})(client) for token in tokens * 5]
            return [content(answer)["subject"] for answer in await asyncio.gather(*calls)]

    subjects_found = asyncio.run(run())

    assert len(set(subjects_found)) == 20
    assert subjects_found == subjects_found[:20] * 5


@BOTH_ERAS
def test_a_reader_of_a_resource_has_the_same_subject(tmp_path, request_of):
    (alice,) = with_tokens(tmp_path, "alice")
    call_and_read = [
        request_of("tools/call", alice, name="show_subject", arguments={}),
        request_of("resources/read", alice, uri="who://asks"),
    ]

    call_response, read_response = send_all(settings(tmp_path), *call_and_read, server=server())

    assert read_response.json()["result"]["contents"][0]["text"] == content(call_response)["subject"]


def test_without_authentication_there_is_no_subject():
    async def run():
        async with Client(server()) as client:
            return (await client.call_tool("show_subject", {})).data

    assert asyncio.run(run()) == {"subject": ""}
