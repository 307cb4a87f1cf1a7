"""Gene symbols to genes: in any letter case, by synonym where no gene is called so, in the organism that is meant."""

import re
from dataclasses import dataclass, field

from biofact.core.records import Notice
from biofact.dialects.genomic.genomes import Organism
from biofact.sources.igvf.lookup.absence import ambiguous
from biofact.sources.igvf.lookup.keys import is_called
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity

_OPEN_READING_FRAME = re.compile(r"C(\d+|X|Y)ORF(\d+)(.*)")
_MANY = 500  # rows: near misses that fill a page do not hide the gene itself


@dataclass(frozen=True, slots=True)
class GeneSymbols:
    """Looks genes up by what they are called."""

    questions: IGVFQuestions
    near: list[Entity] = field(default_factory=list)
    """Other genes that the service sent: near misses."""

    async def genes(self, symbol: str, organism: Organism | None) -> tuple[list[Entity], list[Notice]]:
        """The gene of this name, else that of this synonym; none where there is none.

        Raises:
            AmbiguousQuery: it is a synonym of several genes.
        """
        organisms: tuple[Organism, ...] = (organism,) if organism else ("human", "mouse")
        if found := await self._named(_conventional(symbol, organisms[0]), organisms[0]):
            return found, _assumed(symbol, found[0]) if organism is None else []
        steps = [(self._named, species) for species in organisms[1:]] + [
            (self._also_called, species) for species in organisms
        ]
        if not _is_mouse_style(symbol):  # letter case shows whose symbol is meant: TRP53 is a human synonym
            steps.sort(key=lambda step: step[1] != "human")
        for look, species in steps:
            if found := await look(symbol if look == self._also_called else _conventional(symbol, species), species):
                return self._only_gene(symbol, found, is_assumed=organism is None)
        return [], []

    def _only_gene(self, symbol: str, found: list[Entity], *, is_assumed: bool) -> tuple[list[Entity], list[Notice]]:
        if len(found) > 1:
            raise ambiguous(symbol, found, "genes as a synonym")
        (gene,) = found
        notices = _assumed(symbol, gene) if is_assumed else []
        if is_called(gene, symbol):
            return found, notices
        synonym = Notice(code="QUERY_UNDERSTOOD", message=f"{symbol} is a synonym of {gene.name}.")
        return found, [synonym, *notices]

    async def _named(self, symbol: str, organism: Organism) -> list[Entity]:
        """The genes of one organism with this name, in any letter case; rows by another name are near misses."""
        found = await self._genes("name", symbol, organism)
        if alike := [gene for gene in found if gene.name == symbol] or [
            gene for gene in found if is_called(gene, symbol)
        ]:
            return alike
        self.near.extend(found)
        return []

    async def _also_called(self, symbol: str, organism: Organism) -> list[Entity]:
        """The genes of one organism that have this synonym, by the first spelling that any has."""
        for spelling in dict.fromkeys((symbol, symbol.upper(), _conventional(symbol, organism))):
            found = await self._genes("synonym", spelling, organism)
            if alike := [gene for gene in found if spelling in gene.synonyms]:
                return alike
        return []

    async def _genes(self, parameter: str, symbol: str, organism: Organism) -> list[Entity]:
        return await self.questions.entities("/genes", {parameter: symbol}, organism, limit=_MANY)


def _conventional(symbol: str, organism: str) -> str:
    """As the nomenclature committee of the organism writes a symbol."""
    if organism == "mouse":
        return symbol if any(letter.islower() for letter in symbol) else symbol.capitalize()
    frame = _OPEN_READING_FRAME.fullmatch(symbol.upper())
    return f"C{frame[1]}orf{frame[2]}{frame[3]}" if frame else symbol.upper()


def _is_mouse_style(symbol: str) -> bool:
    return symbol[:1].isupper() and any(letter.islower() for letter in symbol)


def _assumed(symbol: str, gene: Entity) -> list[Notice]:
    """Says whose gene it is where the letters leave that open."""
    if gene.organism == "mouse":
        return [Notice(code="ASSUMED", message=f"Nothing human is called {symbol}; {gene.name} is the mouse's.")]
    message = f"{symbol} was read as the human gene {gene.name}; ask with organism='mouse' for the mouse's."
    is_open = _is_mouse_style(symbol) and gene.name != symbol
    return [Notice(code="ASSUMED", message=message)] if is_open else []
