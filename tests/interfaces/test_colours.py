"""Colours are for a terminal that has them and a person who wants them; words arrive on any terminal."""

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
    """What a person looks at."""

    def isatty(self):
        return True


def shown(monkeypatch, words, *, encoding="utf-8", stream=Terminal, **environment):
    """What a command writes on stdout, byte by byte."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", **environment}.items():
        monkeypatch.setenv(name, value)
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", stream(written, encoding=encoding, newline=""))
    monkeypatch.setattr(sys, "argv", ["biofact", *words])
    from biofact.__main__ import main  # noqa: PLC0415

    assert main() == 0
    sys.stdout.flush()
    return written.getvalue()


@each_command
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_none_where_nobody_wants_them(monkeypatch, words, environment):
    text = shown(monkeypatch, words, **environment).decode()

    assert not re.search(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|38|48)", text)


@each_command
def test_a_terminal_has_colours_and_a_pipe_gets_the_words_alone(monkeypatch, words):
    piped = shown(monkeypatch, words, stream=io.TextIOWrapper).decode()
    coloured = shown(monkeypatch, words).decode()

    assert ESCAPE.search(coloured)
    assert "\x1b" not in piped
    assert piped.split() == ESCAPE.sub("", coloured).split()


@each_command
def test_a_pipe_has_colours_when_forced(monkeypatch, words):
    assert ESCAPE.search(shown(monkeypatch, words, stream=io.TextIOWrapper, FORCE_COLOR="1").decode())


@each_command
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_terminal_of_another_code_page_gets_what_it_can_show(monkeypatch, words, encoding):
    text = shown(monkeypatch, words, encoding=encoding).decode(encoding)

    assert "biofact" in text


def test_a_letter_that_a_terminal_has_not_is_replaced(monkeypatch):
    text = shown(monkeypatch, GREEK, encoding="cp1252").decode("cp1252")

    assert "?-synuclein" in text


def test_a_pipe_is_of_utf_8_whatever_the_code_page(monkeypatch):
    text = shown(monkeypatch, GREEK, stream=io.TextIOWrapper, encoding="cp1252").decode()

    assert "\N{GREEK SMALL LETTER ALPHA}-synuclein" in text


def test_who_sets_the_encoding_of_a_pipe_has_it(monkeypatch):
    written = shown(monkeypatch, GREEK, stream=io.TextIOWrapper, encoding="ascii", PYTHONIOENCODING="ascii")

    assert "?-synuclein" in written.decode("ascii")
