"""One name, one answer: names of recorded genes asked of ``resolve``, of ``search_genes`` and of a plain dictionary.

``python -m benchmarks.names [--names N] [--columns N] [--mentions N] [--words N] [--examples N] [--json FILE]``. Drawn
by a fixed seed from the recorded human, mouse and zebrafish files, the organism given: ``--names`` of every kind in
all; ``--columns`` official names and as many designations of each file, alone and in columns of 10 and 500;
``--mentions`` of human genes in text, and ``--words`` names in a column of 2,000 that are known by their words only.
0 leaves a part out; 2000, 500, 0 (all) and 300 are the full size, an hour. ``--examples`` lists what went wrong by
class, with as many examples of each. In virtual time, in process: seconds are those of the services' rates.
"""

import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests import virtual_time
from tests.sandboxed import WHOLE, transported

from benchmarks import gene_mentions
from benchmarks.gene_dictionary import KINDS, GeneName, Meaning, dictionary
from benchmarks.report import Result, at_most, run
from benchmarks.resolve import allowed_seconds
from benchmarks.symbols import HUMAN, MOUSE, SEED, ZEBRAFISH, corpus
from biofact.core.errors import BiofactError
from biofact.core.identifiers import QUERY_LENGTH
from biofact.identity.records import ResolvedName
from biofact.identity.resolver import Resolver
from biofact.sandbox import Sandbox
from biofact.sources import clients

TAXA = (HUMAN, MOUSE, ZEBRAFISH)
COLUMN_SIZES = (1, 10, 500)
WAYS = ("resolve", "search", "dictionary")
_COLUMN, _BY_WORDS = 2000, 300
_BATCH_SIZE = 200  # names of one call of the tool
_BY_NAME = frozenset({"id", "symbol", "previous_symbol", "alias", "name"})
_LIST_LIMIT = 15
"""The genes that a notice of a search names; a row of ``resolve`` names a few more."""


def drawn_names(count: int, kinds: Iterable[str] = tuple(KINDS)) -> list[GeneName]:
    """As many names of each kind from each file, in a fixed random order; no name twice in a kind."""
    cells = [(taxon_id, kind) for taxon_id in TAXA for kind in kinds]
    names = [name for taxon_id, kind in cells for name in _sample(taxon_id, kind, count // len(cells))]
    random.Random(SEED).shuffle(names)
    return names


def _sample(taxon_id: int, kind: str, count: int) -> list[GeneName]:
    """Names of a kind with the genes that have them; symbols and official names as the file writes them first."""
    draw = random.Random(f"{SEED} {taxon_id} {kind}")  # a draw, no secret
    names: dict[str, GeneName] = {}
    rows = dictionary(taxon_id).rows
    for row in draw.sample(rows, len(rows)):
        own_names = [name for name in KINDS[kind](row) if len(name) in QUERY_LENGTH]
        if len(names) < count and own_names:
            name = own_names[0] if kind in {"symbol", "official name"} else draw.choice(own_names)
            names.setdefault(name, GeneName(name, kind, taxon_id, row.gene_id))
    return list(names.values())


@dataclass(frozen=True, slots=True)
class Answer:
    """The genes that one of the three gives for a name."""

    gene_ids: tuple[str, ...] = ()
    """GeneIDs, best first, of all that share the name in the same way, as far as the answer lists them."""
    reason: str = ""

    @property
    def first(self) -> str:
        """The GeneID in front; empty without one."""
        return self.gene_ids[0] if self.gene_ids else ""

    def has(self, name: GeneName) -> bool:
        """Whether the gene leads, or is listed as one that shares the name; a long list is cut."""
        is_cut = len(self.gene_ids) >= _LIST_LIMIT and name.gene_id in name.meaning.gene_ids
        return name.gene_id in self.gene_ids or is_cut

    def is_unmarked(self, meaning: Meaning) -> bool:
        """Whether one gene leads as if alone where the file gives the name to several in the same way."""
        return len(meaning.genes) > 1 and len(self.gene_ids) == 1


def resolved_answer(row: object) -> Answer:
    """The answer that a row of ``resolve`` gives."""
    if not isinstance(row, ResolvedName):
        return Answer(reason=str(row))
    ids = [*(entity.id for entity in row.entities[:1]), *row.ambiguous_with]
    return Answer(_gene_ids(" ".join(ids)), row.reason or "")


def _gene_ids(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"NCBIGene:(\d+)", text)))


async def searched_answer(client: Any, name: GeneName) -> Answer:
    """The answer of ``search_genes``: the first row, if it is there by its name, and those that share its match."""
    try:
        page = await client.search_genes(name.name, organism=name.organism, page_size=5)
    except BiofactError as error:
        return Answer(reason=error.message)
    if not page.items or page.items[0].match not in _BY_NAME:
        return Answer(reason=f"first by {page.items[0].match}" if page.items else "no row")
    shared = [notice.message for notice in page.notices if notice.code == "SHARED_MATCH"]
    return Answer(_gene_ids(" ".join((page.items[0].id, *shared))))


@dataclass(frozen=True, slots=True)
class Trial:
    """The answers to one name, by way."""

    name: GeneName
    answers: Mapping[str, Answer]

    @property
    def is_silent(self) -> bool:
        """Whether ``resolve`` and the search have different genes in front, and the row does not say why: it neither
        lists genes that share the name, nor names the first of the search as one to confirm.
        """
        resolved, searched = self.answers["resolve"], self.answers["search"]
        if resolved.first == searched.first or len(resolved.gene_ids) > 1:
            return False
        return not (searched.first and re.search(rf"(?<!\d){searched.first}(?!\d)", resolved.reason))


async def trials(bench: "Bench", names: Sequence[GeneName]) -> list[Trial]:
    """Each name asked in all ways; of ``resolve`` in columns as a tool call takes them."""
    answers: dict[GeneName, Answer] = {}
    for column in _columns(names):
        for name, row in zip(column, await bench.rows(column, _BATCH_SIZE), strict=True):
            answers[name] = resolved_answer(row)
    return [
        Trial(
            name,
            {
                "resolve": answers[name],
                "search": await searched_answer(bench.entrez, name),
                "dictionary": Answer(tuple(name.meaning.gene_ids)),
            },
        )
        for name in names
    ]


def _columns(names: Iterable[GeneName]) -> Iterable[list[GeneName]]:
    """The names of each organism."""
    columns: dict[int, list[GeneName]] = defaultdict(list)
    for name in names:
        columns[name.taxon_id].append(name)
    return columns.values()


class Findings:
    """Errors by class, with examples."""

    def __init__(self) -> None:
        self._examples: dict[str, list[str]] = defaultdict(list)

    def add(self, title: str, name: GeneName, text: str) -> None:
        """Count one more error of a class."""
        self._examples[title].append(f"{name.name!r} ({name.organism}, {name.kind}): {text}")

    def add_wrong(self, way: str, name: GeneName, answer: Answer) -> None:
        """Count a name that does not lead to its gene."""
        meaning = name.meaning
        reason = re.sub(r"\d+|'[^']*'", "…", answer.reason)[:70]
        rival = "a gene that shares it" if answer.first in meaning.gene_ids else "another gene"
        rival = f"a question, {rival} in front" if len(answer.gene_ids) > 1 else rival
        title = (
            f"{way}: {meaning.kind or 'no name'} in the file, leads to {rival if answer.first else f'none ({reason})'}"
        )
        self.add(title, name, f"{_label(name, name.gene_id)}, not {_label(name, answer.first)}")

    def lines(self, example_count: int) -> Iterator[str]:
        """The classes, the most frequent first, with some examples of each."""
        for title, examples in sorted(self._examples.items(), key=lambda item: -len(item[1])):
            yield f"{len(examples):5} {title}: {'; '.join(examples[:example_count])}"


def _label(name: GeneName, gene_id: str) -> str:
    symbol = next((row.symbol for row in dictionary(name.taxon_id).rows if row.gene_id == gene_id), "")
    return f"{symbol} ({gene_id})" if gene_id else "none"


@dataclass(frozen=True, slots=True)
class Bench:
    """The resolver and NCBI Gene on a sandbox of the recorded genes, with an empty cache."""

    resolver: Resolver
    entrez: Any
    sandbox: Sandbox
    findings: Findings

    async def rows(self, names: Sequence[GeneName], size: int) -> list[object]:
        """The rows of genes with these names of one organism, ``size`` names at a time."""
        rows: list[object] = []
        for start in range(0, len(names), size):
            column = [name.name for name in names[start : start + size]]
            rows += (await self.resolver.resolve(column, "gene", names[0].organism, is_whole=True)).rows
        return rows


@asynccontextmanager
async def _open_bench(findings: Findings) -> AsyncIterator[Bench]:
    async with transported(timing=WHOLE, recordings=corpus()) as (transport, sandbox):
        sources = clients(transport)
        yield Bench(Resolver(sources, transport.afresh), sources["entrez"], sandbox, findings)


def measure(
    names: int = 480, columns: int = 40, mentions: int = 400, words: int = 60, examples: int = 0
) -> list[Result]:
    """All parts, each on a sandbox of the recorded genes."""
    findings = Findings()
    parts = [
        *([_three_ways(drawn_names(names), findings)] if names else []),
        *(
            [_in_columns(drawn_names(columns * 2 * len(TAXA), ("official name", "designation")), findings)]
            if columns
            else []
        ),
        *([_in_text(_drawn_mentions(mentions), findings)] if mentions else []),
        *([_by_words(words, findings)] if words else []),
    ]
    results = [result for part in parts for result in virtual_time.run(part)]
    for line in findings.lines(examples) if examples else ():
        print(line, file=sys.stderr)
    return results


async def _three_ways(names: Sequence[GeneName], findings: Findings) -> list[Result]:
    """The genes in front in ``resolve``, the search and the dictionary."""
    async with _open_bench(findings) as bench:
        all_trials = await trials(bench, names)
    for trial in all_trials:
        name, resolved, searched = trial.name, trial.answers["resolve"], trial.answers["search"]
        for way in WAYS[:2]:
            if trial.answers["dictionary"].has(name) and not trial.answers[way].has(name):
                findings.add_wrong(way, name, trial.answers[way])
        if trial.is_silent:
            against = f"{_label(name, searched.first)} {searched.reason}"
            findings.add(
                "silent difference", name, f"{_label(name, resolved.first)} {resolved.reason} against {against}"
            )
        if resolved.is_unmarked(name.meaning):
            findings.add("unmarked, shared in the file", name, f"{name.meaning.kind} of {name.meaning.gene_ids[:5]}")
    differences = sum(trial.answers["resolve"].first != trial.answers["search"].first for trial in all_trials)
    silent_count = sum(trial.is_silent for trial in all_trials)
    unmarked_count = sum(trial.answers["resolve"].is_unmarked(trial.name.meaning) for trial in all_trials)
    return [
        at_most(f"{len(names)} names: silent differences", silent_count, 0, "names", note=f"of {differences} in all"),
        at_most("led by a gene without a mark where the file has several", unmarked_count, 0, "names"),
        *(_behind_the_dictionary(way, all_trials) for way in WAYS[:2]),
    ]


def _behind_the_dictionary(way: str, all_trials: Sequence[Trial]) -> Result:
    """The kinds of names and organisms in which the dictionary has more right, or listed among equals."""
    right: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    sizes = Counter(f"{trial.name.organism} {trial.name.kind}" for trial in all_trials)
    for trial in all_trials:
        for each_way, answer in trial.answers.items():
            right[each_way][f"{trial.name.organism} {trial.name.kind}"] += answer.has(trial.name)
    cells_behind = [cell for cell in sizes if right[way][cell] < right["dictionary"][cell]]
    shares = ", ".join(f"{each_way} {right[each_way].total() / sizes.total():.3f}" for each_way in (way, "dictionary"))
    cells = ", ".join(
        f"{cell} {right[way][cell]}/{right['dictionary'][cell]} of {sizes[cell]}" for cell in cells_behind
    )
    title = f"{way}: kinds and organisms behind the dictionary"
    return at_most(title, len(cells_behind), 0, f"of {len(sizes)}", note=f"{shares} right; {cells}")


async def _in_columns(names: Sequence[GeneName], findings: Findings) -> list[Result]:
    """Official names and designations alone and in company, each size with an empty cache."""
    rows: dict[int, dict[GeneName, object]] = {size: {} for size in COLUMN_SIZES}
    for size in COLUMN_SIZES:
        async with _open_bench(findings) as bench:
            for column in _columns(names):
                company = _sample(column[0].taxon_id, "symbol", -len(column) % size)
                rows[size].update(zip(column, await bench.rows([*column, *company], size), strict=False))
    right: Counter[int] = Counter()
    changed = []
    for name in names:
        for size in COLUMN_SIZES:
            answer = resolved_answer(rows[size][name])
            genes = {name.gene_id, *name.meaning.gene_ids}
            is_listed = len(answer.gene_ids) > 1 and not genes.isdisjoint(answer.gene_ids)
            is_right = is_listed or (answer.first in genes and not answer.is_unmarked(name.meaning))
            right[size] += is_right
            if not is_right:
                findings.add_wrong(f"resolve, column of {size}", name, answer)
        if any(rows[size][name] != rows[1][name] for size in COLUMN_SIZES):
            changed.append(name)
            firsts = {size: resolved_answer(rows[size][name]).first for size in COLUMN_SIZES}
            findings.add("changed by its neighbours", name, f"first by size of the column: {firsts}")
    title = f"{len(names)} official names and designations"
    return [
        *(
            Result(f"{title}, columns of {size}: right, or listed among equals", right[size] / len(names), 0.98, "")
            for size in COLUMN_SIZES
        ),
        at_most("rows that neighbours change", len(changed), 0, "rows"),
    ]


def _drawn_mentions(count: int) -> list[GeneName]:
    every_mention = [mention for mention in gene_mentions.mentions() if len(mention.name) in QUERY_LENGTH]
    return random.Random(SEED).sample(every_mention, min(count, len(every_mention)))


async def _in_text(names: Sequence[GeneName], findings: Findings) -> list[Result]:
    """Mentions of human genes: the gene in front is the one that is meant."""
    async with _open_bench(findings) as bench:
        all_trials = await trials(bench, names)
    right: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    for trial in all_trials:
        for way, answer in trial.answers.items():
            is_right = answer.first == trial.name.gene_id
            right[way][trial.name.kind] += is_right
            if not is_right:
                findings.add_wrong(f"mention, {way}", trial.name, answer)
    sizes = Counter(name.kind for name in names)
    results = []
    for way in WAYS[:2]:
        kinds = ", ".join(f"{kind} {right[way][kind]}/{right['dictionary'][kind]} of {sizes[kind]}" for kind in sizes)
        share, dictionary_share = (right[each_way].total() / len(names) for each_way in (way, "dictionary"))
        results.append(
            Result(f"{len(names)} mentions of genes: right in front, {way}", share, dictionary_share, "", note=kinds)
        )
    return results


def words_only(count: int) -> list[GeneName]:
    """Official names of coding human genes in other words: another order, a hyphen, a word more or less."""
    rows = [row for row in dictionary(HUMAN).rows if row.gene_type == "protein-coding" and row.official_name]
    names: dict[str, GeneName] = {}
    for row in random.Random(SEED).sample(rows, len(rows)):
        variant = _variant(row.official_name, len(names))
        if len(names) < count and variant and not dictionary(HUMAN).meaning(variant).genes:
            names.setdefault(variant, GeneName(variant, "words", HUMAN, row.gene_id))
    return list(names.values())


def _variant(name: str, number: int) -> str:
    """The name in one of four ways, in turn; empty where it is too short."""
    words = name.split()
    if len(words) < 3:
        return ""
    variants = (
        f"{words[-1]} {' '.join(words[:-1])}",
        f"{' '.join(words[1:])}, {words[0]}",
        f"{words[0]}-{words[1]} of {' '.join(words[2:])}",
        " ".join((*words[:-2], words[-1])),  # the last often is the number of the gene in its family
    )
    return variants[number % len(variants)]


async def _by_words(count: int, findings: Findings) -> list[Result]:
    """A long column of human names, some of which no database has as a whole."""
    names = words_only(count)
    column = [*names, *_sample(HUMAN, "symbol", round(count * _COLUMN / _BY_WORDS) - count)]
    random.Random(SEED).shuffle(column)
    async with _open_bench(findings) as bench:
        start = virtual_time.now()
        rows = dict(zip(column, await bench.rows(column, len(column)), strict=True))
        seconds = virtual_time.now() - start
        requests = Counter(request.service for request in bench.sandbox.requests)
    right_count = 0
    for name in names:
        answer = resolved_answer(rows[name])
        is_right = answer.first == name.gene_id or name.gene_id in re.findall(r"\d+", answer.reason)
        right_count += is_right
        if not is_right:
            findings.add_wrong("column, by words", name, answer)
    failure_count = sum(not isinstance(row, ResolvedName) for row in rows.values())
    title = f"{len(column)} names, {len(names)} known by words only"
    counts = ", ".join(f"{service} {number}" for service, number in requests.most_common())
    return [
        at_most(
            f"{title}: rows without an answer",
            failure_count,
            0,
            "rows",
            note=f"{right_count} of {len(names)} right or named",
        ),
        at_most(
            f"{title}: seconds beside what the budgets allow",
            seconds / allowed_seconds(requests),
            1.2,
            "times",
            note=f"{seconds:.0f} s; requests: {counts}",
        ),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
