"""A client of the Catalog on a sandbox over made rows, which may lie, fail or hang, and its requests."""

import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import orjson

from biofact.core.errors import AmbiguousQuery
from biofact.sandbox import Fault, LoggedRequest, Sandbox
from biofact.sandbox.services.igvf.standin import IgvfStandIn
from biofact.sandbox.standin import Reply, ServiceRequest
from biofact.sandbox.tables import Rows
from biofact.sources.igvf.catalog import edges as catalog_edges
from biofact.sources.igvf.client import IGVFClient
from biofact.sources.igvf.service import IGVF
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.sandboxed import LIFE, transported
from tests.sources.igvf.catalog_rows import (
    CatalogPart,
    allele,
    catalog,
    edge,
    gene,
    protein,
    starter,
    starter_edges,
    term,
)

timing = virtual_time.timing(breaker_failures=1000)
"""For tests in which one endpoint fails so often that its service would count as down."""

GENE_ID, OTHER_ID, MOUSE_ID = "ENSG00000012048", "ENSG00000139618", "ENSMUSG00000017146"
PROTEIN_ID, OTHER_PROTEIN_ID = "ENSP00000350283", "ENSP00000369497"
GENE = gene(uid=GENE_ID, symbol="BRCA1", chromosome="17", start=43044295, end=43170245, strand="-", hgnc="HGNC:1100")
OTHER = gene(uid=OTHER_ID, symbol="BRCA2", chromosome="13", start=32315086, end=32400268, strand="+")
MOUSE = gene(
    uid=MOUSE_ID, symbol="Brca1", chromosome="11", start=101379590, end=101442781, strand="-", organism="mouse"
)
PROTEIN = protein(uid=PROTEIN_ID, name="BRCA1", uniprot_ids=("P38398",), MANE_Select=True)
OTHER_PROTEIN = protein(uid=OTHER_PROTEIN_ID, name="BRCA2", uniprot_ids=("P51587",), MANE_Select=True)
DISEASE = term(uid="MONDO_0011450", name="breast-ovarian cancer, familial, 1", source="MONDO")
PRODUCTS = (
    edge("gene_protein", GENE_ID, PROTEIN_ID),
    edge("gene_protein", OTHER_ID, OTHER_PROTEIN_ID),
)

Answer = Callable[[ServiceRequest], list[dict[str, Any]]]
Lie = Callable[[Answer, ServiceRequest], object]
"""A false reply of a path; it may ask the stand-in for the true rows."""


def spdi(number: int, *, owner: str = "NC_000017.11", change: str = "A:G") -> str:
    """The ID of a made variant, the ``number``-th base from where BRCA1 begins."""
    return f"{owner}:{43044294 + number}:{change}"


def variant(number: int, **fields: Any) -> CatalogPart:
    return allele(spdi(number), **fields)


def eqtl(number: int, other: str = GENE_ID, **fields: Any) -> CatalogPart:
    return edge("variant_gene", spdi(number), other, **{"source": "EBI", **fields})


def mixed(count: int, step: float) -> list[float]:
    """``count`` distinct multiples of ``step``, in an order that has nothing to do with their size."""
    return [round(((number * 7919) % count + 1) * step, 6) for number in range(count)]


def facts(*edges: CatalogPart, products: Iterable[CatalogPart] = PRODUCTS, **entities: Iterable[CatalogPart]) -> Rows:
    """These edges among two genes, their proteins and a disease; other entities by kind."""
    known_uids = (GENE, OTHER, MOUSE, PROTEIN, OTHER_PROTEIN, DISEASE)
    return catalog(*known_uids, *(item for entity in entities.values() for item in entity), *products, *edges)


class LyingStandIn:
    """Answers as the Catalog does, except for the paths that lie."""

    service = IGVF

    def __init__(self, rows: Rows, lies: Mapping[str, Lie]) -> None:
        self._standin = _over_starter() if rows is starter() else IgvfStandIn(rows)
        self._lies = lies

    def reply(self, request: ServiceRequest) -> Reply:
        lie = self._lies.get(request.path)
        if lie is None:
            return self._standin.reply(request)
        return Reply(orjson.dumps(lie(self._truth, request)), "application/json")

    def _truth(self, request: ServiceRequest) -> list[dict[str, Any]]:
        reply = self._standin.reply(request)
        assert reply.status == 200, reply.body
        return json.loads(reply.body)


@functools.cache
def _over_starter() -> IgvfStandIn:
    """The starter's stand-in, built once: it keeps no state between requests."""
    return IgvfStandIn(starter())


def changed(**params: str | None) -> Lie:
    """A path that gets other values for these parameters; None removes one."""

    def lie(answer: Answer, request: ServiceRequest) -> object:
        pairs = tuple((name, value) for name, value in request.params if name not in params)
        return answer(replace(request, params=(*pairs, *((name, value) for name, value in params.items() if value))))

    return lie


def fixed_lie(document: object) -> Lie:
    """A path that always returns this."""
    return lambda answer, request: document


def failure_of(path: str, times: int | None = None, **options: Any) -> Fault:
    """A path that answers with 500."""
    body = b'{"message": "Internal server error", "code": "INTERNAL_SERVER_ERROR"}'
    return Fault("status", path=path, times=times, status=500, body=body, **options)


@asynccontextmanager
async def client_of(
    rows: Rows, lies: Mapping[str, Lie] | None = None, timing: Timing = LIFE
) -> AsyncIterator[tuple[IGVFClient, Sandbox]]:
    """A client and the sandbox behind it; the cache is new and is deleted afterwards."""
    async with transported(stand_ins=[LyingStandIn(rows, lies or {})], timing=timing) as (transport, sandbox):
        yield IGVFClient(transport), sandbox


@dataclass(frozen=True)
class CatalogRun:
    """The answer of a client on a sandbox, its requests, and the seconds that they took."""

    answer: Any
    requests: list[LoggedRequest]
    seconds: float

    def params_of(self, path: str) -> list[dict[str, str]]:
        """The parameters of each request to a path."""
        return [dict(request.params) for request in self.requests if request.path == path]


def run(
    request: Callable[[IGVFClient, Sandbox], Awaitable[Any]],
    rows: Rows,
    *faults: Fault,
    lies: Mapping[str, Lie] | None = None,
    timing: Timing = LIFE,
) -> CatalogRun:
    """The result of ``request`` with a client while these faults strike."""

    async def scenario() -> CatalogRun:
        async with client_of(rows, lies, timing) as (igvf, sandbox):
            sandbox.faults.set(*faults)
            now = virtual_time.now()
            answer = await request(igvf, sandbox)
            return CatalogRun(answer, list(sandbox.requests), virtual_time.now() - now)

    return virtual_time.run(scenario())


def associations_run(
    rows: Rows,
    entity: str,
    relationship: str,
    *faults: Fault,
    lies: Mapping[str, Lie] | None = None,
    **options: Any,
) -> CatalogRun:
    """The first page of an entity's associations."""
    return run(lambda igvf, _: igvf.find_associations(entity, relationship, **options), rows, *faults, lies=lies)


def every_page(
    rows: Rows, entity: str, relationship: str, *faults: Fault, timing: Timing = LIFE, **options: Any
) -> CatalogRun:
    """All pages, by their cursors; faults end with the first page."""

    async def ask(igvf: IGVFClient, sandbox: Sandbox) -> list[Any]:
        pages = [await igvf.find_associations(entity, relationship, **options)]
        sandbox.faults.clear()
        while cursor := pages[-1].pagination.cursor:
            pages.append(await igvf.find_associations(entity, relationship, cursor=cursor, **options))
            assert len(pages) < 600
        return pages

    return run(ask, rows, *faults, timing=timing)


def region(rows: Rows, text: str, *faults: Fault, lies: Mapping[str, Lie] | None = None, **options: Any) -> CatalogRun:
    """The result of a search in a region."""
    return run(lambda igvf, _: igvf.search_region(text, **options), rows, *faults, lies=lies)


def starts() -> list[str]:
    """Both ends of edges of each kind among the starter facts, and variants and tissues that lead to some."""
    group = [
        starter_edge
        for name in catalog_edges()
        for starter_edge in [starter_edge for starter_edge in starter_edges() if starter_edge.collection == name][:2]
    ]
    uids = {uid for item in group for uid in (item.subject, item.object)} | _in_elements()
    uids |= {
        starter_edge.fields["biosample_term"]
        for starter_edge in starter_edges()
        if starter_edge.fields.get("biosample_term")
    }
    return sorted(uids)


def starter_associations(uids: Iterable[str]) -> list[tuple[str, list[Any]]]:
    """The notices of all associations of each of these starter entities."""

    async def association_rows(igvf: IGVFClient, uid: str) -> list[Any]:
        try:
            return list((await igvf.find_associations(uid.removeprefix("ontology_terms/"), "all")).notices)
        except AmbiguousQuery:  # one that nothing starts from, such as a data set
            return []

    async def scenario() -> list[tuple[str, list[Any]]]:
        async with client_of(starter()) as (igvf, _):
            return [(uid, await association_rows(igvf, uid)) for uid in uids]

    return virtual_time.run(scenario())


def _in_elements() -> set[str]:
    """The variants that lie in an element; for these, some endpoints answer the element alone."""
    return {
        variant["_id"]
        for variant in starter()["variants"]
        for element in starter()["genomic_elements"]
        if (element["organism"], element["chr"]) == (variant["organism"], variant["chr"])
        and element["start"] <= variant["pos"] < element["end"]
    }


def ends(rows: Iterable[Any]) -> list[tuple[str, str]]:
    """The two ends of each row."""
    return [(row.subject, row.object) for row in rows]
