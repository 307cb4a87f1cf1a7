"""The page of a corpus: its best articles as the input files have them, and numbers that add up."""

import asyncio
import shutil
from datetime import date
from pathlib import Path

import pytest

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.ranking import rank
from biofact.corpus.ranking_files import RankingRefused
from biofact.corpus.report_page import report
from biofact.literature.ranking.request import RankRequest
from tests.corpus.made_corpus import corpus, do_shards
from tests.literature.made_articles import BARE, COHORT, REVIEW, TRIAL
from tests.literature.made_page import Reader
from tests.literature.made_ranking import HOSTILE

pytestmark = pytest.mark.quick

TODAY = date(2026, 11, 26)
WORST = TRIAL.model_copy(
    update={
        "id": "PMID:7",
        "title": HOSTILE,
        "journal": HOSTILE,
        "authors": [HOSTILE],
        "abstract": f"{HOSTILE} {TRIAL.abstract} {HOSTILE}",
    }
)
RETRACTED = TRIAL.model_copy(update={"id": "PMID:8", "publication_types": ["Retracted Publication"]})


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A run over two files, of which the second has an article of the first again."""
    run = corpus(
        tmp_path_factory.mktemp("done"), [[TRIAL, COHORT, WORST, RETRACTED], [BARE, COHORT, REVIEW]], shard_size=2
    )
    do_shards(run, range(4))
    return run


@pytest.fixture
def run(done, tmp_path):
    return Path(shutil.copytree(done, tmp_path / "run"))


def page_of(run, **options):
    return Reader(asyncio.run(report(run, **options)).read_text("utf-8"))


def in_line(text):
    return " ".join(text.split())


def test_the_page_is_of_the_corpus(run):
    rank(run, RankRequest(), today=TODAY)
    page = page_of(run)
    flow = in_line(page.all("section", id="flow")[0])

    assert page.all("title") == ["Corpus of 6 articles \u00b7 literature report"]
    assert [in_line(text) for text in page.all("h1")] == ["Corpus of 6 articles"]
    assert "Corpus (n = 7) articles-0.ndjson: 4 articles-1.ndjson: 3" in flow
    assert "Duplicate records removed (n = 1)" in flow
    assert "automation tools (n = 1) Retracted: 1" in flow
    assert "5 ranked and ready to be screened; all are listed on this page." in flow
    assert "goal" not in page.all("body")[0].casefold()
    assert page.all("section", id="search") == []


def test_articles_stand_as_the_files_have_them(run):
    rank(run, RankRequest(), today=TODAY)
    titles = " ".join(page_of(run).all("h3"))

    for article in (TRIAL, COHORT, REVIEW, BARE):
        assert article.title in titles
    assert "alert(1)" in titles


def test_hostile_text_stays_text(run):
    rank(run, RankRequest(), today=TODAY)
    page = page_of(run)

    assert {"script", "img"}.isdisjoint(name for name, _, _ in page.elements)
    assert not any(name.startswith("on") for _, attributes, _ in page.elements for name in attributes)
    assert "<script>alert(1)</script>" in "".join(page.text)


def test_correlations_stand_on_the_page_from_ten_articles_up(tmp_path_factory, run):
    trials = [TRIAL, COHORT, REVIEW] * 8
    articles = [article.model_copy(update={"id": f"PMID:{100 + place}"}) for place, article in enumerate(trials)]
    corpora = {
        "few": run,
        "many": corpus(tmp_path_factory.mktemp("many"), [articles[:11], articles[11:]], shard_size=5),
    }
    do_shards(corpora["many"], range(6))
    tables = {}
    for name, folder in corpora.items():
        rank(folder, RankRequest(), today=TODAY)
        tables[name] = page_of(folder).all("table", class_="heat")

    assert tables["few"] == []
    (table,) = tables["many"]
    assert "Correlation of feature scores, Pearson\u2019s r" in in_line(table)


def test_as_many_are_listed_as_are_asked_for(run):
    rank(run, RankRequest(max_results=3), today=TODAY)
    two, three = page_of(run, listed=2), page_of(run, listed=200)

    assert [len(page.all("article", class_="card")) for page in (two, three)] == [2, 3]
    assert "5 ranked and ready to be screened; the first 2 are" in in_line(two.all("section", id="flow")[0])
    for count in (0, 201):
        with pytest.raises(ValueError, match="1 to 200"):
            page_of(run, listed=count)


@pytest.mark.processes
def test_several_processes_write_the_same_page(run):
    rank(run, RankRequest(), today=TODAY)
    reports = []
    page_of_one = asyncio.run(report(run)).read_bytes()
    page_of_two = asyncio.run(report(run, jobs=2, on_progress=lambda *step: reports.append(step))).read_bytes()

    assert page_of_one == page_of_two
    assert reports == [("articles", 1, 2), ("articles", 2, 2)]


def test_the_page_reports_a_gap(run):
    for path in (run / "shards").glob("00001.*"):
        path.unlink()
    for _ in range(3):
        CorpusFolder(run).keep_failure(1, f"{HOSTILE}.")
    rank(run, RankRequest(), today=TODAY, is_partial=True)
    page = page_of(run)
    notices = in_line(page.all("section", id="notices")[0])

    assert "Partial: 1 of 4 shards were not done when this was ranked, with 2 articles." in notices
    assert "Shard 1 was given up: <script>" in notices
    assert "In parts that are not read: 2" in in_line(page.all("section", id="flow")[0])


def test_the_page_of_a_ranking_without_articles_states_that_none_passed(run):
    rank(run, RankRequest(filters={"from_year": 2030}), today=TODAY)
    page = page_of(run)

    assert "No article passed the filters." in page.all("section", id="ranking")[0]
    assert "No record is left to be screened." in in_line(page.all("section", id="flow")[0])


def test_an_article_is_found_behind_what_is_not_read(tmp_path):
    older, unread_article = (COHORT.model_copy(update={"id": name, "title": ""}) for name in (COHORT.id, "PMID:9"))
    run = corpus(tmp_path, [[BARE, older, unread_article, COHORT, TRIAL, REVIEW], [BARE]])
    do_shards(run, range(2))
    rank(run, RankRequest(), today=TODAY)
    page = page_of(run)
    flow = in_line(page.all("section", id="flow")[0])

    assert page.all("article", class_="card")[0].find(TRIAL.title) >= 0
    assert "Duplicate records removed (n = 2)" in flow
    assert "Records removed for other reasons (n = 1) Not readable: 1" in flow


def test_no_ranking_is_no_report(run):
    with pytest.raises(RankingRefused, match="holds no ranking"):
        page_of(run)


def test_files_of_two_rankings_are_refused(run):
    rank(run, RankRequest(), today=TODAY)
    (run / "ranking.jsonl").write_bytes((run / "ranking.jsonl").read_bytes() + b"\n")

    with pytest.raises(RankingRefused, match="not of one ranking"):
        page_of(run)


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """A ranked run over two files, and the second of them."""
    folder = tmp_path_factory.mktemp("ranked")
    run = corpus(folder, [[TRIAL], [REVIEW]])
    do_shards(run, range(2))
    rank(run, RankRequest(), today=TODAY)
    return run, folder / "articles-1.ndjson"


@pytest.mark.processes
@pytest.mark.parametrize(
    ("change", "jobs", "reason"),
    [
        (lambda path: path.write_bytes(b"{}"), 1, "is not the file that the run was planned with"),
        (Path.unlink, 1, "cannot be read: no such file"),
        (Path.unlink, 2, "cannot be read: no such file"),
    ],
)
def test_a_changed_input_file_is_named(ranked, change, jobs, reason):
    run, path = ranked
    content = path.read_bytes()
    change(path)

    with pytest.raises(RankingRefused, match=rf"articles-1\.ndjson.*{reason}"):
        page_of(run, jobs=jobs)
    path.write_bytes(content)
    assert not (run / "report.html").exists()
