"""The command line: one command per tool, and the few around them."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Group
from cyclopts import Parameter as Option

from biofact import __version__, sources
from biofact.interfaces import output, serve
from biofact.interfaces.commands import JSON, SANDBOX, source_app
from biofact.interfaces.spelling import Catalog

ABOUT = """A fuzzy biomedical name in, a checked fact out.

Try `biofact entrez search-genes BRCA1`, then `biofact entrez get-gene NCBIGene:672`; add `--sandbox` to try it offline.
"""
SOURCES = Group("Sources", sort_key=0)
SERVING = Group("Serving", sort_key=1)
KEEPING = Group("Looking after it", sort_key=2)

SOURCE = Annotated[str | None, Option(help="The one source to serve.")]
HTTP = Annotated[
    str | None,
    Option(
        metavar="HOST:PORT",
        help="Where to listen, such as 127.0.0.1:8000: on this machine only, because biofact has no authentication.",
    ),
]
PORT = Annotated[int, Option(help="Where to listen; 0 takes a free one.")]
RECORDINGS = Annotated[Path | None, Option(help="A folder of recorded answers to replay where one fits.")]
ERA = Annotated[
    Literal["today", "old-shape"] | None,
    Option(help="Which recordings: of today's services, or in shapes that they have left."),
]
PROBE = Annotated[
    bool,
    Option(negative="", show_default=False, help="Ask what their documentation leaves open; print the replies."),
]
ACTION = Annotated[Literal["stats", "clear"], Option(help="Count, or forget.")]


def run(tokens: Sequence[str]) -> int:
    """Run one command; returns its exit code. Leaves at once, with 2, where the words make no command."""
    code: int = app(tokens)(tokens, result_action="return_int_as_exit_code_else_zero")
    return code


def app(tokens: Sequence[str], catalog: Catalog = sources) -> App:
    """The command line as far as ``tokens`` need it: a source is imported when it is named, or all for the overview."""
    made = App(name="biofact", help=ABOUT, version=__version__, help_format="markdown")
    for group, commands in OWN.items():
        for place, (name, function) in enumerate(commands.items()):
            made.command(function, name=name, group=group, sort_key=place)
    named = tokens[0] if tokens else ""
    if any(named in commands for commands in OWN.values()):
        return made
    for name in [named] if named in catalog.names() else catalog.names():
        source = source_app(name, catalog)
        source.group = (SOURCES,)
        made.command(source)
    return made


def _serve(source: SOURCE = None, /, *, http: HTTP = None, sandbox: SANDBOX = False) -> None:
    """Serve MCP: every source, or one. Over stdio; with `--http` at /mcp on this machine.

    An agent's client is set up with the command `biofact` and the argument `serve`.
    """
    serve.run(serve.Serving(source, http, sandbox=sandbox))


def _sandbox(*, port: PORT = 8765, recordings: RECORDINGS = None, era: ERA = None) -> None:
    """Serve stand-ins of the services on this machine, and print the settings that lead to them."""
    from biofact.sandbox import serve as stand_in  # noqa: PLC0415  # not every command needs it

    asyncio.run(stand_in(port, recordings, era))


def _demo() -> int:
    """Show the main job: a real MCP client asks a real server, on the sandbox."""
    from biofact.interfaces import demo  # noqa: PLC0415

    return asyncio.run(demo.run())


def _doctor(*, probe: PROBE = False, sandbox: SANDBOX = False, json: JSON = False) -> int:
    """Show settings, budgets and cache, and which services can be reached.

    Exits with 1 when a service cannot be reached.
    """
    from biofact.interfaces import doctor  # noqa: PLC0415

    if probe:
        output.write_json(asyncio.run(doctor.probed(sandbox=sandbox)))
        return 0
    found = asyncio.run(doctor.examined(sandbox=sandbox))
    if output.form(json=json, tsv=False) == "json":
        output.write_json(found)
    else:
        for rows in found.values():
            output.write_rows(rows, "table")
            output.write_line()
    return 1 if any(row["reachable"].startswith("no:") for row in found["services"]) else 0


def _cache(action: ACTION, /, *, sandbox: SANDBOX = False, json: JSON = False) -> None:
    """Count what is kept of earlier answers, or forget it."""
    from biofact.interfaces import doctor  # noqa: PLC0415

    if action == "stats":
        counted = asyncio.run(doctor.counted(sandbox=sandbox))
    else:
        counted = {"forgotten": asyncio.run(doctor.cleared(sandbox=sandbox))}
    if output.form(json=json, tsv=False) == "json":
        output.write_json(counted)
    else:
        output.write_rows([counted], "table")


OWN: dict[Group, dict[str, Callable[..., int | None]]] = {
    SERVING: {"serve": _serve, "sandbox": _sandbox, "demo": _demo},
    KEEPING: {"doctor": _doctor, "cache": _cache},
}
