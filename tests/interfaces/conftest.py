"""No interface test touches the user's cache, configuration, or any network."""

import itertools
from pathlib import Path

import pytest

_COUNT = itertools.count()


@pytest.fixture(autouse=True)
def _isolated(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _folder(request)
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "configuration"))
    monkeypatch.setenv("BIOFACT_OFFLINE", "1")
    monkeypatch.delenv("BIOFACT_REDIS_URL", raising=False)


def _folder(request: pytest.FixtureRequest) -> Path:
    """A folder of the test's own, created only for tests that ask for it."""
    if "tmp_path" in request.fixturenames:
        return request.getfixturevalue("tmp_path")
    factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
    return factory.getbasetemp() / f"alone-{next(_COUNT)}"
