"""Options that many commands share: the form and place of an answer, its columns, and the sandbox."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from cyclopts import Group
from cyclopts import Parameter as Option

from biofact.core.usage import WrongUsage
from biofact.interfaces.sandbox_option import SandboxOption

LineForm = Literal["jsonl", "tsv", "csv"]
Form = Literal["table", "tsv", "csv", "jsonl", "json"]
SummaryForm = Literal["table", "json"]
"""The forms of a summary, which has no rows for a program to read line by line."""

OUTPUT = Group("Output", sort_key=1)
FORMAT = Annotated[
    Form | None,
    Option(group=OUTPUT, help="By default a table on a terminal, JSON in a pipe, or what the suffix of --output says."),
]
SUMMARY_FORMAT = Annotated[
    SummaryForm | None, Option(name="--format", group=OUTPUT, help="By default a table on a terminal, JSON in a pipe.")
]
FILE = Annotated[
    str | None,
    Option(name=("--output", "-o"), metavar="FILE", group=OUTPUT, help="Write to this file instead of stdout."),
]


def choose_form(form: Form | None, file: Path | None = None, default: Form = "json") -> Form:
    """The requested form; else that of the file's name, a table for a terminal and the ``default`` for a pipe.

    Raises:
        WrongUsage: a table is to go into a file.
    """
    if form == "table" and file is not None:
        raise WrongUsage("A table is for a terminal.", hint="Give --format tsv, csv, jsonl or json for a file.")
    if form is not None:
        return form
    if file is not None:
        forms: Sequence[Form] = get_args(Form)
        return next((name for name in forms if file.suffix.lower() == f".{name}" and name != "table"), default)
    return "table" if sys.stdout.isatty() else default


def summary_form(form: SummaryForm | None) -> SummaryForm:
    """The form of a summary: as requested, else a table for a terminal and JSON for a pipe."""
    return form or ("table" if sys.stdout.isatty() else "json")


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
