"""Strict lookups: an ID to its record, one at a time or many; and the trail from a retired ID to a current one."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, cast

from biofact.core.errors import BiofactError, EntityNotFound, RetryAfter, ToolRef, UpstreamError
from biofact.protocol.upstream import Upstream
from biofact.transport.service import Batching, Service

Record = TypeVar("Record")

_MOST_REPLACEMENTS = 5  # merged into one that was merged itself; longer chains are the service's mistake


class Lookup(Generic[Record]):
    """Records of one kind by ID: joined with whoever asks now, kept, read, and verified. Build one for each, once.

    ``id_of`` tells which record was sent, ``curie`` how its ID is written in messages.
    """

    def __init__(
        self,
        upstream: Upstream,
        service: Service,
        batching: Batching,
        read: Callable[[bytes], Record],
        *,
        id_of: Callable[[Record], str] | None = None,
        curie: Callable[[str], str] = str,
    ) -> None:
        self._upstream = upstream
        self._service = service
        self._curie = curie
        self._lookups = upstream.transport.batched(batching)
        self._read = read
        self._id_of = id_of

    async def get(self, record_id: str, read: Callable[[bytes], Record] | None = None) -> Record | None:
        """The record; None when the service positively has none. ``read`` stands in for the usual one.

        Raises:
            RateLimited, UpstreamError: the service failed, refused, or sent the record of another ID.
        """
        answer = self._lookups.get(record_id, read or self._read)
        return self._verified(record_id, await self._upstream.accepted(self._service, answer))

    async def get_many(self, ids: Sequence[str]) -> dict[str, Record | BiofactError | None]:
        """The outcome for each ID, once, in order: the record, None for an absent one, or why it is not known."""
        answers = await self._upstream.accepted(self._service, self._lookups.get_many(ids, self._read))
        return {record_id: self._outcome(record_id, answer) for record_id, answer in answers.items()}

    async def get_present(self, ids: Sequence[str]) -> dict[str, Record]:
        """The records that there are, in the order of their IDs.

        Raises:
            RateLimited, UpstreamError: one of them cannot be had.
        """
        outcomes = await self.get_many(ids)
        for outcome in outcomes.values():
            if isinstance(outcome, BiofactError):
                raise outcome
        return {record_id: cast("Record", outcome) for record_id, outcome in outcomes.items() if outcome is not None}

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


def verify(title: str, asked_id: str, sent_id: str) -> None:
    """Never a record for another entity than asked.

    Raises:
        UpstreamError: the service answered with another.
    """
    if sent_id != asked_id:
        message = f"{title} answered {asked_id} with {sent_id}."
        raise UpstreamError(message, hint="Call again later.", recovery=RetryAfter(60))


def unknown(title: str, asked_id: str, search: ToolRef) -> EntityNotFound:
    """The service has no such record; ``search`` is the tool that finds IDs by name."""
    return EntityNotFound(
        f"{title} has no record {asked_id}.",
        hint=f"Check the ID, or call {search} with the name.",
        invalid_input=asked_id,
    )


def unsent(title: str, asked_id: str, listed_id: str | None = None, *, status: str = "") -> UpstreamError:
    """The service lists an ID, with a ``status`` such as "as current", but sent no record of it."""
    listed = f"{listed_id or asked_id} {status}".rstrip()
    return UpstreamError(
        f"{title} lists {listed} but did not send its record.",
        hint="Call again later.",
        invalid_input=asked_id,
        recovery=RetryAfter(60),
    )


class ReplacementTrail:
    """The way from the ID that was asked for to the one that stands for it now."""

    def __init__(self, asked_id: str) -> None:
        self.ids = [asked_id]

    @property
    def current_id(self) -> str:
        """Where the trail has come to."""
        return self.ids[-1]

    @property
    def is_replaced(self) -> bool:
        """Another ID has taken the place of the asked one."""
        return len(self.ids) > 1

    def follow(self, replacement: str | None) -> bool:
        """Go on to what replaces the current ID; False where nothing does, or the trail is a circle or too long."""
        if replacement is None or replacement in self.ids or len(self.ids) > _MOST_REPLACEMENTS:
            return False
        self.ids.append(replacement)
        return True
