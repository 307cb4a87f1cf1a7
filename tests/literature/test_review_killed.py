"""A review that is killed with SIGKILL ends as if undisturbed. The run with 20 kills is benchmarks/review.py."""

import asyncio
import sys

import pytest
from benchmarks.review import AT_ONCE, kill_runs

pytestmark = pytest.mark.processes


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_review_ends_byte_equal_and_asks_for_nothing_twice(tmp_path):
    result = asyncio.run(kill_runs(3, 7, tmp_path))

    assert len(result.kills) >= 2
    assert result.differing_files == []
    assert result.wrongly_repeated == 0
    assert result.repeated_count <= 2 * AT_ONCE  # the calls in flight at two abrupt kills
