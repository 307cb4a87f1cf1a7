"""The report of a benchmark: what it measures against its bar, as a table and as JSON in ``results/``."""

import argparse
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Result:
    """One measured promise."""

    promise: str
    figure: float
    bar: float
    unit: str
    is_at_most: bool = False
    """The bar is an upper one."""
    note: str = ""

    @property
    def is_kept(self) -> bool:
        """The figure meets the bar."""
        return self.figure <= self.bar if self.is_at_most else self.figure >= self.bar


def at_most(promise: str, figure: float, bar: float, unit: str, note: str = "") -> Result:
    """A promise whose bar is an upper one."""
    return Result(promise, figure, bar, unit, is_at_most=True, note=note)


def write_report(results: Sequence[Result], path: Path | None = None) -> int:
    """Print the table, write the JSON; the exit status says whether every promise is kept."""
    width = max((len(result.promise) for result in results), default=0)
    for result in results:
        sign = "<=" if result.is_at_most else ">="
        mark = "kept" if result.is_kept else "MISSED"
        figures = f"{result.figure:10.2f} {sign} {result.bar:g} {result.unit:<12}"
        print(f"{result.promise:<{width}}  {figures} {mark}  {result.note}")
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [{**asdict(result), "is_kept": result.is_kept} for result in results]
        path.write_text(json.dumps(rows, indent=1) + "\n")
    sys.stdout.flush()
    return 0 if all(result.is_kept for result in results) else 1


def run(measure: Callable[..., list[Result]], description: str | None) -> int:
    """The command line of a benchmark: an option for each number that ``measure`` takes, and ``--json``."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, parameter in inspect.signature(measure).parameters.items():
        parser.add_argument(f"--{name}", type=type(parameter.default), default=parameter.default)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    options = vars(parser.parse_args())
    path = options.pop("json")
    return write_report(measure(**options), path)
