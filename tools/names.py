"""Refuses words of a private dialect as names of functions, classes, variables and arguments.

``python tools/names.py [--list]``. Which words, how many uses are left, and why, stands in ``pyproject.toml`` under
``[tool.biofact.names]``. A word counts wherever it is a part of a name: ``told``, ``is_told``, ``Told``.
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
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def main(arguments: list[str]) -> int:
    """Print what is wrong; 1 if anything is."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["biofact"]["names"]
    refused = frozenset(settings["refused"])
    uses = [found for path in _files() for found in _refused_names(path, refused)]
    if "--list" in arguments:
        for path, line, name in uses:
            print(f"{path}:{line}: {name}")
        print(Counter(part for _, _, name in uses for part in _parts(name) & refused))
    if len(uses) > settings["most"]:
        print(f"{len(uses)} names hold a refused word; {settings['most']} may. See CONTRIBUTING.md, Words.")
        return 1
    return 0


def _files() -> Iterator[Path]:
    for folder in CODE:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _refused_names(path: Path, refused: frozenset[str]) -> Iterator[tuple[Path, int, str]]:
    """Each name once for each scope that binds it."""
    tree = ast.parse(path.read_text("utf-8"))
    for scope in (node for node in ast.walk(tree) if isinstance(node, _SCOPES)):
        names = sorted(_bound(scope).items())
        yield from ((path.relative_to(ROOT), line, name) for name, line in names if _parts(name) & refused)


def _bound(scope: ast.AST) -> dict[str, int]:
    """The names that a scope binds, and where each is bound first; those of scopes within are theirs."""
    names: dict[str, int] = {}
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.setdefault(node.name, node.lineno)
                continue
            case ast.Lambda():
                continue
            case ast.Name(ctx=ast.Store()):
                names.setdefault(node.id, node.lineno)
            case ast.arg():
                names.setdefault(node.arg, node.lineno)
            case ast.alias(asname=str(name)):
                names.setdefault(name, node.lineno)
            case ast.Attribute(ctx=ast.Store()):
                names.setdefault(node.attr, node.lineno)
            case _:
                pass
        waiting += ast.iter_child_nodes(node)
    return names


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
