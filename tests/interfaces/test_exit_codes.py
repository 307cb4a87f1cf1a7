"""The exit status of a command: 2 for a mistake in its words, 1 for a failure, 130 for Ctrl-C.

Errors and hints go to stderr, not to a program that reads stdout.
"""

import errno
import io
import os
import sys

import pytest

from tests.interfaces import terminal

pytestmark = pytest.mark.quick

WRONG_WORDS = [
    "robot",
    "entrez robot",
    "--robot",
    "entrez --robot",
    "entrez get-gene",
    "entrez get-gene NCBIGene:672 --colour red",
    "entrez get-gene NCBIGene:672 --sandbox=FILE",
    "entrez get-gene NCBIGene:672 --sandbox=FILE/box",
    "entrez search-genes",
    "entrez search-genes @NAMES",
    "entrez search-genes p53 --page-size many",
    "entrez search-genes p53 --page-size",
    "entrez search-genes p53 --page-size 1 --page-size 2",
    "entrez get-genes-batch",
    "entrez get-genes-batch @MISSING",
    "entrez get-genes-batch @FOLDER",
    "entrez get-genes-batch @FILE",
    "igvf find-associations BRCA1 regulatory --filters score",
    "igvf find-associations BRCA1 regulatory --filters score=1 --filters score=2",
    "pubmed extract-features --articles @MISSING --extraction-schema {}",
    "pubmed extract-features --articles PMID:1 --extraction-schema {",
    "pubmed extract-features --articles PMID:1 --extraction-schema @MISSING",
    "resolve",
    "resolve @MISSING",
    "resolve @FOLDER",
    "resolve @FILE",
    "resolve p53 --kind animal",
    "resolve p53 --format xml",
    "check-identity",
    "serve gwas",
    "serve entrez ensembl",
    "serve --http",
    "serve --http 0.0.0.0:8000",
    "serve --http 127.0.0.1:70000",
    "serve --http here",
    "install",
    "install --client zed",
    "install --client cursor --source gwas",
    "install --client json --remove",
    "sandbox --port 70000",
    "sandbox --port many",
    "sandbox --recordings MISSING",
    "sandbox --era tomorrow",
    "demo now",
    "doctor now",
    "doctor --format xml",
    "cache",
    "cache count",
    "cache stats --format tsv",
    "literature robot",
    "literature review",
    "literature review asthma --top many",
    "literature review asthma --top 0",
    "literature review asthma --schema {",
    "literature review asthma --schema []",
    "literature review asthma --schema @MISSING",
    "literature review asthma --criteria @FOLDER",
    "corpus robot",
    "corpus plan",
    "corpus plan FOLDER",
    "corpus plan new",
    "corpus plan new --input MISSING.xml",
    "corpus plan new --input FOLDER",
    "corpus plan new --sandbox --schema {",
    "corpus plan new --sandbox --criteria []",
    "corpus plan new --sandbox --shard-size 0",
    "corpus plan new --sandbox --jobs 0",
    "corpus plan new --sandbox --model",
    "corpus run",
    "corpus run MISSING",
    "corpus status FOLDER",
    "corpus rank MISSING",
    "corpus rank MISSING --top 0",
    "corpus report MISSING",
    "corpus report MISSING --top 500",
    "corpus retry FILE",
    "literature train",
    "literature train mine",
    "literature train mine --labels MISSING",
    "literature train mine --labels FOLDER",
    "literature train mine --labels FILE",
    "literature train ../mine --labels FILE",
]
UNREADABLE = {
    "BIOFACT_NCBI_URL": ["nonsense", "ftp://127.0.0.1", "http://", "http://[::1", "http://a b/", "http://a:port"],
    "BIOFACT_OFFLINE": ["perhaps"],
    "BIOFACT_REDIS_URL": ["localhost", "http://127.0.0.1:6379"],
}
FAILED = [
    "entrez get-gene p53 --sandbox",
    "entrez get-gene NCBIGene:999999999 --sandbox",
    "entrez search-genes p53 --page-size 1000 --sandbox",
    "entrez get-gene NCBIGene:672",  # tests are offline, and have kept nothing
    "install --client cursor -o FOLDER",
    "install --client cursor -o FILE",
    "install --client cursor -o FILE/mcp.json",
    "resolve p53 --sandbox -o MISSING/rows.tsv",
    "resolve p53 --sandbox -o FOLDER",
]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command whose words in capitals name a file or folder; returns its exit code and output."""
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "FILE").write_text("# nothing\n", "utf-8")
    (tmp_path / "NAMES").write_text("TP53\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    return lambda command: terminal.biofact(capsys, monkeypatch, *command.split())


def is_error(done) -> bool:
    beginnings = [line.partition(": ")[0] for line in done.stderr.splitlines()]
    return beginnings == ["error", "hint"] and done.stdout == ""


def unexpected(run, commands, code):
    """The results of the commands that do not end with this code and an error."""
    done = {command: run(command) for command in commands}
    return {command: result for command, result in done.items() if result.returncode != code or not is_error(result)}


def test_a_mistake_in_the_words_ends_with_2(run):
    assert unexpected(run, WRONG_WORDS, 2) == {}


def test_a_setting_that_cannot_be_read_ends_with_2(run, monkeypatch):
    wrong = {}
    for name, value in ((name, value) for name, values in UNREADABLE.items() for value in values):
        with monkeypatch.context() as set_for_once:
            set_for_once.setenv(name, value)
            done = run("entrez get-gene NCBIGene:672")
        if done.returncode != 2 or not is_error(done) or name not in done.stderr.splitlines()[0]:
            wrong[name, value] = done

    assert wrong == {}


def test_failed_commands_exit_with_1(run):
    assert unexpected(run, FAILED, 1) == {}


def test_a_setting_that_a_command_does_not_read_is_no_mistake(run, monkeypatch):
    monkeypatch.setenv("BIOFACT_NCBI_URL", "nonsense")

    assert run("entrez get-gene NCBIGene:672 --sandbox").returncode == 0
    assert run("--help").returncode == 0
    assert run("cache stats").returncode == 0


def test_a_full_disk_ends_with_1(run, monkeypatch):
    class FullDisk(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sys, "stdout", FullDisk())
    done = run("--version")

    assert done.returncode == 1
    assert done.stderr.startswith("error: No space left on device.\nhint: ")


def test_ctrl_c_ends_with_130_and_says_nothing(run, monkeypatch):
    class Interrupted(io.BytesIO):
        def read(self, size=-1):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted(), encoding="utf-8"))

    assert run("resolve -") == terminal.Done(130, "", "")
