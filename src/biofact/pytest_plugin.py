"""Fixtures for tests that ask biofact. It is imported by every run of pytest, and imports nothing until it is used."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from biofact.sandbox import Sandbox


@pytest.fixture
def biofact_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[Sandbox]":
    """A sandbox, new for each test, that all clients ask in place of the real services, in processes started here too.

    Its cache is new as well. ``biofact_sandbox.faults`` has services fail, ``biofact_sandbox.requests`` are those made.
    """
    from biofact.clients import sandbox_settings  # noqa: PLC0415
    from biofact.sandbox import Sandbox  # noqa: PLC0415

    with Sandbox() as sandbox:
        for name, value in sandbox_settings(sandbox, str(tmp_path / "biofact")).items():
            monkeypatch.setenv(name, value)
        yield sandbox
