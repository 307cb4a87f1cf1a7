"""A sandbox as heavy as the services: sizes by ID, records that stay the same, and lines with a bandwidth."""

import asyncio
import re
import statistics
from collections.abc import Callable, Iterable
from typing import Any

import httpx2
import orjson
import pytest

from biofact.core.errors import BiofactError
from biofact.interfaces import every_source
from biofact.sandbox import Sandbox
from biofact.sandbox.server import Pipe
from biofact.sandbox.services import stand_ins
from biofact.sandbox.sizes import JsonPadding, Padded, Padding, RecordSize, XmlPadding, real_size
from biofact.sandbox.standin import Reply, ServiceRequest
from tests import virtual_time
from tests.conformance.cases import Case, all_cases, first_of_each_tool, result_of
from tests.in_process import in_process
from tests.sandboxed import WHOLE, result_or_error, transported

pytestmark = pytest.mark.quick

PADDED = [stand_in for stand_in in stand_ins(None) if isinstance(stand_in, Padded)]
REQUESTS = (
    ("ncbi", "/efetch.fcgi", {"db": "gene", "id": "672,7157,7422", "retmode": "xml"}),
    ("ncbi", "/esummary.fcgi", {"db": "gene", "id": "672,7157,7422", "retmode": "json"}),
    ("ncbi", "/efetch.fcgi", {"db": "pubmed", "id": "99000001,99000002,99000003,99000004", "retmode": "xml"}),
    ("ncbi-datasets", "/gene/id/672,7157,7422/dataset_report", {}),
    ("ncbi-datasets", "/gene/id/672,7157,7422/product_report", {}),
    ("ensembl", "/lookup/id/ENSG00000141510", {"expand": "1"}),
    ("ensembl", "/xrefs/id/ENSG00000141510", {"all_levels": "1"}),
    ("chembl", "/molecule/set/CHEMBL25;CHEMBL941.json", {}),
    ("igvf", "/genes/variants", {"gene_id": "ENSG00000012048", "verbose": "true", "organism": "Homo sapiens"}),
    ("igvf", "/proteins", {"uniprot_name": "CTCF_HUMAN", "organism": "Homo sapiens"}),
)
"""One for each kind of record, of IDs that are among the starter rows."""


def test_a_size_has_its_median_and_its_largest_and_stays_with_its_id() -> None:
    for padding in {padding.size: padding for stand_in in PADDED for padding in stand_in.paddings}.values():
        size = padding.size
        sizes = [size.of(str(number)) for number in range(1, 2001)]

        assert statistics.median(sizes) == pytest.approx(size.median, rel=0.06), size
        assert size.largest * 0.7 < max(sizes) <= size.largest, size
        assert sizes[:50] == [size.of(str(number)) for number in range(1, 51)]


def test_records_of_every_kind_become_as_large_as_declared() -> None:
    for service, path, params in REQUESTS:
        padding, starter, real = both_replies(service, path, params)
        starter_bytes, real_bytes = record_bytes(padding, starter), record_bytes(padding, real)

        assert starter_bytes.keys() == real_bytes.keys() != set(), path
        for uid, size in real_bytes.items():
            wanted = max(padding.size.of(uid), starter_bytes[uid])
            assert size == pytest.approx(wanted, rel=0.05, abs=500), (path, uid)


def test_every_kind_of_record_is_among_the_requests() -> None:
    kinds = {both_replies(*request)[0].size for request in REQUESTS}

    assert kinds == {padding.size for stand_in in PADDED for padding in stand_in.paddings}


def both_replies(service: str, path: str, params: dict[str, str]) -> tuple[Padding, bytes, bytes]:
    """The padding of the first records that are padded, and the bodies of the starter's size and of the real one."""
    request = ServiceRequest("GET", path, tuple(params.items()))
    for stand_in in (stand_in for stand_in in PADDED if stand_in.service.name == service):  # type: ignore[attr-defined]
        reply = stand_in.reply(request)  # type: ignore[attr-defined]
        if reply is None:
            continue
        starter = reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)
        whole = Reply(starter, reply.content_type)
        for padding in stand_in.paddings:
            if padding.applies(request, whole) and record_bytes(padding, starter):
                real = real_size(stand_in, request, stand_in.reply(request))  # type: ignore[attr-defined]
                return padding, starter, real.body if isinstance(real.body, bytes) else b"".join(real.body)
    raise AssertionError(f"nothing is padded in {path}")


def record_bytes(padding: Padding, body: bytes) -> dict[str, int]:
    """The bytes of each record of a kind, by its ID."""
    if isinstance(padding, JsonPadding):
        return {uid: len(orjson.dumps(record)) for uid, record in padding.records(orjson.loads(body))}
    assert isinstance(padding, XmlPadding)
    records = re.split(rb"(?=<Entrezgene>|<PubmedArticle>)", body)
    return {match[1].decode(): len(record) for record in records if (match := padding.uid.search(record))}


@pytest.mark.parametrize("choose", [first_of_each_tool, pytest.param(list, marks=pytest.mark.sweep)])
def test_a_record_at_its_real_size_is_read_as_the_starters(choose: Callable[[Iterable[Case]], list[Case]]) -> None:
    chosen = choose(case for case in all_cases() if case.source in every_source.names())
    starter, real = (virtual_time.run(results_of(chosen, sizes=sizes)) for sizes in ("starter", "real"))

    assert starter.keys() == real.keys()
    for call, result in starter.items():
        assert real[call] == result, call


async def results_of(chosen: Iterable[Case], **options: Any) -> dict[str, Any]:
    """The results of calls, one after another."""
    async with transported(timing=WHOLE, rate_factor=1000.0, **options) as (transport, _):
        clients = {source: every_source.client_class(source)(transport) for source in every_source.names()}
        return {str(case): plain(await result_or_error(result_of(clients[case.source], case))) for case in chosen}


def plain(value: Any) -> Any:
    """A result as plain values, without the provenance and the cursors, no two of which are the same."""
    if isinstance(value, BiofactError):
        return repr(value)
    if hasattr(value, "model_dump"):
        value = value.model_dump(mode="json")
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items() if name not in {"provenance", "cursor"}}
    return [plain(part) for part in value] if isinstance(value, list) else value


LINE = 1000.0
"""Bytes a second."""


async def timed(client: httpx2.AsyncClient, path: str, **headers: str) -> tuple[float, int]:
    """The seconds after which an answer is complete, and its bytes on the wire."""
    async with client.stream("GET", f"http://127.0.0.1{path}", headers=headers) as answer:
        count = sum([len(chunk) async for chunk in answer.aiter_raw()])
    return virtual_time.now(), count


def test_answers_of_a_service_share_its_line_and_those_of_others_do_not() -> None:
    gene = "/entrez/eutils/efetch.fcgi?db=gene&retmode=xml&id={}"

    async def run() -> Any:
        async with in_process(bytes_per_second=LINE, rate_factor=100.0) as (sandbox, network):
            async with httpx2.AsyncClient(transport=network, timeout=None) as client:
                plain = {"accept-encoding": "identity"}
                paths = (gene.format("672"), gene.format("7157"), "/chembl/api/data/molecule/CHEMBL25.json")
                answers = await asyncio.gather(*(timed(client, path, **plain) for path in paths))
            return answers, {name: pipe.sent_bytes for name, pipe in sandbox.pipes.items() if pipe.sent_bytes}

    (first, second, other), sent_bytes = virtual_time.run(run())

    assert sent_bytes == {"ncbi": first[1] + second[1], "chembl": other[1]}
    assert max(first[0], second[0]) == pytest.approx((first[1] + second[1]) / LINE)
    assert other[0] == pytest.approx(other[1] / LINE)


def test_a_line_counts_the_bytes_after_gzip() -> None:
    path = "/entrez/eutils/efetch.fcgi?db=gene&retmode=xml&id=672"

    async def run(encoding: str) -> tuple[float, int]:
        async with (
            in_process(bytes_per_second=LINE, sizes="real") as (_, network),
            httpx2.AsyncClient(transport=network, timeout=None) as client,
        ):
            return await timed(client, path, **{"accept-encoding": encoding})

    packed, whole = virtual_time.run(run("gzip")), virtual_time.run(run("identity"))

    assert packed[0] == pytest.approx(packed[1] / LINE)
    assert whole[0] == pytest.approx(whole[1] / LINE)
    assert 8 < whole[1] / packed[1] < 25  # recorded genes: 12 to 15 at the sandbox's level of gzip, 17 to 27 at best


def test_a_service_takes_its_time_before_the_first_byte() -> None:
    async def run() -> tuple[float, float]:
        options = {"first_byte_seconds": {"chembl": 0.25}}
        async with in_process(**options) as (_, network), httpx2.AsyncClient(transport=network, timeout=None) as client:
            chembl, _ = await timed(client, "/chembl/api/data/status.json")
            ensembl, _ = await timed(client, "/ensembl/info/ping")
        return chembl, ensembl

    assert virtual_time.run(run()) == (0.25, 0.25)


def test_a_line_that_was_idle_owes_nothing() -> None:
    async def run() -> float:
        pipe = Pipe(LINE)
        await pipe.carry(500)
        await asyncio.sleep(10.0)
        await asyncio.gather(pipe.carry(1000), pipe.carry(1000))
        return virtual_time.now()

    assert virtual_time.run(run()) == pytest.approx(12.5)


def test_a_sandbox_refuses_a_line_without_bytes_and_services_that_it_lacks() -> None:
    with pytest.raises(ValueError, match="bytes a second"):
        Sandbox(bytes_per_second=0.0)
    with pytest.raises(ValueError, match="no ncbii; it has chembl, "):
        Sandbox(first_byte_seconds={"ncbii": 1.0})


def test_a_size_that_never_varies_is_its_median() -> None:
    assert RecordSize(700, 700, "made up").of("1") == 700
