"""A corpus by workers of Dask: the same bytes as by processes, however many are killed, and plain errors."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import sysconfig

import pytest

from biofact.corpus import dask_engine, shards
from biofact.corpus.dask_engine import VERSION, DaskEngine, _fault
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.runs import EngineUnavailable, run
from biofact.literature import files
from tests.corpus.kills import INTERRUPTS, KilledRun, interrupted, killed_again_and_again
from tests.corpus.made_corpora import contents_of, done, lines, make_plan, stamps
from tests.extras import needs

pytestmark = pytest.mark.extras

needs.dask()
MOMENTS = 20
WORKER = (sys.executable, "-m", "distributed.cli.dask_worker")
DIES = """
import os, sys
sys.addaudithook(lambda event, values: os._exit(1) if event == "open" and "deadly" in str(values[0]) else None)
"""
"""Code that ends a worker when it opens a file of that name."""
RUNS = (["--jobs", "2"], ["--dask", "local"], ["--part", "1/3"], ["--dask", "local"], ["--part", "3/3"])


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A busy machine takes longer to start a worker than an engine waits for one."""
    for name in ("_CONNECT_SECONDS", "_WORKERS_SECONDS"):
        monkeypatch.setattr(dask_engine, name, 300)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return lines(tmp_path_factory.mktemp("input") / "articles.jsonl", range(1, 3201))


@pytest.fixture(scope="module")
def undisturbed_rows(tmp_path_factory, source):
    """The files of one process."""
    folder = tmp_path_factory.mktemp("undisturbed") / "corpus"
    make_plan(folder, source, shard_size=50)
    assert done(folder, jobs=1).is_complete
    return contents_of(folder)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "corpus"


def whole(folder):
    """The written files, without part files of killed processes."""
    return {name: content for name, content in contents_of(folder).items() if not name.startswith(files.PART)}


def by_dask(folder, engine=None, **options):
    """The end of a run by two processes of this machine."""
    return asyncio.run(run(folder, engine or DaskEngine(workers=2), **options))


def refusal(folder, engine):
    """The refusal of an engine, and its hint."""
    with pytest.raises(EngineUnavailable) as refusal_info:
        by_dask(folder, engine)
    return str(refusal_info.value), refusal_info.value.hint


class Cluster:
    """A scheduler on loopback, and workers by their commands, each watched over by a nanny."""

    def __init__(self, folder, *workers):
        file = folder / "scheduler.json"
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(file)]
        local = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        self.scheduler = self._started(command, *local, "--port", "0")
        self.running = [self.scheduler]
        while not file.exists():
            assert self.scheduler.poll() is None
        worker_options = [*local, "--scheduler-file", str(file), "--nthreads", "1", "--local-directory", str(folder)]
        self.running += [self._started(worker, *worker_options) for worker in workers]
        self.address = json.loads(file.read_text())["address"]

    def _started(self, command, *options):
        worker_environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        return subprocess.Popen(
            [*command, *options], env=worker_environment, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def stop(self):
        for process in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextlib.contextmanager
def cluster(folder, *workers):
    dask_cluster = Cluster(folder, *workers)
    try:
        yield dask_cluster
    finally:
        dask_cluster.stop()


def test_processes_parts_and_dask_write_the_same_bytes(tmp_path, source, undisturbed_rows):
    folders = [tmp_path / name for name in ("two processes", "parts", "dask")]
    for folder in folders:
        make_plan(folder, source, shard_size=50)

    done(folders[0], jobs=2)
    for part in (3, 1, 2):
        done(folders[1], jobs=1, part=part)
    end = by_dask(folders[2])

    assert end.is_complete
    assert end.progress.read == 3200
    assert [contents_of(folder) == undisturbed_rows for folder in folders] == [True, True, True]


def test_a_run_killed_at_twenty_moments_ends_as_one_that_never_was(folder, source, undisturbed_rows):
    plan = make_plan(folder, source, shard_size=50)

    kills = killed_again_and_again(folder, plan, RUNS, MOMENTS)
    CorpusFolder(folder).forget_failures()  # a shard whose processes were killed three times
    before = stamps(folder, plan)

    assert kills == MOMENTS
    assert len(before) < len(plan.shards)
    assert done(folder, jobs=2).is_complete
    assert stamps(folder, plan).items() >= before.items()
    assert whole(folder) == undisturbed_rows
    pmids = [
        row["pmid"] for shard in plan.shards for row in shards.read_rows(CorpusFolder(folder).rows_file(shard.number))
    ]
    assert pmids == [str(pmid) for pmid in range(1, 3201)]


@pytest.mark.parametrize("interruption", INTERRUPTS, ids=str)
def test_an_interrupt_ends_the_local_cluster(tmp_path, interruption):
    interrupted_run = interrupted(tmp_path / "corpus", tmp_path, ["--dask", "local"], **interruption)

    assert interrupted_run.process.returncode == 130
    assert not interrupted_run.helpers()


def test_a_shard_that_kills_workers_is_lost_and_the_others_are_done(tmp_path, folder, source):
    deadly = lines(tmp_path / "deadly.jsonl", range(5001, 5011))
    plan = make_plan(folder, source, deadly, shard_size=200)
    dies = tmp_path / "dies.py"
    dies.write_text(DIES)

    with cluster(tmp_path, [*WORKER, "--preload", str(dies)], [*WORKER, "--preload", str(dies)]) as dask_cluster:
        end = by_dask(folder, DaskEngine(dask_cluster.address))

    place, lost_numbers = (
        CorpusFolder(folder),
        {shard.number for shard in plan.shards if plan.files[shard.file].path == str(deadly)},
    )
    assert set(stamps(folder, plan)) == {shard.number for shard in plan.shards} - lost_numbers
    assert end.failed == dict.fromkeys(lost_numbers, "the workers that it was given to ended, 2 of them")
    assert [place.attempts(number) for number in lost_numbers] == [3]


def test_a_worker_that_dies_is_replaced_and_its_shard_done(folder, source, undisturbed_rows):
    plan = make_plan(folder, source, shard_size=50)
    killed_run = KilledRun(folder, "--dask", "local")
    while not stamps(folder, plan):
        assert not killed_run.has_ended
    os.kill(max(killed_run.helpers()), signal.SIGKILL)

    assert all(line.startswith("shards: ") for line in killed_run.ended().splitlines())
    assert killed_run.process.returncode == 0
    assert not list((folder / "failures").iterdir())
    assert whole(folder) == undisturbed_rows


def test_workers_join_by_the_address_of_their_scheduler(tmp_path, folder, source, undisturbed_rows):
    make_plan(folder, source, shard_size=50)

    with cluster(tmp_path, WORKER, WORKER) as dask_cluster:
        engine = DaskEngine(dask_cluster.address)
        end = by_dask(folder, engine)

    assert end.is_complete
    assert engine.workers == 2
    assert contents_of(folder) == undisturbed_rows


def test_a_scheduler_that_ends_stops_the_run_and_what_is_done_is_kept(tmp_path, folder, source):
    plan = make_plan(folder, source, shard_size=50)

    def stop(progress):
        if progress.done == 2:
            dask_cluster.scheduler.kill()

    with cluster(tmp_path, WORKER) as dask_cluster, pytest.raises(EngineUnavailable, match="Dask scheduler is lost"):
        asyncio.run(run(folder, DaskEngine(dask_cluster.address), on_progress=stop))

    assert 2 <= len(stamps(folder, plan)) < len(plan.shards)


def test_an_address_without_a_cluster_is_a_plain_error(folder, source, monkeypatch):
    monkeypatch.setattr(dask_engine, "_CONNECT_SECONDS", 2)
    make_plan(folder, source, shard_size=50)

    assert refusal(folder, DaskEngine("127.0.0.1:9"))[0] == "No Dask cluster answers at '127.0.0.1:9' in 2 seconds."
    message, hint = refusal(folder, DaskEngine("nonsense"))
    assert message.startswith("No Dask cluster answers at 'nonsense' (")
    assert "tcp://10.0.0.1:8786" in hint


def test_workers_without_biofact_are_named_before_anything_is_run(tmp_path, folder, source):
    make_plan(folder, source, shard_size=50)
    packages = sysconfig.get_paths()["purelib"]
    # Without the files that point to where an editable package lies.
    bare = f"import sys; sys.path.append({packages!r}); from distributed.cli.dask_worker import main; main()"

    with cluster(tmp_path, [sys.executable, "-S", "-P", "-c", bare, "--no-nanny"]) as dask_cluster:
        message, hint = refusal(folder, DaskEngine(dask_cluster.address))

    assert message.startswith("1 of 1 workers of Dask cannot import biofact: tcp://127.0.0.1:")
    assert "biofact[corpus]" in hint
    assert not contents_of(folder)


def test_a_worker_reports_its_version_or_a_missing_folder(tmp_path):
    token = tmp_path / "token"

    assert _fault(token, "0.0.1") == f"have biofact {VERSION} instead of 0.0.1"
    assert _fault(token, VERSION) == f"do not see {str(tmp_path)!r}"
    token.write_text("token")
    assert _fault(token, VERSION) == ""
