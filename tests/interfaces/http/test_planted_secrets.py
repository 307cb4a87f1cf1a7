"""Keys, addresses and tokens are in no output of a gateway; queries of callers are in nothing that it shows."""

import re

import pytest

from biofact.interfaces import every_source
from tests.interfaces.http import planted

pytestmark = pytest.mark.quick


def stands_in(text, word):
    """Whether a text contains a word, and not as a part of another."""
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


def assert_hidden(output):
    """Assert that no planted text is in the output."""
    public_texts = {"log": output.log, "metrics": output.metrics, "health": output.health}
    for place, text in public_texts.items():
        assert [secret for secret in planted.SECRETS if secret in text] == [], place
        assert [word for word in output.words if stands_in(text, word)] == [], place
    assert [secret for secret in planted.SECRETS if any(secret in answer for answer in output.answers)] == []
    assert [
        (secret, file) for secret in planted.SECRETS for file, body in output.files.items() if secret.encode() in body
    ] == []
    assert planted.WORD in output.words  # and it was asked, and something was written
    assert any(planted.WORD in answer for answer in output.answers)
    assert len(output.log) > 1000
    assert output.files
    assert "biofact_calls_total" in output.metrics
    assert '"ready"' in output.health


def test_logged_queries_are_found_by_the_same_search():
    output = planted.run("ensembl", "json", BIOFACT_LOG_QUERIES="1")

    assert planted.WORD in output.log
    assert [secret for secret in planted.SECRETS if secret in output.log] == []
