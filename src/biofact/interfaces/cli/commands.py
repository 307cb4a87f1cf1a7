"""The commands of a source, generated from its declarations: ``biofact entrez get-gene NCBIGene:7157``."""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Group
from cyclopts import Parameter as Option

from biofact.interfaces.cli import arguments, example_lines
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.listed_commands import ListedCommand
from biofact.interfaces.listing import SourceListing
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Catalog, Spelling, command, subcommand

if TYPE_CHECKING:  # help needs no source, no record and no event loop
    from biofact.core.tool import Declaration
    from biofact.interfaces.answer import ToolAnswer

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

Ending = Callable[["ToolAnswer"], int]
"""Writes an answer; returns the exit code."""


def source_app(name: str, catalog: Catalog) -> App:
    """The commands of one source: its tools, and what it has for each ID as a text or file. Imports no source."""
    app = App(name=name, help=about(catalog.listing(name)), group_parameters=CHOICES)
    for place, listed in enumerate(catalog.commands(name)):
        add_command(app, listed, catalog, sort_key=place)
    return app


def add_command(app: App, listed: ListedCommand, catalog: Catalog, **layout: Any) -> None:
    """Add a listed command; ``layout`` says where help lists it."""
    shown = example_lines.shown(listed)
    app.command(
        _command(listed, catalog, TypedSpelling(catalog, command, parameters=listed.parameters)),
        name=subcommand(listed.ref),
        usage=arguments.usage(listed, command(listed.ref)),
        help_epilogue=example_lines.epilogue([] if shown is None else [shown]),
        **layout,
    )


def about(listing: SourceListing) -> str:
    """What help says of a source."""
    return f"{listing.title}: {listing.about}"


def _command(listed: ListedCommand, catalog: Catalog, spelling: Spelling) -> Callable[..., int]:
    """The command as a function that the command line's library can read and call; a call imports the source."""
    own = SHOWN if listed.is_tool else SAVED
    signature = inspect.Signature([*arguments.command_parameters(listed), *map(_option, own.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        import asyncio  # noqa: PLC0415  # help has nothing to wait for

        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, None) for name in own}
        spec = _declared(listed, catalog)
        end = _ending(spec, options)
        asked = arguments.parse_words(listed, given)
        return end(asyncio.run(_ask(spec, asked, spelling, sandbox=options["sandbox"] or False)))

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _help(listed, spelling)
    return run


def _declared(listed: ListedCommand, catalog: Catalog) -> "Declaration":
    """What the method itself declares; imports its source."""
    from biofact.core.resource import resources_of  # noqa: PLC0415
    from biofact.core.tool import spec_of  # noqa: PLC0415

    client_class = catalog.client_class(listed.ref.source)
    if listed.is_tool:
        return spec_of(client_class, listed.ref.method)
    return next(spec for spec in resources_of(client_class) if spec.ref == listed.ref)


def _ending(spec: "Declaration", options: Mapping[str, Any]) -> Ending:
    """How the answer is written. Options that do not fit are refused here, before anything is asked."""
    from biofact.core.tool import ToolSpec  # noqa: PLC0415
    from biofact.interfaces.cli import files, output  # noqa: PLC0415
    from biofact.interfaces.schemas import columns  # noqa: PLC0415

    provenance = bool(options["provenance"])
    if isinstance(spec, ToolSpec):
        form = output.form(json=bool(options["json"]), tsv=bool(options["tsv"]))
        return functools.partial(
            output.show, form=form, columns=columns(spec), listed=spec.returns.listed, provenance=provenance
        )
    file = None if options["output"] is None else files.writable(options["output"])
    return functools.partial(output.save, file=file, provenance=provenance)


async def _ask(
    spec: "Declaration", asked: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> "ToolAnswer":
    from biofact.interfaces.answer import tool_answer  # noqa: PLC0415
    from biofact.interfaces.cli import progress  # noqa: PLC0415
    from biofact.interfaces.clients import opened  # noqa: PLC0415  # help needs no transport

    async with opened(sandbox=sandbox) as clients, progress.shown(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(spec.client_class), asked), spec.ref, spelling, asked)


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    default = None if annotation is FILE else False
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _help(listed: ListedCommand, spelling: Spelling) -> str:
    """What the declaration says to people, its first sentence apart: the list of commands shows that alone."""
    text = re.split(r"\n(?:Raises|Source):", listed.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))
