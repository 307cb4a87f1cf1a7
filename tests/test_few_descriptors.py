"""A process without descriptors: a command names the fault, and goes on when there are some."""

import datetime as dt
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from biofact.core.usage import HintedError
from biofact.corpus.folder import CorpusFolder, status
from biofact.corpus.shards import run_shard
from biofact.literature.files import WriteFailed
from biofact.literature.review.folder import Folder
from tests.corpus.made_corpora import lines, make_plan
from tests.literature.made_reviews import plan

pytestmark = [pytest.mark.quick, pytest.mark.skipif(sys.platform == "win32", reason="a limit of files is POSIX's")]

MOST = 6
"""More than a command holds open at once."""


@contextmanager
def descriptors(count: int) -> Iterator[None]:
    """Leave the process this number of descriptors."""
    import resource  # noqa: PLC0415  # of POSIX only

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    spare: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/dev/fd"))) + MOST + 2, limits[1]))  # noqa: PTH208
    try:
        try:
            while True:
                spare.append(os.dup(0))
        except OSError:
            for _ in range(min(count, len(spare))):
                os.close(spare.pop())
        yield
    finally:
        for descriptor in spare:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def check_named(folder: Path, command: Callable[[Path], object]) -> None:
    """Hold the command, with each number of descriptors, to an error of its own, and to going on."""
    outcomes = []
    for count in range(MOST):
        place = folder / str(count)
        try:
            with descriptors(count):
                command(place)
        except (HintedError, WriteFailed) as error:
            outcomes.append(type(error))
        else:
            outcomes.append(None)
        command(place)

    assert outcomes[0] is not None
    assert outcomes[-1] is None


def test_a_review_without_descriptors_is_named_and_goes_on(tmp_path):
    def keep_answer(folder: Path) -> None:
        with Folder(folder).session(plan(), dt.datetime(2026, 1, 2, tzinfo=dt.UTC), version="1") as (_, work):
            work.keep("search/one", b"{}")

    check_named(tmp_path, keep_answer)


def test_a_corpus_without_descriptors_is_named_and_goes_on(tmp_path):
    corpus_plan = make_plan(tmp_path / "plan", lines(tmp_path / "articles.jsonl", range(1, 3)))
    run_shard(tmp_path / "plan", 0)

    def begin(folder: Path) -> None:
        CorpusFolder(folder).begin(corpus_plan, {})
        status(folder)

    check_named(tmp_path / "runs", begin)
