"""Articles read by rules: one by one against a schema, and many in one process for each core."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Self

from biofact.core.call import Counter
from biofact.literature.extraction import meanings
from biofact.literature.extraction.coercion import coerce
from biofact.literature.extraction.fields import COMPANIONS, all_arms, all_outcomes, read_fields, row_findings
from biofact.literature.extraction.fields.effects import direction
from biofact.literature.extraction.fields.p_values import significance
from biofact.literature.extraction.findings import Finding, Outcome, Value, in_one_place
from biofact.literature.extraction.meanings import (
    MEMBERS,
    Meaning,
    fits_measure,
    leaves_of,
    matching_findings,
    meaning_of,
    plain_name,
    rows_meant,
)
from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.literature.processes import Processes, available_cores
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_OF_EFFECT = frozenset(("measure", "value", "low", "high", "level", "favours", "direction"))
"""Parts of the effect that stand beside the outcome's name in a flat row."""
_CANONICAL = {"effect": "effect_size", "interval": "confidence_interval", "p_value": "p_value"}
"""What parts of a row are to the rules."""


def row(parts: Sequence[SchemaField], stated: Any, canonical: str) -> dict[str, Value]:
    """What is stated, under the names that the schema gives its parts; parts that are not stated are not there."""
    members = MEMBERS.get(canonical, {})
    stated = _of_measure(parts, stated)
    value: dict[str, Value] = {}
    for part in parts:
        plain = plain_name(part.name)
        member = next((member for member, names in members.items() if plain in names), None)
        found = None if member is None else member_value(stated, member)
        if found is None:
            continue
        inner = _CANONICAL.get(str(member))
        made = row(part.fields, found, str(inner)) if part.fields else coerce(found, part, inner)
        value |= {part.name: made} if made not in (None, {}) else {}
    return value


def _of_measure(parts: Sequence[SchemaField], stated: Any) -> Any:
    """The row without an effect, and its interval, of another measure than the name of a part asks for."""
    effect = stated.get("effect") if isinstance(stated, Mapping) else None
    if effect is None or all(fits_measure(plain_name(part.name), effect) for part in parts):
        return stated
    return {name: value for name, value in stated.items() if name not in {"effect", "interval"}}


def member_value(stated: Any, member: str) -> Any:
    """The part of a finding's object; what follows from others is worked out."""
    if not isinstance(stated, Mapping):
        return None
    if member in _OF_EFFECT and isinstance(stated.get("effect"), Mapping):
        stated = stated["effect"]
    match member:
        case "direction":
            return direction(dict(stated))
        case "significant":
            return significance(stated["p_value"]) if isinstance(stated.get("p_value"), Mapping) else None
        case "rank" if "primary" in stated:
            return "primary" if stated["primary"] else "secondary"
        case _:
            return stated.get(member)


MOST_WORDS = 15
"""Of an entry of a list of phrases; longer ones are sentences."""
_PRIMARY = re.compile(r"primary|main")
"""As in: primary_outcome."""
_PHRASES = frozenset(("population", "intervention", "comparator", "outcome", "arms"))


@dataclass(frozen=True)
class RuleReader:
    """Reads articles by one schema; what its names mean is worked out once."""

    schema: ExtractionSchema
    _meanings: dict[str, Meaning] = field(default_factory=dict, init=False)
    _row_kinds: dict[str, str] = field(default_factory=dict, init=False)
    """What the entries of lists of objects are, by the path of the list."""

    def __post_init__(self) -> None:
        for leaf, group in leaves_of(self.schema.fields, None):
            if (meaning := meaning_of(leaf, group)) is not None:
                self._meanings[leaf.path] = meaning
        for leaf in self.schema.leaves:
            if (kind := rows_meant(leaf)) is not None:
                self._row_kinds[leaf.path] = kind

    @cached_property
    def not_read(self) -> tuple[str, ...]:
        """The fields that rules cannot read, by dotted path."""
        return tuple(leaf.path for leaf in self.schema.leaves if not self._is_read(leaf))

    def read(self, article: CanonicalPubMedArticle) -> Outcome:
        """What the article states of the fields that rules can read."""
        found = self._read_fields(article)
        outcome = Outcome(method="rules")
        texts = {"title": article.title, "abstract": article.abstract or ""}
        for leaf in self.schema.leaves:
            findings = list(self._rows(leaf, found) if leaf.holds_groups else self._leaf_findings(leaf, found))
            if findings and leaf.kind == "array":
                kept = [in_one_place(each, texts) for each in self._entries(leaf, findings)]
                outcome.add(leaf, [each.value for each in kept], kept)
            elif findings:
                outcome.add(leaf, findings[0].value, findings[:1])
        return outcome

    def _entries(self, leaf: SchemaField, findings: list[Finding]) -> Iterator[Finding]:
        """The entries of a list, each once; of phrases those that are no sentences, if there are such."""
        meaning = self._meanings.get(leaf.path)
        is_of_phrases = meaning is not None and meaning.canonical in _PHRASES
        short = [each for each in findings if len(str(each.value).split()) <= MOST_WORDS] if is_of_phrases else findings
        known: set[str] = set()
        for each in short or findings[:1]:
            key = str(each.value).casefold()
            if not (key in known and isinstance(each.value, str | dict)):
                known.add(key)
                yield each

    def _read_fields(self, article: CanonicalPubMedArticle) -> dict[str, Finding]:
        """The requested fields as found by the rules and in the record."""
        held = {name: meanings.record_finding(article, name) for name in self._of_record}
        return read_fields(article, self._by_rules) | {name: finding for name, finding in held.items() if finding}

    @cached_property
    def _by_rules(self) -> frozenset[str]:
        """The canonical names of what the rules are asked for, and of what is read beside."""
        asked = {meaning.canonical for meaning in self._meanings.values() if not meaning.is_of_record}
        asked |= set(self._row_kinds.values())
        return frozenset(asked.union(*(COMPANIONS.get(name, ()) for name in asked)))

    @cached_property
    def _of_record(self) -> frozenset[str]:
        """Those of what the record itself says."""
        return frozenset(meaning.canonical for meaning in self._meanings.values() if meaning.is_of_record)

    def _is_read(self, leaf: SchemaField) -> bool:
        if not leaf.holds_groups or leaf.path in self._row_kinds:
            return leaf.path in self._meanings or leaf.path in self._row_kinds
        return any(part.path in self._meanings for part in (leaf.items.fields if leaf.items else ()))

    def _leaf_findings(self, leaf: SchemaField, found: Mapping[str, Finding]) -> Iterator[Finding]:
        """The values of one leaf, the best first; the entries of a list one by one."""
        meaning = self._meanings.get(leaf.path)
        finding = None if meaning is None else found.get(meaning.canonical)
        if meaning is not None and meaning.canonical == "outcome":
            finding = all_outcomes(found, primary_only=_PRIMARY.search(plain_name(leaf.name)) is not None)
        elif meaning is not None and meaning.canonical == "arms":
            finding = all_arms(found)
        if meaning is None or finding is None:
            return
        is_part = meaning.member is not None  # whose name says which part, not which finding
        fitting = (finding, *finding.others) if is_part else matching_findings(leaf.name, meaning.canonical, finding)
        for each in fitting:
            yield from _convert(leaf, meaning, each)

    def _rows(self, leaf: SchemaField, found: Mapping[str, Finding]) -> Iterator[Finding]:
        """The entries of a list of objects: one for each finding of the thing that the list is of."""
        parts = leaf.items.fields if leaf.items else ()
        if (kind := self._row_kinds.get(leaf.path)) is not None:
            for finding in row_findings(kind, found):
                value = row(parts, finding.value, kind)
                if value:
                    yield Finding(value, finding.evidence, is_derived=finding.is_derived)
            return
        meanings = {part.name: self._meanings[part.path] for part in parts if part.path in self._meanings}
        canonical = next((meaning.canonical for meaning in meanings.values()), "")
        for finding in matching_findings(leaf.name, canonical, found[canonical]) if canonical in found else ():
            value = row_of_parts(parts, meanings, finding)
            if value:
                yield Finding(value, finding.evidence, is_derived=finding.is_derived)


def row_of_parts(parts: tuple[SchemaField, ...], meanings: Mapping[str, Meaning], finding: Finding) -> dict[str, Value]:
    """A finding as the parts of an object that mean something of it."""
    value: dict[str, Value] = {}
    for part in parts:
        if part.name in meanings:
            converted = next(_convert(part, meanings[part.name], finding), None)
            value |= {} if converted is None else {part.name: converted.value}
    return value


def _convert(leaf: SchemaField, meaning: Meaning, finding: Finding) -> Iterator[Finding]:
    """The finding as the leaf wants it; nothing where its meaning would change."""
    value: Any = finding.value
    canonical: str | None = meaning.canonical
    if meaning.member is not None:
        value = member_value(value, meaning.member)
        canonical = None
    converted = None if value is None else coerce(value, leaf, canonical)
    if converted is None:
        return
    pairs = len(finding.evidence) == len(converted) if isinstance(converted, list) else False
    for place, entry in enumerate(converted if isinstance(converted, list) and leaf.kind == "array" else [converted]):
        evidence = (finding.evidence[place],) if pairs else finding.evidence
        yield Finding(entry, evidence, is_derived=finding.is_derived)


MOST_IN_ONE_PROCESS = 500
"""Articles; for fewer, processes take longer to start than they save."""
ARTICLES_A_CALL = 20
"""Few, so that processes end at the same time and none is waited for when nobody wants its answer any more."""


class RuleReading:
    """``async with RuleReading(schema, article_count) as reading``, then ``reading.outcomes(articles)``."""

    def __init__(self, schema: ExtractionSchema, article_count: int, *, cores: int | None = None) -> None:
        self._reader = RuleReader(schema)
        count = (cores or available_cores()) if article_count > MOST_IN_ONE_PROCESS else 1
        self._processes = Processes(partial(_outcomes, self._reader), count) if count > 1 else None
        self.at_once = count + 1 if count > 1 else 1
        """How many calls keep the processes busy."""
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        if self._processes is not None:
            await self._stack.enter_async_context(self._processes)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def outcomes(self, articles: Sequence[CanonicalPubMedArticle]) -> list[Outcome]:
        """What the articles state, in their order; the same by one process as by many."""
        if self._processes is not None:
            return await _by_processes(self._processes, articles)
        results: list[Outcome] = []
        counter = Counter(len(articles), "articles read")
        for article in articles:
            results.append(self._reader.read(article))
            await counter.add()
            await asyncio.sleep(0)  # others have their turn
        return results


Reading = Processes[Sequence[CanonicalPubMedArticle], list[Outcome]]


async def _by_processes(processes: Reading, articles: Sequence[CanonicalPubMedArticle]) -> list[Outcome]:
    parts = [articles[start : start + ARTICLES_A_CALL] for start in range(0, len(articles), ARTICLES_A_CALL)]
    counter = Counter(len(articles), "articles read")
    tasks = [asyncio.ensure_future(_counted(processes, part, counter)) for part in parts]
    try:
        return [outcome for part in await asyncio.gather(*tasks) for outcome in part]
    finally:
        for task in tasks:
            task.cancel()  # those that are left after a failure


async def _counted(processes: Reading, articles: Sequence[CanonicalPubMedArticle], counter: Counter) -> list[Outcome]:
    outcomes = await processes.call(articles)
    await counter.add(len(articles))
    return outcomes


def _outcomes(reader: RuleReader, articles: Sequence[CanonicalPubMedArticle]) -> list[Outcome]:
    return [reader.read(article) for article in articles]
