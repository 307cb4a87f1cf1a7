"""Processes that answer side by side: one that dies is replaced, and all of them end together."""

import functools
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from biofact.core.usage import WrongUsage
from biofact.gateway.hosting import listening_socket
from biofact.gateway.workers import Workers
from tests.gateway.worker_processes import die, refuse_to_start, refusing_one_after_the_other
from tests.interfaces.http.test_eras import ACCEPT

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
PARENT = """
import sys
from biofact.gateway.workers import Workers
from tests.gateway.worker_processes import answer_slowly
from biofact.gateway.hosting import listening_socket
import logging; logging.basicConfig(format="%(message)s")
if __name__ == "__main__":
    listening = listening_socket("127.0.0.1:0")
    print(listening.getsockname()[1], flush=True)
    number = Workers(answer_slowly, listening, 2, 10.0).run(lambda: print("ready", flush=True))
    print("ended by", number, flush=True)
"""


def answers(port):
    """The process that answers, connection after connection."""
    while True:
        with socket.create_connection(("127.0.0.1", port)) as connection, suppress(ConnectionResetError):
            if number := connection.recv(64):  # else the process was killed meanwhile
                yield int(number)


def numbers(port):
    """Both processes."""
    pids = answers(port)
    first = next(pids)
    return first, next(number for number in pids if number != first)


@pytest.fixture
def parent():
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    ) as process:
        port = int(process.stdout.readline())
        assert process.stdout.readline() == "ready\n"
        try:
            yield process, port
        finally:
            process.kill()


def test_all_answer_and_one_that_dies_is_replaced(parent):
    process, port = parent
    first, second = numbers(port)
    os.kill(first, signal.SIGKILL)
    third = next(number for number in answers(port) if number not in {first, second})
    process.terminate()
    out, log = process.communicate(timeout=120)

    assert third
    assert out == "ended by 15\n"
    assert log == "A process ended with status -9; another takes its place.\n"


def test_workers_end_with_their_parent(parent):
    process, port = parent
    processes = numbers(port)
    process.kill()
    process.wait()
    while any(map(is_running, processes)):
        time.sleep(0.01)


def is_running(process):
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"


def test_processes_that_fail_one_after_the_other_are_not_tried_again():
    with listening_socket("127.0.0.1:0") as listener, ThreadPoolExecutor() as pool:
        connection_task = pool.submit(connect_twice, listener.getsockname())
        with pytest.raises(WrongUsage, match="There is no such thing"):
            Workers(refusing_one_after_the_other, listener, 2, 1.0).run(lambda: None)
        connection_task.result()


def connect_twice(address):
    """Let one process fail, and the other after it."""
    for _ in range(2):
        with socket.create_connection(address) as connection:
            connection.recv(1)
        time.sleep(1.0)  # longer than the pause before one that died is replaced


@pytest.mark.parametrize(
    ("work", "message", "hint"),
    [
        (refuse_to_start, "There is no such thing.", "Name another."),
        (die, "No process could start.", "Its error stands above."),
    ],
)
def test_one_message_states_why_no_worker_can_start(work, message, hint):
    with listening_socket("127.0.0.1:0") as listener, pytest.raises(WrongUsage) as wrong:
        Workers(work, listener, 2, 1.0).run(lambda: None)

    assert (str(wrong.value), wrong.value.hint) == (message, hint)


def test_a_mistake_is_reported_once_for_any_number_of_processes():
    command = [sys.executable, "-m", "biofact", "serve", "gwas", "--http", "127.0.0.1:0", "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == "error: There is no source 'gwas'."
    assert done.stderr.count("gwas") == 1


def test_several_processes_answer_calls():
    command = [sys.executable, "-m", "biofact", "serve", "entrez", "--http", "127.0.0.1:0", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            url = server.stderr.readline().split()[-1]
            ask = functools.partial(httpx2.post, url, headers=ACCEPT, timeout=120.0)
            lists = [ask(json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json() for _ in range(8)]
            message = server.stderr.readline()
        finally:
            server.terminate()

    assert len({len(answer["result"]["tools"]) for answer in lists}) == 1
    assert "2 processes answer, without sessions" in message
    assert "--workers 1 lets them" in message
