"""Programs that wait for answers: in threads, notebooks and forks, interrupted, and at their end."""

import asyncio
import contextvars
import gc
import os
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest
from benchmarks.sync import UNTHROTTLED, by_tasks, by_threads, lookups

import biofact.sync
from biofact.clients import sandbox_settings
from biofact.core import call
from biofact.core.errors import UnresolvedEntity
from biofact.core.settings import Settings
from biofact.sandbox import Sandbox
from biofact.transport import background
from biofact.transport.background import each, wait_for
from biofact.transport.stack import Transport

pytestmark = pytest.mark.quick

GENES = [f"NCBIGene:{number}" for number in (672, 675, 7157, 1956)]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(rate_factor=10_000) as started_sandbox:
        yield started_sandbox


@pytest.fixture
def entrez(sandbox):
    with biofact.sync.open(sandbox=sandbox) as clients:
        yield clients.entrez


def test_a_call_in_a_thread_with_its_own_loop_waits_for_the_answer(entrez):
    async def cell_of_a_notebook():
        return entrez.get_gene("NCBIGene:7157", slim=True)

    assert asyncio.run(cell_of_a_notebook()).symbol == "TP53"


def test_concurrent_calls_of_threads_are_joined(entrez, sandbox):
    before = len(sandbox.requests)

    with ThreadPoolExecutor(8) as pool:
        genes = list(pool.map(entrez.get_gene, GENES * 10))

    assert [gene.id for gene in genes] == GENES * 10
    assert len(sandbox.requests) - before <= 2 * len(GENES)  # two each if no two threads meet, as on a busy machine


@pytest.mark.parametrize("count", [160, pytest.param(1000, marks=pytest.mark.sweep)])
def test_lookups_of_eight_threads_join_as_those_of_eight_tasks_do(sandbox, tmp_path, count):
    ids = lookups(count)
    counts = []
    for name, ask in (("threads", by_threads), ("tasks", by_tasks)):
        before = len(sandbox.requests)
        settings = Settings(sandbox_settings(sandbox, str(tmp_path / name)))

        genes = ask(Transport(settings, timing=UNTHROTTLED), ids)

        assert [gene.id for gene in genes] == ids
        counts.append(len(sandbox.requests) - before)

    of_threads, of_tasks = counts
    genes_alone = 2 * len(set(ids))  # the requests if no lookup joined another: a summary and a report each
    assert of_tasks <= genes_alone / 2  # in real time: a busy machine joins fewer
    assert of_threads <= genes_alone * 3 / 4  # a quarter on a quiet machine; on a busy one threads meet less often


def test_a_wait_does_not_change_the_callers_own_call():
    async def current():
        return call.current(), variable.get("unset")

    variable = contextvars.ContextVar("variable")
    variable.set("set")
    with call.session() as outer:
        outer.deadline = 0.0
        inner, value = wait_for(current())

    assert inner is not outer
    assert (inner.deadline, value) == (None, "unset")


def test_a_failure_is_raised_as_it_was_with_the_line_that_asked(entrez):
    with pytest.raises(UnresolvedEntity, match="'TP53' is not an NCBI Gene ID") as error:
        entrez.get_gene("TP53")

    files = [frame.filename for frame in traceback.extract_tb(error.tb)]
    assert files[0] == __file__
    assert files[2].endswith("biofact/sync/entrez.py")
    assert not any("concurrent" in file or "asyncio" in file for file in files)


def test_an_iterator_that_is_closed_early_is_finalized():
    closed = threading.Event()

    async def numbers():
        try:
            for number in range(10):
                yield number
        finally:
            closed.set()

    iterator = each(numbers())
    assert [next(iterator), next(iterator)] == [0, 1]
    iterator.close()

    assert closed.is_set()
    assert list(each(numbers())) == list(range(10))


def test_on_its_own_loop_it_is_refused():
    async def nested():
        wait_for(asyncio.sleep(0))

    with pytest.raises(RuntimeError, match="cannot be used on its own event loop"):
        wait_for(nested())


INTERRUPTED = """
import asyncio, signal, sys, threading
from biofact.transport.background import wait_for

cancelled = threading.Event()
main = threading.main_thread().ident

async def forever():
    while sys._current_frames()[main].f_code.co_name != "wait":
        await asyncio.sleep(0)  # until the main thread waits for this
    signal.pthread_kill(main, signal.SIGINT)  # as a terminal does
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        cancelled.set()
        raise

try:
    wait_for(forever())
except KeyboardInterrupt:
    print("interrupted", cancelled.wait(10))
"""


@pytest.mark.processes
def test_ctrl_c_ends_the_wait_and_calls_off_the_call():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)

    assert (run.stdout, run.stderr, run.returncode) == ("interrupted True\n", "", 0)


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_fork_asks_on_a_loop_of_its_own(entrez):
    entrez.get_gene("NCBIGene:672", slim=True)
    read_end, write_end = os.pipe()

    if not (child := os.fork()):
        try:
            os.write(write_end, entrez.get_gene("NCBIGene:675", slim=True).symbol.encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        symbol = pipe.read()
    os.waitpid(child, 0)

    assert symbol == b"BRCA2"
    assert entrez.get_gene("NCBIGene:7157", slim=True).symbol == "TP53"


def test_a_connection_without_an_owner_is_closed():
    class Owner:
        pass

    class Connection:
        def __init__(self):
            self.is_closed = threading.Event()

        async def aclose(self):
            self.is_closed.set()

    owner, connection = Owner(), Connection()
    background.close_at_exit(connection, owner)
    wait_for(asyncio.sleep(0))

    del owner
    gc.collect(0)

    assert connection.is_closed.wait(120)


PROGRAM = """
from biofact import Sandbox
from biofact.sync import EntrezClient, open
from biofact.clients import sandbox_settings
import os, sys
sandbox = Sandbox(rate_factor=1000)
sandbox.__enter__()
os.environ.update(sandbox_settings(sandbox, sys.argv[1]))
entrez = EntrezClient()
print(entrez.get_gene("NCBIGene:7157").symbol)
"""


@pytest.mark.processes
def test_a_program_that_closes_nothing_ends_without_a_warning(tmp_path):
    command = [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path)]

    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert (run.returncode, run.stdout, run.stderr) == (0, "TP53\n", "")
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith("-wal")] == []  # the cache was closed
