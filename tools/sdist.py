"""Holds the source distribution to the repository: it has every file, so that the tests run from it, and no other.

``python tools/sdist.py [folder]``: builds the sdist from what git tracks, offline, into the folder if one is given.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TextIO

from setuptools import build_meta

ROOT = Path(__file__).parents[1]
_GENERATED = ("PKG-INFO", "setup.cfg")
_EGG_INFO = "src/biofact.egg-info/"


def main(arguments: list[str]) -> int:
    """Print each file that is missing or left over; 1 if there is one."""
    tracked_files = _tracked_files()
    with tempfile.TemporaryDirectory() as folder:
        tree, target = Path(folder, "tree"), Path(arguments[0] if arguments else folder, "dist").resolve()
        for name in tracked_files:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
        packed = members(_build(tree, target))
    for name in sorted(tracked_files - packed):
        print(f"{name} is not in the sdist: see MANIFEST.in")
    for name in sorted(packed - tracked_files):
        print(f"{name} is in the sdist, but not in the repository")
    return 1 if packed != tracked_files else 0


def members(sdist: Path) -> set[str]:
    """The files in an sdist, but those that every build generates."""
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    return {name for name in names if name not in _GENERATED and not name.startswith(_EGG_INFO)}


def _build(tree: Path, target: Path) -> Path:
    target.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(tree), Path(os.devnull).open("w", encoding="utf-8") as null_device, _silent(null_device):
        return target / str(build_meta.build_sdist(str(target)))


def _silent(null_device: TextIO) -> contextlib.ExitStack:
    """The build lists every file that it copies; what fails is raised."""
    stack = contextlib.ExitStack()
    stack.enter_context(contextlib.redirect_stdout(null_device))
    stack.enter_context(contextlib.redirect_stderr(null_device))
    return stack


def _tracked_files() -> set[str]:
    """The files that git tracks and that exist."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout  # noqa: S607
    return {name for name in listing.split("\0") if name and (ROOT / name).is_file()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
