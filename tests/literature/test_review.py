"""A whole review on the sandbox: the contents of its folder, and its continuation after any interruption."""

import csv
import io
import json
import shutil

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.literature import exports
from biofact.literature.ranking.request import ArticleFilters, RankRequest
from biofact.literature.records import GOAL_RELEVANCE
from biofact.literature.review.folder import OUTPUTS
from biofact.literature.review.plan import CRITERIA, SCHEMA
from biofact.sandbox.faults import Fault
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests import virtual_time
from tests.literature.made_reviews import GOAL, outputs, plan, run, work
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

EVIDENCE = {
    "weights": {name: weight for name, weight in CRITERIA.weights.items() if name != GOAL_RELEVANCE},
    "scoring_functions": {
        name: scoring_function
        for name, scoring_function in CRITERIA.scoring_functions.items()
        if name != GOAL_RELEVANCE
    },
    "normalization_method": "none",
}
"""The default criteria without the goal, as the steps have them."""
RESULT = ["PMID:11832527", "PMID:9742977", "PMID:99000034", "PMID:99000035"]


@pytest.fixture(scope="module")
def undisturbed_folder(tmp_path_factory):
    """The folder of a run that was never stopped."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    run(plan(), folder)
    return folder


@pytest.fixture
def begun_folder(undisturbed_folder, tmp_path):
    """A copy of the folder, to be damaged."""
    return shutil.copytree(undisturbed_folder, tmp_path / "run")


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_the_folder_holds_what_the_steps_of_the_pipeline_give(undisturbed_folder):
    async def steps():
        async with sandboxed("pubmed") as (client, _):
            queries = (await client.pubmed_generate_query(GOAL)).generated_queries
            searches = [await client.pubmed_search(query.query_string, 200) for query in queries]
            ids = {article.id for answer in searches for article in answer.articles}
            pubmed_extract_features = await client.pubmed_extract_features(dict(SCHEMA), sorted(ids))
            return (
                queries,
                searches,
                pubmed_extract_features,
                await client.pubmed_score_articles(EVIDENCE, collection=pubmed_extract_features.collection),
            )

    queries, result, read_values, scored_rows = virtual_time.run(steps())

    files = outputs(undisturbed_folder)
    manifest = json.loads(files["manifest.json"])
    assert set(files) == set(OUTPUTS)
    assert [query["query_string"] for query in manifest["queries"]] == [query.query_string for query in queries]
    assert [query["found"] for query in manifest["queries"]] == [answer.total_results for answer in result]
    ranked = rows(files["ranking.csv"])
    assert [row["item_id"] for row in ranked] == RESULT
    strengths = {article.item_id: article.total_score for article in scored_rows.scored_articles}
    for row in ranked:
        relevance, strength = float(row["relevance"]), float(row["evidence_strength"])
        assert strength == pytest.approx(strengths[row["item_id"]], abs=1e-5)
        assert float(row["total_score"]) == pytest.approx(relevance / 2 + strength / 2, abs=1e-5)
    sizes = {row.item_id: str(row.extraction.get("sample_size", "")) for row in read_values.extractions}
    assert {row["item_id"]: row["feature:sample_size"] for row in rows(files["features.csv"])} == sizes


def test_all_files_speak_of_the_same_articles(undisturbed_folder):
    files = outputs(undisturbed_folder)

    lines = files["articles.jsonl"].decode().splitlines()
    articles = {item.id: item for item in map(CanonicalPubMedArticle.model_validate_json, lines)}
    ranked = [articles[name] for name in RESULT]
    assert files["references.ris"].decode() == exports.ris(ranked)
    assert files["references.bib"].decode() == exports.bibtex(ranked)
    page = files["report.html"].decode()
    assert all(name.removeprefix("PMID:") in page for name in RESULT)
    assert GOAL in page
    assert "http" not in page.split("<style>")[1].split("</style>")[0]


def test_the_manifest_counts_dates_and_names_what_ran(undisturbed_folder):
    manifest = json.loads((undisturbed_folder / "manifest.json").read_bytes())

    assert manifest["counts"] == {
        "found": 8,
        "taken": 8,
        "duplicates": 4,
        "articles": 4,
        "not_read": 0,
        "scored": 4,
        "ranked": 4,
        "in_report": 4,
    }
    assert manifest["versions"]["biofact"] == "1.2.3"
    assert manifest["rerun"] == f"biofact literature review '{GOAL}' --rules"
    assert set(manifest["times"]) == {"started", "finished", "sources"}
    assert manifest["today"] == manifest["times"]["started"][:10]
    assert all(query["query_translation"] for query in manifest["queries"])


def test_the_same_plan_makes_the_same_bytes_in_another_folder(undisturbed_folder, tmp_path):
    run(plan(), tmp_path / "run")

    assert outputs(tmp_path / "run") == outputs(undisturbed_folder)


def test_a_finished_review_asks_nothing_and_changes_nothing(begun_folder):
    (begun_folder / "ranking.csv").write_text("with labels of mine")
    result, query = run(plan(), begun_folder)

    assert query == []
    assert result.was_finished
    assert (begun_folder / "ranking.csv").read_text() == "with labels of mine"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in {OUTPUTS[0], OUTPUTS[-1]} else pytest.mark.sweep) for name in OUTPUTS],
)
def test_a_file_that_is_missing_is_written_again_without_a_question(name, begun_folder, undisturbed_folder):
    (begun_folder / name).unlink()
    result, query = run(plan(), begun_folder)

    assert (query, result.was_finished) == ([], False)
    assert outputs(begun_folder) == outputs(undisturbed_folder)


@pytest.mark.parametrize(
    ("lost_values", "programs"),
    [
        (("features",), []),
        (("articles", "features"), ["efetch.fcgi"]),
        (("headings",), ["esummary.fcgi"]),
        (("mesh", "headings"), ["esearch.fcgi", "esummary.fcgi"]),
    ],
)
def test_only_what_is_lost_is_asked_for_again(lost_values, programs, begun_folder, undisturbed_folder):
    for kind in lost_values:
        shutil.rmtree(begun_folder / ".work" / kind)
    for name in OUTPUTS:
        (begun_folder / name).unlink()
    _, query = run(plan(), begun_folder)

    assert sorted({item.path.rsplit("/", 1)[-1] for item in query}) == programs
    assert outputs(begun_folder) == outputs(undisturbed_folder)


DAMAGES = {"cut": lambda text: text[:-9], "empty": lambda text: b"", "altered": lambda text: text.replace(b"1", b"2")}
QUICK_DAMAGES = {"search": "cut", "articles": "empty", "features": "altered", "mesh": "cut", "headings": "altered"}


@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        pytest.param(kind, damage, marks=[] if QUICK_DAMAGES[kind] == damage else pytest.mark.sweep)
        for kind in QUICK_DAMAGES
        for damage in DAMAGES
    ],
)
def test_a_damaged_answer_is_requested_again_and_reported(kind, damage, begun_folder, undisturbed_folder):
    file = work(begun_folder, kind)[0]
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    for name in OUTPUTS:
        (begun_folder / name).unlink()
    result, _ = run(plan(), begun_folder)

    assert [str(file.relative_to(begun_folder / ".work"))] == result.damaged
    assert outputs(begun_folder) == outputs(undisturbed_folder)


def test_part_files_of_a_killed_process_are_deleted(begun_folder):
    (begun_folder / ".part-abc").write_text("half a")
    (begun_folder / ".work" / "search" / ".part-abc").write_text("half a")
    run(plan(), begun_folder)

    assert not list(begun_folder.rglob(".part-*"))


def test_a_service_that_fails_stops_the_run_and_loses_nothing(tmp_path, undisturbed_folder):
    folder = tmp_path / "run"
    with pytest.raises(UpstreamError, match="NCBI E-utilities"):
        run(plan(), folder, faults=[Fault("status", status=503, path="efetch", times=1000)])

    assert {path.name for path in folder.iterdir()} == {".work"}
    _, query = run(plan(), folder)
    assert [item.path for item in query] == ["/efetch.fcgi"]
    assert outputs(folder) == outputs(undisturbed_folder)


def test_queries_are_made_with_all_mesh_terms_or_not_at_all(tmp_path, undisturbed_folder):
    folder = tmp_path / "run"
    with pytest.raises(UpstreamError):
        run(plan(), folder, faults=[Fault("status", status=503, path="esummary", times=1000)])
    run(plan(), folder)

    assert outputs(folder) == outputs(undisturbed_folder)


def test_a_goal_without_subject_binds_no_folder(tmp_path):
    with pytest.raises(AmbiguousQuery):
        run(plan("of the"), tmp_path / "run")
    result, _ = run(plan(), tmp_path / "run")

    assert result.counts["articles"] == 4


def test_a_review_without_articles_states_it_in_a_report(tmp_path):
    result, _ = run(plan("zyxxy qwrtz"), tmp_path / "run")

    assert result.counts["articles"] == 0
    assert "No article passed the filters" in result.report.read_text()
    assert any(notice.code == "UNMATCHED" for notice in result.notices)


def test_articles_beyond_the_limit_are_not_read(tmp_path):
    result, _ = run(plan(max_results=2), tmp_path / "run")

    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert result.counts["articles"] == 2
    assert result.counts["taken"] - result.counts["duplicates"] == 2
    assert [query["listed"] for query in manifest["queries"]] == [2, 2, 1]


def test_the_report_shows_the_top_and_the_table_all(tmp_path):
    ranking = RankRequest(max_results=1, filters=ArticleFilters(from_year=2000))
    result, _ = run(plan(ranking=ranking), tmp_path / "run")

    files = outputs(tmp_path / "run")
    assert [row["item_id"] for row in rows(files["ranking.csv"])] == [RESULT[0], *RESULT[2:]]
    assert len(result.top) == 1
    assert "Published before 2000" in files["report.html"].decode()


def test_citations_are_asked_for_once_and_kept(tmp_path, undisturbed_folder):
    criteria = RankRequest(max_results=25, ranking_criteria={"boost_high_impact": True})
    _, first = run(plan(ranking=criteria), tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / ".work" / "features")
    (tmp_path / "run" / "manifest.json").unlink()
    _, second = run(plan(ranking=criteria), tmp_path / "run")

    assert [item.path for item in first if item.service == "icite"] == ["/pubs"]
    assert second == []
