"""Summaries of genes to ranked candidates. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import GeneSearchCandidate, MatchKind
from biofact.sources.entrez.search import organisms
from biofact.sources.entrez.search.organisms import Organism
from biofact.sources.entrez.search.words import folded, squeezed, words

_LEADS = 0.77
_OTHER_SPELLING = 0.03
_ORGANISM = 0.005


@dataclass(frozen=True, slots=True)
class Match:
    """How a gene answers the query: the kind, and 0-1 for how well."""

    kind: MatchKind
    score: float


def match(docsum: Docsum, names: Sequence[str]) -> Match:
    """How ``docsum`` answers a query that may stand for ``names``, the first of them as it was written.

    Exact symbol beats alias beats name; another spelling is a little less. People type human symbols in any case, but
    those of other organisms as they are written: "Trp53" is the mouse's symbol, while "HER2" is an alias of human
    ERBB2 and not the zebrafish gene her2.
    """
    written, *_ = names
    is_human = docsum.taxon_id == organisms.HUMAN
    is_meant = is_human or (docsum.symbol in names and not docsum.symbol.islower())
    tiers: tuple[tuple[MatchKind, tuple[str, ...], float], ...] = (
        ("symbol", (docsum.symbol,), 1.0 if is_meant else 0.9),
        ("alias", docsum.aliases, 0.93 if is_human else 0.86),
        ("name", docsum.names, 0.895 if is_human else 0.8),
    )
    wanted = {squeezed(name) for name in names}
    for kind, own, full in tiers:
        if any(folded(name) == folded(written) for name in own):
            return Match(kind, full)
        if any(squeezed(name) in wanted for name in own):
            return Match(kind, full - _OTHER_SPELLING)
    return _partly(docsum, names, is_human=is_human)


def _partly(docsum: Docsum, names: Sequence[str], *, is_human: bool) -> Match:
    """A name that holds the words: side by side in a human one, they are meant before another organism's alias."""
    if any(_is_reordered(own, names[0]) for own in docsum.names):
        return Match("name", 0.88 if is_human else 0.78)
    if is_human and any(_holds(own, names[0]) for own in docsum.names):
        return Match("name", 0.862)
    parts = [words(name) for name in names if words(name)]
    return (
        Match("name", 0.6) if any(part <= words(own) for own in docsum.names for part in parts) else Match("text", 0.3)
    )


def _is_reordered(name: str, phrase: str) -> bool:
    """The same words in another order, but for a number: "beta-catenin" is catenin beta 1."""
    asked = words(phrase)
    return len(asked) > 1 and {word for word in words(name) if not word.isdigit()} == asked


def _holds(name: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(folded(phrase))}(?!\w)", folded(name)) is not None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A gene in its place."""

    docsum: Docsum
    match: Match

    @classmethod
    def of(cls, docsum: Docsum, names: Sequence[str]) -> "Ranked":
        """The gene as it answers a query that may stand for ``names``."""
        return cls(docsum, match(docsum, names))

    @classmethod
    def by_id(cls, docsum: Docsum, query: str) -> "Ranked":
        """The gene that ``query`` names by its ID; a LOC symbol is an ID and a symbol in one."""
        by_words = cls.of(docsum, [query])
        return by_words if by_words.match.kind == "symbol" else cls(docsum, Match("id", 1.0))

    @property
    def order(self) -> tuple[float, int, bool, int, int]:
        """Best first: match, organism, genes before pseudogenes, the service's weight, lowest ID."""
        return (-self.match.score, self.place, self.is_minor, -self.docsum.weight, int(self.docsum.uid))

    @property
    def place(self) -> int:
        """Of the organism among equal matches."""
        return organisms.ORDER.get(self.docsum.taxon_id or 0, len(organisms.ORDER))

    @property
    def is_minor(self) -> bool:
        """Whether it is a pseudogene, or has no name but its number: a summary does not tell the type."""
        return self.docsum.symbol == f"LOC{self.docsum.uid}" or "pseudogene" in (self.docsum.description or "")

    @property
    def leads(self) -> bool:
        """The match is one by name, not by words here and there."""
        return self.match.score >= _LEADS

    @property
    def best(self) -> tuple[MatchKind, float, int, bool]:
        """What genes share that answer a query equally well."""
        return (self.match.kind, self.match.score, self.place, self.is_minor)


def ranked(docsums: Iterable[Docsum], names: Sequence[str]) -> list[Ranked]:
    """The genes, best first."""
    return sorted((Ranked.of(docsum, names) for docsum in docsums), key=lambda gene: gene.order)


def sharing_best(genes: Sequence[Ranked]) -> list[Ranked]:
    """The genes whose symbol or alias meets the query as well as the first's; empty when it stands alone."""
    if not genes or genes[0].match.kind not in {"symbol", "alias"}:
        return []
    shared = [gene for gene in genes if gene.best == genes[0].best]
    return shared if len(shared) > 1 else []


def candidate(gene: Ranked, most: float = 1.0) -> GeneSearchCandidate:
    """The row of a gene; its score never exceeds that of the row before."""
    score = gene.match.score - _ORGANISM * gene.place
    return gene.docsum.candidate(match=gene.match.kind, score=round(min(most, score), 3))


def is_of(docsum: Docsum, organism: Organism | None, *, is_sure: bool = False) -> bool:
    """Whether the gene belongs to the asked organism; where a summary cannot tell, what ``is_sure`` leaves open."""
    if organism is None or organism.taxon_id == docsum.taxon_id:
        return True
    named = {name.casefold() for name in (docsum.organism, docsum.common_name) if name}
    return organism.name.casefold() in named or not (organism.is_exact or is_sure)
