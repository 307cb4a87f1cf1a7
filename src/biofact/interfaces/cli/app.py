"""The command line: one command per tool, and the few around them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Group
from cyclopts import Parameter as Option

from biofact import __version__
from biofact.interfaces import every_source, sandbox_option
from biofact.interfaces.cli import output, usage_errors
from biofact.interfaces.cli.commands import CHOICES, JSON, SANDBOX, about, source_app
from biofact.interfaces.mcp import serve
from biofact.interfaces.spelling import Catalog
from biofact.interfaces.usage import PORTS, WrongUsage, cannot_listen

ABOUT = """A fuzzy biomedical name in, a checked fact out.

Try `biofact entrez search-genes BRCA1`, then `biofact entrez get-gene NCBIGene:672`; add `--sandbox` to try it offline.
"""
SOURCES = Group("Sources", sort_key=0)
REVIEWING = Group("Reviewing", sort_key=1)
SERVING = Group("Serving", sort_key=2)
KEEPING = Group("Maintenance", sort_key=3)
HELP = Group("Help", sort_key=4)
LITERATURE = "literature"
ABOUT_LITERATURE = "Literature reviews from a goal to a report, and models trained on the labels of reviewers."

SOURCE = Annotated[str | None, Option(help="Serve this source only.")]
HTTP = Annotated[
    str | None,
    Option(
        metavar="HOST:PORT",
        help="Address to listen on, such as 127.0.0.1:8000; this machine only, because biofact has no authentication.",
    ),
]
PORT = Annotated[int, Option(help="Port to listen on; 0 picks a free one.")]
RECORDINGS = Annotated[Path | None, Option(help="A folder of recorded answers to replay where one fits.")]
ERA = Annotated[
    Literal["today", "old-shape"] | None,
    Option(help="Which recordings: in today's formats, or in formats that the services no longer use."),
]
LENIENT = Annotated[
    bool,
    Option(
        negative="",
        show_default=False,
        help="Ignore the parameters that the real services ignore, and name them in a header of the answer.",
    ),
]
PROBE = Annotated[
    bool,
    Option(
        negative="",
        show_default=False,
        help="Ask the services what their documentation leaves open; print the replies.",
    ),
]
ACTION = Annotated[Literal["stats", "clear"], Option(help="stats shows what is kept, clear deletes it.")]


def run(tokens: Sequence[str], catalog: Catalog = every_source) -> int:
    """Run one command; returns its exit code.

    Raises:
        WrongUsage: the words make no command.
    """
    made = app(tokens, catalog)
    words = sandbox_option.with_value(tokens)
    try:
        code: int = made(
            words, print_error=False, exit_on_error=False, result_action="return_int_as_exit_code_else_zero"
        )
    except CycloptsError as error:
        raise usage_errors.wrong_usage(error) from error
    return code


def app(tokens: Sequence[str], catalog: Catalog = every_source) -> App:
    """The command line as far as ``tokens`` need it: a source is imported when it is named, for the overview none."""
    made = App(name="biofact", help=ABOUT, version=__version__, help_format="markdown", group_parameters=CHOICES)
    for flag in ("--help", "--version"):
        made[flag].group = HELP
    for group, commands in OWN.items():
        for place, (name, function) in enumerate(commands.items()):
            made.command(function, name=name, group=group, sort_key=place, usage=USAGE.get(name))
    named = tokens[0] if tokens else ""
    if any(named in commands for commands in OWN.values()):
        return made
    if named in catalog.names():
        made.command(source_app(named, catalog))
    elif named == LITERATURE:
        made.command(_literature())
    else:
        for entry in _overview(catalog):
            made.command(entry)
    return made


def _overview(catalog: Catalog) -> Iterator[App]:
    """What stands for the sources and the literature while nobody has named one."""
    yield App(name=LITERATURE, help=ABOUT_LITERATURE, group=REVIEWING)
    for name in catalog.names():
        yield App(name=name, help=about(catalog.listing(name)), group=SOURCES)


def _literature() -> App:
    from biofact.interfaces.cli.literature import literature_app  # noqa: PLC0415  # brings the pipeline along

    return literature_app(ABOUT_LITERATURE)


def _serve(source: SOURCE = None, /, *, http: HTTP = None, sandbox: SANDBOX = False) -> None:
    """Serve MCP: every source, or one. Over stdio; with `--http` at /mcp on this machine.

    An agent's client is set up with the command `biofact` and the argument `serve`.
    """
    serve.run(serve.Serving(source, http, sandbox=sandbox))


def _sandbox(*, port: PORT = 8765, recordings: RECORDINGS = None, era: ERA = None, lenient: LENIENT = False) -> None:
    """Serve stand-ins of the services on this machine, and print the settings that lead to them."""
    from biofact.sandbox import serve as stand_in  # noqa: PLC0415  # not every command needs it

    if port not in PORTS:
        raise WrongUsage(f"{port} is not a port.", hint=f"Ports go from 1 to {PORTS[-1]}; 0 picks a free one.")
    try:
        asyncio.run(stand_in(port, recordings, era, is_lenient=lenient))
    except FileNotFoundError as error:
        hint = "Give --recordings a folder of recordings with its REQUESTS.tsv."
        raise WrongUsage(f"There is no file {str(error.filename)!r}.", hint=hint) from error
    except OSError as error:
        raise cannot_listen(f"port {port}", error) from error


def _demo() -> int:
    """Demonstrate the main job: a real MCP client asks a real server, on the sandbox."""
    from biofact.interfaces.cli import demo  # noqa: PLC0415

    return asyncio.run(demo.run())


def _doctor(*, probe: PROBE = False, sandbox: SANDBOX = False, json: JSON = False) -> int:
    """Show settings, budgets and cache, and which services can be reached.

    Exits with 1 when a service cannot be reached.
    """
    from biofact.interfaces.cli import doctor  # noqa: PLC0415

    if probe:
        output.write_json(asyncio.run(doctor.probe(sandbox=sandbox)))
        return 0
    found = asyncio.run(doctor.examine(sandbox=sandbox))
    if output.form(json=json, tsv=False) == "json":
        output.write_json(found)
    else:
        for section, rows in found.items():
            output.write_line(section.upper())
            output.write_rows(rows, "table")
            output.write_line()
    return 1 if any(row["reachable"].startswith("no:") for row in found["services"]) else 0


def _cache(action: ACTION, /, *, sandbox: SANDBOX = False, json: JSON = False) -> None:
    """Show or clear what is kept of earlier answers."""
    from biofact.interfaces.cli import doctor  # noqa: PLC0415

    if action == "stats":
        counted = asyncio.run(doctor.cache_stats(sandbox=sandbox))
    else:
        counted = {"forgotten": asyncio.run(doctor.clear_cache(sandbox=sandbox))}
    if output.form(json=json, tsv=False) == "json":
        output.write_json(counted)
    else:
        output.write_rows([counted], "table")


OWN: dict[Group, dict[str, Callable[..., int | None]]] = {
    SERVING: {"serve": _serve, "sandbox": _sandbox, "demo": _demo},
    KEEPING: {"doctor": _doctor, "cache": _cache},
}
USAGE = {"serve": "Usage: biofact serve [SOURCE] [OPTIONS]", "cache": "Usage: biofact cache ACTION [OPTIONS]"}
