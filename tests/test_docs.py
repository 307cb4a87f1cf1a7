"""Every command, tool, setting, error code and notice code is in the docs."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from biofact import toolsets
from biofact.core.errors import ErrorCode
from biofact.core.records import NoticeCode
from biofact.core.tool import resources_of, specs_of
from biofact.interfaces import every_source
from biofact.interfaces.cli.app import BUILTIN_COMMANDS
from biofact.interfaces.cli.doctor import all_settings

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "guide.md").read_text()
TOOLS = (ROOT / "docs" / "tools.md").read_text()
CLIENTS = {name: every_source.client_class(name) for name in every_source.toolsets()}

each_source = pytest.mark.parametrize("source", CLIENTS)


def test_every_error_and_notice_code_is_explained():
    codes = [*get_args(ErrorCode), *get_args(NoticeCode)]

    assert [code for code in codes if f"| `{code}` |" not in GUIDE] == []
    assert len(codes) > 20


def test_every_setting_is_explained():
    setting_names = {setting.name for setting in all_settings() if not setting.name.startswith("TEST_")}

    assert {name for name in setting_names if f"`{name}`" not in GUIDE} == set()
    assert len(setting_names) >= 6


@pytest.mark.parametrize(
    "command",
    [
        *(name for commands in BUILTIN_COMMANDS.values() for name in commands),
        *toolsets.command_groups(),
        *every_source.names(),
    ],
)
def test_every_command_is_named(command):
    assert f"`biofact {command}`" in GUIDE


@each_source
def test_every_tool_and_argument_is_on_the_tools_page(source):
    for spec in specs_of(CLIENTS[source]):
        assert spec.ref.method in TOOLS
        assert all(f"`{parameter.name}`" in TOOLS for parameter in spec.parameters)


def test_every_prompt_and_argument_is_explained():
    table = GUIDE.partition("<!-- prompts:")[2].partition("<!-- end -->")[0]
    rows = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}

    assert set(rows) == {journey.name for journey in every_source.journeys()}
    for journey in every_source.journeys():
        assert all(f"`{argument.name}`" in rows[journey.name] for argument in journey.arguments)


def test_every_skill_is_linked_from_the_guide():
    skills = [file.relative_to(ROOT).as_posix() for file in (ROOT / "skills").glob("*/SKILL.md")]

    assert len(skills) >= 5
    assert all(f"](../{skill})" in GUIDE for skill in skills)


@each_source
def test_every_resource_and_its_parameters_are_on_the_tools_page(source):
    for spec in resources_of(CLIENTS[source]):
        assert f"### `{spec.uri}`" in TOOLS
        assert all(f"`{parameter.name}`" in TOOLS for parameter in spec.parameters)


def test_a_uri_leads_to_one_resource():
    uris = [re.sub(r"{\w+}", "{}", spec.uri) for client in CLIENTS.values() for spec in resources_of(client)]

    assert len(uris) == len(set(uris))


@pytest.mark.processes
def test_the_tools_page_is_as_the_declarations_make_it():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "tools_page.py", "--check"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_decision_is_short_and_numbered_in_a_row():
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))

    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    assert all(len(page.read_text().splitlines()) <= 25 for page in pages)
