"""A baseline of PubMed in small, of the sandbox's articles: to try a corpus without a download."""

import gzip
from pathlib import Path

from biofact.literature import files
from biofact.sandbox.services.pubmed import PubMedDatabase, starter_corpus

_FILES = 2


def written(folder: Path) -> list[Path]:
    """The input files, written into a folder; the same whenever they are.

    Raises:
        WriteFailed: the system refuses a write.
    """
    database = PubMedDatabase(starter_corpus())
    pmids = sorted(database.all_uids(), key=int)
    files.make_folder(folder)
    paths = [folder / f"sandbox-n{number:04}.xml.gz" for number in range(1, _FILES + 1)]
    for number, path in enumerate(paths):
        content = b"".join(database.fetch(pmids[number::_FILES]))
        files.write(path, gzip.compress(content, mtime=0))
    return paths
