"""The files of starter facts."""

from biofact.sandbox.dialects import starter


def test_comments_and_empty_lines_are_left_out():
    file = ("biofact.sandbox.services.entrez", "history.tsv")

    assert starter.text(*file).startswith("#")
    lines = list(starter.lines(*file))
    assert lines
    assert all(line[0].isdecimal() for line in lines)
