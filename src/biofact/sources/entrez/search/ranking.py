"""Summaries of genes as rows of a search. Pure."""

from collections.abc import Sequence

from biofact.core import organisms
from biofact.protocol.ranking import Match, Ranked
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import GeneSearchCandidate
from biofact.sources.entrez.search.organisms import Organism


def by_id(docsum: Docsum, query: str) -> Ranked[Docsum]:
    """The gene that ``query`` names by its ID; a LOC symbol is an ID and a symbol in one."""
    by_words = Ranked.of(docsum, [query])
    return by_words if by_words.match.kind == "symbol" else Ranked(docsum, Match("id", 1.0))


def candidate(ranked: Ranked[Docsum], most: float = 1.0) -> GeneSearchCandidate:
    """The row of a gene; its score never exceeds that of the row before."""
    return ranked.gene.candidate(match=ranked.match.kind, score=ranked.score(most))


def is_of(docsum: Docsum, organism: Organism | None, *, is_sure: bool = False) -> bool:
    """Whether the gene belongs to the asked organism; where a summary cannot tell, what ``is_sure`` leaves open."""
    if organism is None or organism.taxon_id == docsum.taxon_id:
        return True
    named = {name.casefold() for name in (docsum.organism, docsum.common_name) if name}
    return organism.name.casefold() in named or not (organism.is_exact or is_sure)


def is_reached(docsum: Docsum, organism: Organism | None) -> bool:
    """Whether a search by name looks at the gene: in the asked organism, else in the model organisms."""
    return docsum.taxon_id in organisms.ORDER if organism is None else is_of(docsum, organism)


def is_called(docsum: Docsum, names: Sequence[str]) -> bool:
    """Whether one of the names is a symbol of the gene."""
    return Ranked.of(docsum, names).match.kind in {"symbol", "alias"}
