"""ChEMBL compounds: 100 searches at once, batches against single calls and the rival, and what each question costs.

``python -m benchmarks.chembl [--json FILE]``. The sandbox runs in a process of its own and takes 50 ms for each
request on every path, without jitter; what it counts is what was sent. It keeps no limit, for ChEMBL, UniChem and PDBe
publish none: the pace that it sees is the client's own. Every figure begins with an empty cache, a fresh budget and
the client still to be made. Needs no recordings.
"""

import argparse
import asyncio
import bisect
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

from benchmarks.report import Result, write_report
from benchmarks.rival import ChEMBLRival
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.settings import Settings
from biofact.sandbox import SandboxProcess
from biofact.sandbox.faults import Fault, Latency
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sandbox.tables import Row
from biofact.sources.chembl.client import ChEMBLClient
from biofact.sources.chembl.records import CompoundSearchCandidate, SlimCompound
from biofact.sources.chembl.service import CHEMBL, UNICHEM
from biofact.transport.stack import Transport

LATENCY = Latency({"": 0.050})
COUNT = 100
PREFERRED, TRADED = 60, 30
FEW = 10
ALONE = 20
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
"""Five misspelt names and five beginnings, each with what is meant."""

CompoundCall = Callable[[ChEMBLClient], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Search:
    """One search whose requests are promised."""

    what: str
    query: str
    most: int
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


def measured() -> list[Result]:
    """Every figure, in one run."""
    with SandboxProcess(latency=LATENCY) as sandbox:
        return asyncio.run(_measured(sandbox))


async def _measured(sandbox: SandboxProcess) -> list[Result]:
    molecules = rows_of_starter()["molecule"]
    compounds = [_curie(row) for row in molecules][:COUNT]
    few = [_curie(row) for row in molecules if row["molecule_structures"] and not row["molecule_hierarchy"]][:FEW]
    names = _names(molecules)
    async with _client(sandbox) as chembl:  # loads the modules, which the rival's have been
        await asyncio.gather(chembl.search_compounds("aspirin"), chembl.get_compound(ASPIRIN))
    results = await _searches_at_once(sandbox, names)
    results += await _calls_alone(sandbox, list(names)[:ALONE], few)
    results += [await _search(sandbox, search) for search in SEARCHES]
    results += await _slim_batch(sandbox, few) + await _whole_batch(sandbox, few)
    results += await _hanging(sandbox) + await _at_once(sandbox, compounds)
    return [*results, *await _repeats(sandbox, few)]


def _curie(molecule: Row) -> str:
    return f"CHEMBL:{molecule['molecule_chembl_id'].removeprefix('CHEMBL')}"


def _names(molecules: Sequence[Row]) -> dict[str, str]:
    """A hundred different queries with the compound of each: most are preferred or trade names of one word."""
    preferred = {row["pref_name"].casefold(): _curie(row) for row in molecules if (row["pref_name"] or "").isalpha()}
    traded = {
        name.casefold(): _curie(row)
        for row in molecules
        for name in row["molecule_synonyms"].get("TRADE_NAME", ())
        if name.isalpha() and name.casefold() not in preferred
    }
    names = dict([*list(preferred.items())[:PREFERRED], *list(traded.items())[:TRADED]]) | CARELESS
    if len(names) != COUNT:
        raise ValueError(f"the starter facts have {len(names)} such names only; expected {COUNT}")
    return names


@asynccontextmanager
async def _client(sandbox: SandboxProcess) -> AsyncIterator[ChEMBLClient]:
    """A client with an empty cache and a fresh budget."""
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder}))
        try:
            yield ChEMBLClient(transport)
        finally:
            await transport.aclose()


async def _searches_at_once(sandbox: SandboxProcess, names: dict[str, str]) -> list[Result]:
    await _quiet(sandbox)
    start = time.perf_counter()
    async with _client(sandbox) as chembl:
        pages = await asyncio.gather(*(chembl.search_compounds(name) for name in names))
        seconds = time.perf_counter() - start
    for (name, compound), found in zip(names.items(), pages, strict=True):
        _check_found(name, compound, found.items)
    requests = sandbox.requests()
    refused = [request for request in requests if request["status"] != HTTPStatus.OK]
    least = len(requests) / CHEMBL.per_second
    note = f"{len(requests)} requests in {seconds:.2f} s, {len(requests) / seconds:.2f} a second"
    what = f"{len(names)} searches at once"
    return [
        Result(
            f"{what}: answers other than 200", len(refused), 0, "answers", is_at_most=True, note="and no search failed"
        ),
        Result(f"{what}: most requests within a second", _most_in_a_second(requests), 10, "requests", is_at_most=True),
        Result(f"{what}: share of what the budget allows", least / seconds, 0.87, "", note=note),
    ]


def _most_in_a_second(requests: Sequence[dict[str, Any]]) -> int:
    """By when they arrived."""
    arrived = sorted(request["at"] for request in requests)
    return max(bisect.bisect_left(arrived, first + 1.0) - place for place, first in enumerate(arrived))


async def _search(sandbox: SandboxProcess, search: Search) -> Result:
    await _quiet(sandbox)
    async with _client(sandbox) as chembl:
        found = await chembl.search_compounds(search.query)
    if search.compound is None and found.items:
        raise ValueError(f"{search.query!r} found {found.items[0].id}; expected nothing")
    if search.compound is not None:
        _check_found(search.query, search.compound, found.items)
    promise = f"requests of a search: {search.what} ({search.query!r})"
    return Result(promise, len(_asked(sandbox)), search.most, "requests", is_at_most=True)


def _check_found(query: str, compound: str, found: Sequence[CompoundSearchCandidate]) -> None:
    """Among the first five, or as a form of one of them."""
    ids = {one_id for one in found[:5] for one_id in (one.id, *(form.id for form in one.salt_forms))}
    if compound not in ids:
        raise ValueError(f"{query!r} found {sorted(ids)}; expected {compound}")


async def _calls_alone(sandbox: SandboxProcess, names: Sequence[str], compounds: Sequence[str]) -> list[Result]:
    return [
        *await _slowest(sandbox, "a search of a plain name", [_search_of(name) for name in names], (1, 2.0)),
        *await _slowest(sandbox, "a slim compound", [_compound_of(one, slim=True) for one in compounds], (1, 1.0)),
        *await _slowest(sandbox, "a whole compound", [_compound_of(one, slim=False) for one in compounds], (7, 1.0)),
    ]


def _search_of(name: str) -> CompoundCall:
    return lambda chembl: chembl.search_compounds(name)


def _compound_of(compound: str, *, slim: bool) -> CompoundCall:
    return lambda chembl: chembl.get_compound(compound, slim=slim)


async def _slowest(
    sandbox: SandboxProcess, what: str, calls: Sequence[CompoundCall], most: tuple[int, float]
) -> list[Result]:
    """The most requests and seconds of these calls, each by a client of its own."""
    runs = [await _alone(sandbox, ask) for ask in calls]
    seconds, asked = (max(figures) for figures in zip(*runs, strict=True))
    note = f"the slowest of {len(runs)}; the median {statistics.median(run[0] for run in runs):.3f} s"
    return [
        Result(f"{what}, requests", asked, most[0], "requests", is_at_most=True),
        Result(f"{what}, seconds", seconds, most[1], "s", is_at_most=True, note=note),
    ]


async def _alone(sandbox: SandboxProcess, ask: CompoundCall) -> tuple[float, int]:
    """Seconds and requests of one call."""
    await _quiet(sandbox)
    start = time.perf_counter()
    async with _client(sandbox) as chembl:
        await ask(chembl)
        seconds = time.perf_counter() - start
    return seconds, len(_asked(sandbox))


async def _slim_batch(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    runs = [(await _together(sandbox, compounds), await _one_by_one(sandbox, compounds)) for _ in range(SLIM_RUNS)]
    together, singly = (statistics.median(seconds) for seconds in zip(*runs, strict=True))
    note = f"medians of {SLIM_RUNS}: {together:.3f} s against {singly:.3f} s"
    promise = "ten slim compounds in a batch, of the time one by one"
    return [Result(promise, 100 * together / singly, 30, "%", is_at_most=True, note=note)]


async def _whole_batch(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    """Until it answers, and until asking again gives them all with their identifiers elsewhere."""
    runs = [
        (*await _whole_together(sandbox, compounds), await _one_by_one(sandbox, compounds, slim=False))
        for _ in range(WHOLE_RUNS)
    ]
    first, lacking, complete, singly = (statistics.median(figures) for figures in zip(*runs, strict=True))
    what, against = "ten whole compounds in a batch", f"s against {singly:.2f} s"
    why = f"UniChem is asked {UNICHEM.per_second:g} times a second and has no batch"
    return [
        Result(
            f"{what}, of the time one by one",
            *(100 * first / singly, 60, "%"),
            is_at_most=True,
            note=f"{first:.2f} {against}, medians of {WHOLE_RUNS}; {lacking:g} say that UniChem was not waited for",
        ),
        Result(
            f"{what}, asked until complete, of the time one by one",
            *(100 * complete / singly, 100, "%"),
            is_at_most=True,
            note=f"{complete:.2f} {against}; {why}",
        ),
    ]


async def _together(sandbox: SandboxProcess, compounds: list[str]) -> float:
    """Seconds of a slim batch."""
    await _quiet(sandbox)
    start = time.perf_counter()
    async with _client(sandbox) as chembl:
        found = await chembl.get_compounds_batch(compounds)
        seconds = time.perf_counter() - start
    _check(found.items, compounds)
    return seconds


async def _whole_together(sandbox: SandboxProcess, compounds: list[str]) -> tuple[float, int, float]:
    """Seconds of a batch, how many compounds lacked something, and seconds until asking again gave all of it."""
    await _quiet(sandbox)
    rounds: list[tuple[float, int]] = []
    start = time.perf_counter()
    async with _client(sandbox) as chembl:
        while not rounds or rounds[-1][1]:
            found = await chembl.get_compounds_batch(compounds, slim=False)
            rounds.append((time.perf_counter() - start, sum(map(_is_lacking, _check(found.items, compounds)))))
    return *rounds[0], rounds[-1][0]


async def _one_by_one(sandbox: SandboxProcess, compounds: list[str], *, slim: bool = True) -> float:
    """Seconds of single calls, each after the other."""
    await _quiet(sandbox)
    start = time.perf_counter()
    async with _client(sandbox) as chembl:
        found = [await chembl.get_compound(compound, slim=slim) for compound in compounds]
        seconds = time.perf_counter() - start
    if any(map(_is_lacking, _check(found, compounds))):
        raise ValueError("not whole compounds")
    return seconds


def _is_lacking(compound: SlimCompound) -> bool:
    return any(notice.code == "LEG_FAILED" for notice in compound.notices)


async def _hanging(sandbox: SandboxProcess) -> list[Result]:
    """UniChem takes ten seconds for one answer; the next call comes when it has answered."""
    await _quiet(sandbox)
    sandbox.set_faults(Fault("delay", UNICHEM.name, seconds=HANGING_SECONDS))
    async with _client(sandbox) as chembl:
        start = time.perf_counter()
        first = await chembl.get_compound(ASPIRIN)
        seconds = time.perf_counter() - start
        await asyncio.sleep(HANGING_SECONDS - seconds)
        await _quiet(sandbox)
        again = await chembl.get_compound(ASPIRIN)
        asked = len(_asked(sandbox))
    if not _is_lacking(first) or _is_lacking(again):
        raise ValueError("UniChem did not hang, or never answered")
    what = "a whole compound while UniChem hangs"
    note = f"with a notice; UniChem took {HANGING_SECONDS:g} s"
    return [
        Result(f"{what}, seconds", seconds, 2.5, "s", is_at_most=True, note=note),
        Result(f"{what}: what the next call lacks", _is_lacking(again), 0, "legs", is_at_most=True),
        Result(f"{what}: requests of the next call", asked, 0, "requests", is_at_most=True),
    ]


async def _at_once(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    """Against the rival."""
    runs = [await _together(sandbox, compounds) for _ in range(AT_ONCE_RUNS)]
    ours, asked = statistics.median(runs), len(_asked(sandbox))
    rival = await _rival(sandbox, compounds)
    evenly = (len(compounds) - 1) / CHEMBL.per_second
    note = (
        f"{ours:.4f} s, the median of {AT_ONCE_RUNS}, against {rival:.1f} s; "
        f"{evenly / ours:.0f} against {evenly:g} s, in which ten a second could not be faster"
    )
    return [
        Result("100 slim compounds at once, requests", asked, 2, "requests", is_at_most=True),
        Result("100 slim compounds at once, times faster", rival / ours, 40, "x", note=note),
    ]


async def _rival(sandbox: SandboxProcess, compounds: list[str]) -> float:
    await _quiet(sandbox)
    start = time.perf_counter()  # from nothing, as ours: client and connection included
    rival = ChEMBLRival(sandbox.environment()[CHEMBL.base_url.name], per_second=CHEMBL.per_second)
    found = await asyncio.gather(*(rival.get_compound(one.replace(":", "")) for one in compounds))
    seconds = time.perf_counter() - start
    await rival.aclose()
    if [one["id"] for one in found] != [one.replace(":", "") for one in compounds]:
        raise ValueError("not the compounds that were asked for")
    return seconds


async def _repeats(sandbox: SandboxProcess, compounds: list[str]) -> list[Result]:
    async with _client(sandbox) as chembl:
        same = await _requests(sandbox, lambda: asyncio.gather(*(chembl.get_compound(ASPIRIN) for _ in range(10))))
        again = await _requests(sandbox, lambda: chembl.get_compound(ASPIRIN))
        await chembl.get_compounds_batch(compounds)
        after_batch = await _requests(sandbox, lambda: chembl.get_compound(compounds[-1], slim=True))
        for compound in compounds:
            await chembl.get_compound(compound)
        all_again = await _requests(sandbox, lambda: chembl.get_compounds_batch(compounds, slim=False))
    note = "ligands that PDBe does not know are among them"
    return [
        Result("requests of ten identical calls", same, 7, "requests", is_at_most=True),
        Result("requests of a repeat", again, 0, "requests", is_at_most=True),
        Result("requests of a repeat of ten whole compounds", all_again, 0, "requests", is_at_most=True, note=note),
        Result("requests of a slim compound after a batch", after_batch, 0, "requests", is_at_most=True),
    ]


async def _requests(sandbox: SandboxProcess, ask: Callable[[], Awaitable[object]]) -> int:
    sandbox.forget_requests()
    await ask()
    return len(_asked(sandbox))


async def _quiet(sandbox: SandboxProcess) -> None:
    """Wait until what was called off has ended, and count anew."""
    await asyncio.sleep(QUIET_SECONDS)
    sandbox.forget_requests()


def _check(found: Sequence[SlimCompound | ErrorEnvelope], compounds: Sequence[str]) -> list[SlimCompound]:
    """The compounds that were asked for, all of them."""
    known = [one for one in found if isinstance(one, SlimCompound)]
    if [one.id for one in known] != list(compounds):
        raise ValueError("not the compounds that were asked for")
    return known


def _asked(sandbox: SandboxProcess) -> list[str]:
    """The paths that were asked for; nothing was refused but entries of a ligand that PDBe does not know."""
    requests = sandbox.requests()
    answers = {HTTPStatus.OK, HTTPStatus.NOT_FOUND}
    if failed := [request for request in requests if request["status"] not in answers]:
        raise ValueError(f"the sandbox refused {failed[0]['path']} with {failed[0]['status']}")
    return [request["path"] for request in requests]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    raise SystemExit(write_report(measured(), parser.parse_args().json))
