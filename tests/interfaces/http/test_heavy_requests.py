"""Heavy requests in a process beside the server's: answered as by the server itself, in turns, and never lost."""

import asyncio
import functools
import json
import os
from pathlib import Path

import pytest
from starlette.requests import Request

from biofact.gateway.hosting import Hosting
from biofact.gateway.limits import Limits
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.heavy_requests import AT_ONCE, HeavyRequests, answer_requests
from biofact.interfaces.http.serving import Endpoint, serve_heavy
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.http.running import answer, run_server

pytestmark = pytest.mark.processes

LONGEST_SECONDS = 60.0


async def strange_app(scope, receive, send):
    """Answers with what it was sent; ``/die`` ends the process, ``/wait`` waits for the end of its caller or a file."""
    body = (await receive())["body"]
    if scope["path"] == "/die":
        os._exit(3)
    if scope["path"] == "/wait" and await is_caller_gone(Path(body.decode()), scope, receive):
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-method", scope["method"].encode())]})
    for part in (body, b"."):
        await send({"type": "http.response.body", "body": part, "more_body": part != b"."})


async def is_caller_gone(folder, scope, receive):
    """Whether the caller goes before there is a file ``go``; files tell that the request began, and how it ended."""
    (folder / f"begun-{scope['query_string'].decode()}").touch()
    gone, end = asyncio.create_task(receive()), "cancelled"
    try:
        await until(lambda: gone.done() or (folder / "go").exists())
        end = (await gone)["type"] if gone.done() else "answered"
    finally:
        (folder / "end").write_text(end)
    return end != "answered"


def strange_work(link):
    asyncio.run(answer_requests(link, strange_app))


class Caller:
    """A caller of an application: collects what it is sent, and may leave."""

    def __init__(self):
        self.gone = asyncio.Event()
        self.messages = []

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.messages.append(message)

    @property
    def answer(self):
        status = self.messages[0]["status"]
        return status, b"".join(message["body"] for message in self.messages[1:])


def scope(path="/", query="", method="POST"):
    return {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": [], "app": print}


async def ask(heavy, path="/", body=b"", *, query="", caller="somebody"):
    asker = Caller()
    await heavy.answer(scope(path, query), body, asker.receive, asker.send, caller)
    return asker.answer


def run(scenario, work=strange_work, **options):
    async def with_heavy():
        heavy = HeavyRequests(work, **options)
        try:
            return await asyncio.wait_for(scenario(heavy), LONGEST_SECONDS)
        finally:
            await heavy.aclose()

    return asyncio.run(with_heavy())


async def until(condition):
    while not condition():  # noqa: ASYNC110  # of files, which another process writes
        await asyncio.sleep(0.01)


def test_bodies_of_any_length_come_and_go_whole():
    bodies = [b"", b"x", bytes(range(256)) * 20_000]

    answers = run(lambda heavy: asyncio.gather(*(ask(heavy, body=body) for body in bodies)))

    assert answers == [(200, body + b".") for body in bodies]


def test_a_process_that_ends_is_replaced_and_its_callers_get_a_503():
    ended = []

    async def scenario(heavy):
        first = await ask(heavy, "/die")
        return first, await ask(heavy, body=b"again")

    (status, body), second = run(scenario, on_end=ended.append)

    assert (status, json.loads(body)["error"]["message"][:11]) == (503, "The process")
    assert second == (200, b"again.")
    assert len(ended) == 2  # of the lost one, and of the one that was there at the end


def test_the_application_hears_of_a_caller_who_leaves(tmp_path):
    async def scenario(heavy):
        asker = Caller()
        request = heavy.answer(scope("/wait"), str(tmp_path).encode(), asker.receive, asker.send, "somebody")
        task = asyncio.create_task(request)
        await until((tmp_path / "begun-").exists)
        asker.gone.set()
        await task
        return (tmp_path / "end").read_text()

    assert run(scenario) == "http.disconnect"


def test_a_cancelled_request_ends_in_the_process_too(tmp_path):
    async def scenario(heavy):
        task = asyncio.create_task(ask(heavy, "/wait", str(tmp_path).encode()))
        await until((tmp_path / "begun-").exists)
        task.cancel()
        await asyncio.wait([task])
        await until((tmp_path / "end").exists)
        return (tmp_path / "end").read_text()

    assert run(scenario) == "cancelled"


def test_each_caller_has_turns_and_none_waits_for_anothers(tmp_path):
    async def scenario(heavy):
        body = str(tmp_path).encode()
        floods = [asyncio.create_task(ask(heavy, "/wait", body, query=f"{n:02}")) for n in range(AT_ONCE + 3)]
        await until(lambda: len(list(tmp_path.glob("begun-*"))) == AT_ONCE)
        other = await ask(heavy, body=b"light", caller="another")
        streamed = Caller()
        await heavy.answer(scope(method="GET"), b"", streamed.receive, streamed.send)
        begun = len(list(tmp_path.glob("begun-*")))
        (tmp_path / "go").touch()
        return other, streamed.answer, begun, await asyncio.gather(*floods)

    other, streamed, begun, floods = run(scenario)

    assert (other, streamed, begun) == ((200, b"light."), (200, b"."), AT_ONCE)
    assert [status for status, _ in floods] == [200] * (AT_ONCE + 3)


SANDBOXED = Hosting("127.0.0.1:0", is_sandbox=True)


def sandboxed_server():
    return gateway(functools.partial(open_clients, sandbox=True))


def sandboxed_work(link):
    asyncio.run(serve_heavy(sandboxed_server(), link, SANDBOXED, Limits()))


def post(host, message):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, **message}).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json, text/event-stream\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def tool_answer(host, name, arguments):
    reader, writer = await host.connect()
    writer.write(post(host, {"method": "tools/call", "params": {"name": name, "arguments": arguments}}))
    status, _, body = await answer(reader)
    content = json.loads(body["result"]["content"][0]["text"])
    return status, content


ARTICLE = {"id": "X:1", "title": "A trial", "abstract": "We randomized 412 patients. " + "Much more was said. " * 3000}
EXTRACTION = {"extraction_schema": {"sample_size": "number"}, "articles": [ARTICLE]}
SCORING = {
    "articles_with_features": [{"item_id": f"PMID:{n}", "extraction": {"sample_size": n}} for n in range(1, 9)],
    "scoring_criteria": {"weights": {"sample_size": 1.0}},
}


def test_heavy_calls_and_long_bodies_are_answered_by_the_process_as_by_the_server():
    async def scenario():
        heavy = HeavyRequests(sandboxed_work)
        async with run_server(sandboxed_server(), hosting=SANDBOXED, heavy=heavy) as host:
            extraction = await tool_answer(host, "pubmed_extract_features", EXTRACTION)
            process = heavy.process_id
            scores = await tool_answer(host, "pubmed_score_articles", SCORING)
            gene = await tool_answer(host, "entrez_get_gene", {"entrez_id": "NCBIGene:672"})
        async with run_server(sandboxed_server(), hosting=SANDBOXED) as host:
            own_scores = await tool_answer(host, "pubmed_score_articles", SCORING)
        return process, extraction, scores, gene, own_scores

    process, extraction, scores, gene, own_scores = asyncio.run(asyncio.wait_for(scenario(), LONGEST_SECONDS))

    assert process not in {None, os.getpid()}
    assert (extraction[0], extraction[1]["extractions"][0]["extraction"]) == (200, {"sample_size": 412})
    assert gene[1]["symbol"] == "BRCA1"
    assert [row["total_score"] for row in scores[1]["scored_articles"]] == [
        row["total_score"] for row in own_scores[1]["scored_articles"]
    ]


def test_which_requests_are_heavy_is_known_without_reading_long_bodies():
    endpoint = Endpoint(sandboxed_server(), Limits(), has_sessions=True, heavy=HeavyRequests(sandboxed_work))

    def is_heavy(body, **headers):
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        return endpoint.is_heavy(Request({"type": "http", "method": "POST", "headers": raw}), body)

    def call(name):
        return json.dumps({"method": "tools/call", "params": {"name": name}}).encode()

    assert not is_heavy(call("entrez_get_gene"))
    assert is_heavy(call("pubmed_score_articles"))
    assert is_heavy(b"no JSON" * 10_000)
    assert is_heavy(call("entrez_get_gene"), mcp_session_id="abc")
    assert is_heavy(json.dumps({"method": "initialize", "params": {"capabilities": {"sampling": {}}}}).encode())
    assert not is_heavy(json.dumps({"method": "initialize", "params": {"capabilities": {}}}).encode())
