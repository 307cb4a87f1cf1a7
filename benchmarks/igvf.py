"""The IGVF Catalog: all associations of a gene against the slowest request, a symbol, a region, the best of many rows.

``python -m benchmarks.igvf [--json FILE]``. The sandbox runs in a process of its own and takes 50 ms for each request
on every path, without jitter, and on request some seconds for one path; what it counts is what was sent. It keeps no
limit, for the Catalog publishes none: the 5 requests a second are the client's own. Every run begins with an empty
cache, a fresh budget and the client still to be made. Orders are asked of made rows, on a sandbox within this process.
Needs no recordings.
"""

import asyncio
import functools
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.on_sandbox import (
    answered_requests,
    at_both_sizes,
    count_requests,
    most_in_a_second,
    open_client,
    sandbox_process,
)
from benchmarks.report import Result, at_most, run
from biofact.core.envelopes import PaginationEnvelope
from biofact.sandbox import Sandbox, SandboxProcess
from biofact.sandbox.faults import Fault, Latency
from biofact.sandbox.services.igvf.standin import IgvfStandIn
from biofact.sandbox.tables import Row, starter_tables
from biofact.sources.igvf.client import IGVFClient
from biofact.sources.igvf.records import Association, RegionContents
from biofact.sources.igvf.service import IGVF

LATENCY = Latency({"": 0.050})
RUNS = 3
SLOW_SECONDS = 4.0
QUIET_SECONDS = 0.5  # between timed parts
OF_BOUND = 1.3
GENE, GENE_ID = "BRCA1", "ENSG00000012048"  # of the starter facts' genes the one with most rows
REGION = "chr17:43,050,000-43,099,999"  # 50 kb, within that gene
SYMBOLS = {GENE: GENE_ID, "TP53": "ENSG00000141510", "CTCF": "ENSG00000102974"}
VARIANT_COUNT, BEST = 1800, 25
VARIANTS = "/genes/variants"

CatalogCall = Callable[[IGVFClient], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Slow:
    """One request of the question for all associations, made slow, and how to ask for it alone."""

    label: str
    path: str
    relationship: str
    filters: Mapping[str, str] = field(default_factory=dict)
    is_first: bool = False
    """This request is sent before the others."""


SLOW = (
    Slow("eQTLs", VARIANTS, "regulatory", {"method": "eQTL"}, is_first=True),
    Slow("diseases", "/genes/diseases", "genetic"),
    Slow("changes of the protein", "/genes/coding-variants/scores", "coding"),
    Slow("functions", "/gene-products/go-terms", "functional", {"source": "Gene Ontology"}),
)
"""In the order in which they are asked: among the first of all requests, in the middle, and at last."""


@dataclass(frozen=True, slots=True)
class CatalogRun:
    """One call on an empty cache."""

    answer: Any
    seconds: float
    paths: list[str]
    """In the order in which they were asked for."""
    most_in_a_second: int


@at_both_sizes
def measure() -> list[Result]:
    """Every figure, in one run."""
    with sandbox_process(latency=LATENCY) as sandbox:
        results = asyncio.run(_measure(sandbox))
    return [*results, *asyncio.run(_ordered_results())]


async def _measure(sandbox: SandboxProcess) -> list[Result]:
    await _run(sandbox, _all)  # loads the modules
    results = await _within_budget(sandbox, "all associations of a gene", _all, 16)
    results += [await _against_slowest(sandbox, slow) for slow in SLOW]
    results += await _symbols(sandbox)
    results += await _within_budget(sandbox, "what lies in 50 kb", _region, 12)
    return [*results, *await _repeats(sandbox)]


def _all(igvf: IGVFClient) -> Awaitable[PaginationEnvelope[Association]]:
    return igvf.find_associations(GENE, "all")


def _region(igvf: IGVFClient) -> Awaitable[RegionContents]:
    return igvf.search_region(REGION)


async def _run(sandbox: SandboxProcess, ask: CatalogCall, *faults: Fault) -> CatalogRun:
    """One call; every request of it has to be answered, and no part of it left out."""
    await asyncio.sleep(QUIET_SECONDS)
    sandbox.forget_requests()
    sandbox.set_faults(*faults)
    start = time.perf_counter()
    async with open_client(IGVFClient, sandbox) as igvf:
        answer = await ask(igvf)
        seconds = time.perf_counter() - start
    sandbox.clear_faults()
    if lacking_legs := [notice.message for notice in answer.notices if notice.code == "LEG_FAILED"]:
        raise ValueError(f"a part of the answer is missing: {lacking_legs[0]}")
    requests = sorted(answered_requests(sandbox), key=lambda request: request["at"])
    return CatalogRun(answer, seconds, [request["path"] for request in requests], most_in_a_second(requests))


async def _within_budget(sandbox: SandboxProcess, label: str, ask: CatalogCall, most_requests: int) -> list[Result]:
    """A call whose requests are independent: the time in which the budget lets them go."""
    runs = [await _run(sandbox, ask) for _ in range(RUNS)]
    request_count, seconds = max(len(run.paths) for run in runs), statistics.median(run.seconds for run in runs)
    burst = max(run.most_in_a_second for run in runs)
    floor = request_count / IGVF.per_second
    budget = f"{request_count} requests at {IGVF.per_second:g} a second take {floor:.2f} s"
    note = f"{seconds:.2f} s, the median of {RUNS}; {budget}"
    return [
        at_most(f"{label}, requests", request_count, most_requests, "requests"),
        at_most(f"{label}: most requests within a second", burst, IGVF.per_second, "requests"),
        at_most(f"{label}, of the time that the budget needs", seconds / floor, OF_BOUND, "x", note=note),
    ]


async def _against_slowest(sandbox: SandboxProcess, slow: Slow) -> Result:
    """Against the slow request alone, with the turns that the budget gives to more requests before it."""
    fault = Fault("delay", IGVF.name, slow.path, times=None, seconds=SLOW_SECONDS)
    runs = [(await _run(sandbox, _all, fault), await _run(sandbox, _slow_call(slow), fault)) for _ in range(RUNS)]
    all_median, slow_median = (
        statistics.median(run.seconds for run in pair_runs) for pair_runs in zip(*runs, strict=True)
    )
    promise = f"all associations while {slow.label} take {SLOW_SECONDS:g} s, of that leg"
    note = f"{all_median:.2f} s against {slow_median:.2f} s alone, medians of {RUNS}"
    if slow.is_first:
        return at_most(promise, all_median / slow_median, OF_BOUND, "x", note=note)
    before = max(run.paths.index(slow.path) - other.paths.index(slow.path) for run, other in runs)
    note += f" ({all_median / slow_median:.2f} of it), and {before} more requests before it"
    figure = all_median / (slow_median + before / IGVF.per_second)
    return at_most(f"{promise} after its turn", figure, OF_BOUND, "x", note=note)


def _slow_call(slow: Slow) -> CatalogCall:
    return lambda igvf: igvf.find_associations(GENE, slow.relationship, filters=dict(slow.filters))


async def _symbols(sandbox: SandboxProcess) -> list[Result]:
    """The slowest of several, each asked for by a client of its own."""
    runs = [await _run(sandbox, _symbol(symbol)) for symbol in SYMBOLS]
    if [run.answer.id for run in runs] != list(SYMBOLS.values()):
        raise ValueError("not the genes that were asked for")
    request_count, seconds = max(len(run.paths) for run in runs), max(run.seconds for run in runs)
    note = f"the slowest of {len(runs)}; the median {statistics.median(run.seconds for run in runs):.3f} s"
    return [
        at_most("a gene by its symbol, requests", request_count, 1, "requests"),
        at_most("a gene by its symbol, seconds", seconds, 0.5, "s", note=note),
    ]


def _symbol(symbol: str) -> CatalogCall:
    return lambda igvf: igvf.get_entity(symbol)


async def _repeats(sandbox: SandboxProcess) -> list[Result]:
    results: list[Result] = []
    async with open_client(IGVFClient, sandbox) as igvf:
        identical_requests = await count_requests(
            sandbox, lambda: asyncio.gather(*(igvf.get_entity(GENE) for _ in range(10)))
        )
        results.append(at_most("requests of ten identical calls", identical_requests, 1, "requests"))
        for label, ask in (
            ("a gene by its symbol", _symbol(GENE)),
            ("all associations of a gene", _all),
            ("what lies in 50 kb", _region),
        ):
            await ask(igvf)
            repeat_requests = await count_requests(sandbox, functools.partial(ask, igvf))
            results.append(at_most(f"{label}: requests of a repeat", repeat_requests, 0, "requests"))
    return results


async def _ordered_results() -> list[Result]:
    """The best of many made eQTLs. Counts requests only, so its sandbox may share this process."""
    edges = [
        _eqtl(place, ((place * 7919) % VARIANT_COUNT + 1) / 10) for place in range(VARIANT_COUNT)
    ]  # 7919 is prime to their number
    rows = {"genes": starter_tables("biofact.sandbox.services.igvf")["genes"], "variant_gene": edges}
    best = sorted(edges, key=lambda edge: float(edge["neg_log10_pvalue"]), reverse=True)[:BEST]
    async with Sandbox(stand_ins=[IgvfStandIn(rows)]) as sandbox:
        async with open_client(IGVFClient, sandbox) as igvf:
            first = await igvf.find_associations(GENE_ID, "regulatory", order_by="p_value", limit=BEST)
        page_requests = _request_total(sandbox)
        async with open_client(IGVFClient, sandbox) as igvf:
            found = await _every_page(igvf)
        list_requests = _request_total(sandbox)
    if [row.subject for row in first.items] != [edge["_from"].removeprefix("variants/") for edge in best]:
        raise ValueError(f"not the {BEST} least p-values, or not in order")
    if sorted(row.subject for row in found) != sorted(edge["_from"].removeprefix("variants/") for edge in edges):
        raise ValueError(f"found {len(found)} rows; expected each of {VARIANT_COUNT} once")
    note = f"a page, and what is above a threshold; reading all of them takes {list_requests}"
    promise = f"the {BEST} least p-values of {VARIANT_COUNT} eQTLs, requests"
    return [at_most(promise, page_requests, 2, "requests", note=note)]


def _eqtl(place: int, logarithm: float) -> Row:
    ends = {"_from": f"variants/NC_000017.11:{43044294 + place}:A:G", "_to": f"genes/{GENE_ID}"}
    return {**ends, "label": "eQTL", "method": "eQTL", "source": "EBI", "neg_log10_pvalue": logarithm}


def _request_total(sandbox: Sandbox) -> int:
    """Requests for eQTLs so far; counting starts again here."""
    count = sum(request.path == VARIANTS for request in sandbox.requests)
    sandbox.requests.clear()
    return count


async def _every_page(igvf: IGVFClient) -> list[Association]:
    """All rows, in the service's order, by as few calls as there can be."""
    rows: list[Association] = []
    cursor: str | None = None
    while cursor is not None or not rows:
        page = await igvf.find_associations(GENE_ID, "regulatory", limit=100, cursor=cursor)
        rows += page.items
        cursor = page.pagination.cursor
    return rows


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
