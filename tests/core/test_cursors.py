"""Cursors are opaque, and lead only through the list they come from."""

import pytest
from pydantic import BaseModel

from biofact.core.envelopes import Cursor
from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef

pytestmark = pytest.mark.quick

SEARCH = ToolRef("entrez", "search_genes")


class Place(BaseModel):
    offset: int


def cursor_of(**query):
    return Cursor(SEARCH, query)


def test_a_cursor_leads_back_to_its_place():
    cursor = cursor_of(query="BRCA1").write(Place(offset=50))

    assert cursor_of(query="BRCA1").read(cursor, Place) == Place(offset=50)
    assert "50" not in cursor


def test_an_absent_argument_is_the_same_as_one_that_is_none():
    cursor = cursor_of(query="BRCA1").write(Place(offset=50))

    assert cursor_of(query="BRCA1", organism=None).read(cursor, Place) == Place(offset=50)


def test_a_foreign_cursor_is_refused_and_recovery_restarts_the_list(subtests):
    cases = [
        cursor_of(query="BRCA2").write(Place(offset=50)),
        Cursor(ToolRef("ensembl", "search_genes"), {"query": "BRCA1"}).write(Place(offset=50)),
        cursor_of(query="BRCA1", organism="human").write(Place(offset=50)),
    ]
    for foreign in cases:
        with subtests.test(foreign=foreign):
            with pytest.raises(AmbiguousQuery) as refusal:
                cursor_of(query="BRCA1").read(foreign, Place)

            assert refusal.value.invalid_input == foreign
            assert refusal.value.recovery == CallTool(SEARCH, {"query": "BRCA1"})


def test_a_damaged_cursor_is_refused(subtests):
    for damage in [lambda c: c[:-1], lambda c: c[1:], lambda c: "x" + c, lambda c: "", lambda c: "é€"]:
        with subtests.test(damage=damage):
            whole = cursor_of(query="BRCA1").write(Place(offset=50))

            with pytest.raises(AmbiguousQuery):
                cursor_of(query="BRCA1").read(damage(whole), Place)


def test_every_changed_character_is_noticed():
    whole = cursor_of(query="BRCA1").write(Place(offset=50))

    for index, letter in enumerate(whole[:-1]):
        changed = whole[:index] + ("A" if letter != "A" else "B") + whole[index + 1 :]
        with pytest.raises(AmbiguousQuery):
            cursor_of(query="BRCA1").read(changed, Place)


def test_a_well_sealed_cursor_with_another_place_in_it_is_refused():
    class Other(BaseModel):
        page: str

    forged_cursor = cursor_of(query="BRCA1").write(Other(page="two"))

    with pytest.raises(AmbiguousQuery):
        cursor_of(query="BRCA1").read(forged_cursor, Place)
