"""How and where an answer is to be written, from the options of a command."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli import files, forms
from biofact.interfaces.cli.forms import Form

_WITHOUT_COLUMNS = {"json", "jsonl"}
_MOST_NAMED = 20
"""Columns that a hint names."""


@dataclass(frozen=True, slots=True)
class Target:
    """How and where an answer is to be written."""

    form: Form
    file: Path | None = None
    columns: tuple[str, ...] = ()
    """Those to show, in their order; all where none is named."""
    has_provenance: bool = False


def target(options: Mapping[str, Any], names: Sequence[str], command: str, piped: Form = "json") -> Target:
    """The target that the options of a command name; ``names`` are the columns that its rows have.

    Raises:
        WrongUsage: they do not fit each other, or a column is none of the command's.
        FileNotWritten: there is no place for the file.
    """
    file = None if options["output"] is None else files.writable(options["output"])
    columns = [name.strip() for name in (options["columns"] or "").split(",") if name.strip()]
    form = forms.chosen(options["format"], file, "tsv" if columns else piped)
    if columns and form in _WITHOUT_COLUMNS:
        raise WrongUsage(f"{form} has no columns.", hint="Give --format tsv, csv or table with --columns.")
    whole = tuple(_column(name, names, command) for name in columns)
    return Target(form, file, whole, bool(options["provenance"]))


def _column(name: str, names: Sequence[str], command: str) -> str:
    """The column that is meant: by its name, or by the end of it that no other has (``hgnc``)."""
    ends = [one for one in names if one == name] or [one for one in names if one.endswith(f".{name}")]
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise WrongUsage(f"Several columns end in {name!r:.80}.", hint=f"Give one of {', '.join(ends)}.")
    close = difflib.get_close_matches(name, names, n=1)
    more = f" and {len(names) - _MOST_NAMED} more, as the first line of --format tsv" if names[_MOST_NAMED:] else ""
    hint = f"{f'Did you mean {close[0]}? ' if close else ''}The columns are {', '.join(names[:_MOST_NAMED])}{more}."
    raise WrongUsage(f"{command} has no column {name!r:.80}.", hint=hint)
