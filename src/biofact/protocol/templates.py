"""Notices and absences as data: texts with gaps, which a source declares once and a call fills.

Gaps are those of ``str.format``: ``{query!r:.120}``, ``{gene.symbol}``.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from biofact.core.errors import BiofactError, Recovery
from biofact.core.records import Notice, NoticeCode

Error = TypeVar("Error", bound=BiofactError)


@dataclass(frozen=True, slots=True)
class NoticeTemplate:
    """A notice with gaps for the facts of one answer."""

    code: NoticeCode
    text: str

    def __call__(self, **facts: object) -> Notice:
        """The notice with these facts."""
        return Notice(code=self.code, message=self.text.format_map(facts))


@dataclass(frozen=True, slots=True)
class Absence(Generic[Error]):
    """A reason that there is no record of an ID, as the error of it; ``{id}`` is the ID, other gaps are facts."""

    error: type[Error]
    message: str
    hint: str

    def __call__(self, requested_id: str, recovery: Recovery | None = None, **facts: object) -> Error:
        """The error for this ID with these facts, and the call that helps, where there is one."""
        facts = {"id": requested_id, **facts}
        message, hint = self.message.format_map(facts), self.hint.format_map(facts)
        return self.error(message, hint=hint, invalid_input=requested_id, recovery=recovery)
