"""The words after ``biofact serve`` that are parsed without the command line's library."""

import gc
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from biofact.core.usage import WrongUsage
from biofact.gateway.hosting import HostingOptions
from biofact.interfaces.mcp.server import gateway
from biofact.interfaces.serve import ServeOptions, parse_tokens, run
from tests.interfaces.ask import body, call_tools

pytestmark = pytest.mark.quick

# A suite in the background may have SIGINT ignored by all; a command that someone types has not.
SERVE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
SERVE += "import sys; from biofact.__main__ import main; sys.exit(main())"


def test_plain_words_are_understood(subtests):
    for words, expected in [
        ("", ServeOptions()),
        ("entrez", ServeOptions("entrez")),
        ("--sandbox", ServeOptions(sandbox=True)),
        ("--sandbox=box entrez", ServeOptions("entrez", sandbox=Path("box"))),
        ("entrez --http 127.0.0.1:8000 --sandbox", ServeOptions("entrez", True, HostingOptions("127.0.0.1:8000"))),
        ("--http [::1]:80 entrez", ServeOptions("entrez", http=HostingOptions("[::1]:80"))),
        (
            "--http [::]:80 --no-auth --workers 2 --url https://a.org --allow-host a --allow-host b --allow-origin o",
            ServeOptions(http=HostingOptions("[::]:80", "https://a.org", "2", True, ("a", "b"), ("o",))),
        ),
    ]:
        with subtests.test(words or "no words"):
            assert parse_tokens(words.split()) == expected


def test_help_and_mistakes_are_passed_to_the_command_line():
    texts = ["--help", "entrez ensembl", "--http", "--http --sandbox", "entrez -x", "--http=a", "--sandbox="]
    texts += ["--sandbox=no", "--no-auth", "--workers 2", "--http a:1 --url", "--http a:1 --allow-host --no-auth"]

    assert [words for words in texts if parse_tokens(words.split()) is not None] == []


def test_an_unknown_source_is_refused_with_the_known_ones():
    with pytest.raises(WrongUsage, match="There is no source 'gwas'") as error_info:
        run(ServeOptions("gwas"))

    assert "entrez" in error_info.value.hint
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(
            ["entrez", "--sandbox"],
            [
                "an MCP server with the source entrez, on the sandbox. Ctrl-C ends it.",
                "It waits for an MCP client on standard input; there is nothing to type here.",
                "biofact install --client claude-desktop,",
                "cursor",
            ],
            marks=pytest.mark.processes,
        ),
        pytest.param(
            ["--http", "127.0.0.1:0"],
            [
                "biofact: http://127.0.0.1:",
                "MCP clients of this machine find it at this address. Ctrl-C ends it.",
                "/ in a browser; Prometheus reads /metrics there.",
            ],
            marks=pytest.mark.processes,
        ),
    ],
)
def test_at_a_terminal_the_command_explains_itself_and_its_end(words, expected):
    our_end, their_end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, "serve", *words],
        stdin=their_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        lines = [server.stderr.readline() for _ in expected]
        server.send_signal(signal.SIGINT)
        out, rest = server.communicate()
    os.close(our_end)
    os.close(their_end)

    assert [text in line for text, line in zip(expected, lines, strict=True)] == [True] * len(expected)
    assert max(map(len, lines)) <= 100
    assert (server.returncode, out, rest) == (130, "", "")


def test_a_setting_that_cannot_be_read_fails_the_calls_that_need_it_and_no_others(monkeypatch):
    monkeypatch.setenv("BIOFACT_NCBI_URL", "nonsense")
    monkeypatch.setenv("BIOFACT_OFFLINE", "")
    calls = [("entrez_get_gene", {"entrez_id": "NCBIGene:672"}), ("igvf_list_sources", {})]
    failed, answer = map(body, call_tools(gateway(), calls))

    assert failed["error"]["code"] == "UPSTREAM_ERROR"
    assert "BIOFACT_NCBI_URL" in failed["error"]["recovery_hint"]
    assert "error" not in answer


@pytest.mark.processes
@pytest.mark.parametrize("words", [["serve"], ["entrez", "--help"]])
def test_a_python_without_docstrings_is_refused(words):
    run = subprocess.run([sys.executable, "-OO", "-m", "biofact", *words], capture_output=True, text=True, check=False)

    assert run.returncode == 2
    assert "python -OO strips" in run.stderr
    assert "PYTHONOPTIMIZE=1" in run.stderr
