"""When a recorded answer of Ensembl REST fits a request, and how POST answers are joined from single ones."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from biofact.sandbox.recordings import Recorded
from biofact.sandbox.standin import Ask, Reply, plain_path, written

_IGNORED = {"content-type", "mane"}
_LISTS = ("ids", "symbols", "id")
_OFF = {"", "0", "false"}
_LOOKUP = "/lookup/id"
_GRCH37 = re.compile(r"_grch37\b")

Params = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _RequestKey:
    """A request as far as it decides the answer."""

    path: str
    params: Params
    ids: frozenset[str] | None
    """The IDs or symbols of a POST; None for a GET."""


def _request_key(path: str, params: Mapping[str, Any], body: Mapping[str, Any] | None) -> _RequestKey:
    posted = next((body[name] for name in _LISTS if name in body), ()) if body is not None else None
    more = {name: value for name, value in (body or {}).items() if name not in _LISTS}
    texts = {name: _switch(value) for name, value in {**more, **params}.items() if name not in _IGNORED}
    deciding = frozenset((name, value) for name, value in texts.items() if value not in _OFF)
    return _RequestKey(plain_path(path), deciding, None if posted is None else frozenset(map(str, posted)))


def _switch(value: object) -> str:
    text = str(value)
    return "1" if text.lower() == "true" else text


class EnsemblReplay:
    """Replays recorded answers, the best of those that fit; those of GRCh37 answer for its own server only."""

    def __init__(self, recordings: Sequence[Recorded], *, is_grch37: bool = False) -> None:
        self._whole: dict[_RequestKey, Recorded] = {}
        self._records: dict[Params, dict[str, list[Recorded]]] = defaultdict(lambda: defaultdict(list))
        for row in recordings:
            if bool(_GRCH37.search(row.name)) == is_grch37:
                self._take(row)

    def __call__(self, ask: Ask) -> Reply | None:
        """The recorded answer to ``ask``; None when there is none."""
        body = _body(ask) if ask.method == "POST" else None
        if ask.method == "POST" and body is None:
            return None
        request = _request_key(ask.path, dict(ask.params), body)
        row = self._whole.get(request)
        if row is not None and not (row.is_last_resort and len(request.ids or ()) > 1):
            return Reply(row.body(), row.content_type)
        is_lookup = request.path == _LOOKUP and request.ids is not None
        return self._joined(request) if is_lookup else None

    def _take(self, row: Recorded) -> None:
        values: Mapping[str, Any] = row.params  # of a POST, ``body`` is an object
        params = {name: value for name, value in values.items() if name != "body"}
        body = values.get("body")
        request = _request_key(row.path, params, body if isinstance(body, dict) else None)
        self._whole.setdefault(request, row)
        folder, _, ensembl_id = request.path.rpartition("/")
        if folder == _LOOKUP and request.ids is None:
            self._records[request.params][_bare(ensembl_id)].append(row)

    def _joined(self, request: _RequestKey) -> Reply | None:
        """The records of all asked IDs by ID; None if any of them has no recording."""
        ids = request.ids or frozenset()
        found = {uid: self._record(uid, request.params, is_alone=len(ids) == 1) for uid in sorted(ids)}
        if not ids or None in found.values():
            return None
        return written(found)

    def _record(self, uid: str, params: Params, *, is_alone: bool) -> dict[str, Any] | None:
        for row in self._records[params][_bare(uid)]:
            record: dict[str, Any] = orjson.loads(row.body())
            if (is_alone or not row.is_last_resort) and _is_version(uid, record):
                return {**record, "id": uid}
        return None


def _bare(uid: str) -> str:
    return uid.partition(".")[0]


def _is_version(uid: str, record: Mapping[str, Any]) -> bool:
    """Whether a record is of the version that is asked for, if one is."""
    return "." not in uid or uid in {record["id"], f"{_bare(record['id'])}.{record.get('version')}"}


def _body(ask: Ask) -> dict[str, Any] | None:
    body = ask.json_object
    return body if body and any(isinstance(body.get(name), list) for name in _LISTS) else None
