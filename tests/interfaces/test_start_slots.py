"""Processes that start at once take turns: the slots of one user, and what becomes of one that is never given up."""

import contextlib
import json
import os
import subprocess
import sys
import time

import pytest

from biofact.interfaces import start_slots
from biofact.sandbox import SandboxProcess

fcntl = pytest.importorskip("fcntl")
pytestmark = pytest.mark.quick

LIMIT = start_slots.SLOTS_PER_PROCESSOR * (os.cpu_count() or 1)
PROCESSES = 12
GENE = "NCBIGene:672"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the slots, with none taken."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    start_slots.give_up()
    yield tmp_path / f"biofact-starts-{os.geteuid()}"
    start_slots.give_up()


@pytest.fixture
def starts(folder):
    """Slots that other processes hold, all that may be held at once: a file description of its own has its own lock."""
    folder.mkdir(mode=0o700)
    files = [(folder / str(number)).open("a") for number in range(LIMIT)]
    for file in files:
        fcntl.flock(file, fcntl.LOCK_EX)
    yield files
    for file in files:
        file.close()


def wait_in_queue(folder, count, seconds=0.0):
    """The tickets of processes that came before, and have looked for a slot ``seconds`` ago."""
    folder.mkdir(mode=0o700, exist_ok=True)
    tickets = [folder / f"ticket-{number:020}-1" for number in range(count)]
    for ticket in tickets:
        ticket.touch()
        os.utime(ticket, (0, time.time() - seconds))
    return tickets


def tickets_of(folder):
    return [path.name for path in folder.glob("ticket-*")]


def shift(starts, seconds):
    """Let the starts begin some seconds later."""
    for file in starts:
        os.utime(file.fileno(), (0, os.fstat(file.fileno()).st_mtime + seconds))


def test_a_process_that_finds_a_free_slot_starts_at_once(starts, monkeypatch):
    monkeypatch.setattr(start_slots.time, "sleep", lambda _: pytest.fail("it waited"))
    starts[-1].close()

    start_slots.take()

    assert start_slots._held


def test_a_process_waits_until_a_slot_is_given_up(starts, monkeypatch):
    waits = []

    def end_a_start(seconds):
        waits.append(seconds)
        starts[0].close()

    monkeypatch.setattr(start_slots.time, "sleep", end_a_start)
    start_slots.take()

    assert len(waits) == 1
    assert start_slots._held


def test_a_slot_that_is_never_given_up_delays_others_for_ten_seconds_at_most(starts, monkeypatch):
    monkeypatch.setattr(start_slots.time, "sleep", lambda _: shift(starts, -start_slots.LONGEST_START_SECONDS))

    start_slots.take()

    assert start_slots._held


def test_a_process_that_never_finds_a_slot_starts_all_the_same(starts, monkeypatch):
    now = [0.0]

    def wait(seconds):
        now[0] += seconds
        for file in starts:  # others come again and again
            os.utime(file.fileno())

    monkeypatch.setattr(start_slots.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(start_slots.time, "sleep", wait)
    start_slots.take()

    assert not start_slots._held
    assert now[0] >= start_slots.LONGEST_WAIT_SECONDS


def test_a_slot_of_the_future_does_not_count(starts, monkeypatch):
    shift(starts, 3600.0)
    monkeypatch.setattr(start_slots.time, "sleep", lambda _: pytest.fail("it waited for a clock that was set back"))

    start_slots.take()

    assert start_slots._held


def test_a_process_waits_for_earlier_ones_though_a_slot_is_free(folder, monkeypatch):
    tickets = wait_in_queue(folder, LIMIT)
    waits = []

    def end_a_wait(seconds):
        waits.append(seconds)
        assert not start_slots._held
        assert len(tickets_of(folder)) == LIMIT + 1  # its own among them
        tickets[0].unlink()

    monkeypatch.setattr(start_slots.time, "sleep", end_a_wait)
    start_slots.take()

    assert len(waits) == 1
    assert start_slots._held
    assert len(tickets_of(folder)) == LIMIT - 1


def test_a_process_that_starts_later_is_not_waited_for(folder, monkeypatch):
    folder.mkdir(mode=0o700)
    for number in range(3 * LIMIT):
        (folder / f"ticket-{time.monotonic_ns() + 10**12:020}-{number}").touch()
    monkeypatch.setattr(start_slots.time, "sleep", lambda _: pytest.fail("it waited"))

    start_slots.take()

    assert start_slots._held


@pytest.mark.parametrize("seconds", [start_slots.TICKET_SECONDS + 1, -3600.0])
def test_processes_that_ended_while_they_waited_delay_nobody(folder, monkeypatch, seconds):
    wait_in_queue(folder, 20 * LIMIT, seconds)
    waits = []
    monkeypatch.setattr(start_slots.time, "sleep", waits.append)

    start_slots.take()

    assert not waits
    assert start_slots._held
    assert not tickets_of(folder)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_a_wait_that_is_broken_off_leaves_no_ticket(starts, folder, monkeypatch, error):
    def break_off(_seconds):
        assert len(tickets_of(folder)) == 1
        raise error

    monkeypatch.setattr(start_slots.time, "sleep", break_off)
    with contextlib.suppress(KeyboardInterrupt):
        start_slots.take()

    assert not tickets_of(folder)


def test_a_slot_leaves_no_file_and_those_of_others_alone(starts, folder):
    starts.pop().close()

    start_slots.take()
    start_slots.give_up()

    assert {path.name for path in folder.iterdir()} == {str(number) for number in range(LIMIT - 1)}


def test_the_folder_goes_with_its_last_slot(folder):
    start_slots.take()
    start_slots.give_up()

    assert not folder.exists()


def test_a_file_that_its_process_has_removed_is_no_slot(folder, monkeypatch):
    start_slots.take()
    (file, path), lock = start_slots._held.pop(), start_slots._lock

    def lock_late(other):
        """Lock the file of the process before, just after that has given it up."""
        monkeypatch.setattr(start_slots, "_lock", lock)
        path.unlink()
        os.close(file)
        return lock(other)

    monkeypatch.setattr(start_slots, "_lock", lock_late)
    start_slots.take()

    assert os.path.samestat(os.fstat(start_slots._held[0][0]), start_slots._held[0][1].lstat())


@pytest.mark.parametrize("spoil", ["file", "link", "open to others"])
def test_a_folder_that_others_may_have_made_is_not_used(folder, spoil):
    if spoil == "file":
        folder.touch()
    elif spoil == "link":
        (folder.parent / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(folder.parent / "elsewhere")
    else:
        folder.mkdir()
        folder.chmod(0o777)

    start_slots.take()

    assert not start_slots._held
    assert not any(folder.parent.glob("*/0"))


@pytest.mark.processes
def test_processes_that_start_at_once_on_one_cache_all_answer_and_take_turns(folder, tmp_path):
    with SandboxProcess() as sandbox:
        environment = (
            os.environ | sandbox.environment() | {"BIOFACT_CACHE_DIR": str(tmp_path / "cache"), "BIOFACT_OFFLINE": ""}
        )
        command = [sys.executable, "-m", "biofact", "entrez", "get-gene", GENE, "--format", "json"]
        processes = [
            subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
            )
            for _ in range(PROCESSES)
        ]
        slots = set()
        while any(process.poll() is None for process in processes):  # their answers fit into the pipes
            slots |= {path.name for path in folder.glob("*")}
            time.sleep(0.01)
        outputs = [process.communicate(timeout=300) for process in processes]

    assert {(process.returncode, errors) for process, (_, errors) in zip(processes, outputs, strict=True)} == {(0, b"")}
    assert [json.loads(output)["id"] for output, _ in outputs] == [GENE] * PROCESSES
    assert "0" in slots
    assert not folder.exists()
