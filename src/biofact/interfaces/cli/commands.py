"""The commands of a source, generated from its declarations: ``biofact entrez get-gene NCBIGene:7157``."""

import asyncio
import functools
import inspect
import itertools
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from cyclopts import App, Group
from cyclopts import Parameter as Option

from biofact.core.resource import resources_of
from biofact.core.tool import Declaration, ToolSpec, specs_of
from biofact.interfaces.answer import ToolAnswer, tool_answer
from biofact.interfaces.cli import arguments, example_lines, files, output, progress
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.listing import SourceListing
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.schemas import columns
from biofact.interfaces.spelling import Catalog, Spelling, command, subcommand

CHOICES = Group("Options", sort_key=0)
OUTPUT = Group("Output", sort_key=1)
JSON = Annotated[bool, Option(group=OUTPUT, negative="", show_default=False, help="Print JSON, the default in a pipe.")]
TSV = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="Print tab-separated lines under a header.")
]
PROVENANCE = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="Show where and when each fact was read.")
]
SANDBOX = Annotated[
    SandboxOption,
    Option(
        negative="",
        show_default=False,
        metavar="[=DIR]",
        help="Ask stand-ins on this machine; nothing goes on the network. "
        "With `=DIR` the folder keeps the cache and its collections for the next command.",
    ),
]
FILE = Annotated[
    str | None,
    Option(name=("--output", "-o"), metavar="FILE", group=OUTPUT, help="Write to this file instead of stdout."),
]
SHOWN = {"json": JSON, "tsv": TSV, "provenance": PROVENANCE, "sandbox": SANDBOX}
SAVED = {"output": FILE, "provenance": PROVENANCE, "sandbox": SANDBOX}

Ending = Callable[[ToolAnswer], int]
"""Writes an answer; returns the exit code."""


def source_app(name: str, catalog: Catalog) -> App:
    """The commands of one source: its tools, and what it has for each ID as a text or file."""
    client_class = catalog.client_class(name)
    app = App(name=name, help=about(catalog.listing(name)), group_parameters=CHOICES)
    files_by_id = (spec for spec in resources_of(client_class) if spec.parameters)
    for place, spec in enumerate(itertools.chain(specs_of(client_class), files_by_id)):
        add_command(app, spec, client_class, catalog, sort_key=place)
    return app


def add_command(app: App, spec: Declaration, client_class: type, catalog: Catalog, **layout: Any) -> None:
    """Add the command of a declaration; ``layout`` says where help lists it."""
    app.command(
        _command(spec, client_class, TypedSpelling(catalog, command, parameters=spec.parameters)),
        name=subcommand(spec.ref),
        usage=arguments.usage(spec, command(spec.ref)),
        help_epilogue=example_lines.epilogue(_examples(spec, catalog)),
        **layout,
    )


def _examples(spec: Declaration, catalog: Catalog) -> list[str]:
    listed = (one for one in catalog.commands(spec.ref.source) if one.ref == spec.ref)
    return [line for line in map(example_lines.shown, listed) if line is not None]


def about(listing: SourceListing) -> str:
    """What help says of a source."""
    return f"{listing.title}: {listing.about}"


def _command(spec: Declaration, client_class: type, spelling: Spelling) -> Callable[..., int]:
    """The declaration as a function that the command line's library can read and call."""
    own = SHOWN if isinstance(spec, ToolSpec) else SAVED
    signature = inspect.Signature([*arguments.command_parameters(spec), *map(_option, own.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, None) for name in own}
        end = _ending(spec, options)
        asked = arguments.parse_words(spec, given)
        return end(asyncio.run(_ask(spec, client_class, asked, spelling, sandbox=options["sandbox"] or False)))

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _help(spec, spelling)
    return run


def _ending(spec: Declaration, options: Mapping[str, Any]) -> Ending:
    """How the answer is written. Options that do not fit are refused here, before anything is asked."""
    provenance = bool(options["provenance"])
    if isinstance(spec, ToolSpec):
        form = output.form(json=bool(options["json"]), tsv=bool(options["tsv"]))
        return functools.partial(
            output.show, form=form, columns=columns(spec), listed=spec.returns.listed, provenance=provenance
        )
    file = None if options["output"] is None else files.writable(options["output"])
    return functools.partial(output.save, file=file, provenance=provenance)


async def _ask(
    spec: Declaration, client_class: type, asked: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> ToolAnswer:
    from biofact.interfaces.clients import opened  # noqa: PLC0415  # help needs no transport

    async with opened(sandbox=sandbox) as clients, progress.shown(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(client_class), asked), spec.ref, spelling, asked)


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    default = None if annotation is FILE else False
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _help(spec: Declaration, spelling: Spelling) -> str:
    """What the declaration says to people, its first sentence apart: the list of commands shows that alone."""
    text = re.split(r"\n(?:Raises|Source):", spec.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))
