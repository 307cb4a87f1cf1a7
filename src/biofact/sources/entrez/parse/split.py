"""Cuts a streamed efetch answer into gene records as it arrives."""

from collections.abc import Iterator

from biofact.dialects.xml_splitter import LARGEST_RECORD, RecordForm, RecordSplitter
from biofact.sources.entrez.parse.trim import trimmed


def _read(record: bytes | bytearray) -> Iterator[tuple[str, bytes]]:
    yield trimmed(record)


GENES = RecordForm(frozenset({b"Entrezgene-Set"}), (b"Entrezgene",), _read, what="gene record", rare=b"z")


class GeneSplitter(RecordSplitter):
    """GeneIDs and the trimmed bytes of their records: small ``<Entrezgene>`` documents that ``parse.gene`` reads.

    Takes the answer of NCBI, an ``<Entrezgene-Set>``, and bare ``<Entrezgene>`` roots too. Holds one record at most.
    """

    def __init__(self, *, largest_record: int = LARGEST_RECORD) -> None:
        super().__init__(GENES, largest_record=largest_record)
