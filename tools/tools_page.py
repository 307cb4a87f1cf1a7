"""Writes docs/tools.md from the declarations of tools and resources; ``--check`` only tells whether it is stale."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from biofact.core.tool import Declaration, Example, Parameter, ResourceSpec, ToolSpec, resources_of, specs_of
from biofact.interfaces import every_source
from biofact.interfaces.schemas import argument_schema
from biofact.interfaces.spelling import Spelling, command, prefixed

PAGE = Path(__file__).parents[1] / "docs" / "tools.md"
HEAD = """\
# Tools

Generated from the declarations by `make docs`; `make check` fails when this page is stale.

A server for one source (`biofact serve entrez`) has these tools without the source in front: `search_genes`.
A Python program calls the methods of the client: `await entrez.search_genes("BRCA1")`.
"""


def main() -> int:
    """Write the page, or compare it."""
    page = text()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page)
        return 0
    if PAGE.is_file() and PAGE.read_text() == page:
        return 0
    print("docs/tools.md is stale: run make docs", file=sys.stderr)
    return 1


def text() -> str:
    """The page."""
    return "\n".join((HEAD, *(line for name in every_source.toolsets() for line in _toolset(name))))


def _toolset(name: str) -> Iterator[str]:
    client_class = every_source.client_class(name)
    yield f"## {client_class.title}\n"
    spelling = Spelling(every_source, prefixed)
    for spec in specs_of(client_class):
        examples = [example for example in every_source.examples(name) if example.tool == spec.ref.method]
        yield from _tool(spec, examples, spelling)
    for resource in resources_of(client_class):
        yield from _resource(resource, spelling)


def _tool(spec: ToolSpec, examples: list[Example], spelling: Spelling) -> Iterator[str]:
    yield f"### `{spelling.name(spec.ref)}`\n"
    yield f"{_prose(spelling.text(spec.description))}\n"
    yield from _arguments(spec)
    yield f"At the command line: `{command(spec.ref)}`.\n"
    if examples:
        yield "| for example | gives |\n|---|---|"
        yield "\n".join(f"| `{json.dumps(example.arguments)}` | {_outcome(example)} |" for example in examples) + "\n"


def _resource(spec: ResourceSpec, spelling: Spelling) -> Iterator[str]:
    """A resource: it has the same URI on every server; one for each ID is a command too."""
    yield f"### `{spec.uri}`\n"
    yield f"{_prose(spelling.text(spec.description))}\n"
    yield f"A resource of type `{spec.mime_type}`; in Python `{spec.ref.method}`.\n"
    if spec.parameters:
        yield from _arguments(spec)
        yield f"At the command line: `{command(spec.ref)}`; `--output FILE` writes it to a file.\n"


def _arguments(spec: Declaration) -> Iterator[str]:
    yield "| argument | | default | |\n|---|---|---|---|"
    yield "\n".join(_row(parameter) for parameter in spec.parameters) + "\n"


def _row(parameter: Parameter) -> str:
    schema = argument_schema(parameter)
    limits = ", ".join(f"{word} {schema[name]}" for name, word in _LIMITS.items() if name in schema)
    default = (
        "required" if parameter.is_required else f"`{json.dumps(parameter.default)}`" if "default" in schema else ""
    )
    return f"| `{parameter.name}` | {schema['type']} | {default} | {schema.get('description', limits)} |"


def _outcome(example: Example) -> str:
    if example.outcome != "found":
        return f"`{example.outcome}`"
    return f"`{json.dumps(example.shows)}`" if example.shows else "found"


def _prose(description: str) -> str:
    """A docstring as Markdown: its sections in bold, its lists as lists."""
    lines = description.replace("``", "`").splitlines()
    return "\n".join(
        f"**{line}**\n" if line in {"Raises:", "Returns:"} else f"- {line.strip()}" if line.startswith("    ") else line
        for line in lines
    )


_LIMITS = {"minimum": "at least", "maximum": "at most"}


if __name__ == "__main__":
    sys.exit(main())
