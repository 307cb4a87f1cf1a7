"""What several tests of the extras stand on."""

import pytest

from tests.extras.devtools import Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium, closed after the file."""
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()
