"""Pages of ChEMBL's lists: which rows, and what is told of the others."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from biofact.sandbox.services.chembl.requests import BASE_PATH, refused
from biofact.sandbox.standin import Ask

CONTROLS = frozenset({"limit", "offset"})
MOST_ROWS = 1000
_USUAL_ROWS = 20
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The part of a list that is asked for."""

    ask: Ask
    limit: int
    offset: int

    def meta(self, total: int) -> dict[str, Any]:
        """What stands beside the rows; ``total`` counts those of all pages."""
        following, preceding = self.offset + self.limit, self.offset - self.limit
        return {
            "limit": self.limit,
            "next": self._link(following) if following < total else None,
            "offset": self.offset,
            "previous": self._link(preceding) if preceding >= 0 else None,
            "total_count": total,
        }

    def _link(self, offset: int) -> str:
        others = [(name, value) for name, value in self.ask.params if name not in CONTROLS]
        query = urlencode([*others, ("limit", self.limit), ("offset", offset)])
        return f"{BASE_PATH}{quote(self.ask.path)}?{query}"


def page(ask: Ask) -> PageRequest:
    """The page of a request: more than 1000 rows are cut to 1000, and 0 means as many.

    A bad offset is page one, as ChEMBL has it (UPSTREAMS 4.1): whoever pages has to watch the offset themselves.
    """
    limit = ask.one("limit", str(_USUAL_ROWS))
    if not _is_whole(limit):
        raise refused(f"Invalid limit '{limit:.40}' provided. Please provide a positive integer.")
    offset = ask.one("offset", "0")
    return PageRequest(ask, min(int(limit) or MOST_ROWS, MOST_ROWS), int(offset) if _is_whole(offset) else 0)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
