"""How well genes answer the words of a query, and their order. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Literal, Protocol, TypeVar

from biofact.core import organisms
from biofact.core.provenance import Notice
from biofact.core.words import folded, squeezed, words

MatchKind = Literal["id", "symbol", "alias", "name", "text"]
"""What of a gene the query met. The sources so far do not tell previous symbols from other aliases."""

_LEADS = 0.77
_OTHER_SPELLING = 0.03
_ORGANISM = 0.005
_MOST_NAMED = 15
_REMEMBERED = 4096  # lists of names; a page of hits has some 300


class Named(Protocol):
    """A gene as far as its names and its place among equals go."""

    @property
    def id(self) -> str:
        """The written form of its ID."""

    @property
    def symbol(self) -> str:
        """The nomenclature symbol, where there is one."""

    @property
    def aliases(self) -> Sequence[str]:
        """Other symbols."""

    @property
    def names(self) -> Sequence[str]:
        """Full names."""

    @property
    def taxon_id(self) -> int | None:
        """NCBI Taxonomy ID; None where the source does not tell."""

    @property
    def is_minor(self) -> bool:
        """Among equals it comes after all others: a pseudogene, or a gene without a name."""

    @property
    def weight(self) -> float:
        """The source's own measure of how well known it is, or how well it answers."""

    @property
    def tie(self) -> int | str:
        """What decides between genes that are equal in everything else, the lowest first."""


Gene = TypeVar("Gene", bound=Named)


@dataclass(frozen=True, slots=True)
class Match:
    """How a gene answers the query: the kind, and 0-1 for how well."""

    kind: MatchKind
    score: float


def match(gene: Named, names: Sequence[str]) -> Match:
    """How ``gene`` answers a query that may stand for ``names``, the first of them as it was written.

    Exact symbol beats alias beats name; another spelling is a little less. People type human symbols in any case, but
    those of other organisms as they are written: "Trp53" is the mouse's symbol, while "HER2" is an alias of human
    ERBB2 and not the zebrafish gene her2.
    """
    written, *_ = names
    is_human = gene.taxon_id == organisms.HUMAN
    is_meant = is_human or (gene.symbol in names and not gene.symbol.islower())
    tiers: tuple[tuple[MatchKind, Sequence[str], float], ...] = (
        ("symbol", (gene.symbol,), 1.0 if is_meant else 0.9),
        ("alias", gene.aliases, 0.93 if is_human else 0.86),
        ("name", gene.names, 0.895 if is_human else 0.8),
    )
    wanted = {squeezed(name) for name in names}
    for kind, own, full in tiers:
        if folded(written) in _each_folded(tuple(own)):
            return Match(kind, full)
        if not wanted.isdisjoint(_each_squeezed(tuple(own))):
            return Match(kind, full - _OTHER_SPELLING)
    return _partly(tuple(gene.names), tuple(names), is_human=is_human)


@lru_cache(_REMEMBERED)
def _each_folded(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(folded, names))


@lru_cache(_REMEMBERED)
def _each_squeezed(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(squeezed, names))


@lru_cache(_REMEMBERED)
def _partly(own_names: tuple[str, ...], names: tuple[str, ...], *, is_human: bool) -> Match:
    """A name that holds the words: side by side in a human one, they are meant before another organism's alias."""
    if any(_is_reordered(own, names[0]) for own in own_names):
        return Match("name", 0.88 if is_human else 0.78)
    if is_human and any(_holds(own, names[0]) for own in own_names):
        return Match("name", 0.862)
    parts = [words(name) for name in names if words(name)]
    return Match("name", 0.6) if any(part <= words(own) for own in own_names for part in parts) else Match("text", 0.3)


def _is_reordered(name: str, phrase: str) -> bool:
    """The same words in another order, but for a number: "beta-catenin" is catenin beta 1."""
    asked = words(phrase)
    return len(asked) > 1 and {word for word in words(name) if not word.isdigit()} == asked


def _holds(name: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(folded(phrase))}(?!\w)", folded(name)) is not None


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Gene]):
    """A gene in its place."""

    gene: Gene
    match: Match

    @classmethod
    def of(cls, gene: Gene, names: Sequence[str]) -> "Ranked[Gene]":
        """The gene as it answers a query that may stand for ``names``."""
        return cls(gene, match(gene, names))

    @property
    def order(self) -> tuple[float, int, bool, float, int | str]:
        """Best first: match, organism, genes before pseudogenes, the service's weight, lowest ID."""
        return (-self.match.score, self.place, self.gene.is_minor, -self.gene.weight, self.gene.tie)

    @property
    def place(self) -> int:
        """Of the organism among equal matches."""
        return organisms.ORDER.get(self.gene.taxon_id or 0, len(organisms.ORDER))

    @property
    def leads(self) -> bool:
        """The match is one by name, not by words here and there."""
        return self.match.score >= _LEADS

    @property
    def best(self) -> tuple[MatchKind, float, int, bool]:
        """What genes share that answer a query equally well."""
        return (self.match.kind, self.match.score, self.place, self.gene.is_minor)

    def score(self, most: float = 1.0) -> float:
        """What a row says: 0-1, a little less for each organism down the list, and never more than ``most``."""
        return round(min(most, self.match.score - _ORGANISM * self.place), 3)


def ranked(genes: Iterable[Gene], names: Sequence[str]) -> list[Ranked[Gene]]:
    """The genes, best first."""
    return sorted((Ranked.of(gene, names) for gene in genes), key=lambda gene: gene.order)


def sharing_best(genes: Sequence[Ranked[Gene]]) -> list[Ranked[Gene]]:
    """The genes whose symbol or alias meets the query as well as the first's; empty when it stands alone."""
    if not genes or genes[0].match.kind not in {"symbol", "alias"}:
        return []
    shared = [gene for gene in genes if gene.best == genes[0].best]
    return shared if len(shared) > 1 else []


def shared_match(genes: Sequence[Ranked[Gene]]) -> Notice:
    """Names the genes that share the best match."""
    named = ", ".join(f"{ranked.gene.symbol} ({ranked.gene.id})" for ranked in genes[:_MOST_NAMED])
    more = f" and {len(genes) - _MOST_NAMED} or more others" if len(genes) > _MOST_NAMED else ""
    message = f"{len(genes)} genes share the best match ({genes[0].match.kind}): {named}{more}."
    return Notice(code="SHARED_MATCH", message=message)
