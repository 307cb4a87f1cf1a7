"""When a recorded answer of the Catalog fits a request."""

from collections.abc import Mapping, Sequence

from biofact.sandbox.recordings import Recorded, RequestKey
from biofact.sandbox.standin import Ask, Reply

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
