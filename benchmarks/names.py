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

from benchmarks.gene_dictionary import KINDS, DrawnName, Meaning, dictionary
from benchmarks.gene_mentions import Mention, mentions
from benchmarks.report import Result, at_most, run
from benchmarks.resolve import NCBI_A_SECOND
from benchmarks.symbols import HUMAN, MOUSE, ORGANISMS, SEED, ZEBRAFISH, corpus
from biofact.core.errors import BiofactError
from biofact.core.identifiers import QUERY_LENGTH
from biofact.identity.records import ResolvedEntity, ResolvedName
from biofact.identity.resolver import Resolver
from biofact.sandbox import Sandbox
from biofact.sources import clients

TAXA = (HUMAN, MOUSE, ZEBRAFISH)
COLUMN_SIZES = (1, 10, 500)
_A_CALL = 200  # names of one call of the tool
_BY_NAME = frozenset({"id", "symbol", "previous_symbol", "alias", "name"})


def drawn_names(count: int, kinds: Iterable[str] = tuple(KINDS), taxa: Iterable[int] = TAXA) -> list[DrawnName]:
    """As many names of each kind from each file, in a fixed random order; no name twice."""
    cells = [(taxon_id, kind) for taxon_id in taxa for kind in kinds]
    names = [
        DrawnName(name, kind, taxon_id, gene_id)
        for taxon_id, kind in cells
        for name, gene_id in _sample(taxon_id, kind, count // len(cells))
    ]
    random.Random(SEED).shuffle(names)
    return names


def _sample(taxon_id: int, kind: str, count: int) -> list[tuple[str, str]]:
    """Names of a kind with the genes that have them; symbols and official names as the file writes them first."""
    owners = [
        (names[0] if kind in {"symbol", "official name"} else draw.choice(names), row.gene_id)
        for draw in [random.Random(f"{SEED} {taxon_id} {kind}")]
        for row in dictionary(taxon_id).rows
        if (names := [name for name in KINDS[kind](row) if len(name) in QUERY_LENGTH])
    ]
    distinct = dict(random.Random(f"{SEED} {kind} {taxon_id}").sample(owners, min(2 * count, len(owners))))
    return list(distinct.items())[:count]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one of the three to a name."""

    leader: str = ""
    """GeneID; empty where none leads by its name."""
    others: tuple[str, ...] = ()
    """GeneIDs that are said to share the name."""
    reason: str = ""

    def is_right(self, gene_id: str) -> bool:
        """Whether the gene leads, or is said to share the name with the one that does."""
        return gene_id == self.leader or gene_id in self.others


def dictionary_answer(meaning: Meaning) -> Answer:
    """The first gene of the dictionary, and those that it has under the same name."""
    gene_ids = meaning.gene_ids
    return Answer(gene_ids[0], tuple(gene_ids[1:])) if gene_ids else Answer()


def resolved_answer(row: object) -> Answer:
    """The answer that a row of ``resolve`` gives."""
    if not isinstance(row, ResolvedName):
        return Answer(reason=str(row))
    if not row.entities:
        return Answer(reason=row.reason or "")
    first = row.entities[0]
    return Answer(_gene_id(first.id), _shared_ids(first), row.reason or "")


def _shared_ids(entity: ResolvedEntity) -> tuple[str, ...]:
    """``SYMBOL (ID)``, or the ID alone, of those that share the match."""
    return tuple(found[1] for text in entity.ambiguous_with if (found := re.search(r"NCBIGene:(\d+)", text)))


def _gene_id(text: str) -> str:
    return text.removeprefix("NCBIGene:")


async def searched_answer(client: Any, name: str, organism: str) -> Answer:
    """The answer of ``search_genes``: the first row, if it is there by its name."""
    try:
        page = await client.search_genes(name, organism=organism, page_size=5)
    except BiofactError as error:
        return Answer(reason=error.message)
    if not page.items or page.items[0].match not in _BY_NAME:
        return Answer(reason=page.items[0].match if page.items else "nothing")
    shared = [text for notice in page.notices if notice.code == "SHARED_MATCH" for text in [notice.message]]
    others = re.findall(r"NCBIGene:(\d+)", " ".join(shared))
    return Answer(_gene_id(page.items[0].id), tuple(others))


def is_silent(resolved: Answer, searched: Answer) -> bool:
    """Whether the two lead with different genes, and the row of ``resolve`` does not say why: it neither lists what
    shares the name, nor names the gene that leads the search as one to confirm.
    """
    if resolved.leader == searched.leader or (resolved.leader and resolved.others):
        return False
    return not (searched.leader and re.search(rf"(?<!\d){searched.leader}(?!\d)", resolved.reason))


class Findings:
    """What went wrong, by class, with examples."""

    def __init__(self) -> None:
        self._examples: dict[str, list[str]] = defaultdict(list)

    def add(self, finding: str, example: str) -> None:
        """One more of a class."""
        self._examples[finding].append(example)

    def add_wrong(self, who: str, name: str, gene_id: str, answer: Answer, taxon_id: int = HUMAN) -> None:
        """A name that does not lead to its gene."""
        meaning = dictionary(taxon_id).meaning(name)
        known = meaning.kind or "no name"
        reason = re.sub(r"\d+|'[^']*'", "…", answer.reason)[:60]
        rival = "its own other namesake" if answer.leader in meaning.gene_ids else "another gene"
        instead = rival if answer.leader else f"nothing ({reason})"
        self.add(f"{who}: {known} in the file, leads to {instead}", f"{name!r}: {gene_id}, not {answer.leader or '-'}")

    def lines(self, most: int) -> Iterator[str]:
        """The classes, the most frequent first, with some examples of each."""
        for finding, examples in sorted(self._examples.items(), key=lambda item: -len(item[1])):
            yield f"{len(examples):5} {finding}: {'; '.join(examples[:most])}"


def measure(
    names: int = 480, columns: int = 40, mentions: int = 400, words: int = 60, examples: int = 0
) -> list[Result]:
    """All parts, each on a sandbox of the recorded genes."""
    findings = Findings()
    results = virtual_time.run(_parts(names, columns, mentions, words, findings))
    for line in findings.lines(examples) if examples else ():
        print(line, file=sys.stderr)
    return results


async def _parts(names: int, columns: int, mention_count: int, words_count: int, findings: Findings) -> list[Result]:
    results = []
    async with _open() as (resolver, client, sandbox):
        if names:
            results += await _three_ways(resolver, client, drawn_names(names), findings)
        if columns:
            results += await _in_columns(resolver, columns, findings)
        if mention_count:
            results += await _in_text(resolver, client, _drawn_mentions(mention_count), findings)
    if words_count:
        async with _open() as (resolver, _, sandbox):
            results += await _by_words(resolver, sandbox, words_count, findings)
    return results


@asynccontextmanager
async def _open() -> AsyncIterator[tuple[Resolver, Any, Sandbox]]:
    """The resolver and NCBI Gene on a sandbox of the recorded genes, with an empty cache."""
    async with transported(timing=WHOLE, recordings=corpus()) as (transport, sandbox):
        sources = clients(transport)
        yield Resolver.of(sources), sources["entrez"], sandbox


async def _rows(resolver: Resolver, names: Sequence[str], organism: str, size: int = _A_CALL) -> list[object]:
    """The rows of genes with these names, ``size`` to a call."""
    chunks = [names[start : start + size] for start in range(0, len(names), size)]
    return [row for chunk in chunks for row in (await resolver.resolve(chunk, "gene", organism, is_whole=True)).rows]


def _by_taxon(names: Iterable[DrawnName]) -> dict[int, list[DrawnName]]:
    by_taxon: dict[int, list[DrawnName]] = defaultdict(list)
    for name in names:
        by_taxon[name.taxon_id].append(name)
    return by_taxon


async def _three_ways(resolver: Resolver, client: Any, names: Sequence[DrawnName], findings: Findings) -> list[Result]:
    """What leads ``resolve``, the search and the dictionary."""
    right: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    drawn: Counter[tuple[str, str]] = Counter()
    silent, unmarked, different = 0, 0, 0
    for taxon_id, asked in _by_taxon(names).items():
        rows = await _rows(resolver, [name.name for name in asked], ORGANISMS[taxon_id])
        for name, row in zip(asked, rows, strict=True):
            meaning = dictionary(taxon_id).meaning(name.name)
            answers = {
                "resolve": resolved_answer(row),
                "search": await searched_answer(client, name.name, name.organism),
                "dictionary": dictionary_answer(meaning),
            }
            cell = (name.organism, name.kind)
            drawn[cell] += 1
            for who, answer in answers.items():
                right[who][cell] += answer.is_right(name.gene_id)
                if not answer.is_right(name.gene_id) and answers["dictionary"].is_right(name.gene_id):
                    findings.add_wrong(who, name.name, name.gene_id, answer, taxon_id)
            resolved, searched = answers["resolve"], answers["search"]
            different += resolved.leader != searched.leader
            if is_silent(resolved, searched):
                silent += 1
                leaders = f"{resolved.leader or 'none'} against {searched.leader or searched.reason}"
                findings.add(f"silent difference, {name.kind}", f"{name.name!r} ({name.organism}): {leaders}")
            if is_unmarked(meaning, resolved):
                unmarked += 1
                findings.add("unmarked, shared in the file", f"{name.name!r} ({name.organism}): {meaning.gene_ids[:5]}")
    return [
        at_most(f"{len(names)} names: silent differences", silent, 0, "names", note=f"{different} differ in all"),
        at_most("led by one gene, unmarked, where the file has several", unmarked, 0, "names"),
        *(_beside(who, right, drawn) for who in ("resolve", "search")),
    ]


def is_unmarked(meaning: Meaning, answer: Answer) -> bool:
    """Whether one gene leads as if alone where the file gives the name to several in the same way."""
    return len(meaning.genes) > 1 and bool(answer.leader) and not answer.others


def _beside(who: str, right: Mapping[str, Counter[tuple[str, str]]], drawn: Mapping[tuple[str, str], int]) -> Result:
    """The cells of organism and kind in which the dictionary has more right."""
    behind = [cell for cell in drawn if right[who][cell] < right["dictionary"][cell]]
    total, count = right[who].total(), sum(drawn.values())
    shares = f"{who} {total / count:.3f}, dictionary {right['dictionary'].total() / count:.3f} right"
    cells = ", ".join(
        f"{' '.join(cell)} {right[who][cell]}/{right['dictionary'][cell]} of {drawn[cell]}" for cell in behind
    )
    return at_most(f"{who}: kinds and organisms behind the dictionary", len(behind), 0, "cells", f"{shares}; {cells}")


async def _in_columns(resolver: Resolver, count: int, findings: Findings) -> list[Result]:
    """Official names and designations alone and in company."""
    kinds = ("official name", "designation")
    names = drawn_names(count * len(kinds) * len(TAXA), kinds)
    right: Counter[int] = Counter()
    different = 0
    for taxon_id, asked in _by_taxon(names).items():
        rows_by_size = {}
        for size in COLUMN_SIZES:
            column = [name.name for name in asked]
            missing = -len(column) % size if size > 1 else 0
            column += [name for name, _ in _sample(taxon_id, "symbol", missing)]
            rows_by_size[size] = (await _rows(resolver, column, ORGANISMS[taxon_id], size))[: len(asked)]
        for place, name in enumerate(asked):
            meaning = dictionary(taxon_id).meaning(name.name)
            answers = {size: resolved_answer(rows[place]) for size, rows in rows_by_size.items()}
            for size, answer in answers.items():
                is_right = answer.leader in meaning.gene_ids and not is_unmarked(meaning, answer)
                right[size] += is_right
                if not is_right:
                    findings.add_wrong(f"resolve, column of {size}", name.name, name.gene_id, answer, taxon_id)
            if any(rows[place] != rows_by_size[1][place] for rows in rows_by_size.values()):
                different += 1
                leaders = ", ".join(f"{size}: {answer.leader or 'none'}" for size, answer in answers.items())
                findings.add(f"changed by its neighbours, {name.kind}", f"{name.name!r} ({name.organism}): {leaders}")
    return [
        *(
            Result(
                f"{len(names)} official names and designations, columns of {size}: right or said to be shared",
                right[size] / len(names),
                0.98,
                "",
            )
            for size in COLUMN_SIZES
        ),
        at_most("rows that their neighbours change", different, 0, "rows"),
    ]


def _drawn_mentions(count: int) -> list[Mention]:
    every_mention = [mention for mention in mentions() if len(mention.text) in QUERY_LENGTH]
    return random.Random(SEED).sample(every_mention, min(count, len(every_mention)))


async def _in_text(resolver: Resolver, client: Any, sample: Sequence[Mention], findings: Findings) -> list[Result]:
    """Mentions of human genes: what leads is the gene that is meant."""
    rows = await _rows(resolver, [mention.text for mention in sample], "human")
    leads: dict[str, Counter[str]] = defaultdict(Counter)
    counts = Counter(mention.source for mention in sample)
    for mention, row in zip(sample, rows, strict=True):
        answers = {
            "resolve": resolved_answer(row),
            "search": await searched_answer(client, mention.text, "human"),
            "dictionary": dictionary_answer(dictionary(HUMAN).meaning(mention.text)),
        }
        for who, answer in answers.items():
            leads[who][mention.source] += answer.leader == mention.gene_id
            if answer.leader != mention.gene_id:
                findings.add_wrong(f"mention, {who}", mention.text, mention.gene_id, answer)
    shares = {who: counter.total() / len(sample) for who, counter in leads.items()}
    notes = {
        who: ", ".join(
            f"{source} {leads[who][source]}/{leads['dictionary'][source]} of {counts[source]}" for source in counts
        )
        for who in ("resolve", "search")
    }
    return [
        Result(
            f"{len(sample)} mentions of genes: leads right, {who}",
            shares[who],
            shares["dictionary"],
            "",
            note=notes[who],
        )
        for who in ("resolve", "search")
    ]


def words_only(count: int) -> list[DrawnName]:
    """Official names of coding human genes in other words: another order, hyphens, a word left out."""
    rows = [row for row in dictionary(HUMAN).rows if row.gene_type == "protein-coding" and row.official_name]
    draw = random.Random(SEED)
    names: dict[str, DrawnName] = {}
    for row in draw.sample(rows, len(rows)):
        variant = _reworded(row.official_name, len(names))
        if len(names) < count and variant and not dictionary(HUMAN).meaning(variant).genes:
            names.setdefault(variant, DrawnName(variant, "words", HUMAN, row.gene_id))
    return list(names.values())


def _reworded(name: str, number: int) -> str:
    """The name in one of four ways, in turn; empty where that is none."""
    words = name.split()
    if len(words) < 3:
        return ""
    variants = (
        f"{words[-1]} {' '.join(words[:-1])}",
        f"{' '.join(words[1:])}, {words[0]}",
        f"{words[0]}-{words[1]} of {' '.join(words[2:])}",
        " ".join(words[:-1]),
    )
    return variants[number % len(variants)]


async def _by_words(resolver: Resolver, sandbox: Sandbox, count: int, findings: Findings) -> list[Result]:
    """A long column of human names, some of which no database has as a whole."""
    open_names = words_only(count)
    symbols = [name for name, _ in _sample(HUMAN, "symbol", round(2000 / 300 * count) - count)]
    column = [*symbols, *(name.name for name in open_names)]
    random.Random(SEED).shuffle(column)
    start = virtual_time.now()
    rows = (await resolver.resolve(column, "gene", "human", is_whole=True)).rows
    seconds = virtual_time.now() - start
    requests = Counter(request.service for request in sandbox.requests)
    answers = {name: resolved_answer(row) for name, row in zip(column, rows, strict=True)}
    unsearched = 0
    right = 0
    for name in open_names:
        answer = answers[name.name]
        is_unsearched = not answer.leader and "searched by words" in answer.reason
        unsearched += is_unsearched
        right += answer.leader == name.gene_id or name.gene_id in answer.reason
        if not is_unsearched and answer.leader != name.gene_id:
            findings.add_wrong("column, by words", name.name, name.gene_id, answer)
    title = f"{len(column)} names, {len(open_names)} known by words only"
    made = ", ".join(f"{service} {number}" for service, number in requests.most_common())
    return [
        at_most(f"{title}: not searched", unsearched, 0, "names", note=f"{right} of {len(open_names)} right or named"),
        at_most(
            f"{title}: seconds beside what NCBI's budget allows",
            seconds / max(1.0, requests["ncbi"] / NCBI_A_SECOND),
            1.2,
            "times",
            note=f"{seconds:.0f} s; requests: {made}",
        ),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
