"""A warm cache in a folder that cannot be written: on a file system that is really mounted read only."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.transport.test_cache import Shelf, the_file

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
VISIT = """
import asyncio, json, sys
from pathlib import Path
from tests.transport.test_cache import Shelf

async def visit():
    shelf = Shelf(Path(sys.argv[1]))
    old = await shelf.find("old")
    again = await shelf.find("old")
    await shelf.keep("new", b"another body")
    new = await shelf.find("new")
    stats = await shelf.cache.stats()
    notices = shelf.notices(), shelf.notices()
    cleared = await shelf.cache.clear(), await shelf.find("old"), await shelf.find("new")
    await shelf.cache.aclose()
    return [old and old.body.decode(), again is old, new.body.decode(), stats.kind, stats.entries, notices, cleared]

print(json.dumps(asyncio.run(visit())))
"""


def read_only(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a mount namespace of its own, in which the folder cannot be written."""
    command_line = ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT, str(folder), *command]
    return subprocess.run(
        command_line,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((".", *filter(None, [os.environ.get("PYTHONPATH")])))},
    )


@pytest.fixture(autouse=True)
def _needs_mounts(tmp_path):
    if shutil.which("unshare") is None or read_only(tmp_path, "true").returncode:
        pytest.skip("file systems cannot be mounted here")
    assert read_only(tmp_path, "touch", str(tmp_path / "file")).returncode


def warm(folder: Path, *, was_killed: bool) -> Path:
    """A cache with one answer; a killed process leaves SQLite's files beside it."""

    async def scenario():
        shelf = Shelf(folder / "first")
        await shelf.keep("old")
        await shelf.cache.flush()
        if was_killed:
            shutil.copytree(folder / "first", folder / "cache")
        await shelf.cache.aclose()
        if not was_killed:
            shutil.copytree(folder / "first", folder / "cache")

    asyncio.run(scenario())
    suffixes = {path.name.rpartition("-")[2] for path in (folder / "cache").iterdir()}
    assert suffixes == ({"1.sqlite", "wal", "shm"} if was_killed else {"1.sqlite"})
    return folder / "cache"


@pytest.mark.parametrize("was_killed", [False, True])
def test_a_read_only_cache_is_read_and_new_answers_stay_in_memory_with_one_notice(tmp_path, was_killed):
    folder = warm(tmp_path, was_killed=was_killed)
    before = the_file(folder).read_bytes()
    visited = read_only(folder, sys.executable, "-c", VISIT, str(folder))

    assert visited.stderr == ""
    old, is_at_hand, new, kind, entries, notices, cleared_count = json.loads(visited.stdout)
    assert (old, is_at_hand, new) == ("body", True, "another body")
    assert (kind, entries) == ("sqlite, read only", 2)
    assert notices == [["CACHE_IN_MEMORY"], []]
    assert cleared_count == [1, None, None]
    assert the_file(folder).read_bytes() == before


def test_an_empty_folder_that_cannot_be_written_means_memory_and_one_notice(tmp_path):
    visited = read_only(tmp_path, sys.executable, "-c", VISIT.replace("again is old", "again"), str(tmp_path))

    assert visited.stderr == ""
    old, _, new, kind, entries, notices, _ = json.loads(visited.stdout)
    assert (old, new, kind, entries) == (None, "another body", "memory", 1)
    assert notices == [["CACHE_IN_MEMORY"], []]
