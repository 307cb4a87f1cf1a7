"""Batches: an entry for each thing asked, in order, within what a reader can take."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope, page
from biofact.core.provenance import Notice

MOST_CHARACTERS = 80_000
"""Of a batch as JSON with whole rows; beyond it hosts cut the text, or refuse it."""


Entry = TypeVar("Entry")


def batch(
    entries: Sequence[Entry | ErrorEnvelope], slim: Callable[[Entry], Entry], notices: Sequence[Notice] = ()
) -> PaginationEnvelope[Entry | ErrorEnvelope]:
    """The answer to a batch. Where it would be too long all rows are short, each in its place, and a notice says so:
    a whole row next to a short one would look as if the other had no such facts.
    """
    whole = _page(list(entries), notices)
    length = len(whole.model_dump_json(by_alias=True))
    if length <= MOST_CHARACTERS:
        return whole
    rows = [entry if isinstance(entry, ErrorEnvelope) else slim(entry) for entry in entries]
    fitting = max(1, len(rows) * MOST_CHARACTERS // length)
    message = (
        f"All rows are short: whole ones have {length:,} characters together, more than {MOST_CHARACTERS:,}. "
        f"Ask for some {fitting} at a time to have them whole."
    )
    return _page(rows, [*notices, Notice(code="SLIM_ROWS", message=message)])


def _page(entries: list[Entry | ErrorEnvelope], notices: Sequence[Notice]) -> PaginationEnvelope[Entry | ErrorEnvelope]:
    return page(entries, len(entries), total=len(entries), notices=notices)
