"""The commands around the tools, on the sandbox; as processes of their own where that makes a difference."""

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
from tests.interfaces import terminal

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]


NOWHERE = {
    service.base_url.name: "http://127.0.0.1:9"
    for name in sources.names()
    for service in sources.client_class(name).services
}
"""Where nothing listens: the doctor asks every service, and tests ask none of the real ones."""


@pytest.fixture
def biofact(capsys, monkeypatch):
    """Runs a command in this process, with these settings; gives its exit code and what it wrote."""

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


def services(told):
    """The doctor's rows of services by name."""
    return {row["name"]: row for row in json.loads(told.stdout)["services"]}


def exported(sandbox):
    """The settings that a sandbox in a process of its own prints, before its remark."""
    lines = itertools.takewhile(lambda line: not line.startswith("#"), sandbox.stdout)
    return dict(re.findall(r"export (\w+)=(\S+)", "".join(lines)))


@pytest.mark.processes
def test_the_demo_does_the_main_job_and_leaves_nothing_behind(tmp_path):
    shown = run("demo", TMPDIR=str(tmp_path))

    assert (shown.returncode, shown.stderr) == (0, "")
    assert "NCBIGene:672 BRCA1" in shown.stdout
    assert "NCBIGene:8666 EIF3G replaces NCBIGene:9606" in shown.stdout
    assert shown.stdout.endswith("Every answer is as it has to be.\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.processes
def test_a_tool_answers_on_the_sandbox_and_leaves_nothing_behind(tmp_path):
    found = run("entrez", "get-gene", "NCBIGene:672", "--sandbox", "--provenance", TMPDIR=str(tmp_path))

    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads(found.stdout)["symbol"] == "BRCA1"
    assert json.loads(found.stdout)["provenance"]["from"] == "sandbox"
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_knows_settings_budgets_cache_and_services(biofact):
    told = biofact("doctor", "--sandbox", NCBI_API_KEY="s3cret-key")
    found = json.loads(told.stdout)
    settings = {row["name"]: row["value"] for row in found["settings"]}

    assert told.returncode == 0
    origins = {row["name"]: row["origin"] for row in found["settings"]}
    assert settings["NCBI_API_KEY"] == "set"
    assert (origins["NCBI_API_KEY"], origins["BIOFACT_NCBI_URL"]) == ("environment", "--sandbox")
    assert settings["BIOFACT_EMAIL"] == "not set"
    assert "s3cret-key" not in told.stdout + told.stderr
    ncbi = services(told)["ncbi"]
    assert ncbi["reachable"].startswith("yes")
    assert ncbi["per_second"] == 10
    assert found["cache"][0]["entries"] == 0


def test_the_doctor_shows_names_origins_and_mistakes_at_80_columns(biofact, monkeypatch):
    terminal.at_a_terminal(monkeypatch)
    shown = biofact("doctor", COLUMNS="80", BIOFACT_OFFLINE="1", BIOFACT_CAHE_DIR="x", BIOFACT_NCBI_URL="nonsense")

    assert max(map(len, shown.stdout.splitlines())) <= 80
    sections = [line for line in shown.stdout.splitlines() if re.fullmatch("[A-Z ]+", line)]
    assert sections == ["INSTALLATION", "SETTINGS", "UNKNOWN VARIABLES", "NETWORK", "SERVICES", "CACHE"]
    rows = [line.split() for line in shown.stdout.splitlines()]
    assert ["BIOFACT_NCBI_URL", "environment", "nonsense"] in [row[:3] for row in rows]
    assert ["BIOFACT_CAHE_DIR", "BIOFACT_CACHE_DIR"] in rows
    assert "note: biofact has no setting BIOFACT_CAHE_DIR; did you mean BIOFACT_CACHE_DIR?\n" in shown.stderr
    assert "note: the value of BIOFACT_NCBI_URL cannot be read; set it to a value like https://" in shown.stderr


@pytest.mark.parametrize("words", ["doctor --format json", "cache stats --format json"])
def test_json_is_to_be_had_at_a_terminal(biofact, monkeypatch, words):
    terminal.at_a_terminal(monkeypatch)

    assert json.loads(biofact(*words.split(), BIOFACT_OFFLINE="1").stdout)


def test_a_table_is_to_be_had_in_a_pipe(biofact):
    header, row = biofact("cache", "stats", "--sandbox", "--format", "table").stdout.splitlines()

    assert header.split() == ["entries", "bytes", "location", "kept_in"]
    assert row.split()[:2] == ["0", "0"]


def test_a_pause_is_shown_by_the_doctor_and_lifted_with_the_cache(biofact, tmp_path):
    async def paused():
        budgets = Budgets(Settings(), Timing(), tmp_path)
        budgets.pause(NCBI, 200.0)
        await asyncio.sleep(0)
        await budgets.aclose()

    asyncio.run(paused())
    before = services(biofact("doctor"))
    biofact("cache", "clear")
    after = services(biofact("doctor"))

    assert (before["ncbi"]["paused"], after["ncbi"]["paused"]) == ("yes", "no")
    assert before["ncbi"]["next_slot_seconds"] > 100 > after["ncbi"]["next_slot_seconds"]
    assert before["ensembl"]["paused"] == "no"


def test_the_doctor_asks_nobody_when_offline(biofact):
    told = biofact("doctor", BIOFACT_OFFLINE="1")

    assert told.returncode == 0
    assert {row["reachable"] for row in json.loads(told.stdout)["services"]} == {"not checked: BIOFACT_OFFLINE is set"}


def test_the_doctor_tells_which_service_cannot_be_reached_and_no_login_of_a_mirror(biofact):
    mirror = {**NOWHERE, "BIOFACT_NCBI_URL": "http://ann:s3cret@127.0.0.1:9/entrez/eutils"}
    told = biofact("doctor", BIOFACT_OFFLINE="", **mirror)

    assert told.returncode == 1
    assert services(told)["ncbi"]["reachable"].startswith("no: NCBI E-utilities ")
    assert services(told)["ncbi"]["url"] == "http://127.0.0.1:9/entrez/eutils"
    assert "s3cret" not in told.stdout + told.stderr
    assert "ann:" not in told.stdout + told.stderr


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
        asked = run("entrez", "get-gene", "NCBIGene:672", **settings)
        again = biofact("entrez", "get-gene", "NCBIGene:672", "--provenance", **settings)
        sandbox.kill()

    assert asked.returncode == 0
    assert json.loads(again.stdout)["provenance"]["from"] == "cache"
    assert json.loads(biofact("cache", "stats", **settings).stdout)["entries"] == 1
    assert json.loads(biofact("cache", "clear", **settings).stdout) == {"forgotten": 1}
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
    ) as counting:
        counting.stdout.close()
        told = counting.stderr.read()

    assert (counting.returncode, told) == (0, "")
