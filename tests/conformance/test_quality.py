"""Each source's quality.toml states its progress: a claim without a test is refused, and so is a false one."""

import json
from pathlib import Path

import pytest

from biofact import sources
from biofact.core.tool import specs_of
from tests.conformance.cases import each_source
from tests.conformance.claims import FOLDER, done, held_claims, holds, quality

pytestmark = pytest.mark.quick

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
BENCHMARKS = {"entrez": "genes"}
"""The benchmark of a source, if it is not named after the source."""
HEADINGS = [
    "What it knows",
    "Identifiers",
    "Limits and key",
    "Release and freshness",
    "Licence and citation",
    "Quirks (dated)",
    "What we leave out",
    "Recordings",
]
CLAIMS = {
    "bronze": {"conformance", "readme", "tools_documented", "parses_every_recording"},
    "silver": {
        "pages_to_the_end",
        "batch_without_n_plus_1",
        "retry_and_limit_on_the_sandbox",
        "partial_payloads_survive",
    },
    "gold": {"cross_references_both_ways", "slim_within_token_budget", "benchmark_recorded"},
}
OPTIONAL = {"silver": {"rows_name_their_subject"}}
"""Claims that a source need not make."""


@each_source
def test_the_scale_knows_every_claim_and_a_tier_stands_on_the_one_below(source):
    scale = quality(source)

    for tier, claims in scale.items():
        assert set(claims) <= CLAIMS[tier] | OPTIONAL.get(tier, set())
        assert all(value == "done" or value.startswith("exempt") for value in claims.values())
    if "gold" in scale:
        assert set(scale["silver"]) - OPTIONAL["silver"] == CLAIMS["silver"]
    assert set(scale["bronze"]) == CLAIMS["bronze"]


@holds("readme")
@each_source
def test_the_readme_has_its_eight_headings_in_order(source):
    lines = (FOLDER / source / "README.md").read_text().splitlines()

    assert [line[3:] for line in lines if line.startswith("## ")] == HEADINGS


@holds("readme")
@each_source
def test_every_section_of_the_readme_says_something(source):
    sections = (FOLDER / source / "README.md").read_text().split("\n## ")[1:]

    assert all(len(section.split("\n", 1)[1].split()) > 5 for section in sections)


@holds("tools_documented")
@each_source
def test_every_tool_says_how_it_fails_and_where_its_facts_come_from(source):
    for spec in specs_of(sources.client_class(source)):
        assert spec.summary
        assert "Raises:" in spec.description, spec.ref
        assert "Source:" in spec.description, spec.ref


@each_source
def test_a_folder_looks_like_its_neighbours(source):
    names = {path.stem for path in (FOLDER / source).iterdir()}

    assert {"README", "quality", "client", "parse", "records", "examples"} <= names


@each_source
def test_a_claim_that_no_test_holds_is_refused(source):
    tested_claims = {claim for owner, claim in held_claims() if owner == source}

    assert done(source) - tested_claims == set(), "claimed, but the suite has no case of it: exempt it, or test it"


@holds("benchmark_recorded")
@each_source
def test_the_benchmark_of_a_source_is_recorded(source):
    results = RESULTS / f"{BENCHMARKS.get(source, source)}.json"
    is_recorded = results.is_file() and bool(json.loads(results.read_text()))

    assert ("benchmark_recorded" in done(source)) == is_recorded
