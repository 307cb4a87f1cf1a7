"""Work counted, not timed: a busy machine changes nothing."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls_made(function: Callable[[], object]) -> int:
    """The functions, ours and built in, that a call of this one enters."""
    count = 0

    def on_event(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(on_event)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count
