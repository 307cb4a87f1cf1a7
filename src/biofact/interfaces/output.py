"""Answers as a person or the next program in a pipe wants them: a table, JSON or TSV. Errors and notes go to stderr."""

import sys
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic_core import to_json

from biofact.interfaces.answer import Answer
from biofact.interfaces.wire import Body

Form = Literal["table", "json", "tsv"]

_WIDEST = 60  # characters of a value that a table of several records shows


def form(*, json: bool, tsv: bool) -> Form:
    """The form asked for; else a table for a terminal and JSON for a pipe."""
    if json or tsv:
        return "json" if json else "tsv"
    return "table" if sys.stdout.isatty() else "json"


def show(answer: Answer, form: Form, *, provenance: bool = False) -> int:
    """Write an answer; returns the exit code, which is 1 if anything in it failed."""
    failures = _failures(answer)
    if not answer.is_failure:
        origin = answer.provenance if provenance else None
        if form == "json":
            write_json(answer.body | ({"provenance": origin} if origin else {}))
        else:
            _write_rows(answer.body, form)
            _tell(_remarks(answer.body, origin))
    for failure in failures:
        _tell((f"error: {failure['message']}", f"hint: {failure['recovery_hint']}"))
    return 1 if failures else 0


def write_json(value: object) -> None:
    """Write JSON that a person can read too."""
    write_line(to_json(value, indent=2).decode())


def write_rows(records: Sequence[Body], form: Form) -> None:
    """Write a line for each record, under a header; a table leaves out what would not fit."""
    rows = [flat(record, "|" if form == "tsv" else ", ") for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if form == "tsv":
        for line in (names, *([row.get(name, "") for name in names] for row in rows)):
            write_line("\t".join(line))
    else:
        _table([name for name in names if all(len(row.get(name, "")) <= _WIDEST for row in rows)], rows)


def flat(record: Body, joint: str = "|") -> dict[str, str]:
    """A record as one row: nested keys joined with a dot, values of a list with ``joint``."""
    row: dict[str, str] = {}
    for name, value in record.items():
        if name == "notices":
            continue
        if isinstance(value, dict):
            row |= {f"{name}.{key}": text for key, text in flat(value, joint).items()}
        else:
            row[name] = joint.join(map(_cell, value)) if isinstance(value, list) else _cell(value)
    return row


def _failures(answer: Answer) -> list[Body]:
    entries = [answer.body] if answer.is_failure else answer.body.get("items", [])
    return [entry["error"] for entry in entries if entry.get("success") is False]


def _write_rows(body: Body, form: Form) -> None:
    if "items" in body:
        write_rows([item for item in body["items"] if item.get("success") is not False], form)
    elif form == "tsv":
        write_rows([body], form)
    else:
        _table(["", " "], [{"": name, " ": value} for name, value in flat(body, ", ").items()])


def _table(names: list[str], rows: list[dict[str, str]]) -> None:
    from rich.console import Console  # noqa: PLC0415  # only a terminal needs it
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, show_header=any(name.strip() for name in names), header_style="bold")
    for place, name in enumerate(names):
        table.add_column(name, style="cyan" if place == 0 else "", overflow="fold")
    for row in rows:
        table.add_row(*(row.get(name, "") for name in names))
    Console(markup=False, highlight=False).print(table)


def _remarks(body: Body, origin: Body | None) -> Iterable[str]:
    notices = [*body.get("notices", ()), *(n for item in body.get("items", ()) for n in item.get("notices", ()))]
    yield from (f"note: {notice['message']}" for notice in notices)
    page = body.get("pagination", {})
    if page.get("cursor"):
        total = page["total_count"]
        yield f"{len(body['items'])} of {'many' if total is None else total}; the next: --cursor {page['cursor']}"
    for answer in (origin, *origin.get("others", ())) if origin else ():
        release = f", release {answer['release']}" if "release" in answer else ""
        yield f"{answer['from']}: {answer['url']} at {answer['retrieved_at']}{release}"


def _cell(value: object) -> str:
    return " ".join(str(value).split())


def write_line(line: str = "") -> None:
    """Write one line on stdout."""
    sys.stdout.write(f"{line}\n")


def _tell(lines: Iterable[str]) -> None:
    sys.stdout.flush()
    for line in lines:
        sys.stderr.write(f"{line}\n")
