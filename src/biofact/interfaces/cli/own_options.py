"""The arguments and options of the commands that are no tool's."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter as Option
from cyclopts.validators import Number

from biofact.core.kinds import EntityKind
from biofact.interfaces.cli.client_files import ClientName

NAMES = Annotated[
    str,
    Option(
        required=True, allow_leading_hyphen=False, help="Names or IDs, @FILE with one a line, or - (standard input)."
    ),
]
KIND = Annotated[EntityKind | None, Option(help="What the names are of; guessed from each name's form if not given.")]
ORGANISM = Annotated[str, Option(help="Name, common name or taxon ID.")]
SOURCE = Annotated[str | None, Option(help="Serve this source only.")]
SERVED = Annotated[str | None, Option(help="Have the server offer this source only.")]
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
SHELL = Annotated[Literal["bash", "zsh", "fish", "powershell"], Option(help="Which shell reads it.")]
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
