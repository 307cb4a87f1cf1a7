"""Many names at once: what one source knows under each of them, for the layer that asks several sources."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TypeVar

from biofact.core import call
from biofact.core.call import Call
from biofact.core.errors import (
    AmbiguousQuery,
    BiofactError,
    EntityNotFound,
    RateLimited,
    UnresolvedEntity,
    UpstreamError,
)
from biofact.core.kinds import EntityKind, EntityMatch, EntityStatus
from biofact.core.records import Notice

Found = TypeVar("Found")

AT_ONCE = 10
"""Names of a long list under way: enough to use all of a service's rate, few enough to wait seconds for a turn."""

_MARK = "finds_biofact_names"


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """The entities that a source knows under a name."""

    id: str
    """As the source's strict tools take it, Ensembl's with its version."""
    label: str
    """Symbol, preferred name or title."""
    kind: EntityKind
    match: EntityMatch = "id"
    score: float = 1.0
    """0-1."""
    organism: str | None = None
    """Scientific name."""
    status: EntityStatus = "current"
    xrefs: Mapping[str, str] = field(default_factory=dict)
    """IDs of the very same entity that this answer tells, its own among them, by key of the cross-reference registry
    and in its form; Ensembl's of a protein, which the registry lacks, as ``ensembl_protein``, without version."""
    chromosome: str | None = None
    product_of: tuple[str, ...] = ()
    """The gene of a transcript or protein, as strict tools take it; an Ensembl ID without version."""
    form_of: str | None = None
    """The parent of a salt or another form of a compound."""
    shares_match: bool = False
    """Other entities of the source answer the name equally well."""
    is_other_case: bool = False
    """The name is its symbol or alias, but in other capital and small letters."""
    is_readthrough: bool = False
    """Whether it is a gene transcribed across others, and has their names besides its own."""
    weight: float | None = None
    """The service's own measure of how well known the entity is, on a scale of its own; None where it tells none."""
    latin_reading: str = ""
    """The symbol that was read with a Latin letter for a Greek one of the name: a guess."""
    is_of_family: bool = False
    """The name is a full name of it but for a number, a remark, or a word like "protein"."""


@dataclass(slots=True)
class NameResults:
    """The answers of a source for many names. A name in none of these is unknown to it."""

    entities: dict[str, list[NamedEntity]] = field(default_factory=dict)
    """Best first."""
    failures: dict[str, BiofactError] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    """Why a name that the source knows has no entity: it was withdrawn, or is something else. A sentence."""
    remarks: dict[str, str] = field(default_factory=dict)
    """Hints for a name that the source does not know, such as one a letter away. A sentence."""
    notices: list[Notice] = field(default_factory=list)
    """About all names."""

    def add(self, name: str, entities: Iterable[NamedEntity]) -> None:
        """Take what a name stands for."""
        if found_entities := list(entities):
            self.entities[name] = found_entities

    def fail(self, names: Iterable[str], failure: BiofactError) -> None:
        """Take that it is not known what these stand for."""
        self.failures.update(dict.fromkeys(names, failure))

    async def add_awaited(self, name: str, entities: Awaitable[Iterable[NamedEntity]]) -> None:
        """Take what a name stands for as soon as it is known; an error concerns this name alone."""
        try:
            self.add(name, await entities)
        except EntityNotFound as absent:
            self.reasons[name] = absent.message
        except UnresolvedEntity as unreadable:
            self.reasons[name] = f"{unreadable.message} {unreadable.hint}"
        except (RateLimited, UpstreamError, AmbiguousQuery) as failure:
            self.fail([name], failure)

    def add_outcomes(
        self,
        ids: Mapping[str, str],
        outcomes: Mapping[str, Found | BiofactError | None],
        entity: Callable[[Found], NamedEntity],
    ) -> dict[str, str]:
        """Take the outcomes of looking up the ID of each name; returns the names and IDs without a record."""
        for name, record_id in ids.items():
            outcome = outcomes[record_id]
            if isinstance(outcome, BiofactError):
                self.fail([name], outcome)
            elif outcome is not None:
                self.add(name, [entity(outcome)])
        return {name: record_id for name, record_id in ids.items() if outcomes[record_id] is None}

    def pending_names(self, names: Iterable[str]) -> list[str]:
        """The names without an answer so far."""
        return [
            name
            for name in names
            if not any(name in answers for answers in (self.entities, self.failures, self.reasons))
        ]


Find = Callable[[str], Awaitable[Sequence[NamedEntity]]]
NewCall = Callable[[], AbstractContextManager[Call]]
"""Opens a call with the whole time of one, or what is left of the tool call under way."""


async def each_name(names: Sequence[str], find: Find, new_call: NewCall) -> NameResults:
    """The answers of ``find`` for each name, some at once; an error concerns that name alone.

    Each name of a long list has a call of its own from its turn, at the priority of bulk work.
    """
    findings = NameResults()
    slots = asyncio.Semaphore(AT_ONCE)
    counter = call.Counter(len(names), "names looked up")

    async def find_in_turn(name: str) -> Sequence[NamedEntity]:
        async with slots:
            with new_call() as own_call:
                own_call.lane = "bulk"
                return await find(name)

    async def add(name: str) -> None:
        await findings.add_awaited(name, (find_in_turn if len(names) > AT_ONCE else find)(name))
        await counter.add()

    await asyncio.gather(*map(add, names))
    return findings


Part = TypeVar("Part")
AskTogether = Callable[[Sequence[str]], Awaitable[tuple[Sequence[Part], bool]]]
"""Names to what a joined question lists for them, and whether that is all."""


async def listed_in_parts(findings: NameResults, names: Sequence[str], size: int, ask: AskTogether[Part]) -> list[Part]:
    """The lists of joined questions of ``size`` names for all of them: asked in halves where a list is cut, but for a
    single name's. ``findings`` records the names of a question that fails.
    """

    async def fetch_part(part: Sequence[str]) -> Sequence[Part]:
        try:
            rows, is_whole = await ask(part)
        except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
            findings.fail(part, failure)
            return ()
        # A cut list may lack any name's rows; one name alone cannot be halved.
        if is_whole or len(part) == 1:
            return rows
        return await fetch_parts(part, (len(part) + 1) // 2)

    async def fetch_parts(batch: Sequence[str], limit: int) -> list[Part]:
        parts = (batch[start : start + limit] for start in range(0, len(batch), limit))
        return [row for rows in await asyncio.gather(*map(fetch_part, parts)) for row in rows]

    return await fetch_parts(names, size)


FindNames = Callable[[Sequence[str], str], Awaitable[NameResults]]
"""Names, each once and single-spaced, and the organism as the caller wrote it, to what a source knows under them, in as
few requests as it can. An ID names its own organism. Failures of the service come per name; only arguments that cannot
be understood are raised.
"""


Takes = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class NameFinder:
    """A kind of entity that a source finds by name, as it declares with ``@finds``."""

    kind: EntityKind
    is_joined: bool
    """The method takes any number of names, for which it asks as little as its service offers; else each costs a
    search, for which only few names are asked."""
    takes: Takes
    """A reader of names, true for one of the form that the source knows: it is asked for no others."""
    find: FindNames


Method = TypeVar("Method", bound=Callable[..., Awaitable[NameResults]])


def finds(kind: EntityKind, *, is_joined: bool = True, takes: Takes = bool) -> Callable[[Method], Method]:
    """Mark a client method as one that finds entities of a kind by name, of the form that it ``takes``: any by default,
    as no name is empty.
    """

    def decorate(method: Method) -> Method:
        setattr(method, _MARK, functools.partial(NameFinder, kind, is_joined, takes))
        return method

    return decorate


def is_finder(method: object) -> bool:
    """Whether a method is one that ``finds``: it serves other parts of biofact, and no program."""
    return hasattr(method, _MARK)


def finders(client: object) -> tuple[NameFinder, ...]:
    """The kinds of entity that a client finds by name."""
    names = (name for name, _ in inspect.getmembers(type(client), is_finder))
    return tuple(getattr(method, _MARK)(method) for method in (getattr(client, name) for name in names))
