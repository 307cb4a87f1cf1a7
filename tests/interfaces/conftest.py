"""No interface test touches the user's cache, configuration, or any network."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    monkeypatch.setenv("BIOFACT_OFFLINE", "1")
    monkeypatch.delenv("BIOFACT_REDIS_URL", raising=False)
