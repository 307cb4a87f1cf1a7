"""Rows of a list of which some may lack a field: these are left out and counted, and the others are shown.

Every source reads its lists by ``ReadableRows.of``; an error only follows where no row can be read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from biofact.core import call
from biofact.core.errors import RetryAfter, UpstreamError
from biofact.core.records import Notice, noticed

Row = TypeVar("Row")
Item = TypeVar("Item")
Other = TypeVar("Other")


class MissingField(UpstreamError):
    """A record lacks a field that no record of its kind is without."""

    def __init__(self, message: str, name: str, *, recovery: RetryAfter | None = None) -> None:
        super().__init__(message, hint="Call again later, or report it.", recovery=recovery)
        self.name = name


@dataclass(frozen=True, slots=True)
class ReadableRows(Generic[Item]):
    """The rows of a list as they were read, and those that lack a field."""

    outcomes: Sequence[Item | MissingField]
    """One a row, in the order of the service."""

    @classmethod
    def of(cls, rows: Iterable[Row], read: Callable[[Row], Item], *, is_whole: bool = True) -> "ReadableRows[Item]":
        """The rows as ``read`` has them; ``is_whole`` unless other rows of the list are or were read elsewhere.

        Raises:
            MissingField: every row of a whole list lacks a field, so that the service calls it otherwise now.
        """
        outcomes = list[Item | MissingField]()
        for row in rows:
            try:
                outcomes.append(read(row))
            except MissingField as failure:
                outcomes.append(failure)
        found = ReadableRows(outcomes)
        if is_whole and found.failure and not found.items:
            raise found.failure
        return found

    @property
    def items(self) -> list[Item]:
        """The rows that could be read."""
        return [outcome for outcome in self.outcomes if not isinstance(outcome, MissingField)]

    @property
    def failures(self) -> list[MissingField]:
        """The errors of the rows that are left out."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, MissingField)]

    @property
    def failure(self) -> MissingField | None:
        """The first of these errors, for a caller who asked for that row."""
        return next(iter(self.failures), None)

    @property
    def omissions(self) -> Counter[str]:
        """The number of rows that are left out, by the field that they lack."""
        return Counter(failure.name for failure in self.failures)

    def with_items(self, items: Iterable[Other]) -> "ReadableRows[Other]":
        """The same list with other readable rows: sorted, each once, or without those of something else."""
        return ReadableRows([*items, *self.failures])

    def notices(self, title: str) -> list[Notice]:
        """The notice of the rows that are left out; ``title`` names the source."""
        return omission_notices(title, self.omissions)

    def noted(self, title: str) -> list[Item]:
        """The readable rows; the answer of the call under way says how many are left out."""
        call.current().notices.extend(self.notices(title))
        return self.items


def omission_notices(title: str, omissions: Mapping[str, int], kind: str = "rows") -> list[Notice]:
    """The notice that rows of a kind were left out, with how many lack which field."""
    phrase = ", ".join(f"{count} without {name!r}" for name, count in omissions.items() if count)
    message = f"{title} sent {kind} that lack a field, which are left out: {phrase}." if phrase else None
    return noticed("NOT_COVERED", message)
