"""The columns of a result type, and the cells of its records."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import Field

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope, page
from biofact.core.errors import EntityNotFound
from biofact.core.records import Frozen, Number, Record, Result, absent, absent_list
from biofact.core.xrefs import REGISTRY, CrossReferences
from biofact.tables.columns import LIST, Column, columns, named_columns, row, rows

pytestmark = pytest.mark.quick


@dataclass
class Maker:
    name: str
    town: str | None = None


class Coat(Frozen):
    layer: int
    tint: str | None = absent()


class SlimPaint(Record):
    id: str


class Paint(SlimPaint):
    weight: Number | None = absent()
    strength: Literal[1, -1] | None = absent()
    is_dry: bool | None = absent()
    made_by: Maker | None = absent()
    coats: list[Coat] = absent_list()
    synonyms: list[str] = absent_list()
    prices: dict[str, Number] = Field(default_factory=dict)
    cross_references: CrossReferences | None = absent()


class GlossPaint(Paint):
    gloss: Annotated[int | None, "percent"] = absent()


class Shelf(Result):
    place: str
    paints: list[Paint] | None = absent()
    coats: list[SlimPaint] | None = absent()


class Sheets(Result):
    listed: ClassVar[str | None] = "sheets"

    sheets: list[Any]


OWN = ("id", "weight", "strength", "is_dry", "made_by.name", "made_by.town", "coats", "synonyms", "prices")
XREFS = tuple(f"cross_references.{key}" for key in REGISTRY)
WHITE = Paint(
    id="white",
    weight=2.0,
    made_by=Maker("Weiss"),
    coats=[Coat(layer=1)],
    synonyms=["blanc"],
    prices={"eur": 9.5},
    cross_references=CrossReferences(hgnc="HGNC:5", uniprot=["UniProtKB:P04637"]),
)


def names(result_type):
    return tuple(column.name for column in columns(result_type))


def test_the_columns_of_a_record_are_its_fields_nested_ones_dotted_and_then_those_of_classes_that_extend_it():
    assert names(Paint) == (*OWN, *XREFS, "gloss")


def test_a_short_form_has_the_columns_of_the_whole_record():
    assert names(SlimPaint) == names(Paint)


def test_a_union_has_the_columns_of_all_its_classes_in_the_order_of_the_fullest_and_failures_last():
    one_way = names(PaginationEnvelope[SlimPaint | ErrorEnvelope | Paint])
    other_way = names(PaginationEnvelope[Paint | ErrorEnvelope] | PaginationEnvelope[SlimPaint | ErrorEnvelope])

    assert one_way == other_way == (*names(Paint), "input", "error", "message")


def test_a_column_has_the_type_of_its_cells():
    kinds = {column.name: (column.type, column.is_list) for column in columns(Paint)}

    assert kinds["weight"] == (float, False)
    assert kinds["strength"] == (int, False)
    assert kinds["is_dry"] == (bool, False)
    assert kinds["synonyms"] == (str, True)
    assert kinds["coats"] == (dict, True)
    assert kinds["prices"] == (dict, False)
    assert kinds["cross_references.uniprot"] == (str, True)


def test_a_row_has_the_cells_that_are_there():
    cells = row(WHITE, columns(Paint))

    assert cells == {
        "id": "white",
        "weight": 2.0,
        "made_by.name": "Weiss",
        "coats": [{"layer": 1}],
        "synonyms": ["blanc"],
        "prices": {"eur": 9.5},
        "cross_references.hgnc": "HGNC:5",
        "cross_references.uniprot": ["UniProtKB:P04637"],
    }
    assert row(WHITE.model_dump(by_alias=True), columns(Paint)) == cells


def test_a_failure_in_a_batch_is_a_row_with_the_input_the_code_and_the_message():
    failure = ErrorEnvelope.of(EntityNotFound("There is no such paint.", hint="Look again."), "mauve")
    batch = page([WHITE, failure], 50, total=2)

    _, failed = rows(batch, columns(PaginationEnvelope[Paint | ErrorEnvelope]))

    assert failed == {"input": "mauve", "error": "ENTITY_NOT_FOUND", "message": "There is no such paint."}


def test_rows_of_several_lists_name_their_list():
    shelf = Shelf(place="top", paints=[WHITE], coats=[SlimPaint(id="undercoat")])

    assert columns(Shelf)[0] == LIST
    assert [cells["list"] for cells in rows(shelf, columns(Shelf))] == ["paints", "coats"]
    assert [cells["id"] for cells in rows(shelf, columns(Shelf))] == ["white", "undercoat"]


def test_a_list_of_unnamed_classes_is_refused():
    with pytest.raises(TypeError, match="name their classes"):
        columns(Sheets)


def test_fields_that_lead_to_the_same_column_are_refused():
    class Doubled(Record):
        id: str
        dotted: str | None = Field(default=None, alias="maker.name")
        maker: Maker

    with pytest.raises(TypeError, match="share the column 'maker"):
        columns(Doubled)


def test_columns_that_an_answer_names_have_the_types_of_their_cells():
    columns = named_columns(
        ("score:n", "feature:kind", "rank"), [{"rank": 1, "score:n": 0.5}, {"rank": 2, "score:n": 1}]
    )

    assert columns == (
        Column("score:n", float, ("score:n",)),
        Column("feature:kind", str, ("feature:kind",)),
        Column("rank", int, ("rank",)),
    )
