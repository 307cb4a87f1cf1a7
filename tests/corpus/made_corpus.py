"""Corpora of our own making, done in this process: articles or bare features in, a folder of finished shards out."""

import asyncio
import gzip
import io
from pathlib import Path

import numpy as np
import orjson

from biofact.corpus.columns import PREPRINT, RETRACTED, REVIEW
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.plan import Settings
from biofact.corpus.planning import plan
from biofact.corpus.shard_run import run_shard
from biofact.literature.extraction.outcomes import Outcome
from biofact.literature.ranking.boosts import publication_day
from biofact.sources.pubmed.records import CanonicalPubMedArticle


def corpus(folder, articles, *, settings=None, shard_size=10, read=None, files=1, undone=()):
    """A folder whose shards are done but for some; ``read`` takes the place of the rules."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    inputs = []
    for number in range(files):
        inputs.append(folder / f"articles-{number}.ndjson")
        inputs[-1].write_bytes(b"".join(one.model_dump_json().encode() + b"\n" for one in articles[number::files]))
    run = folder / "run"
    made, faults = asyncio.run(plan(run, inputs, settings or Settings(), version="1", shard_size=shard_size))
    assert not faults
    for shard in made.shards:
        if shard.number not in undone:
            assert not run_shard(run, shard.number, read).failure
    return run


def stating(features):
    """A reader that finds these features, by ID of the article."""
    return lambda article: Outcome(extraction=features[article.id], evidence={}, method="rules")
