"""Words of others reach a terminal as text: names, notices and failures that contain control sequences."""

import ast
import json
import re
import sys
import unicodedata
from dataclasses import dataclass, replace

import pytest

from biofact.interfaces import terminal
from biofact.interfaces.cli import app as cli
from biofact.interfaces.cli import writers
from biofact.interfaces.cli.rows import flat
from biofact.interfaces.cli.writers import write_grid
from biofact.sandbox import Fault, Sandbox, services
from tests.interfaces.terminal import at_a_terminal
from tests.package_source import PACKAGE, calls

pytestmark = pytest.mark.quick

CLEAR, TITLE, OVERRIDE, ISOLATE, OVERWRITE = "\x1b[2J", "\x1b]0;owned\x07", "\u202e", "\u2066", "\r\x9b1A\x08"
HOSTILE = f" {CLEAR}{TITLE}{OVERRIDE}{ISOLATE}{OVERWRITE}[bold]:dna: note: forged"
ALLOWED_IN_XML = f" {OVERRIDE}{ISOLATE}\x9b1A[bold]:dna: note: forged"
# Invisible, but part of how Persian, Indic languages and emoji are written; and marks that are seen.
SPELLING = {"\u00ad", "\u200c", "\u200d"}
VISIBLE = {"\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2", *map(chr, range(0x600, 0x606))}


def commands(text):
    """All control characters in a text, by Unicode's own classes."""
    kinds = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    return {letter for letter in text if unicodedata.category(letter) in kinds} - SPELLING - VISIBLE - {"\n", "\t"}


def test_every_control_character_of_terminals_is_written_out():
    controls = commands(map(chr, range(sys.maxunicode + 1)))

    assert {letter for letter in controls if terminal.plain(letter) == letter} == set()
    assert terminal.plain("\x1b[1m\u202eabc\x7f\U000e0041") == r"\x1b[1m\u202eabc\x7f\U000e0041"


def test_texts_in_any_script_stay(subtests):
    persian = "\u0646\u0627\u0645\u200c\u0647\u0627"

    for text in ("Müller\t漢字\n", persian, "👩\u200d🔬", "葛\U000e0100", "co\u00adoperate"):
        with subtests.test(ascii(text)):
            assert terminal.plain(text) == text
            assert terminal.plain_json(json.dumps(text, ensure_ascii=False)) == json.dumps(text, ensure_ascii=False)


def test_json_for_a_terminal_holds_the_same():
    value = {f"k{OVERRIDE}": [HOSTILE, "\U000e0041", "\x7f"]}
    output = terminal.plain_json(json.dumps(value, ensure_ascii=False))

    assert json.loads(output) == value
    assert commands(output) == set()


def test_json_is_escaped_at_a_terminal_and_whole_in_a_pipe(capsys, monkeypatch):
    terminal.write_json({"name": HOSTILE})
    pipe_output = capsys.readouterr().out
    at_a_terminal(monkeypatch)
    terminal.write_json({"name": HOSTILE})
    terminal_output = capsys.readouterr().out

    assert OVERRIDE in pipe_output
    assert commands(terminal_output) == set()
    assert json.loads(terminal_output) == json.loads(pipe_output) == {"name": HOSTILE}


@pytest.mark.parametrize(
    "write", [lambda: writers.write_rows([{"id": HOSTILE}]), lambda: write_grid(flat({"id": HOSTILE}))]
)
def test_a_table_holds_what_is_written_and_no_markup(write, capsys, monkeypatch):
    at_a_terminal(monkeypatch)

    write()
    output = capsys.readouterr().out

    assert terminal.plain(" ".join(HOSTILE.split())) in output
    assert commands(output) == set()


def test_a_line_on_standard_error_is_one_line(capsys):
    terminal.write_messages([f"note: first\nerror: forged\u2028hint: forged{CLEAR}"])

    assert capsys.readouterr().err == "note: first error: forged hint: forged\\x1b[2J\n"


@dataclass
class Hostile:
    """A stand-in whose texts of several words end in commands to a terminal."""

    behind: object

    @property
    def service(self):
        return self.behind.service

    def reply(self, ask):
        reply = self.behind.reply(ask)
        if reply is None:
            return None
        body = reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)
        if body[:1] in b"{[":
            return replace(reply, body=json.dumps(spoil(json.loads(body))).encode())
        text = re.sub(r"(?<=>)([^<>\n]*\w \w[^<>\n]*)(?=<)", rf"\1{ALLOWED_IN_XML}", body.decode())
        return replace(reply, body=text.encode())


def spoil(value):
    if isinstance(value, dict):
        return {name: spoil(item) for name, item in value.items()}
    if isinstance(value, list):
        return [spoil(item) for item in value]
    return value + HOSTILE if isinstance(value, str) and " " in value.strip() else value


@pytest.fixture(scope="module")
def sandbox():
    """A sandbox in a thread of its own."""
    hostile = Sandbox(stand_ins=[Hostile(stand_in) for stand_in in services.stand_ins()], rate_factor=100)
    with hostile as running_sandbox:
        yield running_sandbox


@pytest.fixture(autouse=True)
def _settings(request, monkeypatch):
    if "sandbox" in request.fixturenames:
        monkeypatch.setenv("BIOFACT_OFFLINE", "")
        for name, value in request.getfixturevalue("sandbox").environment().items():
            monkeypatch.setenv(name, value)


FORMS = [(), *(("--format", name) for name in ("tsv", "csv", "jsonl", "json"))]
COMMANDS = [
    ("entrez", "get-gene", "NCBIGene:672"),
    ("pubmed", "get-articles", "PMID:99000022"),
]
"""A command that reads JSON, and one that reads XML."""
FURTHER_COMMANDS = [
    ("chembl", "find-compounds-for-target", "UniProtKB:P00533"),
    ("igvf", "get-entity", "phenylketonuria"),
    ("entrez", "search-genes", "BRCA1"),
    ("chembl", "get-compound", "CHEMBL:941"),
    ("igvf", "find-associations", "BRCA1", "regulatory"),
]


@pytest.mark.parametrize(
    "command_lines",
    [pytest.param(COMMANDS, id="some"), pytest.param(FURTHER_COMMANDS, id="others", marks=pytest.mark.sweep)],
)
def test_texts_of_services_are_plain_at_a_terminal(command_lines, sandbox, capsys, monkeypatch, subtests):
    pipe_outputs = {words: run(capsys, *words) for words in command_lines}
    at_a_terminal(monkeypatch)

    for words in command_lines:
        with subtests.test(" ".join(words)):
            terminal_outputs = [run(capsys, *words, "--provenance", *form) for form in FORMS]
            assert OVERRIDE in pipe_outputs[words], "nothing hostile came"
            assert [text for text in terminal_outputs if commands(text)] == []
            # a table cuts what is long
            assert [text for text in terminal_outputs[1:] if r"\u202e" not in text or "[bold]:dna:" not in text] == []
            assert (
                json.loads(terminal_outputs[-1].partition("\nnote:")[0]).items()
                >= normalized(json.loads(pipe_outputs[words])).items()
            )


def run(capsys, *words):
    """All output of a command."""
    assert cli.run(words) == 0
    output = capsys.readouterr()
    return output.out + output.err


def normalized(answer):
    return {name: value for name, value in answer.items() if name not in {"notices", "items"}}


def test_a_refusal_in_the_words_of_a_service_is_text(sandbox, capsys, monkeypatch, subtests):
    body = json.dumps({"error": f"No gene{HOSTILE}"}).encode()
    sandbox.faults.set(Fault("status", service="ensembl", status=418, body=body, times=None))
    at_a_terminal(monkeypatch)

    for form in FORMS:
        with subtests.test(" ".join(form) or "a table"):
            code = cli.run(("ensembl", "get-gene", "ENSG00000012048", *form))
            output = capsys.readouterr()
            assert code == 1
            assert commands(output.out + output.err) == set()
            assert [line.partition(":")[0] for line in output.err.splitlines()] == ["error", "hint"]
    sandbox.faults.clear()


def test_nothing_else_writes_to_a_terminal():
    """No module uses print, the standard streams, or a console: all output passes through ``terminal``."""
    allowed = {
        PACKAGE / "interfaces" / "terminal.py",
        PACKAGE / "sandbox" / "sandbox.py",
    }  # the latter has no words of others
    outputs = {
        f"{file.relative_to(PACKAGE)}:{call.lineno}"
        for file, call in calls("print", "Console", "stdout", "stderr")
        if file not in allowed and is_writing(call)
    }

    assert outputs == set()


def is_writing(call):
    if isinstance(call.func, ast.Name):
        return call.func.id in {"print", "Console"}
    return bool(re.match(r"sys\.(stdout|stderr)\b.*\bwrite", ast.unparse(call.func)))
