"""Reads the files of starter facts, which stand in the folder ``starter`` of a package."""

from collections.abc import Iterator
from importlib import resources


def text(package: str, name: str) -> str:
    """The whole of a file."""
    return (resources.files(package) / "starter" / name).read_text("utf-8")


def lines(package: str, name: str) -> Iterator[str]:
    """The lines of a file without empty ones, and those that say what it holds, which begin with ``#``."""
    return (line for line in text(package, name).splitlines() if line and not line.startswith("#"))
