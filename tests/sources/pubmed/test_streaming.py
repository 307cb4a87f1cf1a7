"""A file of any length is read within the memory of one article."""

import tracemalloc

import pytest

from biofact.sources.pubmed import parse
from tests.sources.pubmed.test_split import END, PROLOG, article_xml

pytestmark = pytest.mark.quick

ARTICLES = 600
CHUNK = 1 << 16


class Baseline:
    """A file like the baseline's, written while it is read."""

    def __init__(self):
        references = "<ReferenceList>" + "<Reference><Citation>Of old</Citation></Reference>" * 60 + "</ReferenceList>"
        self._pieces = iter(
            [
                PROLOG,
                *(article_xml(str(number), "Title", references=references) for number in range(1, ARTICLES + 1)),
                END,
            ]
        )

    def read(self, _):
        pieces = []
        for piece in self._pieces:
            pieces.append(piece)
            if len(pieces) * len(piece) > CHUNK:
                break
        return b"".join(pieces)


def test_a_long_file_takes_no_more_memory_than_a_few_chunks():
    stream = Baseline()
    tracemalloc.start()

    read_values = sum(parse.article(piece) is not None for _, piece in parse.records(stream))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert read_values == ARTICLES
    assert peak_bytes < 8 * CHUNK
