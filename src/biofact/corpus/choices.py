"""Options of a plan. Imports nothing of the pipeline, which the help of the command line does without."""

from typing import Literal

SHARD_SIZE = 10_000
"""Articles: a minute of rules, so that little is lost with a process, and far more shards than workers."""
PARTS = 200
"""Parts of an array of jobs; sites rarely allow more than a thousand."""
Total = Literal["weighted_sum", "composite"]
