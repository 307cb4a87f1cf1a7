"""Tables of a JSON service: the match of a row, the order of rows, and the fields of a row in an answer."""

from dataclasses import dataclass

import pytest

from biofact.sandbox.tables import (
    FieldFilter,
    RowTable,
    SearchableRows,
    UndeclaredFilter,
    drop_fields,
    facts,
    field_filter,
    identifier,
    merged,
    page,
    pick_fields,
    reference_filter,
    starter_rows,
    usual_row,
)

pytestmark = pytest.mark.quick

ROWS = (
    {"_id": "B", "kind": "gene", "names": ["b", "bee"], "of": "genes/1", "is_known": True, "size": 2},
    {"_id": "A", "kind": "gene", "names": None, "of": "genes/2", "is_known": False, "size": 1},
    {"_id": "C", "kind": "term", "names": ["b"], "of": "", "is_known": True, "size": 10},
)
FILTERS = {
    "id": field_filter("_id", canonical=str.upper),
    "kind": field_filter("kind"),
    "name": field_filter("names", "_id"),
    "of": reference_filter("of"),
    "is_known": field_filter("is_known"),
    "parity": FieldFilter(lambda row: ("odd" if row["size"] % 2 else "even",)),
}


def test_rows_that_fit_every_value_come_in_the_order_of_their_keys(subtests):
    cases = [
        ({}, ["A", "B", "C"]),
        ({"id": "a"}, ["A"]),
        ({"kind": "gene"}, ["A", "B"]),
        ({"kind": "gene", "is_known": "true"}, ["B"]),
        ({"is_known": "false"}, ["A"]),
        ({"name": "b"}, ["B", "C"]),
        ({"name": "C"}, ["C"]),
        ({"of": "1"}, ["B"]),
        ({"of": "genes/1"}, []),
        ({"of": ""}, []),
        ({"parity": "even"}, ["B", "C"]),
        ({"kind": "gen"}, []),
    ]
    for values, result in cases:
        with subtests.test(values=values):
            assert [row["_id"] for row in RowTable(ROWS, FILTERS).select(values)] == result


def test_rows_come_in_the_declared_order_and_as_given_where_it_is_equal():
    assert [row["_id"] for row in RowTable(ROWS, {}, order=("kind",)).rows] == ["B", "A", "C"]


def test_a_filter_that_is_not_declared_is_refused():
    with pytest.raises(UndeclaredFilter, match="colour"):
        RowTable(ROWS, FILTERS).select({"kind": "gene", "colour": "red"})


def test_several_values_find_the_rows_of_each():
    table = RowTable(ROWS, FILTERS)

    assert table.rows_at(table.positions("id", ("b", "c")), table.positions("kind", ("gene",))) == [ROWS[0]]
    assert table.rows_at(table.positions("id", ())) == []
    assert table.by_key["C"]["size"] == 10


def test_a_page_counts_from_zero(subtests):
    for number, size, result in [(0, 2, "BA"), (1, 2, "C"), (2, 2, ""), (0, 0, ""), (0, 9, "BAC")]:
        with subtests.test(number=number):
            assert [row["_id"] for row in page(ROWS, number, size)] == [*result]


def test_a_row_is_cut_to_fields_or_loses_some():
    row = {"a": 1, "b": None, "c": 3}

    assert pick_fields(row, "a b d") == {"a": 1, "b": None, "d": None}
    assert pick_fields(row, "a b~ c~ d~") == {"a": 1, "c": 3}
    assert drop_fields(row, "a d") == {"b": None, "c": 3}
    assert drop_fields(row, "") == row


def test_a_reference_ends_with_an_identifier():
    assert [identifier(item) for item in ("genes/ENSG1", "ENSG1", "http://example.org/x/7")] == ["ENSG1", "ENSG1", "7"]


@pytest.fixture
def written_table(tmp_path, monkeypatch):
    """Writes a file into a package that exists for this test alone, and returns the names of both."""

    def write(text):
        package = f"made_{tmp_path.name}"
        (tmp_path / package / "starter").mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
        (tmp_path / package / "starter" / "rows.jsonl").write_text(text, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return package, "rows.jsonl"

    return write


def test_rows_of_a_file_have_what_the_usual_one_has(written_table):
    file = written_table('# Genes\n{"kind": "gene", "size": null}\n\n{"size": 2}\n{}\n')

    assert usual_row(*file) == {"kind": "gene", "size": None}
    assert starter_rows(*file) == [{"kind": "gene", "size": 2}, {"kind": "gene", "size": None}]


@pytest.mark.parametrize("line", ["{", "[1]", "1", "text"])
def test_a_line_that_is_no_object_is_named(written_table, line):
    file = written_table(f"{{}}\n{line}\n")

    with pytest.raises(ValueError, match=r"of rows\.jsonl is not a JSON object"):
        starter_rows(*file)


def test_a_row_is_completed_down_into_its_objects_and_the_elements_of_its_lists():
    usual = {"kind": "gene", "place": {"chr": "1", "strand": 1}, "parts": [{"kind": "exon", "size": None}], "names": []}

    assert merged(usual, {"place": {"chr": "2"}, "parts": [{"size": 3}, {"kind": "intron"}], "names": ["a"]}) == {
        "kind": "gene",
        "place": {"chr": "2", "strand": 1},
        "parts": [{"kind": "exon", "size": 3}, {"kind": "intron", "size": None}],
        "names": ["a"],
    }
    assert merged(usual, {"place": None, "parts": None}) == {**usual, "place": None, "parts": None}


def test_a_row_without_the_list_whose_elements_are_declared_has_none():
    assert merged({"parts": [{"kind": "exon"}]}, {}) == {"parts": []}


def test_rows_become_facts_whose_lists_do_not_change():
    @dataclass(frozen=True)
    class Pair:
        names: tuple[str, ...]
        size: int = 1

    assert facts(Pair, [{"names": ["a", "b"]}, {"names": [], "size": 2}]) == (Pair(("a", "b")), Pair((), 2))
    with pytest.raises(TypeError, match="'colour'"):
        facts(Pair, [{"names": [], "colour": "red"}])


def test_rows_are_found_by_key_and_by_all_words_of_a_text(subtests):
    rows = [{"id": "2", "name": "insulin receptor", "aliases": ["CD220"]}, {"id": 1, "name": "IL-6 receptor"}]
    table = SearchableRows(rows, "id", "name", "aliases")

    assert table.at(["1", "3", "2"]) == [rows[1], rows[0]]
    for text, expected in [("Receptor", [1, 0]), ("receptor cd220", [0]), ("2", [0]), ("il6", []), ("(*)", [])]:
        with subtests.test(text=text):
            assert table.with_words(text) == [rows[place] for place in expected]
