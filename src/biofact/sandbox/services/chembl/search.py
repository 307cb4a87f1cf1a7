"""Molecules and targets: read by ID or structure, listed, and found by the words of their names or by similarity.

Relevance: any word counts, rare ones more (Okapi BM25). How the real service weighs names is not known, nor whether it
knows prefixes and typos; here it does not.

Structures are graphs, for a stand-in without a chemistry library: which holds which, and what they have in common.
Atoms are elements, aromatic ones apart; charges, hydrogen, isotopes and stereochemistry count for nothing. Similarity
is Tanimoto's over chains of up to five atoms: another model than the service's Morgan fingerprints, so that its
figures are the sandbox's own.
"""

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from biofact.sandbox.services.chembl.corpus import resources
from biofact.sandbox.services.chembl.requests import CONTROLS, PAGE_CONTROLS, chembl_refusal
from biofact.sandbox.services.chembl.tables import ResourceTable, Spellings, order_rows
from biofact.sandbox.standin import Reply, ServiceRequest
from biofact.sandbox.tables import Row
from biofact.sandbox.word_index import words

INCHI_KEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
REACHABLE = 10_000
"""Hits of a search."""

LEAST_SIMILAR, MOST_SIMILAR = 40, 100
_STRUCTURAL = CONTROLS | PAGE_CONTROLS | {"smiles", "chembl_id", "similarity", "order_by"}
_SHORTEST_STRUCTURE = 6
_CHEMBL_ID = re.compile(r"CHEMBL\d+", re.IGNORECASE)
_SHORTEST_QUERY = 3
_EXACT_SCORE = 100


class NamedTable(ResourceTable):
    """A resource whose rows are found by the words of their names, too; ``names`` reads those of a row."""

    reachable: int | None = None
    """Hits of a search; None for all."""

    def __init__(self, resource: str, rows: Iterable[Row], names: Callable[[Row], list[str]]) -> None:
        super().__init__(resources()[resource], rows)
        self._hit_fields = replace(self._fields, top=self._fields.top | {"score"})
        self._relevance = Relevance(map(names, self.rows))

    def search(self, request: ServiceRequest) -> Reply:
        """A page of the rows with a word of ``q``, the best first, with their scores."""
        query = request.value("q")
        if len(query) < _SHORTEST_QUERY:
            raise chembl_refusal("Search query too short" if query else "No search query provided")
        rows = self._filtered(request, self._hits(query), self._hit_fields, CONTROLS | PAGE_CONTROLS | {"q"})
        return self._page(request, rows, self._hit_fields, self.reachable)

    def _hits(self, query: str) -> list[Row]:
        return [{**self.rows[place], "score": score} for place, score in self._relevance.hits(query)]


class Molecules(NamedTable):
    """The molecules; ``spellings`` maps other SMILES to the canonical ones that they stand for."""

    reachable = REACHABLE

    def __init__(self, rows: Iterable[Row], spellings: Spellings | None = None) -> None:
        super().__init__("molecule", rows, molecule_names)
        self._similar_fields = replace(self._fields, top=self._fields.top | {"similarity"})
        self.spellings = spellings or {}
        self._by_structure: dict[str, Row] = {}
        for row in self.rows:
            structure = row["molecule_structures"] or {}
            for name in structure.keys() & {"standard_inchi_key", "canonical_smiles"}:
                self._by_structure.setdefault(structure[name], row)

    def find(self, uid: str) -> Row | None:
        """The molecule with this ID in any case, or InChIKey; everything else is taken for SMILES."""
        if _CHEMBL_ID.fullmatch(uid):
            return super().find(uid)
        spellings = (uid, *sorted(self.spellings.get(uid, ())))
        return next((self._by_structure[smiles] for smiles in spellings if smiles in self._by_structure), None)

    def similar(self, request: ServiceRequest) -> Reply:
        """A page of the molecules above a similarity, the best first, without the one that the request names by ID."""
        smiles_query, query_row = self._query_structure(request)
        threshold = request.value("similarity")
        if not threshold.isdecimal() or not LEAST_SIMILAR <= int(threshold) <= MOST_SIMILAR:
            raise chembl_refusal(f"Invalid Similarity Score supplied: {threshold:.40}")
        candidates = [
            (row, similarity(smiles_query, smiles)) for row, smiles in self._structured() if row is not query_row
        ]
        candidates.sort(key=lambda pair: -pair[1])  # stable: ties keep the order of the table
        hits = [{**row, "similarity": f"{share:g}"} for row, share in candidates if share >= int(threshold)]
        rows = self._filtered(request, hits, self._similar_fields, _STRUCTURAL)
        return self._page(request, rows, self._similar_fields)

    def with_substructure(self, request: ServiceRequest) -> Reply:
        """A page of the molecules that hold a structure."""
        smiles_query, _ = self._query_structure(request)
        if request.value("smiles") and len(smiles_query) < _SHORTEST_STRUCTURE:
            raise chembl_refusal(f"Structure {smiles_query} is too short.")
        hits = [row for row, smiles in self._structured() if has_substructure(smiles, smiles_query)]
        rows = self._filtered(request, hits, self._fields, _STRUCTURAL)
        return self._page(request, order_rows(rows, request.values("order_by"), self._fields), self._fields)

    def _query_structure(self, request: ServiceRequest) -> tuple[str, Row | None]:
        """The SMILES that others are compared with, and whose it is."""
        smiles, uid = request.value("smiles"), request.value("chembl_id")
        if not smiles and not uid:
            raise chembl_refusal("Structure or identifier required.")
        row = None if smiles else self.find(uid)
        structure = smiles or ((row or {}).get("molecule_structures") or {}).get("canonical_smiles")
        if not structure:
            raise chembl_refusal(f"No chemical structure defined for identifier {uid:.40}", status=404)
        try:
            structure_graph(structure)
        except NoStructure as error:
            raise chembl_refusal(f"Error in molecule structure {structure:.80}") from error
        return structure, row

    def _structured(self) -> Iterator[tuple[Row, str]]:
        """The molecules with a structure that can be read."""
        for row in self.rows:
            smiles = (row["molecule_structures"] or {}).get("canonical_smiles")
            if smiles and is_structure(smiles):
                yield row, smiles

    def _hits(self, query: str) -> list[Row]:
        """The molecule of an InChIKey, then everything else, as the real service answers (UPSTREAMS 4.3)."""
        if not INCHI_KEY.fullmatch(query):
            return super()._hits(query)
        exact = self.find(query)
        rest = [{**row, "score": 1} for row in self.rows if row is not exact]
        return [{**exact, "score": _EXACT_SCORE}, *rest] if exact else rest


_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75
_SCALE = 10
"""Scores are cut to integers: without it most would be alike."""


class Relevance:
    """An index of rows by the words of their names, synonyms and IDs."""

    def __init__(self, names: Iterable[Iterable[str]]) -> None:
        """``names`` are those of each row."""
        self._values = [[value for value in map(words, row_names) if value] for row_names in names]
        self._holders: dict[str, set[int]] = defaultdict(set)
        for place, values in enumerate(self._values):
            for word in {word for value in values for word in value}:
                self._holders[word].add(place)
        lengths = [len(value) for values in self._values for value in values]
        self._usual_length = sum(lengths) / len(lengths) if lengths else 1.0

    def hits(self, query: str) -> list[tuple[int, int]]:
        """Place and score of every row with a word of the query, the best first, ties by place."""
        rarity = {word: self._rarity(word) for word in dict.fromkeys(words(query)) if word in self._holders}
        places = set().union(*(self._holders[word] for word in rarity))
        scores = {place: max(self._score(value, rarity) for value in self._values[place]) for place in places}
        best = sorted(scores, key=lambda place: (-scores[place], place))
        return [(place, int(scores[place] * _SCALE)) for place in best]

    def _rarity(self, word: str) -> float:
        count = len(self._holders[word])
        return math.log(1 + (len(self._values) - count + 0.5) / (count + 0.5))

    def _score(self, value: Sequence[str], rarity: dict[str, float]) -> float:
        """The score of one name. A row counts by its best name: an exact one says more than many others."""
        counts = Counter(value)
        slack = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * len(value) / self._usual_length)
        return sum(
            weight * counts[word] * (_SATURATION + 1) / (counts[word] + slack) for word, weight in rarity.items()
        )


def molecule_names(row: Row) -> list[str]:
    """The names of a molecule and its ID, each once."""
    synonyms = row.get("molecule_synonyms") or ()
    names = (synonym[key] for synonym in synonyms for key in ("molecule_synonym", "synonyms"))
    return _distinct_names(row["molecule_chembl_id"], row["pref_name"], *names)


def target_names(row: Row) -> list[str]:
    """The names of a target and its components, its ID and their accessions, each once."""
    components = row["target_components"]
    synonyms = (synonym for part in components for synonym in part.get("target_component_synonyms", ()))
    names = (*(part["accession"] for part in components), *(synonym["component_synonym"] for synonym in synonyms))
    return _distinct_names(row["target_chembl_id"], row["pref_name"], *names)


def _distinct_names(*names: str | None) -> list[str]:
    return [name for name in dict.fromkeys(names) if name]


_LONGEST_CHAIN = 5
_PART = re.compile(r"\[[^\]]+\]|Br|Cl|[BCNOPSFIbcnops]|%\d\d|\d|[()=#$:/\\.-]")
_ELEMENT = re.compile(r"\[\d*([A-Z][a-z]?|[a-z]{1,2})")  # an isotope may stand before it
_ORDERS = {"=": "=", "#": "#", "$": "$", ":": ":", "-": "-", "/": "", "\\": ""}  # directions count for nothing
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

    def bind(self, first: int, second: int, order: str) -> None:
        """A bond; between aromatic atoms an aromatic one where none is written."""
        is_aromatic = {self.atoms[first], self.atoms[second]} <= _AROMATIC
        self.bonds[first][second] = self.bonds[second][first] = order or (":" if is_aromatic else "-")


@dataclass(slots=True)
class _SmilesReader:
    """Takes a SMILES part by part."""

    graph: Graph = field(default_factory=Graph)
    branches: list[int | None] = field(default_factory=list)
    rings: dict[str, tuple[int, str]] = field(default_factory=dict)
    last: int | None = None
    """The atom that the next one is bound to."""
    order: str = ""
    """Order of the next bond, where it is written."""

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
        elif part[0] in "%0123456789":  # a ring closure; two digits have a % before them
            return self._ring(part)
        else:
            self._atom(part)
        return True

    @property
    def is_whole(self) -> bool:
        """Nothing is left open."""
        return bool(self.graph.atoms) and not self.branches and not self.rings

    def _atom(self, part: str) -> None:
        element = _ELEMENT.match(part)
        atom = self.graph.add(element[1] if element else part)
        if self.last is not None:
            self.graph.bind(self.last, atom, self.order)
        self.last, self.order = atom, ""

    def _ring(self, part: str) -> bool:
        """A ring opens, or closes where it is open."""
        if self.last is None:
            return False
        if part in self.rings:
            other, order = self.rings.pop(part)
            self.graph.bind(other, self.last, self.order or order)  # the order may stand at either end
        else:
            self.rings[part] = (self.last, self.order)
        self.order = ""
        return True


@functools.lru_cache(4096)
def structure_graph(smiles: str) -> Graph:
    """The structure that ``smiles`` writes.

    Raises:
        NoStructure: it is none.
    """
    parts, reader = _PART.findall(smiles), _SmilesReader()
    if "".join(parts) != smiles or not all(map(reader.take, parts)) or not reader.is_whole:
        raise NoStructure(smiles)
    return reader.graph


def is_structure(smiles: str) -> bool:
    """Whether it is a structure."""
    try:
        structure_graph(smiles)
    except NoStructure:
        return False
    return True


@functools.lru_cache(4096)
def chains(smiles: str) -> frozenset[str]:
    """Every chain of atoms in a structure, each in one direction."""
    molecule = structure_graph(smiles)
    paths = (chain for atom in range(len(molecule.atoms)) for chain in _chains_from(molecule, (atom,)))
    return frozenset("".join(min(chain, chain[::-1])) for chain in paths)  # one of the two directions, always the same


def _chains_from(molecule: Graph, path: tuple[int, ...]) -> Iterator[list[str]]:
    yield _chain_parts(molecule, path)
    if len(path) < _LONGEST_CHAIN:
        for following in molecule.bonds[path[-1]]:
            if following not in path:
                yield from _chains_from(molecule, (*path, following))


def _chain_parts(molecule: Graph, path: tuple[int, ...]) -> list[str]:
    first, *rest = path
    parts, last = [molecule.atoms[first]], first
    for atom in rest:
        parts += [molecule.bonds[last][atom], molecule.atoms[atom]]
        last = atom
    return parts


def similarity(first: str, second: str) -> float:
    """Tanimoto similarity of two structures, in percent."""
    first_chains, second_chains = chains(first), chains(second)
    return 100 * len(first_chains & second_chains) / len(first_chains | second_chains)


def has_substructure(whole: str, part: str) -> bool:
    """Whether a structure holds another, atom by atom and bond by bond."""
    molecule, substructure = structure_graph(whole), structure_graph(part)
    return _placeable(molecule, substructure, {})


def _placeable(molecule: Graph, substructure: Graph, positions: dict[int, int]) -> bool:
    """Whether the atoms that are not placed yet can be, too."""
    atom = _next_atom(substructure, positions)
    if atom is None:
        return True
    taken_atoms = set(positions.values())
    for place, element in enumerate(molecule.atoms):
        if place in taken_atoms or element != substructure.atoms[atom]:  # each atom stands for one
            continue
        bonds = ((positions[other], order) for other, order in substructure.bonds[atom].items() if other in positions)
        is_bound = all(molecule.bonds[place].get(other) == order for other, order in bonds)
        if is_bound and _placeable(molecule, substructure, {**positions, atom: place}):
            return True
    return False


def _next_atom(substructure: Graph, positions: dict[int, int]) -> int | None:
    """The next atom, bound to one that is placed where there is such a one."""
    remaining_atoms = [atom for atom in range(len(substructure.atoms)) if atom not in positions]
    bound_atoms = (atom for atom in remaining_atoms if substructure.bonds[atom].keys() & positions.keys())
    return next(bound_atoms, next(iter(remaining_atoms), None))
