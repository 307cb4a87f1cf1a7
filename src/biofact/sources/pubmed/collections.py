"""Lists that a step hands to the next without passing through an agent's context: kept for a week under a handle."""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from biofact.core import call
from biofact.core.errors import RateLimited, ToolRef, UnresolvedEntity
from biofact.core.records import Notice
from biofact.dialects.eutils import NCBI
from biofact.sources.pubmed.search import SEARCH
from biofact.transport.keep.store import Entry
from biofact.transport.quotas import COLLECTIONS
from biofact.transport.service import DAY, Keep
from biofact.transport.stack import Transport

Kind = Literal["articles", "extractions", "scores"]

WEEK = 7 * DAY
_KIND = "pubmed-collection/1"
_MAKERS: dict[str, ToolRef] = {
    "articles": SEARCH,
    "extractions": ToolRef("pubmed", "pubmed_extract_features"),
    "scores": ToolRef("pubmed", "pubmed_score_articles"),
}


@dataclass(frozen=True, slots=True)
class Collection:
    """A list under its handle."""

    handle: str
    kind: Kind
    items: list[Any]
    about: dict[str, Any]
    """The origin of the list: the query, the method."""


class Collections:
    """Keeps lists where answers are kept, each for the caller who had it made. The handle follows from what is in the
    list: the same list has the same.
    """

    def __init__(self, transport: Transport) -> None:
        self._cache = transport.cache
        self._timing = transport.timing
        self._transport = transport

    async def keep(self, kind: Kind, items: list[Any], about: dict[str, Any]) -> str | None:
        """Keep a list for a week; returns its handle.

        Where the caller's quota has no room for it, one that is kept already stays for the rest of its own week; else
        None, with a notice.
        """
        body = orjson.dumps({"items": items, "about": about}, option=orjson.OPT_SORT_KEYS)
        handle = f"{kind}-{hashlib.blake2b(body, digest_size=12).hexdigest()}"
        now = self._timing.wall_clock()
        entry = Entry(body, url="", retrieved_at=now, expires_at=now + WEEK)
        # Without quotas nothing is counted, so that nothing has to be looked up.
        kept_entry = (
            await self._cache.find(NCBI, _KIND, _caller_key(handle))
            if self._transport.quotas.holds(COLLECTIONS)
            else None
        )
        try:
            if kept_entry is None or not COLLECTIONS.is_one_step(
                kept_entry.retrieved_at, now
            ):  # else its count lasts as long
                await self._transport.quotas.use(COLLECTIONS, len(body))
        except RateLimited as limit:
            if kept_entry is not None and kept_entry.origin != "stale":
                return handle
            message = f"No collection is kept of this list. {limit.message} {limit.hint}"
            call.current().notices.append(Notice(code="QUOTA_REACHED", message=message))
            return None
        await self._cache.keep(NCBI, Keep(_KIND, _caller_key(handle), WEEK), entry)
        return handle

    async def find(self, handle: str, kind: Kind) -> Collection:
        """The list of this kind under a handle.

        Raises:
            UnresolvedEntity: there is none, or none any more, or it holds something else.
        """
        kind_of_handle = handle.partition("-")[0]
        entry = await self._cache.find(NCBI, _KIND, _caller_key(handle)) if kind_of_handle == kind else None
        if entry is None or entry.origin == "stale" or entry.body is None:
            raise _unknown(handle, kind_of_handle, kind)
        content = orjson.loads(entry.body)
        return Collection(handle, kind, content["items"], content["about"])


def _caller_key(handle: str) -> str:
    """The name under which a caller's list is kept; no handle leads to another caller's."""
    subject = call.caller().subject
    return f"{subject}/{handle}" if subject else handle


def _unknown(handle: str, handle_kind: str, kind: Kind) -> UnresolvedEntity:
    maker = _MAKERS[kind]
    problem = (
        f"holds {handle_kind}, not {kind}"
        if handle_kind in _MAKERS and handle_kind != kind
        else f"is no collection of {kind}"
    )
    return UnresolvedEntity(
        f"{handle!r:.80} {problem}, or none any more: collections are kept for a week.",
        hint=f"Call {maker} again; its answer names a new collection.",
        invalid_input=handle,
    )
