"""How much of a list its caller can read, and pages that end there: the next one goes on behind the last row shown."""

import functools
import itertools
import json
import math
from collections.abc import Sequence
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, RootModel

from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.quoting import LONGEST_ECHO, length
from biofact.core.records import Notice

_FAILURE = 200
"""Characters of a failure besides its sentences."""
_BESIDE = 2_000
"""Characters that a list is given besides its rows: pagination, and notices of the call and in another spelling."""

Position = TypeVar("Position", bound=BaseModel)


class CutPosition(BaseModel, Generic[Position]):
    """Where a page goes on of which the caller could not read all: it is read again, and what was shown left out."""

    model_config = ConfigDict(extra="forbid")

    page: Position | None
    """Where that page begins; None for page 1."""
    page_size: int = Field(ge=1, le=1000)
    rows_shown: int = Field(ge=1)


@functools.cache
def place_type(position_type: type[BaseModel]) -> type[RootModel[Any]]:
    """What a cursor holds: the beginning of a page, or where one goes on."""
    cut: Any = CutPosition.__class_getitem__(position_type)
    either: Any = Annotated[cut | position_type, Field(union_mode="left_to_right")]
    kind: Any = RootModel.__class_getitem__(either)
    return cast("type[RootModel[Any]]", kind)


def fitting(rows: Sequence[BaseModel], beside: Sequence[BaseModel] = ()) -> int:
    """How many of the first rows the caller can read in one answer, with what stands beside them; at least one."""
    most = call.caller().most_characters
    if most == math.inf:
        return len(rows)
    room = most - _BESIDE - sum(map(characters, beside))
    sums = itertools.accumulate(map(characters, rows))
    return max(1, sum(1 for _ in itertools.takewhile(lambda total: total <= room, sums)))


def cut_notice(count: int, rows: int, how: str) -> Notice:
    """Says how many rows of a page are shown, and ``how`` to have the others."""
    most = call.caller().most_characters
    message = f"{count} of the {rows} rows of this page are shown: more would be over {most:,} characters. {how}"
    return Notice(code="LIST_CUT", message=message)


def characters(entry: BaseModel) -> int:
    """How long an entry is as JSON, with the comma behind it. A failure may repeat an input that JSON cannot hold."""
    if isinstance(entry, ErrorEnvelope):
        texts = (entry.error.message, entry.error.recovery_hint, entry.error.invalid_input)
        return _FAILURE + sum(int(min(length(text), LONGEST_ECHO)) for text in texts)
    try:
        return len(entry.model_dump_json(by_alias=True)) + 1
    except ValueError:  # half a character, which is escaped on the wire
        return len(json.dumps(entry.model_dump(by_alias=True), default=repr)) + 1
