"""The commands of a source, generated from its declarations: ``biofact entrez get-gene NCBIGene:7157``."""

import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import App, Group
from cyclopts import Parameter as Option

from biofact.interfaces.cli import arguments, example_lines
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.forms import FILE, FORMAT, OUTPUT
from biofact.interfaces.listed_commands import ListedCommand
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
    own = _own_options(listed)
    signature = inspect.Signature([*arguments.command_parameters(listed), *map(_option, own.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        from biofact.interfaces.cli import command_runs  # noqa: PLC0415  # help needs no source and no event loop

        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, None) for name in own}
        return command_runs.run(listed, catalog, arguments.parse_words(listed, given), options, spelling)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _help(listed, spelling)
    return run


def _own_options(listed: ListedCommand) -> dict[str, Any]:
    if not listed.is_tool:
        return SAVED
    has_pages = any(parameter.name == "cursor" for parameter in listed.parameters)
    return {**SHOWN, **(PAGED if has_pages else {})}


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    default = False if annotation in {PROVENANCE, SANDBOX, ALL} else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _help(listed: ListedCommand, spelling: Spelling) -> str:
    """What the declaration says to people, its first sentence apart: the list of commands shows that alone."""
    text = re.split(r"\n(?:Raises|Source):", listed.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))
