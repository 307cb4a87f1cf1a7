"""The quota of a caller's collections: counted once while they last, and bounded in any week."""

import asyncio

import pytest

from biofact.core.call import Caller, on_behalf_of, session
from biofact.gateway.quotas import hold_callers
from biofact.sources.pubmed.client import MOST_SHOWN, cut_notices
from biofact.sources.pubmed.collections import WEEK
from biofact.transport.quotas import COLLECTIONS
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

MIB = 2**20
STEP = WEEK / 12


def run(scenario, subject="a" * 16, mib="1"):
    async def hosted(pubmed, _):
        hold_callers(pubmed.transport)
        with on_behalf_of(Caller(subject=subject)):
            return await scenario(pubmed.collections)

    return on_sandbox("pubmed", hosted, settings={COLLECTIONS.setting.name: mib})


async def keep(collections, name, size=MIB * 3 // 5):
    """The handle of a new list of this size, and the notices about it."""
    with session() as call:
        handle = await collections.keep("articles", [name * (size // len(name))], {})
    return handle, [notice.message for notice in call.notices]


def test_the_quota_holds_for_as_long_as_collections_do():
    assert COLLECTIONS.window == WEEK


def test_there_is_room_again_when_the_first_is_gone():
    async def scenario(collections):
        first, _ = await keep(collections, "a")
        refusal, (message,) = await keep(collections, "b")
        await asyncio.sleep(WEEK + STEP)
        repeat, notices = await keep(collections, "b")
        return first, refusal, message, repeat, notices

    first, refusal, message, repeat, notices = run(scenario)

    assert first
    assert repeat
    assert refusal is None
    assert message.startswith(
        "No collection is kept of this list. Your quota of collections on this gateway is used up: 1 MiB a week"
    )
    assert notices == []


def test_the_same_list_counts_once_and_lasts_its_week():
    async def scenario(collections):
        handles = [(await keep(collections, "a"))[0] for _ in range(5)]
        await asyncio.sleep(STEP)
        handles.append((await keep(collections, "a"))[0])
        await asyncio.sleep(WEEK - STEP - 1.0)
        entry = await collections.find(handles[0], "articles")
        await asyncio.sleep(STEP)
        return handles, entry, await keep(collections, "a")

    handles, result, (second_result, notices) = run(scenario)

    assert result.handle == second_result
    assert set(handles) == {second_result}
    assert notices == []


def test_a_list_that_is_kept_again_later_counts_again_and_lasts_a_week_more():
    async def scenario(collections):
        first, _ = await keep(collections, "a")
        await asyncio.sleep(WEEK / 2)
        await keep(collections, "a")
        full, _ = await keep(collections, "b", MIB)
        await asyncio.sleep(WEEK / 2 + 1.0)
        return full, await collections.find(first, "articles")

    full, result = run(scenario, mib="2")

    assert full is None
    assert result.items


def test_one_that_is_larger_than_the_quota_never_fits():
    async def scenario(collections):
        return await keep(collections, "a", 2 * MIB)

    handle, (message,) = run(scenario)

    assert handle is None
    assert "This alone is more than your quota of collections on this gateway: 1 MiB a week" in message
    assert "Wait" not in message


def test_a_single_user_has_no_quota():
    async def scenario(collections):
        return [(await keep(collections, name))[0] for name in "abc"]

    assert all(run(scenario, subject=""))


def test_a_cut_list_says_whether_there_is_a_collection_with_the_rest():
    assert cut_notices(MOST_SHOWN, None) == []
    assert cut_notices(250, "articles-1")[0].message.endswith("of 250 articles; the collection holds all of them.")
    assert cut_notices(250, None)[0].message.endswith("of 250 articles; there is no collection with the others.")
