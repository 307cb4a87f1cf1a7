"""The output of commands at terminals of three widths and in colour, recorded and reviewed.

``make sessions`` records them again; look at the changes before you keep them.
"""

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from biofact.__main__ import main
from biofact.interfaces.cli import progress
from tests.interfaces.terminal import ask_in_virtual_time

pytestmark = pytest.mark.quick

FOLDER = Path(__file__).parent / "sessions"
IS_RECORDING = os.environ.get("BIOFACT_RECORD_SESSIONS") == "1"
COMMANDS = r"""
entrez search-genes BRCA1
entrez search-genes zzzqqq
entrez search-genes BRCA1 --columns symbol,id,score --format csv
entrez get-gene NCBIGene:672
entrez get-gene BRCA1
entrez get-gene NCBIGene:672 --json
entrez get-genes-batch NCBIGene:672 NCBIGene:9606 BRCA1 NCBIGene:99999999
entrez get-generifs NCBIGene:672
chembl find-compounds-for-target UniProtKB:P00533 --page-size 2
chembl get-bioactivities CHEMBL:941
igvf find-associations lupus genetic
igvf find-associations BRCA1 TP53 regulatory --limit 3
igvf search-region chr17:43,044,295-43,125,364
pubmed search metformin prediabetes
pubmed get-articles PMID:99000022 PMID:99000023 PMID:1
pubmed generate-query "metformin for weight in adults with prediabetes"
pubmed extract-features '{"sample_size": "number", "design": "string"}' --articles PMID:99000022
check-identity NCBIGene:672
resolve p150 BRCA1 zzqq
""".strip().splitlines()
KINDS = ("entrez search-genes BRCA1", "entrez get-gene ", "entrez get-genes-batch", "chembl find", "resolve")
IN_COLOUR = [words for words in COMMANDS if words.startswith(KINDS)]
"""Some answers of each kind: pages, records, batches, failures, notes and rows of names."""
BOLD_AND_CYAN = {"0", "1", "36"}
"""The codes of the colours that are legible on a light background and on a dark one."""


class Screen(io.TextIOWrapper):
    """A terminal that stores its output."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        """All lines, without blanks at their ends."""
        text = self.buffer.getvalue().decode()
        return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def session(monkeypatch, *, width, terminal, commands=COMMANDS):
    """Commands as a person types them, and their output."""
    ask_in_virtual_time(monkeypatch)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 1e6)  # a bar comes and goes
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", terminal)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    return "\n".join(_one(monkeypatch, words) for words in commands)


def _one(monkeypatch, words):
    with monkeypatch.context() as changed:
        screen = Screen()
        changed.setattr(sys, "stdout", screen)
        changed.setattr(sys, "stderr", screen)
        changed.setattr(sys, "argv", ["biofact", *shlex.split(words)])
        code = main()
    exit_line = f"[exit status {code}]\n" if code else ""
    return f"$ biofact {words}\n{screen.shown()}{exit_line}"


def kept(name, output):
    """The recorded session of this name; while recording, the new one."""
    file = FOLDER / name
    if IS_RECORDING:
        file.write_text(output)
    return file.read_text()


@pytest.mark.parametrize(
    "width", [80, pytest.param(120, marks=pytest.mark.sweep), pytest.param(200, marks=pytest.mark.sweep)]
)
def test_a_session_is_as_it_was_looked_at(width, monkeypatch):
    output = session(monkeypatch, width=width, terminal="dumb")

    assert output == kept(f"{width}.txt", output)
    too_long = [line for line in output.splitlines() if len(line) > width and not line.startswith("$ ")]
    assert {len(line.split()) for line in too_long} <= {1}, "only what would break when cut, such as a cursor"


@pytest.mark.sweep
def test_a_terminal_with_colours_shows_such_as_are_read_on_light_and_dark(monkeypatch):
    output = session(monkeypatch, width=120, terminal="xterm-256color")

    assert output == kept("120.ansi", output)
    assert codes(output) <= BOLD_AND_CYAN
    assert uncoloured(output) == (FOLDER / "120.txt").read_text().split()


def test_each_kind_of_answer_has_colours_that_are_read_on_light_and_dark(monkeypatch):
    output = session(monkeypatch, width=120, terminal="xterm-256color", commands=IN_COLOUR)

    assert parts(output) == {words: parts((FOLDER / "120.ansi").read_text())[words] for words in IN_COLOUR}
    assert {"1"} <= codes(output) <= BOLD_AND_CYAN
    plain = parts((FOLDER / "120.txt").read_text())
    assert uncoloured(output) == "".join(f"$ biofact {words}\n{plain[words]}\n" for words in IN_COLOUR).split()


def codes(output):
    """The codes of all colours and weights."""
    return {code for sequence in re.findall(r"\x1b\[([\d;]*)m", output) for code in sequence.split(";")}


def uncoloured(output):
    return re.sub(r"\x1b\[[\d;]*m", "", output).split()


def parts(output):
    """The output of a session by command."""
    return {
        part.partition("\n")[0]: part.partition("\n")[2].rstrip("\n")
        for part in re.split(r"^\$ biofact ", output, flags=re.MULTILINE)[1:]
    }
