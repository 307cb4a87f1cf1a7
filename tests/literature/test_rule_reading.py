"""Many articles read by rules, by one process or by several: the same, in the same order."""

import asyncio

import pytest

from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.rule_reading import MOST_IN_ONE_PROCESS, RuleReaderPool
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.review.features import extract_batches
from biofact.literature.review.folder import Work
from biofact.literature.review.progress import ProgressTally
from tests import virtual_time
from tests.literature.made_articles import BARE, COHORT, REVIEW, TRIAL
from tests.literature.made_reviews import plan

pytestmark = pytest.mark.quick

SCHEMA = {"study_type": "string", "sample_size": "integer", "effect_size": {"measure": "string", "value": "number"}}
READ = ExtractionSchema.read(SCHEMA)
MANY = [
    (TRIAL, COHORT, REVIEW, *[BARE] * 17)[place % 20].model_copy(update={"id": f"PMID:{place + 1}"})
    for place in range(MOST_IN_ONE_PROCESS + 1)
]


def extracted(cores: int) -> list[str]:
    async def read():
        async with RuleReaderPool(READ, len(MANY), cores=cores) as reading:
            request = ExtractionRequest(READ, mode="best_effort")
            answer = await extract_features(MANY, request, model=None, pool=reading)
            return [row.model_dump_json() for row in answer.extractions]

    return asyncio.run(read())


@pytest.mark.processes
def test_processes_read_what_one_process_reads_in_the_same_order():
    assert extracted(cores=2) == extracted(cores=1)


def test_few_articles_are_read_in_this_process():
    assert RuleReaderPool(READ, MOST_IN_ONE_PROCESS, cores=2).at_once == 1
    assert RuleReaderPool(READ, MOST_IN_ONE_PROCESS + 1, cores=2).at_once > 1


def test_one_core_is_used_by_one_process():
    assert RuleReaderPool(READ, MOST_IN_ONE_PROCESS + 1, cores=1).at_once == 1


@pytest.mark.processes
def test_a_review_of_many_articles_keeps_what_a_review_of_each_part_keeps(tmp_path):
    def files(name, articles, run):
        folder = tmp_path / name
        folder.mkdir()
        tally = ProgressTally(lambda *_: None, "features", len(articles))
        found = run(extract_batches(articles, plan(extraction_schema=SCHEMA), None, Work(folder), tally))
        return found.rows, {file.name for file in folder.glob("features/*")}

    rows, kept = files("many", MANY, asyncio.run)
    half = 250  # a whole number of batches, so that both runs have the same ones
    parts = [
        files("first", MANY[:half], virtual_time.run),
        files("second", MANY[half : 2 * half], virtual_time.run),
        files("third", MANY[2 * half :], virtual_time.run),
    ]

    assert rows == [row for part, _ in parts for row in part]
    assert kept == {name for _, part in parts for name in part}
