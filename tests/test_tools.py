"""The scripts behind the make targets."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import record

from biofact.sandbox import Sandbox
from biofact.transport.timing import Timing

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
KEY = "SECRET0123456789abcdef"


def run(script, *arguments, **environment):
    command = [sys.executable, ROOT / "tools" / script, *arguments]
    whole = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    return subprocess.run(command, capture_output=True, text=True, env=whole, timeout=300, check=False)


def test_a_source_is_recorded_without_secrets_and_compared_with_itself(tmp_path, monkeypatch, capsys):
    def recorded(*options):
        return record.main(["entrez", *options], Timing(rate_factor=50))

    async def on_sandbox():
        async with Sandbox(rate_factor=100) as sandbox:
            for name, value in {**sandbox.environment(), "BIOFACT_RECORDINGS": tmp_path, "NCBI_API_KEY": KEY}.items():
                monkeypatch.setenv(name, str(value))
            saved = await asyncio.to_thread(recorded)
            same = await asyncio.to_thread(recorded, "--diff")
            next(p for p in tmp_path.rglob("esearch_*") if ".meta." not in p.name).write_text("{}")
            return saved, same, await asyncio.to_thread(recorded, "--diff")

    saved, same, changed = asyncio.run(on_sandbox())
    sidecars = [json.loads(path.read_text()) for path in tmp_path.rglob("*.meta.json")]

    assert (saved, same, changed) == (0, 0, 1), capsys.readouterr()
    assert len(sidecars) >= 8
    assert {sidecar["status"] for sidecar in sidecars} == {200}
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


REFUSED_NAMES = {
    "a function": "def told(): pass",
    "a coroutine": "async def is_told(): pass",
    "a class": "class ToldRow: pass",
    "an argument": "def f(*, told=1): pass",
    "an argument of a lambda": "f = lambda told: 1",
    "a variable": "told = 1",
    "a variable of a loop": "for told in (): pass",
    "a variable of a comprehension": "rows = [told for told in ()]",
    "a variable of a walrus": "print(told := 1)",
    "an attribute": "def f(self): self._told = 1",
    "an annotated field": "class Row:\n    told: int",
    "a constant": "MOST_TOLD = 1",
    "an imported name": "import json as told",
    "a caught error": "try:\n    pass\nexcept ValueError as told:\n    pass",
    "a captured pattern": "match 1:\n    case told:\n        pass",
}


def names_checked(folder, files, *options, most=0):
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__", "[!n]*.py"))
    (folder / "pyproject.toml").write_text(f'[tool.biofact.names]\nrefused = ["told"]\nmost = {most}\n')
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    command = [sys.executable, folder / "tools" / "names.py", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.processes
@pytest.mark.parametrize("text", REFUSED_NAMES.values(), ids=REFUSED_NAMES)
def test_a_refused_word_is_refused_as_the_name_of(text, tmp_path):
    done = names_checked(tmp_path, {"src/rows.py": text})

    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("src/rows.py:"), done.stderr
    assert "1 names hold a refused word" in done.stdout


@pytest.mark.processes
def test_a_refused_word_is_refused_as_the_name_of_a_module(tmp_path):
    done = names_checked(tmp_path, {"benchmarks/told.py": "rows = 1"})

    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "benchmarks/told.py:1: told")


@pytest.mark.processes
def test_a_refused_word_may_be_a_text_an_attribute_read_or_a_part_of_another_word(tmp_path):
    text = '"""told"""\nuntolded = "told"  # told\nprint(untolded.told)\ntolder: str\n'

    done = names_checked(tmp_path, {"src/rows.py": text})

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.processes
def test_refused_words_that_are_still_there_are_counted_and_listed(tmp_path):
    files = {"src/rows.py": "told = 1\ndef f(told): pass\n", "tools/more.py": "told = 2\n"}

    done = names_checked(tmp_path, files, "--list", most=3)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "src/rows.py:1: told",
        "src/rows.py:2: told",
        "tools/more.py:1: told",
        "Counter({'told': 3})",
    ]
