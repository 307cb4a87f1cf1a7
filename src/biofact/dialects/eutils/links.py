"""What elink answers, whichever form it came in. Pure.

All commands are read for the UIDs that they speak of; where ``llinks``, ``prlinks``, ``acheck``, ``ncheck`` and
``lcheck`` tell of LinkOut pages or of kinds of links, that is passed over: no source needs a model of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from biofact.dialects.eutils.documents import AnswerFields, as_text, document
from biofact.dialects.eutils.errors import ErrorMessage, checked, held, reported
from biofact.transport.service import Transient


@dataclass(frozen=True, slots=True)
class StoredLinks:
    """Links that the History server keeps."""

    db_to: str
    link_name: str
    query_key: str
    web_env: str


@dataclass(frozen=True, slots=True)
class LinkSet:
    """Where one record leads, or several that were asked for together: which of them then is not told."""

    db_from: str
    source_ids: tuple[str, ...]
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """UIDs by link name, such as ``gene_pubmed``, in the service's order; a name without links is not there."""
    scores: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By link name and UID; ``neighbor_score`` only."""
    histories: tuple[StoredLinks, ...] = ()
    error: ErrorMessage | None = None


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """One set for each ``id`` parameter of the request, in their order."""

    linksets: tuple[LinkSet, ...] = ()
    error: ErrorMessage | None = None


def link_answer(body: bytes) -> LinkAnswer:
    """Where elink says that records lead.

    Raises:
        Transient: the body is damaged, or tells of an error that may pass.
    """
    answer = document(body)
    error = reported(answer.values)
    if error is None and "linksets" not in answer:
        raise Transient("sent an elink answer without linksets")
    return LinkAnswer(tuple(_linkset(row) for row in answer.rows("linksets")), error)


def _linkset(row: AnswerFields) -> LinkSet:
    links: dict[str, tuple[str, ...]] = {}
    scores: dict[str, dict[str, int]] = {}
    found = row.rows("linksetdbs")  # absent where there are no links
    if row.values.get("linksetdbs", ()) is None or not all("links" in one or any(held(one.values)) for one in found):
        raise Transient("sent an elink answer without its links")
    for linked in found:
        name = linked.text("linkname")
        uids = tuple(_uids(linked.items("links")))
        if uids:
            links[name] = links.get(name, ()) + uids
        scored = [AnswerFields(link) for link in linked.items("links") if isinstance(link, dict) and "score" in link]
        if scored:
            scores.setdefault(name, {}).update({link.text("id"): link.number("score") for link in scored})
    histories = row.rows("linksetdbhistories")
    return LinkSet(
        db_from=row.text("dbfrom"),
        source_ids=tuple(_uids([row.values.get(name) or [] for name in ("ids", "idchecklist", "idurllist")])),
        links=links,
        scores=scores,
        histories=tuple(_history(kept, row.text("webenv")) for kept in histories if "querykey" in kept),
        error=checked(error for place in (row, *found, *histories) for error in held(place.values)),
    )


def _history(row: AnswerFields, web_env: str) -> StoredLinks:
    return StoredLinks(row.text("dbto"), row.text("linkname"), row.text("querykey"), row.text("webenv") or web_env)


def _uids(value: object) -> Iterator[str]:
    """UIDs in order, however the answer lists them: bare, as ``{"value": …}``, or in what it says of each."""
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, dict):
            waiting.extend(item[name] for name in _PLACES if name in item)
        else:
            yield as_text(item)


_PLACES = ("idurlsets", "idlinksets", "ids", "id", "value")
