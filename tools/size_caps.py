"""Holds files, functions, arguments, nesting and small modules to the caps in pyproject.toml.

Exceptions there carry a reason. ``python tools/size_caps.py --report`` prints the files and lines of each folder, and
the modules that only one other imports.
"""

import ast
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "biofact"
FOLDERS = ("src", "tests", "benchmarks", "tools")
SOURCE_FILES = frozenset({"service", "identifiers", "records", "parse", "search", "client", "dumps", "examples"})
"""Each folder of a source has files of these names, however small."""
NESTERS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.Match)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def main(arguments: list[str]) -> int:
    """Print each breach and each needless exception; the exit status tells whether there are any."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["biofact"]["size-caps"]
    imports = Imports.read()
    if "--report" in arguments:
        report(imports, config)
        return 0
    exceptions = config["exceptions"]
    lone = dict(imports.breaches(config))
    if len(set(lone) - set(exceptions)) <= config.get("lone-modules", 0):
        lone = {place: breach for place, breach in lone.items() if place in exceptions}
    refusals = dict(breaches(config)) | lone
    for place, breach in refusals.items():
        if place not in exceptions:
            print(f"{place}: {breach}")
    needless = [place for place in exceptions if place not in refusals]
    for place in needless:
        print(f"{place}: excused in pyproject.toml, but within the caps")
    return 1 if needless or set(refusals) - set(exceptions) else 0


def report(imports: "Imports", config: dict[str, Any]) -> None:
    """Print the modules that one other imports, the small ones with a star; then files and lines by folder."""
    files, lines, lone = Counter[str](), Counter[str](), Counter[str]()
    small = {place for place, _ in imports.breaches(config)}
    for name, path in imports.modules.items():
        importers = [place_of(imports.modules[importer]) for importer in imports.importers[name]]
        if is_lone := len(importers) == 1 and not imports.is_exempt(name):
            star = " *" if place_of(path) in small else ""
            print(f"{place_of(path)}: {line_count(path)} lines, for {importers[0]}{star}")
        for folder in ("src/biofact", "/".join(place_of(path).split("/")[:-1][:4])):
            files[folder] += 1
            lines[folder] += line_count(path)
            lone[folder] += is_lone
    print(f"{'folder':44}{'files':>7}{'lines':>8}{'lone':>6}")
    for folder in sorted(files):
        print(f"{folder:44}{files[folder]:7}{lines[folder]:8}{lone[folder]:6}")


@dataclass
class Imports:
    """The modules of the package, and which of them import which, at the top or within a function."""

    modules: dict[str, Path] = field(default_factory=dict)
    importers: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    texts: set[str] = field(default_factory=set)

    @classmethod
    def read(cls) -> "Imports":
        """The imports of all modules."""
        imports = cls()
        for path in sorted(PACKAGE.rglob("*.py")):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            imports.modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
        for name, path in imports.modules.items():
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                imports.add(name, node)
        return imports

    def add(self, importer: str, node: ast.AST) -> None:
        """Take note of an import, or of a text that may be a module's name."""
        names: list[str] = []
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom(module=str(module)):
                names = [f"{module}.{alias.name}" for alias in node.names]
                names = [name if name in self.modules else module for name in names]
            case ast.Constant(value=str(text)):
                self.texts.add(text.split(":")[0])
        for name in names:
            if name in self.modules and name != importer:
                self.importers[name].add(importer)

    def is_exempt(self, name: str) -> bool:
        """Packages, modules that are loaded by name, and files that each source has."""
        path = self.modules[name]
        is_of_source = path.parent.parent == PACKAGE / "sources" and path.stem in SOURCE_FILES
        return path.stem in {"__init__", "__main__"} or name in self.texts or is_of_source

    def breaches(self, caps: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Each small module with one importer."""
        for name, path in self.modules.items():
            importers, lines = self.importers[name], line_count(path)
            if len(importers) == 1 and lines < caps["lone-module-lines"] and not self.is_exempt(name):
                yield place_of(path), f"{lines} lines, for {place_of(self.modules[min(importers)])} alone"


def place_of(path: Path) -> str:
    """The path below the repository."""
    return path.relative_to(ROOT).as_posix()


def line_count(path: Path) -> int:
    """Lines of a file."""
    return len(path.read_text("utf-8").splitlines())


def breaches(caps: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each place over a cap, and by how much."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        place, lines = place_of(path), line_count(path)
        if lines > caps["file-lines"]:
            yield place, f"{lines} lines, at most {caps['file-lines']}"
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, Function):
                yield from function_breaches(place, node, caps)


def function_breaches(place: str, node: Function, caps: dict[str, Any]) -> Iterator[tuple[str, str]]:
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
    marks = (mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list)
    return any(isinstance(mark, ast.Name) and mark.id in {"tool", "overload"} for mark in marks)


def is_of_tool(place: str) -> bool:
    """Whether a function waits for a tool: it has the tool's arguments, and is written by make docs."""
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
    """The depth to which one statement nests, itself included; functions within do not count."""
    if not isinstance(node, NESTERS):
        return 0
    inner = [nesting(getattr(node, name, [])) for name in ("body", "finalbody")]
    inner += [nesting(part.body) for part in (*getattr(node, "handlers", []), *getattr(node, "cases", []))]
    orelse: list[ast.stmt] = getattr(node, "orelse", [])
    is_elif = isinstance(node, ast.If) and len(orelse) == 1 and isinstance(orelse[0], ast.If)
    inner.append(nesting(orelse) - 1 if is_elif else nesting(orelse))
    return 1 + max(inner)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
