"""Writes the parts of files that follow from the sources there are; ``--check`` only says which file is stale.

A part stands between two lines, ``<!-- settings: by make docs -->`` and ``<!-- end -->``, with ``#`` in Python.
"""

import functools
import importlib
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from biofact import sources, toolsets
from biofact.interfaces import every_source
from biofact.interfaces.cli.app import BUILTIN_COMMANDS
from biofact.interfaces.cli.doctor import all_settings
from biofact.interfaces.spelling import above_sources, prefixed, subcommand

ROOT = Path(__file__).parents[1]
SHARED = {
    "biofact.clients": ("Clients", "open"),
    "biofact.core.envelopes": ("ErrorEnvelope", "PaginationEnvelope"),
    "biofact.core.errors": (
        *("AmbiguousQuery", "BiofactError", "EntityNotFound", "InvalidCrossReference", "NoNetwork"),
        *("RateLimited", "UnresolvedEntity", "UpstreamError"),
    ),
    "biofact.core.records": ("Notice", "Provenance"),
    "biofact.core.xrefs": ("CrossReferences",),
    "biofact.protocol.client": ("LifeSciencesClient",),
    "biofact.transport.stack": ("Transport",),
    "biofact.sandbox": ("Sandbox",),
}
"""The names of ``biofact`` that are no source's and no toolset's, by module."""


def main() -> int:
    """Write the files, or compare them."""
    texts = {ROOT / name: _with_parts((ROOT / name).read_text("utf-8"), parts) for name, parts in PARTS.items()}
    stale = [path for path, text in texts.items() if path.read_text("utf-8") != text]
    if "--check" not in sys.argv[1:]:
        for path in stale:
            path.write_text(texts[path], "utf-8")
        return 0
    for path in stale:
        print(f"{path.relative_to(ROOT)} is stale: run make docs", file=sys.stderr)
    return 1 if stale else 0


def _with_parts(text: str, parts: Mapping[str, Callable[[], Iterator[str]]]) -> str:
    """A file's text with each of its parts rewritten."""
    for name, lines in parts.items():
        form = rf"(^(?:<!--|#) {name}: by make docs(?: -->)?\n)(?s:.*?)(^(?:<!--|#) end(?: -->)?$)"
        body = "\n".join(lines()) + "\n"
        text, count = re.subn(form, lambda match, body=body: f"{match[1]}{body}{match[2]}", text, flags=re.MULTILINE)  # type: ignore[misc]
        if count != 1:
            sys.exit(f"The lines around the part {name!r} stand {count} times in a file, not once.")
    return text


def _titles() -> Iterator[str]:
    yield f"Sources: {' · '.join(every_source.listing(name).title for name in every_source.names())}."


def tools_table() -> Iterator[str]:
    """Each tool with the first clause of what an agent reads of it."""
    yield from ("| tool | what it does |", "|---|---|")
    for name in every_source.toolsets():
        for tool in every_source.listing(name).tools:
            yield f"| `{prefixed(tool.ref)}` | {re.split(r'[.:;](?: |$)', tool.description)[0]} |"


def _settings() -> Iterator[str]:
    yield from ("| variable | sets | if not set |", "|---|---|---|")
    for setting in all_settings():
        default = f"`{setting.default}`" if setting.default else ""
        yield f"| `{setting.name}` | {setting.meaning.rstrip('.')} | {default} |"


def _services() -> Iterator[str]:
    yield from ("| service | requests a second | data |", "|---|---|---|")
    classes = map(every_source.client_class, every_source.names())
    for service in dict.fromkeys(service for client_class in classes for service in client_class.services):
        with_key = f", {service.per_second_with_key:g} with a key" if service.per_second_with_key else ""
        yield f"| {service.title} | {service.per_second:g}{with_key} | {service.licence} |"


def _prompts() -> Iterator[str]:
    """Each with its arguments, those with a default in brackets, and its skill."""
    yield from ("| prompt | arguments | leads to | skill |", "|---|---|---|---|")
    for journey in every_source.journeys():
        names = (
            f"`{argument.name}`" if argument.default is None else f"[`{argument.name}`]"
            for argument in journey.arguments
        )
        skill = journey.name.replace("_", "-")
        cells = (f"`{journey.name}`", ", ".join(names), journey.description, f"[{skill}](../skills/{skill}/SKILL.md)")
        yield f"| {' | '.join(cells)} |"


def commands_line() -> Iterator[str]:
    """All commands and groups of commands, in one line."""
    refs = (tool.ref for name in above_sources(every_source) for tool in every_source.listing(name).tools)
    names = (
        *(name for commands in BUILTIN_COMMANDS.values() for name in commands),
        *map(subcommand, refs),
        *sorted((*toolsets.command_groups(), *every_source.names())),
    )
    yield f"{' · '.join(f'`biofact {name}`' for name in names)}; each explains itself with `--help`."


def _baseline() -> Iterator[str]:
    """The checks of the conformance suite that fail, and why they cannot apply."""
    yield from ("| scenario | checks | versions | why it cannot apply |", "|---|---|---|---|")
    rows = tomllib.loads((ROOT / "tests" / "conformance_baseline.toml").read_text("utf-8"))["row"]
    for row in rows:
        checks = ", ".join(f"`{check}`" for check in row["checks"])
        yield f"| `{row['scenario']}` | {checks} | {', '.join(row['versions'])} | {row['why']} |"


def _public_names() -> Iterator[str]:
    return _lazy_names(_by_module())


def _lazy_names(modules: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The imports for type checkers, which take a name under ``as`` for public, and the home of each name."""
    homes = {name: module for module, names in sorted(modules.items()) for name in sorted(names)}
    yield "if TYPE_CHECKING:"
    yield from (f"    from {module} import {name} as {name}" for name, module in homes.items())
    yield "\n_HOMES = {"
    yield from (f'    "{name}": "{homes[name]}",' for name in sorted(homes))
    yield "}"


def client_attributes(*, blocking: bool = False) -> Iterator[str]:
    """The clients of a program by name, for type checkers."""
    classes = {name: toolsets.client_class(name) for name in toolsets.client_names()}
    homes = {
        f"biofact.sync.{name}" if blocking else client_class.__module__: client_class.__name__
        for name, client_class in classes.items()
    }
    yield "if TYPE_CHECKING:"
    yield from (f"    from {module} import {class_name}" for module, class_name in sorted(homes.items()))
    yield '\n\nclass ClientAttributes:\n    """Each client by the name of its source."""\n'
    yield from (f'    {name}: "{client_class.__name__}"' for name, client_class in classes.items())
    yield "\n"


def _blocking_names() -> Iterator[str]:
    """The names of ``biofact.sync``: each client's blocking form, and ``open``."""
    by_module = {f"biofact.sync.{name}": (toolsets.client_class(name).__name__,) for name in toolsets.client_names()}
    return _lazy_names({**by_module, "biofact.sync.clients": ("Clients", "open")})


def _public_records(package: str) -> tuple[str, ...]:
    """The records that a source offers: its ``PUBLIC_RECORDS``, or all of its module ``records``."""
    records = importlib.import_module(f"{package}.records")
    own = (name for name, member in vars(records).items() if getattr(member, "__module__", "") == records.__name__)
    classes = [name for name in own if isinstance(getattr(records, name), type)]
    return tuple(getattr(importlib.import_module(package), "PUBLIC_RECORDS", classes))


def _by_module() -> dict[str, tuple[str, ...]]:
    """The public names by module; each of them once."""
    modules = dict(SHARED)
    for source in sources.names():
        package = f"{sources.__name__}.{source}"
        modules[f"{package}.client"] = (sources.client_class(source).__name__,)
        modules[f"{package}.records"] = _public_records(package)
    for toolset in toolsets.REGISTERED:
        modules[toolset.client_class.__module__] = (toolset.client_class.__name__,)
        for module, names in getattr(importlib.import_module(toolset.package), "PUBLIC_NAMES", {}).items():
            modules[f"{toolset.package}.{module}"] = names
    homes: dict[str, str] = {}
    for module, names in modules.items():
        for name in names:
            if (other := homes.setdefault(name, module)) != module:
                sys.exit(f"{module} and {other} both offer {name!r}: rename one of them.")
    return modules


PARTS: Mapping[str, Mapping[str, Callable[[], Iterator[str]]]] = {
    "docs/conformance.md": {"baseline": _baseline},
    "README.md": {"sources": _titles, "tools": tools_table},
    "docs/guide.md": {"prompts": _prompts, "settings": _settings, "services": _services, "commands": commands_line},
    "src/biofact/__init__.py": {"public names": _public_names},
    "src/biofact/clients.py": {"clients": client_attributes},
    "src/biofact/sync/__init__.py": {"public names": _blocking_names},
    "src/biofact/sync/clients.py": {"clients": functools.partial(client_attributes, blocking=True)},
}
"""By file: its parts, and what makes their lines."""


if __name__ == "__main__":
    sys.exit(main())
