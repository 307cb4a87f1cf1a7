"""Summaries of genes to ranked candidates. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import GeneSearchCandidate, MatchKind
from biofact.sources.entrez.search import organisms
from biofact.sources.entrez.search.organisms import Organism
from biofact.sources.entrez.search.words import folded, squeezed, words


@dataclass(frozen=True, slots=True)
class Match:
    """How a gene answers the query: the kind, and 0-1 for how well."""

    kind: MatchKind
    score: float


_TEXT = Match("text", 0.3)


def match(docsum: Docsum, query: str) -> Match:
    """How ``docsum`` answers ``query``. Exact symbol beats alias beats name; another spelling is a little less.

    People type human symbols in any case, but those of other organisms as they are written: "Trp53" is the mouse's
    symbol, while "HER2" is an alias of human ERBB2 and not the zebrafish gene her2.
    """
    is_meant = docsum.taxon_id == organisms.HUMAN or (docsum.symbol == query and not query.islower())
    kinds: tuple[tuple[MatchKind, tuple[str, ...], float], ...] = (
        ("symbol", (docsum.symbol,), 1.0 if is_meant else 0.9),
        ("alias", docsum.aliases, 0.92 if docsum.taxon_id == organisms.HUMAN else 0.86),
        ("name", docsum.names, 0.85 if docsum.taxon_id == organisms.HUMAN else 0.8),
    )
    for kind, names, full in kinds:
        if any(folded(name) == folded(query) for name in names):
            return Match(kind, full)
        if any(squeezed(name) == squeezed(query) for name in names):
            return Match(kind, full - 0.03)
    wanted = words(query)
    return Match("name", 0.6) if wanted and any(wanted <= words(name) for name in docsum.names) else _TEXT


def _is_minor(docsum: Docsum) -> bool:
    """Whether the gene is a pseudogene, or has no name but its number, as regulatory regions do.

    A summary does not tell the gene's type; its description does, as far as experts rank by it.
    """
    return docsum.symbol == f"LOC{docsum.uid}" or "pseudogene" in (docsum.description or "")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A gene in its place."""

    docsum: Docsum
    match: Match

    @classmethod
    def of(cls, docsum: Docsum, query: str) -> "Ranked":
        """The gene as it answers ``query``."""
        return cls(docsum, match(docsum, query))

    @classmethod
    def by_id(cls, docsum: Docsum, query: str) -> "Ranked":
        """The gene that ``query`` names by its ID; a LOC symbol is an ID and a symbol in one."""
        by_words = cls.of(docsum, query)
        return by_words if by_words.match.kind == "symbol" else cls(docsum, Match("id", 1.0))

    @property
    def order(self) -> tuple[float, int, bool, int, int]:
        """Best first: match, organism, genes before pseudogenes and regions, the service's weight, lowest ID."""
        d = self.docsum
        place = organisms.ORDER.get(d.taxon_id or 0, len(organisms.ORDER))
        return (-self.match.score, place, _is_minor(d), -d.weight, int(d.uid))

    @property
    def is_exact(self) -> bool:
        """The query is the gene's symbol or one of its aliases."""
        return self.match.kind in {"symbol", "alias"}

    @property
    def best(self) -> tuple[MatchKind, float, int]:
        """What genes share that answer a query equally well."""
        return (self.match.kind, self.match.score, self.order[1])


def ranked(docsums: Iterable[Docsum], query: str) -> list[Ranked]:
    """The genes, best first."""
    return sorted((Ranked.of(docsum, query) for docsum in docsums), key=lambda gene: gene.order)


def candidate(gene: Ranked, most: float) -> GeneSearchCandidate:
    """The row of a gene; its score never exceeds that of the row before."""
    place = min(gene.order[1], len(organisms.ORDER))
    return gene.docsum.candidate(match=gene.match.kind, score=round(min(most, gene.match.score - 0.005 * place), 3))


def is_of(docsum: Docsum, organism: Organism | None) -> bool:
    """Whether the gene belongs to the asked organism, as far as its summary can tell."""
    return organism is None or not organism.is_exact or docsum.taxon_id == organism.taxon_id
