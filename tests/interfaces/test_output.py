"""An answer as a person sees it."""

import asyncio
import json
import re
from typing import Any, ClassVar

import pytest

from biofact.core import call
from biofact.core.envelopes import Pagination, PaginationEnvelope
from biofact.core.records import Notice, Provenance, Record, Result, absent_list
from biofact.core.tool import Query, tool
from biofact.core.xrefs import CrossReferences
from biofact.interfaces.cli import progress
from biofact.interfaces.cli.rows import flat
from biofact.interfaces.cli.writers import fit_columns
from biofact.protocol.client import LifeSciencesClient
from tests import virtual_time
from tests.interfaces.terminal import run
from tests.interfaces.toy import Box, Shelf, Toy, ToyBox

pytestmark = pytest.mark.quick

FIRST_ORIGIN = {"source": "toy", "url": "toy://box", "retrieved_at": "2026-01-01T00:00:00Z", "origin": "cache"}
SECOND_ORIGIN = {"url": "toy://shelf", "retrieved_at": "2026-01-02T00:00:00Z", "origin": "live", "release": "9"}


class Case(Record):
    """A box with toys in it."""

    id: str
    toys: list[Toy] = absent_list()


class Census(Result):
    """A count."""

    shelf: str
    labels: list[str]


class AnswerClient(LifeSciencesClient):
    """Answers every call with the result that a test has set."""

    source_name = "answer"
    title = "Answers"
    services = ()
    answers: ClassVar[dict[str, Any]] = {}

    @tool
    async def find_toys(self, query: Query, cursor: str | None = None) -> PaginationEnvelope[Toy]:
        """Find toys."""
        return self.answers["find_toys"]

    @tool
    async def get_case(self) -> Case:
        """Describe a case."""
        call.current().answers += [Provenance(**FIRST_ORIGIN), Provenance(**FIRST_ORIGIN | SECOND_ORIGIN)]
        return self.answers["get_case"]

    @tool
    async def count(self) -> Census:
        """Count."""
        return self.answers["count"]

    @tool
    async def look(self) -> Shelf:
        """Look at a shelf."""
        return self.answers["look"]


class AnswerBox(ToyBox):
    """The catalog of answers."""

    clients: ClassVar = {"answer": AnswerClient}


def show(capsys, monkeypatch, answer, *options):
    """Exit code, stdout and stderr of the command whose tool returns this answer."""
    monkeypatch.setattr("tests.interfaces.terminal.TOYS", AnswerBox())
    tools = {PaginationEnvelope[Toy]: "find_toys", Case: "get_case", Census: "count", Shelf: "look"}
    name = tools[type(answer)]
    monkeypatch.setitem(AnswerClient.answers, name, answer)
    return run(capsys, "answer", name.replace("_", "-"), *(["any toy"] if name == "find_toys" else []), *options)


def page(*toys, cursor=None, total=None, notices=()):
    pagination = Pagination(cursor=cursor, total_count=total, page_size=len(toys))
    notes = [Notice(code="QUERY_UNDERSTOOD", message=message) for message in notices]
    return PaginationEnvelope[Toy](items=list(toys), pagination=pagination, notices=notes)


def toy(number, *notices, name="ball", **facts):
    notes = [Notice(code=code, message=message) for code, message in notices]
    return Toy(id=f"TOY:{number}", name=name, notices=notes, **facts)


SHELF = Shelf(
    shelf="top",
    toys=[toy(7, parts=["skin", "air"]), toy(8, name="doll")],
    boxes=[Box(id="BOX:1", toys=["TOY:7", "TOY:8"])],
    notices=[Notice(code="QUERY_UNDERSTOOD", message="From the left.")],
)
TSV = ("--format", "tsv")
TABLE = ("--format", "table")


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")


def test_the_next_page_is_offered(capsys, monkeypatch):
    answer = page(toy(7), cursor="abc", total=12, notices=["A red one."])

    code, out, err = show(capsys, monkeypatch, answer, *TSV, "--columns", "id,name")

    assert (code, out) == (0, "id\tname\nTOY:7\tball\n")
    assert err == "note: A red one.\n1 of 12; all of them: --all; the next page: --cursor abc\n"


def test_a_list_of_unknown_length_is_of_many(capsys, monkeypatch):
    _, _, err = show(capsys, monkeypatch, page(toy(7), cursor="abc"), *TSV)

    assert err == "1 of many; all of them: --all; the next page: --cursor abc\n"


def test_a_note_on_an_item_says_which_it_is(capsys, monkeypatch):
    toys = [
        toy(7, ("LIST_CUT", "More parts (4).")),
        toy(8, ("LIST_CUT", "More than TOY:81 has.")),
        toy(9, ("REPLACED", "TOY:1 was replaced by TOY:9.")),
    ]

    assert show(capsys, monkeypatch, page(*toys), *TSV)[2].splitlines() == [
        "note: TOY:7: More parts (4).",
        "note: TOY:8: More than TOY:81 has.",
        "note: TOY:1 was replaced by TOY:9.",
    ]


def test_a_few_notes_of_a_kind_are_shown_and_the_others_counted(capsys, monkeypatch):
    toys = [toy(number, ("LIST_CUT", "More parts.")) for number in range(20)]
    toys += [toy(20, ("REPLACED", "TOY:1 was replaced by TOY:20."))]

    assert show(capsys, monkeypatch, page(*toys), *TSV)[2].splitlines() == [
        *(f"note: TOY:{number}: More parts." for number in range(5)),
        "note: 15 more notes of this kind (LIST_CUT); --format json has them all.",
        "note: TOY:1 was replaced by TOY:20.",
    ]


def test_several_lists_become_lines_that_name_their_list(capsys, monkeypatch):
    code, out, err = show(capsys, monkeypatch, SHELF, *TSV, "--columns", "list,id,name,parts,toys")

    assert code == 0
    assert out.splitlines() == [
        "list\tid\tname\tparts\ttoys",
        "toys\tTOY:7\tball\tskin|air\t",
        "toys\tTOY:8\tdoll\t\t",
        "boxes\tBOX:1\t\t\tTOY:7|TOY:8",
    ]
    assert err == "shelf: top\nnote: From the left.\n"


def test_several_lists_become_one_table(capsys, monkeypatch):
    _, out, _ = show(capsys, monkeypatch, SHELF, *TABLE)

    assert [line.split() for line in out.splitlines()] == [
        ["list", "id", "name", "parts", "toys"],
        ["toys", "TOY:7", "ball", "skin,", "air"],
        ["toys", "TOY:8", "doll"],
        ["boxes", "BOX:1", "TOY:7,", "TOY:8"],
    ]


def test_lists_that_are_all_empty_have_the_same_header_and_say_where_nothing_is(capsys, monkeypatch):
    header = show(capsys, monkeypatch, SHELF, *TSV)[1].splitlines()[0]

    code, out, err = show(capsys, monkeypatch, Shelf(shelf="top", toys=[], boxes=[]), *TSV)

    assert (code, out, err) == (0, f"{header}\n", "shelf: top\n")


def test_a_record_with_lists_of_records_is_one_line(capsys, monkeypatch):
    _, out, _ = show(capsys, monkeypatch, Case(id="BOX:1", toys=[toy(7), toy(8, name="doll")]), *TSV)

    assert out == "id\ttoys\nBOX:1\tTOY:7; ball | TOY:8; doll\n"


def test_a_record_with_lists_of_records_at_a_terminal_has_a_line_for_each(capsys, monkeypatch):
    ball = toy(7, cross_references=CrossReferences(hgnc="HGNC:7"))
    _, out, _ = show(capsys, monkeypatch, Case(id="BOX:1", toys=[ball, toy(8, name="doll")]), *TABLE)

    assert [line.rstrip() for line in out.splitlines()] == [
        "id    BOX:1",
        "toys  - id TOY:7; name ball; cross_references.hgnc HGNC:7",
        "      - id TOY:8; name doll",
    ]


def test_lists_of_what_has_no_id_are_no_lines(capsys, monkeypatch):
    _, out, _ = show(capsys, monkeypatch, Census(shelf="top", labels=["a", "b"]), *TSV)

    assert out == "shelf\tlabels\ntop\ta|b\n"


def test_json_keeps_several_lists_as_they_are(capsys, monkeypatch):
    _, out, err = show(capsys, monkeypatch, SHELF, "--format", "json")
    document = json.loads(out)

    assert set(document) == {"shelf", "toys", "boxes", "notices"}
    assert [item["id"] for item in document["toys"]] == ["TOY:7", "TOY:8"]
    assert err == ""


def test_a_note_on_a_row_of_several_lists_is_shown(capsys, monkeypatch):
    item = toy(9, ("LIST_CUT", "More parts (4)."))

    _, _, err = show(capsys, monkeypatch, Shelf(shelf="top", toys=[item, toy(8)]), *TSV)

    assert err == "shelf: top\nnote: TOY:9: More parts (4).\n"


def test_json_holds_the_page_as_it_is_and_its_notes_once(capsys, monkeypatch):
    answer = page(toy(7), cursor="abc", total=12, notices=["A red one."])

    _, out, err = show(capsys, monkeypatch, answer, "--format", "json")

    assert json.loads(out) == json.loads(answer.model_dump_json(by_alias=True))
    assert err == ""


def test_every_answer_behind_a_record_is_named(capsys, monkeypatch):
    _, _, err = show(capsys, monkeypatch, Case(id="BOX:1"), *TSV, "--provenance")

    assert err.splitlines() == [
        "cache: toy://box at 2026-01-01T00:00:00Z",
        "live: toy://shelf at 2026-01-02T00:00:00Z, release 9",
    ]


def test_a_cell_holds_no_tab_and_no_line_end(capsys, monkeypatch):
    _, out, _ = show(capsys, monkeypatch, page(toy(7, name="a\tb\nc", parts=["x\ty", "z"])), *TSV)

    assert [line.split("\t")[:4] for line in out.splitlines()[1:]] == [["TOY:7", "a b c", "", "x y|z"]]


def test_objects_of_a_list_stand_in_one_cell_set_apart():
    forms = [{"id": "TOY:8", "name": "grey"}, {"id": "TOY:9", "parts": ["x", "y"]}]

    assert flat({"forms": forms}, ", ") == {"forms": "TOY:8; grey | TOY:9; x,y"}


def row(**widths):
    """A row with texts of these lengths."""
    return {name: "x" * width for name, width in widths.items()}


def widths(rows, leading, room=60):
    return dict(fit_columns(rows, list(rows[0]), leading, room).widths)


def test_a_table_shows_its_leading_columns_before_others_that_would_fit():
    assert widths([row(id=10, name=20, weight=20, end=8)], ["id", "end"]) == {"id": 10, "end": 8, "name": 20}


def test_long_leading_columns_are_cut_to_make_room_for_more():
    columns = widths([row(id=10, name=40, summary=500)], ["id", "name", "summary"])

    assert list(columns) == ["id", "name", "summary"]
    assert sum(columns.values()) + 4 == 60
    assert widths([row(id=99)], ["id"]) == {"id": 60}


def test_values_common_to_all_rows_are_shown_below_if_there_is_no_room():
    rows = [{"id": f"TOY:{number}", "name": "n" * 40, "maker": "m" * 30} for number in range(3)]

    narrow = fit_columns(rows, ["id", "name", "maker"], ["id", "name", "maker"], 60)
    with_room = fit_columns(rows, ["id", "name", "maker"], ["id", "name", "maker"], 80)

    assert list(narrow.widths) == ["id"]
    assert narrow.constants == {"name": "n" * 40, "maker": "m" * 30}
    assert list(with_room.widths) == ["id", "name", "maker"]


def test_columns_that_do_not_fit_are_counted(capsys, monkeypatch):
    _, _, err = show(capsys, monkeypatch, page(toy(7, name="n" * 52, colour="red", weight=1)), *TABLE)

    assert err == "note: the terminal is too narrow for 2 more columns; --format tsv shows all.\n"


def test_one_column_that_does_not_fit_is_one(capsys, monkeypatch):
    _, _, err = show(capsys, monkeypatch, page(toy(7, name="n" * 52, colour="red")), *TABLE)

    assert "too narrow for 1 more column;" in err


def wait_at_terminal(seconds, monkeypatch, done=0, total=None):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    async def work():
        async with progress.show_activity("asking the services", total) as advance:
            advance(done)
            await asyncio.sleep(seconds)

    virtual_time.run(work())


def test_a_long_call_shows_a_sign_of_life(capsys, monkeypatch):
    wait_at_terminal(progress.PATIENCE_SECONDS + 1, monkeypatch)

    assert "asking the services" in capsys.readouterr().err


def test_a_call_with_a_total_shows_its_share(capsys, monkeypatch, subtests):
    for done, share in [(0, 0), (25, 0.25), (50, 0.5)]:
        with subtests.test(f"{done} of 100"):
            wait_at_terminal(progress.PATIENCE_SECONDS + 1, monkeypatch, done, 100)
            bar = re.findall(r"asking the services ([^\r\n]*)", capsys.readouterr().err)[-1]
            parts = [part.count("\u2501") for part in re.findall(r"\x1b\[9\dm([^\x1b]*)", bar)]
            assert (parts[0] if len(parts) > 1 else 0) == round(share * 16)
            assert f"{done}/100" in bar


def test_a_quick_call_shows_nothing(capsys, monkeypatch):
    wait_at_terminal(0, monkeypatch)

    assert capsys.readouterr().err == ""
