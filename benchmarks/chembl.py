"""ChEMBL compounds: 100 searches at once, batches against single calls and the rival, and what each question costs.

``python -m benchmarks.chembl [--json FILE]``. The sandbox runs in a process of its own and takes 50 ms for each
request on every path, without jitter; what it counts is what was sent. It keeps no limit, for ChEMBL, UniChem and PDBe
publish none: the pace that it sees is the client's own. Every figure begins with an empty cache, a fresh budget and
the client still to be made. Needs no recordings.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from benchmarks.on_sandbox import (
    answered_requests,
    at_both_sizes,
    count_requests,
    most_in_a_second,
    open_client,
    sandbox_process,
)
from benchmarks.report import Result, at_most, run
from benchmarks.rival import ChEMBLRival
from biofact.core.envelopes import ErrorEnvelope
from biofact.sandbox import SandboxProcess
from biofact.sandbox.faults import Fault, Latency
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sandbox.tables import Row
from biofact.sources.chembl.client import ChEMBLClient
from biofact.sources.chembl.records import CompoundSearchCandidate, SlimCompound
from biofact.sources.chembl.service import CHEMBL, UNICHEM

LATENCY = Latency({"": 0.050})
COUNT = 100
PREFERRED_COUNT, TRADED_COUNT = 60, 30
BATCH_COUNT = 10
ALONE_COUNT = 20
AT_ONCE_RUNS = 15
SLIM_RUNS = 7
WHOLE_RUNS = 3
HANGING_SECONDS = 10.0
QUIET_SECONDS = 0.5  # between timed parts
ASPIRIN = "CHEMBL:25"

CARELESS = {
    "ibuprofne": "CHEMBL:521",
    "asprin": "CHEMBL:25",
    "imatinab": "CHEMBL:941",
    "erlotinb": "CHEMBL:553",
    "metfromin": "CHEMBL:1431",
    "imat": "CHEMBL:941",
    "erlot": "CHEMBL:553",
    "ibupro": "CHEMBL:521",
    "metfor": "CHEMBL:1431",
    "pembro": "CHEMBL:3137343",
}
"""Five misspelled names and five beginnings, each with what is meant."""

CompoundCall = Callable[[ChEMBLClient], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Search:
    """One search whose requests are promised."""

    label: str
    query: str
    most_requests: int
    """Requests."""
    compound: str | None
    """Which has to be found; None for nothing at all."""


SEARCHES = (
    Search("a trade name", "Gleevec", 1, "CHEMBL:941"),
    Search("a research code", "STI-571", 1, "CHEMBL:941"),
    Search("an abbreviated salt", "metformin HCl", 1, "CHEMBL:1703"),
    Search("a beginning", "imat", 3, "CHEMBL:941"),
    Search("a typo", "ibuprofne", 5, "CHEMBL:521"),
    Search("a miss", "xyzzyquux", 5, None),
    Search("an ID", "CHEMBL25", 1, "CHEMBL:25"),
    Search("an InChIKey", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N", 1, "CHEMBL:25"),
    Search("a SMILES", "CC(=O)Oc1ccccc1C(=O)O", 1, "CHEMBL:25"),
)


@at_both_sizes
def measure() -> list[Result]:
    """Every figure, in one run."""
    with sandbox_process(latency=LATENCY) as sandbox:
        return asyncio.run(_measure(sandbox))


async def _measure(sandbox: SandboxProcess) -> list[Result]:
    molecules = rows_of_starter()["molecule"]
    compounds = [_curie(row) for row in molecules][:COUNT]
    batch_ids = [_curie(row) for row in molecules if row["molecule_structures"] and not row["molecule_hierarchy"]][
        :BATCH_COUNT
    ]
    names = _names(molecules)
    async with open_client(ChEMBLClient, sandbox) as chembl:  # loads the modules, which the rival's have been
        await asyncio.gather(chembl.search_compounds("aspirin"), chembl.get_compound(ASPIRIN))
    results = await _searches_at_once(sandbox, names)
    results += await _calls_alone(sandbox, list(names)[:ALONE_COUNT], batch_ids)
    results += [await _search(sandbox, search) for search in SEARCHES]
    results += await _slim_batch(sandbox, batch_ids) + await _whole_batch(sandbox, batch_ids)
    results += await _while_hanging(sandbox) + await _at_once(sandbox, compounds)
    return [*results, *await _repeats(sandbox, batch_ids)]


def _curie(molecule: Row) -> str:
    return f"CHEMBL:{molecule['molecule_chembl_id'].removeprefix('CHEMBL')}"


def _names(molecules: Sequence[Row]) -> dict[str, str]:
    """A hundred different queries with the compound of each: most are preferred or trade names of one word."""
    preferred_names = {
        row["pref_name"].casefold(): _curie(row) for row in molecules if (row["pref_name"] or "").isalpha()
    }
    trade_names = {
        name.casefold(): _curie(row)
        for row in molecules
        for name in row["molecule_synonyms"].get("TRADE_NAME", ())
        if name.isalpha() and name.casefold() not in preferred_names
    }
    names = (
        dict([*list(preferred_names.items())[:PREFERRED_COUNT], *list(trade_names.items())[:TRADED_COUNT]]) | CARELESS
    )
    if len(names) != COUNT:
        raise ValueError(f"the starter facts have {len(names)} such names only; expected {COUNT}")
    return names


async def _searches_at_once(sandbox: SandboxProcess, names: dict[str, str]) -> list[Result]:
    await _quiet(sandbox)
    start = time.perf_counter()
    async with open_client(ChEMBLClient, sandbox) as chembl:
        pages = await asyncio.gather(*(chembl.search_compounds(name) for name in names))
        seconds = time.perf_counter() - start
    for (name, compound), page in zip(names.items(), pages, strict=True):
        _check_found(name, compound, page.items)
    requests = sandbox.requests()
    refused_requests = [request for request in requests if request["status"] != HTTPStatus.OK]
    least_seconds = len(requests) / CHEMBL.per_second
    note = f"{len(requests)} requests in {seconds:.2f} s, {len(requests) / seconds:.2f} a second"
    label = f"{len(names)} searches at once"
    return [
        at_most(f"{label}: answers other than 200", len(refused_requests), 0, "answers", note="and no search failed"),
        at_most(f"{label}: most requests within a second", most_in_a_second(requests), 10, "requests"),
        Result(f"{label}: share of what the budget allows", least_seconds / seconds, 0.87, "", note=note),
    ]


async def _search(sandbox: SandboxProcess, search: Search) -> Result:
    await _quiet(sandbox)
    async with open_client(ChEMBLClient, sandbox) as chembl:
        page = await chembl.search_compounds(search.query)
    if search.compound is None and page.items:
        raise ValueError(f"{search.query!r} found {page.items[0].id}; expected nothing")
    if search.compound is not None:
        _check_found(search.query, search.compound, page.items)
    promise = f"requests of a search: {search.label} ({search.query!r})"
    return at_most(promise, len(answered_requests(sandbox)), search.most_requests, "requests")


def _check_found(query: str, compound: str, candidates: Sequence[CompoundSearchCandidate]) -> None:
    """Among the first five, or as a form of one of them."""
    ids = {
        one_id for candidate in candidates[:5] for one_id in (candidate.id, *(form.id for form in candidate.salt_forms))
    }
    if compound not in ids:
        raise ValueError(f"{query!r} found {sorted(ids)}; expected {compound}")


async def _calls_alone(sandbox: SandboxProcess, names: Sequence[str], compounds: Sequence[str]) -> list[Result]:
    return [
        *await _slowest(sandbox, "a search of a plain name", [_search_of(name) for name in names], (1, 2.0)),
        *await _slowest(
            sandbox, "a slim compound", [_compound_of(compound, slim=True) for compound in compounds], (1, 1.0)
        ),
        *await _slowest(
            sandbox, "a whole compound", [_compound_of(compound, slim=False) for compound in compounds], (7, 1.0)
        ),
    ]


def _search_of(name: str) -> CompoundCall:
    return lambda chembl: chembl.search_compounds(name)


def _compound_of(compound: str, *, slim: bool) -> CompoundCall:
    return lambda chembl: chembl.get_compound(compound, slim=slim)


async def _slowest(
    sandbox: SandboxProcess, label: str, calls: Sequence[CompoundCall], limits: tuple[int, float]
) -> list[Result]:
    """The most requests and seconds of these calls, each by a client of its own."""
    runs = [await _one_call(sandbox, ask) for ask in calls]
    seconds, request_count = (max(figures) for figures in zip(*runs, strict=True))
    note = f"the slowest of {len(runs)}; the median {statistics.median(run[0] for run in runs):.3f} s"
    return [
        at_most(f"{label}, requests", request_count, limits[0], "requests"),
        at_most(f"{label}, seconds", seconds, limits[1], "s", note=note),
    ]


async def _one_call(sandbox: SandboxProcess, ask: CompoundCall) -> tuple[float, int]:
    """Seconds and requests of one call."""
    await _quiet(sandbox)
    start = time.perf_counter()
    async with open_client(ChEMBLClient, sandbox) as chembl:
        await ask(chembl)
        seconds = time.perf_counter() - start
    return seconds, len(answered_requests(sandbox))


async def _slim_batch(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    runs = [(await _batch_seconds(sandbox, compounds), await _one_by_one(sandbox, compounds)) for _ in range(SLIM_RUNS)]
    batch_seconds, single_seconds = (statistics.median(seconds) for seconds in zip(*runs, strict=True))
    note = f"medians of {SLIM_RUNS}: {batch_seconds:.3f} s against {single_seconds:.3f} s"
    promise = "ten slim compounds in a batch, of the time one by one"
    return [at_most(promise, 100 * batch_seconds / single_seconds, 30, "%", note=note)]


async def _whole_batch(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    """Until it answers, and until asking again gives them all with their identifiers elsewhere."""
    runs = [
        (*await _whole_together(sandbox, compounds), await _one_by_one(sandbox, compounds, slim=False))
        for _ in range(WHOLE_RUNS)
    ]
    first, partials, complete, single_seconds = (statistics.median(figures) for figures in zip(*runs, strict=True))
    label, comparison = "ten whole compounds in a batch", f"s against {single_seconds:.2f} s"
    reason = f"UniChem is asked {UNICHEM.per_second:g} times a second and has no batch"
    return [
        at_most(
            f"{label}, of the time one by one",
            *(100 * first / single_seconds, 60, "%"),
            note=f"{first:.2f} {comparison}, medians of {WHOLE_RUNS}; {partials:g} say that UniChem was not waited for",
        ),
        at_most(
            f"{label}, asked until complete, of the time one by one",
            *(100 * complete / single_seconds, 100, "%"),
            note=f"{complete:.2f} {comparison}; {reason}",
        ),
    ]


async def _batch_seconds(sandbox: SandboxProcess, compounds: list[str]) -> float:
    """Seconds of a slim batch."""
    await _quiet(sandbox)
    start = time.perf_counter()
    async with open_client(ChEMBLClient, sandbox) as chembl:
        batch = await chembl.get_compounds_batch(compounds)
        seconds = time.perf_counter() - start
    _check(batch.items, compounds)
    return seconds


async def _whole_together(sandbox: SandboxProcess, compounds: list[str]) -> tuple[float, int, float]:
    """Seconds of a batch, how many compounds lacked something, and seconds until asking again gave all of it."""
    await _quiet(sandbox)
    rounds: list[tuple[float, int]] = []
    start = time.perf_counter()
    async with open_client(ChEMBLClient, sandbox) as chembl:
        while not rounds or rounds[-1][1]:
            batch = await chembl.get_compounds_batch(compounds, slim=False)
            rounds.append((time.perf_counter() - start, sum(map(_is_lacking, _check(batch.items, compounds)))))
    return *rounds[0], rounds[-1][0]


async def _one_by_one(sandbox: SandboxProcess, compounds: list[str], *, slim: bool = True) -> float:
    """Seconds of single calls, each after the other."""
    await _quiet(sandbox)
    start = time.perf_counter()
    async with open_client(ChEMBLClient, sandbox) as chembl:
        rows = [await chembl.get_compound(compound, slim=slim) for compound in compounds]
        seconds = time.perf_counter() - start
    if any(map(_is_lacking, _check(rows, compounds))):
        raise ValueError("not whole compounds")
    return seconds


def _is_lacking(compound: SlimCompound) -> bool:
    return any(notice.code == "LEG_FAILED" for notice in compound.notices)


async def _while_hanging(sandbox: SandboxProcess) -> list[Result]:
    """UniChem takes ten seconds for one answer; the next call comes when it has answered."""
    await _quiet(sandbox)
    sandbox.set_faults(Fault("delay", UNICHEM.name, seconds=HANGING_SECONDS))
    async with open_client(ChEMBLClient, sandbox) as chembl:
        start = time.perf_counter()
        first = await chembl.get_compound(ASPIRIN)
        seconds = time.perf_counter() - start
        await asyncio.sleep(HANGING_SECONDS - seconds)
        await _quiet(sandbox)
        next_answer = await chembl.get_compound(ASPIRIN)
        request_count = len(answered_requests(sandbox))
    if not _is_lacking(first) or _is_lacking(next_answer):
        raise ValueError("UniChem did not hang, or never answered")
    label = "a whole compound while UniChem hangs"
    note = f"with a notice; UniChem took {HANGING_SECONDS:g} s"
    return [
        at_most(f"{label}, seconds", seconds, 2.5, "s", note=note),
        at_most(f"{label}: what the next call lacks", _is_lacking(next_answer), 0, "legs"),
        at_most(f"{label}: requests of the next call", request_count, 0, "requests"),
    ]


async def _at_once(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    """Against the rival."""
    runs = [await _batch_seconds(sandbox, compounds) for _ in range(AT_ONCE_RUNS)]
    own_seconds, request_count = statistics.median(runs), len(answered_requests(sandbox))
    rival = await _rival(sandbox, compounds)
    even_seconds = (len(compounds) - 1) / CHEMBL.per_second
    note = (
        f"{own_seconds:.4f} s, the median of {AT_ONCE_RUNS}, against {rival:.1f} s; "
        f"{even_seconds / own_seconds:.0f} against {even_seconds:g} s, in which ten a second could not be faster"
    )
    return [
        at_most("100 slim compounds at once, requests", request_count, 2, "requests"),
        Result("100 slim compounds at once, times faster", rival / own_seconds, 40, "x", note=note),
    ]


async def _rival(sandbox: SandboxProcess, compounds: list[str]) -> float:
    await _quiet(sandbox)
    start = time.perf_counter()  # from nothing, as ours: client and connection included
    rival = ChEMBLRival(sandbox.environment()[CHEMBL.base_url.name], per_second=CHEMBL.per_second)
    answers = await asyncio.gather(*(rival.get_compound(compound.replace(":", "")) for compound in compounds))
    seconds = time.perf_counter() - start
    await rival.aclose()
    if [answer["id"] for answer in answers] != [compound.replace(":", "") for compound in compounds]:
        raise ValueError("not the compounds that were asked for")
    return seconds


async def _repeats(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    async with open_client(ChEMBLClient, sandbox) as chembl:
        identical_requests = await count_requests(
            sandbox, lambda: asyncio.gather(*(chembl.get_compound(ASPIRIN) for _ in range(10)))
        )
        repeat_requests = await count_requests(sandbox, lambda: chembl.get_compound(ASPIRIN))
        await chembl.get_compounds_batch(compounds)
        after_batch = await count_requests(sandbox, lambda: chembl.get_compound(compounds[-1], slim=True))
        for compound in compounds:
            await chembl.get_compound(compound)
        all_again = await count_requests(sandbox, lambda: chembl.get_compounds_batch(compounds, slim=False))
    note = "ligands that PDBe does not know are among them"
    return [
        at_most("requests of ten identical calls", identical_requests, 7, "requests"),
        at_most("requests of a repeat", repeat_requests, 0, "requests"),
        at_most("requests of a repeat of ten whole compounds", all_again, 0, "requests", note=note),
        at_most("requests of a slim compound after a batch", after_batch, 0, "requests"),
    ]


async def _quiet(sandbox: SandboxProcess) -> None:
    """Wait until cancelled requests have ended, and count from there."""
    await asyncio.sleep(QUIET_SECONDS)
    sandbox.forget_requests()


def _check(rows: Sequence[SlimCompound | ErrorEnvelope], compounds: Sequence[str]) -> list[SlimCompound]:
    """The compounds that were asked for, all of them."""
    known = [row for row in rows if isinstance(row, SlimCompound)]
    if [compound.id for compound in known] != list(compounds):
        raise ValueError("not the compounds that were asked for")
    return known


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
