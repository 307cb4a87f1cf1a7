"""A run on a mutant has to be one of the mutant."""

import os
from pathlib import Path

import biofact


def pytest_configure() -> None:
    """Refuse to say anything about a mutant that was not imported."""
    if folder := os.environ.get("BIOFACT_MUTANT"):
        assert Path(biofact.__file__).is_relative_to(folder), biofact.__file__
