"""Processes beside this one: their values, their end, and the loss of one."""

import asyncio
import operator
import os
import signal
import subprocess
import sys
import textwrap
from functools import partial

import pytest

from biofact.literature.processes import Processes, available_cores

pytestmark = pytest.mark.processes

TEXT = f"__import__('os').getpid() == {os.getpid()}"
DEATH = f"__import__('os')._exit(1) if not {TEXT} else 'here'"


def values(function, arguments, *, count=2):
    async def call_all():
        async with Processes(function, count) as processes:
            return await asyncio.gather(*map(processes.call, arguments))

    return asyncio.run(call_all())


def test_values_come_in_the_order_of_their_arguments():
    assert values(partial(operator.mul, 3), range(40)) == [3 * number for number in range(40)]


def test_the_work_is_done_by_the_given_number_of_other_processes():
    async def call_all():
        async with Processes(eval, 2) as processes:
            arguments = ["__import__('os').getpid()"] * 8
            return set(await asyncio.gather(*map(processes.call, arguments)))

    pids = asyncio.run(call_all())

    assert os.getpid() not in pids
    assert len(pids) <= 2


@pytest.mark.quick
def test_no_process_starts_before_it_is_needed():
    async def call_all():
        async with Processes(eval, 2) as processes:
            return [worker._process for worker in processes._workers]

    assert asyncio.run(call_all()) == [None, None]


@pytest.mark.quick(starts="a process that is lost")
def test_the_work_of_a_lost_process_is_done_in_this_one(caplog):
    result = values(eval, [DEATH, *map(str, range(20))], count=1)

    assert result == ["here", *range(20)]
    assert "this one does its work" in caplog.text


def test_a_process_that_cannot_start_is_done_without(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")

    assert values(eval, ["1", "2"]) == [1, 2]


def test_a_function_that_fails_fails_here_as_it_would_have_there():
    with pytest.raises(ZeroDivisionError):
        values(eval, ["1 / 0"])


def test_text_that_the_function_prints_is_no_value(capfd):
    assert values(eval, ["print('words') or 5"], count=1) == [5]
    assert "words" in capfd.readouterr().err


def test_a_cancelled_call_releases_the_process_to_others():
    async def call_all():
        async with Processes(eval, 1) as processes:
            first = asyncio.ensure_future(processes.call("sum(range(10**6))"))
            await asyncio.sleep(0)
            first.cancel()
            return await processes.call("'second'")

    assert asyncio.run(call_all()) == "second"


def test_processes_end_when_their_block_is_cancelled():
    async def call_all(pids, busy):
        async with Processes(eval, 2) as processes:
            pids.append(await processes.call("__import__('os').getpid()"))
            busy.set()
            await processes.call("__import__('threading').Event().wait()")

    async def cancelled():
        pids, busy = [], asyncio.Event()
        task = asyncio.ensure_future(call_all(pids, busy))
        await busy.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pids

    (pid,) = asyncio.run(cancelled())

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_processes_end_with_the_one_that_started_them_even_if_it_is_killed():
    program = """
        import asyncio, os, signal
        from biofact.literature.processes import Processes
        async def main():
            async with Processes(eval, 2) as processes:
                await asyncio.gather(*map(processes.call, ["1"] * 8))
                os.kill(os.getpid(), signal.SIGKILL)
        asyncio.run(main())
    """
    with started(program) as process:
        process.stderr.read()  # ends when no process has it open any more

    assert process.returncode == -signal.SIGKILL


def test_a_script_without_a_guard_runs_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import asyncio
            from biofact.literature.processes import Processes
            async def main():
                async with Processes(eval, 2) as processes:
                    return await asyncio.gather(*map(processes.call, ["1 + 1", "2 + 2"]))
            print(asyncio.run(main()))
        """)
    )

    answer = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment(), check=True)

    assert (answer.stdout, answer.stderr) == ("[2, 4]\n", "")


@pytest.mark.quick
def test_a_program_that_is_frozen_starts_none(monkeypatch):
    assert available_cores() >= 1
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert available_cores() == 1


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def started(program):
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, env=environment())
