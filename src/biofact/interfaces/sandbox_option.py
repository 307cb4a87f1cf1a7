"""``--sandbox`` and ``--sandbox=DIR``: stand-ins for as long as a command runs, or with a folder that outlives it."""

from collections.abc import Sequence
from pathlib import Path

SandboxOption = bool | Path
"""Whether to ask stand-ins; a folder keeps the cache and its collections for the next command that names it."""
FLAG = "--sandbox"
_NO_FOLDERS = {"", "true", "false", "yes", "no", "1", "0", "t", "f", "y", "n"}  # the command line's library knows them


def with_value(tokens: Sequence[str]) -> list[str]:
    """The words of a command in which the bare flag has a value: a word after it is an argument, and no folder."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    return [f"{FLAG}=true" if token == FLAG and place < end else token for place, token in enumerate(tokens)]


def option(token: str) -> SandboxOption | None:
    """The value of the option in one word; None for other words, and for a value that is no folder."""
    name, equals, folder = token.partition("=")
    if name != FLAG:
        return None
    if not equals:
        return True
    return Path(folder) if folder.lower() not in _NO_FOLDERS else None
