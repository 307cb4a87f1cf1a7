"""The scripts behind the make targets."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tools import names, record, size_caps

from biofact.sandbox import Sandbox
from biofact.transport.timing import Timing
from tests.each_of import each_of

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
KEY = "SECRET0123456789abcdef"


def run(script, *arguments, **environment):
    command = [sys.executable, ROOT / "tools" / script, *arguments]
    whole = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    return subprocess.run(command, capture_output=True, text=True, env=whole, timeout=300, check=False)


def test_a_source_is_recorded_without_secrets_and_compared_with_itself(tmp_path, monkeypatch, capsys):
    def record_source(*options):
        return record.main(["entrez", *options], Timing(rate_factor=50))

    async def on_sandbox():
        async with Sandbox(rate_factor=100) as sandbox:
            for name, value in {**sandbox.environment(), "BIOFACT_RECORDINGS": tmp_path, "NCBI_API_KEY": KEY}.items():
                monkeypatch.setenv(name, str(value))
            saved = await asyncio.to_thread(record_source)
            repeat = await asyncio.to_thread(record_source, "--diff")
            next(p for p in tmp_path.rglob("esearch_*") if ".meta." not in p.name).write_text("{}")
            return saved, repeat, await asyncio.to_thread(record_source, "--diff")

    saved, repeat, changed = asyncio.run(on_sandbox())
    sidecars = [json.loads(path.read_text()) for path in tmp_path.rglob("*.meta.json")]

    assert (saved, repeat, changed) == (0, 0, 1), capsys.readouterr()
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


def names_checked(folder, files, *options, caps="refused = 0"):
    (folder / "tools").mkdir(parents=True)
    for name in ("names.py", "words.toml"):
        shutil.copy(ROOT / "tools" / name, folder / "tools" / name)
    settings = f'[tool.biofact.names]\nrefused = ["told"]\n[tool.biofact.names.most.src]\n{caps}\n'
    (folder / "pyproject.toml").write_text(f"{settings}[tool.biofact.names.most.tools]\nvague-per-cent = 100\n")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    command = [sys.executable, folder / "tools" / "names.py", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.processes
@pytest.mark.parametrize("text", REFUSED_NAMES.values(), ids=REFUSED_NAMES)
def test_a_refused_word_is_refused_as_the_name_of(text, tmp_path):
    run = names_checked(tmp_path, {"src/rows.py": text}, caps="vague-per-cent = 100")

    assert run.returncode == 1, run.stderr
    assert run.stdout.startswith("src: 1 x refused, at most 0\n"), run.stderr


@pytest.mark.processes
def test_a_refused_word_is_refused_as_the_name_of_a_module(tmp_path):
    run = names_checked(tmp_path, {"benchmarks/told_rows.py": "rows = 1"}, "--list", "benchmarks")

    assert (run.returncode, run.stdout.splitlines()[0]) == (1, "benchmarks/told_rows.py:1: refused: told_rows")


@pytest.mark.processes
def test_a_refused_word_may_be_a_text_an_attribute_read_or_a_part_of_another_word(tmp_path):
    run = names_checked(tmp_path, {"src/rows.py": 'untold_row = "told"\nprint(untold_row.told)\ntolder: str\n'})

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.processes
def test_allowed_findings_are_counted_and_listed(tmp_path):
    files = {"src/rows.py": "told_rows = 1\ndef f(told_row): pass\n", "tools/more_rows.py": "told_rows = 2\n"}

    run = names_checked(tmp_path, files, "--list", "src", caps="refused = 2")

    assert run.stdout.splitlines() == [
        "src/rows.py:1: refused: told_rows",
        "src/rows.py:2: refused: told_row",
        "src: 2 x refused",
        "src: 4 names, 0.00 % vague",
        "tools: 1 x refused, at most 0",
        "See CONTRIBUTING.md, Glossary; python tools/names.py --list PATH shows the places.",
    ]


@pytest.mark.processes
def test_the_share_of_vague_names_has_a_bar(tmp_path):
    files = {"src/rows.py": "def rows(one): pass\n"}

    refusal = names_checked(tmp_path / "refused", files, caps="vague-per-cent = 33")

    assert refusal.stdout.startswith("src: 33.33 % of the names are vague, at most 33 % may be\n")
    assert names_checked(tmp_path / "allowed", files, caps="vague-per-cent = 34").returncode == 0


@pytest.fixture(scope="module")
def words():
    return names.Words.load(ROOT / "tools" / "words.toml", [])


@each_of(
    "name",
    [
        *("one", "_found", "ASKED", "Given", "elsewhere", "of", "weighed", "made_by", "rows_of_others", "its_own"),
        "test_what_is_no_gene_is_refused",
    ],
)
def test_a_pronoun_an_adverb_or_a_participle_alone_is_a_vague_name(words, name):
    assert words.is_vague(name)


@each_of(
    "name",
    [
        "gene",
        "_",
        "__all__",
        "string",
        "cached",
        "named_rows",
        "is_found",
        "is_told_by",
        "sorted_by",
        "one_row",
        "created_at",
    ],
)
def test_nouns_terms_claims_and_participles_before_a_noun_are_no_vague_names(words, name):
    assert not words.is_vague(name)


def test_read_is_a_verb_as_the_name_of_a_function_alone(words):
    assert words.is_vague("read")
    assert not words.is_vague("read", is_function=True)


def test_each_refused_phrase_has_an_example_of_what_to_write(words):
    table = tomllib.loads((ROOT / "tools" / "words.toml").read_text())["phrases"]
    for phrase in table:
        kinds = {kind for kind, pattern in words.phrases.items() if pattern.search(phrase["found"])}

        assert phrase["kind"] in kinds
        assert not any(pattern.search(phrase["write"]) for pattern in words.phrases.values()), phrase


@pytest.mark.processes
def test_phrases_are_refused_in_docstrings_and_comments_not_in_texts_and_tools(tmp_path):
    text = """
class Client:
    '''What a service answers.'''

    rows: int
    '''Whose it is.'''
    hint = "What a service answers."

    @tool
    def search(self):
        '''What a service answers.'''
        # A comment of two lines, which
        # asks afresh.
"""
    run = names_checked(tmp_path, {"src/rows.py": text}, "--list", "src")

    assert [line.split(": ")[:2] for line in run.stdout.splitlines()[:3]] == [
        ["src/rows.py:3", "headless-what"],
        ["src/rows.py:6", "headless-who"],
        ["src/rows.py:13", "archaic"],
    ]


@pytest.fixture
def package(tmp_path, monkeypatch):
    files = {
        "__init__.py": "",
        "rows.py": "from biofact import columns\n",
        "columns.py": "",
        "shared.py": "",
        "later.py": "def f():\n    from biofact.shared import width\n    from biofact.columns import cell\n",
        "tables.py": "import biofact.shared\nimport biofact.loaded\nTABLE = 'biofact.loaded:run'\n",
        "loaded.py": "",
        "long.py": "WIDTH = 1\n" * 60,
        "sources/toy/search.py": "import biofact.long\nfrom biofact.sources.toy import marks, parse\n",
        "sources/toy/parse.py": "",
        "sources/toy/marks.py": "",
        "sources/toy/__init__.py": "",
    }
    for name, text in files.items():
        path = tmp_path / "src" / "biofact" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(size_caps, "ROOT", tmp_path)
    monkeypatch.setattr(size_caps, "PACKAGE", tmp_path / "src" / "biofact")


@pytest.mark.usefixtures("package")
def test_a_small_module_with_one_importer_is_refused_unless_loaded_by_name_or_usual_in_a_source():
    refusals = dict(size_caps.Imports.read().breaches({"lone-module-lines": 60}))

    assert refusals == {"src/biofact/sources/toy/marks.py": "0 lines, for src/biofact/sources/toy/search.py alone"}
