"""The public names of biofact: writes docs/api.md, and compares them with docs/api.json, those of the last release.

``--check`` fails where the page is stale, or a change breaks programs and no line of the changelog's Unreleased section
begins with "Breaking:" and names it. ``--release`` writes docs/api.json again.
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
    current = api()
    if "--release" in sys.argv[1:]:
        lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in current.items())
        BASELINE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(current), "utf-8")
        return 0
    failures = []
    if not PAGE.is_file() or PAGE.read_text("utf-8") != page(current):
        failures.append(f"{PAGE.relative_to(ROOT)} is stale: run make docs")
    announcement_lines = announcements(CHANGELOG.read_text("utf-8"))
    for name, reason in breaks(json.loads(BASELINE.read_text("utf-8")), current):
        if not any(
            re.search(rf"(?<![\w.]){re.escape(owner)}(?![\w.])", line)
            for owner in _owners(name)
            for line in announcement_lines
        ):
            failures.append(
                f"{name}: {reason}, and no line of CHANGELOG.md's Unreleased begins 'Breaking:' and says so"
            )
    print("".join(f"{line}\n" for line in failures), end="", file=sys.stderr)
    return 1 if failures else 0


def announcements(changelog: str) -> list[str]:
    """The lines of the Unreleased section that announce breaks."""
    section = re.search(r"^## \[?Unreleased\]?.*?$(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return re.findall(r"^[-*]?\s*Breaking:.*$", section[1] if section else "", re.MULTILINE)


def _is_named(name: str, line: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", line) is not None


def _owners(name: str) -> Iterator[str]:
    """A name, as a method also under the classes that its own one has it from."""
    yield name
    owner, _, member = name.rpartition(".")
    if owner in biofact.__all__:
        yield from (f"{base.__name__}.{member}" for base in getattr(biofact, owner).__mro__)


def breaks(old: Api, new: Api) -> Iterator[tuple[str, str]]:
    """The old names that no longer work as programs use them, and why."""
    for name, former in old.items():
        if name not in new:
            if name.rpartition(".")[0] not in old or name.rpartition(".")[0] in new:
                yield name, "is gone"
            continue
        now = new[name]
        if former["kind"] != now["kind"]:
            yield name, f"was a {former['kind']} and is a {now['kind']}"
            continue
        yield from ((name, reason) for reason in _parameter_breaks(former["parameters"], now["parameters"]))
        if not _default_of(now["type"]) <= _default_of(former["type"]):
            yield name, f"gives {now['type']}, no longer {former['type']}"
        yield from (
            (name, f"lacks the overload {overload}")
            for overload in former["overloads"]
            if overload not in now["overloads"]
        )


def _parameter_breaks(former: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    positional = [name for name, parameter in former.items() if parameter["is_positional"]]
    names = [name for name, parameter in now.items() if parameter["is_positional"]]
    for name, parameter in former.items():
        if name not in now:
            yield f"no longer takes {name}"
        elif parameter["default"] != now[name]["default"] and parameter["default"] != _REQUIRED:
            yield f"{name} was {parameter['default']} by default and is {now[name]['default']}"
        elif not _options(parameter["type"]) <= _options(now[name]["type"]):
            yield f"{name} takes {now[name]['type']}, no longer {parameter['type']}"
        elif parameter["is_positional"] and names[: len(positional)].count(name) == 0:
            yield f"{name} is no longer at its place"
    yield from (
        f"wants {name}" for name, parameter in now.items() if name not in former and parameter["default"] == _REQUIRED
    )
    if positional != names[: len(positional)] and set(positional) <= set(names[: len(positional)]):
        yield f"takes {', '.join(names)} in another order"


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


def _default_of(text: str) -> set[str]:
    """The literals of what a program gets: a program that reads a word of several does not mind a new one."""
    return {"Literal" if option.startswith("'") else option for option in _options(text)}


def api() -> Api:
    """The public names as they are."""
    entries: Api = {}
    for name in biofact.__all__:
        entries.update(_descriptions(name, getattr(biofact, name)))
    entries.update({f"sync.{name}": _entry("name") for name in biofact.sync.__all__})
    return entries


def _descriptions(name: str, thing: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """A name and its members."""
    if not inspect.isclass(thing):
        yield name, _callable(thing)
        return
    yield name, _callable(thing.__init__, "class") if _is_ours(thing, "__init__") else _entry("class")
    if issubclass(thing, BaseModel):
        hints = get_type_hints(thing)
        yield from (
            (f"{name}.{field}", _entry("field", _annotation_text(hints[field]))) for field in thing.model_fields
        )
    for member, value in inspect.getmembers(thing):
        if member.startswith("_") or not _is_ours(thing, member) or is_finder(value):
            continue
        if isinstance(value, property) and value.fget is not None:
            yield f"{name}.{member}", _entry("property", _callable(value.fget)["type"])
        elif inspect.isfunction(value) or inspect.ismethod(value):
            yield f"{name}.{member}", _callable(value)


def _is_ours(owner: type, member: str) -> bool:
    home = next((base for base in owner.__mro__ if member in vars(base)), object)
    return home.__module__.startswith("biofact")


def _callable(function: Callable[..., Any], kind: str = "") -> dict[str, Any]:
    hints = _hints(function)
    given = inspect.signature(function).parameters.values()
    waits = inspect.iscoroutinefunction(function)
    parameters = {
        parameter.name: {
            "default": _REQUIRED if parameter.default is parameter.empty else _default(parameter.default),
            "is_positional": parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD),
            "type": _annotation_text(hints.get(parameter.name, Any)),
        }
        for parameter in given
        if parameter.name not in {"self", "cls"}
        and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    }
    overloads = [str(inspect.signature(overload)) for overload in typing.get_overloads(inspect.unwrap(function))]
    returns = "" if kind else _annotation_text(hints.get("return", Any))
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


def _annotation_text(annotation: Any) -> str:
    """A type as programs write it, without the modules of its names; the same on every Python."""
    generic_metadata = getattr(annotation, "__pydantic_generic_metadata__", None) or {}
    origin, arguments = (
        generic_metadata.get("origin") or typing.get_origin(annotation),
        generic_metadata.get("args") or typing.get_args(annotation),
    )
    if isinstance(annotation, list):
        return f"[{', '.join(map(_annotation_text, annotation))}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(_annotation_text, arguments))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin is not None:
        return f"{_annotation_text(origin)}[{', '.join(map(_annotation_text, arguments))}]"
    if annotation in (None, types.NoneType):
        return "None"
    name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", repr(annotation))
    return _short("..." if annotation is ... else name)


def _short(text: str) -> str:
    """Names without their modules."""
    return re.sub(r"(?:\b\w+\.)+(?=\w)", "", text)


def page(entries: Api) -> str:
    """docs/api.md."""
    lines = [_HEAD.format(names=", ".join(f"`{name}`" for name in biofact.sync.__all__))]
    for name in biofact.__all__:
        thing = getattr(biofact, name)
        lines.append(f"## `{name}`\n\n{_meaning(thing)}\n")
        own_entries = [
            (member, entry) for member, entry in entries.items() if member == name or member.startswith(f"{name}.")
        ]
        if texts := [
            _line(member, entry) for member, entry in own_entries if entry["kind"] != "class" or entry["parameters"]
        ]:
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
    for parameter, facts in entry["parameters"].items():
        if not facts["is_positional"] and "*" not in parts:
            parts.append("*")
        default = "" if facts["default"] == _REQUIRED else f" = {facts['default']}"
        parts.append(f"{parameter}: {facts['type']}{default}")
    start = "await " if entry["kind"] == "coroutine" else ""
    returns = f" -> {entry['type']}" if entry["type"] else ""
    return f"{start}{name}({', '.join(parts)}){returns}"


if __name__ == "__main__":
    sys.exit(main())
