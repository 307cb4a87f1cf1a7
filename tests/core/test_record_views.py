"""Results on a prompt and in a notebook: what is there, escaped, long lists cut with a count."""

import re
from html.parser import HTMLParser

import pytest

from biofact.core.envelopes import ErrorEnvelope, page
from biofact.core.errors import UnresolvedEntity
from biofact.core.records import Notice, Record, absent, absent_list
from biofact.sources.entrez.client import EntrezClient

pytestmark = pytest.mark.quick


class Protein(Record):
    id: str
    symbol: str
    name: str | None = absent()
    aliases: list[str] = absent_list()
    count: int = 0


class _Cells(HTMLParser):
    """The texts of cells, and the names of tags."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(text)

    def handle_starttag(self, tag, _):
        self.tags.append(tag)
        if tag in {"td", "th", "p"}:
            self.cells.append("")

    def handle_data(self, text):
        self.cells[-1] += text


def protein(number=1, **facts):
    return Protein(id=f"P:{number}", symbol=f"A{number}", **facts)


def test_a_repr_leaves_out_what_is_absent_and_keeps_zero():
    assert repr(protein()) == "Protein(id='P:1', symbol='A1', count=0)"


def test_a_repr_cuts_long_lists_with_a_count():
    assert repr(protein(aliases=list("abcdefghijkl"))).endswith("'i', 'j', ... 2 more], count=0)")
    assert repr(page([protein(n) for n in range(200)], 200, total=200)).count("Protein(") == 10


def test_a_record_is_a_table_of_the_fields_that_it_has():
    cells = _Cells(protein(aliases=["B", "C"])._repr_html_()).cells

    assert cells == ["id", "P:1", "symbol", "A1", "aliases", "B, C", "count", "0"]


def test_a_list_is_a_table_of_the_columns_that_a_row_has():
    answer = page([protein(), protein(2, name="second")], 2, total=7, notices=[Notice(code="ORDER", message="By ID.")])

    assert _Cells(answer._repr_html_()).cells == [
        *("id", "symbol", "count", "name"),
        *("P:1", "A1", "0", ""),
        *("P:2", "A2", "0", "second"),
        "2 of 7 rows; the cursor leads to the next.",
        "By ID.",
    ]


def test_a_long_list_is_cut_with_a_count():
    view = page([protein(n) for n in range(200)], 200, total=200)._repr_html_()

    assert view.count("<tr>") == 21
    assert _Cells(view).cells[-1] == "180 more rows"


def test_text_of_services_is_no_markup():
    hostile = "<script>alert(1)</script><img src=x onerror='a()'>&lt;"
    row = protein(name=hostile, aliases=[hostile, "b"])
    failure = ErrorEnvelope.of(UnresolvedEntity(hostile, hint=hostile), hostile)

    for view in (row._repr_html_(), page([row, failure], 2, total=2, notices=row.notices)._repr_html_()):
        parsed = _Cells(view)
        assert set(parsed.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
        assert hostile in parsed.cells
        assert not re.search("<script|<img", view)


def test_completion_shows_fields_and_what_users_call():
    names = [name for name in dir(protein()) if not name.startswith("_")]

    assert names == sorted(
        ["aliases", "count", "from_json", "id", "name", "notices", "provenance", "symbol", "to_frame", "to_json"]
    )


def test_completion_of_a_client_leaves_out_what_serves_biofact():
    names = dir(EntrezClient())

    assert "get_gene" in names
    assert "genes_named" not in names
