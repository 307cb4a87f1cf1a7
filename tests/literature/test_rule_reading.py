"""Many articles read by rules, by one process or by several: the same, in the same order."""

import asyncio

import pytest

from biofact.core.folder_files import FolderFile
from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.rule_reading import (
    MOST_IN_ONE_PROCESS,
    RuleReader,
    RuleReaderPool,
    SharedReaders,
)
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.review.features import extract_batches
from biofact.literature.review.folder import Work
from biofact.literature.review.progress import ProgressTally
from tests import virtual_time
from tests.literature.made_articles import BARE, COHORT, REVIEW, TRIAL
from tests.literature.made_reviews import plan

pytestmark = pytest.mark.quick

SCHEMA = {"study_type": "string", "sample_size": "integer", "effect_size": {"measure": "string", "value": "number"}}
PARSED_SCHEMA = ExtractionSchema.read(SCHEMA)
ARTICLES = [
    (TRIAL, COHORT, REVIEW, *[BARE] * 17)[place % 20].model_copy(update={"id": f"PMID:{place + 1}"})
    for place in range(MOST_IN_ONE_PROCESS + 1)
]


def extracted(cores: int) -> list[str]:
    async def extract():
        async with RuleReaderPool(PARSED_SCHEMA, len(ARTICLES), cores=cores) as pool:
            request = ExtractionRequest(PARSED_SCHEMA, mode="best_effort")
            answer = await extract_features(ARTICLES, request, model=None, pool=pool)
            return [row.model_dump_json() for row in answer.extractions]

    return asyncio.run(extract())


@pytest.mark.processes
def test_processes_read_what_one_process_reads_in_the_same_order():
    assert extracted(cores=2) == extracted(cores=1)


LONG = [
    article.model_copy(update={"abstract": f"{article.abstract} {'It went on. ' * 2000}"}) for article in ARTICLES[:24]
]


@pytest.mark.processes
def test_calls_share_processes_for_long_articles_and_read_what_one_process_reads():
    async def read_twice():
        readers = SharedReaders(cores=2)
        try:
            pools = [RuleReaderPool(PARSED_SCHEMA, len(LONG), shared=readers) for _ in range(2)]
            return readers.is_worth(LONG), await asyncio.gather(*(pool.read(LONG) for pool in pools))
        finally:
            await readers.aclose()

    is_worth, (first, second) = asyncio.run(read_twice())
    here = RuleReader(PARSED_SCHEMA)

    assert is_worth
    assert [features.values for features in first] == [here.read(article).values for article in LONG]
    assert [features.values for features in second] == [features.values for features in first]


def test_short_lists_are_worth_no_processes():
    readers = SharedReaders(cores=2)

    assert not readers.is_worth(ARTICLES[:MOST_IN_ONE_PROCESS])
    assert readers.is_worth(ARTICLES)
    assert not SharedReaders(cores=1).is_worth(LONG)


def test_few_articles_are_read_in_this_process():
    assert RuleReaderPool(PARSED_SCHEMA, MOST_IN_ONE_PROCESS, cores=2).at_once == 1
    assert RuleReaderPool(PARSED_SCHEMA, MOST_IN_ONE_PROCESS + 1, cores=2).at_once > 1


def test_one_core_is_used_by_one_process():
    assert RuleReaderPool(PARSED_SCHEMA, MOST_IN_ONE_PROCESS + 1, cores=1).at_once == 1


@pytest.mark.processes
def test_a_review_of_many_articles_keeps_what_a_review_of_each_part_keeps(tmp_path):
    def files(name, articles, run):
        folder = tmp_path / name
        folder.mkdir()
        tally = ProgressTally(lambda *_: None, "features", len(articles))
        result = run(extract_batches(articles, plan(extraction_schema=SCHEMA), None, Work(FolderFile(folder)), tally))
        return result.rows, {file.name for file in folder.glob("features/*")}

    rows, names = files("many", ARTICLES, asyncio.run)
    half = 250  # a whole number of batches, so that both runs have the same ones
    parts = [
        files("first", ARTICLES[:half], virtual_time.run),
        files("second", ARTICLES[half : 2 * half], virtual_time.run),
        files("third", ARTICLES[2 * half :], virtual_time.run),
    ]

    assert rows == [row for part, _ in parts for row in part]
    assert names == {name for _, part in parts for name in part}
