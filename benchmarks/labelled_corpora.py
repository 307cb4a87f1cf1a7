"""Values that rules read from labelled abstracts: precision and recall over four corpora, by the scorer beside them.

    python -m benchmarks.labelled_corpora

The abstracts and ``score.py`` are in ``../shared/gold`` (or ``GOLD_DATA``); they are no part of the repository, and
nothing was fitted to the four corpora. All but precision and recall is in what the scorer prints.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benchmarks.report import Result, run

GOLD = Path(os.environ.get("GOLD_DATA") or Path(__file__).parents[2] / "shared" / "gold")
CORPORA = ("ad", "covid_19", "ebm_nlpmod", "pico_corpus")
BARS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "population": (0.80, 0.78),
        "intervention": (0.90, 0.80),
        "comparator": (0.76, 0.63),
        "outcome": (0.72, 0.50),
        "sample_size": (0.90, 0.80),
        "study_type": (0.90, 0.88),
    }
)
"""Precision and recall of each field, over the four corpora together."""
ROW = re.compile(r"(?m)^(?P<field>\w+) +\d+ +\d+ +\d+  (?P<precision>[\d.]+) \([\d.-]+\) +(?P<recall>[\d.]+) ")
COVERAGE_LINE = re.compile(
    r"(?m)^outcome .* (?P<covered>\d+)/(?P<stated>\d+) = .* right (?P<right>\d+)/(?P<values>\d+) ="
)
BAR_COVERED, BAR_RIGHT = 0.3, 0.6


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects of a corpus, one behind the other; texts in them may hold line breaks."""
    decoder, place = json.JSONDecoder(strict=False), 0
    while place < len(text):
        row, place = decoder.raw_decode(text, place)
        yield row
        while place < len(text) and text[place].isspace():
            place += 1


def main() -> int:
    """Print the table; the exit status says whether every promise is kept."""
    return run(results, __doc__)


def results() -> list[Result]:
    """Precision and recall beside the bars; nothing where there are no labelled corpora."""
    return list(read_table(score_table())) if (GOLD / "score.py").exists() else []


def score_table() -> str:
    """The output of the scorer."""
    command = [sys.executable, str(GOLD / "score.py"), "--corpus", *CORPORA]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_table(output: str) -> Iterator[Result]:
    """The figures of a scorer's table."""
    table, _, pooled = output.partition("\npooled")
    for row in ROW.finditer(pooled):
        for name, bar in zip(("precision", "recall"), BARS[row["field"]], strict=True):
            yield Result(f"labelled corpora, {row['field']}: {name}", float(row[name]), bar, "")
    counts = [{name: int(count) for name, count in row.groupdict().items()} for row in COVERAGE_LINE.finditer(table)]
    covered_count, stated_count, right, values = (
        sum(row[n] for row in counts) for n in ("covered", "stated", "right", "values")
    )
    yield Result(
        "labelled corpora, all outcomes: covered",
        covered_count / max(1, stated_count),
        BAR_COVERED,
        "",
        note=f"of {stated_count}",
    )
    yield Result("labelled corpora, all outcomes: right", right / max(1, values), BAR_RIGHT, "", note=f"of {values}")


if __name__ == "__main__":
    sys.exit(main())
