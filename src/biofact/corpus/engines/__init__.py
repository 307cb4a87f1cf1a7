"""Who does the shards: processes of this machine, or workers of Dask."""

from biofact.corpus.engines.engine import Engine, EngineUnavailable, ShardLost

__all__ = ["Engine", "EngineUnavailable", "ShardLost"]
