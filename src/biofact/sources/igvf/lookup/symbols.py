"""Gene symbols to genes: in any letter case, by synonym where no gene is called so, in the organism that is meant."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from biofact.core.provenance import Notice
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import SPECIES
from biofact.sources.igvf.lookup.absence import several
from biofact.sources.igvf.lookup.places import is_called
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.reading.genomes import Organism
from biofact.sources.igvf.records import Entity

_OPEN_READING_FRAME = re.compile(r"C(\d+|X|Y)ORF(\d+)(.*)")
_MANY = 500  # rows: near misses that fill a page do not hide the gene itself


@dataclass(frozen=True, slots=True)
class Symbols:
    """Looks genes up by what they are called."""

    ask: IGVFQuestions
    near: list[Entity] = field(default_factory=list)
    """Other genes that the service sent: near misses."""

    async def genes(self, symbol: str, organism: Organism | None) -> tuple[list[Entity], list[Notice]]:
        """The gene of this name, else that of this synonym; none where there is none.

        Raises:
            AmbiguousQuery: it is a synonym of several genes.
        """
        whose: tuple[Organism, ...] = (organism,) if organism else ("human", "mouse")
        for one in whose:
            if found := await self._named(_conventional(symbol, one), one):
                return found, _assumed(symbol, found[0]) if organism is None else []
        spelt = list(dict.fromkeys((symbol, symbol.upper(), *(_conventional(symbol, one) for one in whose))))
        also = await asyncio.gather(*(self._also_called(spelt, one) for one in whose))
        return self._chosen(symbol, next((genes for genes in also if genes), []))

    def _chosen(self, symbol: str, found: list[Entity]) -> tuple[list[Entity], list[Notice]]:
        if len(found) > 1:
            raise several(symbol, found, "genes as a synonym")
        told = [Notice(code="QUERY_UNDERSTOOD", message=f"{symbol} is a synonym of {gene.name}.") for gene in found]
        return found, told

    async def _named(self, symbol: str, organism: Organism) -> list[Entity]:
        """The genes of one organism with this name, in any letter case; rows by another name are near misses."""
        found = await self._rows("name", symbol, organism)
        if alike := [gene for gene in found if gene.name == symbol] or [
            gene for gene in found if is_called(gene, symbol)
        ]:
            return alike
        self.near.extend(found)
        return []

    async def _also_called(self, spellings: Sequence[str], organism: Organism) -> list[Entity]:
        """The genes of one organism that have one of these synonyms, by the first spelling that any has."""
        for symbol in spellings:
            found = await self._rows("synonym", symbol, organism)
            if alike := [gene for gene in found if symbol in gene.synonyms]:
                return alike
        return []

    async def _rows(self, parameter: str, symbol: str, organism: Organism) -> list[Entity]:
        given = {parameter: symbol, "organism": SPECIES[organism]}
        rows = await self.ask.rows("/genes", given, limit=_MANY)
        return [parse.entity("gene", row, organism) for row in rows]


def _conventional(symbol: str, organism: str) -> str:
    """As the nomenclature committee of the organism writes a symbol."""
    if organism == "mouse":
        return symbol if any(letter.islower() for letter in symbol) else symbol.capitalize()
    frame = _OPEN_READING_FRAME.fullmatch(symbol.upper())
    return f"C{frame[1]}orf{frame[2]}{frame[3]}" if frame else symbol.upper()


def _assumed(symbol: str, gene: Entity) -> list[Notice]:
    """Says whose gene it is where the letters leave that open."""
    if gene.organism == "mouse":
        message = f"No human gene is called {symbol}; {gene.name} is the mouse's."
        return [Notice(code="ASSUMED", message=message)]
    is_like_mouse = symbol[:1].isupper() and any(letter.islower() for letter in symbol) and gene.name != symbol
    message = f"{symbol} was read as the human gene {gene.name}; ask with organism='mouse' for the mouse's."
    return [Notice(code="ASSUMED", message=message)] if is_like_mouse else []
