"""The sandbox over HTTP: routes, framing, limits, latency, and the paths that control it."""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest

from biofact.core.settings import Setting
from biofact.dialects.eutils import NCBI
from biofact.sandbox import Latency, Sandbox
from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn, NcbiLimit
from biofact.sandbox.standin import Reply, ServiceRequest
from biofact.transport.service import Service
from tests import virtual_time
from tests.in_process import in_process
from tests.sandbox.plain_client import plain_client
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick

Question = Callable[[httpx2.AsyncClient, Sandbox], Awaitable[Any]]
EUTILS = "/entrez/eutils"
FOR_EVER = 86_400.0  # a server that waited for it would never end


def gene() -> EutilsStandIn:
    return EutilsStandIn(ThreeGenes(), HistoryServer())


def answers_to(question: Question, **options: Any) -> Any:
    """The answers to ``question`` from a sandbox of three genes, at a rate that limits no test."""

    async def run() -> Any:
        async with (
            Sandbox(**{"stand_ins": [gene()], "rate_factor": 100.0, **options}) as sandbox,
            plain_client(sandbox.url) as client,
        ):
            return await question(client, sandbox)

    return asyncio.run(run())


def test_every_service_has_its_own_path_and_setting() -> None:
    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        answer = await client.get(
            f"{EUTILS}/esearch.fcgi", params={"db": "gene", "term": "TP53[sym]", "retmode": "json"}
        )
        return sandbox.url, sandbox.environment(), answer

    url, environment, answer = answers_to(question)

    assert environment == {"BIOFACT_NCBI_URL": f"{url}/entrez/eutils"}
    assert answer.json()["esearchresult"]["idlist"] == ["7157", "30590"]
    assert answer.headers["X-Biofact-Sandbox"] == "1"
    assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"


class OtherStandIn:
    """A stand-in for a service at any address."""

    def __init__(self, name: str, url: str) -> None:
        setting = Setting(f"TEST_{name.upper()}_URL", "Where it is.", default=url)
        self.service = Service(name, name, setting, per_second=5.0, judge=lambda answer: "good")

    def reply(self, request: ServiceRequest) -> Reply | None:
        return Reply(f"{self.service.name}{request.path}".encode(), "text/plain") if request.path != "/none" else None


def test_services_with_the_same_path_or_none_are_distinguished_by_name() -> None:
    stand_ins = [
        OtherStandIn("a", "https://a.org/api"),
        OtherStandIn("b", "https://b.org/api"),
        OtherStandIn("c", "https://c.org"),
    ]

    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        return [(await client.get(f"{url}/x")).text for url in sandbox.environment().values()]

    assert answers_to(question, stand_ins=stand_ins) == ["a/x", "b/x", "c/x"]


def test_a_path_without_a_stand_in_is_not_found() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        return [await client.get(path) for path in ("/", "/entrez/eutilsX/esearch.fcgi", f"{EUTILS}/egquery.fcgi")]

    answers = answers_to(question)

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert all(answer.headers["X-Biofact-Sandbox"] == "1" for answer in answers)


def test_get_and_post_are_one() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        params = {"db": "gene", "term": "human[orgn]"}
        return [
            (await client.get(f"{EUTILS}/esearch.fcgi", params=params)).text,
            (await client.post(f"{EUTILS}/esearch.fcgi", data=params)).text,
            (await client.post(f"{EUTILS}/esearch.fcgi?db=gene", data={"term": "human[orgn]"})).text,
        ]

    first, *other_values = answers_to(question)

    assert "<Id>7157</Id>" in first
    assert other_values == [first, first]


def test_a_get_that_is_too_long_and_a_body_that_is_too_large_are_refused() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        long = await client.get(f"{EUTILS}/esummary.fcgi", params={"db": "gene", "id": "1," * 5000})
        large = await client.post(f"{EUTILS}/epost.fcgi", content=b"x" * (9 << 20))
        return long.status_code, large.status_code

    assert answers_to(question) == (414, 413)


def test_a_method_that_no_service_has_is_refused() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        return [(await client.request(method, f"{EUTILS}/einfo.fcgi")).status_code for method in ("HEAD", "PUT", "GET")]

    assert answers_to(question) == [501, 501, 200]


def test_one_connection_serves_many_requests() -> None:
    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        for _ in range(20):
            await client.get(f"{EUTILS}/einfo.fcgi")
        return len(sandbox._connections), len(sandbox.requests)

    assert answers_to(question) == (1, 20)


def test_many_connections_are_served_at_once() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        answers = await asyncio.gather(*(client.get(f"{EUTILS}/einfo.fcgi") for _ in range(40)))
        return {answer.status_code for answer in answers}

    assert answers_to(question) == {200}


class Endless:
    """A stand-in whose body is far larger than the part that is read."""

    service = NCBI

    def __init__(self) -> None:
        self.piece_count = 0

    def reply(self, request: ServiceRequest) -> Reply:
        return Reply(self._pieces(), "text/plain")

    def _pieces(self) -> Iterator[bytes]:
        for _ in range(4096):
            self.piece_count += 1
            yield b"x" * 65536


def test_a_large_body_is_made_while_it_is_read() -> None:
    stand_in = Endless()

    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        async with client.stream("GET", f"{EUTILS}/efetch.fcgi") as answer:
            await anext(answer.aiter_raw(65536))
            await asyncio.sleep(0.02)
            return answer.headers["Transfer-Encoding"], stand_in.piece_count

    encoding, sent_values = answers_to(question, stand_ins=[stand_in])

    assert encoding == "chunked"
    assert 0 < sent_values < 2048  # as much as sockets and buffers hold, of 4096


def test_long_bodies_are_zipped_for_those_who_accept_it() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        url = f"{EUTILS}/efetch.fcgi?db=gene&id=7157,22059,30590&retmode=xml"
        plain = await client.get(url, headers={"Accept-Encoding": "identity"})
        async with client.stream("GET", url, headers={"Accept-Encoding": "gzip"}) as answer:
            packed = b"".join([piece async for piece in answer.aiter_raw()])
        return plain, answer.headers, packed

    plain, headers, packed = answers_to(question)

    assert "Content-Encoding" not in plain.headers
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain.content


# limits


def test_the_fourth_request_in_a_second_is_refused_as_recorded() -> None:
    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        return [await client.get(f"{EUTILS}/einfo.fcgi") for _ in range(4)], sandbox.requests

    answers, requests = answers_to(question, rate_factor=1.0)

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    # the body that NCBI answered on 2026-08-06, but for the address
    assert answers[3].text == '{"error":"API rate limit exceeded","api-key":"127.0.0.1","count":"4","limit":"3"}'
    assert (answers[3].headers["Retry-After"], answers[3].headers["X-RateLimit-Limit"]) == ("2", "3")
    assert [request.status for request in requests] == [200, 200, 200, 429]


def ncbi(**params: str) -> ServiceRequest:
    return ServiceRequest("GET", "/einfo.fcgi", tuple(params.items()))


def test_the_window_slides() -> None:
    limit = NcbiLimit()
    times = (0.0, 0.5, 0.9, 0.99, 1.0, 1.49, 1.5, 1.89)

    admissions = [limit.admit(ncbi(), "127.0.0.1", now).refusal is None for now in times]

    assert admissions == [True, True, True, False, True, False, True, False]


def test_a_key_has_a_window_of_its_own_with_ten_places() -> None:
    limit = NcbiLimit()

    with_key = [limit.admit(ncbi(api_key="k"), "127.0.0.1", 0.0) for _ in range(11)]
    admit = limit.admit(ncbi(), "127.0.0.1", 0.0)

    assert [admission.refusal is None for admission in with_key] == [True] * 10 + [False]
    refusal = with_key[10].refusal
    assert refusal is not None
    assert json.loads(refusal.body) == {
        "error": "API rate limit exceeded",
        "api-key": "k",
        "count": "11",
        "limit": "10",
    }
    assert admit.refusal is None


def test_the_rate_can_be_multiplied() -> None:
    limit = NcbiLimit(50.0)

    admits = [limit.admit(ncbi(), "127.0.0.1", 0.0) for _ in range(151)]

    assert [admission.refusal is None for admission in admits].count(True) == 150
    assert admits[0].headers["X-RateLimit-Limit"] == "150"


def test_services_take_the_time_that_they_are_given() -> None:
    latency = Latency({"esearch.fcgi": 0.04}, (0.01, 0.01))

    async def seconds() -> float:
        async with (
            in_process(stand_ins=[gene()], latency=latency) as (sandbox, network),
            plain_client(sandbox.url, transport=network) as client,
        ):
            await client.get(f"{EUTILS}/esearch.fcgi?db=gene&term=x")
            return virtual_time.now()

    assert virtual_time.run(seconds()) == 0.05


def test_latency_may_be_set_for_all_other_paths() -> None:
    latency = Latency({"esearch.fcgi": 0.1, "": 0.3})

    assert [latency.of(path) for path in ("/esearch.fcgi", "/lookup/id/ENSG1", "/")] == [0.1, 0.3, 0.3]
    assert Latency({"esearch.fcgi": 0.1}).of("/lookup/id") == 0.0


class OnePerSecond:
    """A limit and its stand-in."""

    service = NCBI

    def reply(self, request: ServiceRequest) -> Reply:
        return Reply(b"in", "text/plain")

    def limit(self, factor: float) -> NcbiLimit:
        return NcbiLimit(factor / 3)


def test_the_first_stand_in_with_a_limit_sets_it_for_the_service() -> None:
    remainder = OtherStandIn("elsewhere", "https://elsewhere.org/api")

    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        limited = [await client.get(f"{EUTILS}/einfo.fcgi") for _ in range(2)]
        return limited, [await client.get("/api/x") for _ in range(20)]

    limited, unlimited = answers_to(question, stand_ins=[remainder, OnePerSecond(), gene()], rate_factor=1.0)

    assert [answer.status_code for answer in limited] == [200, 429]
    assert 429 not in {answer.status_code for answer in unlimited}


# steering


def test_requests_are_reported_without_keys() -> None:
    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        await client.get(f"{EUTILS}/einfo.fcgi?tool=biofact&email=a@b.org&api_key=hidden")
        payload = (await client.get("/sandbox/requests")).json()
        after_reset = (await client.delete("/sandbox/requests")).json()
        return payload, after_reset, sandbox.requests

    answer, after_reset, requests = answers_to(question)

    assert answer["counts"] == {"/einfo.fcgi": 1}
    assert answer["requests"][0]["params"] == [["tool", "biofact"], ["email", "(secret)"], ["api_key", "(secret)"]]
    assert (answer["requests"][0]["service"], answer["requests"][0]["status"]) == ("ncbi", 200)
    assert "hidden" not in json.dumps(answer)
    assert (after_reset["counts"], requests) == ({}, [])


def test_faults_are_set_listed_and_cleared_from_outside() -> None:
    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        fault = {"kind": "status", "status": 503, "times": None, "path": "esearch", "headers": {"Retry-After": "1.5"}}
        post = await client.post("/sandbox/faults", json=fault)
        faulty_reply = await client.get(f"{EUTILS}/esearch.fcgi?db=gene&term=x")
        faults_set = (await client.get("/sandbox/faults")).json()
        await client.delete("/sandbox/faults")
        return post.status_code, faulty_reply, faults_set, sandbox.faults.all()

    posted_status, faulty_reply, answer, remaining = answers_to(question)

    assert (posted_status, faulty_reply.status_code, faulty_reply.headers["Retry-After"]) == (200, 503, "1.5")
    assert (answer[0]["kind"], answer[0]["times"]) == ("status", None)
    assert remaining == []


def test_a_fault_that_makes_no_sense_is_refused() -> None:
    bodies = [b"", b"{", b"{}", b"[1]", b'{"kind": "gremlin"}', b'{"kind": "html", "tmies": 2}']

    async def question(client: httpx2.AsyncClient, sandbox: Sandbox) -> Any:
        answers = {body: await client.post("/sandbox/faults", content=body) for body in bodies}
        return {body: answer.status_code for body, answer in answers.items()}, sandbox.faults.all()

    assert answers_to(question) == (dict.fromkeys(bodies, 400), [])


def test_the_sandbox_has_no_other_paths_of_its_own() -> None:
    async def question(client: httpx2.AsyncClient, _: Sandbox) -> Any:
        return [(await client.get(f"/sandbox/{name}")).status_code for name in ("", "settings", "faults")]

    assert answers_to(question) == [404, 404, 200]


# ends


def test_stopping_drops_connections_in_any_state() -> None:
    async def run() -> None:
        async with Sandbox(stand_ins=[gene()], latency=Latency({"einfo.fcgi": FOR_EVER})) as sandbox:
            client = plain_client(sandbox.url)
            task = asyncio.create_task(client.get(f"{EUTILS}/einfo.fcgi"))
            await asyncio.sleep(0.05)
        with pytest.raises(httpx2.TransportError):
            await task
        await client.aclose()

    asyncio.run(run())


def test_leaving_does_not_wait_for_a_client_that_does_not_read() -> None:
    async def run() -> None:
        async with Sandbox(stand_ins=[Endless()]) as sandbox:
            _, writer = await asyncio.open_connection("127.0.0.1", int(sandbox.url.rsplit(":", 1)[1]), limit=1024)
            writer.write(f"GET {EUTILS}/efetch.fcgi HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            await asyncio.sleep(0.05)
        writer.transport.abort()

    asyncio.run(run())


def test_after_leaving_connections_are_refused() -> None:
    async def run() -> None:
        async with Sandbox(stand_ins=[gene()]) as sandbox:
            pass
        async with plain_client(sandbox.url) as client:
            await client.get(f"{EUTILS}/einfo.fcgi")

    with pytest.raises(httpx2.ConnectError):
        asyncio.run(run())


@pytest.mark.parametrize(
    "body", [b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"]
)
def test_bytes_that_are_not_http_are_refused(body: bytes) -> None:
    async def run() -> bytes:
        async with Sandbox(stand_ins=[gene()]) as sandbox:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(sandbox.url.rsplit(":", 1)[1]))
            writer.write(body)
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()
            return answer

    assert asyncio.run(run()).startswith(b"HTTP/1.1 400 ")
