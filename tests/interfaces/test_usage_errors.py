"""A mistake in the words of a command is reported in two lines, and the exit code is 2."""

import pytest

from tests.interfaces.terminal import run

pytestmark = pytest.mark.quick

COMMANDS = "The commands are search-toys, get-toy, get-toys-batch, break-toy, draw, photograph, wreck."

OPTIONS = (
    "The options are --slim, --no-slim, --format, --output, --columns, --no-header, --allow-failed-rows, --provenance,"
    " --sandbox, --column, --sheet, --join, --no-join."
)


MISTAKES = [
    (
        "toy get-toy",
        "biofact toy get-toy needs TOY_ID.",
        "Give TOY_ID: like TOY:7; any number, a table (see --column), @FILE with one a line, or - (standard input).",
    ),
    (
        "toy get-toys-batch",
        "biofact toy get-toys-batch needs TOY_IDS.",
        "Give TOY_IDS: like TOY:7; any number, a table (see --column), @FILE with one a line, or - (standard input).",
    ),
    (
        "toy search-toys",
        "biofact toy search-toys needs QUERY.",
        "Give QUERY: what to look for, in one or more words.",
    ),
    (
        "toy get-toy TOY:7 --slin",
        "biofact toy get-toy has no option '--slin'.",
        f"Did you mean --slim? {OPTIONS}",
    ),
    (
        "toy search-toys toys --page-size many",
        "--page-size cannot be 'many'.",
        "Give --page-size as a whole number.",
    ),
    ("toy search-toys toys --page-size", "--page-size needs a value.", "See biofact toy search-toys --help."),
    (
        "toy search-toys toys --page-size 1 --page-size 2",
        "--page-size is given more than once.",
        "See biofact toy search-toys --help.",
    ),
    (
        "toy get-toys",
        "biofact toy has no command 'get-toys'.",
        f"Did you mean get-toy? {COMMANDS}",
    ),
    (
        "toy --format tsv get-toy TOY:7",
        "biofact toy needs a command before '--format'.",
        COMMANDS,
    ),
    (
        "robot",
        "biofact has no command 'robot'.",
        (
            "The commands are serve, install, token, sandbox, demo, doctor, cache, find, completion, literature, "
            "corpus, toy, doll."
        ),
    ),
    ("cache", "biofact cache needs ACTION.", "Give ACTION: stats shows what is kept, clear deletes it."),
    ("cache count", "ACTION cannot be 'count'.", "Give ACTION as one of stats, clear."),
    ("doctor now", "biofact doctor does not take 'now'.", "See biofact doctor --help."),
    (
        "toy get-toy TOY:7 --format json --format tsv",
        "--format is given more than once.",
        "See biofact toy get-toy --help.",
    ),
    ("toy get-toy TOY:7 --json", "biofact toy get-toy has no option '--json'.", "Write --format json."),
    ("toy search-toys toys --tsv", "biofact toy search-toys has no option '--tsv'.", "Write --format tsv."),
    ("cache stats --json", "biofact cache has no option '--json'.", "Write --format json."),
    (
        "toy get-toy TOY:7 --format xml",
        "--format cannot be 'xml'.",
        "Give --format as one of table, tsv, csv, xlsx, parquet, jsonl, json.",
    ),
]


def test_a_mistake_is_two_lines(capsys):
    results = [(words, *run(capsys, *words.split())) for words, _, _ in MISTAKES]

    assert results == [(words, 2, "", f"error: {message}\nhint: {hint}\n") for words, message, hint in MISTAKES]


def test_a_mistake_with_a_line_end_stays_two_lines(capsys):
    code, _, err = run(capsys, "toy", "get-toy\nnow")

    assert code == 2
    assert len(err.splitlines()) == 2
