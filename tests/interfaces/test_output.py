"""What a person sees of an answer."""

import asyncio
import json

import pytest

from biofact.interfaces import output, progress
from biofact.interfaces.answer import Answer
from biofact.interfaces.usage import WrongUsage

PAGE = {
    "items": [{"id": "TOY:7", "name": "ball"}],
    "pagination": {"cursor": "abc", "total_count": 12, "page_size": 1},
    "notices": [{"code": "ASSUMED", "message": "A red one."}],
}


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")


def test_the_next_page_is_told(capsys):
    output.show(Answer(PAGE), "tsv")

    assert capsys.readouterr() == (
        "id\tname\nTOY:7\tball\n",
        "note: A red one.\n1 of 12; the next page: --cursor abc\n",
    )


def test_a_list_of_unknown_length_is_of_many(capsys):
    output.show(Answer(PAGE | {"pagination": {"cursor": "abc", "total_count": None, "page_size": 1}}), "tsv")

    assert "1 of many; the next page: --cursor abc" in capsys.readouterr().err


def test_a_note_on_an_item_says_which_it_is(capsys):
    noted = [
        {"id": "TOY:7", "notices": [{"code": "LIST_CUT", "message": "More parts (4)."}]},
        {"id": "TOY:8", "notices": [{"code": "LIST_CUT", "message": "More than TOY:81 has."}]},
        {"id": "TOY:9", "notices": [{"code": "REPLACED", "message": "TOY:1 was replaced by TOY:9."}]},
    ]
    output.show(Answer({"items": noted}), "tsv")

    assert capsys.readouterr().err.splitlines() == [
        "note: TOY:7: More parts (4).",
        "note: TOY:8: More than TOY:81 has.",
        "note: TOY:1 was replaced by TOY:9.",
    ]


def test_two_forms_at_once_are_refused():
    with pytest.raises(WrongUsage):
        output.form(json=True, tsv=True)


def test_json_holds_the_page_as_it_is(capsys):
    output.show(Answer(PAGE), "json")
    out, err = capsys.readouterr()

    assert json.loads(out) == PAGE
    assert err == ""


def test_every_answer_behind_a_record_is_named(capsys):
    read = {"from": "cache", "url": "toy://box", "retrieved_at": "2026-01-01T00:00:00Z"}
    also = {"from": "live", "url": "toy://shelf", "retrieved_at": "2026-01-02T00:00:00Z", "release": "9"}
    output.show(Answer({"id": "TOY:7"}, provenance=read | {"others": [also]}), "tsv", provenance=True)

    assert capsys.readouterr().err.splitlines() == [
        "cache: toy://box at 2026-01-01T00:00:00Z",
        "live: toy://shelf at 2026-01-02T00:00:00Z, release 9",
    ]


def test_a_cell_holds_no_tab_and_no_line_end():
    assert output.flat({"name": "a\tb\nc", "parts": ["x\ty", "z"]}) == {"name": "a b c", "parts": "x y|z"}


def test_objects_of_a_list_stand_in_one_cell_set_apart():
    forms = [{"id": "TOY:8", "name": "grey"}, {"id": "TOY:9", "parts": ["x", "y"]}]

    assert output.flat({"forms": forms}, ", ") == {"forms": "TOY:8; grey | TOY:9; x,y"}


def test_a_table_has_the_columns_that_fit():
    assert output.fitted({"id": 10, "name": 20, "summary": 500, "end": 8}) == {"id": 10, "name": 20, "summary": 26}
    assert output.fitted({"id": 10, "name": 40, "summary": 500, "end": 4}) == {"id": 10, "name": 40, "end": 4}
    assert output.fitted({"id": 99}) == {"id": 60}


def test_columns_that_do_not_fit_are_counted(capsys):
    output.write_rows([{"id": "TOY:7", "name": "n" * 52, "colour": "red", "weight": 1}], "table")

    assert capsys.readouterr().err == "note: the terminal is too narrow for 2 more columns; --json shows all.\n"


def test_one_column_that_does_not_fit_is_one(capsys):
    output.write_rows([{"id": "TOY:7", "name": "n" * 52, "colour": "red"}], "table")

    assert "too narrow for 1 more column;" in capsys.readouterr().err


def shown(seconds, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    async def work():
        async with progress.shown("asking the services"):
            await asyncio.sleep(seconds)

    asyncio.run(work())


def test_what_takes_long_shows_a_sign_of_life(capsys, monkeypatch):
    shown(0.3, monkeypatch)

    assert "asking the services" in capsys.readouterr().err


def test_what_is_quick_shows_nothing(capsys, monkeypatch):
    shown(0, monkeypatch)

    assert capsys.readouterr().err == ""
