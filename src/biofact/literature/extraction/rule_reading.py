"""Articles read by rules: one by one against a schema, and many in one process for each core."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Self

from biofact.core.call import Counter
from biofact.literature.extraction import meanings
from biofact.literature.extraction.coercion import coerce
from biofact.literature.extraction.fields import (
    FIELDS,
    all_arms,
    all_outcomes,
    read_fields,
    row_findings,
)
from biofact.literature.extraction.fields.document_kind import kind_without_study
from biofact.literature.extraction.fields.effects import direction, fits_measure
from biofact.literature.extraction.fields.field import plain_name
from biofact.literature.extraction.fields.p_values import significance
from biofact.literature.extraction.findings import ArticleFeatures, Finding, Value, in_one_place
from biofact.literature.extraction.meanings import (
    Meaning,
    leaves_of,
    matching_findings,
    meaning_of,
    row_kind,
)
from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.literature.extraction.text.document import Document
from biofact.literature.processes import Processes, available_cores
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_OF_EFFECT = frozenset(("measure", "value", "low", "high", "level", "favours", "direction"))
"""Parts of the effect that stand beside the outcome's name in a flat row."""
_CANONICAL = {"effect": "effect_size", "interval": "confidence_interval", "p_value": "p_value"}
"""The fields of the rules that parts of a row are."""


def row(parts: Sequence[SchemaField], statement: Any, canonical: str) -> dict[str, Value]:
    """A statement under the names that the schema gives its parts; parts that are not stated are absent."""
    statement = _without_other_measures(parts, statement)
    value: dict[str, Value] = {}
    for part in parts:
        member = FIELDS[canonical].part_named(plain_name(part.name)) if canonical in FIELDS else None
        part_value = None if member is None else member_value(statement, member)
        if part_value is None:
            continue
        inner = _CANONICAL.get(str(member))
        converted = row(part.fields, part_value, str(inner)) if part.fields else coerce(part_value, part, inner)
        value |= {part.name: converted} if converted not in (None, {}) else {}
    return value


def _without_other_measures(parts: Sequence[SchemaField], statement: Any) -> Any:
    """The statement without an effect, and its interval, of a measure that no part's name asks for."""
    effect = statement.get("effect") if isinstance(statement, Mapping) else None
    if effect is None or all(fits_measure(plain_name(part.name), effect) for part in parts):
        return statement
    return {name: value for name, value in statement.items() if name not in {"effect", "interval"}}


def member_value(statement: Any, member: str) -> Any:
    """A part of a finding's object; direction, significance and rank are computed from other parts."""
    if not isinstance(statement, Mapping):
        return None
    if member in _OF_EFFECT and isinstance(statement.get("effect"), Mapping):
        statement = statement["effect"]
    match member:
        case "direction":
            return direction(dict(statement))
        case "significant":
            return significance(statement["p_value"]) if isinstance(statement.get("p_value"), Mapping) else None
        case "rank" if "primary" in statement or "role" in statement:
            return statement.get("role") or ("primary" if statement["primary"] else "secondary")
        case _:
            return statement.get(member)


MOST_WORDS = 15
"""Words in an entry of a list of phrases; longer entries are sentences."""
_PRIMARY = re.compile(r"primary|main")
"""As in: primary_outcome, main_outcomes."""
_PHRASES = frozenset(("population", "intervention", "comparator", "outcome", "arms"))


@dataclass(frozen=True)
class RuleReader:
    """Reads articles by one schema, whose names are resolved once."""

    schema: ExtractionSchema
    _meanings: dict[str, Meaning] = field(default_factory=dict, init=False)
    _row_kinds: dict[str, str] = field(default_factory=dict, init=False)
    """The kind of the entries of lists of objects, by the path of the list."""

    def __post_init__(self) -> None:
        for leaf, group in leaves_of(self.schema.fields, None):
            if (meaning := meaning_of(leaf, group)) is not None:
                self._meanings[leaf.path] = meaning
        for leaf in self.schema.leaves:
            if (kind := row_kind(leaf)) is not None:
                self._row_kinds[leaf.path] = kind

    @cached_property
    def not_read(self) -> tuple[str, ...]:
        """The fields that rules cannot read, by dotted path."""
        return tuple(leaf.path for leaf in self.schema.leaves if not self._is_read(leaf))

    @cached_property
    def reads_studies(self) -> bool:
        """Whether the schema asks for a design, a size or results."""
        return any(FIELDS[name].is_of_study for name in self._rule_fields)

    def read(self, article: CanonicalPubMedArticle) -> ArticleFeatures:
        """The values of the fields that rules can read."""
        record_findings = {name: meanings.record_finding(article, name) for name in self._record_fields}
        document = Document(article)
        findings_by_field = read_fields(article, self._rule_fields, document)
        findings_by_field |= {name: finding for name, finding in record_findings.items() if finding}
        features = ArticleFeatures(method="rules")
        texts = {"title": article.title, "abstract": article.abstract or ""}
        for leaf in self.schema.leaves:
            find = self._rows if leaf.holds_groups else self._leaf_findings
            findings = list(find(leaf, findings_by_field))
            if findings and leaf.kind == "array":
                entries = [in_one_place(entry, texts) for entry in self._entries(leaf, findings)]
                features.add(leaf, [entry.value for entry in entries], entries)
            elif findings:
                features.add(leaf, findings[0].value, findings[:1])
            elif self._has_candidates(leaf, document):
                features.not_read.append(leaf.path)
        return features

    def _has_candidates(self, leaf: SchemaField, document: Document) -> bool:
        """Whether the text holds anything that may be the value of a leaf."""
        meaning = self._meanings.get(leaf.path)
        field = None if meaning is None else FIELDS.get(meaning.canonical)
        is_withheld = field is not None and field.is_of_study and bool(kind_without_study(document.article))
        return field is not None and not is_withheld and field.has_candidates(document)

    def _entries(self, leaf: SchemaField, findings: list[Finding]) -> Iterator[Finding]:
        """The entries of a list, each once; of phrases those that are no sentences, if there are such."""
        meaning = self._meanings.get(leaf.path)
        entries = findings
        if meaning is not None and meaning.canonical in _PHRASES:
            entries = [finding for finding in findings if len(str(finding.value).split()) <= MOST_WORDS] or findings[:1]
        keys: set[str] = set()
        for finding in entries:
            key = str(finding.value).casefold()
            if not (key in keys and isinstance(finding.value, str | dict)):
                keys.add(key)
                yield finding

    @cached_property
    def _rule_fields(self) -> frozenset[str]:
        """The canonical names of the requested fields of the rules, and of their companions."""
        names = {meaning.canonical for meaning in self._meanings.values() if not meaning.is_of_record}
        names |= set(self._row_kinds.values())
        return frozenset(names.union(*(FIELDS[name].companions for name in names)))

    @cached_property
    def _record_fields(self) -> frozenset[str]:
        """The names of the requested fields that the record itself holds."""
        return frozenset(meaning.canonical for meaning in self._meanings.values() if meaning.is_of_record)

    def _is_read(self, leaf: SchemaField) -> bool:
        if not leaf.holds_groups or leaf.path in self._row_kinds:
            return leaf.path in self._meanings or leaf.path in self._row_kinds
        return any(part.path in self._meanings for part in (leaf.items.fields if leaf.items else ()))

    def _leaf_findings(self, leaf: SchemaField, findings_by_field: Mapping[str, Finding]) -> Iterator[Finding]:
        """The values of one leaf, the best first; the entries of a list one by one."""
        meaning = self._meanings.get(leaf.path)
        finding = None if meaning is None else findings_by_field.get(meaning.canonical)
        if meaning is not None and meaning.canonical == "outcome":
            finding = all_outcomes(findings_by_field, primary_only=_PRIMARY.search(plain_name(leaf.name)) is not None)
        elif meaning is not None and meaning.canonical == "arms":
            finding = all_arms(findings_by_field)
        if meaning is None or finding is None:
            return
        is_part = meaning.member is not None  # the name of a part selects the part, not the finding
        candidates = finding.series if is_part else matching_findings(leaf.name, meaning.canonical, finding)
        for candidate in candidates:
            yield from _converted(leaf, meaning, candidate)

    def _rows(self, leaf: SchemaField, findings_by_field: Mapping[str, Finding]) -> Iterator[Finding]:
        """The entries of a list of objects: one for each finding of the thing that the list is of."""
        parts = leaf.items.fields if leaf.items else ()
        if (kind := self._row_kinds.get(leaf.path)) is not None:
            rows = [(row(parts, finding.value, kind), finding) for finding in row_findings(kind, findings_by_field)]
        else:
            meanings = {part.name: self._meanings[part.path] for part in parts if part.path in self._meanings}
            canonical = next((meaning.canonical for meaning in meanings.values()), "")
            whole = findings_by_field.get(canonical)
            findings = matching_findings(leaf.name, canonical, whole) if whole is not None else []
            rows = [(row_of_parts(parts, meanings, finding), finding) for finding in findings]
        for value, finding in rows:
            if value:
                yield Finding(value, finding.evidence, is_derived=finding.is_derived)


def row_of_parts(parts: tuple[SchemaField, ...], meanings: Mapping[str, Meaning], finding: Finding) -> dict[str, Value]:
    """A finding as the parts of an object that mean something of it."""
    value: dict[str, Value] = {}
    for part in parts:
        if part.name in meanings:
            converted = next(_converted(part, meanings[part.name], finding), None)
            value |= {} if converted is None else {part.name: converted.value}
    return value


def _converted(leaf: SchemaField, meaning: Meaning, finding: Finding) -> Iterator[Finding]:
    """The finding in the type of the leaf; none if its meaning would change."""
    value: Any = finding.value
    canonical: str | None = meaning.canonical
    if meaning.member is not None:
        value, canonical = member_value(value, meaning.member), None
    converted = None if value is None else coerce(value, leaf, canonical)
    if converted is None:
        return
    # entries and pieces of evidence that are as many belong together one by one
    pairs = isinstance(converted, list) and len(finding.evidence) == len(converted)
    for place, entry in enumerate(converted if isinstance(converted, list) and leaf.kind == "array" else [converted]):
        evidence = (finding.evidence[place],) if pairs else finding.evidence
        yield Finding(entry, evidence, is_derived=finding.is_derived)


MOST_IN_ONE_PROCESS = 500
"""Articles; for fewer, processes take longer to start than they save."""
ARTICLES_A_CALL = 20
"""Few, so that all processes end at about the same time and a cancelled call soon stops."""
MOST_CHARACTERS_HERE = 200_000
"""Characters of all abstracts: longer ones take seconds, in which an event loop does nothing else."""
_CHARACTERS_A_CALL = 60_000


class SharedReaders:
    """Processes that read long articles for all calls of a client, each call in its turn; they start with the first
    such call, and end with ``aclose``.
    """

    def __init__(self, cores: int | None = None) -> None:
        self._cores = cores or available_cores()
        self._stack = AsyncExitStack()
        self._processes: Processes[tuple[RuleReader, Sequence[CanonicalPubMedArticle]], list[ArticleFeatures]] | None
        self._processes = None

    def is_worth(self, articles: Sequence[CanonicalPubMedArticle]) -> bool:
        """Whether to read these articles takes so long that processes are worth their start."""
        is_long = len(articles) > MOST_IN_ONE_PROCESS or characters(articles) > MOST_CHARACTERS_HERE
        return self._cores > 1 and is_long

    async def read(self, reader: RuleReader, articles: Sequence[CanonicalPubMedArticle]) -> list[ArticleFeatures]:
        """The features of the articles, in their order."""
        if self._processes is None:
            self._processes = Processes(_read_shared, self._cores)
            await self._stack.enter_async_context(self._processes)
        processes = self._processes
        return await _by_parts(
            lambda part: processes.call((reader, part)), _parts(articles), len(articles), at_once=self._cores
        )

    async def aclose(self) -> None:
        """End the processes."""
        self._processes = None
        await self._stack.aclose()


def characters(articles: Iterable[CanonicalPubMedArticle]) -> int:
    """The length of all titles and abstracts."""
    return sum(len(article.title) + len(article.abstract or "") for article in articles)


def _parts(articles: Sequence[CanonicalPubMedArticle]) -> Iterator[list[CanonicalPubMedArticle]]:
    """The articles in parts that take some tenths of a second each."""
    part: list[CanonicalPubMedArticle] = []
    for article in articles:
        if part and (len(part) == ARTICLES_A_CALL or characters([*part, article]) > _CHARACTERS_A_CALL):
            yield part
            part = []
        part.append(article)
    if part:
        yield part


def _read_shared(work: tuple[RuleReader, Sequence[CanonicalPubMedArticle]]) -> list[ArticleFeatures]:
    return _read_articles(*work)


class RuleReaderPool:
    """``async with RuleReaderPool(schema, article_count) as pool``, then ``pool.read(articles)``."""

    def __init__(
        self,
        schema: ExtractionSchema,
        article_count: int,
        *,
        cores: int | None = None,
        shared: SharedReaders | None = None,
    ) -> None:
        """``shared``: processes that other calls use, too."""
        self._reader = RuleReader(schema)
        self._shared = shared
        count = (cores or available_cores()) if article_count > MOST_IN_ONE_PROCESS else 1
        self._processes = Processes(partial(_read_articles, self._reader), count) if count > 1 else None
        self.at_once = count + 1 if count > 1 else 1
        """How many calls keep the processes busy."""
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        if self._processes is not None:
            await self._stack.enter_async_context(self._processes)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def read(self, articles: Sequence[CanonicalPubMedArticle]) -> list[ArticleFeatures]:
        """The features of the articles, in their order; the same by one process as by many."""
        if self._shared is not None:
            return await self._shared.read(self._reader, articles)
        if (processes := self._processes) is not None:
            starts = range(0, len(articles), ARTICLES_A_CALL)
            parts = (articles[start : start + ARTICLES_A_CALL] for start in starts)
            return await _by_parts(processes.call, parts, len(articles), at_once=self.at_once)
        results: list[ArticleFeatures] = []
        counter = Counter(len(articles), "articles read")
        for article in articles:
            results.append(self._reader.read(article))
            await counter.add()
            await asyncio.sleep(0)  # other tasks have their turn
        return results


async def _by_parts(
    call: Callable[[Sequence[CanonicalPubMedArticle]], Awaitable[list[ArticleFeatures]]],
    parts: Iterable[Sequence[CanonicalPubMedArticle]],
    count: int,
    *,
    at_once: int,
) -> list[ArticleFeatures]:
    """The features of all parts, in their order. No more than ``at_once`` wait for a process at a time, so that other
    calls have their turns between them.
    """
    counter, turns = Counter(count, "articles read"), asyncio.Semaphore(at_once)

    async def read(part: Sequence[CanonicalPubMedArticle]) -> list[ArticleFeatures]:
        async with turns:
            features = await call(part)
        await counter.add(len(features))
        return features

    tasks = [asyncio.ensure_future(read(part)) for part in parts]
    try:
        return [features for part in await asyncio.gather(*tasks) for features in part]
    finally:
        for task in tasks:
            task.cancel()  # the remaining ones after a failure


def _read_articles(reader: RuleReader, articles: Sequence[CanonicalPubMedArticle]) -> list[ArticleFeatures]:
    return [reader.read(article) for article in articles]
