"""Messages of commands without a network, here because their proxy has no listener."""

import json
import os
import subprocess
import sys

import pytest

from biofact.core.errors import USE_SANDBOX
from biofact.interfaces.spelling import Spelling, bare, command, prefixed
from biofact.sandbox import Sandbox
from tests.interfaces.terminal import biofact
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

NO_PROXY_THERE = "was not asked: the proxy 127.0.0.1 cannot be reached."
HINT = (
    "hint: Check the connection and HTTPS_PROXY, HTTP_PROXY or ALL_PROXY. "
    "To try biofact without a network, add --sandbox."
)


@pytest.fixture
def cut_off(capsys, monkeypatch):
    """Runs a command on a machine without its proxy."""
    monkeypatch.setenv("BIOFACT_OFFLINE", "")
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://me:s3cret@127.0.0.1:9")
    return lambda *words: biofact(capsys, monkeypatch, *words)


def test_a_command_says_how_to_try_without_a_network(cut_off):
    done = cut_off("entrez", "get-gene", "NCBIGene:672")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [f"error: NCBI E-utilities {NO_PROXY_THERE}", HINT]


def test_the_doctor_says_once_that_there_is_no_network(cut_off):
    done = cut_off("doctor")
    rows = json.loads(done.stdout)["services"]

    assert done.returncode == 1
    assert {row["reachable"] for row in rows} == {"no: the proxy 127.0.0.1 cannot be reached"}
    problem = f"error: {len(rows)} of {len(rows)} services were not asked: the proxy 127.0.0.1 cannot be reached."
    assert done.stderr.splitlines() == [problem, HINT]


def test_an_interrupted_review_ends_soon_and_names_the_command_to_continue(cut_off, tmp_path):
    done = cut_off("literature", "review", "metformin", "--output", str(tmp_path / "review"))
    error, hint = done.stderr.splitlines()[-2:]

    assert done.returncode == 1
    assert error.endswith(NO_PROXY_THERE)
    assert hint.startswith(HINT)
    assert "What is done is kept; continue with: biofact literature review metformin" in hint


@pytest.mark.processes
def test_an_unknown_host_name_is_no_network(tmp_path):
    """A process of its own, which asks the machine's name server: ``.invalid`` is never registered (RFC 6761)."""
    environment = {"BIOFACT_OFFLINE": "", "BIOFACT_NCBI_URL": "http://name.invalid", "no_proxy": "*", "NO_PROXY": "*"}
    environment["RES_OPTIONS"] = "timeout:1 attempts:1"  # for machines whose name server does not answer
    words = [sys.executable, "-m", "biofact", "entrez", "get-gene", "NCBIGene:672"]

    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **environment}, timeout=60
    )

    assert (done.returncode, done.stdout) == (1, "")
    error, hint = done.stderr.splitlines()
    assert error == (
        "error: NCBI E-utilities was not asked: there seems to be no network (the name name.invalid is not known)."
    )
    assert hint == (
        "hint: Check the connection and BIOFACT_NCBI_URL or HTTPS_PROXY. "
        "To try biofact without a network, add --sandbox."
    )


def test_each_interface_says_how_the_sandbox_is_started_there(subtests):
    for write, way in [
        (command, "add --sandbox"),
        (prefixed, "have it started as `biofact serve --sandbox`"),
        (bare, "have it started as `biofact serve --sandbox`"),
    ]:
        with subtests.test(write.__name__):
            assert Spelling(TOYS, write).text(f"To try, {USE_SANDBOX}. Not {USE_SANDBOX!r}.") == (
                f"To try, {way}. Not 'use biofact.sandbox.Sandbox'."
            )


def test_a_library_hint_names_what_can_be_imported():
    assert USE_SANDBOX.endswith(f"{Sandbox.__module__.rpartition('.')[0]}.{Sandbox.__name__}")
