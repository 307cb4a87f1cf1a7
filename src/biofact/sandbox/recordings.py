"""Finds the recorded answers of a folder: ``REQUESTS.tsv`` has the request that each file answers."""

import csv
import functools
import gzip
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, Self, get_args, runtime_checkable
from urllib.parse import urlsplit

from biofact.sandbox.standin import Reply, ServiceRequest
from biofact.transport.service import Service

Era = Literal["today", "old-shape"]
ERAS: tuple[Era, ...] = get_args(Era)

_FIDELITIES = ("body", "rewrapped", "record", "wrapper")  # the nearest to the wire first; ``truncated`` is no answer

INDEX = "REQUESTS.tsv"
"""The table of a folder's recordings."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded answer, and the request that it answers."""

    name: str
    path: str
    """Below the service's base URL, as in ``Ask``."""
    params: Mapping[str, str | list[str]]
    """A list where the parameter was repeated; without tool, e-mail and key."""
    content_type: str
    fidelity: str
    """Closeness of the file to the bytes on the wire: ``body``, ``rewrapped``, ``record``, ``wrapper``."""
    is_last_resort: bool
    """Whether it has an old shape while no era was chosen: it serves single records without a newer recording."""
    body: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class RequestKey:
    """The parts of a request that decide the answer."""

    path: str
    filters: frozenset[tuple[str, tuple[str, ...]]]

    @classmethod
    def from_parameters(cls, path: str, params: Mapping[str, str | list[str]], ignored: Iterable[str] = ()) -> Self:
        """The key of these parameters without the ``ignored`` ones."""
        names = params.keys() - frozenset(ignored)
        values = {name: params[name] for name in names}
        return cls(path, frozenset((k, (v,) if isinstance(v, str) else tuple(v)) for k, v in values.items()))


Replay = Callable[[ServiceRequest], Reply | None]
"""Answers a request from recordings, or None if none of them fits."""

_LATER_ROUND = re.compile(r"-\d$")
"""The suffix of a service name in a later round of recordings, as in ``ensembl-3``."""


@runtime_checkable
class ReplayingStandIn(Protocol):
    """A stand-in that knows when a recorded answer of its service fits a request."""

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule, over these recordings, the best first."""


class Recordings:
    """The recordings of a folder, by service.

    Without ``era`` today's answers come first, and those in an old shape serve for single records only.
    """

    def __init__(self, folder: Path, era: Era | None = None) -> None:
        self._folder = folder
        with (folder / INDEX).open(encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
        answers = [row for row in rows if row["status"] == "200" and row["fidelity"] in _FIDELITIES]
        usable = [row for row in answers if era in {None, row["era"]}]
        usable.sort(key=lambda row: row["file"])  # sorting is stable: the last order counts most
        usable.sort(key=lambda row: row["recorded"], reverse=True)
        self._rows = sorted(usable, key=lambda row: (ERAS.index(row["era"]), _FIDELITIES.index(row["fidelity"])))
        self._has_choice = era is not None

    def for_service(self, service: Service) -> list[Recording]:
        """The recordings of one service, the best first."""
        prefix = urlsplit(service.base_url.default).path
        rows = [row for row in self._rows if _LATER_ROUND.sub("", row["service"]) == service.name]
        return [self._from_row(row, prefix) for row in rows if row["path"].startswith(f"{prefix}/") and _is_found(row)]

    def _from_row(self, row: dict[str, str], prefix: str) -> Recording:
        return Recording(
            name=row["file"],
            path=row["path"].removeprefix(prefix),
            params=json.loads(row["params"]),
            content_type=row["content_type"],
            fidelity=row["fidelity"],
            is_last_resort=row["era"] == "old-shape" and not self._has_choice,
            body=functools.partial(_answer, self._folder / row["file"], row["item"]),
        )


def _is_found(row: dict[str, str]) -> bool:
    """Whether the answer is the whole file, or can be found in it: by a JSON pointer, in JSON only."""
    return not row["item"] or row["content_type"].startswith("application/json")


def _answer(path: Path, item: str) -> bytes:
    """The answer in a file; ``item`` is the JSON pointer to an answer that is only a part of it, or empty."""
    packed = path.read_bytes()
    whole = gzip.decompress(packed) if path.suffix == ".gz" else packed
    if not item:
        return whole
    value = json.loads(whole)
    for part in item.removeprefix("/").split("/"):
        name = part.replace("~1", "/").replace("~0", "~")  # the order that RFC 6901 prescribes
        value = value[int(name) if isinstance(value, list) else name]
    return json.dumps(value).encode()
