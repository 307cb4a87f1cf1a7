"""Results as JSON and back: flat as on the wire, or whole."""

import json
import pickle

import pytest

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope, page
from biofact.core.errors import EntityNotFound
from biofact.core.records import Notice, Provenance
from tests.interfaces.toy import BALL, DOLL, SlimToy, Toy

pytestmark = pytest.mark.quick

BOX = Provenance(source="toy", url="toy://box", retrieved_at="2026-01-01T00:00:00Z", origin="live", release="9")
SHELF = Provenance(source="toy", url="toy://shelf", retrieved_at="2026-01-02T00:00:00Z", origin="cache", others=(BOX,))
ABSENT = ErrorEnvelope.of(EntityNotFound("There is no toy.", hint="Look elsewhere."), "TOY:9")
NOTICE = Notice(code="ASSUMED", message="Toys are toys.")
Toys = PaginationEnvelope[Toy | ErrorEnvelope]


def test_flat_json_says_nothing_of_its_provenance():
    assert json.loads(BALL.signed(SHELF, []).to_json()) == json.loads(BALL.to_json())


def test_whole_json_has_its_provenance_with_all_others():
    body = json.loads(BALL.signed(SHELF, [NOTICE]).to_json(provenance=True))

    assert body["provenance"]["from"] == "cache"
    assert [other["url"] for other in body["provenance"]["others"]] == ["toy://box"]
    assert Toy.from_json(json.dumps(body)) == BALL.signed(SHELF, [NOTICE])


def test_a_provenance_that_differs_makes_two_records_of_one():
    assert Toy.from_json(BALL.to_json()) == BALL != BALL.signed(SHELF, [])


def test_results_within_a_result_keep_their_own_provenance():
    rows_and_failure = page([BALL.signed(BOX, []), ABSENT, DOLL.signed(SHELF, [])], 3, total=3).signed(SHELF, [NOTICE])

    read_back = Toys.from_json(rows_and_failure.to_json(provenance=True))

    assert read_back == rows_and_failure
    assert [getattr(toy, "provenance", None) for toy in read_back.items] == [BOX, None, SHELF]
    assert type(read_back) is PaginationEnvelope
    assert pickle.loads(pickle.dumps(read_back)) == rows_and_failure


@pytest.mark.parametrize("place", ["/items/7", "/pagination"])
def test_a_provenance_of_what_is_no_result_is_refused(place):
    body = json.loads(BALL.signed(BOX, []).to_json(provenance=True))
    list_body = json.loads(page([BALL], 1, total=1).to_json()) | {"provenance_within": {place: body["provenance"]}}

    with pytest.raises(ValueError, match=f"names {place}, where there is no result"):
        Toys.from_json(json.dumps(list_body))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "EOF"),
        ("[]", "dictionary"),
        ('{"id": "TOY:7"}', "name"),
        ('{"id": "TOY:7", "name": "ball", "provenance": {"source": "toy"}}', "url"),
        ('{"id": "TOY:7", "name": "ball", "sise": 1}', "sise"),
        ('{"id": "TOY:7", "name": "ball", "notices": [{"code": "ASSUMED", "message": "x", "more": 1}]}', "more"),
    ],
)
def test_a_text_that_is_no_such_record_is_refused_in_words(text, word):
    with pytest.raises(ValueError, match=word):
        Toy.from_json(text)


def test_a_list_that_does_not_name_its_items_is_not_read_as_a_list_of_something_else():
    with pytest.raises(TypeError, match=r"name it: PaginationEnvelope\[...\]"):
        PaginationEnvelope.from_json(page([BALL], 1, total=1).to_json())


def test_a_whole_record_is_usable_where_its_short_form_is_and_not_the_other_way_round():
    short = BALL.signed(BOX, []).slim()

    assert type(short) is SlimToy
    assert isinstance(BALL, SlimToy)
    assert not isinstance(short, Toy)
    assert short.provenance == BOX
    assert SlimToy.slim_fields == Toy.slim_fields == ("id", "name")
    with pytest.raises(ValueError, match="colour"):
        SlimToy.from_json(BALL.to_json())
