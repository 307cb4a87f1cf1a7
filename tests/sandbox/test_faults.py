"""Faults on request, as seen by a client of the sandbox."""

import asyncio
import time
import zlib
from typing import Any

import httpx2
import pytest

from biofact.sandbox import Fault, Sandbox
from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.faults import Faults
from tests.sandbox.plain_client import plain_client
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick

FETCH = "/entrez/eutils/efetch.fcgi?db=gene&id=7157,22059&retmode=xml"
SEARCH = "/entrez/eutils/esearch.fcgi?db=gene&term=TP53&retmode=json"
MIB = 1 << 20


def replies_under(*faults: Fault, url: str = FETCH, times: int = 1) -> list[Any]:
    """The answers to a number of requests, or their failures, and the sound answer last."""

    async def run() -> list[Any]:
        stand_ins = [EutilsStandIn(ThreeGenes(), HistoryServer())]
        async with (
            Sandbox(stand_ins=stand_ins, rate_factor=100.0) as sandbox,
            plain_client(sandbox.url) as client,
        ):
            sandbox.faults.set(*faults)
            replies: list[Any] = []
            for _ in range(times):
                try:
                    replies.append(await client.get(url))
                except httpx2.HTTPError as error:
                    replies.append(error)
            sandbox.faults.clear()
            return [*replies, await client.get(url)]

    return asyncio.run(run())


def test_a_status_comes_with_any_form_of_retry_after() -> None:
    wishes = ["2", "0.5", "Wed, 21 Oct 2026 07:28:00 GMT", None]
    headers = [{"Retry-After": wish} if wish else {} for wish in wishes]
    body = b'{"error":"API rate limit exceeded"}'

    *answers, sound = replies_under(
        *(Fault("status", status=429, headers=header, body=body) for header in headers), times=4
    )

    pairs = [(answer.status_code, answer.headers.get("Retry-After")) for answer in answers]
    assert pairs == [(429, wish) for wish in wishes]
    assert {answer.headers["Content-Type"] for answer in answers} == {"application/json"}
    assert {answer.headers["X-Biofact-Sandbox"] for answer in answers} == {"1"}
    assert sound.status_code == 200


def test_a_fault_strikes_a_number_of_times_after_a_number_of_requests() -> None:
    replies = replies_under(Fault("status", status=500, after=1, times=2), times=4)

    assert [answer.status_code for answer in replies] == [200, 500, 500, 200, 200]


def test_a_fault_strikes_its_path_and_service_alone() -> None:
    faults = Faults()
    faults.set(Fault("html", path="esearch", service="ncbi", times=None), Fault("close", path="efetch"))

    def fault_at(service: str, path: str) -> str | None:
        fault = faults.take(service, path)
        return fault.kind if fault else None

    assert [fault_at("ensembl", "/esearch.fcgi"), fault_at("ncbi", "/einfo.fcgi")] == [None, None]
    assert [fault_at("ncbi", "/esearch.fcgi") for _ in range(2)] == ["html", "html"]
    assert [fault_at("ncbi", "/efetch.fcgi") for _ in range(2)] == ["close", None]
    assert [fault.kind for fault in faults.all()] == ["html"]


def test_another_body_comes_under_200_or_any_status() -> None:
    error = b"<eFetchResult><ERROR>proxy_stream() 502</ERROR></eFetchResult>"

    second_body, third_body, _ = replies_under(
        Fault("body", body=error), Fault("body", body=error, status=400), times=2
    )

    assert (second_body.status_code, second_body.content) == (200, error)
    assert (third_body.status_code, third_body.headers["Content-Type"]) == (400, "text/xml; charset=UTF-8")


def test_a_page_comes_where_data_was_due() -> None:
    answer, _ = replies_under(Fault("html"), url=SEARCH)

    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=UTF-8")
    assert answer.content.startswith(b"<!DOCTYPE html>")


def test_an_answer_is_delayed() -> None:
    perf_counter = time.perf_counter()

    answer, sound = replies_under(Fault("delay", seconds=0.05))

    assert time.perf_counter() - perf_counter >= 0.05
    assert answer.content == sound.content


def test_a_slow_body_drips_and_is_whole() -> None:
    perf_counter = time.perf_counter()

    answer, sound = replies_under(Fault("slow_body", size=300, seconds=0.01))

    assert time.perf_counter() - perf_counter >= 0.01 * (len(sound.content) // 300)
    assert answer.content == sound.content


@pytest.mark.parametrize("url", [FETCH, SEARCH])
def test_a_body_is_cut_as_if_that_were_all(url: str) -> None:
    answer, sound = replies_under(Fault("truncate", at=120), url=url)

    assert answer.status_code == 200
    assert answer.content == sound.content[:120]


@pytest.mark.parametrize("url", [FETCH, SEARCH])
def test_a_body_is_shorter_than_its_length_says(url: str) -> None:
    failure, sound = replies_under(Fault("short", at=120), url=url)

    assert isinstance(failure, httpx2.RemoteProtocolError)
    assert f"expected {len(sound.content)}" in str(failure)


@pytest.mark.parametrize("position", [0, 200])
def test_a_connection_is_reset(position: int) -> None:
    failure, sound = replies_under(Fault("reset", at=position))

    assert isinstance(failure, httpx2.ReadError)
    assert sound.status_code == 200


def test_a_connection_is_closed_without_an_answer() -> None:
    failure, sound = replies_under(Fault("close"))

    assert isinstance(failure, httpx2.RemoteProtocolError)
    assert sound.status_code == 200


def test_a_body_is_far_too_large() -> None:
    answer, sound = replies_under(Fault("oversize", at=300, size=5 * MIB))

    assert len(answer.content) == len(sound.content) + 5 * MIB
    assert (answer.content[:300], answer.content[300:302]) == (sound.content[:300], b"AA")
    assert answer.content[-17:] == b"</Entrezgene-Set>\n"[-17:]


def test_a_bomb_is_a_thousandth_of_what_it_becomes() -> None:
    async def run() -> tuple[str, int, int]:
        async with (
            Sandbox(stand_ins=[EutilsStandIn(ThreeGenes(), HistoryServer())]) as sandbox,
            plain_client(sandbox.url) as client,
        ):
            sandbox.faults.set(Fault("bomb", at=300, size=8 * MIB))
            async with client.stream("GET", FETCH, headers={"Accept-Encoding": "identity"}) as answer:
                packed = b"".join([piece async for piece in answer.aiter_raw()])
            return answer.headers["Content-Encoding"], len(packed), len(zlib.decompress(packed, wbits=31))

    encoding, packed, unpacked = asyncio.run(run())

    assert encoding == "gzip"
    assert unpacked > 8 * MIB > 500 * packed


def test_entities_multiply_in_the_body_that_was_due() -> None:
    answer, sound = replies_under(Fault("entities"))

    assert b"<!DOCTYPE Entrezgene-Set [" in answer.content
    assert answer.content.count(b"<!ENTITY") == 10
    assert answer.content.endswith(b"<Entrezgene-Set>&a9;" + sound.content.partition(b"<Entrezgene-Set>")[2])


def test_a_fetched_external_entity_is_reported() -> None:
    async def run() -> tuple[bytes, list[str]]:
        async with (
            Sandbox(stand_ins=[EutilsStandIn(ThreeGenes(), HistoryServer())]) as sandbox,
            plain_client(sandbox.url) as client,
        ):
            sandbox.faults.set(Fault("external_entity"))
            body = (await client.get(FETCH)).content
            start = body.index(b"http://")
            await client.get(body[start : body.index(b'"', start)].decode())
            return body, [request.path for request in sandbox.requests]

    body, paths = asyncio.run(run())

    assert b"&leak;" in body
    assert paths == ["/efetch.fcgi", "/sandbox/leak"]


def test_an_entity_also_stands_where_json_was_due() -> None:
    answer, _ = replies_under(Fault("entities"), url=SEARCH)

    assert answer.content.endswith(b"<answer>&a9;</answer>")


def test_a_fault_survives_the_way_through_json() -> None:
    fault = Fault("status", status=400, path="elink", times=None, headers={"X": "y"}, body=b"<ERROR>x</ERROR>", at=3)

    assert Fault.from_json(fault.to_json()) == fault
