"""Reads the files of starter facts, which stand in the folder ``starter`` of a package."""

import re
from collections.abc import Iterator
from importlib import resources

_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def text(package: str, name: str) -> str:
    """The whole of a file."""
    return (resources.files(package) / "starter" / name).read_text("utf-8")


def lines(package: str, name: str) -> Iterator[str]:
    """The lines of a file without empty ones, and those that say what it holds, which begin with ``#``."""
    return (line for line in text(package, name).splitlines() if line and not line.startswith("#"))


def rows(package: str, name: str, width: int) -> Iterator[list[str]]:
    """The cells of a tab-separated table, ``-`` as nothing.

    Raises:
        ValueError: a line has another number of cells.
    """
    return (cells(line, name, width) for line in lines(package, name))


def cells(line: str, name: str, width: int) -> list[str]:
    """The cells of a line of the table ``name``, ``-`` as nothing.

    Raises:
        ValueError: it has another number of them.
    """
    found = ["" if cell == "-" else cell for cell in line.split("\t")]
    if len(found) != width:
        raise ValueError(f"{line!r} of {name} has {len(found)} cells; expected {width} with a tab between.")
    return found


def integer(cell: str) -> int:
    """A whole number.

    Raises:
        ValueError: it is none.
    """
    if not cell.isdecimal():
        raise ValueError(f"{cell!r} is not a whole number; expected one like 42.")
    return int(cell)


def decimal(cell: str) -> float:
    """A number.

    Raises:
        ValueError: it is none.
    """
    if not _DECIMAL.fullmatch(cell):
        raise ValueError(f"{cell!r} is not a number; expected one like 0.5.")
    return float(cell)
