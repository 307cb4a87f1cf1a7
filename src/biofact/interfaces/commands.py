"""The commands of a source, generated from its tools: ``biofact entrez get-gene NCBIGene:7157``."""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Group
from cyclopts import Parameter as Option

from biofact.core.tool import Parameter, ToolSpec, specs_of
from biofact.interfaces import output, progress
from biofact.interfaces.answer import Answer, answered
from biofact.interfaces.clients import opened
from biofact.interfaces.schemas import argument_schema
from biofact.interfaces.spelling import Catalog, Spelling, command, subcommand

OUTPUT = Group("Output", sort_key=1)
JSON = Annotated[bool, Option(group=OUTPUT, negative="", show_default=False, help="JSON, as in a pipe.")]
TSV = Annotated[bool, Option(group=OUTPUT, negative="", show_default=False, help="Tab-separated, with a header.")]
PROVENANCE = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="Say where and when each fact was read.")
]
SANDBOX = Annotated[bool, Option(negative="", show_default=False, help="Ask stand-ins in place of the network.")]
OPTIONS = {"json": JSON, "tsv": TSV, "provenance": PROVENANCE, "sandbox": SANDBOX}

_TYPES = {"integer": int, "number": float, "boolean": bool}


def source_app(name: str, catalog: Catalog) -> App:
    """The commands of one source."""
    client_class: Any = catalog.client_class(name)
    app = App(name=name, help=f"{client_class.title}: {_first_sentence(client_class.__doc__)}")
    spelling = Spelling(catalog, command)
    for place, spec in enumerate(specs_of(client_class)):
        app.command(_command(spec, client_class, spelling), name=subcommand(spec.ref), sort_key=place)
    return app


def _command(spec: ToolSpec, client_class: type, spelling: Spelling) -> Callable[..., int]:
    """The tool as a function that the command line's library can read and call."""
    signature = inspect.Signature([*(_argument(p) for p in spec.parameters), *map(_option, OPTIONS.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, False) for name in OPTIONS}
        arguments = {name: _ids(value) if isinstance(value, tuple) else value for name, value in given.items()}
        answer = asyncio.run(_ask(spec, client_class, arguments, spelling, sandbox=options["sandbox"]))
        form = output.form(json=options["json"], tsv=options["tsv"])
        return output.show(answer, form, provenance=options["provenance"])

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _help(spec, spelling)
    return run


async def _ask(
    spec: ToolSpec, client_class: type, arguments: Mapping[str, object], spelling: Spelling, *, sandbox: bool
) -> Answer:
    async with opened(sandbox=sandbox) as clients, progress.shown(spelling.name(spec.ref)):
        return await answered(spec.call(clients.of(client_class), arguments), spec.ref, spelling)


def _argument(parameter: Parameter) -> inspect.Parameter:
    """Required arguments by place, a list of IDs as many words, the others as options."""
    schema = argument_schema(parameter)
    help_text = schema.get("description", "") + (", or @file with one a line" if parameter.is_list else "")
    if parameter.is_required:
        kind = inspect.Parameter.VAR_POSITIONAL if parameter.is_list else inspect.Parameter.POSITIONAL_ONLY
        return inspect.Parameter(parameter.name, kind, annotation=Annotated[_type(schema), Option(help=help_text)])
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=parameter.default,
        annotation=Annotated[_type(schema) | None, Option(help=help_text)],
    )


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)


def _type(schema: Mapping[str, Any]) -> Any:
    """The type of one word. Everything else about a value is the tool's to check."""
    if schema.get("type") == "array":
        return _type(schema["items"])
    return _TYPES.get(schema.get("type", "string"), str)


def _ids(words: Sequence[str]) -> list[str]:
    """The words, with the lines of a file in place of each ``@file``."""
    return [identifier for word in words for identifier in (_lines(word[1:]) if word.startswith("@") else [word])]


def _lines(path: str) -> list[str]:
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return [line.strip() for line in text.splitlines() if line.strip()]


def _help(spec: ToolSpec, spelling: Spelling) -> str:
    """What the declaration says to people: all of it but the exceptions."""
    return spelling.text(spec.description.split("\nRaises:")[0].strip()).replace("``", "`")


def _first_sentence(text: str | None) -> str:
    return " ".join((text or "").split("\n\n", 1)[0].split())
