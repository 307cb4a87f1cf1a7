"""A killed reading by a model repeats no question that was answered. 2,000 articles and ten kills are
benchmarks/corpus_model.py.
"""

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from benchmarks.corpus_model import LIMIT, stopped

from biofact.literature.files import FolderRefused
from tests.corpus.model_scene import HONEST, articles, make_plan, read_with_model

pytestmark = pytest.mark.processes


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
def test_a_reading_that_is_stopped_loses_no_answer_that_it_had_read(number, tmp_path):
    outcome = asyncio.run(stopped(80, 1, 5, tmp_path, number))

    most_lost = LIMIT * outcome.kills if number == signal.SIGKILL else 0
    assert outcome.kills == 1
    assert len(outcome.logged_counts) == outcome.logged_counts.total() == 80
    assert outcome.tokens_logged == outcome.tokens_delivered - outcome.tokens_lost
    assert outcome.lost_count <= outcome.asked_count - 80 <= most_lost
    assert outcome.differing_files == []


def test_two_processes_do_not_ask_side_by_side(tmp_path):
    make_plan(tmp_path, articles(4))
    program = (
        "import sys, pathlib\n"
        "from biofact.corpus.folder import CorpusFolder\n"
        "from biofact.corpus.model_log import ModelLog\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "with ModelLog(folder, CorpusFolder(folder).plan().settings):\n"
        "    print('in', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "run")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as other:
        assert other.stdout.readline() == b"in\n"
        with pytest.raises(
            FolderRefused, match=rf"Another process that asks a model \(process {other.pid}\) is at work in '.*run'"
        ):
            read_with_model(tmp_path, HONEST)
        other.kill()

    assert read_with_model(tmp_path, HONEST)[0].is_complete
