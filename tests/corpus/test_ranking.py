"""The ranking of a corpus is that of the tools over the same articles; missing parts are reported."""

import contextlib
import csv
import io
import itertools
import random
import re
import shutil
from datetime import date

import orjson
import pytest

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.inputs import InputDamaged, Slice, entries
from biofact.corpus.ranking import rank
from biofact.corpus.ranking_files import RankingRefused
from biofact.corpus.records import Settings
from biofact.corpus.runs import retry
from biofact.literature import steps
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.steps import StepInput
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.corpus.made_corpus import article_with, corpus, do_shards
from tests.recordings import FOLDER, needs_recordings

pytestmark = pytest.mark.quick

TODAY = date(2026, 11, 26)
SETTINGS = Settings(
    extraction_schema={"design": "string", "n": "integer", "p": "number", "since": "integer", "code": "string"},
    criteria=ScoringCriteria(
        weights={"design": 0.4, "n": 0.3, "p": 0.2, "since": 0.1, "code": 0.1},
        scoring_functions={
            "design": "categorical_score",
            "n": "rank",
            "p": "inverse",
            "since": "recency",
            "code": "presence",
        },
    ),
    score_function="composite",
)
REQUESTS = (
    {},
    {"min_score_threshold": 0.3, "filters": {"from_year": 2005, "to_year": 2020, "exclude_preprints": True}},
    {
        "filters": {"include_retracted": True},
        "ranking_criteria": {"boost_recent": True, "prefer_review_articles": True},
    },
    {"ranking_criteria": {"prefer_review_articles": True}, "min_score_threshold": 0},
)


def articles(count, seed=1):
    """Articles of all kinds, many of them equal in the fields that decide their place."""
    chance = random.Random(seed)  # no secret
    dates = (None, "2024", "2020-07", "2020-07-15", "2003-02-28", "2026-12-01")
    types = ([], ["Review"], ["Retracted Publication"], ["Preprint"], ["Meta-Analysis"])
    corpus_articles = []
    for pmid in chance.sample(range(1, 10 * count), count):
        day = chance.choice(dates)
        facts = {"publication_date": day, "year": int(day[:4])} if day else {}
        corpus_articles.append(CanonicalPubMedArticle(
            id=f"PMID:{pmid}", title=f"Study {pmid}", publication_types=chance.choice(types), **facts,
        ))  # fmt: skip
    return corpus_articles


def features(chance):
    choices = {
        "design": ("cohort study", "Randomized Controlled Trial", "case report"),
        "n": (10, 10, 200, 4000),
        "p": (0.001, 0.05, 0.5),
        "since": (1999, 2015, 2026),
        "code": ("yes",),
    }
    return {name: chance.choice(values) for name, values in choices.items() if chance.random() < 0.7}


def scored_by_the_tools(extractions, settings):
    """The tools' scores of articles from their extractions and evidence, and the collection of these."""
    rows = [
        {"item_id": article.id, "extraction": extraction, "extraction_metadata": {"evidence": evidence}}
        for article, extraction, evidence in extractions
    ]
    step_input = StepInput(rows, is_collection=True)
    criteria = settings.fixed().criteria
    return steps.score_items(step_input, criteria, settings.score_function, None, include_percentiles=False, slim=False)


def by_the_tools(extractions, settings, request):
    """The ranking of the tools."""
    _, collection = scored_by_the_tools(extractions, settings)
    by_id = {article.id: article for article, _, _ in extractions}
    candidates = [
        Candidate(item["item_id"], by_id[item["item_id"]], {}, item["total_score"], item["score_breakdown"])
        for item in steps.scored_items(collection)
    ]
    return rank_articles(candidates, request, {}, today=TODAY)


def ranking_lines(run):
    return [orjson.loads(line) for line in (run / "ranking.jsonl").read_bytes().splitlines()]


def assert_same(run, ranking, expected):
    rows = ranking_lines(run)

    assert [f"PMID:{row['row']['pmid']}" for row in rows] == [other.candidate.item_id for other in expected.rows]
    assert [row["total_score"] for row in rows] == [other.candidate.total_score for other in expected.rows]
    assert [row["final_score"] for row in rows] == [other.final_score for other in expected.rows]
    assert [row["boosts"] for row in rows] == [other.boosts for other in expected.rows]
    breakdowns = [
        {name: score.model_dump(exclude_none=True) for name, score in other.candidate.breakdown.items()}
        for other in expected.rows
    ]
    assert [row["score_breakdown"] for row in rows] == breakdowns
    assert (ranking.articles, ranking.passed) == (expected.initial_count, expected.filtered_count)
    assert list(map(str, ranking.steps)) == list(map(str, expected.steps))
    assert ranking.order == expected.method


@pytest.fixture(scope="module")
def ranked_run(tmp_path_factory):
    """A finished run over 400 articles, and their extractions."""
    corpus_articles = articles(400)
    chance = random.Random(2)  # no secret
    extractions = {article.id: features(chance) for article in corpus_articles}
    run = corpus(
        tmp_path_factory.mktemp("made"), [corpus_articles[:160], corpus_articles[160:]], SETTINGS, shard_size=36
    )
    do_shards(run, range(12), article_with(extractions))
    return run, [(article, extractions[article.id], {}) for article in corpus_articles]


@pytest.mark.parametrize("facts", REQUESTS)
def test_the_order_is_that_of_the_tools(ranked_run, facts):
    run, extractions = ranked_run
    request = RankRequest(max_results=280, **facts)
    ranking = rank(run, request, today=TODAY)

    assert_same(run, ranking, by_the_tools(extractions, SETTINGS, request))


def test_scores_correlate_as_those_of_the_tools(ranked_run):
    run, extractions = ranked_run
    answer, _ = scored_by_the_tools(extractions, SETTINGS)
    expected = answer.scoring_metadata.feature_correlations

    correlations = rank(run, RankRequest(), today=TODAY).correlations

    assert correlations.keys() == expected.keys() == SETTINGS.criteria.weights.keys()
    for name, row in expected.items():
        assert correlations[name] == pytest.approx(row, abs=2e-6)  # the last digit may be rounded otherwise


def test_the_request_decides_the_length_alone(ranked_run):
    run, extractions = ranked_run
    ranking = rank(run, request := RankRequest(max_results=3), today=TODAY)

    assert_same(run, ranking, by_the_tools(extractions, SETTINGS, request))
    assert ranking.rows == 3
    assert sum(ranking.thousandths.values()) == 400


def recorded_articles(limit):
    """Up to ``limit`` recorded articles by PMID."""
    by_pmid = {}
    for path in sorted((FOLDER / "pubmed").glob("*.xml*")):
        if path.name.endswith((".xml", ".xml.gz")) and len(by_pmid) < limit:
            with contextlib.suppress(InputDamaged):
                by_pmid |= {
                    entry.pmid: entry.article for entry in entries(path, Slice()) if entry.article and entry.pmid
                }
    return dict(itertools.islice(by_pmid.items(), limit))


def older(article, number, years):
    """The article as another one, which was published some years before."""
    facts = {"publication_date": None, "year": article.year and article.year - years} if years else {}
    return article.model_copy(update={"id": f"PMID:{number}", **facts})


@needs_recordings
@pytest.mark.parametrize(("count", "limit"), [(100, 34), pytest.param(1000, 1000, marks=pytest.mark.sweep)])
def test_recorded_articles_rank_as_the_tools_rank_them(tmp_path, count, limit):
    reader, originals = RuleReader(Settings().schema_read), recorded_articles(limit)
    outcomes, corpus_articles = {}, []
    for place, (years, pmid) in zip(range(count), itertools.product(range(10), originals), strict=False):
        corpus_articles.append(older(originals[pmid], place + 1, years))
        source = corpus_articles[place % len(originals)].id
        outcomes[corpus_articles[-1].id] = outcomes[source] if years else reader.read(originals[pmid])
    half = count // 20 * 9
    run = corpus(tmp_path, [corpus_articles[:half], corpus_articles[half:]], shard_size=count // 5)
    do_shards(run, range(6), lambda article: outcomes[article.id])
    evidence = {
        name: {field: [place.model_dump() for place in places] for field, places in outcome.evidence.items()}
        for name, outcome in outcomes.items()
    }
    request = RankRequest(max_results=count, ranking_criteria={"boost_recent": True, "prefer_review_articles": True})
    ranking = rank(run, request, today=TODAY)
    extractions = [(article, outcomes[article.id].extraction, evidence[article.id]) for article in corpus_articles]

    assert ranking.articles == count
    assert_same(run, ranking, by_the_tools(extractions, Settings(), request))


def test_the_table_holds_scores_and_features_flat(ranked_run):
    run, _ = ranked_run
    rank(run, RankRequest(max_results=20), today=TODAY)
    rows = list(csv.DictReader(io.StringIO((run / "ranking.csv").read_text("utf-8"))))
    best, first = rows[0], ranking_lines(run)[0]

    assert len(rows) == 20
    assert [best["rank"], best["item_id"]] == ["1", f"PMID:{first['row']['pmid']}"]
    assert float(best["total_score"]) == first["total_score"]
    assert float(best["score:design"]) == first["score_breakdown"]["design"]["score"]
    assert best["feature:n"] == str(first["row"]["features"]["n"])
    assert best["file"].startswith("articles-")


def test_the_same_run_ranks_to_the_same_bytes(ranked_run):
    run, _ = ranked_run
    names = ("ranking.csv", "ranking.jsonl", "ranking.json")
    contents = []
    for _ in range(2):
        rank(run, RankRequest(max_results=50), today=TODAY)
        contents.append([(run / name).read_bytes() for name in names])

    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"filters": {"journal_whitelist": ["Lancet"]}}, "journal_whitelist"),
        ({"filters": {"min_citation_count": 1}}, "min_citation_count"),
        ({"ranking_criteria": {"boost_high_impact": True}}, "boost_high_impact"),
    ],
)
def test_a_name_without_a_column_is_refused(ranked_run, facts, name):
    run, _ = ranked_run

    with pytest.raises(RankingRefused, match=f"^{name}: "):
        rank(run, RankRequest(**facts), today=TODAY)


@pytest.fixture(scope="module")
def planned_run(tmp_path_factory):
    return corpus(tmp_path_factory.mktemp("planned"), [articles(30)], shard_size=10)


@pytest.fixture
def small_run(planned_run, tmp_path):
    """A run of three shards, none of them done."""
    return shutil.copytree(planned_run, tmp_path / "run")


def test_missing_shards_are_refused_unless_a_part_is_wanted(small_run):
    do_shards(small_run, [0, 2])
    for _ in range(3):
        CorpusFolder(small_run).keep_failure(1, "the disk is on fire")

    with pytest.raises(RankingRefused, match=r"1 of 3 shards are not done\. Given up: shard 1: the disk is on fire"):
        rank(small_run, RankRequest(), today=TODAY)
    assert not (small_run / "ranking.json").exists()
    ranking = rank(small_run, RankRequest(), today=TODAY, is_partial=True)
    assert (ranking.articles, ranking.not_done, ranking.missing_shards) == (20, 10, [1])
    assert ranking.failed == {1: "the disk is on fire"}


def test_nothing_done_is_nothing_to_rank(small_run):
    with pytest.raises(RankingRefused, match="No shard is done"):
        rank(small_run, RankRequest(), today=TODAY, is_partial=True)


@pytest.mark.parametrize("name", ["00001.npz", "00001.jsonl.gz"])
def test_a_damaged_file_is_named(small_run, name):
    do_shards(small_run, range(3))
    path = small_run / "shards" / name
    path.write_bytes(bytes(len(path.read_bytes())))

    with pytest.raises(RankingRefused, match=re.escape(name)):
        rank(small_run, RankRequest(max_results=30), today=TODAY)
    assert not (small_run / "ranking.json").exists()


def test_a_ranking_without_articles_names_the_filter_that_removed_most(small_run):
    do_shards(small_run, range(3))
    ranking = rank(small_run, RankRequest(filters={"from_year": 2030}), today=TODAY)

    assert (ranking.passed, ranking_lines(small_run)) == (0, [])
    assert ranking.messages[-1].startswith("No article passed the filters. Most fell to one: from_year 2030: removed ")


def test_a_shard_whose_articles_are_all_superseded_adds_nothing(tmp_path):
    corpus_articles = articles(20)
    run = corpus(tmp_path, [corpus_articles[:10], corpus_articles], shard_size=10)
    do_shards(run, range(3))
    ranking = rank(run, RankRequest(max_results=30, filters={"include_retracted": True}), today=TODAY)

    assert (ranking.articles, len({row["row"]["pmid"] for row in ranking_lines(run)})) == (20, 20)


def test_retry_counts_what_will_be_tried_again(small_run):
    place = CorpusFolder(small_run)
    for number, times in ((0, 3), (1, 1), (2, 1)):
        for _ in range(times):
            place.keep_failure(number, "no reason")
    do_shards(small_run, [2])

    assert retry(small_run) == 2
    assert retry(small_run) == 0
    assert place.failed(place.plan()) == {}


def test_progress_counts_shards(small_run):
    do_shards(small_run, range(3))
    reports = []
    rank(small_run, RankRequest(), today=TODAY, on_progress=lambda *step: reports.append(step))

    assert [step for step in reports if step[1] == step[2]] == [("summaries", 3, 3), ("scores", 3, 3), ("rows", 3, 3)]
