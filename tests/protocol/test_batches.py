"""A batch is whole if a reader can take it, and short throughout if not."""

import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import EntityNotFound
from biofact.core.records import Notice
from biofact.protocol.listing import batch
from tests.interfaces.toy import SlimToy, Toy

pytestmark = pytest.mark.quick

ABSENT = ErrorEnvelope.of(EntityNotFound("There is no toy 'TOY:9'.", hint="Look elsewhere."), "TOY:9")
ASSUMPTION = Notice(code="ASSUMED", message="Toys are toys.")


MOST_CHARACTERS = 80_000


@pytest.fixture(autouse=True)
def _host():
    with on_behalf_of(Caller(most_characters=MOST_CHARACTERS)):
        yield


def toys(characters):
    """Two rows with this length together as JSON, with a comma behind each."""

    def padded_toys(padding):
        return [Toy(id="TOY:7", name="ball", colour="r" * padding), Toy(id="TOY:8", name="doll")]

    short = len(batch(padded_toys(0), Toy.slim, [ASSUMPTION]).model_dump_json(by_alias=True))
    return padded_toys(characters - short - 1)


@pytest.mark.parametrize("excess", [0, 1])
def test_rows_are_whole_up_to_the_limit_and_short_beyond_it(excess):
    rows = toys(MOST_CHARACTERS + excess)

    answer = batch(rows, Toy.slim, [ASSUMPTION])

    assert [notice.code for notice in answer.notices] == ["ASSUMED", "SLIM_ROWS"][: 1 + excess]
    assert answer.items == ([row.slim() for row in rows] if excess else rows)
    assert (answer.pagination.total_count, answer.pagination.page_size) == (2, 2)


def test_failures_stay_in_their_places_and_short_rows_are_not_reported_as_shortened():
    slim = [SlimToy(id="TOY:8", name="doll" * 20_000), ABSENT]

    assert batch([*toys(MOST_CHARACTERS), ABSENT], Toy.slim).items[2] == ABSENT
    assert batch(slim, Toy.slim).items == slim
    assert not batch(slim, Toy.slim).notices


@pytest.mark.parametrize(
    "toy_input",
    [10**5000, "\ud800", [[[[[[[[[[[[[[[[[["deep"]]]]]]]]]]]]]]]]]], float("nan")],
    ids=["long number", "half a character", "nested", "no number"],
)
def test_an_input_that_json_cannot_hold_is_measured_too(toy_input):
    absent = ErrorEnvelope.of(EntityNotFound("There is no such toy.", hint="Look elsewhere."), toy_input)

    answer = batch([Toy(id="TOY:8", name="doll"), absent], Toy.slim)

    assert answer.items[1] is absent
    assert not answer.notices


def test_the_notice_says_how_many_fit():
    rows = [Toy(id=f"TOY:{number}", name="ball", colour="r" * 1000) for number in range(200)]

    (notice,) = batch(rows, Toy.slim).notices

    capacity = int("".join(letter for letter in notice.message.partition("Ask for some ")[2] if letter.isdigit()))
    assert not batch(rows[:capacity], Toy.slim).notices
    assert batch(rows[: capacity + 5], Toy.slim).notices


def test_a_program_can_read_all_of_it():
    rows = toys(10 * MOST_CHARACTERS)

    with on_behalf_of(Caller()):
        answer = batch(rows, Toy.slim)

    assert answer.items == rows
    assert not answer.notices
