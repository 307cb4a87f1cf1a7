"""Finds the recorded answers of the services; they are not part of this repository."""

import gzip
import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
IS_REQUIRED = os.environ.get("BIOFACT_REQUIRE_RECORDINGS", "").strip() in {"1", "true", "yes", "on"}

needs_recordings = pytest.mark.skipif(
    not IS_REQUIRED and not FOLDER.is_dir(), reason="no recordings: set BIOFACT_RECORDINGS to their folder"
)


def recording(name: str) -> bytes:
    """The bytes of one recording, unpacked. Skips where there are none, fails where they are required."""
    path = FOLDER / name
    if not path.is_file() and not IS_REQUIRED:
        pytest.skip("no recordings: set BIOFACT_RECORDINGS to their folder")
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
