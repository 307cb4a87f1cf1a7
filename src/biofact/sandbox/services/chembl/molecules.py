"""ChEMBL's molecules: read by ID or structure, listed, and found by their names."""

import re
from collections.abc import Iterable

from biofact.sandbox.services.chembl import paging
from biofact.sandbox.services.chembl.fields import ResourceFields, resources
from biofact.sandbox.services.chembl.filters import Spellings
from biofact.sandbox.services.chembl.relevance import Relevance
from biofact.sandbox.services.chembl.requests import CONTROLS, refused
from biofact.sandbox.services.chembl.tables import ResourceTable
from biofact.sandbox.standin import Ask, Reply
from biofact.sandbox.tables import Row

INCHI_KEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
REACHABLE = 10_000
"""Hits of a search."""

_CHEMBL_ID = re.compile(r"CHEMBL\d+", re.IGNORECASE)
_SHORTEST = 3
_EXACT_SCORE = 100


class Molecules(ResourceTable):
    """The molecules; ``spellings`` maps other SMILES to the canonical ones that they stand for."""

    def __init__(self, rows: Iterable[Row], spellings: Spellings | None = None) -> None:
        super().__init__(resources()["molecule"], rows)
        self._found_fields = ResourceFields(self._fields.kinds, self._fields.top | {"score"})
        self.spellings = spellings or {}
        self._relevance = Relevance(self.rows)
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

    def _with_words(self, query: str) -> list[Row]:
        return [{**self.rows[place], "score": score} for place, score in self._relevance.hits(query)]

    def _with_key(self, inchi_key: str) -> list[Row]:
        """The molecule of this key, and then everything else: so it is seen of the real service (UPSTREAMS 4.3)."""
        exact = self.find(inchi_key)
        others = [{**row, "score": 1} for row in self.rows if row is not exact]
        return [{**exact, "score": _EXACT_SCORE}, *others] if exact else others
