"""The keys of an issuer: fetched once and when they rotate, used while the issuer is down, not fetched for a flood."""

import asyncio

import pytest

from biofact.gateway.issuer import (
    FETCH_SECONDS,
    FRESH_SECONDS,
    PAUSE_SECONDS,
    USABLE_SECONDS,
    IssuerUnavailable,
    SigningKeys,
    usable_keys,
)
from tests import virtual_time
from tests.interfaces.http.issuer import key, public

pytestmark = pytest.mark.quick


class Published:
    """The keys of an issuer, and the number of fetches."""

    def __init__(self, *keys):
        self.keys = keys
        self.count = 0
        self.is_down = False
        self.seconds = 0.0

    async def fetch(self):
        self.count += 1
        await asyncio.sleep(self.seconds)
        if self.is_down:
            raise IssuerUnavailable("It is down.")
        return public(*self.keys)["keys"]

    def signing_keys(self):
        return SigningKeys(self.fetch, asyncio.get_running_loop().time)


def ids(*signing_keys):
    return [key and key.kid for key in signing_keys]


def test_keys_are_fetched_once_for_all_who_wait():
    async def run():
        published = Published(key(), key("second"))
        published.seconds = 1.0
        keys = published.signing_keys()
        signing_keys = await asyncio.gather(*[keys.find(name) for name in ("first", "second", "first") * 20])
        return ids(*signing_keys[:3]), published.count

    assert virtual_time.run(run()) == (["first", "second", "first"], 1)


def test_a_new_key_is_known_as_soon_as_a_token_names_it():
    async def run():
        published = Published(key())
        keys = published.signing_keys()
        await keys.find("first")
        await asyncio.sleep(PAUSE_SECONDS)
        published.keys = (key("second"),)
        return ids(await keys.find("second"), await keys.find("first"))

    assert virtual_time.run(run()) == ["second", None]


def test_a_flood_of_unknown_keys_asks_the_issuer_twice_a_minute():
    async def run():
        published = Published(key())
        keys = published.signing_keys()
        for number in range(6000):
            assert await keys.find(f"unknown-{number}") is None
            await asyncio.sleep(0.01)
        return published.count, ids(await keys.find("first"))

    assert virtual_time.run(run()) == (2, ["first"])


def test_keys_are_refreshed_in_the_background():
    async def run():
        published = Published(key())
        keys = published.signing_keys()
        await keys.find("first")
        published.keys, published.seconds = (key("second"),), 5.0
        await asyncio.sleep(FRESH_SECONDS + 1)
        before = asyncio.get_running_loop().time()
        cached_key = await keys.find("first")
        waited_seconds = asyncio.get_running_loop().time() - before
        await asyncio.sleep(6.0)
        return ids(cached_key, await keys.find("first")), waited_seconds

    assert virtual_time.run(run()) == (["first", None], 0.0)


def test_known_keys_verify_for_a_day_while_the_issuer_is_down():
    async def run():
        published = Published(key())
        keys = published.signing_keys()
        await keys.find("first")
        published.is_down = True
        begin = asyncio.get_running_loop().time()
        while asyncio.get_running_loop().time() - begin < USABLE_SECONDS - 600:
            assert ids(await keys.find("first")) == ["first"]
            await asyncio.sleep(600)
        assert await keys.find("unknown") is None
        await asyncio.sleep(601)
        with pytest.raises(IssuerUnavailable):
            await keys.find("first")
        published.is_down = False
        await asyncio.sleep(PAUSE_SECONDS)
        return ids(await keys.find("first"))

    assert virtual_time.run(run()) == ["first"]


def test_an_issuer_that_does_not_answer_is_not_waited_for_longer_than_this():
    async def run():
        published = Published(key())
        published.seconds = 3600.0
        keys, before = published.signing_keys(), asyncio.get_running_loop().time()
        with pytest.raises(IssuerUnavailable):
            await keys.find("first")
        return asyncio.get_running_loop().time() - before

    assert virtual_time.run(run()) == FETCH_SECONDS


def test_a_caller_that_stops_waiting_does_not_stop_the_fetch():
    async def run():
        published = Published(key())
        published.seconds = 5.0
        keys = published.signing_keys()
        impatient_task = asyncio.create_task(keys.find("first"))
        patient = asyncio.create_task(keys.find("first"))
        await asyncio.sleep(1.0)
        impatient_task.cancel()
        return ids(await patient), published.count

    assert virtual_time.run(run()) == (["first"], 1)


def test_an_outage_is_logged_once(caplog):
    async def run():
        published = Published(key())
        published.is_down = True
        keys = published.signing_keys()
        for _ in range(5):
            with pytest.raises(IssuerUnavailable):
                await keys.find("first")
            await asyncio.sleep(PAUSE_SECONDS)
        return published.count

    assert virtual_time.run(run()) == 5
    assert [record.message for record in caplog.records] == [
        "The keys of the issuer of tokens cannot be fetched. It is down."
    ]


def test_an_issuer_that_withdraws_all_keys_is_believed():
    async def run():
        published = Published(key())
        keys = published.signing_keys()
        await keys.find("first")
        published.keys = ()
        await asyncio.sleep(FRESH_SECONDS + 1)
        await keys.find("first")
        await asyncio.sleep(1.0)
        return ids(await keys.find("first"))

    assert virtual_time.run(run()) == [None]


def test_weak_and_shared_keys_are_passed_over():
    weak = {"kty": "RSA", "kid": "weak", "e": "AQAB", "n": "w" * 171}
    shared = {"kty": "oct", "kid": "shared", "k": "c2VjcmV0"}

    assert list(usable_keys([weak, shared, *public(key())["keys"]])) == ["first"]
