"""Writes docs/requirements.md: the test that holds each requirement, or the ruling; ``--check`` says if it is stale.

The rows stand in tests/requirements.toml, departures in tests/departures.toml, and the tests are those marked
``@requirement("000 R2-id")``. The marks are read off the source, so that no test need be imported.
"""

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
PAGE = ROOT / "docs" / "requirements.md"
HEAD = """\
# Requirements

What the five specifications ask for, and what holds it: a test, or the ruling by which biofact departs from it.
Generated from the marks on tests by `make docs`; `make check` fails when this page is stale, or a row has neither.

Rulings settle where the specifications clash with each other or with the services.
UPSTREAMS lists how the services really behave.
What shapes the code has a record among the [decisions](decisions).
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """A test that is marked with a row: its file, from the tests' folder, and its name."""

    file: str
    name: str

    def __str__(self) -> str:
        """A link as the page has it."""
        return f"[`{self.name}`](../tests/{self.file})"


Rows = Mapping[str, Mapping[str, str]]
Departures = Mapping[str, Mapping[str, str]]
Marks = Mapping[str, list[Holder]]


def main() -> int:
    """Write the page, or compare it; a row without test or ruling, and a mark without row, are errors."""
    rows, departures, marks = read(TESTS)
    for sentence in (problem_list := [*problems(rows, departures, marks)]):
        print(sentence, file=sys.stderr)
    text = page(rows, departures, marks)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, "utf-8")
    elif not PAGE.is_file() or PAGE.read_text("utf-8") != text:
        problem_list.append("docs/requirements.md is stale: run make docs")
        print(problem_list[-1], file=sys.stderr)
    return 1 if problem_list else 0


def read(folder: Path) -> tuple[Rows, Departures, Marks]:
    """Rows by specification, departures and tests by row."""
    rows = tomllib.loads((folder / "requirements.toml").read_text("utf-8"))
    departures = tomllib.loads((folder / "departures.toml").read_text("utf-8"))
    marks: dict[str, list[Holder]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        for row, name in marks_in(path.read_text("utf-8")):
            marks[row].append(Holder(path.relative_to(folder).as_posix(), name))
    return rows, departures, marks


def marks_in(source: str) -> Iterator[tuple[str, str]]:
    """The rows that tests of a file are marked with, each with the test's name."""
    if "@requirement(" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield from ((row, node.name) for mark in node.decorator_list for row in _rows_of(mark))


def _rows_of(mark: ast.expr) -> Iterator[str]:
    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "requirement":
        yield from map(ast.literal_eval, mark.args)


def problems(rows: Rows, departures: Departures, marks: Marks) -> Iterator[str]:
    """The gaps of the page, a sentence each."""
    known_rows = [f"{specification} {row}" for specification, texts in rows.items() for row in texts]
    for row in known_rows:
        if row not in departures and row not in marks:
            yield f"{row} has no test and no ruling: mark the test that holds it with @requirement({row!r})."
    for row, tests in marks.items():
        if row not in known_rows:
            yield f"{tests[0].file} marks {tests[0].name} with {row!r}, which is no row of tests/requirements.toml."
    for row in departures:
        if row not in known_rows:
            yield f"tests/departures.toml has {row!r}, which is no row of tests/requirements.toml."


def page(rows: Rows, departures: Departures, marks: Marks) -> str:
    """The page: a table for each specification."""
    lines = [HEAD]
    for specification, texts in rows.items():
        lines += [f"## {TITLES[specification]}\n", "| row | asks for | held by |", "|---|---|---|"]
        for row, text in texts.items():
            name = f"{specification} {row}"
            test_names = [str(test) for test in marks.get(name, ())]
            holders = "<br>".join([*_ruling(departures.get(name)), *test_names])
            cell = row.replace("|", r"\|")
            lines.append(f"| `{cell}` | {text} | {holders} |")
        lines.append("")
    return "\n".join(lines)


def _ruling(departure: Mapping[str, str] | None) -> Iterator[str]:
    if departure:
        yield f"departs, {departure['ruling']}: {departure['because']}"


TITLES = {
    "000": "000: NCBI Gene",
    "001": "001: Ensembl",
    "002": "002: ChEMBL",
    "003": "003: IGVF Catalog",
    "004": "004: PubMed",
    "all": "All sources",
}


if __name__ == "__main__":
    sys.exit(main())
