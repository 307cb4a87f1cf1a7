"""``biofact.corpus`` in a program."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from biofact import corpus
from tests.corpus.made_corpora import lines
from tests.each_of import each_of

pytestmark = pytest.mark.quick

PAGE = (Path(__file__).parents[2] / "docs" / "corpus.md").read_text("utf-8")
COMMANDS = {"plan", "run", "status", "rank", "report", "retry"}


@pytest.mark.processes
def test_the_program_of_the_page_plans_reads_ranks_and_reports(tmp_path):
    (program,) = re.findall(r"<!-- run by tests/corpus/test_library.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    lines(tmp_path / "articles.jsonl", range(1, 31))
    (tmp_path / "program.py").write_text(program, "utf-8")
    run = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )

    assert (run.stdout, run.stderr) == ("30 30 [] {}\n30 report.html\n", "")
    assert (tmp_path / "trials" / "report.html").is_file()


@each_of("name", corpus.__all__)
def test_a_name_is_offered_and_no_module_has_it(name):
    assert getattr(corpus, name).__name__ == name
    assert name in dir(corpus)
    assert importlib.util.find_spec(f"biofact.corpus.{name}") is None  # once imported, it would take the name's place


def test_every_command_is_a_function_and_nothing_else_is_offered():
    assert set(corpus.__all__) >= COMMANDS
    assert all(callable(getattr(corpus, name)) for name in COMMANDS)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        corpus.nothing  # noqa: B018
