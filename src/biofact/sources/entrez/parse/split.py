"""Cuts a streamed efetch answer into gene records as it arrives."""

from collections.abc import Callable, Iterator

from biofact.dialects.xml import LARGEST_RECORD, RecordForm, RecordSplitter
from biofact.sources.entrez.parse import trim

Trim = Callable[[bytes | bytearray], tuple[str, bytes]]


class GeneSplitter(RecordSplitter):
    """GeneIDs and the trimmed bytes of their records: small ``<Entrezgene>`` documents that ``parse.gene`` reads.

    Takes the answer of NCBI, an ``<Entrezgene-Set>``, and bare ``<Entrezgene>`` roots too. Holds one record at most.
    """

    def __init__(self, trimmed: Trim = trim.trimmed, *, largest_record: int = LARGEST_RECORD) -> None:
        """``trimmed`` says what is kept of a record."""

        def read(record: bytes | bytearray) -> Iterator[tuple[str, bytes]]:
            yield trimmed(record)

        form = RecordForm(frozenset({b"Entrezgene-Set"}), (b"Entrezgene",), read, what="gene record", rare=b"z")
        super().__init__(form, largest_record=largest_record)
