"""The cost of the default answers for an agent: o200k tokens of every tool's answers on the starter facts.

    python -m benchmarks.tokens [--json FILE] [--before FILE]

Each tool is asked its examples with nothing but what it requires and what narrows the question, and a tool that takes
one ID every ID of its kind that any answer has shown. ``--before`` names the JSON of an earlier run, to stand beside.
A record counts without the free text that it quotes (a summary, an abstract), a list by its rows.
"""

import argparse
import asyncio
import functools
import importlib
import json
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.fuzz import Ask, call_directly, sandboxed
from benchmarks.fuzz_calls import FuzzCall
from benchmarks.report import Result, at_most, write_report
from biofact.core.tool import ToolSpec, specs_of
from biofact.interfaces import every_source
from biofact.interfaces.spelling import prefixed

BUDGETS = {
    "ensembl_get_transcript": 800,  # 250 and its exons, 40 at most
    "check_identity": 700,  # six databases of a gene, with who says what of each
    "chembl_get_compound": 300,
    "ensembl_get_sequence": 1300,  # 2,000 letters, which is what it is asked for
    "igvf_search_region": 160,  # a row: an allele has its SPDI, HGVS and frequencies
    "pubmed_generate_query": 4000,  # three queries with every form of every name, their lines and exports
    "pubmed_extract_features": 450,  # a row: every value with its evidence
}
"""Most that an answer, or a row of a list, may cost: by the rulings and the specifications where they say it."""
MOST_RECORD = 250
MOST_ROW = 125
"""The bars of a record and, on average, of a row without a bar of its own."""
FREE_TEXT = ("summary", "abstract", "sections")
_OPTIONS = ("slim", "include", "fields", "page_size", "limit", "max_results", "cursor")
_LISTS = (
    *("items", "articles", "ranked_articles", "scored_articles", "extractions"),
    *("genes", "transcripts", "variants", "regulatory_elements"),
)

Answer = dict[str, Any]


@dataclass(slots=True)
class Costs:
    """Tokens of the answers of one tool."""

    records: list[int] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)
    """Each list's mean tokens of a row."""


def main() -> int:
    """Measure, print the table, and fail when a tool costs more than its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    before = json.loads(options.before.read_text()) if options.before else []
    return write_report(measure({row["promise"]: row["figure"] for row in before}), options.json)


def measure(before: Mapping[str, float] | None = None) -> list[Result]:
    """Every figure."""
    return [result for tool, costs in sorted(asyncio.run(_costs()).items()) for result in _results(tool, costs, before)]


def _results(tool: str, costs: Costs, before: Mapping[str, float] | None) -> Iterator[Result]:
    if costs.records:
        promise, bar = f"{tool}: the dearest of {len(costs.records)} answers", BUDGETS.get(tool, MOST_RECORD)
        note = f"median {statistics.median(costs.records):g}"
        yield _result(promise, max(costs.records), bar, note, before)
    if costs.rows:
        yield _result(
            f"{tool}: a row, on average", statistics.mean(costs.rows), BUDGETS.get(tool, MOST_ROW), "", before
        )


def _result(promise: str, figure: float, bar: float, note: str, before: Mapping[str, float] | None) -> Result:
    name = promise.partition(":")[0]
    kind = "row" if promise.endswith("average") else "answers"
    former_values = [value for other, value in (before or {}).items() if other.startswith(f"{name}:") and kind in other]
    notes = [note, *(f"{value:.0f} before" for value in former_values)]
    return at_most(promise, figure, bar, "tokens", note="; ".join(filter(None, notes)))


async def _costs() -> dict[str, Costs]:
    costs: dict[str, Costs] = defaultdict(Costs)
    async with sandboxed() as clients:
        ask = call_directly(clients)
        answers = [answer async for answer in _answers(ask, _examples())]
        ids = {text for _, answer in answers for text in _texts(answer)}
        answers += [answer async for answer in _answers(ask, _lookups(ids))]
    for tool, answer in answers:
        _count(costs[tool], answer)
    return costs


async def _answers(ask: Ask, calls: Sequence[FuzzCall]) -> Any:
    """The answers that are no failures, each with its tool."""
    for call in calls:
        answer = await ask(call)
        if answer.get("success") is not False:
            yield call.tool, answer


def _examples() -> list[FuzzCall]:
    """The examples of every tool that find something, without what makes an answer longer or shorter."""
    calls: dict[str, FuzzCall] = {}
    for source, spec in _specs():
        for example in every_source.examples(source):
            if example.tool == spec.ref.method and example.outcome == "found":
                arguments = {name: value for name, value in example.arguments.items() if name not in _OPTIONS}
                calls[f"{spec.ref} {json.dumps(arguments, sort_keys=True)}"] = FuzzCall(
                    prefixed(spec.ref), spec, source, arguments
                )
    return list(calls.values())


def _lookups(ids: set[str]) -> list[FuzzCall]:
    """A lookup of every ID by every tool that takes this kind of ID, and nothing else."""
    calls = []
    for source, spec in _specs():
        required = [parameter for parameter in spec.parameters if parameter.is_required]
        kind = required[0].id_kind if len(required) == 1 and not required[0].is_list else None
        if kind:
            known_ids = sorted(entity_id for entity_id in ids if re.fullmatch(kind.pattern, entity_id, re.ASCII))
            calls += [
                FuzzCall(prefixed(spec.ref), spec, source, {required[0].name: entity_id}) for entity_id in known_ids
            ]
    return calls


def _specs() -> Iterator[tuple[str, ToolSpec]]:
    for source in every_source.toolsets():
        for spec in specs_of(every_source.client_class(source)):
            yield source, spec


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part)


def _count(costs: Costs, answer: Answer) -> None:
    lists = [answer[name] for name in _LISTS if isinstance(answer.get(name), list)]
    if rows := [row for row_list in lists for row in row_list]:
        costs.rows.append(statistics.mean(tokens(without_free_text(row)) for row in rows))
    elif not lists:
        costs.records.append(tokens(without_free_text(answer)))


def without_free_text(row: Any) -> Any:
    """A record or row without what it quotes."""
    return {name: value for name, value in row.items() if name not in FREE_TEXT} if isinstance(row, Mapping) else row


def as_json(value: Any) -> str:
    """A value as a server writes it: compact."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tokens(value: Any) -> int:
    """The tokens of a value as JSON."""
    return int(_encoding().count(as_json(value)))


@functools.cache
def _encoding() -> Any:
    return importlib.import_module("rs_bpe.bpe").openai.o200k_base()  # of the test extra


if __name__ == "__main__":
    raise SystemExit(main())
