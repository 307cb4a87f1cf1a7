"""Rows of a list of which some may lack a field: these are left out and counted, and the others are shown. Pure.

Every source reads its lists by ``ReadableRows.of``; an error only follows where no row can be read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from biofact.core.errors import UpstreamError
from biofact.core.records import Notice, noticed

Row = TypeVar("Row")
Item = TypeVar("Item")


class MissingField(UpstreamError):
    """A record lacks a field that no record of its kind is without."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message, hint="Call again later, or report it.")
        self.name = name


@dataclass(frozen=True, slots=True)
class ReadableRows(Generic[Item]):
    """The rows of a list as they were read, without those that lack a field."""

    items: list[Item]
    omissions: Counter[str] = field(default_factory=Counter)
    """The number of rows that were left out, by the field that they lack."""
    failure: MissingField | None = None
    """The error of the first row that was left out, for a caller who asked for that one."""

    @classmethod
    def of(cls, rows: Iterable[Row], read: Callable[[Row], Item], *, is_whole: bool = True) -> "ReadableRows[Item]":
        """The rows as ``read`` has them; ``is_whole`` unless other rows of the list are or were read elsewhere.

        Raises:
            MissingField: every row of a whole list lacks a field, so that the service calls it otherwise now.
        """
        items, failures = list[Item](), list[MissingField]()
        for row in rows:
            try:
                items.append(read(row))
            except MissingField as failure:
                failures.append(failure)
        if is_whole and failures and not items:
            raise failures[0]
        return ReadableRows(items, Counter(failure.name for failure in failures), next(iter(failures), None))

    def notices(self, title: str) -> list[Notice]:
        """The notice of the rows that were left out; ``title`` names the source."""
        return omission_notices(title, self.omissions)


def omission_notices(title: str, omissions: Mapping[str, int], kind: str = "rows") -> list[Notice]:
    """The notice that rows of a kind were left out, with how many lack which field."""
    phrase = ", ".join(f"{count} without {name!r}" for name, count in omissions.items() if count)
    message = f"{title} sent {kind} that lack a field, which are left out: {phrase}." if phrase else None
    return noticed("NOT_COVERED", message)
