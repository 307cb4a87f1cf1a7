"""Questions to services: strict lookups, one or many; side requests; the trail from a retired ID to a current one."""

import hashlib
import operator
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import orjson

from biofact.core.errors import BiofactError, EntityNotFound, RateLimited, RetryAfter, ToolRef, UpstreamError
from biofact.core.identifiers import IdKind
from biofact.core.records import Notice, SlimRecord, missing_part
from biofact.dialects import json_values
from biofact.dialects.readable_rows import MissingField, ReadableRows
from biofact.transport.keep.store import Entry
from biofact.transport.service import LIST_SECONDS, BatchCall, Batching, Keep, Refused, Request, Service, Splitter
from biofact.transport.stack import Transport

T = TypeVar("T")
Record = TypeVar("Record")
Whole = TypeVar("Whole", bound=SlimRecord)
Short = TypeVar("Short", bound=SlimRecord)

ErrorOf = Callable[[Service, Refused], BiofactError]
"""A refused request to the error that its caller gets."""
_LONGEST_KEY = 200
_MOST_REPLACEMENTS = 5  # a gene merged into one that was itself merged; longer chains are the service's mistake


class Upstream:
    """The transport with the refusals of one source. ``title`` names the source in messages.

    Without ``error_of`` every refusal is final, and its reason is read from JSON, under the names that the service's
    ``json_values.Judge`` has.
    """

    def __init__(self, transport: Transport, title: str, error_of: ErrorOf | None = None) -> None:
        self.transport = transport
        self.title = title
        self._error_of = error_of or _refusal_in_json

    async def fetch(
        self, request: Request, parser: Callable[[bytes], T], kind: str, seconds: float = LIST_SECONDS
    ) -> T:
        """The answer as ``parser`` parses it. The payload is kept for ``seconds`` under the whole request, and under
        ``kind`` as in ``Keep``.

        Raises:
            RateLimited, UpstreamError: the service failed and nothing that is kept may stand in.
            BiofactError: the service refused.
        """
        keep = Keep(kind, request_key(request), seconds)
        return await self.accepted(request.service, self.transport.fetch(request, parser, keep=keep))

    async def find(
        self, request: Request, parser: Callable[[bytes], T], kind: str, seconds: float = LIST_SECONDS
    ) -> T | None:
        """The answer as ``fetch`` has it, or None if the request's ``is_absent`` holds of the service's."""
        return await self.fetch(request, lambda body: parser(body) if body else None, kind, seconds)

    async def accepted(self, service: Service, answer: Awaitable[T]) -> T:
        """The answer; a refusal becomes the source's error.

        Raises:
            BiofactError: the service refused.
        """
        try:
            return await answer
        except Refused as refusal_:
            raise self._error_of(service, refusal_) from refusal_


def request_key(request: Request) -> str:
    """The whole request as a cache key; a digest of a long one, such as a list of a thousand IDs."""
    # Not the URL: quoting its parameters takes longer than finding the answer that is kept.
    key = orjson.dumps((request.path, request.params, request.json or request.text)).decode()
    return key if len(key) <= _LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()


def _refusal_in_json(service: Service, refused_call: Refused) -> UpstreamError:
    names = service.judge.names if isinstance(service.judge, json_values.Judge) else json_values.ERROR_NAMES
    words = json_values.error_words(refused_call.answer.body, *names)
    return refusal(service, words, refused_call)


def refusal(service: Service, words: str | None, refused_call: Refused) -> UpstreamError:
    """The error of a final refusal, in the service's own ``words`` where it sent any."""
    reason = words or f"HTTP {refused_call.answer.status}"
    message = f"{service.title} refused the request: {reason:.200}."
    return UpstreamError(message, hint="Asking again will not help; report it.")


class Lookup(Generic[Record]):
    """Records of one kind by ID: joined with concurrent lookups, cached, parsed and verified. Build one a kind, once.

    ``id_of`` reads the ID of a record that was sent, ``curie`` writes it as messages do.
    """

    def __init__(
        self,
        upstream: Upstream,
        service: Service,
        batching: Batching,
        parser: Callable[[bytes], Record],
        *,
        id_of: Callable[[Record], str] | None = None,
        curie: Callable[[str], str] = str,
    ) -> None:
        self._upstream = upstream
        self._service = service
        self._curie = curie
        self._lookups = upstream.transport.batched(batching)
        self._parser = parser
        self._id_of = id_of

    async def get(self, record_id: str, parser: Callable[[bytes], Record] | None = None) -> Record | None:
        """The record, or None if the service reports that there is none. ``parser`` replaces the usual one.

        Raises:
            RateLimited, UpstreamError: the service failed, refused, or sent the record of another ID.
        """
        answer = self._lookups.get(record_id, parser or self._parser)
        return self._verified(record_id, await self._upstream.accepted(self._service, answer))

    async def kept(self, record_id: str) -> Entry | None:
        """The record as it is kept, where it is fresh and there is one; nothing is asked."""
        entry = await self._lookups.kept(record_id)
        return entry if entry is not None and entry.body is not None else None

    async def entry(self, record_id: str) -> Entry | None:
        """The record as it is kept, for a parser that depends on another answer; None as in ``get``.

        Raises:
            RateLimited, UpstreamError: as ``get``.
        """
        entry = await self._upstream.accepted(self._service, self._lookups.entry(record_id))
        if entry.body is None:
            return None
        if self._id_of is not None:
            self._verified(record_id, entry.value_in_call(self._parser))
        return entry

    async def get_many(self, ids: Sequence[str]) -> dict[str, Record | BiofactError | None]:
        """The outcome for each ID, once, in order: the record, None for an absent one, or the failure."""
        answers = await self._upstream.accepted(self._service, self._lookups.get_many(ids, self._parser))
        return {record_id: self._outcome(record_id, answer) for record_id, answer in answers.items()}

    async def get_present(self, ids: Sequence[str], *, is_whole: bool = True) -> ReadableRows[tuple[str, Record]]:
        """The IDs and records of those that exist, in order; ``is_whole`` as in ``ReadableRows.of``.

        Raises:
            RateLimited, UpstreamError: one of the lookups failed, or every record lacks a field.
        """
        outcomes = (await self.get_many(ids)).items()
        present = ((record_id, outcome) for record_id, outcome in outcomes if outcome is not None)
        return ReadableRows.of(present, _successful, is_whole=is_whole)

    def _outcome(self, record_id: str, answer: Record | BiofactError | None) -> Record | BiofactError | None:
        if isinstance(answer, BiofactError):
            return answer
        try:
            return self._verified(record_id, answer)
        except UpstreamError as error:
            return error

    def _verified(self, record_id: str, record: Record | None) -> Record | None:
        if record is not None and self._id_of is not None:
            verify(self._upstream.title, self._curie(record_id), self._curie(self._id_of(record)))
        return record


def _successful(outcome: tuple[str, Record | BiofactError]) -> tuple[str, Record]:
    record_id, record = outcome
    if isinstance(record, BiofactError):
        raise record
    return record_id, record


@dataclass(frozen=True, eq=False)
class RecordKind(Generic[Whole, Short]):
    """Records of one kind that a client gets by ID, alone or in a batch: see ``LifeSciencesClient._get``."""

    service: Service
    id_kind: IdKind
    name: str
    """As in ``Keep.kind``, such as ``gene/1``."""
    limit: int
    """IDs a request."""
    ask: Callable[[Sequence[str]], Request]
    """IDs, as callers write them, to the request for their records."""
    splitter: Callable[[], Splitter]
    parser: Callable[[bytes], Whole]
    short: type[Short]
    """The short form, a base of the record."""

    def lookup(self, upstream: Upstream) -> "Lookup[Whole]":
        """The lookups of this kind. Build one a client."""

        def ask(ids: Sequence[str]) -> BatchCall:
            return BatchCall(self.ask(ids), self.splitter())

        batching = Batching(self.name, self.limit, ask)
        return Lookup(upstream, self.service, batching, self.parser, id_of=operator.attrgetter("id"))


def verify(title: str, asked_id: str, sent_id: str) -> None:
    """Refuse a record of another entity than the one asked for.

    Raises:
        MissingField: the service answered with another, so that the record lacks the ID.
    """
    if sent_id != asked_id:
        raise MissingField(f"{title} answered {asked_id} with {sent_id}.", "id", recovery=RetryAfter(60))


def unknown(title: str, asked_id: str, search: ToolRef) -> EntityNotFound:
    """The error for an ID without a record; ``search`` is the tool that finds IDs by name."""
    return EntityNotFound(
        f"{title} has no record {asked_id}.",
        hint=f"Check the ID, or call {search} with the name.",
        invalid_input=asked_id,
    )


def missing_record(title: str, asked_id: str, listed_id: str | None = None, *, status: str = "") -> UpstreamError:
    """The error for an ID that the service lists, with a ``status`` such as "as current", but sends no record of."""
    description = f"{listed_id or asked_id} {status}".rstrip()
    return UpstreamError(
        f"{title} lists {description} but did not send its record.",
        hint="Call again later.",
        invalid_input=asked_id,
        recovery=RetryAfter(60),
    )


class ReplacementTrail:
    """The chain of replacements from the requested ID to the current one."""

    def __init__(self, asked_id: str) -> None:
        self.ids = [asked_id]

    @property
    def current_id(self) -> str:
        """The last ID of the trail."""
        return self.ids[-1]

    @property
    def is_replaced(self) -> bool:
        """Another ID has replaced the requested one."""
        return len(self.ids) > 1

    def follow(self, replacement: str | None) -> bool:
        """Follow a replacement of the current ID; False if there is none, or the trail is a circle or too long."""
        if replacement is None or replacement in self.ids or len(self.ids) > _MOST_REPLACEMENTS:
            return False
        self.ids.append(replacement)
        return True


async def side_request(
    answer: Awaitable[T], name: str, *, failures: tuple[type[BiofactError], ...] = (RateLimited, UpstreamError)
) -> tuple[T | None, list[Notice]]:
    """The answer of a further service for a part of a record; None, with a LEG_FAILED notice that names the part, if
    the service fails or is too slow.

    ``failures`` are the errors that count: a question written by us alone may be refused, too.
    """
    try:
        return await answer, []
    except failures as failure:
        return None, [missing_part(name, failure.message)]
