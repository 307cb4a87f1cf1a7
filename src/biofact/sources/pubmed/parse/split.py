"""Cuts efetch answers and baseline files into articles, and leaves out their lists of references."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from biofact.dialects.xml import LARGEST_RECORD, DamagedRecord, RecordForm, RecordSplitter, check_plain
from biofact.transport.service import MIB

_REFERENCES, _REFERENCES_END = b"<ReferenceList", b"</ReferenceList>"
_SECTIONS, _SECTIONS_END = b"<Sections>", b"</Sections>"
_DELETIONS = b"<DeleteCitation>"
_PMID = re.compile(rb"<PMID(?:\s[^>]*)?>\s*([0-9]+)\s*</PMID>")


def trimmed(record: bytes | bytearray) -> tuple[str, bytes]:
    """The PMID of a whole article or book chapter in plain XML, and that element without its references.

    The PMID is empty where the record has none, as some of the baseline's do.

    Raises:
        DamagedRecord: what is left cannot be read.
    """
    xml = _without(bytes(record), _REFERENCES, _REFERENCES_END)
    if xml.startswith(b"<PubmedBook"):
        xml = _without(xml, _SECTIONS, _SECTIONS_END)  # titles of a book's chapters
    if b"\n" in xml:
        xml = b" ".join(map(bytes.strip, xml.split(b"\n")))  # on one line, without what indents it
    if b"\t" in xml or b"\r" in xml:
        xml = b" ".join(xml.split())
    check_plain(xml)
    pmid = _PMID.search(xml)
    if pmid is None:
        raise DamagedRecord("The article has no PMID.")
    return pmid[1].decode(), xml


def _read(record: bytes | bytearray) -> Iterator[tuple[str, bytes]]:
    if record.startswith(_DELETIONS):
        check_plain(bytes(record))
        yield from ((pmid.decode(), b"") for pmid in _PMID.findall(record))
    else:
        yield trimmed(record)


def _without(xml: bytes, opening: bytes, closing: bytes) -> bytes:
    """``xml`` without all from the first such element to the end of the last: they stand side by side."""
    end = xml.rfind(closing)
    start = xml.find(opening, 0, end) if end >= 0 else -1
    return xml[:start] + xml[end + len(closing) :] if start >= 0 else xml


ARTICLES = RecordForm(
    frozenset({b"PubmedArticleSet", b"PubmedBookArticleSet"}),
    (b"PubmedArticle", b"PubmedBookArticle", b"DeleteCitation"),
    _read,
    what="article",
)


class ArticleSplitter(RecordSplitter):
    """PMIDs and the trimmed bytes of their records, which ``parse.article`` reads; a deleted PMID has none.

    Takes what efetch answers, files of the baseline and its updates, and a bare article. Holds one record at most.
    """

    def __init__(self, *, largest_record: int = LARGEST_RECORD) -> None:
        super().__init__(ARTICLES, largest_record=largest_record)


def records(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """PMIDs and records of an open file, as ``ArticleSplitter`` gives them, a megabyte at a time.

    Raises:
        Transient: the file is damaged, or ends before its end.
        HostileDocument: it declares entities, or has an internal DTD subset.
    """
    splitter = ArticleSplitter()
    while chunk := stream.read(MIB):
        yield from splitter.feed(chunk)
    splitter.close()
