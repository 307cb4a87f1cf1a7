"""Shards that were given up, tried again."""

from pathlib import Path

from biofact.corpus.folder import CorpusFolder


def retry(folder: Path) -> int:
    """Forget that shards have failed, so that the next run tries them again; how many it will try.

    Raises:
        FolderRefused: the folder holds no plan.
    """
    place = CorpusFolder(folder)
    key = place.plan().key
    return sum(place.done(shard, key) is None for shard in place.forget_failures())
