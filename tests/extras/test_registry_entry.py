"""``server.json`` by the registry's own schema, and by the registry's further rules, which skillsaw checks."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.extras import needs

pytestmark = pytest.mark.extras

SKILLSAW = needs.installers() / "skillsaw"
ENTRY = Path(__file__).parents[2] / "server.json"


@pytest.fixture
def repository(tmp_path):
    """A folder that contains only the entry."""
    shutil.copy(ENTRY, tmp_path)
    return tmp_path


def findings(repository) -> tuple[int, str]:
    process = subprocess.run(
        [SKILLSAW, "lint", "--strict", repository], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    return process.returncode, process.stdout + process.stderr


def test_the_entry_is_valid(repository):
    code, findings_text = findings(repository)

    assert code == 0, findings_text


@pytest.mark.parametrize(
    ("old", "new"), [('"stdio"', '"telegraph"'), ('"0.1.0"', '"latest"'), ("biofact/biofact", "biofact")]
)
def test_a_mistake_in_the_entry_is_seen(repository, old, new):
    file = repository / "server.json"
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")

    assert findings(repository)[0] != 0
