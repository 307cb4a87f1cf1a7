"""Many names at once: all that the services' rates allow is answered, the rest refused with a time to come back.

``python -m benchmarks.many [--json FILE]``. The sandbox runs in a process of its own and keeps the services' real
limits; every run begins with an empty cache and a fresh budget. The allowance of a rate is counted in the requests that
the answered calls took. Needs no recordings.
"""

import asyncio
import random
import statistics
import string
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.on_sandbox import at_both_sizes, open_transport, sandbox_process
from benchmarks.report import Result, at_most, run
from biofact import ChEMBLClient, EnsemblClient, EntrezClient, IGVFClient, PubMedClient
from biofact.core.errors import BiofactError, RateLimited, RetryAfter
from biofact.core.organisms import HUMAN
from biofact.dialects.eutils import NCBI
from biofact.sandbox import SandboxProcess
from biofact.sandbox.services.entrez.corpus import starter_genes
from biofact.sources.chembl.service import CHEMBL
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import GUARD

SYMBOLS = [gene.symbol for gene in starter_genes() if gene.taxon_id == HUMAN and gene.status == "live"][:50]
AT_ONCE_SECONDS = 1.0
KNOWN_SECONDS = 3.0
"""Until it is known that a kind of call makes several requests, so that fewer calls can be served."""
DEADLINE_SECONDS = Timing().deadline_seconds

Ask = Callable[[str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome for one caller, and its seconds."""

    seconds: float
    error: BiofactError | None

    @property
    def is_turned_away(self) -> bool:
        """The refusal named a time to come back."""
        return isinstance(self.error, RateLimited) and isinstance(self.error.recovery, RetryAfter)


async def outcome(ask: Ask, name: str) -> Outcome:
    """The outcome of one caller."""
    clock = asyncio.get_running_loop().time
    start = clock()
    try:
        await ask(name)
    except BiofactError as error:
        return Outcome(clock() - start, error)
    return Outcome(clock() - start, None)


async def outcomes(
    environment: Mapping[str, str], questions: Callable[[Transport], Sequence[tuple[Ask, str]]], **options: Any
) -> list[Outcome]:
    """The outcomes of all callers, which ask at the same moment with one transport, as on a gateway."""
    async with open_transport(environment, **options) as transport:
        return list(await asyncio.gather(*(outcome(ask, name) for ask, name in questions(transport))))


def outcomes_of(sandbox: SandboxProcess, questions: Callable[[Transport], Sequence[tuple[Ask, str]]]) -> list[Outcome]:
    """The outcomes; what was asked of the sandbox is counted from here."""
    sandbox.forget_requests()
    return asyncio.run(outcomes(sandbox.environment(), questions))


def made_names(count: int, seed: int) -> list[str]:
    """Names that nothing is called by, and that have nothing in common."""
    letters = random.Random(seed)
    return ["".join(letters.choices(string.ascii_lowercase, k=14)) for _ in range(count)]


def fifty_names(sandbox: SandboxProcess) -> list[Result]:
    """All are answered, though each alone takes three requests of 81."""
    outcomes = outcomes_of(
        sandbox, lambda transport: [(EntrezClient(transport).search_genes, name) for name in SYMBOLS]
    )
    answered_outcomes = [outcome_of_name for outcome_of_name in outcomes if outcome_of_name.error is None]
    slowest = max(outcome_of_name.seconds for outcome_of_name in outcomes)
    return [
        Result("50 names of genes at once, at 3/s: answered", len(answered_outcomes), 50, "names"),
        at_most("50 names of genes at once: the last is answered after", slowest, DEADLINE_SECONDS, "s"),
    ]


def two_hundred_names(sandbox: SandboxProcess) -> list[Result]:
    """All that the rate allows is answered, the rest refused at once."""
    names = [*SYMBOLS, *made_names(150, 200)]
    outcomes = outcomes_of(sandbox, lambda transport: [(EntrezClient(transport).search_genes, name) for name in names])
    requests = len(sandbox.requests())
    allowed = int(DEADLINE_SECONDS / (GUARD / NCBI.per_second)) + 1
    return [
        Result("200 names of genes at once: requests of what the rate allows", requests / allowed, 0.9, "share"),
        *_turned_away("200 names of genes", outcomes),
    ]


def a_hundred_unmatched_compounds(sandbox: SandboxProcess) -> list[Result]:
    """A name that nothing is called by costs ChEMBL several requests; still those are answered that can be."""
    names = made_names(100, 100)
    outcomes = outcomes_of(
        sandbox, lambda transport: [(ChEMBLClient(transport).search_compounds, name) for name in names]
    )
    requests, answer_count = len(sandbox.requests()), sum(outcome_of_name.error is None for outcome_of_name in outcomes)
    single_outcome = outcomes_of(
        sandbox, lambda transport: [(ChEMBLClient(transport).search_compounds, made_names(1, 1)[0])]
    )
    requests_each = len(sandbox.requests()) / len(single_outcome)
    allowed = (DEADLINE_SECONDS / (GUARD / CHEMBL.per_second) + 1) / requests_each
    note = f"{answer_count} of 100; {requests} requests, {requests_each:.0f} a name"
    return [
        Result(
            "100 unmatched names of compounds: answered of what the rate allows",
            answer_count / allowed,
            0.9,
            "share",
            note=note,
        ),
        *_turned_away("100 unmatched names of compounds", outcomes, KNOWN_SECONDS),
    ]


def all_sources(sandbox: SandboxProcess) -> list[Result]:
    """300 names over five sources on one gateway: each source answers what it answers alone."""
    sources: Mapping[str, Callable[[Transport], Ask]] = {
        "NCBI Gene": lambda transport: EntrezClient(transport).search_genes,
        "Ensembl": lambda transport: EnsemblClient(transport).search_genes,
        "ChEMBL": lambda transport: ChEMBLClient(transport).search_compounds,
        "IGVF": lambda transport: IGVFClient(transport).get_entity,
        "PubMed": lambda transport: PubMedClient(transport).pubmed_search,
    }
    names = [*SYMBOLS, *made_names(10, 300)]

    def questions(*source_names: str) -> Callable[[Transport], Sequence[tuple[Ask, str]]]:
        # one caller of each source after the other, as they would come
        return lambda transport: [(sources[source](transport), name) for name in names for source in source_names]

    all_outcomes = outcomes_of(sandbox, questions(*sources))
    rows = []
    for number, source in enumerate(sources):
        source_outcomes = all_outcomes[number :: len(sources)]
        rivals = ("NCBI Gene", "PubMed") if source in {"NCBI Gene", "PubMed"} else (source,)  # they share NCBI's rate
        rival_outcomes = outcomes_of(sandbox, questions(*rivals))[rivals.index(source) :: len(rivals)]
        share = _answer_count(source_outcomes) / max(1, _answer_count(rival_outcomes))
        note = f"{_answer_count(source_outcomes)} of 60, without the others {_answer_count(rival_outcomes)}"
        rows.append(
            Result(f"300 names over five sources: {source} of what it answers alone", share, 0.9, "share", note=note)
        )
    return rows


def _answer_count(outcomes: Sequence[Outcome]) -> int:
    """The number of outcomes that are not refusals."""
    return sum(not outcome_of_name.is_turned_away for outcome_of_name in outcomes)


def _turned_away(label: str, outcomes: Sequence[Outcome], seconds: float = AT_ONCE_SECONDS) -> list[Result]:
    turned_away = [outcome_of_name for outcome_of_name in outcomes if outcome_of_name.error is not None]
    with_time = sum(outcome_of_name.is_turned_away for outcome_of_name in turned_away)
    median = statistics.median(outcome_of_name.seconds for outcome_of_name in turned_away)
    slowest = max(outcome_of_name.seconds for outcome_of_name in outcomes)
    return [
        Result(
            f"{label}: told when to come back, of those not answered",
            with_time / len(turned_away),
            0.95,
            "share",
            note=f"{with_time} of {len(turned_away)}",
        ),
        at_most(f"{label}: refused after, median", median, seconds, "s"),
        at_most(f"{label}: the longest wait of all", slowest, DEADLINE_SECONDS + 1.0, "s"),
    ]


@at_both_sizes
def measure() -> list[Result]:
    """Every promise."""
    with sandbox_process() as sandbox:
        parts = (fifty_names, two_hundred_names, a_hundred_unmatched_compounds, all_sources)
        return [row for part in parts for row in part(sandbox)]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
