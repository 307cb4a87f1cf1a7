"""Declares the toy's key as a setting while these tests run."""

import pytest

from biofact.core import settings
from tests.transport.scene import KEY


@pytest.fixture(autouse=True)
def _declared_key(monkeypatch):
    monkeypatch.setitem(settings._registry, KEY.name, KEY)
