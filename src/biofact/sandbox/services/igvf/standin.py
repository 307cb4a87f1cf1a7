"""The stand-in for the IGVF Catalog: takes a request to what answers its endpoint; its replay."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from biofact.sandbox.recordings import Recorded, Replay, RequestKey
from biofact.sandbox.services.igvf import endpoints
from biofact.sandbox.services.igvf.corpus import Graph
from biofact.sandbox.services.igvf.requests import catalog_request, not_found
from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, StandIn, json_reply
from biofact.sandbox.tables import Rows, starter_tables
from biofact.sources.igvf.service import IGVF


def stand_ins(recordings: Path | None = None) -> list[StandIn]:  # noqa: ARG001
    """The Catalog over the starter rows; recordings bring no rows of their own."""
    return [_igvf()]


@functools.cache
def _igvf() -> "IgvfStandIn":
    """Read once in a process; it keeps nothing of what it is asked."""
    return IgvfStandIn(starter_tables(__package__))


class IgvfStandIn(RefusingStandIn):
    """Answers as the Catalog does over rows in its own form."""

    service = IGVF

    def __init__(self, rows: Rows) -> None:
        self._graph = Graph(rows)

    def replay(self, recordings: Sequence[Recorded]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return IgvfReplay(recordings)

    def answer(self, ask: Ask) -> Reply:
        """The answer in the Catalog's form."""
        request = catalog_request(ask)
        endpoint = request.endpoint
        if endpoint.why:
            raise not_found(f"The sandbox has no {endpoint.path}: {endpoint.why}.")
        answer = endpoints.answer_entities if endpoint.record else endpoints.answer_edges
        return json_reply(answer(self._graph, request))


_DEFAULTS = {("page", ("0",)), ("organism", ("Homo sapiens",)), ("verbose", ("false",))}
_ONE_ITEM = "igvf/example_"
"""What is recorded under such names is the first item of an answer."""
_ONE_ENTITY = {
    "/coding-variants": "name",
    "/drugs": "drug_id",
    "/files-filesets": "file_fileset_id",
    "/pathways": "id",
    "/proteins": "protein_id",
}
"""Endpoints whose answer has one item when this is asked for, and so fits whatever the limit."""


def _request_key(path: str, params: Mapping[str, str | list[str]]) -> RequestKey:
    key = RequestKey.of(path.removesuffix("/"), params)
    filters = key.filters - _DEFAULTS
    others = frozenset((name, value) for name, value in filters if name != "limit")
    is_one = {name for name, _ in others} == {_ONE_ENTITY.get(key.path)}
    return RequestKey(key.path, others if is_one else filters)


class IgvfReplay:
    """Replays recorded answers. Those in an old shape answer only where their era is chosen: they fit no record."""

    def __init__(self, recordings: Sequence[Recorded]) -> None:
        self._recorded: dict[RequestKey, Recorded] = {}
        for one in recordings:
            if not one.is_last_resort:
                self._recorded.setdefault(_request_key(one.path, one.params), one)

    def __call__(self, ask: Ask) -> Reply | None:
        """The recorded answer to ``ask``; None when there is none."""
        if ask.method != "GET":
            return None
        row = self._recorded.get(_request_key(ask.path, ask.values))
        if row is None:
            return None
        body = row.body()
        return Reply(b"[%b]" % body if row.name.startswith(_ONE_ITEM) else body, row.content_type)
