"""Builds dist/biofact.mcpb, which MCP hosts install with one click: our wheel, and what a host has to know of it.

``python tools/bundle.py [folder]``: into ``dist``, or the folder. The host's uv fetches Python and the dependencies, in
the versions of constraints.txt. Manifest: https://github.com/modelcontextprotocol/mcpb, version 0.4, read 2026-11-26.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from biofact.core.settings import Setting
from biofact.dialects.eutils.service import API_KEY, EMAIL
from biofact.interfaces import every_source
from biofact.interfaces.spelling import Spelling, prefixed

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ENTRY_POINT = "server.py"
_OPTIONS: dict[str, tuple[str, Setting]] = {"ncbi_api_key": ("NCBI API key", API_KEY), "email": ("Email", EMAIL)}
_FIRST_SENTENCE = re.compile(r".*?[.:](?=\s|$)", re.DOTALL)
_SAME_DATE = (1980, 1, 1, 0, 0, 0)  # the same sources are the same bundle


def main(arguments: list[str]) -> int:
    """Write the bundle, and say where it is."""
    target = Path(arguments[0] if arguments else ROOT / "dist")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        bundle = target / "biofact.mcpb"
        pack(Path(folder), bundle)
    print(f"{bundle}: {bundle.stat().st_size / 2**20:.1f} MB")
    return 0


def stage(folder: Path) -> None:
    """Write the files of the bundle into a folder."""
    wheel = _wheel(folder)
    (folder / "manifest.json").write_text(json.dumps(manifest(), indent=2) + "\n", "utf-8")
    (folder / "pyproject.toml").write_text(_pyproject(wheel), "utf-8")
    for file in ("LICENSE", f"deploy/bundle/{ENTRY_POINT}"):
        shutil.copy(ROOT / file, folder)


def pack(folder: Path, bundle: Path) -> None:
    """Write the files of a folder into a bundle, which is a ZIP file."""
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.writestr(_entry(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _SAME_DATE)
    entry.external_attr = 0o644 << 16  # readable, where the host unpacks it for another user
    return entry


def manifest() -> dict[str, Any]:
    """The manifest: what a host shows, asks its user, and starts."""
    return {
        "manifest_version": "0.4",
        "name": PROJECT["name"],
        "display_name": PROJECT["name"],
        "version": PROJECT["version"],
        "description": PROJECT["description"],
        "author": {"name": PROJECT["authors"][0]["name"]},
        "license": PROJECT["license"],
        "keywords": PROJECT["keywords"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--quiet", "--directory", "${__dirname}", ENTRY_POINT],
                "env": {setting.name: f"${{user_config.{name}}}" for name, (_, setting) in _OPTIONS.items()},
            },
        },
        "tools": _tools(),
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": PROJECT["requires-python"]},
        },
        "user_config": {name: _option(title, setting) for name, (title, setting) in _OPTIONS.items()},
    }


def _wheel(target: Path) -> str:
    """The name of our wheel, built from a copy: a build leaves its files in the tree."""
    with tempfile.TemporaryDirectory() as tree:
        shutil.copytree(ROOT / "src", Path(tree, "src"), ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        for file in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
            shutil.copy(ROOT / file, tree)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(target), tree]
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "315532800"})
    (wheel,) = target.glob("*.whl")
    return wheel.name


def _option(title: str, setting: Setting) -> dict[str, Any]:
    """A field of the host's settings; without a default, an empty one would be sent as its own name."""
    schema = {"type": "string", "title": title, "description": setting.meaning, "required": False, "default": ""}
    return {**schema, "sensitive": setting.is_secret}


def _tools() -> list[dict[str, str]]:
    """The description of each tool before the server runs."""
    spelling = Spelling(every_source, prefixed)
    tools = (tool for name in every_source.toolsets() for tool in every_source.listing(name).tools)
    return [
        {"name": spelling.name(tool.ref), "description": _summary(spelling.text(tool.description))} for tool in tools
    ]


def _summary(description: str) -> str:
    match = _FIRST_SENTENCE.match(description)
    return " ".join((match[0] if match else description).split()).rstrip(":.") + "."


def _pyproject(wheel: str) -> str:
    """A project that has our wheel, and all else in the versions that the tests run with."""
    pins = (ROOT / "constraints.txt").read_text("utf-8").split()
    lines = [
        "[project]",
        f'name = "{PROJECT["name"]}-bundle"',
        f'version = "{PROJECT["version"]}"',
        f'requires-python = "{PROJECT["requires-python"]}"',
        f'dependencies = ["{PROJECT["name"]}"]',
        "",
        "[tool.uv]",
        "package = false",
        f"constraint-dependencies = {json.dumps(pins, indent=1)}",
        "",
        "[tool.uv.sources]",
        f'{PROJECT["name"]} = {{ path = "{wheel}" }}',
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
