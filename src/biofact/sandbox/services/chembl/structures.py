"""Structures as graphs, for a stand-in without a chemistry library: which holds which, and what they have in common.

Atoms are elements, aromatic ones apart; charges, hydrogen, isotopes and stereochemistry count for nothing. Similarity
is Tanimoto's over chains of up to five atoms: another model than the service's Morgan fingerprints, so that its
figures are the sandbox's own.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LONGEST_CHAIN = 5
_PART = re.compile(r"\[[^\]]+\]|Br|Cl|[BCNOPSFIbcnops]|%\d\d|\d|[()=#$:/\\.-]")
_ELEMENT = re.compile(r"\[\d*([A-Z][a-z]?|[a-z]{1,2})")
_ORDERS = {"=": "=", "#": "#", "$": "$", ":": ":", "-": "-", "/": "", "\\": ""}
_AROMATIC = {"b", "c", "n", "o", "p", "s", "se", "as"}


class NoStructure(ValueError):
    """The text is no SMILES."""


@dataclass(slots=True)
class Graph:
    """Atoms, and which are bound to which in what way."""

    atoms: list[str] = field(default_factory=list)
    bonds: list[dict[int, str]] = field(default_factory=list)

    def add(self, atom: str) -> int:
        """A further atom; its number."""
        self.atoms.append(atom)
        self.bonds.append({})
        return len(self.atoms) - 1

    def bind(self, one: int, other: int, order: str) -> None:
        """A bond; between aromatic atoms an aromatic one where none is written."""
        is_aromatic = {self.atoms[one], self.atoms[other]} <= _AROMATIC
        self.bonds[one][other] = self.bonds[other][one] = order or (":" if is_aromatic else "-")


@dataclass(slots=True)
class _Reader:
    """Takes a SMILES part by part."""

    graph: Graph = field(default_factory=Graph)
    branches: list[int | None] = field(default_factory=list)
    rings: dict[str, tuple[int, str]] = field(default_factory=dict)
    last: int | None = None
    """The atom that the next one is bound to."""
    order: str = ""
    """Of the next bond, where it is written."""

    def take(self, part: str) -> bool:
        """Take the next part; whether it may stand there."""
        if part == "(":
            self.branches.append(self.last)
        elif part == ")":
            if not self.branches:
                return False
            self.last = self.branches.pop()
        elif part == ".":
            self.last = None
        elif part in _ORDERS:
            self.order = _ORDERS[part]
        elif part[0] in "%0123456789":
            return self._ring(part)
        else:
            self._atom(part)
        return True

    @property
    def is_whole(self) -> bool:
        """Nothing is left open."""
        return bool(self.graph.atoms) and not self.branches and not self.rings

    def _atom(self, part: str) -> None:
        written = _ELEMENT.match(part)
        atom = self.graph.add(written[1] if written else part)
        if self.last is not None:
            self.graph.bind(self.last, atom, self.order)
        self.last, self.order = atom, ""

    def _ring(self, part: str) -> bool:
        """A ring opens, or closes where it is open."""
        if self.last is None:
            return False
        if part in self.rings:
            other, written = self.rings.pop(part)
            self.graph.bind(other, self.last, self.order or written)
        else:
            self.rings[part] = (self.last, self.order)
        self.order = ""
        return True


@functools.lru_cache(4096)
def graph(smiles: str) -> Graph:
    """The structure that ``smiles`` writes.

    Raises:
        NoStructure: it is none.
    """
    parts, reader = _PART.findall(smiles), _Reader()
    if "".join(parts) != smiles or not all(map(reader.take, parts)) or not reader.is_whole:
        raise NoStructure(smiles)
    return reader.graph


def is_readable(smiles: str) -> bool:
    """Whether it is a structure."""
    try:
        graph(smiles)
    except NoStructure:
        return False
    return True


@functools.lru_cache(4096)
def chains(smiles: str) -> frozenset[str]:
    """Every chain of atoms in a structure, each in one direction."""
    molecule = graph(smiles)
    every = (chain for atom in range(len(molecule.atoms)) for chain in _from(molecule, (atom,)))
    return frozenset("".join(min(chain, chain[::-1])) for chain in every)


def _from(molecule: Graph, path: tuple[int, ...]) -> Iterator[list[str]]:
    yield _written(molecule, path)
    if len(path) < _LONGEST_CHAIN:
        for following in molecule.bonds[path[-1]]:
            if following not in path:
                yield from _from(molecule, (*path, following))


def _written(molecule: Graph, path: tuple[int, ...]) -> list[str]:
    first, *others = path
    parts, last = [molecule.atoms[first]], first
    for atom in others:
        parts += [molecule.bonds[last][atom], molecule.atoms[atom]]
        last = atom
    return parts


def similarity(one: str, other: str) -> float:
    """What two structures have in common, in percent."""
    ours, theirs = chains(one), chains(other)
    return 100 * len(ours & theirs) / len(ours | theirs)


def holds(whole: str, part: str) -> bool:
    """Whether a structure holds another, atom by atom and bond by bond."""
    molecule, wanted = graph(whole), graph(part)
    return _fits(molecule, wanted, {})


def _fits(molecule: Graph, wanted: Graph, placed: dict[int, int]) -> bool:
    """Whether the atoms that are not placed yet can be, too."""
    atom = _next(wanted, placed)
    if atom is None:
        return True
    taken = set(placed.values())
    for place, element in enumerate(molecule.atoms):
        if place in taken or element != wanted.atoms[atom]:
            continue
        bonds = ((placed[other], order) for other, order in wanted.bonds[atom].items() if other in placed)
        is_bound = all(molecule.bonds[place].get(other) == order for other, order in bonds)
        if is_bound and _fits(molecule, wanted, {**placed, atom: place}):
            return True
    return False


def _next(wanted: Graph, placed: dict[int, int]) -> int | None:
    """The next atom, bound to one that is placed where there is such a one."""
    others = [atom for atom in range(len(wanted.atoms)) if atom not in placed]
    return next((atom for atom in others if wanted.bonds[atom].keys() & placed.keys()), next(iter(others), None))
