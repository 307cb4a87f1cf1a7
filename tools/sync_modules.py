"""Writes the blocking clients of ``biofact.sync`` from the declarations; ``--check`` only says which file is stale.

Each public ``async`` method becomes one that waits: the same name, arguments, defaults and types, overloads too. They
are read from the source, so that types stand here as they were written there. ``BlockingClient`` adds the docstrings.
"""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biofact import toolsets
from biofact.protocol.client import LifeSciencesClient

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "biofact" / "sync"
BY_HAND = {"__init__.py", "blocking.py", "clients.py"}
_WIDEST = 120
_NO_QUESTIONS = {"finds"}
"""Decorators of methods that programs do not call: ``identity`` asks finders."""
_ADDED = {"Iterator": "from collections.abc import Iterator", "Any": "from typing import Any"}
"""Names that are written where the client's own module has none."""
_ITERATORS = {"AsyncIterator": "Iterator"}


def main() -> int:
    """Write the files, or compare them."""
    texts = {FOLDER / f"{name}.py": module(toolsets.client_class(name)) for name in toolsets.client_names()}
    known_files = {*texts, *(FOLDER / name for name in BY_HAND)}
    needless = [path for path in sorted(FOLDER.glob("*.py")) if path not in known_files]
    stale = [path for path, text in texts.items() if not path.is_file() or path.read_text("utf-8") != text]
    if "--check" not in sys.argv[1:]:
        for path in needless:
            path.unlink()
        for path in stale:
            path.write_text(texts[path], "utf-8")
        return 0
    for path in (*stale, *needless):
        print(f"{path.relative_to(ROOT)} is stale: run make docs", file=sys.stderr)
    return 1 if stale or needless else 0


def module(client_class: type[LifeSciencesClient]) -> str:
    """The text of the module with the blocking form of a client."""
    source = _Source.of_client(client_class)
    body = "\n".join(line for function in source.functions() for line in ("", *_method(function, source)))
    base, base_import = _base(client_class)
    used = sorted(source.imports(), key=_import_order)
    home = client_class.__module__.rpartition(".")
    imports = [
        f"from {home[0]} import {home[2]} as asynchronous",
        base_import,
        "from biofact.transport.background import " + ("each, wait_for" if "each(" in body else "wait_for"),
    ]
    own_imports = sorted({*imports, *(line for line in used if "biofact" in line)}, key=_import_order)
    other_imports = [line for line in used if "biofact" not in line]
    return "\n".join(
        (
            f'"""{client_class.__name__}, blocking. Written by make docs from {client_class.__module__}."""',
            *(("", *_grouped(other_imports)) if other_imports else ()),
            "",
            *_grouped(own_imports),
            "",
            "",
            f"class {client_class.__name__}({base}):",
            f"    _asynchronous = asynchronous.{client_class.__name__}",
            f"    _client: asynchronous.{client_class.__name__}",
            *body.splitlines(),
            "",
        )
    )


def _base(client_class: type[LifeSciencesClient]) -> tuple[str, str]:
    """The class that the blocking one extends, and the import of it."""
    base = client_class.__base__
    for name in toolsets.client_names():
        if toolsets.client_class(name) is base:
            return base.__name__, f"from biofact.sync.{name} import {base.__name__}"
    return "BlockingClient", "from biofact.sync.blocking import BlockingClient"


@dataclass
class _Source:
    """The module of a client class, and which of its names the blocking one uses."""

    tree: ast.Module
    of_class: ast.ClassDef
    names: Mapping[str, object]
    used: set[str]

    @classmethod
    def of_client(cls, client_class: type) -> "_Source":
        home = sys.modules[client_class.__module__]
        tree = ast.parse(inspect.getsource(home))
        classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
        return cls(tree, next(node for node in classes if node.name == client_class.__name__), vars(home), set())

    def functions(self) -> Iterator[ast.AsyncFunctionDef]:
        """The public questions, overloads among them."""
        for node in self.of_class.body:
            if not isinstance(node, ast.AsyncFunctionDef) or node.name.startswith("_") or node.name == "aclose":
                continue
            if not _NO_QUESTIONS & set(_decorators(node)):
                yield node

    def text_of(self, node: ast.expr) -> str:
        """An annotation or default as the blocking module writes it; what checks arguments is not repeated."""
        text = ast.unparse(_Plain(self).visit(ast.parse(ast.unparse(node), mode="eval").body))
        return re.sub(r"'([^'\"]*)'", r'"\1"', text)  # the formatter's quotes

    def value(self, node: ast.expr) -> str:
        """A default; of a constant of the module what it stands for."""
        if isinstance(node, ast.Name) and isinstance(value := self.names.get(node.id), int | float | str):
            return json.dumps(value)
        return self.text_of(node)

    def is_own(self, name: str) -> bool:
        """Whether a name is defined in the module, so that the blocking one reaches it there."""
        return any(name in _bound(node) for node in self.tree.body if not isinstance(node, ast.Import | ast.ImportFrom))

    def imports(self) -> set[str]:
        """The imports of the names that are used and come from elsewhere."""
        statements = [node for node in ast.walk(self.tree) if isinstance(node, ast.ImportFrom | ast.Import)]
        added = {line for name, line in _ADDED.items() if name in self.used}
        return added | {
            f"from {node.module} import {ast.unparse(alias)}"
            if isinstance(node, ast.ImportFrom)
            else f"import {ast.unparse(alias)}"
            for node in statements
            for alias in node.names
            if (alias.asname or alias.name) in self.used
        }


class _Plain(ast.NodeTransformer):
    """Types without what is noted beside them; names as the blocking module reaches them."""

    def __init__(self, source: _Source) -> None:
        self._source = source

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:  # as ast calls it
        if isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple):
            argument: ast.AST = self.visit(node.slice.elts[0])
            return argument
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = _ITERATORS.get(node.id, node.id)
        if self._source.is_own(name):
            return ast.Attribute(ast.Name("asynchronous"), name)
        self._source.used.add(name)
        return ast.Name(name)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement of a module defines."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def _decorators(node: ast.AsyncFunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        yield function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)


def _method(node: ast.AsyncFunctionDef, source: _Source) -> Iterator[str]:
    """A method that waits, line by line."""
    is_overload = "overload" in _decorators(node)
    returns = source.text_of(node.returns) if node.returns else "None"
    if is_overload:
        source.used.add("overload")
        yield "    @overload"
    ending = f") -> {returns}:" + (" ..." if is_overload else "")
    yield from _fit(f"    def {node.name}(", ["self", *_parameters(node.args, source)], ending)
    if not is_overload:
        yield from _body(node, is_iterator=returns.startswith("Iterator"))


def _parameters(arguments: ast.arguments, source: _Source) -> Iterator[str]:
    """The parameters without ``self``, as they are declared."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: Sequence[ast.expr | None] = (*[None] * (len(positional) - len(arguments.defaults)), *arguments.defaults)
    for argument, default in list(zip(positional, defaults, strict=True))[1:]:
        yield _parameter(argument, default, source)
    if arguments.kwonlyargs:
        yield "*"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(argument, default, source)


def _parameter(argument: ast.arg, default: ast.expr | None, source: _Source) -> str:
    if argument.annotation is None:
        sys.exit(f"{argument.arg} has no type.")
    text = f"{argument.arg}: {source.text_of(argument.annotation)}"
    return text if default is None else f"{text} = {source.value(default)}"


def _body(node: ast.AsyncFunctionDef, *, is_iterator: bool) -> Iterator[str]:
    """The call of the method that is waited for."""
    positional = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)][1:]
    arguments = [*positional, *(f"{argument.arg}={argument.arg}" for argument in node.args.kwonlyargs)]
    wait = "each" if is_iterator else "wait_for"
    call = f"self._client.{node.name}"
    line = f"        return {wait}({call}({', '.join(arguments)}))"
    if len(line) <= _WIDEST:
        yield line
        return
    yield from _fit(f"        call = {call}(", arguments, ")")
    yield f"        return {wait}(call)"


def _fit(start: str, parts: Sequence[str], end: str) -> Iterator[str]:
    """A bracket as the formatter has it: in one line, in one line of its own, or a line for each part."""
    margin = " " * (len(start) - len(start.lstrip()))
    whole = f"{start}{', '.join(parts)}{end}"
    inner = f"{margin}    {', '.join(parts)}"
    if len(whole) <= _WIDEST:
        yield whole
    elif len(inner) <= _WIDEST:
        yield from (start, inner, f"{margin}{end}")
    else:
        yield from (start, *(f"{margin}    {part}," for part in parts), f"{margin}{end}")


def _import_order(line: str) -> tuple[str, str]:
    return line.split()[1], line


def _grouped(lines: Sequence[str]) -> Iterator[str]:
    """Imports of one module in one line, in the formatter's order."""
    by_module: dict[str, list[str]] = {}
    for line in sorted(lines, key=_import_order):
        words = line.split(" import ")
        by_module.setdefault(words[0] if len(words) > 1 else line, []).extend(words[1:])
    for start, names in by_module.items():
        flat = sorted((name for part in names for name in part.split(", ")), key=_by_kind)
        plain = [name for name in flat if " as " not in name]
        for import_name in (name for name in flat if " as " in name):
            yield f"{start} import {import_name}"
        if plain:
            yield from _import(f"{start} import ", plain)
        elif not names:
            yield start


def _import(start: str, names: Sequence[str]) -> Iterator[str]:
    line = f"{start}{', '.join(names)}"
    if len(line) <= _WIDEST:
        yield line
    else:
        yield from (f"{start}(", *(f"    {name}," for name in names), ")")


def _by_kind(name: str) -> tuple[int, str]:
    """Constants, classes, others: as the formatter sorts them."""
    bare = name.partition(" as ")[0]
    return (0 if bare.isupper() and len(bare) > 1 else 1 if bare[:1].isupper() else 2), bare


if __name__ == "__main__":
    sys.exit(main())
