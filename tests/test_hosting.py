"""References in files for hosts: names of settings, the registry's mark in the README, links of the page."""

import json
import re
from pathlib import Path

import pytest

from biofact.core.settings import FOLDER
from biofact.interfaces.cli.doctor import all_settings

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "hosting.md").read_text("utf-8")
OF_COMPOSE = {"BIOFACT_HOST", "BIOFACT_UPSTREAM"}
"""Variables of the files themselves, which no gateway reads."""


def test_every_setting_in_the_hosting_pages_exists():
    setting_names = {setting.name for setting in all_settings()} | {FOLDER}
    texts = [PAGE, *(file.read_text("utf-8") for file in DEPLOY.iterdir() if file.is_file())]
    page_names = {name for text in texts for name in re.findall(r"\b(?:BIOFACT|NCBI)_[A-Z_]+\b", text)}

    assert page_names - setting_names == OF_COMPOSE


def test_the_readme_has_the_mark_by_which_the_registry_knows_the_package():
    name = json.loads((ROOT / "server.json").read_text("utf-8"))["name"]

    assert f"<!-- mcp-name: {name} -->" in (ROOT / "README.md").read_text("utf-8")


def test_every_file_that_the_page_names_is_there():
    file_names = re.findall(r"\b(?:deploy|docs)/[\w./-]*\w", PAGE) + [
        f"docs/{link}" for link in re.findall(r"\]\((\w+\.md)\)", PAGE)
    ]

    assert [name for name in file_names if name != "deploy/secrets" and not (ROOT / name).exists()] == []
