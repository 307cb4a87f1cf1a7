"""``biofact corpus run`` as a program of its own, which can be stopped."""

import argparse
import asyncio
import sys
from pathlib import Path

from biofact.corpus.engines.dask import DaskEngine
from biofact.corpus.engines.processes import ProcessEngine
from biofact.corpus.run import run

COMMAND = (sys.executable, "-P", str(Path(__file__).resolve()))
"""The words that ``corpus run DIR`` and its options follow."""


def main() -> int:
    """Do what is missing in a folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs=2)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dask")
    parser.add_argument("--part")
    given = parser.parse_args()
    part = int(given.part.partition("/")[0]) if given.part else None
    address = None if given.dask == "local" else given.dask
    engine = DaskEngine(address, workers=2) if given.dask else ProcessEngine(given.jobs)
    try:
        return 0 if asyncio.run(run(given.folder, engine, part=part)).is_complete else 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
