"""Made corpora, processed in this process: articles in, a folder of finished shards out."""

import asyncio
from pathlib import Path

from biofact.corpus.planning import plan
from biofact.corpus.records import Settings
from biofact.corpus.shards import run_shard
from biofact.literature.extraction.findings import ArticleFeatures


def corpus(folder, lists, settings=None, *, shard_size=10):
    """The folder of a run over an input file for each list of articles, with no shard done."""
    folder = Path(folder)
    inputs = [folder / f"articles-{number}.ndjson" for number in range(len(lists))]
    for path, articles in zip(inputs, lists, strict=True):
        path.write_bytes(b"".join(article.model_dump_json().encode() + b"\n" for article in articles))
    run = folder / "run"
    asyncio.run(plan(run, inputs, settings or Settings(), shard_size=shard_size))
    return run


def do_shards(run, numbers, reader=None):
    """Do these shards; ``read`` takes the place of the rules."""
    for number in numbers:
        assert not run_shard(run, number, reader).failure


def article_with(features):
    """A reader that finds these features, by ID of the article."""
    return lambda article: ArticleFeatures("rules", dict(features[article.id]))
