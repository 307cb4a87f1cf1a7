"""A ledger whose numbers are damaged: a service is never left alone for longer than it may ask for."""

import json
import math
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.core import call
from biofact.gateway.counts import Charge, charge_in_sqlite
from biofact.transport.turns.ledgers import LONGEST_WAIT_SECONDS, Row, SlotRequest, take_slot
from biofact.transport.turns.shares import Claim, Process, ReadyRequest, Shares
from tests.each_of import each_of
from tests.transport.machines import EPOCH, NCBI, Machine, times_of

pytestmark = pytest.mark.quick

GAP, LIMIT = 0.37, 3
REQUEST = SlotRequest("ncbi", "X", GAP, LIMIT, lane="interactive", demand={"a": 1}, claims=(Claim(("a",)),))
LONGEST = LONGEST_WAIT_SECONDS + REQUEST.window
OTHER = Process(EPOCH, {"b": 2}, (ReadyRequest("b", 8.0, EPOCH),))
WHOLE_ROW = Row(EPOCH + 0.1, "Y", (EPOCH - 0.8, EPOCH - 0.4, EPOCH), EPOCH, Shares(2.0, {"a": 3.5}, {"Y": OTHER}))

HUGE = (10**400, 1e308, -1e300, math.nan, math.inf, -math.inf)
numbers = st.sampled_from([*HUGE, 0, -1, EPOCH, EPOCH + 2_000_000_001, EPOCH * 1000, EPOCH / 2]) | st.floats()
values = numbers | st.none() | st.booleans() | st.text(max_size=3) | st.lists(numbers, max_size=4)
shares = st.tuples(
    values,
    values | st.dictionaries(st.sampled_from("ab"), values, max_size=2),
    values | st.dictionaries(st.sampled_from("XYZ"), st.tuples(values, values, values) | values, max_size=2),
)
rows = st.one_of(
    st.tuples(values, values, values, values, shares | values),
    st.tuples(numbers, st.none(), st.lists(numbers), numbers),
)


def seconds_until_slot(row: Row) -> float:
    """The time until a process that asks again and again has its slot."""
    now = EPOCH
    while now < EPOCH + 2 * LONGEST:
        row, reply = take_slot(Row.read(str(row)), REQUEST, now)
        assert 0 <= reply.wait <= LONGEST
        if reply.is_taken:
            return now - EPOCH
        now += max(reply.wait, GAP / 16)
    return math.inf


@given(rows)
def test_whatever_stands_in_a_row_a_slot_is_due_within_the_longest_pause(stored):
    assert seconds_until_slot(Row.read(json.dumps(stored))) <= LONGEST


def test_a_row_with_any_bit_turned_gives_a_slot_within_the_longest_pause():
    text = bytearray(str(WHOLE_ROW).encode())

    for place in range(8 * len(text)):
        text[place // 8] ^= 1 << place % 8
        assert seconds_until_slot(Row.read(bytes(text))) <= LONGEST, bytes(text)
        text[place // 8] ^= 1 << place % 8


def test_what_a_ledger_writes_is_not_mended():
    paused, _ = take_slot(WHOLE_ROW, SlotRequest("ncbi", "X", GAP, LIMIT, hold=9e9), EPOCH + 5)

    for row in (Row(), WHOLE_ROW, paused):
        assert Row.read(str(row)) == row
        assert not Row.read(str(row)).is_mended
    assert not Row.read(None).is_mended


def test_a_pause_and_the_slots_before_it_outlast_a_damaged_number_beside_them():
    paused = Row(EPOCH + 600, None, (EPOCH - 1, EPOCH + 2e9), EPOCH)

    read = Row.read(str(paused))

    assert (read.next, read.slot_times, read.is_mended) == (EPOCH + 600, (EPOCH - 1, EPOCH), True)


@pytest.mark.parametrize("damaged", ["[9e99, null, [9e99, 9e99, 9e99], 9e9]", "[0, null, [2e12, 2e12, 2e12], 1.8e9]"])
def test_a_damaged_ledger_is_mended_at_once_and_reported_once(tmp_path, damaged):
    machine = Machine(tmp_path)

    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        with closing(sqlite3.connect(tmp_path / "budgets.sqlite", isolation_level=None)) as database:
            database.execute("UPDATE budget SET row = ?", [damaged])
        with call.session() as session:
            times = await times_of(budgets, 2)
        with call.session() as later_session:
            await times_of(budgets, 2)

        assert times[-1] - times[0] < 2
        assert [notice.code for notice in session.notices] == ["LIMIT_MENDED"]
        assert NCBI.name in session.notices[0].message
        assert later_session.notices == []

    machine.run(test())


def charge_at(times: list[float], text: str) -> list[float]:
    """The seconds to wait for a quota of 600 in a minute, at each of these times, where the counts are ``text``."""
    charge = Charge("calls/a", 1, limit=600, window=60.0)
    with closing(sqlite3.connect(":memory:")) as database:
        charge_in_sqlite(database, charge, times[0])
        database.execute("UPDATE quota SET counts = ?", [text])
        return [charge_in_sqlite(database, charge, time) for time in times]


@given(st.dictionaries(st.integers() | st.just(int(EPOCH)), st.integers() | st.just(600), max_size=5))
def test_whatever_stands_in_a_count_the_quota_is_free_again_after_two_windows(counts):
    first, later = charge_at([EPOCH, EPOCH + 2 * 60.0], json.dumps(counts))

    assert first <= 2 * 60.0
    assert later == 0.0


@each_of("text", ['{"1e9": 1}', '{"0": 1e999}', "[" * 9999, "{", "null", '{"1": null}', '{"99999999999": -5}'])
def test_counts_that_cannot_be_do_not_bind_a_caller(text):
    assert charge_at([EPOCH, EPOCH + 1], text) == [0.0, 0.0]
