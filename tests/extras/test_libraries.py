"""Other people's client libraries on the sandbox: each call of docs/libraries.md has the answer printed there."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from biofact.sandbox import SandboxProcess
from tests.extras import needs

pytestmark = pytest.mark.extras

PYTHON = needs.libraries()
PAGE = (Path(__file__).parents[2] / "docs" / "libraries.md").read_text("utf-8")
FOLDER = Path(__file__).parent / "libraries"
REQUIRED = (FOLDER / "requirements.txt").read_text("utf-8").split()


@dataclass(frozen=True)
class Row:
    """A call, and the answer printed beside it."""

    call: str
    cell: str

    @property
    def works(self) -> bool:
        return not self.cell.startswith("cannot: ")

    @property
    def is_answer(self) -> bool:
        return self.cell.startswith("`")

    @property
    def quotation(self) -> str:
        """The text in backticks: the answer as JSON, or words of the error or refusal, which come last."""
        return re.findall(r"`([^`]+)`", self.cell)[-1]


@dataclass(frozen=True)
class Section:
    """A library: the lines that point it at the sandbox, and the calls to it."""

    name: str
    setup: str
    rows: tuple[Row, ...]


def sections() -> Iterator[Section]:
    for text in PAGE.split("\n## ")[1:]:
        [setup] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", text, re.MULTILINE)
        assert len(rows) == text.count("\n| ") - 1, "a row of the table cannot be read"  # but for its heading
        yield Section(text.partition("\n")[0], setup, tuple(Row(*cells) for cells in rows))


SECTIONS = tuple(sections())
CALLS = [
    pytest.param(section.name, position, id=f"{section.name}-{row.call}")
    for section in SECTIONS
    for position, row in enumerate(section.rows)
]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """The result of each call to each library. The sandbox refuses requests to other services than ours."""
    folder = str(tmp_path_factory.mktemp("home"))
    with SandboxProcess(rate_factor=100, is_lenient=True) as sandbox, ThreadPoolExecutor(3) as pool:
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), sandbox.url)
        local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1")
        settings = {**os.environ, **sandbox.environment(), **proxies, **local, "HOME": folder, "NCBI_API_KEY": "any"}
        yield dict(pool.map(lambda section: (section.name, run_calls(section, settings)), SECTIONS))


def run_calls(section, settings):
    questions = json.dumps({"setup": section.setup, "calls": [row.call for row in section.rows]})
    run = subprocess.run(
        [PYTHON, FOLDER / "drive.py"],
        input=questions,
        capture_output=True,
        text=True,
        env=settings,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize(("name", "position"), CALLS)
def test_a_call_answers_what_the_page_says(name, position, outcomes):
    [row] = [section.rows[position] for section in SECTIONS if section.name == name]
    outcome = outcomes[name][position]

    if row.is_answer:
        assert outcome == {"answer": json.loads(row.quotation)}
    else:
        assert row.quotation in (outcome.get("error") or str(outcome["answer"]))


def test_the_page_counts_its_calls_and_names_the_versions_that_are_tested():
    page_counts = re.findall(r"^\| \[(.+?)\]\(.+?\) \| `(.+?)` \| .+? \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)

    assert sorted(version for _, version, *_ in page_counts) == REQUIRED
    assert [(name, int(works), int(cannot)) for name, _, works, cannot in page_counts] == [
        (section.name, sum(row.works for row in section.rows), sum(not row.works for row in section.rows))
        for section in SECTIONS
    ]
