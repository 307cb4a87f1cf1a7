"""Services that fail in every way, under many callers: every call ends in time, and every announced wait is true.

``python -m benchmarks.chaos [--seconds N] [--seed N] [--json FILE]``. An hour in virtual time: the sandbox in process,
at the services' real rates and with our real deadlines, while one service after the other answers 429 with every kind
of Retry-After, fails, hangs, drips, is cut or is dead. 200 callers ask all five sources. The same hour without faults
tells what the other sources may be slowed to: nothing. Needs no recordings.
"""

import asyncio
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from typing import Any

from tests import virtual_time
from tests.in_process import in_process

from benchmarks.report import Result, at_most, run
from biofact import ChEMBLClient, EnsemblClient, EntrezClient, IGVFClient, PubMedClient
from biofact.core.errors import BiofactError, RetryAfter
from biofact.core.settings import Settings
from biofact.sandbox import Fault, Sandbox
from biofact.transport.ask.flight import NO_ANSWER
from biofact.transport.service import DO_NOT_DISTURB, IS_DOWN, QUEUE_TOO_LONG, SLOW_DOWN
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

HOUR_SECONDS = 3600.0
CALLERS = 200
SEED = 14
RACING_CALLS = 12
PAUSE_SECONDS = 45.0
"""A caller's pause between two calls, on average."""
TRUE_WITHIN_SECONDS = 2.0
_ROUNDING_SECONDS = 1e-3  # of sums of times
DEADLINE_SECONDS = Timing().deadline_seconds
_TITLES = {
    service.name: service.title
    for client in (EntrezClient, PubMedClient, EnsemblClient, ChEMBLClient, IGVFClient)
    for service in client.services
}
SETTLED_SECONDS = 60.0
"""After a fault, until what waited for it is through."""
SERVICES = {
    "entrez": ("ncbi",),
    "pubmed": ("ncbi", "icite"),
    "ensembl": ("ensembl", "ebisearch"),
    "chembl": ("chembl", "unichem", "pdbe"),
    "igvf": ("igvf",),
}


def _status(status: int, wish: str = "") -> Fault:
    return Fault("status", status=status, headers={"Retry-After": wish} if wish else {}, times=None)


WEATHER: tuple[Fault, ...] = (
    *(_status(429, wish) for wish in ("2", "0.5", "20", "45", "DATE", "", "soon")),
    *(replace(_status(429, wish), times=1) for wish in ("20", "40")),  # one hears of it while others wait
    *(_status(503, wish) for wish in ("", "5", "40", "DATE")),
    _status(500),
    Fault("html", times=None),
    Fault("slow_body", size=200, seconds=1.0, times=None),
    Fault("short", at=60, times=None),
    Fault("truncate", at=60, times=None),
    Fault("reset", at=40, times=None),
    Fault("close", times=None),
    Fault("delay", seconds=25.0, times=None),
)
"""The faults that strike one service after the other; a date is ten seconds ahead."""
_DATE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Spell:
    """A while in which one service fails in one way."""

    service: str
    fault: Fault
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Call:
    """A call that ended, in an answer or an envelope."""

    source: str
    start: float
    end: float
    error: BiofactError | None
    is_return: bool = False
    """The call was made at the time that an earlier refusal named."""

    @property
    def wait(self) -> float | None:
        """The seconds to wait, from the refusal."""
        recovery = self.error.recovery if self.error is not None else None
        return recovery.seconds if isinstance(recovery, RetryAfter) else None

    def says(self, words: str) -> bool:
        """Whether its message holds these words."""
        return self.error is not None and words in self.error.message


@dataclass(slots=True)
class Hour:
    """The events of an hour."""

    spells: list[Spell] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    pauses: list[tuple[str, float, float]] = field(default_factory=list)
    """Service, when it asked to be left alone, and until when."""

    def is_settled(self, call: Call) -> bool:
        """Whether none of the call's services failed while it ran, nor shortly before."""
        return not any(
            spell.service in SERVICES[call.source]
            and spell.start - 1.0 < call.end
            and call.start < spell.end + SETTLED_SECONDS
            for spell in self.spells
        )

    def is_undisturbed(self, call: Call) -> bool:
        """Whether none of the call's services failed while it ran, or asked to be left alone."""
        services = SERVICES[call.source]
        spells = ((spell.service, spell.start - 1.0, spell.end) for spell in self.spells)
        return not any(
            service in services and start < call.end and call.start < end
            for service, start, end in (*spells, *self.pauses)
        )


Question = Callable[[random.Random], Awaitable[Any]]


def questions(transport: Transport) -> dict[str, list[Question]]:
    """Questions of every kind, each with a name or ID that is new to the cache."""
    entrez, pubmed, ensembl = EntrezClient(transport), PubMedClient(transport), EnsemblClient(transport)
    chembl, igvf = ChEMBLClient(transport), IGVFClient(transport)

    def name(draw: random.Random) -> str:
        return "".join(draw.choices("bcdfghjklmnpqrstvwxz", k=10))

    def number(draw: random.Random) -> int:
        return draw.randrange(1_000_000, 30_000_000)

    return {
        "entrez": [
            lambda draw: entrez.search_genes(name(draw)),
            lambda draw: entrez.get_gene(f"NCBIGene:{number(draw)}"),
            lambda draw: entrez.get_genes_batch([f"NCBIGene:{number(draw)}" for _ in range(20)]),
        ],
        "pubmed": [
            lambda draw: pubmed.pubmed_search(name(draw)),
            lambda draw: pubmed.pubmed_get_articles([f"PMID:{number(draw)}" for _ in range(5)]),
        ],
        "ensembl": [
            lambda draw: ensembl.search_genes(name(draw)),
            lambda draw: ensembl.get_gene(f"ENSG{number(draw):011}"),
        ],
        "chembl": [
            lambda draw: chembl.search_compounds(name(draw)),
            lambda draw: chembl.get_compound(f"CHEMBL:{number(draw)}"),
        ],
        "igvf": [
            lambda draw: igvf.get_entity(f"rs{number(draw)}"),
            lambda draw: igvf.get_entity(f"ENSG{number(draw):011}"),
        ],
    }


async def caller(hour: Hour, questions_by_source: dict[str, list[Question]], draw: random.Random, until: float) -> None:
    """Asks, pauses, and comes back at the named time, every other time."""
    while True:
        await asyncio.sleep(draw.expovariate(1 / PAUSE_SECONDS))
        if virtual_time.now() > until:
            return
        source = draw.choice(list(questions_by_source))
        call = await ask(source, draw.choice(questions_by_source[source]), draw)
        hour.calls.append(call)
        if call.wait is not None and draw.random() < 0.5:
            await asyncio.sleep(call.wait)
            hour.calls.append(
                replace(await ask(source, draw.choice(questions_by_source[source]), draw), is_return=True)
            )


async def ask(source: str, question: Question, draw: random.Random) -> Call:
    """One call. Anything but an answer or one of our errors ends the run."""
    start = virtual_time.now()
    try:
        await question(draw)
    except BiofactError as error:
        return Call(source, start, virtual_time.now(), error)
    return Call(source, start, virtual_time.now(), None)


async def race(hour: Hour, service: str, questions_by_source: dict[str, list[Question]], draw: random.Random) -> None:
    """Calls at once, of which one is asked to pause while the others connect or wait for their slots."""
    source = next(source for source, services in SERVICES.items() if service in services)
    questions_of_source = questions_by_source[source]
    hour.calls += await asyncio.gather(
        *(ask(source, draw.choice(questions_of_source), draw) for _ in range(RACING_CALLS))
    )


async def weather(
    hour: Hour, sandbox: Sandbox, questions_by_source: dict[str, list[Question]], draw: random.Random
) -> None:
    """One service after the other fails for a while, in every way in turn."""
    services = [service for service_names in SERVICES.values() for service in service_names]
    while True:
        for fault in draw.sample(WEATHER, len(WEATHER)):
            service, start = draw.choice(services), virtual_time.now()
            date = formatdate(virtual_time.wall_now() + _DATE_SECONDS, usegmt=True)
            headers = {key: date if value == "DATE" else value for key, value in fault.headers.items()}
            placed_fault = replace(fault, service=service, headers=headers)
            seen_count = len(sandbox.requests)
            sandbox.faults.set(placed_fault)
            if fault.times == 1:
                await race(hour, service, questions_by_source, draw)
            await asyncio.sleep(draw.uniform(5.0, 60.0))
            sandbox.faults.clear()
            hour.spells.append(Spell(service, fault, start, virtual_time.now()))
            hour.pauses += _pauses(sandbox.requests[seen_count:], placed_fault, start)
            await asyncio.sleep(draw.uniform(5.0, 40.0))


def _pauses(requests: Sequence[Any], fault: Fault, start: float) -> Iterator[tuple[str, float, float]]:
    """When the service asked to be left alone, as the requests show that the fault struck."""
    wish = fault.headers.get("Retry-After", "")
    for request in requests:
        if request.service == fault.service and request.status == fault.status and wish not in {"", "soon"}:
            until = start + _DATE_SECONDS if re.search("[a-z]", wish) else request.at + float(wish)
            yield fault.service, request.at, until


def spend_hour(seconds: float, *, is_rough: bool, callers: int = CALLERS, seed: int = SEED) -> Hour:
    """The calls of this many seconds, with faults or without."""

    async def scenario() -> Hour:
        hour = Hour()
        async with in_process() as (sandbox, network):
            with tempfile.TemporaryDirectory() as folder:
                settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
                connects = random.Random(seed)
                network.set_connect_seconds(lambda: max(0.0, connects.uniform(-4.0, 2.0)))  # one in three takes a while
                transport = Transport(settings, timing=virtual_time.timing(), wire=network)
                questions_by_source = questions(transport)
                blows = (
                    asyncio.create_task(weather(hour, sandbox, questions_by_source, random.Random(seed)))
                    if is_rough
                    else None
                )
                await asyncio.gather(
                    *(
                        caller(hour, questions_by_source, random.Random(seed + number), seconds)
                        for number in range(callers)
                    )
                )
                if blows is not None:
                    blows.cancel()
                    await asyncio.gather(blows, return_exceptions=True)
                await transport.aclose()
        return hour

    return virtual_time.run(scenario())


def untrue_pauses(hour: Hour) -> tuple[list[tuple[Call, float]], int]:
    """Waits for Retry-After that differ from the remaining pause, with it; and the number of waits."""
    wrong, count = [], 0
    for call in hour.calls:
        if call.wait is None or not (call.says(SLOW_DOWN) or call.says(DO_NOT_DISTURB)):
            continue
        remaining = [
            until - call.end
            for service, asked_at, until in hour.pauses
            if service in SERVICES[call.source] and asked_at <= call.end < until
        ]
        if remaining:  # else it is our own patience with a service that names none
            count += 1
            if min(abs(call.wait - pause) for pause in remaining) > TRUE_WITHIN_SECONDS:
                wrong.append((call, max(remaining)))
    return wrong, count


def late_pauses(hour: Hour) -> list[tuple[Call, float]]:
    """Calls that waited beyond the start of a pause that outlasted their time, with the seconds until they heard of it,
    or that blamed the rate while it lasted.
    """
    late = []
    for call in hour.calls:
        for service, asked_at, until in hour.pauses:
            is_outlasted = call.start < asked_at < call.end and until > call.start + DEADLINE_SECONDS
            if not is_outlasted or not call.says(_TITLES[service]) or call.end > until:
                continue
            is_rate_blamed = call.says(QUEUE_TOO_LONG) or call.says(NO_ANSWER)
            heard_late = call.says(SLOW_DOWN) and call.end - asked_at > TRUE_WITHIN_SECONDS
            if is_rate_blamed or heard_late:
                late.append((call, call.end - asked_at))
                break
    return late


def ends(hour: Hour) -> list[Result]:
    """Every call ends in time."""
    answers = sum(call.error is None for call in hour.calls)
    longest = max(call.end - call.start for call in hour.calls)
    return [
        Result("calls that ended in an answer or an envelope", len(hour.calls), 1, "calls", note=f"{answers} answers"),
        at_most("the longest call", longest, DEADLINE_SECONDS + _ROUNDING_SECONDS, "s"),
    ]


def waits(hour: Hour) -> list[Result]:
    """Every announced wait is true."""
    wrong, pauses = untrue_pauses(hour)
    late = late_pauses(hour)
    down = [call for call in hour.calls if call.says(IS_DOWN) and call.wait is not None]
    longest = Timing().breaker_seconds + TRUE_WITHIN_SECONDS
    too_long = sum(not 0 < (call.wait or 0) <= longest for call in down)
    returned_calls = [call for call in hour.calls if call.is_return and hour.is_undisturbed(call)]
    unserved_count = sum(call.says(QUEUE_TOO_LONG) for call in returned_calls)
    return [
        Result("Retry-After told and off by more than 2 s", len(wrong), 0, "waits", True, f"of {pauses}"),
        Result("heard of a pause late, or blamed the rate in it", len(late), 0, "calls", True, f"of {len(hour.calls)}"),
        Result("longer told by the breaker than it is open", too_long, 0, "waits", True, f"of {len(down)}"),
        Result(
            "came back when told and not served, services well",
            unserved_count,
            0,
            "calls",
            True,
            f"of {len(returned_calls)}",
        ),
    ]


def neighbours(rough: Hour, quiet: Hour) -> list[Result]:
    """No source is slowed by the failures of another."""
    rows = []
    for source in SERVICES:
        durations = [call.end - call.start for call in rough.calls if call.source == source and rough.is_settled(call)]
        calm = [call.end - call.start for call in quiet.calls if call.source == source]
        late = statistics.quantiles(durations, n=20)[-1] - statistics.quantiles(calm, n=20)[-1]
        title = f"{source} while others fail: its slowest twentieth later by"
        rows.append(Result(title, late, 1.0, "s", True, f"{len(durations)} calls"))
    return rows


def measure(seconds: float = HOUR_SECONDS, seed: int = SEED) -> list[Result]:
    """Every promise, over this many seconds with faults and as many without."""
    rough, quiet = (spend_hour(seconds, is_rough=is_rough, seed=seed) for is_rough in (True, False))
    return [*ends(rough), *waits(rough), *neighbours(rough, quiet)]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
