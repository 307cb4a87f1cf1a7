"""The commands of a source, generated from its declarations: ``biofact entrez get-gene NCBIGene:7157``."""

import asyncio
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
from biofact.interfaces.cli import arguments, files, output, progress
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.forms import FILE, FORMAT, OUTPUT
from biofact.interfaces.cli.tool_runs import has_pages, run_tool
from biofact.interfaces.listing import SourceListing
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Catalog, Spelling, command, subcommand

CHOICES = Group("Options", sort_key=0)
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
COLUMNS = Annotated[
    str | None,
    Option(group=OUTPUT, metavar="A,B,C", help="Columns to show, in this order; a header line has them all."),
]
ALL = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="Read every page, to the end of the list.")
]
SHOWN = {"format": FORMAT, "output": FILE, "columns": COLUMNS, "provenance": PROVENANCE, "sandbox": SANDBOX}
PAGED = {"all": ALL}
SAVED = {"output": FILE, "provenance": PROVENANCE, "sandbox": SANDBOX}


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
        **layout,
    )


def about(listing: SourceListing) -> str:
    """What help says of a source."""
    return f"{listing.title}: {listing.about}"


def _command(spec: Declaration, client_class: type, spelling: Spelling) -> Callable[..., int]:
    """The declaration as a function that the command line's library can read and call."""
    own = _own_options(spec)
    signature = inspect.Signature([*arguments.command_parameters(spec), *map(_option, own.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, None) for name in own}
        if isinstance(spec, ToolSpec):
            return run_tool(spec, given, options, spelling)
        return _run_resource(spec, client_class, given, options, spelling)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _help(spec, spelling)
    return run


def _own_options(spec: Declaration) -> dict[str, Any]:
    if not isinstance(spec, ToolSpec):
        return SAVED
    return {**SHOWN, **(PAGED if has_pages(spec) else {})}


def _run_resource(
    spec: Declaration, client_class: type, given: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> int:
    """Save what a resource holds. A file that cannot be written is refused before anything is asked."""
    file = None if options["output"] is None else files.writable(options["output"])
    asked = arguments.parse_words(spec, given)
    answer = asyncio.run(_ask(spec, client_class, asked, spelling, sandbox=options["sandbox"] or False))
    return output.save(answer, file, provenance=bool(options["provenance"]))


async def _ask(
    spec: Declaration, client_class: type, asked: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> ToolAnswer:
    from biofact.interfaces.clients import opened  # noqa: PLC0415  # help needs no transport

    async with opened(sandbox=sandbox) as clients, progress.shown(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(client_class), asked), spec.ref, spelling, asked)


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    default = False if annotation in {PROVENANCE, SANDBOX, ALL} else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _help(spec: Declaration, spelling: Spelling) -> str:
    """What the declaration says to people, its first sentence apart: the list of commands shows that alone."""
    text = re.split(r"\n(?:Raises|Source):", spec.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))
