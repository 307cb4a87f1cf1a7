"""Answers as a person or the next program in a pipe wants them: a table, JSON, TSV or file. The rest goes to stderr."""

import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic_core import to_json

from biofact.core.json_schema import without
from biofact.interfaces import terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import files
from biofact.interfaces.result_json import Body
from biofact.interfaces.usage import WrongUsage

Form = Literal["table", "json", "tsv"]
_FIRST = ("id", "list", "name", "chromosome", "start", "end")  # of records from several lists

_NARROWEST = 20  # characters of a column that had to be cut
_GAP = 2


def form(*, json: bool, tsv: bool) -> Form:
    """The form asked for; else a table for a terminal and JSON for a pipe.

    Raises:
        WrongUsage: both forms are asked for.
    """
    if json and tsv:
        raise WrongUsage("An answer cannot be JSON and tab-separated at once.", hint="Give --json or --tsv, not both.")
    if json or tsv:
        return "json" if json else "tsv"
    return "table" if sys.stdout.isatty() else "json"


def show(
    answer: ToolAnswer,
    form: Form,
    columns: Sequence[str] = (),
    *,
    listed: str | None = "items",
    provenance: bool = False,
) -> int:
    """Write an answer; returns the exit code, which is 1 if anything in it failed. ``listed`` is where its rows are,
    and ``columns`` head them, if there are none too.
    """
    if not answer.is_failure:
        origin = answer.provenance if provenance else None
        if form == "json":
            write_json(answer.body | ({"provenance": origin} if origin else {}))
        else:
            _write_rows(answer.body, form, columns, listed)
            terminal.write_messages([*_facts_beside_rows(answer.body, listed), *_notes(answer.body, origin)])
    return _exit_code(answer)


def save(answer: ToolAnswer, file: Path | None, *, provenance: bool = False) -> int:
    """Write what a resource holds, byte by byte, to a file or on stdout; returns the exit code.

    Raises:
        FileNotWritten: the file cannot be written, or bytes would go to a terminal.
    """
    if not answer.is_failure:
        content = answer.content
        if file is None and isinstance(content, bytes) and sys.stdout.isatty():
            raise files.FileNotWritten("This is binary data and would garble the terminal.", hint="Give --output FILE.")
        whole = content.encode() if isinstance(content, str) else content
        if file is None and isinstance(content, str) and sys.stdout.isatty():
            terminal.write(content if content.endswith("\n") else f"{content}\n")
        elif file is None:
            terminal.write_bytes(whole)
        else:
            files.write(file, whole)
        terminal.write_messages(_notes(answer.body, answer.provenance if provenance else None))
    return _exit_code(answer)


def write_json(value: object) -> None:
    """Write JSON that a person can read too."""
    terminal.write_json(to_json(value, indent=2).decode())


def write_rows(records: Sequence[Body], form: Form, columns: Sequence[str] = (), *, whole: str = "--json") -> None:
    """Write a line for each record, under a header; a table has the columns that fit, and says how many do not, and
    which option shows the ``whole``.

    ``columns`` come first, as far as a record has them; without records they are the header.
    """
    rows = [flat(record, "|" if form == "tsv" else ", ") for record in records]
    if form == "table":
        rows = [_plain(row) for row in rows]
    all_names = dict.fromkeys(name for row in rows for name in row)
    names = [
        *(name for name in columns if name in all_names or not rows),
        *(name for name in all_names if name not in columns),
    ]
    if form == "tsv":
        for line in (names, *([row.get(name, "") for name in names] for row in rows)):
            write_line("\t".join(line))
        return
    widths = fitted({name: max(len(cell) for cell in (name, *(r.get(name, "") for r in rows))) for name in names})
    _table(widths, rows)
    if hidden := len(names) - len(widths):
        missing = f"{hidden} more column{'s' if hidden > 1 else ''}"
        terminal.write_messages([f"note: the terminal is too narrow for {missing}; {whole} shows all."])


def fitted(widths: Mapping[str, int]) -> dict[str, int]:
    """The columns, in their order, that a terminal has room for; one that is too wide gets what is left, if enough."""
    room = shutil.get_terminal_size().columns
    chosen: dict[str, int] = {}
    for name, width in widths.items():
        if width <= room or room >= _NARROWEST or not chosen:
            chosen[name] = min(width, room)
            room -= chosen[name] + _GAP
    return chosen


def flat(record: Body, joint: str = "|") -> dict[str, str]:
    """A record as one row: nested keys joined with a dot, values of a list with ``joint``."""
    row: dict[str, str] = {}
    for name, value in record.items():
        if name == "notices":
            continue
        if isinstance(value, dict):
            row |= {f"{name}.{key}": text for key, text in flat(value, joint).items()}
        else:
            row[name] = _joined(value, joint) if isinstance(value, list) else _cell(value)
    return row


def _plain(row: Mapping[str, str]) -> dict[str, str]:
    return {terminal.plain(name): terminal.plain(cell) for name, cell in row.items()}


def _joined(values: Sequence[object], joint: str) -> str:
    """A list in one cell; objects, whose own values stand side by side, are set further apart."""
    has_objects = any(isinstance(value, dict) for value in values)
    return (" | " if has_objects else joint).join(map(_cell, values))


def _exit_code(answer: ToolAnswer) -> int:
    """Write what failed; the exit code."""
    failures = _failures(answer)
    for failure in failures:
        terminal.write_messages((f"error: {failure['message']}", f"hint: {failure['recovery_hint']}"))
    return 1 if failures else 0


def _failures(answer: ToolAnswer) -> list[Body]:
    entries = [answer.body] if answer.is_failure else answer.body.get("items", [])
    return [entry["error"] for entry in entries if entry.get("success") is False]


def _listed(body: Body) -> list[Body]:
    """The records of an answer that has several lists of them, each with the list that it stands in."""
    if "id" in body or "items" in body:
        return []
    lists = {name: value for name, value in body.items() if isinstance(value, list)}
    rows = [(name, row) for name, value in lists.items() for row in value if isinstance(row, dict) and "id" in row]
    return [{"id": row["id"], "list": name} | row for name, row in rows]


def _write_rows(body: Body, form: Form, columns: Sequence[str], listed: str | None) -> None:
    if listed in body:
        write_rows([item for item in body[listed] if item.get("success") is not False], form, columns)
    elif several := _listed(body):
        write_rows(several, form, _FIRST)
    elif form == "tsv":
        write_rows([body], form)
    else:
        _grid(_plain(flat(body, ", ")))


def _table(widths: Mapping[str, int], rows: Sequence[Mapping[str, str]]) -> None:
    from rich.table import Table  # noqa: PLC0415  # only a terminal needs it

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for place, (name, width) in enumerate(widths.items()):
        table.add_column(name, style="" if place else "cyan", width=width, no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*(row.get(name, "") for name in widths))
    terminal.console().print(table)


def _grid(facts: Mapping[str, str]) -> None:
    from rich.table import Table  # noqa: PLC0415

    grid = Table.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style="cyan")
    grid.add_column(overflow="fold")
    for name, value in facts.items():
        grid.add_row(name, value)
    terminal.console().print(grid)


def _facts_beside_rows(body: Body, listed: str | None) -> Iterable[str]:
    """What an answer tells beside its rows; of a page that is all_names in words."""
    if listed in body and "pagination" not in body:
        yield from (f"{name}: {value}" for name, value in flat(without(body, str(listed)), ", ").items())


def _notes(body: Body, origin: Body | None) -> Iterable[str]:
    yield from (f"note: {notice['message']}" for notice in body.get("notices", ()))
    for item in body.get("items") or _listed(body):
        yield from (f"note: {_about(item, notice['message'])}" for notice in item.get("notices", ()))
    page = body.get("pagination", {})
    if page.get("cursor"):
        total = page["total_count"]
        yield f"{len(body['items'])} of {'many' if total is None else total}; the next page: --cursor {page['cursor']}"
    yield from origin_lines(origin)


def origin_lines(origin: Body | None) -> Iterable[str]:
    """Where facts come from, a line for each answer of a service."""
    for answer in (origin, *origin.get("others", ())) if origin else ():
        release = f", release {answer['release']}" if "release" in answer else ""
        licence = f"; {answer['licence']}" if "licence" in answer else ""
        yield f"{answer['from']}: {answer['url']} at {answer['retrieved_at']}{release}{licence}"


def _about(item: Body, message: str) -> str:
    """A message that says which item of the list it is about."""
    name = item.get("id", "")
    return message if re.search(rf"{re.escape(name)}(?!\w)", message) else f"{name}: {message}"


def _cell(value: object) -> str:
    """One value; an object within a list in one cell, its values side by side."""
    if isinstance(value, dict):
        return "; ".join(flat(value, ",").values())
    return " ".join(str(value).split())


def write_line(line: str = "") -> None:
    """Write one line on stdout."""
    terminal.write(f"{line}\n")
