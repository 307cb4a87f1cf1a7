"""The requests and bodies of one caller: a bound of their own, so that the others have room."""

import asyncio
from contextlib import ExitStack

import pytest

from biofact.gateway.limits import Bodies, Limits, NoRoomForBodies, NoRoomForRequests, RequestsUnderWay

pytestmark = pytest.mark.quick

LIMITS = Limits(requests=5, requests_of_a_caller=2, bodies_bytes=100, bodies_bytes_of_a_caller=40)
POST = {"type": "http", "headers": []}


def messages(*parts):
    """A receive function that gives the parts of a body."""
    rest = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    rest.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive():
        return rest.pop(0)

    return receive


def test_a_caller_with_as_many_requests_as_one_may_have_leaves_room_for_others():
    under_way = RequestsUnderWay(LIMITS)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(under_way.one_more("ann"))
        with pytest.raises(NoRoomForRequests, match="You have"), under_way.one_more("ann"):
            pass
        stack.enter_context(under_way.one_more("bob"))
    with under_way.one_more("ann"):
        pass  # those that ended make room


def test_callers_without_names_share_the_bound_of_all():
    under_way = RequestsUnderWay(LIMITS)
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(under_way.one_more(""))
        with pytest.raises(NoRoomForRequests, match="The server has"), under_way.one_more("ann"):
            pass


def test_the_bodies_of_one_caller_leave_room_for_those_of_others():
    async def scenario():
        bodies = Bodies(LIMITS)
        async with (
            bodies.read(POST, messages(b"x" * 30), "ann"),
            bodies.read(POST, messages(b"y" * 40), "bob") as other,
        ):
            with pytest.raises(NoRoomForBodies):
                async with bodies.read(POST, messages(b"z" * 10, b"z"), "ann"):
                    pass
            async with bodies.read(POST, messages(b"z" * 10), "ann") as small:
                return other, small

    assert asyncio.run(scenario()) == (b"y" * 40, b"z" * 10)


def test_released_bodies_make_room():
    async def scenario():
        bodies = Bodies(LIMITS)
        for _ in range(5):
            async with bodies.read(POST, messages(b"x" * 40), "ann") as body:
                assert len(body) == 40

    asyncio.run(scenario())
