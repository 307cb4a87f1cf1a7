"""Whose call is under way: told apart by tokens, and by nothing else; and by a digest that names nobody."""

import asyncio
import re

import pytest
from fastmcp import Client, FastMCP

from biofact.core import call
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.mcp.calls import current_caller
from biofact.interfaces.mcp.resources import AnsweringResource
from biofact.interfaces.spelling import Spelling, prefixed
from tests.interfaces.http.issuer import issuing
from tests.interfaces.http.protected import asked, content, handshake, modern, protected, settings
from tests.interfaces.http.static import with_tokens
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

BOTH = pytest.mark.parametrize("request_of", [modern, handshake])


def server():
    made = FastMCP("who")

    @made.tool
    def whose() -> dict:
        return {"subject": current_caller().subject}

    async def answer():
        return ToolAnswer({}, content=call.caller().subject)

    made.add_resource(AnsweringResource(uri="who://asks", name="asks").with_answer(answer, Spelling(TOYS, prefixed)))
    return made


def subjects(given, *tokens, request_of=modern):
    calls = [request_of("tools/call", token, name="whose", arguments={}) for token in tokens]
    return [content(answer)["subject"] for answer in asked(given, *calls, server=server())]


@pytest.fixture(scope="module")
def issuer():
    with issuing() as running:
        yield running


@BOTH
def test_a_subject_is_the_same_whatever_its_token(issuer, tmp_path, request_of):
    given = settings(tmp_path, issuer, BIOFACT_TOKENS=None)
    tokens = [
        issuer.token(sub="alice@example.org", client_id="claude"),
        issuer.token(sub="alice@example.org", client_id="chatgpt", jti="2"),
        issuer.token(sub="bob@example.org", client_id="claude"),
        issuer.token(sub=None, client_id="bob@example.org"),
        issuer.token(sub=None, client_id="claude"),
    ]

    found = subjects(given, *tokens, request_of=request_of)

    assert found[0] == found[1]
    assert len(set(found)) == 4
    assert all(re.fullmatch("[0-9a-f]{16}", subject) for subject in found)


def test_two_issuers_may_have_a_subject_of_one_name(tmp_path):
    with issuing() as one, issuing() as other:
        (here,) = subjects(settings(tmp_path, one, BIOFACT_TOKENS=None), one.token(sub="alice"))
        (there,) = subjects(settings(tmp_path, other, BIOFACT_TOKENS=None), other.token(sub="alice"))

    assert here != there


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
            calls = [modern("tools/call", token, name="whose", arguments={})(client) for token in tokens * 5]
            return [content(answer)["subject"] for answer in await asyncio.gather(*calls)]

    found = asyncio.run(run())

    assert len(set(found)) == 20
    assert found == found[:20] * 5


@BOTH
def test_whoever_reads_a_resource_has_the_same_subject(tmp_path, request_of):
    (alice,) = with_tokens(tmp_path, "alice")
    call_and_read = [
        request_of("tools/call", alice, name="whose", arguments={}),
        request_of("resources/read", alice, uri="who://asks"),
    ]

    called, read = asked(settings(tmp_path), *call_and_read, server=server())

    assert read.json()["result"]["contents"][0]["text"] == content(called)["subject"]


def test_without_authentication_there_is_no_subject():
    async def run():
        async with Client(server()) as client:
            return (await client.call_tool("whose", {})).data

    assert asyncio.run(run()) == {"subject": ""}
