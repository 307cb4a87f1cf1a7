"""The log of commands and servers: on stderr, from the chosen level, as text without secrets."""

import json
import logging
import os
import subprocess
import sys

import pytest

from biofact.core import events
from biofact.core.settings import Settings
from biofact.interfaces import log_output
from tests.interfaces.terminal import biofact
from tests.interfaces.test_start_up import client_lines

pytestmark = pytest.mark.quick

GENE = ("entrez", "get-gene", "NCBIGene:672", "--sandbox")


def test_a_command_writes_the_log_besides_its_answer(capsys, monkeypatch):
    plain = biofact(capsys, monkeypatch, *GENE)
    monkeypatch.setenv("BIOFACT_LOG", "DEBUG")
    done = biofact(capsys, monkeypatch, *GENE)

    assert plain.stderr == ""
    assert done.stdout == plain.stdout
    assert " biofact.requests: GET ncbi /esummary.fcgi: 200, " in done.stderr
    assert " biofact.cache: ncbi " in done.stderr
    assert not events.REQUESTS.isEnabledFor(logging.DEBUG)


def test_a_level_that_there_is_not_is_refused(capsys, monkeypatch):
    monkeypatch.setenv("BIOFACT_LOG", "loud")

    done = biofact(capsys, monkeypatch, *GENE)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "error: BIOFACT_LOG is 'loud', no level.",
        "hint: Set it to one of error, warning, info, debug.",
    ]


def test_levels_are_those_of_logging(capsys, subtests):
    for level, count in [("error", 1), ("warning", 2), ("info", 3), ("debug", 4), ("", 2)]:
        with subtests.test(level or "not set"):
            log_a_line_at_each_level(Settings({"BIOFACT_LOG": level}))
            assert capsys.readouterr().err.count("a line\n") == count


def log_a_line_at_each_level(settings):
    with log_output.on_stderr(settings):
        for rank in (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG):
            events.WAITS.log(rank, "a line")


def test_log_lines_reach_a_terminal_as_text_and_without_secrets(capsys):
    with log_output.on_stderr(Settings({"NCBI_API_KEY": "s3cret-key"})):
        events.ROOT.error("one\x1b[2J\nwith s3cret-key")

    assert capsys.readouterr().err.splitlines() == ["one\\x1b[2J", "  with [hidden]"]


@pytest.mark.processes
def test_a_server_keeps_stdout_for_the_protocol():
    malformed = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": []}}
    *first, call = client_lines("tools/call", name="get_gene", arguments={"entrez_id": "NCBIGene:672"})
    ask = [*first, malformed, call]
    environment = {**os.environ, "BIOFACT_LOG": "debug"}
    command = [sys.executable, "-m", "biofact", "serve", "entrez", "--sandbox"]
    text = "".join(json.dumps(line) + "\n" for line in ask)

    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        server.stdin.write(text)
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for line in ask if "id" in line]
        rest, errors = server.communicate()

    assert answers[-1]["result"]["structuredContent"]["symbol"] == "BRCA1"
    assert rest == ""
    assert "biofact.requests: GET ncbi /esummary.fcgi: 200, " in errors
    assert "NCBIGene:672" not in errors
    assert " mcp.server.runner: dropped [hidden]: malformed params" in errors
