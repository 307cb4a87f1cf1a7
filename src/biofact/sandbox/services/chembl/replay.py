"""When a recorded answer of ChEMBL fits a request, and how a set of molecules is joined from single ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from biofact.sandbox.recordings import Recorded, RequestKey
from biofact.sandbox.services.chembl.paging import CONTROLS, PageRequest, page
from biofact.sandbox.services.chembl.requests import as_get, is_json, is_read
from biofact.sandbox.standin import Ask, Refusal, Reply, plain_path, written
from biofact.sandbox.tables import Row

_FOLDER = "/molecule/"
_SET = "/molecule/set/"
_IGNORED = CONTROLS | {"format"}
_OF_DRUGS = {"/mechanism", "/drug_indication"}
_PARENTS = {"parent_molecule_chembl_id__in", "parent_molecule_chembl_id"}


def _request_key(path: str, params: Mapping[str, str | list[str]]) -> RequestKey:
    """Which page is asked for stands apart."""
    plain = plain_path(path)
    folder, _, uid = plain.rpartition("/")
    return RequestKey.of(f"{_FOLDER}{uid.upper()}" if f"{folder}/" == _FOLDER else plain, params, _IGNORED)


class ChemblReplay:
    """Replays recorded answers, the best of those that fit."""

    def __init__(self, recordings: Sequence[Recorded]) -> None:
        self._rows: dict[RequestKey, list[Recorded]] = defaultdict(list)
        for row in recordings:
            if row.fidelity != "wrapper":  # records that somebody listed anew: no page of the service
                self._rows[_request_key(row.path, row.params)].append(row)

    def __call__(self, ask: Ask) -> Reply | None:
        """The recorded answer to ``ask``; None when there is none."""
        if not is_read(ask) or not is_json(ask):
            return None
        try:
            ask = as_get(ask)
        except Refusal:
            return None
        request = _request_key(ask.path, ask.values)
        if request.path.startswith(_SET):
            return None if request.filters else self._joined(request.path.removeprefix(_SET).split(";"))
        try:
            wanted = page(ask)
        except Refusal:
            return None
        candidates = (_on_page(row, wanted) for row in self._rows.get(request, ()))
        return next(filter(None, candidates), None) or self._of_parent(request, wanted)

    def _joined(self, ids: Sequence[str]) -> Reply | None:
        """The records of all asked IDs in their order; None if any of them has no recording."""
        found = [self._record(uid, is_alone=len(ids) == 1) for uid in ids]
        return None if None in found else written({"molecules": found})

    def _record(self, uid: str, *, is_alone: bool) -> Row | None:
        rows = self._rows.get(RequestKey(f"{_FOLDER}{uid.upper()}", frozenset()), ())
        row = next((one for one in rows if is_alone or not one.is_last_resort), None)
        record: Row | None = orjson.loads(row.body()) if row else None
        return record

    def _of_parent(self, request: RequestKey, wanted: PageRequest) -> Reply | None:
        """What is recorded of one molecule answers for it as a parent, if all rows say that it is their parent."""
        [(name, values)] = request.filters if len(request.filters) == 1 else [("", ())]
        if request.path not in _OF_DRUGS or name not in _PARENTS or len(values) != 1:
            return None
        for other in (*sorted(_PARENTS), "molecule_chembl_id"):
            for row in self._rows.get(RequestKey(request.path, frozenset({(other, values)})), ()):
                reply = _on_page(row, wanted)
                if reply is not None and _are_of(_rows(orjson.loads(row.body())), values[0]):
                    return reply
        return None


def _on_page(recorded: Recorded, wanted: PageRequest) -> Reply | None:
    """The recorded answer if it is the page that is wanted, or can be: because it holds every row there is."""
    body = recorded.body()
    document = orjson.loads(body)
    meta = document.get("page_meta")
    if meta is None:
        return Reply(body, recorded.content_type)
    is_complete = meta["offset"] == 0 and meta["next"] is None
    if recorded.is_last_resort and not is_complete:
        return None
    if (meta["limit"], meta["offset"]) == (wanted.limit, wanted.offset):
        return Reply(body, recorded.content_type)
    if is_complete and wanted.offset == 0 and meta["total_count"] <= wanted.limit:
        return written({**document, "page_meta": {**meta, "limit": wanted.limit}})
    return None


def _rows(document: Mapping[str, Any]) -> list[Row]:
    return next(value for name, value in document.items() if name != "page_meta")


def _are_of(rows: Iterable[Row], parent: str) -> bool:
    """Whether all rows have this parent; old ones tell only the molecule."""
    parents = {row.get("parent_molecule_chembl_id", row["molecule_chembl_id"]) for row in rows}
    return parents == {parent}
