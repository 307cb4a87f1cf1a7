"""The source of the package; each module is parsed once for all tests that inspect it."""

import ast
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

import biofact

PACKAGE = Path(biofact.__file__).parent


@functools.cache
def texts() -> Mapping[Path, str]:
    """The text of each module."""
    return {file: file.read_text("utf-8") for file in sorted(PACKAGE.rglob("*.py"))}


@functools.cache
def _parsed(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(texts()[file])))


def nodes(*words: str) -> Mapping[Path, tuple[ast.AST, ...]]:
    """Every node of each module whose text contains one of these words, or of all; parents first. The nodes are shared:
    do not change them.
    """
    return {file: _parsed(file) for file, text in texts().items() if not words or any(word in text for word in words)}


def calls(*words: str) -> Iterator[tuple[Path, ast.Call]]:
    """Every call in these modules, and where."""
    for file, file_nodes in nodes(*words).items():
        yield from ((file, node) for node in file_nodes if isinstance(node, ast.Call))
