"""Articles from Parquet files: the same as from JSON lines, in any slices; unreadable ones are named."""

import json
from pathlib import Path

import pytest

from biofact.corpus import inputs, shards
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.inputs import InputDamaged, Slice
from tests.corpus.made_corpora import done, make_plan
from tests.corpus.made_files import COHORT, TRIAL
from tests.extras import needs

pytestmark = pytest.mark.extras

needs.pyarrow()

import pyarrow as pa  # noqa: E402  # skips above without it
import pyarrow.parquet as pq  # noqa: E402

COUNT = 250


@pytest.fixture(scope="module")
def facts():
    """Articles in a table, one without a title and one without a PMID among them."""
    texts = ({"title": "A randomised trial", "abstract": TRIAL}, {"title": "A cohort", "abstract": COHORT})
    made_facts = [{"pmid": number, "year": 2000 + number % 20, **texts[number % 2]} for number in range(1, COUNT + 1)]
    made_facts[7] = {"pmid": 8, "year": None, "title": None, "abstract": None}
    made_facts[9] = {"pmid": None, "year": 2001, "title": "Nobody's", "abstract": None}
    return made_facts


def parquet(path: Path, facts, **options) -> Path:
    pq.write_table(pa.Table.from_pylist(facts), path, **options)
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory, facts):
    """Row groups of forty, whose ends no slice respects."""
    return parquet(tmp_path_factory.mktemp("input") / "articles.parquet", facts, row_group_size=40)


def read(path, part=None):
    return [(entry.pmid, entry.article, entry.error) for entry in inputs.entries(path, part or Slice())]


def test_rows_are_the_articles_that_lines_of_json_are(tmp_path, table, facts):
    text = tmp_path / "articles.jsonl"
    text.write_text("".join(f"{json.dumps(fact)}\n" for fact in facts), "utf-8")

    assert read(table) == read(text)
    assert [identifier.pmid for identifier in inputs.identifiers(table)] == [
        identifier.pmid for identifier in inputs.identifiers(text)
    ]
    assert [pmid for pmid, entry_article, _ in read(table) if entry_article is None] == ["8", ""]


@pytest.mark.parametrize("size", [1, 39, 40, 41, 100, COUNT])
def test_slices_together_are_the_file(table, size):
    parts = [entry for first in range(0, COUNT, size) for entry in read(table, Slice(first, size))]

    assert parts == read(table)


def test_columns_of_other_names_are_passed_over(tmp_path):
    path = parquet(tmp_path / "a.parquet", [{"pmid": "7", "title": "Seven", "embedding": [0.1, 0.2], "score": 3}])

    ((pmid, article, _),) = read(path)

    assert (pmid, article.id, article.title) == ("7", "PMID:7", "Seven")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all", b"PAR1" + bytes(100) + b"PAR1"])
def test_a_file_that_is_no_table_is_named(tmp_path, content):
    path = tmp_path / "bad.parquet"
    path.write_bytes(content)

    with pytest.raises(InputDamaged, match=r"^bad\.parquet: "):
        read(path)


def test_a_file_that_is_cut_short_is_named(tmp_path, table):
    path = tmp_path / "cut.parquet"
    path.write_bytes(table.read_bytes()[:-200])

    with pytest.raises(InputDamaged, match=r"^cut\.parquet: "):
        read(path)


def test_a_run_reads_them(tmp_path, table):
    plan = make_plan(tmp_path / "run", table, shard_size=60)

    assert done(tmp_path / "run").is_complete
    place = CorpusFolder(tmp_path / "run")
    rows = [row for shard in plan.shards for row in shards.read_rows(place.rows_file(shard.number))]
    assert [row["status"] for row in rows].count("read") == COUNT - 2
    assert rows[0]["features"]["study_type"] != rows[1]["features"]["study_type"]
