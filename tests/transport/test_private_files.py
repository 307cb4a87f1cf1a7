"""Files of the cache folder are read and written by their owner only."""

import asyncio
import os
import stat

import pytest

from biofact.core.settings import Settings
from biofact.transport.keep.cache import CACHE_DIR, Cache
from biofact.transport.keep.store import Entry
from biofact.transport.private_files import SharedFolder, make_private, refuse_shared
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests.each_of import each_of
from tests.transport.scene import KEEP, TOY

pytestmark = [pytest.mark.quick, pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")]


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}


@pytest.fixture(autouse=True)
def _generous():
    """Set a mask that removes no rights by itself."""
    before = os.umask(0)
    yield
    os.umask(before)


async def keep(folder):
    cache = Cache(Settings({CACHE_DIR.name: str(folder)}))
    await cache.keep(TOY, KEEP, Entry(b"{}", "", 1.0, 2.0))
    await cache.flush()
    return cache


async def take_slot(folder):
    budgets = Budgets(Settings({}), Timing(), folder)
    await budgets.take(TOY, "bulk")
    return budgets


@pytest.mark.parametrize("order", [(keep, take_slot), (take_slot, keep)], ids=["cache first", "budget first"])
def test_files_are_their_owners_alone_in_any_order_of_start(tmp_path, order):
    folder = tmp_path / "deep" / "cache"

    async def start():
        open_stores = [await start(folder) for start in order]
        names = modes(folder)
        for store in open_stores:
            await store.aclose()
        return names

    names = asyncio.run(start())

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {name.split(".")[0] for name in names} == {"answers-1", "budgets"}
    assert any(name.endswith("-wal") for name in names)
    assert set(names.values()) == {0o600}


def test_files_of_an_earlier_release_that_others_could_read_are_closed_to_them(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "budgets.sqlite").touch(mode=0o644)

    async def start():
        await (await take_slot(tmp_path)).aclose()

    asyncio.run(start())

    assert modes(tmp_path)["budgets.sqlite"] == 0o600


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_is_refused(tmp_path, mode):
    tmp_path.chmod(mode)

    with pytest.raises(SharedFolder, match="others can write"):
        make_private(tmp_path / "budgets.sqlite")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o750])
def test_a_folder_that_others_can_read_will_do(tmp_path, mode):
    tmp_path.chmod(mode)

    refuse_shared(tmp_path)


def test_answers_are_cached_in_memory_if_others_can_write_to_the_folder(tmp_path):
    tmp_path.chmod(0o777)

    async def start():
        cache = await keep(tmp_path)
        stats = await cache.stats()
        await cache.aclose()
        return stats

    assert asyncio.run(start()).kind == "memory"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(tmp_path):
    os.chown(tmp_path, 65534, 65534)

    with pytest.raises(SharedFolder, match="another user"):
        refuse_shared(tmp_path)


def link(place, foreign):
    place.symlink_to(foreign)


def second_name(place, foreign):
    place.hardlink_to(foreign)


def link_to_nothing(place, foreign):
    place.symlink_to(foreign.with_name("new"))


NAMES = ["answers-1.sqlite", "answers-1.sqlite-wal", "answers-1.sqlite-shm", "budgets.sqlite", "budgets.sqlite-journal"]


@each_of("prepare", [link, second_name, link_to_nothing])
@each_of("name", NAMES)
def test_a_file_that_leads_out_of_a_prepared_folder_is_not_changed(tmp_path, name, prepare):
    folder = tmp_path / f"{name}-{prepare.__name__}"
    (folder / "cache").mkdir(mode=0o700, parents=True)
    (folder / "foreign").write_bytes(b"another's")
    (folder / "foreign").chmod(0o644)
    prepare(folder / "cache" / name, folder / "foreign")

    async def start():
        for store in (await keep(folder / "cache"), await take_slot(folder / "cache")):
            await store.aclose()

    asyncio.run(start())

    assert stat.S_IMODE((folder / "foreign").stat().st_mode) == 0o644
    assert (folder / "foreign").read_bytes() == b"another's"
    assert not (folder / "new").exists()
