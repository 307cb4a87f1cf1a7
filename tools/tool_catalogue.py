"""Writes each source's tools.json and commands.json from its declarations and examples, or those of the sources named;
``--check`` says what is stale.

A server lists its tools from the one, so that a client need not wait until every source is imported; help and
``biofact find`` read the other.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from biofact.interfaces import every_source


def main() -> int:
    """Write the files, or compare them."""
    names = tuple(sys.argv[1:])
    if names == ("--check",):
        return compare(every_source.files())
    for file, text in every_source.files(*names).items():
        file.write_text(text, "utf-8")
    return 0


def compare(texts: Mapping[Path, str]) -> int:
    """1 if a file is missing or says anything else than its text, else 0."""
    stale = [file for file, text in texts.items() if not file.is_file() or file.read_text("utf-8") != text]
    for file in stale:
        print(f"{file} is stale: run make docs", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
