"""The commands beside the tools, on the sandbox; as processes of their own if that makes a difference."""

import asyncio
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from biofact import sources
from biofact.core.settings import Settings
from biofact.dialects.eutils import NCBI
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests import virtual_time
from tests.each_of import each_of
from tests.interfaces import terminal

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]


UNREACHABLE = {
    service.base_url.name: "http://127.0.0.1:9"
    for name in sources.names()
    for service in sources.client_class(name).services
}
"""Addresses without a listener: the doctor asks every service, and tests may ask none of the real ones."""


@pytest.fixture
def biofact(capsys, monkeypatch):
    """Runs a command in this process, with these settings; returns its exit code and output."""

    def run_here(*words, **settings):
        with monkeypatch.context() as changed:
            for name, value in settings.items():
                changed.setenv(name, value)
            return terminal.biofact(capsys, changed, *words)

    return run_here


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "biofact", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=300,  # only what hangs takes that long
    )


def services(output):
    """The doctor's rows of services by name."""
    return {row["name"]: row for row in json.loads(output.stdout)["services"]}


def exported(sandbox):
    """The settings that a sandbox in a process of its own prints, before its remark."""
    lines = itertools.takewhile(lambda line: not line.startswith("#"), sandbox.stdout)
    return dict(re.findall(r"export (\w+)=(\S+)", "".join(lines)))


@pytest.mark.processes
def test_the_demo_does_the_main_job_and_leaves_nothing_behind(tmp_path):
    result = run("demo", TMPDIR=str(tmp_path))

    assert (result.returncode, result.stderr) == (0, "")
    assert "NCBIGene:672 BRCA1" in result.stdout
    assert "NCBIGene:8666 EIF3G replaces NCBIGene:9606" in result.stdout
    assert result.stdout.endswith("Every answer is as it has to be.\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.processes
def test_a_tool_answers_on_the_sandbox_and_leaves_nothing_behind(tmp_path):
    result = run("entrez", "get-gene", "NCBIGene:672", "--sandbox", "--provenance", TMPDIR=str(tmp_path))

    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["symbol"] == "BRCA1"
    assert json.loads(result.stdout)["provenance"]["from"] == "sandbox"
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_knows_settings_budgets_cache_and_services(biofact):
    result = biofact("doctor", "--sandbox", NCBI_API_KEY="s3cret-key")
    report = json.loads(result.stdout)
    settings = {row["name"]: row["value"] for row in report["settings"]}

    assert result.returncode == 0
    origins = {row["name"]: row["origin"] for row in report["settings"]}
    assert settings["NCBI_API_KEY"] == "set"
    assert (origins["NCBI_API_KEY"], origins["BIOFACT_NCBI_URL"]) == ("environment", "--sandbox")
    assert settings["BIOFACT_EMAIL"] == "not set"
    assert "s3cret-key" not in result.stdout + result.stderr
    ncbi = services(result)["ncbi"]
    assert ncbi["reachable"].startswith("yes")
    assert ncbi["per_second"] == 10
    assert report["cache"][0]["entries"] == 0


def test_the_doctor_shows_names_origins_and_mistakes_at_80_columns(biofact, monkeypatch):
    terminal.at_a_terminal(monkeypatch)
    result = biofact("doctor", COLUMNS="80", BIOFACT_OFFLINE="1", BIOFACT_CAHE_DIR="x", BIOFACT_NCBI_URL="nonsense")

    assert max(map(len, result.stdout.splitlines())) <= 80
    sections = [line for line in result.stdout.splitlines() if re.fullmatch("[A-Z ]+", line)]
    assert sections == ["INSTALLATION", "SETTINGS", "UNKNOWN VARIABLES", "NETWORK", "SERVICES", "RELEASES", "CACHE"]
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["BIOFACT_NCBI_URL", "environment", "nonsense"] in [row[:3] for row in rows]
    assert ["BIOFACT_CAHE_DIR", "BIOFACT_CACHE_DIR"] in rows
    assert "note: biofact has no setting BIOFACT_CAHE_DIR; did you mean BIOFACT_CACHE_DIR?\n" in result.stderr
    assert "note: the value of BIOFACT_NCBI_URL cannot be read; set it to a value like https://" in result.stderr


@pytest.mark.parametrize("words", ["doctor --format json", "cache stats --format json"])
def test_json_is_to_be_had_at_a_terminal(biofact, monkeypatch, words):
    terminal.at_a_terminal(monkeypatch)

    assert json.loads(biofact(*words.split(), BIOFACT_OFFLINE="1").stdout)


def test_a_table_is_to_be_had_in_a_pipe(biofact):
    header, row = biofact("cache", "stats", "--sandbox", "--format", "table").stdout.splitlines()

    assert header.split() == ["entries", "bytes", "location", "kept_in"]
    assert row.split()[:2] == ["0", "0"]


@each_of("command", [("cache", "clear"), ("doctor", "--reset-budgets")])
def test_a_pause_is_shown_by_the_doctor_and_lifted_with_the_cache_or_the_budgets(biofact, tmp_path, command):
    async def pause():
        budgets = Budgets(Settings(), Timing(), tmp_path)
        budgets.pause(NCBI, 200.0)
        await asyncio.sleep(0)
        await budgets.aclose()

    asyncio.run(pause())
    before = services(biofact("doctor"))
    biofact(*command)
    after = services(biofact("doctor"))

    assert (before["ncbi"]["paused"], after["ncbi"]["paused"]) == ("yes", "no")
    assert before["ncbi"]["next_slot_seconds"] > 100 > after["ncbi"]["next_slot_seconds"]
    assert before["ensembl"]["paused"] == "no"


def test_the_doctor_sends_no_request_when_offline(biofact):
    result = biofact("doctor", BIOFACT_OFFLINE="1")

    assert result.returncode == 0
    assert {row["reachable"] for row in json.loads(result.stdout)["services"]} == {
        "not checked: BIOFACT_OFFLINE is set"
    }


def test_the_doctor_names_the_service_that_cannot_be_reached_without_the_login_of_a_mirror(biofact, monkeypatch):
    monkeypatch.setattr(asyncio, "run", virtual_time.run)
    mirror = {**UNREACHABLE, "BIOFACT_NCBI_URL": "http://ann:s3cret@127.0.0.1:9/entrez/eutils"}
    result = biofact("doctor", BIOFACT_OFFLINE="", **mirror)

    assert result.returncode == 1
    # Time is virtual and the socket is not: the refusal may come before the end of the call's time or after it.
    assert re.match("no: (?:No answer of )?NCBI E-utilities ", services(result)["ncbi"]["reachable"])
    assert services(result)["ncbi"]["url"] == "http://127.0.0.1:9/entrez/eutils"
    assert "s3cret" not in result.stdout + result.stderr
    assert "ann:" not in result.stdout + result.stderr


def test_probing_prints_what_the_services_reply(biofact):
    replies = json.loads(biofact("doctor", "--probe", "--sandbox", NCBI_API_KEY="any").stdout)

    assert replies
    assert all(reply["answer"] for reply in replies)


@pytest.mark.processes
def test_the_cache_is_counted_and_forgotten(biofact, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "biofact", "sandbox", "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as sandbox:
        settings = exported(sandbox)
        settings |= {"BIOFACT_CACHE_DIR": str(tmp_path), "BIOFACT_OFFLINE": ""}
        first = run("entrez", "get-gene", "NCBIGene:672", **settings)
        second = biofact("entrez", "get-gene", "NCBIGene:672", "--provenance", **settings)
        sandbox.kill()

    assert first.returncode == 0
    assert json.loads(second.stdout)["provenance"]["from"] == "cache"
    assert json.loads(biofact("cache", "stats", **settings).stdout)["entries"] == 2
    assert json.loads(biofact("cache", "clear", **settings).stdout) == {"forgotten": 2}
    assert json.loads(biofact("cache", "stats", **settings).stdout)["entries"] == 0


@pytest.mark.processes
@pytest.mark.parametrize("words", ["cache stats --sandbox", "entrez search-genes BRCA1 --sandbox --format tsv"])
def test_a_pipe_that_has_read_enough_is_no_error(words):
    with subprocess.Popen(
        [sys.executable, "-m", "biofact", *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        process.stdout.close()
        messages = process.stderr.read()

    assert (process.returncode, messages) == (0, "")
