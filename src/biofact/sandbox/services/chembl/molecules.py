"""ChEMBL's molecules: read by ID or structure, listed, and found by their names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from biofact.sandbox.services.chembl import paging, structures
from biofact.sandbox.services.chembl.fields import resources
from biofact.sandbox.services.chembl.filters import Spellings, order_rows
from biofact.sandbox.services.chembl.relevance import Relevance, molecule_names
from biofact.sandbox.services.chembl.requests import CONTROLS, refused
from biofact.sandbox.services.chembl.tables import ResourceTable
from biofact.sandbox.standin import Ask, Reply
from biofact.sandbox.tables import Row

INCHI_KEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
REACHABLE = 10_000
"""Hits of a search."""

LEAST_SIMILAR, MOST_SIMILAR = 40, 100
_STRUCTURAL = CONTROLS | paging.CONTROLS | {"smiles", "chembl_id", "similarity", "order_by"}
_SHORTEST_STRUCTURE = 6
_CHEMBL_ID = re.compile(r"CHEMBL\d+", re.IGNORECASE)
_SHORTEST = 3
_EXACT_SCORE = 100


class Molecules(ResourceTable):
    """The molecules; ``spellings`` maps other SMILES to the canonical ones that they stand for."""

    def __init__(self, rows: Iterable[Row], spellings: Spellings | None = None) -> None:
        super().__init__(resources()["molecule"], rows)
        self._found_fields = replace(self._fields, top=self._fields.top | {"score"})
        self._similar_fields = replace(self._fields, top=self._fields.top | {"similarity"})
        self.spellings = spellings or {}
        self._relevance = Relevance(map(molecule_names, self.rows))
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

    def search(self, ask: Ask) -> Reply:
        """A page of what the words of ``q`` find, the best first, with their scores."""
        query = ask.one("q")
        if not query:
            raise refused("No search query provided")
        if len(query) < _SHORTEST:
            raise refused("Search query too short")
        hits = self._with_key(query) if INCHI_KEY.fullmatch(query) else self._with_words(query)
        found = self._filtered(ask, hits, self._found_fields, CONTROLS | paging.CONTROLS | {"q"})
        return self._page(ask, found, self._found_fields, REACHABLE)

    def similar(self, ask: Ask) -> Reply:
        """A page of the molecules at least so similar, best first; the one that is asked for by its ID is left out."""
        asked, itself = self._asked_structure(ask)
        threshold = ask.one("similarity")
        if not threshold.isdecimal() or not LEAST_SIMILAR <= int(threshold) <= MOST_SIMILAR:
            raise refused(f"Invalid Similarity Score supplied: {threshold:.40}")
        found = [(row, structures.similarity(asked, smiles)) for row, smiles in self._structured() if row is not itself]
        found.sort(key=lambda pair: -pair[1])
        rows = [{**row, "similarity": f"{share:g}"} for row, share in found if share >= int(threshold)]
        return self._page(ask, self._filtered(ask, rows, self._similar_fields, _STRUCTURAL), self._similar_fields)

    def holding(self, ask: Ask) -> Reply:
        """A page of the molecules that hold a structure."""
        asked, _ = self._asked_structure(ask)
        if ask.one("smiles") and len(asked) < _SHORTEST_STRUCTURE:
            raise refused(f"Structure {asked} is too short.")
        rows = [row for row, smiles in self._structured() if structures.holds(smiles, asked)]
        found = order_rows(self._filtered(ask, rows, self._fields, _STRUCTURAL), ask.many("order_by"), self._fields)
        return self._page(ask, found, self._fields)

    def _asked_structure(self, ask: Ask) -> tuple[str, Row | None]:
        """The SMILES that others are compared with, and whose it is."""
        smiles, uid = ask.one("smiles"), ask.one("chembl_id")
        if not smiles and not uid:
            raise refused("Structure or identifier required.")
        row = None if smiles else self.find(uid)
        written = smiles or ((row or {}).get("molecule_structures") or {}).get("canonical_smiles")
        if not written:
            raise refused(f"No chemical structure defined for identifier {uid:.40}", status=404)
        try:
            structures.graph(written)
        except structures.NoStructure as error:
            raise refused(f"Error in molecule structure {written:.80}") from error
        return written, row

    def _structured(self) -> Iterator[tuple[Row, str]]:
        """The molecules with a structure that can be read."""
        for row in self.rows:
            smiles = (row["molecule_structures"] or {}).get("canonical_smiles")
            if smiles and structures.is_readable(smiles):
                yield row, smiles

    def _with_words(self, query: str) -> list[Row]:
        return [{**self.rows[place], "score": score} for place, score in self._relevance.hits(query)]

    def _with_key(self, inchi_key: str) -> list[Row]:
        """The molecule of this key, and then everything else: so it is seen of the real service (UPSTREAMS 4.3)."""
        exact = self.find(inchi_key)
        others = [{**row, "score": 1} for row in self.rows if row is not exact]
        return [{**exact, "score": _EXACT_SCORE}, *others] if exact else others
