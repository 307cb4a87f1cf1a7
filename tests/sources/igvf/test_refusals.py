"""Every recorded refusal as an error that names the values the service would accept."""

import csv
import json
import re

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.service import says_absent
from biofact.transport.service import Answer
from tests.each_of import each_of
from tests.recordings import needs_recordings, recording
from tests.sources.igvf.catalog_rows import catalog
from tests.sources.igvf.made_graph import run, spdi

pytestmark = [pytest.mark.quick, needs_recordings]

FILES = (
    "audit_20260513_164629_400_bodies.tsv",
    "audit_20260617_100508_400_bodies.tsv",
    "audit_latest_400_enriched.tsv",
)
OTHER_NAMES = {
    "/diseases/genes": {"term_name": "disease_name"},
    "/diseases/variants": {"term_name": "disease_name"},
    "/genes/genomic-elements": {"name": "gene_name", "alias": "synonym"},
    "/genes/variants": {"alias": "synonym", "region": None},
    "/proteins/complexes": {"name": "protein_name"},
    "/variants/freq": {"variant_id": None},
    "/variants/genes/summary": {"rsid": None, "region": None},
}
"""Parameters by their former names in bodies; None for those that the endpoint does not have."""
OWNER = {
    "variant": {"spdi", "hgvs", "rsid", "ca_id", "variant_id", "region"},
    "gene": {"gene_id", "hgnc_id", "gene_name", "synonym"},
    "protein": {"protein_id", "protein_name", "uniprot_name", "uniprot_full_name", "dbxrefs"},
    "transcript": {"transcript_id", "region", "transcript_type"},
    "pathway": {"pathway_id", "pathway_name", "name_aliases"},
    "phenotype": {"phenotype_id", "phenotype_name"},
    "drug": {"drug_id", "drug_name"},
    "disease": {"disease_id", "disease_name"},
}
"""The parameters that a word of a body without names stands for."""
NEVER_ENOUGH = {"organism", "verbose", "page", "limit"}
NAMES = re.compile(r"At least one of [^:]*: (.*)|^(\w+ or \w+) (?:must be defined|is required)")


def recorded_refusals():
    """Path, request, and body of each recorded refusal; once for each path and body."""
    result = {}
    for name in FILES:
        lines = recording(f"igvf/{name}").decode().splitlines()
        for row in csv.DictReader(lines, delimiter="\t"):
            if row["http_status"] == "400":
                params = row["param_value_tested"].partition("=")[0]
                result.setdefault((row["endpoint"], row["notes"]), set()).add(params)
    return [(path, json.loads(body), value) for (path, body), value in result.items()]


def refusal_of(path, body):
    return parse.refusal(endpoints()[path], Answer(400, {}, json.dumps(body).encode(), path), {"asked": "so"})


def hinted_parameters(error):
    """The values or parameters that a hint lists."""
    return re.sub(r"^(Give one of|Give \w+ as one of|Valid for \w+:|Give) |\.$", "", error.hint).split(", ")


def with_issues():
    return [(path, body, params) for path, body, params in recorded_refusals() if "issues" in body]


def in_words():
    return [(path, body["message"], params) for path, body, params in recorded_refusals() if "issues" not in body]


def parameters_named(path, words):
    """The parameters that a body names, by today's names; none if it names none."""
    match = NAMES.search(words)
    if match is None:
        return set()
    named_words = re.findall(r"\w+", match[1] or match[2])
    names = {OTHER_NAMES.get(path, {}).get(item, item) for item in named_words}
    return names - {None, "or"}


def test_the_recorded_refusals_are_these():
    rows = [
        row
        for name in FILES
        for row in csv.DictReader(recording(f"igvf/{name}").decode().splitlines(), delimiter="\t")
        if row["http_status"] == "400"
    ]

    assert len(rows) == 299
    assert len({row["notes"] for row in rows}) == 45
    assert {row["endpoint"] for row in rows} <= set(endpoints())
    assert (len(with_issues()), len(in_words())) == (19, 43)


def test_every_recorded_refusal_is_the_caller_s_to_mend():
    for path, body, _ in recorded_refusals():
        error = refusal_of(path, body)
        assert isinstance(error, AmbiguousQuery), path
        assert error.invalid_input == {"asked": "so"}
        assert path in error.message
        assert error.hint.endswith(".")


def test_the_hint_lists_all_valid_values():
    listing = [(path, body) for path, body, _ in with_issues() if valid(body["issues"][0])]

    assert len(listing) >= 15
    for path, body in listing:
        error = refusal_of(path, body)
        assert hinted_parameters(error) == valid(body["issues"][0])
        assert body["issues"][0]["path"][0] in error.hint


def valid(issue):
    quoted = issue["expected"] if "|" in issue.get("expected", "") else ""
    return issue.get("options") or [item.strip("' ") for item in quoted.split("|") if quoted]


def test_the_given_value_is_repeated():
    for path, body, _ in with_issues():
        [issue] = body["issues"]
        if issue["received"] != "undefined":
            assert issue["received"][:40].strip("'") in refusal_of(path, body).message


def test_a_parameter_that_is_missing_is_asked_for():
    missing = [(path, body) for path, body, _ in with_issues() if body["issues"][0]["received"] == "undefined"]

    assert len(missing) >= 6
    for path, body in missing:
        name = body["issues"][0]["path"][0]
        assert name in endpoints()[path].required
        assert f"Give {name}" in refusal_of(path, body).hint


def naming():
    return [(path, words) for path, words, _ in in_words() if parameters_named(path, words)]


@each_of(
    "path",
    [
        "/coding-variants/phenotypes/score-summary",
        "/diseases/genes",
        "/diseases/variants",
        "/genes/genomic-elements",
        "/genes/variants",
        "/genomic-elements/genes",
        "/genomic-elements/variants",
        "/proteins/complexes",
        "/variants",
        "/variants/freq",
        "/variants/genes",
        "/variants/genes/summary",
        "/variants/phenotypes/score-summary",
    ],
)
def test_parameters_that_a_refusal_names_are_hinted_at_by_today_s_names(path):
    [words] = [words for naming_path, words in naming() if naming_path == path]
    names = parameters_named(path, words)

    assert names <= set(endpoints()[path].parameters)
    assert set(hinted_parameters(refusal_of(path, {"message": words, "code": "BAD_REQUEST"}))) == names


def test_these_are_all_that_name_parameters():
    assert len(naming()) == 13


@each_of(
    "path",
    [
        "/biosamples/genomic-elements",
        "/coding-variants/phenotypes",
        "/complexes/proteins",
        "/drugs/variants",
        "/gene-regulatory-network",
        "/genes-structure",
        "/genes/coding-variants/scores",
        "/genes/diseases",
        "/genes/genes",
        "/genes/pathways",
        "/genes/proteins",
        "/genes/transcripts",
        "/genomic-elements/biosamples",
        "/pathways/genes",
        "/pathways/pathways",
        "/phenotypes/variants",
        "/proteins/proteins",
        "/proteins/variants",
        "/transcripts/genes",
        "/transcripts/proteins",
        "/variants/biosamples",
        "/variants/diseases",
        "/variants/drugs",
        "/variants/genomic-elements",
        "/variants/phenotypes",
        "/variants/predictions",
        "/variants/predictions-count",
        "/variants/proteins",
        "/variants/variant-ld",
    ],
)
def test_a_refusal_in_words_hints_at_parameters_that_may_be_enough(path):
    """A hint never names a parameter that was given and refused."""
    pairs = [
        (words, params)
        for position, words, params in in_words()
        if position == path and not parameters_named(path, words)
    ]

    assert pairs
    for words, params in pairs:
        hints = set(hinted_parameters(refusal_of(path, {"message": words, "code": "BAD_REQUEST"})))
        assert hints <= set(endpoints()[path].parameters) - NEVER_ENOUGH
        assert hints - {"amino_acid_position"} == hints - params - {"amino_acid_position"}  # -1 is no position


@each_of(
    ("path", "owner", "other_names"),
    [
        ("/variants/genomic-elements", "variant", {"method", "files_fileset"}),
        ("/variants/proteins", "variant", {"method", "files_fileset"}),
        ("/variants/phenotypes", "variant", {"method", "files_fileset"}),
        ("/phenotypes/variants", "phenotype", {"method", "files_fileset"}),
        ("/proteins/variants", "protein", {"method", "files_fileset"}),
        ("/proteins/proteins", "protein", set()),
        ("/genes/genes", "gene", set()),
        ("/pathways/pathways", "pathway", set()),
        ("/transcripts/genes", "transcript", set()),
        ("/transcripts/proteins", "transcript", set()),
        ("/variants/variant-ld", "variant", set()),
        ("/variants/drugs", "variant", set()),
        ("/drugs/variants", "drug", set()),
        ("/variants/diseases", "variant", set()),
    ],
)
def test_a_kind_of_entity_in_a_refusal_stands_for_all_the_parameters_that_name_it(path, owner, other_names):
    words = {words for position, words, _ in in_words() if position == path}

    assert all(owner in word or "query parameter" in word for word in words)
    for word in words:
        assert (
            set(hinted_parameters(refusal_of(path, {"message": word, "code": "BAD_REQUEST"})))
            >= OWNER[owner] | other_names
        )


@pytest.mark.parametrize(
    "words",
    [
        "Region span exceeds 10kb.",
        "neg_log10_pvalue must be a query range using: gte, lte, gt, or lt. For example: lte:0.001",
    ],
)
def test_a_refusal_that_says_what_to_do_is_its_own_hint(words):
    error = refusal_of("/variants/genes", {"message": words, "code": "BAD_REQUEST"})

    assert isinstance(error, AmbiguousQuery)
    assert error.hint == words


def test_a_refusal_of_two_inputs_at_once_is_the_caller_s_to_mend():
    words = "You cannot define both gene and variant inputs."

    assert isinstance(refusal_of("/qtls", {"message": words, "code": "BAD_REQUEST"}), AmbiguousQuery)


@pytest.mark.parametrize("body", [{}, {"message": None}, {"message": "Something else."}, {"issues": []}])
def test_a_refusal_that_says_nothing_known_is_a_defect(body):
    error = refusal_of("/genes", body)

    assert isinstance(error, UpstreamError)
    assert error.hint == "Report it."


@each_of(
    ("words", "is_absent"),
    [("Variant not found.", True), ("Gene not found.", True), ("Not found", False), ("not found", False), ("", False)],
)
def test_only_an_entity_that_is_not_found_is_absent(words, is_absent):
    assert says_absent(words) is is_absent


def test_that_an_entity_does_not_exist_is_kept_for_ten_minutes():
    async def ask(igvf, _):
        questions, sleep = IGVFQuestions(igvf.transport), igvf.transport.timing.sleep
        for seconds in (0, 590, 20):
            await sleep(seconds)
            assert await questions.rows("/variants/predictions", {"spdi": spdi(9)}) == []

    assert len(run(ask, catalog()).params_of("/variants/predictions")) == 2
