"""Refuses words of a private dialect as names of modules, functions, classes, variables, attributes and arguments.

``python tools/names.py [--list]``. Which words, and how many uses of them may still be there, stands in
``pyproject.toml`` under ``[tool.biofact.names]``; CONTRIBUTING.md says why. A word counts wherever it is a part of a
name: ``told``, ``is_told``, ``Told``.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = ("src", "tools", "benchmarks")
_SCOPES = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

Use = tuple[Path, int, str]
"""File, line and name; a file's own name is on line 1."""


def main(arguments: list[str]) -> int:
    """Print what is wrong; 1 if anything is."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["biofact"]["names"]
    refused = frozenset(settings["refused"])
    uses = [use for path in _files() for use in _refused_names(path, refused)]
    is_over = len(uses) > settings["most"]
    if is_over or "--list" in arguments:
        for path, line, name in uses:
            print(f"{path}:{line}: {name}")
        print(Counter(part for _, _, name in uses for part in _parts(name) & refused))
    if is_over:
        print(f"{len(uses)} names hold a refused word; at most {settings['most']} may. See CONTRIBUTING.md, Glossary.")
    return 1 if is_over else 0


def _files() -> Iterator[Path]:
    for folder in CODE:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _refused_names(path: Path, refused: frozenset[str]) -> Iterator[Use]:
    """The file's own name, and each name once for each scope that binds it."""
    place = path.relative_to(ROOT)
    if _parts(path.stem) & refused:
        yield place, 1, path.stem
    for scope in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(scope, _SCOPES):
            names = sorted(_bound(scope).items())
            yield from ((place, line, name) for name, line in names if _parts(name) & refused)


def _bound(scope: ast.AST) -> dict[str, int]:
    """The names that a scope binds, and where each is bound first; those of scopes within are theirs."""
    names: dict[str, int] = {}
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        name = _name(node)
        if name is not None:
            names.setdefault(name, getattr(node, "lineno", 1))
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)
    return names


def _name(node: ast.AST) -> str | None:
    """The name that a node binds; None for one that binds none."""
    if isinstance(node, _NAMED):
        return node.name
    match node:
        case ast.Name(ctx=ast.Store()):
            return node.id
        case ast.Attribute(ctx=ast.Store()):
            return node.attr
        case ast.arg():
            return node.arg
        case ast.alias():
            return node.asname
    return None


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
