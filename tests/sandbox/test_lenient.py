"""A lenient sandbox ignores the parameters that the real services ignore, and names them; a strict one refuses them."""

from typing import Any

import httpx2
import pytest

from tests import virtual_time
from tests.in_process import in_process

pytestmark = pytest.mark.quick

SKIPPED = "X-Biofact-Sandbox-Ignored"
REQUESTS: list[tuple[str, str, dict[str, Any], str]] = [
    ("BIOFACT_NCBI_URL", "/esearch.fcgi?db=gene&term=BRCA1&retmode=json&flavour=sweet&b=1", {}, "b, flavour"),
    ("BIOFACT_CHEMBL_URL", "/molecule.json?flavour=sweet&colour=red&pref_name=ASPIRIN", {}, "colour, flavour"),
    ("BIOFACT_ENSEMBL_URL", "/lookup/id/ENSG00000141510?flavour=sweet", {}, "flavour"),
    ("BIOFACT_ENSEMBL_URL", "/lookup/id", {"ids": ["ENSG00000141510"], "flavour": "sweet"}, "flavour"),
    # as ensembl_rest posts: its body once more as parameters
    ("BIOFACT_ENSEMBL_URL", "/lookup/id?ids=ENSG00000141510", {"ids": ["ENSG00000141510"]}, "ids"),
    ("IGVF_CATALOG_API_URL", "/genes?gene_id=ENSG00000012048&flavour=sweet&colour=red", {}, "colour, flavour"),
    ("BIOFACT_ICITE_URL", "/pubs?pmids=9997&flavour=sweet", {}, "flavour"),
]


def replies(*, is_lenient: bool) -> list[httpx2.Response]:
    async def ask() -> list[httpx2.Response]:
        async with (
            in_process(is_lenient=is_lenient, rate_factor=100.0) as (sandbox, network),
            httpx2.AsyncClient(transport=network) as client,
        ):
            urls = sandbox.environment()
            return [await send(client, urls[name] + path, body) for name, path, body, _ in REQUESTS]

    async def send(client: httpx2.AsyncClient, url: str, body: dict[str, Any]) -> httpx2.Response:
        return await (client.post(url, json=body) if body else client.get(url))

    return virtual_time.run(ask())


def test_a_strict_sandbox_refuses_them() -> None:
    strict = replies(is_lenient=False)

    assert [(reply.status_code, reply.headers.get(SKIPPED)) for reply in strict] == [(400, None)] * len(REQUESTS)


def test_a_lenient_one_ignores_them_and_names_them_in_a_header() -> None:
    lenient = replies(is_lenient=True)

    assert [(reply.status_code, reply.headers.get(SKIPPED)) for reply in lenient] == [
        (200, names) for *_, names in REQUESTS
    ]
    search, molecules, gene, genes, repeated_search, catalog, _ = (reply.json() for reply in lenient)
    assert "672" in search["esearchresult"]["idlist"]
    assert [row["molecule_chembl_id"] for row in molecules["molecules"]] == ["CHEMBL25"]
    assert genes == repeated_search == {"ENSG00000141510": gene}
    assert [row["name"] for row in catalog] == ["BRCA1"]


def test_a_posted_filter_of_chembl_is_ignored_too() -> None:
    async def ask() -> httpx2.Response:
        async with (
            in_process(is_lenient=True) as (sandbox, network),
            httpx2.AsyncClient(transport=network) as client,
        ):
            url = f"{sandbox.environment()['BIOFACT_CHEMBL_URL']}/molecule.json"
            body = [["flavour", "sweet"], ["pref_name", "ASPIRIN"]]
            return await client.post(url, json=body, headers={"X-HTTP-Method-Override": "GET"})

    reply = virtual_time.run(ask())

    assert reply.headers[SKIPPED] == "flavour"
    assert reply.json()["page_meta"]["total_count"] == 1


def test_a_lenient_sandbox_refuses_what_the_service_refuses() -> None:
    async def ask() -> httpx2.Response:
        async with (
            in_process(is_lenient=True) as (sandbox, network),
            httpx2.AsyncClient(transport=network) as client,
        ):
            return await client.get(f"{sandbox.environment()['BIOFACT_NCBI_URL']}/esearch.fcgi?flavour=sweet")

    reply = virtual_time.run(ask())

    assert reply.status_code == 400
    assert "db" in reply.text
    assert reply.headers[SKIPPED] == "flavour"
