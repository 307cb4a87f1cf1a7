"""The public names of biofact: writes docs/api.md, and compares them with docs/api.json, those of the last release.

``--check`` fails where the page is stale, or a change breaks programs and no line of the changelog's Unreleased section
begins with "Breaking:" and names it. ``--release`` writes docs/api.json anew.
"""

import inspect
import json
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import BaseModel

import biofact
import biofact.sync
from biofact.protocol.names import is_finder

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api.md"
BASELINE = ROOT / "docs" / "api.json"
CHANGELOG = ROOT / "CHANGELOG.md"
_REQUIRED = "required"
_LITERAL = re.compile(r"^Literal\[(.*)\]$")
_HEAD = """# Public names

Written by `make docs`: what `import biofact` offers, each with its methods and fields.
A change that breaks a program which uses them is announced in the changelog by a line that begins with "Breaking:".
`biofact.sync` has the same clients with the same methods, which wait: {names}.
"""

Api = dict[str, dict[str, Any]]
"""By name, as ``EntrezClient.get_gene``: what it is, with its parameters by name where it can be called."""


def main() -> int:
    """Write the files, or compare them."""
    found = api()
    if "--release" in sys.argv[1:]:
        lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in found.items())
        BASELINE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(found), "utf-8")
        return 0
    failures = []
    if not PAGE.is_file() or PAGE.read_text("utf-8") != page(found):
        failures.append(f"{PAGE.relative_to(ROOT)} is stale: run make docs")
    announced = announcements(CHANGELOG.read_text("utf-8"))
    for name, reason in breaks(json.loads(BASELINE.read_text("utf-8")), found):
        if not any(
            re.search(rf"(?<![\w.]){re.escape(one)}(?![\w.])", line) for one in _owners(name) for line in announced
        ):
            failures.append(
                f"{name}: {reason}, and no line of CHANGELOG.md's Unreleased begins 'Breaking:' and says so"
            )
    print("".join(f"{line}\n" for line in failures), end="", file=sys.stderr)
    return 1 if failures else 0


def announcements(changelog: str) -> list[str]:
    """The lines of the Unreleased section that tell of breaks."""
    section = re.search(r"^## \[?Unreleased\]?.*?$(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return re.findall(r"^[-*]?\s*Breaking:.*$", section[1] if section else "", re.MULTILINE)


def _is_named(name: str, line: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", line) is not None


def _owners(name: str) -> Iterator[str]:
    """A name, as a method also under the classes that its own one has it from."""
    yield name
    owner, _, member = name.rpartition(".")
    if owner in biofact.__all__:
        yield from (f"{one.__name__}.{member}" for one in getattr(biofact, owner).__mro__)


def breaks(old: Api, new: Api) -> Iterator[tuple[str, str]]:
    """What of the old names is no more as programs use it, and why."""
    for name, was in old.items():
        if name not in new:
            if name.rpartition(".")[0] not in old or name.rpartition(".")[0] in new:
                yield name, "is gone"
            continue
        now = new[name]
        if was["kind"] != now["kind"]:
            yield name, f"was a {was['kind']} and is a {now['kind']}"
            continue
        yield from ((name, reason) for reason in _parameter_breaks(was["parameters"], now["parameters"]))
        if not _given(now["type"]) <= _given(was["type"]):
            yield name, f"gives {now['type']}, no longer {was['type']}"
        yield from ((name, f"lacks the overload {one}") for one in was["overloads"] if one not in now["overloads"])


def _parameter_breaks(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    positional = [name for name, one in was.items() if one["is_positional"]]
    still = [name for name, one in now.items() if one["is_positional"]]
    for name, one in was.items():
        if name not in now:
            yield f"no longer takes {name}"
        elif one["default"] != now[name]["default"] and one["default"] != _REQUIRED:
            yield f"{name} was {one['default']} by default and is {now[name]['default']}"
        elif not _options(one["type"]) <= _options(now[name]["type"]):
            yield f"{name} takes {now[name]['type']}, no longer {one['type']}"
        elif one["is_positional"] and still[: len(positional)].count(name) == 0:
            yield f"{name} is no longer at its place"
    yield from (f"wants {name}" for name, one in now.items() if name not in was and one["default"] == _REQUIRED)
    if positional != still[: len(positional)] and set(positional) <= set(still[: len(positional)]):
        yield f"takes {', '.join(still)} in another order"


def _options(text: str) -> set[str]:
    """The types of a union; what stands in brackets is one."""
    parts, depth = [""], 0
    for piece in re.split(r"( \| |[\[\]])", text):
        depth += {"[": 1, "]": -1}.get(piece, 0)
        if piece == " | " and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return {
        option for part in parts for option in _LITERAL.sub(r"\1", part).split(", " if _LITERAL.match(part) else "\0")
    }


def _given(text: str) -> set[str]:
    """Those of what a program gets: one that reads a word of several does not mind a new one."""
    return {"Literal" if option.startswith("'") else option for option in _options(text)}


def api() -> Api:
    """The public names as they are."""
    found: Api = {}
    for name in biofact.__all__:
        found.update(_described(name, getattr(biofact, name)))
    found.update({f"sync.{name}": _entry("name") for name in biofact.sync.__all__})
    return found


def _described(name: str, thing: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """A name and its members."""
    if not inspect.isclass(thing):
        yield name, _callable(thing)
        return
    yield name, _callable(thing.__init__, "class") if _is_ours(thing, "__init__") else _entry("class")
    if issubclass(thing, BaseModel):
        hints = get_type_hints(thing)
        yield from ((f"{name}.{field}", _entry("field", _written(hints[field]))) for field in thing.model_fields)
    for member, value in inspect.getmembers(thing):
        if member.startswith("_") or not _is_ours(thing, member) or is_finder(value):
            continue
        if isinstance(value, property) and value.fget is not None:
            yield f"{name}.{member}", _entry("property", _callable(value.fget)["type"])
        elif inspect.isfunction(value) or inspect.ismethod(value):
            yield f"{name}.{member}", _callable(value)


def _is_ours(owner: type, member: str) -> bool:
    home = next((one for one in owner.__mro__ if member in vars(one)), object)
    return home.__module__.startswith("biofact")


def _callable(function: Callable[..., Any], kind: str = "") -> dict[str, Any]:
    hints = _hints(function)
    given = inspect.signature(function).parameters.values()
    waits = inspect.iscoroutinefunction(function)
    parameters = {
        one.name: {
            "default": _REQUIRED if one.default is one.empty else _default(one.default),
            "is_positional": one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD),
            "type": _written(hints.get(one.name, Any)),
        }
        for one in given
        if one.name not in {"self", "cls"} and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    }
    overloads = [str(inspect.signature(one)) for one in typing.get_overloads(inspect.unwrap(function))]
    returns = "" if kind else _written(hints.get("return", Any))
    return _entry(kind or ("coroutine" if waits else "function"), returns, parameters, list(map(_short, overloads)))


def _default(value: object) -> str:
    """A default as a signature shows it; an object that says where it lies in memory by its class alone."""
    text = repr(value)
    return f"{type(value).__name__}(...)" if re.search(r" at 0x[0-9a-f]+", text) else text


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of a signature; as they are written where only type checkers know the names."""
    try:
        return get_type_hints(function)
    except NameError:
        return dict(inspect.get_annotations(function))


def _entry(
    kind: str,
    gives: str = "",
    parameters: Mapping[str, Any] | None = None,
    overloads: list[str] | None = None,
) -> dict[str, Any]:
    return {"kind": kind, "type": gives, "parameters": parameters or {}, "overloads": overloads or []}


def _written(annotation: Any) -> str:
    """A type as programs write it, without the modules of its names; the same on every Python."""
    own = getattr(annotation, "__pydantic_generic_metadata__", None) or {}
    origin, arguments = (
        own.get("origin") or typing.get_origin(annotation),
        own.get("args") or typing.get_args(annotation),
    )
    if isinstance(annotation, list):
        return f"[{', '.join(map(_written, annotation))}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(_written, arguments))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin is not None:
        return f"{_written(origin)}[{', '.join(map(_written, arguments))}]"
    if annotation in (None, types.NoneType):
        return "None"
    name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", repr(annotation))
    return _short("..." if annotation is ... else name)


def _short(text: str) -> str:
    """Names without their modules."""
    return re.sub(r"(?:\b\w+\.)+(?=\w)", "", text)


def page(found: Api) -> str:
    """docs/api.md."""
    lines = [_HEAD.format(names=", ".join(f"`{name}`" for name in biofact.sync.__all__))]
    for name in biofact.__all__:
        thing = getattr(biofact, name)
        lines.append(f"## `{name}`\n\n{_meaning(thing)}\n")
        own = [(one, entry) for one, entry in found.items() if one == name or one.startswith(f"{name}.")]
        if texts := [_line(one, entry) for one, entry in own if entry["kind"] != "class" or entry["parameters"]]:
            lines.append("\n".join(("```text", *texts, "```\n")))
    return "\n".join(lines)


def _meaning(thing: Any) -> str:
    first = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return " ".join(first.split())


def _line(name: str, entry: Mapping[str, Any]) -> str:
    """The signature of a callable, or the type of a field."""
    if entry["kind"] in ("field", "property"):
        return f"{name}: {entry['type']}"
    parts: list[str] = []
    for parameter, one in entry["parameters"].items():
        if not one["is_positional"] and "*" not in parts:
            parts.append("*")
        default = "" if one["default"] == _REQUIRED else f" = {one['default']}"
        parts.append(f"{parameter}: {one['type']}{default}")
    start = "await " if entry["kind"] == "coroutine" else ""
    returns = f" -> {entry['type']}" if entry["type"] else ""
    return f"{start}{name}({', '.join(parts)}){returns}"


if __name__ == "__main__":
    sys.exit(main())
