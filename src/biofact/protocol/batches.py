"""Batches: an entry for each thing asked, in order, within what the caller can read."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope, page
from biofact.core.records import Notice
from biofact.protocol.sizes import characters

Entry = TypeVar("Entry", bound=BaseModel)


def batch(
    entries: Sequence[Entry | ErrorEnvelope], slim: Callable[[Entry], Entry], notices: Sequence[Notice] = ()
) -> PaginationEnvelope[Entry | ErrorEnvelope]:
    """The answer to a batch. Where it is too long for its caller all rows are short, each in its place, and a notice
    says so: a whole row next to a short one would look as if the other had no such facts.
    """
    most = call.caller().most_characters
    if most == math.inf:
        return _page(list(entries), notices)
    beside = len(_page([], notices).model_dump_json(by_alias=True))
    total = beside + sum(map(characters, entries))
    if total <= most:
        return _page(list(entries), notices)
    rows = [entry if isinstance(entry, ErrorEnvelope) else slim(entry) for entry in entries]
    if rows == list(entries):  # they are short already, or failures
        return _page(rows, notices)
    fitting = max(1, int(len(rows) * most // total))
    message = (
        f"All rows are short: whole ones have {total:,} characters together, more than {most:,}. "
        f"Ask for some {fitting} at a time to have them whole."
    )
    return _page(rows, [*notices, Notice(code="SLIM_ROWS", message=message)])


def _page(entries: list[Entry | ErrorEnvelope], notices: Sequence[Notice]) -> PaginationEnvelope[Entry | ErrorEnvelope]:
    return page(entries, len(entries), total=len(entries), notices=notices)
