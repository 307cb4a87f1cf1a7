"""Colours appear on a terminal that has them, for a person who wants them; words appear on any terminal."""

import io
import re
import sys

import pytest

pytestmark = pytest.mark.quick

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = [("entrez", "get-gene", "--help"), ("find", "draw a molecule", "--format", "table")]
each_command = pytest.mark.parametrize(
    "words", [*COMMANDS, pytest.param(("--help",), marks=pytest.mark.sweep)], ids=" ".join
)

GREEK = ("find", "\N{GREEK SMALL LETTER ALPHA}-synuclein", "--format", "jsonl")


class Terminal(io.TextIOWrapper):
    """A terminal that stores bytes."""

    def isatty(self):
        return True


def show(monkeypatch, words, *, encoding="utf-8", stream=Terminal, **environment):
    """The bytes of a command's stdout."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", **environment}.items():
        monkeypatch.setenv(name, value)
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", stream(output, encoding=encoding, newline=""))
    monkeypatch.setattr(sys, "argv", ["biofact", *words])
    from biofact.__main__ import main  # noqa: PLC0415

    assert main() == 0
    sys.stdout.flush()
    return output.getvalue()


@each_command
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_there_are_no_colours_where_they_are_not_wanted(monkeypatch, words, environment):
    text = show(monkeypatch, words, **environment).decode()

    assert not re.search(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|38|48)", text)


@each_command
def test_a_terminal_has_colours_and_a_pipe_gets_the_words_alone(monkeypatch, words):
    pipe_output = show(monkeypatch, words, stream=io.TextIOWrapper).decode()
    terminal_output = show(monkeypatch, words).decode()

    assert ESCAPE.search(terminal_output)
    assert "\x1b" not in pipe_output
    assert pipe_output.split() == ESCAPE.sub("", terminal_output).split()


@each_command
def test_a_pipe_has_colours_when_forced(monkeypatch, words):
    assert ESCAPE.search(show(monkeypatch, words, stream=io.TextIOWrapper, FORCE_COLOR="1").decode())


@each_command
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_terminal_of_another_code_page_gets_what_it_can_show(monkeypatch, words, encoding):
    text = show(monkeypatch, words, encoding=encoding).decode(encoding)

    assert "biofact" in text


def test_a_letter_that_a_terminal_has_not_is_replaced(monkeypatch):
    text = show(monkeypatch, GREEK, encoding="cp1252").decode("cp1252")

    assert "?-synuclein" in text


def test_a_pipe_is_utf_8_with_any_code_page(monkeypatch):
    text = show(monkeypatch, GREEK, stream=io.TextIOWrapper, encoding="cp1252").decode()

    assert "\N{GREEK SMALL LETTER ALPHA}-synuclein" in text


def test_the_encoding_set_for_a_pipe_is_used(monkeypatch):
    output = show(monkeypatch, GREEK, stream=io.TextIOWrapper, encoding="ascii", PYTHONIOENCODING="ascii")

    assert "?-synuclein" in output.decode("ascii")
