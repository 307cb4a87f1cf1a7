"""The verdict of ``make conformance`` on the suite's checks, and the form of its baseline."""

import json

import pytest
from fastmcp import Client
from tools import conformance
from tools.conformance import Check, Row, Verdict

from biofact.interfaces.mcp.server import server
from tests import virtual_time
from tests.documents import ROOT
from tests.mcp_suite.offer import SuiteOffer

pytestmark = pytest.mark.quick

PAGE = ROOT / "docs" / "conformance.md"
ROW = Row("ping", ("a", "b"), ("2025-11-25",), "It cannot apply.")
A = Check("2025-11-25", "ping", "a")
B = Check("2025-11-25", "ping", "b")


@pytest.mark.parametrize("row", conformance.baseline(), ids=lambda row: row.scenario)
def test_each_row_of_the_baseline_is_explained_in_the_docs(row):
    page = PAGE.read_text("utf-8")

    assert row.reason in page
    assert all(f"`{check}`" in page for check in row.checks)
    assert len(row.reason.split()) > 8
    assert set(row.versions) <= {*conformance.VERSIONS, conformance.EXTENSIONS}


def test_no_check_stands_in_the_baseline_twice():
    places = [place for row in conformance.baseline() for place in row.places()]

    assert len(places) == len(set(places))


def test_a_check_in_the_baseline_may_fail():
    assert conformance.verdict([A, B], [ROW]) == Verdict([], [])


def test_a_check_outside_of_the_baseline_may_not_fail():
    other = Check("2026-07-28", "ping", "a", message="Other versions are others.")

    assert conformance.verdict([A, B, other], [ROW]) == Verdict([other], [])


def test_a_row_that_no_longer_fails_is_stale():
    passing_check = Check("2025-11-25", "ping", "b", "SUCCESS")

    assert conformance.verdict([A, passing_check], [ROW]) == Verdict([], [B.place])


def test_a_check_that_occurs_twice_fails_if_one_of_them_does():
    passing_check = Check("2025-11-25", "ping", "a", "SUCCESS")

    assert conformance.verdict([A, passing_check, B], [ROW]) == Verdict([], [])
    assert conformance.verdict([A, passing_check, B], []) == Verdict([A, B], [])


def test_results_are_read_by_scenario(tmp_path):
    folder = tmp_path / "server-json-schema-2020-12-2026-11-26T20-20-20-202Z"
    folder.mkdir()
    (folder / "checks.json").write_text(json.dumps([{"id": "a", "status": "FAILURE", "errorMessage": "No list."}]))

    assert [*conformance.checks_of(tmp_path, "2025-11-25")] == [
        Check("2025-11-25", "json-schema-2020-12", "a", "FAILURE", "No list.")
    ]


def test_figures_count_each_version_and_all():
    *_, of_version, _, _, of_all = conformance.figures([A, B, Check("2025-11-25", "ping", "c", "SUCCESS")], [ROW])

    assert of_version.split() == ["2025-11-25", "1", "2", "2", "0", "0"]
    assert of_all.split() == ["all", "1", "2", "2", "0", "0"]


def test_our_server_offers_the_suite_what_it_expects():
    async def read_offer():
        async with Client(server("conformance", SuiteOffer)) as client:
            tool_result = await client.call_tool("test_simple_text", {})
            (resource,) = await client.read_resource("test://template/123/data")
            prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "hello", "arg2": "world"})
        return tool_result.content[0].text, json.loads(resource.text)["id"], prompt.messages[0].content.text

    text, template_id, prompt = virtual_time.run(read_offer())

    assert text == "This is a simple text response for testing."
    assert template_id == "123"
    assert prompt == "Prompt with arguments: arg1='hello', arg2='world'"
