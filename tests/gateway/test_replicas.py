"""The knowledge that one replica has of the others, and its share of a budget."""

import math

import pytest

from biofact.gateway.replicas import (
    LEASE_SECONDS,
    LONE_MEMORY_SECONDS,
    MEMORY_SECONDS,
    NEW_REDIS_SECONDS,
    Member,
    Register,
    Replicas,
    share,
)

pytestmark = pytest.mark.quick

MOST_CALLS, WINDOW = 3, 1.11
OLD = "1.0 before"


class Registry:
    """The members in Redis, and its time."""

    def __init__(self, since: str = OLD):
        self.members: dict[str, Member] = {}
        self.since = since
        self.writes = 0
        self.time = 1000.0

    def read(self) -> Register:
        return Register(dict(self.members), self.since, self.writes, self.time)

    def beat(self, *all_replicas: Replicas) -> None:
        """Let each renew its lease in turn, and read those of the others."""
        for replicas in all_replicas:
            if replicas.own_member is None:
                replicas.learn(self.read())
            own_member = replicas.renew(self.time, self.time)
            self.members |= {member.id: member for member in replicas.missing_members if member.id not in self.members}
            self.members[own_member.id] = own_member
            self.writes += 1
            replicas.learn(self.read())
            replicas.confirm(own_member)

    def settle(self, *all_replicas: Replicas) -> None:
        """Beat until each of them knows the others."""
        for _ in range(8):
            self.beat(*all_replicas)
            self.time += 0.7

    def pass_until(self, time: float, *live_replicas: Replicas) -> None:
        """Let time pass while some renew their leases."""
        while self.time < time:
            self.time = min(time, self.time + 0.7)
            self.beat(*live_replicas)

    def permission(self, replicas: Replicas):
        result = replicas.permission(self.time, self.time, MOST_CALLS, WINDOW)
        return result.place, result.limit


def three():
    registry = Registry()
    all_replicas = [Replicas(name, f"replica {name}") for name in "abc"]
    registry.settle(*all_replicas)
    return registry, all_replicas


def test_the_shares_of_all_replicas_add_up_to_the_limit():
    wholes = {
        (limit, replica_count): sum(share(limit, index, replica_count) for index in range(replica_count))
        for limit in range(12)
        for replica_count in range(1, 12)
    }

    assert wholes == {(limit, replica_count): limit for limit, replica_count in wholes}


def test_no_share_grows_with_the_number_of_replicas():
    shares = {
        (limit, index): [share(limit, index, replica_count) for replica_count in range(index + 1, 12)]
        for limit in range(12)
        for index in range(5)
    }

    assert shares == {case: sorted(sizes, reverse=True) for case, sizes in shares.items()}


def test_a_member_is_read_as_it_was_written(subtests):
    for returned in [-math.inf, 990.5]:
        with subtests.test(returned=returned):
            member = Member("a", "replica", 2, 10.25, 20.5, -math.inf, returned, 3)

            assert Member.read("a", str(member)) == member


def test_an_unreadable_text_is_no_member(subtests):
    for text in ["", "{}", "[1, 2]", "null", '["replica", "x", 1, 1, 1, 1, 1]']:
        with subtests.test(text=text):
            assert Member.read("a", text) is None


def test_all_replicas_have_different_indexes_and_take_from_redis():
    registry, all_replicas = three()

    assert sorted(replicas.own_member.index for replicas in all_replicas) == [0, 1, 2]
    assert [registry.permission(replicas) for replicas in all_replicas] == [("redis", MOST_CALLS)] * 3


def test_a_replica_with_an_expired_lease_takes_its_share_a_window_later():
    registry, (cut_off, *_) = three()
    registry.time = cut_off.lease_until

    assert registry.permission(cut_off) == ("nowhere", 0)
    registry.time += WINDOW
    assert registry.permission(cut_off) == ("own", 1)


def test_the_others_reserve_the_share_of_a_vanished_replica_for_ten_minutes():
    registry, (cut_off, *rest) = three()
    registry.pass_until(cut_off.lease_until, *rest)
    assert [registry.permission(other) for other in rest] == [("redis", MOST_CALLS - 1)] * 2

    forgotten_at = cut_off.lease_until + MEMORY_SECONDS + LEASE_SECONDS + WINDOW
    registry.pass_until(forgotten_at - 1.0, *rest)
    assert registry.permission(rest[0]) == ("redis", MOST_CALLS - 1)
    registry.pass_until(forgotten_at, *rest)
    assert registry.permission(rest[0]) == ("redis", MOST_CALLS)


def test_a_replica_that_comes_after_the_only_one_crashed_waits_for_half_a_minute_only():
    registry, lone = Registry(), Replicas("a", "replica a")
    registry.settle(lone)
    registry.time = lone.lease_until
    after = Replicas("b", "replica b")
    registry.settle(after)
    assert registry.permission(after) == ("nowhere", 0)

    registry.pass_until(lone.lease_until + LONE_MEMORY_SECONDS + LEASE_SECONDS + WINDOW, after)
    assert registry.permission(after) == ("redis", MOST_CALLS)


def test_a_replica_that_returns_keeps_its_share_until_it_has_given_it_up():
    registry, (cut_off, *rest) = three()
    registry.pass_until(cut_off.lease_until + 10.0, *rest)
    registry.beat(cut_off, *rest)
    returned_at = registry.time
    assert registry.permission(cut_off) == ("own", 1)
    assert registry.permission(rest[0]) == ("redis", MOST_CALLS - 1)

    registry.pass_until(returned_at + LEASE_SECONDS, cut_off, *rest)
    assert registry.permission(cut_off) == ("nowhere", 0)
    assert registry.permission(rest[0]) == ("redis", MOST_CALLS - 1)

    registry.pass_until(returned_at + LEASE_SECONDS + WINDOW, cut_off, *rest)
    assert [registry.permission(replicas) for replicas in (cut_off, *rest)] == [("redis", MOST_CALLS)] * 3


def test_a_replica_is_apart_as_a_whole():
    registry = Registry()
    first, second, other = Replicas("a", "one"), Replicas("b", "one"), Replicas("c", "two")
    registry.settle(first, second, other)
    registry.pass_until(second.lease_until, first, other)

    assert registry.permission(first) == ("nowhere", 0)
    registry.pass_until(second.lease_until + WINDOW, first, other)
    assert registry.permission(first)[0] == registry.permission(second)[0] == "own"
    assert registry.permission(other) == ("redis", MOST_CALLS - share(MOST_CALLS, first.own_member.index, 2))


def test_a_replica_that_is_not_counted_by_all_has_no_share_yet():
    registry, (*_, third) = three()
    newcomer = Replicas("d", "replica d")
    registry.beat(newcomer)
    registry.time = third.lease_until + 5.0

    assert not newcomer.is_countable
    assert registry.permission(newcomer) == ("nowhere", 0)
    assert newcomer.permission(registry.time, registry.time, MOST_CALLS, WINDOW).is_lasting


def test_a_declared_number_makes_a_share_without_redis():
    lone = Replicas("a", "replica", configured_count=3, start_time=50.0)

    assert lone.permission(50.5, 50.5, MOST_CALLS, WINDOW).place == "nowhere"
    result = lone.permission(50.0 + WINDOW, 50.0 + WINDOW, MOST_CALLS, WINDOW)
    assert (result.place, result.limit) == ("own", 1)
    assert lone.permission(60.0, 60.0, 2, WINDOW).is_lasting


def test_with_more_replicas_than_slots_some_have_none():
    registry = Registry()
    all_replicas = [Replicas(name, f"replica {name}") for name in "abcde"]
    registry.settle(*all_replicas)
    registry.settle(*all_replicas)
    registry.time += 20.0

    assert sorted(registry.permission(replicas)[1] for replicas in all_replicas) == [0, 0, 1, 1, 1]


def test_members_that_redis_forgot_are_remembered_and_written_again():
    registry, (cut_off, first, second) = three()
    registry.pass_until(cut_off.lease_until, first, second)
    registry.members, registry.since, registry.writes = {}, "", 0
    registry.pass_until(registry.time + 1.0, first)

    assert set(registry.members) == {"a", "b", "c"}
    assert registry.permission(first) == ("redis", MOST_CALLS - 1)


def test_a_newcomer_leaves_an_empty_redis_to_those_who_were_there():
    registry = Registry(since="")
    newcomer = Replicas("a", "replica")
    registry.beat(newcomer)

    assert registry.permission(newcomer) == ("nowhere", 0)
    registry.since = f"{registry.time} a"
    registry.pass_until(registry.time + NEW_REDIS_SECONDS, newcomer)
    assert registry.permission(newcomer) == ("redis", MOST_CALLS)


def test_an_index_that_two_replicas_have_stays_with_the_older_one():
    registry, all_replicas = three()
    registry.members, registry.since = {}, "2.0 other"
    newcomer = Replicas("d", "replica d")
    registry.beat(newcomer)
    registry.settle(*all_replicas, newcomer)

    assert sorted(replicas.own_member.index for replicas in (*all_replicas, newcomer)) == [0, 1, 2, 3]
    assert newcomer.own_member.index == 3
