"""What a plan offers to choose, as the command line shows it. Imports nothing of the pipeline: help needs none of it."""

from typing import Literal

SHARD_SIZE = 10_000
"""Articles: a minute of rules, so that little is lost with a process, and far more shards than workers."""
PARTS = 200
"""Of an array of jobs; sites rarely allow more than a thousand."""
Total = Literal["weighted_sum", "composite"]
