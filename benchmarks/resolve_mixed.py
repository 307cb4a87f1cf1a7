"""A column of 1,000 names of all kinds, resolved at once and one by one: the same answers.

``python -m benchmarks.resolve_mixed [--json FILE]``. Genes from the recorded gene files, compounds from the recorded
molecules, and IDs and names of every other kind from the sandbox's starter rows, by a fixed seed; every fifth name is
asked for alone. The services' rates are raised: one by one the names take a thousand requests.
"""

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from benchmarks.on_sandbox import open_transport
from benchmarks.report import Result, at_most, run
from benchmarks.resolve import drawn_names
from benchmarks.symbols import RECORDINGS, SEED, corpus
from biofact.identity.records import ResolvedName
from biofact.identity.resolver import Resolver
from biofact.sandbox import services
from biofact.sandbox.control import SandboxProcess
from biofact.sandbox.services.chembl.corpus import recorded_molecules
from biofact.sources import clients
from biofact.transport.timing import Timing

COUNT = 1000
_DIFFERENT_COUNT = 5
_SAMPLE_SIZE = 60
_STARTER = Path(services.__file__).parent
_SPEED = 50.0
_PATIENT = Timing(rate_factor=_SPEED, deadline_seconds=120.0, read_seconds=60.0)


def mixed_names(count: int) -> list[str]:
    """Names in random order: some of every other kind, the rest of genes."""
    draw = random.Random(SEED)  # a draw, no secret
    columns = (
        (row["pref_name"] for row in recorded_molecules(RECORDINGS)),
        (row.get("molecule_chembl_id") for row in recorded_molecules(RECORDINGS)),
        (row.get("pmid") and f"PMID:{row['pmid']}" for row in _rows("pubmed", "article.*")),
        (value for row in _rows("pubmed", "article.*") for kind, value in row.get("ids", ()) if kind == "doi"),
        (rsid for row in _rows("igvf", "variants.human") for rsid in row.get("rsid") or ()),
        (row.get("_id") for row in _rows("igvf", "variants.human")),
        (uniprot_id for row in _rows("igvf", "proteins.human") for uniprot_id in row.get("uniprot_ids") or ()),
        (row.get("id") for row in _rows("ensembl", "transcript")),
        (str(row.get("term_id", "")).replace("_", ":") for row in _rows("igvf", "ontology_terms")),
        (f"chr{draw.randint(1, 22)}:{start}-{start + 5000}" for start in range(10**6, 3 * 10**7, 10**6)),
    )
    other_names = [name for column in columns for name in _sample(draw, column)]
    names = [*(drawn_name.name for drawn_name in drawn_names(count)[: count - len(other_names)]), *other_names]
    draw.shuffle(names)
    return names


def _sample(draw: random.Random, column: Iterable[Any]) -> list[str]:
    values = sorted({value for value in column if value and len(value) > 1})
    return draw.sample(values, min(_SAMPLE_SIZE, len(values)))


def _rows(service: str, name: str) -> list[dict[str, Any]]:
    files = sorted((_STARTER / service / "starter").glob(f"{name}.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]


async def measure() -> list[Result]:
    """How many names have the same entities in company and alone."""
    names = mixed_names(COUNT)
    async with _resolver() as resolver:
        batch_rows = (await resolver.resolve(names, None, "human", is_whole=True)).rows
        single_rows = [
            (await resolver.resolve([name], None, "human", is_whole=True)).rows[0] for name in names[::_DIFFERENT_COUNT]
        ]
    failed = sum(not isinstance(row, ResolvedName) for row in batch_rows)
    pairs = zip(names[::_DIFFERENT_COUNT], batch_rows[::_DIFFERENT_COUNT], single_rows, strict=True)
    other = [name for name, row, single_row in pairs if _entities(row) != _entities(single_row)]
    entity_kinds = Counter(entity.kind for row in batch_rows for entity in _entities(row)[:1])
    return [
        at_most(f"{len(names)} mixed names: rows that failed", failed, 0, "rows"),
        Result("kinds among the answers", len(entity_kinds), 7, "kinds", note=str(dict(entity_kinds))),
        Result("names that mean something", sum(map(bool, map(_entities, batch_rows))), 850, "names"),
        at_most("names that mean another alone", len(other), 0, f"of {len(single_rows)}", note=str(other[:5])),
    ]


def _entities(row: object) -> list[Any]:
    return row.entities if isinstance(row, ResolvedName) else []


@asynccontextmanager
async def _resolver() -> AsyncIterator[Resolver]:
    with SandboxProcess(recordings=corpus(), rate_factor=1.2 * _SPEED) as sandbox:
        async with open_transport(sandbox.environment(), timing=_PATIENT) as transport:
            yield Resolver(clients(transport), transport.afresh)


if __name__ == "__main__":
    sys.exit(run(lambda: asyncio.run(measure()), __doc__))
