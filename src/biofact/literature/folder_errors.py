"""Why a run cannot use its folder. Both come from other processes, too, and are pickled for that."""

import functools
from collections.abc import Callable


class FolderRefused(Exception):
    """The folder is another's, or another run's; nothing in it was touched."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint

    def __reduce__(self) -> tuple[Callable[..., "FolderRefused"], tuple[str]]:
        return functools.partial(FolderRefused, hint=self.hint), (str(self),)


class WriteFailed(Exception):
    """The system does not let us write; what was written before stays."""

    def __init__(self, path: str, error: OSError) -> None:
        reason = (error.strerror or type(error).__name__).lower()
        super().__init__(f"{path!r} cannot be written: {reason}.")
        self.hint = "Make room, or give a folder that you can write to. What is done so far is kept."
        self._given = path, error

    def __reduce__(self) -> tuple[type["WriteFailed"], tuple[str, OSError]]:
        return WriteFailed, self._given
