"""A resource of ChEMBL: its rows, listed with filters or read by ID."""

from collections.abc import Iterable, Mapping, Sequence

from biofact.sandbox.services.chembl import paging
from biofact.sandbox.services.chembl.fields import Resource, ResourceFields
from biofact.sandbox.services.chembl.filters import Spellings, filter_rows, order_rows
from biofact.sandbox.services.chembl.requests import CONTROLS, check_names, ignored, refused
from biofact.sandbox.standin import Ask, Reply, written
from biofact.sandbox.tables import Row


class ResourceTable:
    """One resource; the rows' order is the table's own."""

    def __init__(self, resource: Resource, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self.spellings: Spellings = {}
        self.plural = resource.plural
        self.key = resource.key
        self._fields = resource.fields
        self._by_id = {str(row[self.key]): row for row in self.rows}

    def find(self, uid: str) -> Row | None:
        """The row with this ID, in any case."""
        return self._by_id.get(uid.upper())

    def list_page(self, ask: Ask) -> Reply:
        """A page of the rows that meet the filters of the request."""
        found = self._filtered(ask, self.rows, self._fields, CONTROLS | paging.CONTROLS | {"order_by"})
        return self._page(ask, order_rows(found, ask.many("order_by"), self._fields), self._fields)

    def one(self, ask: Ask, uid: str) -> Reply:
        """The row with this ID."""
        check_names(ask, CONTROLS)
        row = self.find(uid)
        if row is None:
            raise refused(f"There is no {uid!r:.80} in {self.plural}.", status=404)
        return written(_trimmed([row], ask, self._fields)[0])

    def several(self, ask: Ask, ids: str) -> Reply:
        """The rows with these IDs, in the order asked, and the IDs that there are not."""
        check_names(ask, CONTROLS)
        asked = [uid for uid in ids.split(";") if uid]
        if not asked:
            raise refused("No IDs are given.")
        found = {uid: self.find(uid) for uid in asked}
        rows = [row for uid in asked if (row := found[uid]) is not None]
        absent = [uid for uid, row in found.items() if row is None]
        trimmed = _trimmed(rows, ask, self._fields)
        return written({self.plural: trimmed, **({"not_found": absent} if absent else {})})

    def _filtered(self, ask: Ask, rows: Sequence[Row], fields: ResourceFields, controls: frozenset[str]) -> list[Row]:
        filters: Mapping[str, list[str]] = {name: given for name, given in ask.values.items() if name not in controls}
        return filter_rows(rows, filters, fields, self.spellings)

    def _page(self, ask: Ask, rows: Sequence[Row], fields: ResourceFields, reachable: int | None = None) -> Reply:
        page = paging.page(ask)
        shown = rows[:reachable][page.offset : page.offset + page.limit]
        return written({self.plural: _trimmed(shown, ask, fields), "page_meta": page.meta(len(rows))})


def _trimmed(rows: Sequence[Row], ask: Ask, fields: ResourceFields) -> list[Row]:
    """The rows with the fields that are asked for, or with all of them."""
    wanted = {name for value in ask.many("only") for name in value.split(",") if name}
    for name in sorted(wanted - fields.top):
        raise ignored(f"only={name}", "This resource")
    return [{name: value for name, value in row.items() if not wanted or name in wanted} for row in rows]
