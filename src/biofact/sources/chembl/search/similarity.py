"""Compounds that resemble a structure or hold it, page by page in ChEMBL's own order."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, Field

from biofact.core.errors import UpstreamError
from biofact.core.provenance import Notice
from biofact.protocol.listing import ListPage
from biofact.sources.chembl.parse import Found, Hits
from biofact.sources.chembl.records import CompoundSearchCandidate
from biofact.sources.chembl.requests import AskedStructure
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.structures import heavy_atoms

_MOST_PERCENT = 100.0
_ROUNDING = 0.01  # what a service that counts in single precision may be off


class AlikePosition(BaseModel):
    """Where the next page begins."""

    offset: int = Field(ge=0, le=100_000_000)
    score: float = Field(ge=0, le=1)
    """Of the last row; none after it is higher."""
    last: str = Field(pattern=r"^(CHEMBL\d+)?$")
    """The last row."""


AlikePage = ListPage[CompoundSearchCandidate, AlikePosition]


class StructureQuestions(Protocol):
    """What a search asks; each question is one upstream request."""

    async def alike(self, structure: AskedStructure, threshold: int | None, offset: int, limit: int) -> Hits:
        """Molecules that are similar to a structure, or hold it where no ``threshold`` is given."""


@dataclass(frozen=True, slots=True)
class AlikePages:
    """A search by structure; without a ``threshold`` for all that holds it."""

    structure: AskedStructure
    smiles: str
    threshold: int | None
    ask: StructureQuestions

    async def first(self, page_size: int) -> AlikePage:
        """Page 1."""
        return await self.after(AlikePosition(offset=0, score=1.0, last=""), page_size)

    async def after(self, position: AlikePosition, page_size: int) -> AlikePage:
        """The page that begins at ``position``.

        Raises:
            UpstreamError: no row answers the question, or those of the last page are there again.
        """
        hits = await self.ask.alike(self.structure, self.threshold, position.offset, page_size)
        kept = hits.only(self._answers).molecules
        if hits.molecules and not kept:
            raise UpstreamError("ChEMBL listed compounds of other structures.", hint="Call again later, or report it.")
        if (position.last and position.last in hits.ids) or self._most(kept) > position.score + _ROUNDING:
            raise UpstreamError("ChEMBL listed compounds again.", hint="Begin again with page 1, without a cursor.")
        rows = [one.candidate(match="structure", score=self._score(one, position.score)) for one in self._ordered(kept)]
        end = position.offset + len(hits.ids)
        remarks = [] if rows else [notices.nothing_alike(self.structure.text, self.threshold)]
        if not hits.ids or end >= hits.total:
            return ListPage(rows, None, hits.total, [*remarks, *self._dropped(hits, kept)])
        least = min([position.score, *(row.score for row in rows)])
        onward = AlikePosition(offset=end, score=least, last=hits.ids[-1])
        return ListPage(rows, onward, hits.total, [*remarks, *self._dropped(hits, kept)])

    def _answers(self, one: Found) -> bool:
        """Similar ones say how similar they are; what holds a structure has at least its atoms."""
        if self.threshold is None:
            return one.formula is None or not heavy_atoms(self.smiles) - _elements(one.formula)
        return one.similarity is not None and self.threshold - _ROUNDING <= one.similarity <= _MOST_PERCENT + _ROUNDING

    def _ordered(self, kept: Sequence[Found]) -> list[Found]:
        return sorted(kept, key=lambda one: -(one.similarity or 0.0))

    def _most(self, kept: Sequence[Found]) -> float:
        return max((self._score(one, 1.0) for one in kept), default=0.0)

    def _score(self, one: Found, most: float) -> float:
        """Of one that holds the structure always 1."""
        share = 1.0 if self.threshold is None else (one.similarity or 0.0) / _MOST_PERCENT
        return min(most, 1.0, round(share, 4))

    def _dropped(self, hits: Hits, kept: Sequence[Found]) -> list[Notice]:
        return notices.dropped(len(hits.ids) - len(kept))


def _elements(formula: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for element, number in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        counts[element] += int(number or 1)
    return counts
