"""All packages that pages and messages name can be installed: biofact is on no package index."""

import re
from importlib.metadata import requires
from pathlib import Path

import pytest

from biofact.core.extras import install_command

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
FROM_AN_INDEX = re.compile(r"""\binstall\s+(?:-\S+\s+)*['"]?biofact\b(?!-\d)|uvx\s+['"]?biofact\b""")
"""As in: pip install 'biofact[redis]'. A wheel by its file name can be installed."""
PLACES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "skills", "deploy", "src")


def texts():
    for place in PLACES:
        files = [ROOT / place] if place.endswith(".md") else sorted((ROOT / place).rglob("*"))
        for file in files:
            if file.suffix in {".py", ".md", ".sh", ".yaml", ".toml", ".html", ".ipynb"} or file.name == "Dockerfile":
                yield file.relative_to(ROOT).as_posix(), file.read_text("utf-8")


def test_nothing_says_to_install_biofact_from_an_index():
    lines = {
        f"{name}: {line.strip()}"
        for name, text in texts()
        for line in text.splitlines()
        if FROM_AN_INDEX.search(line) and "decisions/" not in name
    }

    assert lines == set()


@pytest.mark.parametrize("line", ["pip install 'biofact[redis]'", "pipx install biofact", "uvx biofact demo"])
def test_such_a_line_would_be_found(line):
    assert FROM_AN_INDEX.search(line)


@pytest.mark.parametrize("line", ["pip install '.[redis]'", "pip install biofact-0.1.0-py3-none-any.whl"])
def test_lines_that_work_are_not(line):
    assert not FROM_AN_INDEX.search(line)


def test_a_message_names_the_packages_of_an_extra():
    assert install_command("ml") == "pip install 'scikit-learn>=1.6' 'skops>=0.11'"
    assert {f'extra == "{name}"' in "".join(requires("biofact")) for name in ("chem", "corpus", "redis", "serve")} == {
        True
    }
