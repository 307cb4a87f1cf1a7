"""The failure of a call frees what it was working on at once, without waiting for Python to look for cycles."""

import asyncio
import gc
import weakref

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.records import Result
from biofact.core.tool import tool

pytestmark = pytest.mark.quick


class LargeAnswer:
    """Stands for a body of megabytes."""


class Quarry:
    """A client whose service sends nonsense."""

    source_name = "quarry"
    title = "The quarry"

    def __init__(self):
        self.answer = None

    @tool
    async def find_rock(self, rock_id: str) -> Result:
        """Find a rock."""
        answer = LargeAnswer()
        self.answer = weakref.ref(answer)
        read(answer)


def read(answer):
    try:
        raise ValueError(f"{type(answer).__name__} is no rock")  # noqa: TRY301  # with a traceback
    except ValueError as error:
        cause = error  # a cycle: the frame holds the error, whose traceback holds the frame
        raise UpstreamError("The quarry sent no rock.", hint="Call again later.") from cause


def test_what_a_failed_call_has_read_is_freed_while_its_error_is_held():
    quarry = Quarry()
    gc.disable()
    try:
        with pytest.raises(UpstreamError) as failure:
            asyncio.run(quarry.find_rock("1"))
        assert failure.value.message == "The quarry sent no rock."
        assert quarry.answer() is None
    finally:
        gc.enable()
