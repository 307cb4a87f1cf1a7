"""The error for a command that cannot be run as it was written."""

import os
from typing import ClassVar

PORTS = range(65_536)


class WrongUsage(ValueError):
    """What is wrong, and how to ask instead."""

    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def cannot_listen(address: str, error: OSError) -> WrongUsage:
    """What to say when the system refuses ``address``."""
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return WrongUsage(f"Cannot listen at {address}: {reason}.", hint="Choose another port; 0 picks a free one.")
