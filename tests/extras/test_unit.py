"""The unit as systemd reads it, and the rights that it gives to the service."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.extras import needs

pytestmark = pytest.mark.extras

ANALYZE = needs.systemd_analyze()
UNIT = Path(__file__).parents[2] / "deploy" / "biofact.service"
MOST_EXPOSED = 1.5  # of ten; what is left is the network, which it is for


def test_systemd_reads_the_unit_without_a_word(tmp_path):
    program = shutil.which("true")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/biofact/bin/biofact", program), "utf-8")

    process = subprocess.run([ANALYZE, "verify", unit], capture_output=True, encoding="utf-8", check=False)

    assert (process.returncode, process.stderr) == (0, "")


def test_the_service_can_reach_little():
    command = [ANALYZE, "security", "--offline=true", "--no-pager", UNIT]
    report = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout

    assert float(re.search(r"Overall exposure level for biofact\.service: ([0-9.]+)", report)[1]) <= MOST_EXPOSED
