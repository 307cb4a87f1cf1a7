"""Tells queries that are structures from names. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from biofact.core.errors import UpstreamError
from biofact.protocol.search import ListSlice, OffsetPosition
from biofact.sources.chembl.identifiers import curie
from biofact.sources.chembl.parse import Found, Hits
from biofact.sources.chembl.records import CompoundSearchCandidate
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.service import AskedStructure

_INCHI_KEY = re.compile(r"(?:InChIKey\s*[=:]\s*)?([A-Z]{14}-[A-Z]{10}-[A-Z])", re.IGNORECASE)
_INCHI = re.compile(r"InChI=1S?/[\w./,()?;+*-]+", re.IGNORECASE)
_IN_BRACKETS = r"\[\d{0,3}(?:[A-Z][a-z]?|[a-z]{1,2})(?:@[@A-Z\d]*)?(?:H\d?)?(?:\++|-+|[-+]\d{1,2})?(?::\d+)?\]"
_ATOM = rf"{_IN_BRACKETS}|Br|Cl|[BCNOPSFIbcnops]"
_TOKEN = re.compile(
    rf"(?P<atom>{_ATOM})|(?P<ring>%\d\d|\d)|(?P<open>\()|(?P<close>\))|(?P<bond>[=#$:/\\])|(?P<dash>[-.])"
)
_PREFIX = re.compile(r"^smiles\s*[:=]\s*", re.IGNORECASE)
_NAMED = re.compile(r"\[\d+[A-Z][a-z]?\][A-Z]{2,}|.*\(I{2,}\).*")
"""Names that are written like SMILES: the tracer [11C]PIB, and metals with their charge, such as Co(II)."""
_SYMBOL = re.compile(r"Br|Cl|[A-Z][a-z]|se|as|[A-Za-z]")
_SMALLEST_RING = 3


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure, and the notation it is written in."""

    notation: Literal["inchi_key", "inchi", "smiles"]
    text: str


def structure_in(query: str) -> Structure | None:
    """The structure that ``query`` is; None when it is a name."""
    written = query.strip()
    if found := _INCHI_KEY.fullmatch(written):
        return Structure("inchi_key", found[1].upper())
    if _INCHI.fullmatch(written):
        return Structure("inchi", f"InChI={written[len('InChI=') :]}")
    text = _PREFIX.sub("", written)
    is_labelled = text != written
    return Structure("smiles", text) if (is_labelled and is_valid(text)) or is_smiles(text) else None


def is_smiles(text: str) -> bool:
    """Whether ``text`` is a SMILES and no name: it has to show bonds, branches, brackets or rings.

    ``CCO`` may be a name as well, and is taken for one, unless ``SMILES:`` stands before it.
    """
    has_signs = any(kind in {"ring", "open"} or part in {"=", "#"} or part[0] == "[" for kind, part in _tokens(text))
    return has_signs and is_valid(text) and not _NAMED.fullmatch(text)


def is_valid(text: str) -> bool:
    """Whether ``text`` is made like a SMILES, all its branches and rings closed.

    ``NSC-1122`` is not: its rings would have no atoms.
    """
    tokens = _tokens(text)
    if not tokens or tokens[0][0] != "atom":
        return False
    atoms, depth, last = 0, 0, ""
    rings: dict[str, int] = {}
    for kind, part in tokens:
        if kind == "ring":
            if last not in {"atom", "ring", "bond"}:
                return False
            opened = rings.pop(part, None)
            if opened is None:
                rings[part] = atoms
            elif atoms - opened + 1 < _SMALLEST_RING:
                return False
        atoms += kind == "atom"
        depth += (kind == "open") - (kind == "close")
        if depth < 0:
            return False
        last = kind
    return not (depth or rings or last in {"bond", "dash", "open"})


def heavy_atoms(smiles: str) -> Counter[str]:
    """How many atoms of each element a structure has, hydrogen left out."""
    atoms = [part for kind, part in _tokens(smiles) if kind == "atom"]
    found = (_SYMBOL.search(part.strip("[]").lstrip("0123456789")) for part in atoms)
    counts = Counter(symbol[0].capitalize() for symbol in found if symbol)
    del counts["H"]
    return counts


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of each part; empty when there is anything else in between."""
    found, end = [], 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            return []
        found.append((token.lastgroup or "", token[0]))
        end = token.end()
    return found if end == len(text) else []


_MOST_PERCENT = 100.0
_ROUNDING = 0.01  # what a service that counts in single precision may be off


class StructureQuestions(Protocol):
    """What a search asks; each question is one upstream request."""

    async def alike(self, structure: AskedStructure, threshold: int | None, offset: int, limit: int) -> Hits:
        """Molecules that are similar to a structure, or hold it where no ``threshold`` is given."""


@dataclass(frozen=True, slots=True)
class StructureSearch:
    """A search by structure in ChEMBL's own order; without a ``threshold`` for all that holds the structure."""

    structure: AskedStructure
    smiles: str
    threshold: int | None
    ask: StructureQuestions

    async def page_from(self, position: OffsetPosition, size: int) -> ListSlice[CompoundSearchCandidate]:
        """The compounds from a position on, most similar first.

        Raises:
            UpstreamError: no row answers the question, or those of the last page are there again.
        """
        hits = await self.ask.alike(self.structure, self.threshold, position.offset, size)
        kept = hits.only(self._answers).molecules
        if hits.molecules and not kept:
            raise UpstreamError("ChEMBL listed compounds of other structures.", hint="Call again later, or report it.")
        is_repeated = position.last in {curie(native_id) for native_id in hits.ids if native_id}
        if is_repeated or self._most(kept) > position.score + _ROUNDING:
            raise UpstreamError("ChEMBL listed compounds again.", hint="Begin again with page 1, without a cursor.")
        rows = [molecule.candidate(match="structure", score=self._score(molecule)) for molecule in self._ordered(kept)]
        remarks = [] if rows else [notices.nothing_alike(self.structure.text, self.threshold)]
        dropped = notices.dropped(len(hits.ids) - len(kept))
        return ListSlice(rows, hits.total, [*remarks, *dropped], read=len(hits.ids))

    def _answers(self, one: Found) -> bool:
        """Similar ones say how similar they are; what holds a structure has at least its atoms."""
        if self.threshold is None:
            return one.formula is None or not heavy_atoms(self.smiles) - _elements(one.formula)
        return one.similarity is not None and self.threshold - _ROUNDING <= one.similarity <= _MOST_PERCENT + _ROUNDING

    def _ordered(self, kept: Sequence[Found]) -> list[Found]:
        return sorted(kept, key=lambda one: -(one.similarity or 0.0))

    def _most(self, kept: Sequence[Found]) -> float:
        return max((self._score(one) for one in kept), default=0.0)

    def _score(self, one: Found) -> float:
        """1 for any that holds the structure."""
        share = 1.0 if self.threshold is None else (one.similarity or 0.0) / _MOST_PERCENT
        return min(1.0, round(share, 4))


def _elements(formula: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for element, number in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        counts[element] += int(number or 1)
    return counts
