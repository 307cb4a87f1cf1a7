"""The scripts behind the make targets."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from biofact import sources
from biofact.sandbox import Sandbox

ROOT = Path(__file__).parents[1]
KEY = "SECRET0123456789abcdef"


def run(script, *arguments, **environment):
    command = [sys.executable, ROOT / "tools" / script, *arguments]
    whole = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    return subprocess.run(command, capture_output=True, text=True, env=whole, timeout=300, check=False)


def test_a_source_is_recorded_without_secrets_and_compared_with_itself(tmp_path):
    async def on_sandbox():
        async with Sandbox(rate_factor=100) as sandbox:
            there = {**sandbox.environment(), "BIOFACT_RECORDINGS": tmp_path, "NCBI_API_KEY": KEY}
            saved = await asyncio.to_thread(run, "record.py", "entrez", **there)
            same = await asyncio.to_thread(run, "record.py", "entrez", "--diff", **there)
            next(p for p in tmp_path.rglob("esearch_*") if ".meta." not in p.name).write_text("{}")
            changed = await asyncio.to_thread(run, "record.py", "entrez", "--diff", **there)
            return saved, same, changed

    saved, same, changed = asyncio.run(on_sandbox())
    sidecars = [json.loads(path.read_text()) for path in tmp_path.rglob("*.meta.json")]

    assert saved.returncode == same.returncode == 0, saved.stderr + same.stderr + same.stdout
    assert changed.returncode == 1
    assert len(sidecars) >= 8
    assert {sidecar["status"] for sidecar in sidecars} == {200}
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_new_source_starts_as_a_working_copy_under_its_own_name(tmp_path):
    for name in ("src", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, tmp_path / "tools" / "new_source.py", "newcomer"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)
    folder = tmp_path / "src" / "biofact" / "sources" / "newcomer"
    imported = "import biofact.sources as s; print(s.names(), s.client_class('newcomer').source_name)"
    there = {"env": {**os.environ, "PYTHONPATH": str(tmp_path / "src")}, "capture_output": True, "text": True}
    found = subprocess.run([sys.executable, "-c", imported], **there, check=False)
    listing = subprocess.run(
        [sys.executable, tmp_path / "tools" / "tool_catalogue.py", "--check"], **there, check=False
    )

    assert done.returncode == 0, done.stderr
    names = tuple(sorted([*sources.names(), "newcomer"]))
    assert found.stdout.strip() == f"{names} newcomer", found.stderr
    assert listing.returncode == 0, listing.stderr
    assert json.loads((folder / "tools.json").read_text())["tools"][0]["ref"]["source"] == "newcomer"
    assert (folder / "README.md").read_text().count("\n## ") == 8
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
