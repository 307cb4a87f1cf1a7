"""The source of the package, parsed once for all tests that look at it."""

import ast
import functools
from collections.abc import Mapping
from pathlib import Path

import biofact

PACKAGE = Path(biofact.__file__).parent


@functools.cache
def nodes() -> Mapping[Path, tuple[ast.AST, ...]]:
    """Every node of each module, those above first; they are to be read, not changed."""
    return {file: tuple(ast.walk(ast.parse(file.read_text("utf-8")))) for file in sorted(PACKAGE.rglob("*.py"))}


@functools.cache
def calls() -> tuple[tuple[Path, ast.Call], ...]:
    """Every call there is, and where."""
    return tuple((file, node) for file, found in nodes().items() for node in found if isinstance(node, ast.Call))
