"""The configuration files of clients, on each system."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from biofact.interfaces.cli.client_files import configuration_file

pytestmark = pytest.mark.quick

MAC, LINUX, WINDOWS = PurePosixPath("/Users/ann"), PurePosixPath("/home/ann"), PureWindowsPath(r"C:\Users\ann")
ROAMING = {"APPDATA": r"C:\Users\ann\AppData\Roaming"}


BELOW_HOME = [
    ("claude-desktop", "darwin", {}, MAC, "Library/Application Support/Claude/claude_desktop_config.json"),
    ("claude-desktop", "win32", ROAMING, WINDOWS, r"AppData\Roaming\Claude\claude_desktop_config.json"),
    ("claude-desktop", "win32", {}, WINDOWS, r"AppData\Roaming\Claude\claude_desktop_config.json"),
    ("claude-desktop", "linux", {}, LINUX, ".config/Claude/claude_desktop_config.json"),
    ("claude-code", "darwin", {}, MAC, ".claude.json"),
    ("claude-code", "win32", ROAMING, WINDOWS, ".claude.json"),
    ("claude-code", "linux", {}, LINUX, ".claude.json"),
    ("cursor", "darwin", {}, MAC, ".cursor/mcp.json"),
    ("cursor", "win32", ROAMING, WINDOWS, r".cursor\mcp.json"),
    ("cursor", "linux", {}, LINUX, ".cursor/mcp.json"),
    ("vscode", "darwin", {}, MAC, "Library/Application Support/Code/User/mcp.json"),
    ("vscode", "win32", ROAMING, WINDOWS, r"AppData\Roaming\Code\User\mcp.json"),
    ("vscode", "linux", {}, LINUX, ".config/Code/User/mcp.json"),
]


def test_a_client_has_its_file_below_the_home():
    paths = [(*case, configuration_file(*case)) for *case, _ in BELOW_HOME]

    assert paths == [(*case, case[3] / file) for *case, file in BELOW_HOME]


@pytest.mark.parametrize(
    ("client", "platform", "environment", "file"),
    [
        ("claude-desktop", "linux", {"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Claude/claude_desktop_config.json"),
        ("vscode", "linux", {"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Code/User/mcp.json"),
        ("vscode", "darwin", {"XDG_CONFIG_HOME": "/cfg"}, "/h/Library/Application Support/Code/User/mcp.json"),
        ("vscode", "linux", {"XDG_CONFIG_HOME": " "}, "/h/.config/Code/User/mcp.json"),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/settings"}, "/settings/.claude.json"),
    ],
)
def test_a_client_follows_its_variables(client, platform, environment, file):
    assert configuration_file(client, platform, environment, PurePosixPath("/h")) == PurePosixPath(file)


def test_an_unknown_client_has_no_known_file():
    assert configuration_file("json", "linux", {}, LINUX) is None
