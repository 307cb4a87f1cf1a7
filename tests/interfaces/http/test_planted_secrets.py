"""Keys, addresses and tokens are in nothing that a gateway writes; what callers ask for, in nothing that it shows."""

import re

import pytest

from biofact.interfaces import every_source
from tests.interfaces.http import planted

pytestmark = pytest.mark.quick


def stands_in(text, word):
    """Whether a word stands in a text, and not as a part of another."""
    return word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)


@pytest.mark.parametrize(
    ("toolset", "log_format"), [*((toolset, "json") for toolset in every_source.toolsets()), ("entrez", "text")]
)
def test_nothing_planted_is_written(toolset, log_format):
    assert_hidden(planted.run(toolset, log_format))


@pytest.mark.sweep
@pytest.mark.parametrize("log_format", ["text", "json"])
@pytest.mark.parametrize("toolset", every_source.toolsets())
def test_nothing_planted_is_written_by_any_example(toolset, log_format):
    assert_hidden(planted.run(toolset, log_format, is_whole=True))


def assert_hidden(written):
    """Nothing planted is in what is written."""
    shown = {"log": written.log, "metrics": written.metrics, "health": written.health}
    for place, text in shown.items():
        assert [secret for secret in planted.SECRETS if secret in text] == [], place
        assert [word for word in written.words if stands_in(text, word)] == [], place
    assert [secret for secret in planted.SECRETS if any(secret in answer for answer in written.answers)] == []
    assert [
        (secret, file) for secret in planted.SECRETS for file, body in written.files.items() if secret.encode() in body
    ] == []
    assert planted.WORD in written.words  # and it was asked, and something was written
    assert any(planted.WORD in answer for answer in written.answers)
    assert len(written.log) > 1000
    assert written.files
    assert "biofact_calls_total" in written.metrics
    assert '"ready"' in written.health


def test_what_a_host_asks_for_is_found_by_the_same_search():
    written = planted.run("ensembl", "json", BIOFACT_LOG_QUERIES="1")

    assert planted.WORD in written.log
    assert [secret for secret in planted.SECRETS if secret in written.log] == []
