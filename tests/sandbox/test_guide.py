"""The guide's example of a sandbox in a user's tests works as described."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"


def test_the_example_runs_unchanged(tmp_path: Path) -> None:
    [example] = re.findall(r"test_guide\.py -->\n```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    program = tmp_path / "example.py"
    program.write_text(example, "utf-8")

    run = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120
    )

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
