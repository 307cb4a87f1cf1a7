"""A caller's own key: for their calls alone, with a budget of its own; cached answers are shared."""

import asyncio
from urllib.parse import parse_qs

import pytest

from biofact.core.settings import Settings
from biofact.transport.service import Service
from biofact.transport.turns.budget import Budgets
from tests import virtual_time
from tests.transport.scene import ASK, KEEP, KEY, URL, Scene, good, judge

pytestmark = pytest.mark.quick

OWN_SETTINGS = {KEY.name: "0wnK3y0fSomebody"}
SLOW = Service("slow", "The Slow Database", URL, 1.0, judge, key=KEY)


def keys(scene):
    return [parse_qs(request.url.query.decode()).get("api_key", [""])[0] for request in scene.requests]


def run(tmp_path, scenario, **environment):
    async def open_both():
        scene = Scene(tmp_path, good(), **environment)
        common = scene.transport()
        with_key = common.beside(OWN_SETTINGS)
        try:
            await scenario(common, with_key)
        finally:
            await with_key.aclose()
            await common.aclose()
        return scene

    return asyncio.run(open_both())


@pytest.mark.parametrize("house", ["", "k3y-of-the-house"])
def test_concurrent_requests_are_sent_with_the_key_of_each_caller(tmp_path, house):
    async def scenario(common, with_key):
        await asyncio.gather(*(transport.fetch(ASK, bytes) for transport in (common, with_key, common, with_key)))

    scene = run(tmp_path, scenario, **({KEY.name: house} if house else {}))

    assert sorted(keys(scene)) == sorted([house, OWN_SETTINGS[KEY.name]])


def test_an_answer_is_cached_for_every_caller_and_without_the_key(tmp_path):
    async def scenario(common, with_key):
        first = await with_key.fetch(ASK, bytes, keep=KEEP)
        await with_key.aclose()
        assert await common.fetch(ASK, bytes, keep=KEEP) == first

    scene = run(tmp_path, scenario)

    assert keys(scene) == [OWN_SETTINGS[KEY.name]]
    assert not [path for path in tmp_path.rglob("*") if OWN_SETTINGS[KEY.name].encode() in path.read_bytes()]


def test_a_key_has_a_budget_of_its_own_wherever_it_is_used(tmp_path):
    async def scenario():
        def budgets(settings):
            return Budgets(
                Settings(settings), virtual_time.timing(), tmp_path, own_keys=OWN_SETTINGS if settings else ()
            )

        common, with_key, same_key = budgets({}), budgets(OWN_SETTINGS), budgets(OWN_SETTINGS)
        clock = asyncio.get_running_loop().time
        times = {}
        for name, budget in (("common", common), ("own", with_key), ("own elsewhere", same_key)):
            begin = clock()
            await budget.take(SLOW, "bulk")
            times[name] = clock() - begin
        for budget in (common, with_key, same_key):
            await budget.aclose()
        return times

    times = virtual_time.run(scenario())

    assert times["common"] < 0.01
    assert times["own"] < 0.01
    assert times["own elsewhere"] > 1.0


def test_services_that_know_no_key_have_one_budget(tmp_path):
    plain = Service("plain", "The Plain Database", URL, 1.0, judge)

    async def scenario():
        common = Budgets(Settings({}), virtual_time.timing(), tmp_path)
        with_key = Budgets(Settings(OWN_SETTINGS), virtual_time.timing(), tmp_path, own_keys=OWN_SETTINGS)
        await common.take(plain, "bulk")
        begin = asyncio.get_running_loop().time()
        await with_key.take(plain, "bulk")
        seconds = asyncio.get_running_loop().time() - begin
        await common.aclose()
        await with_key.aclose()
        return seconds

    assert virtual_time.run(scenario()) > 1.0
