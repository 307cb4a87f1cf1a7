"""The wheel as users install it, with pip, pipx, uv tool and uvx: each client's entry starts a server that answers."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.interfaces.cli.client_files import CLIENTS
from tests.extras import needs

pytestmark = pytest.mark.extras

INSTALLERS = needs.installers()
ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
CONSTRAINTS = str(ROOT / "constraints.txt")
TOOLS = sum(len([*specs_of(every_source.client_class(source))]) for source in every_source.toolsets())
NO_PART = shutil.ignore_patterns("__pycache__", "*.egg-info")
WAYS = ("pip", "pipx", "uv tool")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built once, from a copy: a build writes its files into the tree."""
    tree, target = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "src", tree / "src", ignore=NO_PART)
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, tree)
    done([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", target, tree], os.environ)
    [wheel_file] = target.iterdir()
    return wheel_file


@pytest.fixture(scope="module")
def commands(wheel, tmp_path_factory) -> dict[str, Path]:
    """The command ``biofact`` of a fresh environment for each way of installing."""
    folder = tmp_path_factory.mktemp("installed")
    constraint_settings = {"PIP_CONSTRAINT": CONSTRAINTS, "UV_CONSTRAINT": CONSTRAINTS}
    places = {"PIPX_HOME": folder / "pipx", "PIPX_BIN_DIR": folder / "pipx-bin", "PIPX_MAN_DIR": folder / "man"}
    places |= {"UV_TOOL_DIR": folder / "uv", "UV_TOOL_BIN_DIR": folder / "uv-bin"}
    settings = {**registry(), **constraint_settings, **{name: str(place) for name, place in places.items()}}
    done([sys.executable, "-m", "venv", folder / "venv"], settings)
    done([folder / "venv" / "bin" / "python", "-m", "pip", "install", "-q", wheel], settings)
    done([INSTALLERS / "pipx", "install", "-q", "--python", sys.executable, wheel], settings)
    done([INSTALLERS / "uv", "tool", "install", "-q", "--python", sys.executable, wheel], settings)
    bins = ("venv/bin", "pipx-bin", "uv-bin")
    return {way: folder / place / "biofact" for way, place in zip(WAYS, bins, strict=True)}


@pytest.fixture
def bare(tmp_path) -> dict[str, str]:
    """The environment of a program that was not started by a shell: the system's PATH, and a home."""
    return {"PATH": os.defpath, "HOME": str(tmp_path)}


def registry() -> dict[str, str]:
    """The environment, with pip's registry for uv, which reads none of pip's settings."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    index = (
        os.environ.get("PIP_INDEX_URL") or subprocess.run(command, capture_output=True, text=True, check=False).stdout
    )
    is_known = any(os.environ.get(name) for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_CONFIG_FILE"))
    return {**os.environ, **({"UV_DEFAULT_INDEX": index.strip()} if index.strip() and not is_known else {})}


def done(command, environment) -> str:
    """The output of a command; it has to succeed."""
    words = list(map(str, command))
    process = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=600, check=False)
    assert process.returncode == 0, f"{words}\n{process.stdout}\n{process.stderr}"
    return process.stdout


def entry_printed(command, environment, client: str, *options: str) -> dict:
    """The entry that ``install --print`` shows for a client."""
    output = done([*command, "install", "--client", client, "--print", *options], environment)
    return json.loads(output)["servers" if client == "vscode" else "mcpServers"]["biofact"]


def answers(entry: dict, bare: dict[str, str]) -> tuple[int, list[str]]:
    """The number of tools of the entry's server, and the IDs that one of them finds."""

    async def ask():
        home = bare["HOME"]
        environment = {**bare, **entry.get("env", {})}
        server = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment, cwd=home)
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()
            tools = (await client.list_tools()).tools
            answer = await client.call_tool("entrez_search_genes", {"query": "BRCA1", "slim": True})
        body = json.loads(answer.content[0].text)
        return len(tools), [item["id"] for item in body["items"]]

    return asyncio.run(asyncio.wait_for(ask(), 120))


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    package = {str(file.relative_to(ROOT / "src")) for file in (ROOT / "src" / "biofact").rglob("*") if file.is_file()}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    folder = f"biofact-{VERSION}.dist-info"

    assert {name for name in names if not name.startswith(f"{folder}/")} == {
        name for name in package if "__pycache__" not in name
    }
    assert f"{folder}/licenses/LICENSE" in names


@pytest.mark.parametrize("way", WAYS)
def test_an_installed_command_works_without_a_path(way, commands, bare):
    assert done([commands[way], "--version"], bare) == f"{VERSION}\n"
    assert done([commands[way], "demo"], bare).endswith("Every answer is as it has to be.\n")


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("way", WAYS)
def test_the_server_that_a_client_starts_lists_its_tools_and_answers(way, client, commands, bare):
    entry = entry_printed([commands[way]], bare, client, "--sandbox")

    tools, search_row = answers(entry, bare)
    assert tools == TOOLS
    assert search_row[0] == "NCBIGene:672"


def test_uvx_runs_the_wheel_and_its_entry_does_not_point_into_a_cache(wheel, bare):
    settings = {**registry(), "UV_CONSTRAINT": CONSTRAINTS, "UV_PYTHON": sys.executable}
    settings["UV_CACHE_DIR"] = done([INSTALLERS / "uv", "cache", "dir"], settings).strip()
    uvx = [INSTALLERS / "uvx", "--from", wheel, "biofact"]
    passed_settings = [name for name in settings if name.startswith(("UV_", "SSL_CERT_")) and settings[name]]
    options = [word for name in passed_settings for word in ("--env", name)]

    assert done([*uvx, "--version"], settings) == f"{VERSION}\n"
    entry = entry_printed(uvx, settings, "claude-desktop", "--sandbox", *options)
    assert entry["command"] == str(INSTALLERS / "uvx")
    assert entry["args"] == ["--from", f"biofact @ {wheel.as_uri()}", "biofact", "serve", "--sandbox"]
    assert answers(entry, bare)[1][0] == "NCBIGene:672"


def test_pipx_run_runs_the_wheel_and_its_entry_does_not_point_into_a_cache(wheel, bare, tmp_path):
    settings = {**registry(), "PIP_CONSTRAINT": CONSTRAINTS, "UV_CONSTRAINT": CONSTRAINTS}
    settings |= {"PIPX_HOME": str(tmp_path / "pipx"), "PATH": f"{INSTALLERS}{os.pathsep}{os.environ['PATH']}"}
    settings["PIPX_DEFAULT_PYTHON"] = sys.executable
    pipx = [INSTALLERS / "pipx", "run", "--spec", wheel, "biofact"]
    passed_settings = [name for name in settings if name.startswith(("PIP", "UV_", "SSL_CERT_")) and settings[name]]
    options = [word for name in passed_settings for word in ("--env", name)]

    entry = entry_printed(pipx, settings, "cursor", "--sandbox", *options)
    assert entry["command"] == str(INSTALLERS / "pipx")
    assert entry["args"] == ["run", "--spec", f"biofact @ {wheel.as_uri()}", "biofact", "serve", "--sandbox"]
    assert answers(entry, bare)[1][0] == "NCBIGene:672"
