"""Columns of gene names, drawn by a fixed seed from the recorded gene files, resolved at once.

``python -m benchmarks.resolve [--json FILE]``. 1,000 human names: current symbols, aliases (NCBI's file does not tell
previous symbols from them), wrong letter case, and 5 % that are no gene's; 300 symbols with brackets, colons and
slashes of fly and zebrafish. The meaning of a name is read from the file here, not by our parsers. At the services'
real rates. A plain rival asks NCBI Datasets for the reports of the same 1,000 symbols, a thousand a page.
"""

import asyncio
import random
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import httpx2
import orjson

from benchmarks.on_sandbox import at_both_sizes, open_transport, sandbox_process
from benchmarks.report import Result, at_most, run
from benchmarks.symbols import FLY, HUMAN, ORGANISMS, SEED, ZEBRAFISH, corpus, drawn_genes, gene_rows
from biofact.dialects.datasets import DATASETS
from biofact.identity.records import ResolvedName
from biofact.identity.resolver import Resolver
from biofact.sandbox.control import SandboxProcess
from biofact.sandbox.dialects.gene_info import PLACEHOLDER, GeneRow
from biofact.sources import clients

_LETTERS = "ABCDEFGHKLMNPRSTVWXZ"
_CASES: tuple[Callable[[str], str], ...] = (str.lower, str.title, str.swapcase)
_SHARES = {"symbol": 0.6, "alias": 0.25, "case": 0.1, "none": 0.05}
_REPORTS_A_PAGE = 1000
A_SECOND = {"ncbi": 2.7, "ebisearch": 4.5, "ensembl": 13.5, "chembl": 9.0, "igvf": 4.5}
"""The requests that each service's budget allows."""


@dataclass(frozen=True, slots=True)
class AskedName:
    """A name and the genes that the file has under it."""

    name: str
    kind: str
    gene_ids: frozenset[str]
    """The genes whose symbol it is, in any letter case; else those whose alias it is."""
    ensembl_ids: frozenset[str]
    """The organisms of these genes, as NCBI names them."""


def drawn_names(count: int) -> list[AskedName]:
    """Human names of all kinds, in random order."""
    rows = [row for row in gene_rows(HUMAN) if _is_human_gene(row)]
    draw = random.Random(SEED)  # a draw, no secret
    size = {kind: round(share * count) for kind, share in _SHARES.items()}
    with_alias = [row for row in rows if row.synonyms]
    in_capitals = [row for row in rows if row.symbol.isupper()]
    names = [("symbol", row.symbol) for row in draw.sample(rows, size["symbol"])]
    names += [("alias", draw.choice(row.synonyms)) for row in draw.sample(with_alias, size["alias"])]
    names += [("case", draw.choice(_CASES)(row.symbol)) for row in draw.sample(in_capitals, size["case"])]
    meaning = _Meaning(rows)
    invented_names = set[str]()
    while len(invented_names) < size["none"]:
        word = "".join(draw.choice(_LETTERS) for _ in range(4)) + str(draw.randint(1, 99))
        invented_names |= {word} if not meaning.genes(word) else set()
    names += [("none", word) for word in sorted(invented_names)]
    draw.shuffle(names)
    return [meaning.name_of(kind, name) for kind, name in names]


def _is_human_gene(row: GeneRow) -> bool:
    """The file has Neanderthals, too, and enhancers under the names of the genes beside them."""
    return row.taxon_id == HUMAN and row.gene_type != "biological-region" and row.symbol != PLACEHOLDER


def signed_names(count: int) -> dict[str, list[AskedName]]:
    """Symbols with signs, by organism."""
    names_by_organism = {}
    for taxon_id in (FLY, ZEBRAFISH):
        meaning = _Meaning(gene_rows(taxon_id))
        genes = drawn_genes(taxon_id, count // 2, is_signed=True)
        names_by_organism[ORGANISMS[taxon_id]] = [meaning.name_of("symbol", gene.symbol) for gene in genes]
    return names_by_organism


class _Meaning:
    """The meanings of names in the rows of the file."""

    def __init__(self, rows: Sequence[GeneRow]) -> None:
        self._symbols: dict[str, list[GeneRow]] = defaultdict(list)
        self._aliases: dict[str, list[GeneRow]] = defaultdict(list)
        for row in rows:
            for symbol in {row.symbol.casefold(), row.official_symbol.casefold()} - {""}:
                self._symbols[symbol].append(row)
            for alias in {alias.casefold() for alias in row.synonyms}:
                self._aliases[alias].append(row)

    def genes(self, name: str) -> list[GeneRow]:
        return self._symbols.get(name.casefold()) or self._aliases.get(name.casefold()) or []

    def name_of(self, kind: str, name: str) -> AskedName:
        genes = self.genes(name)
        ensembl_ids = frozenset(
            gene_id for gene in genes for key in ("Ensembl", "FLYBASE") for gene_id in gene.ids.get(key, ())
        )
        return AskedName(name, kind, frozenset(gene.gene_id for gene in genes), ensembl_ids)


@dataclass(slots=True)
class Judgement:
    """How many names were answered rightly, by kind, and which were not."""

    right: Counter[str]
    wrong: list[str]


def judge(asked_names: Sequence[AskedName], rows: Sequence[object]) -> Judgement:
    """Holds rows against the file: the first entity is a gene of the name, others that share an alias are named, the
    Ensembl ID is NCBI's, and what is no gene has no entity.
    """
    judgement = Judgement(Counter(), [])
    for asked_name, row in zip(asked_names, rows, strict=True):
        if isinstance(row, ResolvedName) and row.name == asked_name.name and _is_right(asked_name, row):
            judgement.right[asked_name.kind] += 1
        else:
            judgement.wrong.append(f"{asked_name.name} ({asked_name.kind})")
    return judgement


def _is_right(asked_name: AskedName, row: ResolvedName) -> bool:
    if not asked_name.gene_ids:
        return not row.entities
    if not row.entities:  # which of several genes is not known
        named_ids = {named.rpartition("NCBIGene:")[2].rstrip(")") for named in row.ambiguous_with}
        return len(named_ids) > 1 and named_ids == asked_name.gene_ids
    first = row.entities[0]
    if first.id.removeprefix("NCBIGene:") not in asked_name.gene_ids:
        return False
    ensembl_id = first.ids.get("ensembl", "").partition(".")[0]
    is_sharing_named = bool(row.ambiguous_with) or len(asked_name.gene_ids) == 1
    return is_sharing_named and (not ensembl_id or ensembl_id in asked_name.ensembl_ids)


def requests_by_service(sandbox: SandboxProcess) -> Counter[str]:
    """How many requests each service had."""
    return Counter(request["service"] for request in sandbox.requests())


def allowed_seconds(requests: Mapping[str, int]) -> float:
    """The time for as many requests: NCBI's first, as the other services search for the names that it does not know,
    and these side by side.
    """
    seconds = {service: count / A_SECOND[service] for service, count in requests.items()}
    return seconds.pop("ncbi", 0.0) + max(seconds.values(), default=0.0)


@at_both_sizes
def measure() -> list[Result]:
    """A column of human names, and columns of symbols with signs."""
    return [*asyncio.run(_of_human(drawn_names(1000))), *asyncio.run(_of_signed(signed_names(300)))]


async def _of_human(asked_names: Sequence[AskedName]) -> list[Result]:
    async with _resolver() as (resolver, sandbox):
        await resolver.resolve(["BRCA1"], "gene", "human")  # the time without loading
        await asyncio.sleep(1.0)  # the sandbox builds its index with the first request, and counts those behind it late
        sandbox.forget_requests()
        start = perf_counter()
        rows = (await resolver.resolve([asked_name.name for asked_name in asked_names], None, "human")).rows
        seconds = perf_counter() - start
        requests = requests_by_service(sandbox)
        rival = await _by_datasets(sandbox, asked_names)
    judgement = judge(asked_names, rows)
    of_kind = Counter(asked_name.kind for asked_name in asked_names)
    symbols, unknown_share = judgement.right["symbol"] / of_kind["symbol"], judgement.right["none"] / of_kind["none"]
    aliases = (judgement.right["alias"] + judgement.right["case"]) / (of_kind["alias"] + of_kind["case"])
    allowed = allowed_seconds(requests)
    wrong = ", ".join(judgement.wrong[:5])
    return [
        at_most("1,000 human names: requests to NCBI", requests["ncbi"], 14, "requests"),
        at_most("1,000 human names: requests to Ensembl", requests["ensembl"], 4, "requests"),
        at_most("wall time beside what the services' budgets allow", seconds / allowed, 1.2, "times"),
        Result("current symbols first", 100 * symbols, 99.5, "%", note=wrong),
        Result("aliases and other letter cases right, shared ones said so", 100 * aliases, 99.5, "%", note=wrong),
        Result("names of no gene without an entity", 100 * unknown_share, 100, "%", note=wrong),
        _beside_datasets(rival, judgement, len(asked_names), seconds),
    ]


async def _by_datasets(sandbox: SandboxProcess, asked_names: Sequence[AskedName]) -> tuple[Counter[str], float]:
    """The names that the reports of their symbols answer rightly, by kind, and the seconds that all took: a gene whose
    symbol it is comes before those that have it as a synonym.
    """
    names = [asked_name.name for asked_name in asked_names]
    body = {"symbols_for_taxon": {"symbols": names, "taxon": "human"}, "page_size": _REPORTS_A_PAGE}
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    start = perf_counter()
    async with httpx2.AsyncClient(base_url=sandbox.environment()[DATASETS.base_url.name]) as client:
        async for report in _all_reports(client, body):
            for name in report["query"]:
                found[name].append(report["gene"])
    right: Counter[str] = Counter()
    for asked_name in asked_names:
        folded = asked_name.name.casefold()
        genes = sorted(found[asked_name.name], key=lambda gene: gene["symbol"].casefold() != folded)
        right[asked_name.kind] += _is_right_gene(asked_name, [gene["gene_id"] for gene in genes])
    return right, perf_counter() - start


async def _all_reports(client: httpx2.AsyncClient, body: Mapping[str, Any]) -> AsyncIterator[dict[str, Any]]:
    """The reports of all pages."""
    token: str | None = ""
    while token is not None:
        answer = await client.post("/gene/dataset_report", json={**body, "page_token": token})
        page = orjson.loads(answer.raise_for_status().content)
        for report in page.get("reports", []):
            yield report
        token = page.get("next_page_token")


def _is_right_gene(asked_name: AskedName, gene_ids: Sequence[str]) -> bool:
    if not asked_name.gene_ids:
        return not gene_ids
    is_sharing_named = len(gene_ids) > 1 or len(asked_name.gene_ids) == 1
    return bool(gene_ids) and gene_ids[0] in asked_name.gene_ids and is_sharing_named


def _beside_datasets(rival: tuple[Counter[str], float], judgement: Judgement, count: int, seconds: float) -> Result:
    right, rival_seconds = rival
    share, rival_share = (100 * sum(counts.values()) / count for counts in (judgement.right, right))
    kinds = ", ".join(f"{kind} {judgement.right[kind]} beside {right[kind]}" for kind in _SHARES)
    note = f"{kinds}; {seconds:.1f} s beside {rival_seconds:.1f} s"
    return Result("1,000 human names right, less those of plain Datasets", share - rival_share, 0, "%", note=note)


async def _of_signed(columns: Mapping[str, Sequence[AskedName]]) -> list[Result]:
    results = []
    for organism, asked_names in columns.items():
        async with _resolver() as (resolver, sandbox):
            rows = (await resolver.resolve([asked_name.name for asked_name in asked_names], "gene", organism)).rows
            requests = requests_by_service(sandbox)
        judgement = judge(asked_names, rows)
        share = 100 * judgement.right["symbol"] / len(asked_names)
        promise = f"{len(asked_names)} symbols with signs of {organism} first"
        results.append(Result(promise, share, 99.5, "%", note=", ".join(judgement.wrong[:5])))
        results.append(at_most(f"{promise}: requests", requests.total(), 18, "requests"))
    return results


@asynccontextmanager
async def _resolver() -> AsyncIterator[tuple[Resolver, SandboxProcess]]:
    """One on a sandbox of the recorded genes, with an empty cache."""
    with sandbox_process(recordings=corpus()) as sandbox:
        async with open_transport(sandbox.environment()) as transport:
            yield Resolver(clients(transport), transport.afresh), sandbox


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
