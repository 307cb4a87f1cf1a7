"""The official conformance suite of MCP against our server; docs/conformance.md explains the failures."""

from collections import Counter

import pytest
from tools import conformance

from tests.extras import needs

pytestmark = pytest.mark.extras

SUITE = needs.conformance_suite()
FIRST = "2025-03-26"


@pytest.fixture(scope="module")
def checks():
    return conformance.run(SUITE)


def test_the_baseline_lists_exactly_the_failing_checks(checks):
    assert conformance.verdict(checks, conformance.baseline()) == conformance.Verdict([], [])


def test_every_version_and_every_extension_is_asked_about(checks):
    versions = dict.fromkeys(check.version for check in checks)
    passed_counts = Counter(check.version for check in checks if check.status == "SUCCESS")

    assert [*versions] == [*conformance.VERSIONS, conformance.EXTENSIONS]
    assert passed_counts["2026-07-28"] > 100
    assert all(passed_counts[version] > 10 for version in versions if version != FIRST)


def test_of_the_first_version_the_suite_asks_for_sessions_alone_which_are_not_needed(checks):
    assert [(check.check, check.status) for check in checks if check.version == FIRST] == [
        ("server-session-lifecycle-skipped", "INFO")
    ]
