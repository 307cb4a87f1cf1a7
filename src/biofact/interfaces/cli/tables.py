"""Tables and grids for a person at a terminal: what the question was about first, more of it the wider the terminal."""

import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from biofact.interfaces import terminal

if TYPE_CHECKING:
    from rich.console import OverflowMethod

NARROWEST = 17
"""Characters that a column has at least where its texts are longer: a code such as UNRESOLVED_ENTITY is whole."""
_GAP = 2

Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fit:
    """The columns that a terminal has room for, each with its width."""

    widths: Mapping[str, int]
    same: Mapping[str, str]
    """Columns left out because all rows have the same there."""
    hidden: int
    """Further columns for which there is no room."""

    def notes(self, option: str) -> Iterable[str]:
        """What is said of columns that are not shown; ``option`` shows them all."""
        if self.same:
            yield f"note: in all rows: {', '.join(f'{name} {text}' for name, text in self.same.items())}."
        if self.hidden:
            missing = f"{self.hidden} more column{'s' if self.hidden > 1 else ''}"
            yield f"note: the terminal is too narrow for {missing}; {option} shows all."


def fit(
    rows: Sequence[Cells], names: Sequence[str], leading: Sequence[str], room: int, wrapped: Collection[str] = ()
) -> Fit:
    """The columns to show of ``names`` in so many characters: the ``leading`` ones first, the others as far as whole
    ones fit. Where the leading ones do not, those that are the same in all rows are left out. ``wrapped`` ones take
    what the others leave.
    """
    filled = [name for name in names if any(row.get(name) for row in rows)] if rows else [*(leading or names)]
    whole = {name: max(len(text) for text in (name, *(row.get(name, "") for row in rows))) for name in filled}
    first = [name for name in leading if name in whole]
    fixed = sum(whole[name] + _GAP for name in first if name not in wrapped)
    whole |= {name: min(whole[name], max(NARROWEST, room - fixed)) for name in first if name in wrapped}
    same: dict[str, str] = {}
    if sum(whole[name] + _GAP for name in first) - _GAP > room and len(rows) > 1:
        same = {name: rows[0][name] for name in first[1:] if len({row.get(name, "") for row in rows}) == 1}
    first = [name for name in first if name not in same]
    widths = _cut({name: whole[name] for name in first}, room)
    others = [name for name in filled if name not in first and name not in same]
    if len(widths) == len(first) and all(widths[name] == whole[name] for name in first):
        widths = _with_whole(widths, {name: whole[name] for name in others}, room)
    return Fit(widths, same, len(filled) - len(same) - len(widths))


def _cut(whole: Mapping[str, int], room: int) -> dict[str, int]:
    """As many of the columns, in order, as have room when long ones are cut; what is left widens them again."""
    widths: dict[str, int] = {}
    for name, width in whole.items():
        least = min(width, max(NARROWEST, len(name)))
        if widths and _total(widths) + _GAP + least > room:
            continue
        widths[name] = min(least, room)
    for name, width in widths.items():
        widths[name] = min(whole[name], width + room - _total(widths))
    return widths


def _with_whole(widths: dict[str, int], others: Mapping[str, int], room: int) -> dict[str, int]:
    """The columns, and behind them those of ``others``, in order, up to the first that has no room."""
    for name, width in others.items():
        free = room - _total(widths) - _GAP * bool(widths)
        if width > free < max(NARROWEST, len(name)):
            break
        widths = {**widths, name: min(width, free)}
    return widths


def _total(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + _GAP * max(0, len(widths) - 1)


@dataclass(slots=True)
class Table:
    """A table that grows: its columns are those that fit its first rows."""

    names: Sequence[str]
    leading: Sequence[str] = ()
    wrapped: Collection[str] = ()
    option: str = "--format json"
    """What shows all columns."""
    fit: Fit | None = field(default=None)

    def write(self, rows: Iterable[Cells]) -> None:
        """Write these rows, the first time under a header."""
        plain = [{terminal.plain(name): terminal.plain(text) for name, text in row.items()} for row in rows]
        has_header = self.fit is None
        if self.fit is None:
            self.fit = fit(plain, self.names, self.leading, shutil.get_terminal_size().columns, self.wrapped)
        _print(self.fit.widths, plain, self.wrapped, has_header=has_header)

    def notes(self) -> Iterable[str]:
        """What is said of columns that are not shown."""
        return () if self.fit is None else self.fit.notes(self.option)


def write_grid(facts: Cells) -> None:
    """Write one fact a line, its name in front."""
    from rich.table import Table as RichTable  # noqa: PLC0415  # only a terminal needs it

    grid = RichTable.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style="cyan")
    grid.add_column(overflow="fold")
    for name, value in facts.items():
        grid.add_row(terminal.plain(name), terminal.plain(value))
    terminal.console().print(grid)


def _print(widths: Mapping[str, int], rows: Sequence[Cells], wrapped: Collection[str], *, has_header: bool) -> None:
    from rich.table import Table as RichTable  # noqa: PLC0415

    is_wrapped = any(
        len(row.get(name, "")) > width for row in rows for name, width in widths.items() if name in wrapped
    )
    table = RichTable(
        box=None,
        pad_edge=False,
        padding=(0, _GAP, 0, 0),
        header_style="bold",
        show_header=has_header,
    )
    for place, (name, width) in enumerate(widths.items()):
        overflow: OverflowMethod = "fold" if name in wrapped else "ellipsis"
        table.add_column(
            name, style="" if place else "cyan", width=width, no_wrap=name not in wrapped, overflow=overflow
        )
    for place, row in enumerate(rows):
        if place and is_wrapped:
            table.add_row()  # says where a text ends
        table.add_row(*(row.get(name, "") for name in widths))
    terminal.console().print(table)
