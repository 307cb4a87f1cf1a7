"""Standing streams: answers to GET on which a server sends messages of its own to a session, for as long as it lasts.

A standing stream is no call under way: most say nothing for hours. Their number is limited for a caller and for all;
beyond that the one that has been idle longest ends, and so does each that is idle for too long. A client whose stream
ends may open another.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biofact.gateway.connections import ANSWER, Answer, come_again
from biofact.gateway.limits import Limits

_COMMENT = b":"
"""The first byte of what keeps a stream of events open without saying anything."""


@dataclass(eq=False, slots=True)
class _Stream:
    """One standing stream."""

    subject: str
    session_id: str
    answer: Answer
    active_at: float
    """The time of the last message in its session."""
    timer: asyncio.TimerHandle | None = None


class Streams:
    """The standing streams of a process, one for each session at most."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[str, _Stream] = {}
        """The streams by session."""
        self._opening: Counter[str] = Counter()
        """The number of streams that are being opened, by subject."""
        self._calls: Counter[str] = Counter()
        """The number of calls under way, by session: while there is one, its stream is not idle."""

    async def serve(
        self, app: ASGIApp, scope: Scope, receive: Receive, send: Send, *, subject: str, session_id: str
    ) -> None:
        """Answer a GET of a session by ``app``; ``subject`` is empty where callers are not known."""
        if not self._has_room(subject):
            await come_again("There are as many streams as the server can hold.")(scope, receive, send)
            return
        answer: Answer = scope[ANSWER]
        stream = _Stream(subject, session_id, answer, _now())

        async def observed_send(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start" and answer.is_endless:
                self._add(stream)
            elif not message.get("body", b"").startswith(_COMMENT):
                stream.active_at = _now()

        self._opening[subject] += 1
        try:
            await app(scope, receive, observed_send)
        finally:
            if stream.timer is None:  # it was refused
                self._opening[subject] -= 1
            else:
                self._remove(stream)

    @contextmanager
    def call(self, session_id: str) -> Iterator[None]:
        """A call of a session is under way within."""
        self._calls[session_id] += 1
        try:
            yield
        finally:
            self._calls[session_id] -= 1
            if not self._calls[session_id]:
                del self._calls[session_id]
            if stream := self._open.get(session_id):
                stream.active_at = _now()

    def _has_room(self, subject: str) -> bool:
        """Whether one more may be opened, in place of an idle one where there are too many."""
        own, opening = self._of(subject), self._opening
        if subject and len(own) - len(self._idle(own)) + opening[subject] >= self._limits.streams_of_a_caller:
            return False
        return len(self._open) - len(self._idle(self._open.values())) + opening.total() < self._limits.streams

    def _of(self, subject: str) -> list[_Stream]:
        return [stream for stream in self._open.values() if stream.subject == subject]

    def _idle(self, streams: Collection[_Stream]) -> list[_Stream]:
        return [stream for stream in streams if stream.session_id not in self._calls]

    def _add(self, stream: _Stream) -> None:
        """Count an open stream; where there are too many, end one that is idle."""
        self._opening[stream.subject] -= 1
        own = self._of(stream.subject)
        if stream.subject and len(own) >= self._limits.streams_of_a_caller:
            self._end_one(own)
        elif len(self._open) >= self._limits.streams:
            self._end_one(self._open.values())
        self._open[stream.session_id] = stream
        self._watch(stream, self._limits.stream_seconds)

    def _end_one(self, streams: Collection[_Stream]) -> None:
        """End a stream of the caller who has most of them: the one that has been idle longest."""
        counts = Counter(stream.subject for stream in streams)
        if idle := self._idle(streams):
            self._end(min(idle, key=lambda stream: (-counts[stream.subject], stream.active_at)))

    def _watch(self, stream: _Stream, seconds: float) -> None:
        stream.timer = asyncio.get_running_loop().call_later(seconds, self._on_time, stream)

    def _on_time(self, stream: _Stream) -> None:
        """End a stream that has been idle for too long."""
        if stream.session_id in self._calls:
            stream.active_at = _now()
        rest_seconds = stream.active_at + self._limits.stream_seconds - _now()
        if rest_seconds > 0:
            self._watch(stream, rest_seconds)
        else:
            self._end(stream)

    def _end(self, stream: _Stream) -> None:
        self._remove(stream)
        stream.answer.cut()

    def _remove(self, stream: _Stream) -> None:
        if stream.timer is not None:
            stream.timer.cancel()
        if self._open.get(stream.session_id) is stream:
            del self._open[stream.session_id]


def _now() -> float:
    return asyncio.get_running_loop().time()
