"""ChEMBL's targets: read by ID, listed, and found by the words of their names."""

from collections.abc import Iterable
from dataclasses import replace

from biofact.sandbox.services.chembl import paging
from biofact.sandbox.services.chembl.fields import resources
from biofact.sandbox.services.chembl.relevance import Relevance, target_names
from biofact.sandbox.services.chembl.requests import CONTROLS, refused
from biofact.sandbox.services.chembl.tables import ResourceTable
from biofact.sandbox.standin import Ask, Reply
from biofact.sandbox.tables import Row

_SHORTEST = 3


class Targets(ResourceTable):
    """The targets."""

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__(resources()["target"], rows)
        self._found_fields = replace(self._fields, top=self._fields.top | {"score"})
        self._relevance = Relevance(map(target_names, self.rows))

    def search(self, ask: Ask) -> Reply:
        """A page of what the words of ``q`` find, the best first, with their scores."""
        query = ask.one("q")
        if len(query) < _SHORTEST:
            raise refused("Search query too short" if query else "No search query provided")
        hits = [{**self.rows[place], "score": score} for place, score in self._relevance.hits(query)]
        found = self._filtered(ask, hits, self._found_fields, CONTROLS | paging.CONTROLS | {"q"})
        return self._page(ask, found, self._found_fields)
