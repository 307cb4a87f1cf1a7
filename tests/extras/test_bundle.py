"""The bundle as its own tool reads it, and as a host installs and starts it: uv fetches the packages it needs."""

import asyncio
import importlib.util
import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.extras import needs
from tests.extras.test_wheel import registry

pytestmark = pytest.mark.extras

MCPB = needs.node_clients() / "node_modules" / ".bin" / "mcpb"
UV = needs.installers() / "uv"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory) -> Path:
    spec = importlib.util.spec_from_file_location("bundle", ROOT / "tools" / "bundle.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    folder = tmp_path_factory.mktemp("bundle")
    assert tool.main([str(folder)]) == 0
    return folder / "biofact.mcpb"


@pytest.fixture(scope="module")
def unpacked(bundle, tmp_path_factory) -> Path:
    """The bundle, unpacked as by a host."""
    folder = tmp_path_factory.mktemp("unpacked")
    mcpb("unpack", bundle, folder)
    return folder


def mcpb(*words) -> str:
    process = subprocess.run([MCPB, *words], capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert process.returncode == 0, f"{words}\n{process.stdout}\n{process.stderr}"
    return process.stdout


def started(manifest: dict, folder: Path, options: dict[str, str]) -> StdioServerParameters:
    """The command that a host starts: names of folders and options are put in their places."""
    values = {"__dirname": str(folder)} | {f"user_config.{name}": value for name, value in options.items()}

    def fill(text: str) -> str:
        for name, value in values.items():
            text = text.replace(f"${{{name}}}", value)
        return text

    config = manifest["server"]["mcp_config"]
    environment = {name: fill(value) for name, value in config["env"].items()}
    arguments = [*map(fill, config["args"]), "--sandbox"]
    return StdioServerParameters(command=str(UV), args=arguments, env=registry() | environment, cwd=os.sep)


def test_its_own_tool_finds_the_manifest_valid(unpacked):
    assert "validation passes" in mcpb("validate", unpacked / "manifest.json")


def test_its_own_tool_would_pack_the_same_files(bundle, unpacked, tmp_path):
    mcpb("pack", unpacked, tmp_path / "again.mcpb")

    with zipfile.ZipFile(bundle) as own_bundle, zipfile.ZipFile(tmp_path / "again.mcpb") as packed_bundle:
        assert sorted(own_bundle.namelist()) == sorted(packed_bundle.namelist())


def test_a_host_starts_it_and_finds_the_tools_that_it_showed(unpacked):
    manifest = json.loads((unpacked / "manifest.json").read_text("utf-8"))
    defaults = {name: option["default"] for name, option in manifest["user_config"].items()}

    async def ask():
        async with (
            stdio_client(started(manifest, unpacked, defaults)) as streams,
            ClientSession(*streams) as client,
        ):
            await client.initialize()
            names = [tool.name for tool in (await client.list_tools()).tools]
            answer = await client.call_tool("entrez_search_genes", {"query": "BRCA1", "slim": True})
        return names, json.loads(answer.content[0].text)["items"][0]["id"]

    names, gene_id = asyncio.run(asyncio.wait_for(ask(), 300))
    assert sorted(names) == sorted(tool["name"] for tool in manifest["tools"])
    assert gene_id == "NCBIGene:672"
