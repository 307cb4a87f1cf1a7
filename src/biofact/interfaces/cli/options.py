"""Options that many commands share: the form and place of an answer, its columns, and the sandbox."""

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from cyclopts import Group
from cyclopts import Parameter as Option

from biofact.core.usage import WrongUsage
from biofact.interfaces.sandbox_option import SandboxOption

Form = Literal["table", "tsv", "csv", "xlsx", "parquet", "jsonl", "json"]
TABLE_FORMS: Collection[Form] = ("xlsx", "parquet")
"""The forms that are no text, and have to go into a file."""
SummaryForm = Literal["table", "json"]
"""The forms of a summary, which has no rows for a program to read line by line."""

_FILE_FORMS = "tsv, csv, xlsx, parquet, jsonl or json"

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
        WrongUsage: the form does not go there, its library is not installed, or the file's suffix names none.
    """
    chosen = form or _form_of(file, default)
    if chosen == "table" and file is not None:
        raise WrongUsage("A table is for a terminal.", hint=f"Give --format {_FILE_FORMS} for a file.")
    if chosen in TABLE_FORMS:
        if file is None:
            raise WrongUsage(f"{chosen} is for a file.", hint=f"Give --output NAME.{chosen}.")
        from biofact.tables.output_file import check_libraries  # noqa: PLC0415  # help needs none of it

        check_libraries(chosen)
    return chosen


def _form_of(file: Path | None, default: Form) -> Form:
    if file is None:
        return "table" if sys.stdout.isatty() else default
    suffix = file.suffix.lower().removeprefix(".")
    forms: Sequence[Form] = get_args(Form)
    if suffix and (suffix == "table" or suffix not in forms):
        hint = f"Name it .{_FILE_FORMS.replace(', ', ', .').replace(' or ', ' or .')}, or give --format."
        raise WrongUsage(f"There is no form for files ending in .{suffix:.20}.", hint=hint)
    return next((name for name in forms if name == suffix), default)


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
NO_HEADER = Annotated[
    bool, Option(name="--no-header", group=OUTPUT, negative="", show_default=False, help="Leave the header line out.")
]
ALLOW_FAILED_ROWS = Annotated[
    bool,
    Option(
        name="--allow-failed-rows",
        group=OUTPUT,
        negative="",
        show_default=False,
        help="Exit with 0 though some rows failed, as Snakemake and make want it; their number is said.",
    ),
]
FILE_FORM = "@FILE is a file with a column of them, or one a line; - is standard input. Lines with # are skipped."
INPUT_FILE = Group("A table as input", sort_key=2)
COLUMN = Annotated[
    str | None,
    Option(
        group=INPUT_FILE,
        metavar="NAME",
        help="The column that is asked, by its header or number; without it, the only one that is named so.",
    ),
]
SHEET = Annotated[
    str | None, Option(group=INPUT_FILE, metavar="NAME", help="The sheet of an .xlsx file; without it, the first.")
]
JOIN = Annotated[
    bool | None,
    Option(
        group=INPUT_FILE,
        show_default=False,
        help="Give the rows of the table back with columns added (by default), or the answers alone.",
    ),
]
COLUMNS = Annotated[
    str | None,
    Option(group=OUTPUT, metavar="A,B,C", help="Columns to show, in this order; a header line has them all."),
]
ALL = Annotated[
    bool, Option(group=OUTPUT, negative="", show_default=False, help="Read every page, to the end of the list.")
]
