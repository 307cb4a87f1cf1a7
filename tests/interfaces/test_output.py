"""What a person sees of an answer."""

import asyncio
import json
import re

import pytest

from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import output, progress
from biofact.interfaces.usage import WrongUsage
from tests import virtual_time

PAGE = {
    "items": [{"id": "TOY:7", "name": "ball"}],
    "pagination": {"cursor": "abc", "total_count": 12, "page_size": 1},
    "notices": [{"code": "ASSUMED", "message": "A red one."}],
}

SHELF = {
    "shelf": "top",
    "toys": [{"id": "TOY:7", "name": "ball", "parts": ["skin", "air"]}, {"id": "TOY:8", "name": "doll"}],
    "boxes": [{"lid": "red", "id": "BOX:1", "end": 9, "start": 3}],
    "gaps": [{"width": 3}],
    "notices": [{"code": "ASSUMED", "message": "From the left."}],
}


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")


def test_the_next_page_is_told(capsys):
    output.show(ToolAnswer(PAGE), "tsv")

    assert capsys.readouterr() == (
        "id\tname\nTOY:7\tball\n",
        "note: A red one.\n1 of 12; the next page: --cursor abc\n",
    )


def test_a_list_of_unknown_length_is_of_many(capsys):
    output.show(ToolAnswer(PAGE | {"pagination": {"cursor": "abc", "total_count": None, "page_size": 1}}), "tsv")

    assert "1 of many; the next page: --cursor abc" in capsys.readouterr().err


def test_a_note_on_an_item_says_which_it_is(capsys):
    noted = [
        {"id": "TOY:7", "notices": [{"code": "LIST_CUT", "message": "More parts (4)."}]},
        {"id": "TOY:8", "notices": [{"code": "LIST_CUT", "message": "More than TOY:81 has."}]},
        {"id": "TOY:9", "notices": [{"code": "REPLACED", "message": "TOY:1 was replaced by TOY:9."}]},
    ]
    output.show(ToolAnswer({"items": noted}), "tsv")

    assert capsys.readouterr().err.splitlines() == [
        "note: TOY:7: More parts (4).",
        "note: TOY:8: More than TOY:81 has.",
        "note: TOY:1 was replaced by TOY:9.",
    ]


def test_several_lists_become_lines_that_name_their_list(capsys):
    code = output.show(ToolAnswer(SHELF), "tsv")
    out, err = capsys.readouterr()

    assert code == 0
    assert out.splitlines() == [
        "id\tlist\tname\tstart\tend\tparts\tlid",
        "TOY:7\ttoys\tball\t\t\tskin|air\t",
        "TOY:8\ttoys\tdoll\t\t\t\t",
        "BOX:1\tboxes\t\t3\t9\t\tred",
    ]
    assert err == "note: From the left.\n"


def test_several_lists_become_one_table(capsys):
    output.show(ToolAnswer(SHELF), "table")

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["id", "list", "name", "start", "end", "parts", "lid"],
        ["TOY:7", "toys", "ball", "skin,", "air"],
        ["TOY:8", "toys", "doll"],
        ["BOX:1", "boxes", "3", "9", "red"],
    ]


def test_an_empty_list_beside_another_adds_no_line(capsys):
    output.show(ToolAnswer(SHELF | {"toys": []}), "tsv")

    assert capsys.readouterr().out.splitlines() == ["id\tlist\tstart\tend\tlid", "BOX:1\tboxes\t3\t9\tred"]


def test_a_record_with_lists_of_records_is_one_line(capsys):
    output.show(ToolAnswer({"id": "BOX:1", "toys": [{"id": "TOY:7"}, {"id": "TOY:8"}]}), "tsv")

    assert capsys.readouterr().out == "id\ttoys\nBOX:1\tTOY:7 | TOY:8\n"


def test_lists_of_what_has_no_id_are_no_lines(capsys):
    output.show(ToolAnswer({"shelf": "top", "labels": ["a", "b"], "gaps": [{"width": 3}, {"width": 4}]}), "tsv")

    assert capsys.readouterr().out == "shelf\tlabels\tgaps\ntop\ta|b\t3 | 4\n"


def test_json_keeps_several_lists_as_they_are(capsys):
    output.show(ToolAnswer(SHELF), "json")

    assert json.loads(capsys.readouterr().out) == SHELF


def test_lists_that_are_all_empty_still_say_where_nothing_is(capsys):
    code = output.show(ToolAnswer({"shelf": "top", "toys": [], "boxes": []}), "table")

    assert code == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["shelf", "top"], ["toys"], ["boxes"]]


def test_a_note_on_a_row_of_several_lists_is_told(capsys):
    noted = {"id": "TOY:9", "notices": [{"code": "LIST_CUT", "message": "More parts (4)."}]}
    output.show(ToolAnswer({"toys": [noted], "boxes": []}), "tsv")

    assert capsys.readouterr().err == "note: TOY:9: More parts (4).\n"


def test_two_forms_at_once_are_refused():
    with pytest.raises(WrongUsage):
        output.form(json=True, tsv=True)


def test_json_holds_the_page_as_it_is(capsys):
    output.show(ToolAnswer(PAGE), "json")
    out, err = capsys.readouterr()

    assert json.loads(out) == PAGE
    assert err == ""


def test_every_answer_behind_a_record_is_named(capsys):
    read = {"from": "cache", "url": "toy://box", "retrieved_at": "2026-01-01T00:00:00Z"}
    also = {"from": "live", "url": "toy://shelf", "retrieved_at": "2026-01-02T00:00:00Z", "release": "9"}
    output.show(ToolAnswer({"id": "TOY:7"}, provenance=read | {"others": [also]}), "tsv", provenance=True)

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

    assert capsys.readouterr().err == "note: the terminal is too narrow for 2 more columns; --format json shows all.\n"


def test_one_column_that_does_not_fit_is_one(capsys):
    output.write_rows([{"id": "TOY:7", "name": "n" * 52, "colour": "red"}], "table")

    assert "too narrow for 1 more column;" in capsys.readouterr().err


def shown(seconds, monkeypatch, *far):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    async def work():
        async with progress.shown("asking the services", *far):
            await asyncio.sleep(seconds)

    virtual_time.run(work())


def test_what_takes_long_shows_a_sign_of_life(capsys, monkeypatch):
    shown(progress.PATIENCE_SECONDS + 1, monkeypatch)

    assert "asking the services" in capsys.readouterr().err


@pytest.mark.parametrize(("done", "share"), [(0, 0), (25, 0.25), (50, 0.5)])
def test_what_is_of_many_shows_how_much_is_done(capsys, monkeypatch, done, share):
    shown(progress.PATIENCE_SECONDS + 1, monkeypatch, done, 100)
    bar = re.findall(r"asking the services ([^\r\n]*)", capsys.readouterr().err)[-1]

    parts = [part.count("\u2501") for part in re.findall(r"\x1b\[9\dm([^\x1b]*)", bar)]
    assert (parts[0] if len(parts) > 1 else 0) == round(share * 32)


def test_what_is_quick_shows_nothing(capsys, monkeypatch):
    shown(0, monkeypatch)

    assert capsys.readouterr().err == ""
