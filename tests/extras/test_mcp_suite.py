"""The official conformance suite of MCP against our server; docs/conformance.md explains what of it fails."""

from collections import Counter

import pytest
from tools import conformance

from tests.extras import needs

SUITE = needs.conformance_suite()


@pytest.fixture(scope="module")
def checks():
    return conformance.run(SUITE)


def test_what_fails_stands_in_the_baseline_and_nothing_else(checks):
    assert conformance.verdict(checks, conformance.baseline()) == conformance.Verdict([], [])


def test_every_version_and_every_extension_is_asked_about(checks):
    passed = Counter(check.version for check in checks if check.status == "SUCCESS")

    assert [*passed] == [*conformance.VERSIONS, conformance.EXTENSIONS]
    assert passed["2026-07-28"] > 100
