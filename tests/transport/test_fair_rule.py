"""The rule of the ledger for several callers: pure, so that any order of requests can be tried."""

import itertools
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.transport.turns.ledgers import Row, SlotRequest, take_slot
from biofact.transport.turns.shares import BULK_HANDICAP, Claim, Process, ReadyRequest, Shares
from tests.transport.machines import EPOCH

pytestmark = pytest.mark.quick

GAP, MOST = 0.1, 10
SUBJECTS = "abcdef"


def ask(owner: str, *subjects: str, handicap: float = 0.0, seconds: float = 0.0, **options: object) -> SlotRequest:
    """A request of a process for its waiting callers, all of them ready."""
    claims = tuple(Claim((subject,), handicap, seconds) for subject in subjects)
    given_options = {"lane": "interactive", "demand": dict(Counter(subjects)), "claims": claims, **options}
    return SlotRequest("ncbi", owner, GAP, MOST, **given_options)


def take(row: Row, request: SlotRequest, now: float) -> tuple[Row, str | None]:
    """The row afterwards, and the subject that gets the slot."""
    row, result = take_slot(row, request, now)
    return row, request.claims[result.claim].subjects[0] if result.is_taken else None


asks = st.lists(
    st.tuples(
        st.sampled_from("XYZ"),
        st.lists(st.sampled_from(SUBJECTS), max_size=4),
        st.sampled_from([0.0, BULK_HANDICAP]),
        st.floats(0.0, 0.25),
        st.booleans(),
    ),
    min_size=1,
    max_size=200,
)


@given(asks)
@settings(max_examples=50, deadline=None)
def test_no_window_holds_more_than_the_rate_for_any_callers_in_any_order(asks):
    row, now, times = Row(), EPOCH, []
    for owner, subjects, handicap, pause, is_for_slot in asks:
        now += pause
        lane = "interactive" if is_for_slot else None
        row, result = take_slot(Row.read(str(row)), ask(owner, *subjects, handicap=handicap, lane=lane), now)
        times += [now] if result.is_taken else []

    spans = [next_time - earlier for earlier, next_time in zip(times, times[MOST:], strict=False)]
    assert all(span >= MOST * GAP - 1e-6 for span in spans)
    assert all(next_time - earlier >= GAP / 2 - 1e-6 for earlier, next_time in itertools.pairwise(times))


callers = given(
    waiting=st.dictionaries(st.sampled_from("XYZ"), st.sets(st.sampled_from(SUBJECTS), min_size=1), min_size=1),
    order=st.lists(st.permutations("XYZ"), min_size=1, max_size=20),
    late=st.dictionaries(st.sampled_from("XYZ"), st.floats(0.0, 0.4)),
)


@callers
@settings(max_examples=8, deadline=None)
def test_waiting_callers_get_equal_shares_in_any_order(waiting, order, late):
    shares, subjects = shared_out(waiting, order, late, slots=30)

    assert shares.keys() == subjects
    assert max(shares.values()) - min(shares.values()) <= 2


@pytest.mark.sweep
@callers
@settings(max_examples=40, deadline=None)
def test_of_many_slots_waiting_callers_get_equal_shares_in_any_order(waiting, order, late):
    shares, subjects = shared_out(waiting, order, late, slots=60)

    assert shares.keys() == subjects
    assert max(shares.values()) - min(shares.values()) <= 2


def shared_out(
    waiting: dict[str, set[str]], order: list[list[str]], late: dict[str, float], slots: int
) -> tuple[Counter[str], set[str]]:
    """The slots of each subject if their processes ask in this order, some of them late; and all subjects."""
    row, now, shares = Row(), EPOCH, Counter()
    for number in range(slots):
        due = max(now, row.next, row.slot_times[-MOST] + MOST * GAP if len(row.slot_times) >= MOST else 0.0)
        names = sorted(waiting, key=order[number % len(order)].index)
        moments = sorted({0.0, 1 / 16, 1 / 8, *late.values(), 1 / 2})
        for moment, owner in itertools.product(moments, names):
            if late.get(owner, 0.0) <= moment:
                now = due + moment * GAP + 1e-6
                row, subject = take(Row.read(str(row)), ask(owner, *sorted(waiting[owner])), now)
                shares.update([subject] if subject else [])
    return shares, set().union(*waiting.values())


@given(st.lists(st.tuples(st.sampled_from("XYZ"), st.sampled_from(SUBJECTS)), min_size=40, max_size=80))
@settings(max_examples=15, deadline=None)
def test_a_slot_is_never_kept_for_longer_than_half_a_gap(asks):
    row, now = Row(), EPOCH
    for owner, subject in asks:
        row, result = take_slot(row, ask(owner, subject, lane=None), now)
        now += result.wait + GAP / 2 + 1e-6
        row, result = take_slot(row, ask(owner, subject), now)

        assert result.is_taken


def test_a_slot_is_kept_for_the_process_of_the_neediest_caller():
    row, _ = take_slot(Row(), ask("X", "a"), EPOCH)
    row, _ = take_slot(row, ask("Y", "b"), EPOCH + 0.05)
    row, early = take(row, ask("X", "a"), EPOCH + GAP)
    row, fetched = take(row, ask("Y", "b"), EPOCH + GAP + 0.01)

    assert (early, fetched) == (None, "b")


def test_a_caller_that_missed_its_reserved_slot_has_no_other_reserved():
    row, _ = take_slot(Row(), ask("X", "a"), EPOCH)
    row, _ = take_slot(row, ask("dead", "b"), EPOCH + 0.05)
    row, first = take(row, ask("X", "a"), EPOCH + 1.5 * GAP)
    row, second = take(row, ask("X", "a"), EPOCH + 2.5 * GAP)

    assert (first, second) == ("a", "a")


def test_of_two_that_are_as_needy_the_first_to_ask_is_served_unless_the_other_is_much_older():
    row, _ = take_slot(Row(), ask("Y", "b", lane=None), EPOCH)
    assert take(row, ask("X", "a"), EPOCH)[1] == "a"
    row, _ = take_slot(Row(next=EPOCH), ask("Y", "b", seconds=20 * GAP, lane=None), EPOCH)

    assert take(row, ask("X", "a"), EPOCH)[1] is None
    assert take(row, ask("X", "a"), EPOCH + GAP / 7)[1] == "a"


def test_a_request_of_several_callers_is_paid_by_all_of_them():
    request = ask("X", "a", "b", "c", claims=(Claim(("a", "b")), Claim(("c",))))
    row, _ = take_slot(Row(), request, EPOCH)

    assert row.shares.starts == {"a": 0.5, "b": 0.5}


def test_a_request_of_several_callers_is_as_needy_as_any_of_them():
    shares = Shares(5.0, {"a": 9.0}, {"X": Process(EPOCH, {"a": 1, "b": 1, "c": 1}, ())})
    request = ask("X", "a", "b", "c", claims=(Claim(("c",), 1.0), Claim(("a", "b"))))

    assert take(Row(shares=shares), request, EPOCH)[1] == "a"


def test_a_caller_that_waited_long_for_connections_does_not_catch_up_in_full():
    row, _ = take_slot(Row(), ask("Y", "b", claims=(), lane=None), EPOCH)
    for number in range(100):
        row, _ = take_slot(row, ask("X", "a"), EPOCH + number * GAP)
        row, _ = take_slot(row, ask("Y", "b", claims=(), lane=None), EPOCH + (number + 0.5) * GAP)
    row, _ = take_slot(row, ask("Y", "b", lane=None), EPOCH + 99.6 * GAP)

    assert row.shares.start("a") - row.shares.start("b") == 16.0


@pytest.mark.parametrize("subject", ["", "a"])
def test_the_row_forgets_its_shares_when_no_named_caller_waits(subject):
    row = Row()
    for number in range(30):
        row, _ = take_slot(row, ask("X", "a", "b"), EPOCH + number * GAP)
    assert row.shares
    row, _ = take_slot(row, ask("Y", subject), EPOCH + 100.0)

    if subject:
        assert row.shares.starts == {"a": row.shares.floor + 1}
    else:
        assert row.shares is None


def test_shares_are_read_as_they_were_written():
    shares = Shares(2.0, {"a": 3.5}, {"X": Process(EPOCH, {"a": 2, "": 1}, (ReadyRequest("a", 8.0, EPOCH),))})
    row = Row(5.0, None, (1.0, 2.0), 3.0, shares)

    assert Row.read(str(row)) == row


def test_shares_that_cannot_be_read_count_as_none(subtests):
    for shares in ["[]", "1", "[0, 1, {}]", '[0, {}, {"X": [1]}]', '[0, {}, {"X": [1, {}, [3]]}]', "{}"]:
        with subtests.test(shares=shares):
            assert Row.read(f"[1.0, null, [], 2.0, {shares}]") == Row(1.0, None, (), 2.0)


def test_a_row_without_shares_is_written_as_before():
    assert json.loads(str(Row(5.0, "me", (1.0,), 3.0))) == [5.0, "me", [1.0], 3.0]


def test_an_ask_that_changes_nothing_leaves_the_row_as_it_is():
    row, _ = take_slot(Row(next=EPOCH + 1.0), ask("X", "a"), EPOCH)
    second_row, _ = take_slot(row, ask("X", "a", seconds=GAP / 4), EPOCH + GAP / 4)

    assert second_row == row
