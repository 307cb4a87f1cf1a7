"""The commands that are no tool's, with their options. Help imports nothing of what they run."""

import errno
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter as Option
from cyclopts.validators import Number

from biofact.core.kinds import EntityKind
from biofact.core.usage import PORTS, WrongUsage, cannot_listen
from biofact.interfaces import terminal
from biofact.interfaces.cli.client_files import ClientName
from biofact.interfaces.cli.options import (
    ALLOW_FAILED_ROWS,
    COLUMN,
    COLUMNS,
    FILE,
    FORMAT,
    JOIN,
    NO_HEADER,
    PROVENANCE,
    SANDBOX,
    SHEET,
    SUMMARY_FORMAT,
    summary_form,
)

_NO_PORT = frozenset({errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES, errno.EPERM})

Shell = Literal["bash", "zsh", "fish", "powershell"]
NAMES = Annotated[
    str,
    Option(
        required=True,
        allow_leading_hyphen=False,
        help="Names or IDs, a table (.csv, .tsv, .xlsx, .parquet), @FILE with one a line, or - (standard input).",
    ),
]
KIND = Annotated[EntityKind | None, Option(help="What the names are of; guessed from each name's form if not given.")]
ORGANISM = Annotated[str, Option(help="Name, common name or taxon ID.")]
KEEP_NA = Annotated[bool, Option(negative="", help="Read NA, NaN, null and the like as names, not as missing values.")]
SOURCE = Annotated[str | None, Option(help="Serve this source only.")]
SERVED_SOURCE = Annotated[str | None, Option(help="Have the server offer this source only.")]
CLIENT = Annotated[ClientName, Option(help="The client to set up; json is any other.")]
ENTRY = Annotated[str, Option(help="What the entry is called.")]
VARIABLES = Annotated[
    list[str] | None,
    Option(
        name="--env",
        metavar="NAME",
        negative="",
        help="Carry this variable into the entry, such as NCBI_API_KEY; once for each, for none goes there by itself.",
    ),
]
CONFIGURATION = Annotated[
    str | None,
    Option(
        name=("--output", "-o"),
        metavar="FILE",
        help="The configuration to write into, such as .mcp.json of a project, in place of the client's own.",
    ),
]
PRINT = Annotated[
    bool, Option(negative="", show_default=False, help="Show what would be written, and where; write nothing.")
]
REMOVE = Annotated[bool, Option(negative="", show_default=False, help="Take the entry out.")]
HTTP = Annotated[
    str | None,
    Option(
        metavar="HOST:PORT",
        help="Serve over HTTP: 127.0.0.1:8000 for this machine, 0.0.0.0:8000 for others, too, who need a token.",
    ),
]
NO_AUTH = Annotated[
    bool, Option(negative="", show_default=False, help="Everyone who reaches the address may call, without a token.")
]
WORKERS = Annotated[
    str | None,
    Option(
        metavar="N",
        help="How many processes answer, one by default. With more, agents on protocols before 2026-07-28 cannot lend "
        "their model.",
    ),
]
URL = Annotated[
    str | None,
    Option(metavar="URL", help="The address that callers know, such as https://biofact.example.org/mcp."),
]
HOSTS = Annotated[
    list[str] | None,
    Option(
        metavar="HOST",
        negative="",
        help="A further name of the server that requests may have as their Host; repeat it.",
    ),
]
ORIGINS = Annotated[
    list[str] | None,
    Option(
        metavar="ORIGIN",
        negative="",
        help="A web page, such as https://example.org, that may call the server; repeat it.",
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
REAL_SIZES = Annotated[
    bool,
    Option(
        negative="",
        show_default=False,
        help="Make records as large as those of the real services: a gene in XML has a megabyte and more.",
    ),
]
BYTES_PER_SECOND = Annotated[
    float | None,
    Option(help="Bytes that each service sends in a second, over all connections; without it, as many as it can."),
]
FIRST_BYTE_SECONDS = Annotated[
    list[str] | None,
    Option(
        metavar="SERVICE=SECONDS",
        negative="",
        help="Seconds until a service begins an answer, such as ncbi=0.3; repeatable.",
    ),
]
RESET_BUDGETS = Annotated[
    bool,
    Option(
        name="--reset-budgets",
        negative="",
        help="Forget first how long each service is to be left alone, as `biofact cache clear` does, too.",
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
QUESTION = Annotated[str, Option(required=True, help="What you look for, in your own words.")]
TOP = Annotated[int, Option(validator=Number(gte=1, lte=50), help="Commands to show, 1 to 50.")]
SHELL = Annotated[Shell, Option(help="Which shell reads it.")]
ACTION = Annotated[Literal["stats", "clear"], Option(help="stats shows what is kept, clear deletes it.")]
TOKEN_ACTION = Annotated[
    Literal["add", "list", "revoke"], Option(help="add makes a token, list shows all, revoke takes one back.")
]
TOKEN_NAME = Annotated[str | None, Option(help="What the token is called, such as who has it.")]
SCOPES = Annotated[
    list[str] | None,
    Option(
        name="--scope",
        metavar="SOURCE",
        negative="",
        help="Let the token ask this source only; once for each. By default it may ask every source.",
    ),
]
DAYS = Annotated[
    int | None,
    Option(validator=Number(gte=1, lte=3650), help="Let the token expire after so many days, 1 to 3650."),
]


def resolve(  # noqa: PLR0913  # its options
    *names: NAMES,
    kind: KIND = None,
    organism: ORGANISM = "human",
    keep_na: KEEP_NA = False,
    format: FORMAT = None,  # noqa: A002  # as it is typed
    output: FILE = None,
    columns: COLUMNS = None,
    no_header: NO_HEADER = False,
    allow_failed_rows: ALLOW_FAILED_ROWS = False,
    column: COLUMN = None,
    sheet: SHEET = None,
    join: JOIN = None,
    provenance: PROVENANCE = False,
    sandbox: SANDBOX = False,
) -> int:
    """Resolve any number of names or IDs, of any kind, in all databases: a row for each, in order.

    A table (CSV, TSV, XLSX, Parquet) comes back with columns added, row for row, in the form of the file's name.

    In TSV and CSV a name is one line: its best entity with the ID in each database, `ambiguous_with` what answers the
    name equally well, and `others` the further entities; columns are always the same. JSON lines hold all entities.

    A name that no database knows is an answer. A missing value such as NA has no entity. Where a spreadsheet made a
    date or number of a name, as 2-Sep, `reason` and `others` say what it may have been.

    Rows are written as they are known, and what was answered is kept: a run that was stopped goes on with the same
    command. Exits with 1 if any row is an error.
    """
    from biofact.interfaces.cli import resolve_command  # noqa: PLC0415  # help needs none of it

    options: dict[str, object] = {"format": format, "output": output, "columns": columns, "provenance": provenance}
    options |= {"no_header": no_header, "allow_failed_rows": allow_failed_rows}
    options |= {"column": column, "sheet": sheet, "join": join}
    return resolve_command.run(names, kind, organism, options, keep_na=keep_na, sandbox=sandbox)


def install(  # noqa: PLR0913  # its options
    *,
    client: CLIENT,
    name: ENTRY = "biofact",
    source: SERVED_SOURCE = None,
    sandbox: SANDBOX = False,
    env: VARIABLES = None,
    output: CONFIGURATION = None,
    print: PRINT = False,  # noqa: A002  # as it is typed
    remove: REMOVE = False,
) -> int:
    """Set up an MCP client: write an entry that starts biofact into its configuration, or take it out.

    The entry names this installation by its path, so that it works whatever the client's PATH is. All else in the file
    stays as it is, and the file before is kept beside it. `--print` shows the entry; `json` prints one for any client.
    """
    from biofact.interfaces.cli import install_command  # noqa: PLC0415  # help needs none of it

    target = install_command.choose_target(client, name, output)
    server = install_command.ServerOptions(source, sandbox, tuple(env or ()))
    if not remove:
        return install_command.install(target, server, prints=print)
    if server != install_command.ServerOptions():
        hint = "Leave out --source, --sandbox and --env."
        raise WrongUsage("--remove takes the entry out, whatever it holds.", hint=hint)
    return install_command.remove(target, prints=print)


def token(
    action: TOKEN_ACTION,
    name: TOKEN_NAME = None,
    /,
    *,
    scope: SCOPES = None,
    days: DAYS = None,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> None:
    """Add, list or revoke the tokens that let people in at a server over HTTP.

    `add` prints a new token on stdout, once. Only its hash is kept, in the file that BIOFACT_TOKENS names; servers of
    that file know of each change at once.
    """
    from biofact.interfaces.cli import token_command  # noqa: PLC0415  # help needs none of it

    token_command.run(action, name, scope or (), days, format)


def sandbox(  # noqa: PLR0913  # its options
    *,
    port: PORT = 8765,
    recordings: RECORDINGS = None,
    era: ERA = None,
    lenient: LENIENT = False,
    real_sizes: REAL_SIZES = False,
    bytes_per_second: BYTES_PER_SECOND = None,
    first_byte_seconds: FIRST_BYTE_SECONDS = None,
) -> None:
    """Serve stand-ins of the services on this machine, and print the settings that lead to them."""
    import asyncio  # noqa: PLC0415

    from biofact import sandbox as stand_ins  # noqa: PLC0415  # not every command needs it

    if port not in PORTS:
        raise WrongUsage(f"{port} is not a port.", hint=f"Ports go from 1 to {PORTS[-1]}; 0 picks a free one.")
    try:
        server = stand_ins.Sandbox(
            port=port,
            recordings=recordings,
            era=era,
            is_lenient=lenient,
            sizes="real" if real_sizes else "starter",
            bytes_per_second=bytes_per_second,
            first_byte_seconds=dict(map(_service_seconds, first_byte_seconds or ())),
        )
        asyncio.run(stand_ins.serve(server))
    except ValueError as error:
        raise WrongUsage(str(error), hint="Give bytes above 0, and --first-byte-seconds as ncbi=0.3.") from error
    except FileNotFoundError as error:
        hint = "Give --recordings a folder of recordings with its REQUESTS.tsv."
        raise WrongUsage(f"There is no file {str(error.filename)!r}.", hint=hint) from error
    except OSError as error:
        if error.errno not in _NO_PORT:  # as where the exports cannot be written
            raise
        raise cannot_listen(f"port {port}", error) from error


def _service_seconds(text: str) -> tuple[str, float]:
    """The name of a service and its seconds.

    Raises:
        ValueError: the text is not a name, ``=`` and seconds.
    """
    service, _, seconds = text.partition("=")
    try:
        return service, float(seconds)
    except ValueError as error:
        raise ValueError(f"{text!r:.60} is not a service and its seconds.") from error


def demo() -> int:
    """Demonstrate the main job: a real MCP client asks a real server, on the sandbox."""
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import demo  # noqa: PLC0415

    return asyncio.run(demo.run())


def doctor(
    *,
    probe: PROBE = False,
    reset_budgets: RESET_BUDGETS = False,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Show the installation, each setting with its origin, proxies, budgets, cache, and which services answer.

    Exits with 1 when a service cannot be reached.
    """
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import doctor  # noqa: PLC0415

    if probe:
        terminal.write_json(asyncio.run(doctor.probe(sandbox=sandbox)))
        return 0
    report = asyncio.run(doctor.examine(sandbox=sandbox, resets_budgets=reset_budgets))
    if summary_form(format) == "json":
        terminal.write_json(report)
    else:
        doctor.write_tables(report)
    return 1 if any(row["reachable"].startswith("no:") for row in report["services"]) else 0


def cache(
    action: ACTION,
    /,
    *,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> None:
    """Show or clear what is kept of earlier answers."""
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import doctor, writers  # noqa: PLC0415

    if action == "stats":
        counts = asyncio.run(doctor.cache_stats(sandbox=sandbox))
    else:
        counts = {"forgotten": asyncio.run(doctor.clear_cache(sandbox=sandbox))}
    if summary_form(format) == "json":
        terminal.write_json(counts)
    else:
        writers.write_rows([counts])


def serve(  # noqa: PLR0913  # its options
    source: SOURCE = None,
    /,
    *,
    http: HTTP = None,
    no_auth: NO_AUTH = False,
    workers: WORKERS = None,
    url: URL = None,
    allow_host: HOSTS = None,
    allow_origin: ORIGINS = None,
    sandbox: SANDBOX = False,
) -> None:
    """Serve MCP: every source, or one. Over stdio; with `--http` at /mcp.

    An agent's client starts this by itself; `biofact install` sets one up.
    """
    from biofact.gateway.hosting import HostingOptions  # noqa: PLC0415
    from biofact.interfaces import serve as server  # noqa: PLC0415  # help needs none of it

    options = {"no_auth": no_auth, "workers": workers, "url": url, "hosts": allow_host, "origins": allow_origin}
    if http is None and any(options.values()):
        raise WrongUsage(
            "This option is for a server over HTTP.", hint="Give --http an address, such as 127.0.0.1:8000."
        )
    hosting = None
    if http is not None:
        hosting = HostingOptions(http, url, workers, no_auth, tuple(allow_host or ()), tuple(allow_origin or ()))
    server.run(server.ServeOptions(source, sandbox, hosting))
