"""What a command writes that is no tool's rows: summaries, lines, and what a resource holds."""

import sys
from collections.abc import Sequence
from pathlib import Path

from biofact.interfaces import terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import files
from biofact.interfaces.cli.cells import flat
from biofact.interfaces.cli.notes import Notes
from biofact.interfaces.cli.tables import Table
from biofact.interfaces.result_json import Body


def write_rows(records: Sequence[Body]) -> None:
    """Write a table with a line for each record, in the columns that they have."""
    rows = [flat(record, ", ") for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(names, names)
    table.write(rows)
    terminal.write_messages(table.notes())


def write_line(line: str = "") -> None:
    """Write one line on stdout."""
    terminal.write(f"{line}\n")


def save(answer: ToolAnswer, file: Path | None, *, provenance: bool = False) -> int:
    """Write what a resource holds, byte by byte, to a file or on stdout; returns the exit code.

    Raises:
        FileNotWritten: the file cannot be written, or bytes would go to a terminal.
    """
    notes = Notes()
    notes.add(answer, ())
    if not answer.is_failure:
        _write_content(answer.content, file)
    terminal.write_messages(notes.lines(has_provenance=provenance))
    return 1 if answer.is_failure else 0


def _write_content(content: str | bytes, file: Path | None) -> None:
    if file is None and isinstance(content, bytes) and sys.stdout.isatty():
        raise files.FileNotWritten("This is binary data and would garble the terminal.", hint="Give --output FILE.")
    whole = content.encode() if isinstance(content, str) else content
    if file is None and isinstance(content, str) and sys.stdout.isatty():
        terminal.write(content if content.endswith("\n") else f"{content}\n")
    elif file is None:
        terminal.write_bytes(whole)
    else:
        files.write(file, whole)
