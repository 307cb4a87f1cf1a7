"""Holds files, functions, arguments and nesting to the caps in pyproject.toml; exceptions there carry a reason."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "benchmarks", "tools")
NESTERS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.Match)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> int:
    """Print each breach and each needless exception; the exit status tells whether there are any."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["biofact"]["size-caps"]
    excused = config["exceptions"]
    found = dict(breaches(config))
    for place, breach in found.items():
        if place not in excused:
            print(f"{place}: {breach}")
    needless = [place for place in excused if place not in found]
    for place in needless:
        print(f"{place}: excused in pyproject.toml, but within the caps")
    return 1 if needless or set(found) - set(excused) else 0


def breaches(caps: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Each place over a cap, and by how much."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        place, text = path.relative_to(ROOT).as_posix(), path.read_text()
        lines = len(text.splitlines())
        if lines > caps["file-lines"]:
            yield place, f"{lines} lines, at most {caps['file-lines']}"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, Function):
                yield from function_breaches(place, node, caps)


def function_breaches(place: str, node: Function, caps: dict[str, int]) -> Iterator[tuple[str, str]]:
    """The caps that one function breaks; its docstring does not count as lines of it."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1 - docstring_lines(node)
    positional = [a.arg for a in (*node.args.posonlyargs, *node.args.args) if a.arg not in {"self", "cls"}]
    depth = nesting(node.body)
    for count, cap, noun in (
        (lines, caps["function-lines"], "lines"),
        (len(positional), caps["positional-arguments"], "positional arguments"),
        (depth, caps["nesting"], "levels of nesting"),
    ):
        if count > cap and not (noun == "positional arguments" and (is_tool(node) or is_of_tool(place))):
            yield f"{place}:{node.name}", f"{count} {noun}, at most {cap}"


def is_tool(node: Function) -> bool:
    """Tools, and the overloads that say which form they return, are called by keyword: their arguments are the
    agent's.
    """
    return any(isinstance(d, ast.Name) and d.id in {"tool", "overload"} for d in node.decorator_list)


def is_of_tool(place: str) -> bool:
    """What waits for a tool has the tool's arguments, and is written by make docs."""
    return place.startswith("src/biofact/sync/")


def docstring_lines(node: Function) -> int:
    """How many lines the docstring takes."""
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return (first.end_lineno or first.lineno) - first.lineno + 1
    return 0


def nesting(body: list[ast.stmt]) -> int:
    """The deepest level of blocks within blocks; ``elif`` adds none."""
    return max((block_depth(node) for node in body), default=0)


def block_depth(node: ast.stmt) -> int:
    """How deep one statement nests, itself included; functions within start anew."""
    if not isinstance(node, NESTERS):
        return 0
    inner = [nesting(getattr(node, name, [])) for name in ("body", "finalbody")]
    inner += [nesting(part.body) for part in (*getattr(node, "handlers", []), *getattr(node, "cases", []))]
    orelse: list[ast.stmt] = getattr(node, "orelse", [])
    is_elif = isinstance(node, ast.If) and len(orelse) == 1 and isinstance(orelse[0], ast.If)
    inner.append(nesting(orelse) - 1 if is_elif else nesting(orelse))
    return 1 + max(inner)


if __name__ == "__main__":
    sys.exit(main())
