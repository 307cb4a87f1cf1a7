"""The commands of a source, generated from its tools: ``biofact entrez get-gene NCBIGene:7157``."""

import asyncio
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from cyclopts import App, Group
from cyclopts import Parameter as Option

from biofact.core.tool import ToolSpec, specs_of
from biofact.interfaces import arguments, output, progress
from biofact.interfaces.answer import Answer, answered
from biofact.interfaces.arguments import TypedSpelling
from biofact.interfaces.clients import opened
from biofact.interfaces.schemas import columns
from biofact.interfaces.spelling import Catalog, Spelling, command, subcommand

CHOICES = Group("Options", sort_key=0)
OUTPUT = Group("Output", sort_key=1)
JSON = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="As JSON, which is what a pipe gets.")
]
TSV = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="As tab-separated lines under a header.")
]
PROVENANCE = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="Say where and when each fact was read.")
]
SANDBOX = Annotated[
    bool, Option(negative="", show_default=False, help="Ask stand-ins on this machine; nothing goes on the network.")
]
OPTIONS = {"json": JSON, "tsv": TSV, "provenance": PROVENANCE, "sandbox": SANDBOX}


def source_app(name: str, catalog: Catalog) -> App:
    """The commands of one source."""
    client_class: Any = catalog.client_class(name)
    about = f"{client_class.title}: {_first_sentence(client_class.__doc__)}"
    app = App(name=name, help=about, group_parameters=CHOICES)
    for place, spec in enumerate(specs_of(client_class)):
        spelling = TypedSpelling(catalog, command, parameters=spec.parameters)
        app.command(
            _command(spec, client_class, spelling),
            name=subcommand(spec.ref),
            usage=arguments.usage(spec, command(spec.ref)),
            sort_key=place,
        )
    return app


def _command(spec: ToolSpec, client_class: type, spelling: Spelling) -> Callable[..., int]:
    """The tool as a function that the command line's library can read and call."""
    signature = inspect.Signature([*arguments.declared(spec), *map(_option, OPTIONS.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, False) for name in OPTIONS}
        form = output.form(json=options["json"], tsv=options["tsv"])
        asked = arguments.understood(spec, given)
        answer = asyncio.run(_ask(spec, client_class, asked, spelling, sandbox=options["sandbox"]))
        return output.show(answer, form, columns(spec), provenance=options["provenance"])

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _help(spec, spelling)
    return run


async def _ask(
    spec: ToolSpec, client_class: type, asked: Mapping[str, object], spelling: Spelling, *, sandbox: bool
) -> Answer:
    async with opened(sandbox=sandbox) as clients, progress.shown(spelling.name(spec.ref)):
        return await answered(spec.call(clients.of(client_class), asked), spec.ref, spelling)


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)


def _help(spec: ToolSpec, spelling: Spelling) -> str:
    """What the declaration says to people, its first sentence apart: the list of commands shows that alone."""
    text = re.split(r"\n(?:Raises|Source):", spec.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))


def _first_sentence(text: str | None) -> str:
    return " ".join((text or "").split("\n\n", 1)[0].split())
