"""Who does the shards: processes of this machine, or workers of Dask."""

from biofact.corpus.engines.engine import Engine, ShardLost

__all__ = ["Engine", "ShardLost"]
