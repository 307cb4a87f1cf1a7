"""Cuts efetch answers and baseline files into articles, and leaves out their lists of references."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from biofact.core.errors import UpstreamError
from biofact.dialects import json_values
from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.readable_rows import MissingField
from biofact.dialects.xml import LARGEST_RECORD, DamagedRecord, RecordForm, RecordSplitter, check_plain
from biofact.transport.service import MIB, Transient

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
    # References hold the identifiers of the cited articles, which must not be taken for its own.
    xml = _drop_elements(bytes(record), _REFERENCES, _REFERENCES_END)
    if xml.startswith(b"<PubmedBook"):
        xml = _drop_elements(xml, _SECTIONS, _SECTIONS_END)  # titles of a book's chapters
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


def _drop_elements(xml: bytes, opening: bytes, closing: bytes) -> bytes:
    """``xml`` without all from the first such element to the end of the last: they stand side by side."""
    end = xml.rfind(closing)
    start = xml.find(opening, 0, end) if end >= 0 else -1
    return xml[:start] + xml[end + len(closing) :] if start >= 0 else xml


ARTICLES = RecordForm(
    frozenset({b"PubmedArticleSet", b"PubmedBookArticleSet"}),
    (b"PubmedArticle", b"PubmedBookArticle", b"DeleteCitation"),
    _read,
    noun="article",
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


@dataclass(frozen=True, slots=True)
class Citations:
    """How often an article is cited."""

    count: int
    relative_ratio: float | None
    """Citations a year against its field's average, which is 1; None where the article is too new to tell."""
    is_clinical: bool | None


def citation_rows() -> WholeAnswer:
    """PMIDs and iCite's row of each: 200 rows are some 100 kB."""
    return WholeAnswer(_rows)


def _rows(body: bytes) -> Iterator[tuple[str, bytes]]:
    answer = json_values.loaded(body)
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
        raise Transient("sent an answer without data")
    for row in json_values.objects(answer, "data"):
        if (pmid := json_values.number(row, "pmid")) is None:
            raise Transient("sent a row without a pmid")
        if json_values.number(row, "citation_count") is None:
            raise Transient("sent a row without a citation count")
        yield str(pmid), orjson.dumps(row)


def citations(payload: bytes) -> Citations:
    """The citations in a row.

    Raises:
        UpstreamError: it does not say how often the article is cited.
    """
    row = orjson.loads(payload)
    count = json_values.number(row, "citation_count")
    if count is None:
        raise UpstreamError("iCite sent a row without a citation count.", hint="Call again later.")
    ratio = json_values.decimal(row, "relative_citation_ratio")
    return Citations(count, ratio, json_values.flag({"is": row.get("is_clinical")}, "is"))


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A heading of MeSH, and what else it is called."""

    ui: str
    """Such as D000069550."""
    name: str
    entry_terms: tuple[str, ...]
    """Other names that lead to it."""
    scope_note: str
    tree_numbers: tuple[str, ...]


def descriptor(payload: bytes) -> Descriptor | None:
    """The descriptor that a docsum tells; None for a qualifier or a supplementary record.

    Raises:
        MissingField: it has no name.
    """
    docsum: Mapping[str, Any] = orjson.loads(payload)
    names = json_values.texts(dict(docsum), "ds_meshterms")
    ui = json_values.text(dict(docsum), "ds_meshui") or ""
    if not names:
        raise MissingField(f"MeSH sent the record {ui} without a name.", "ds_meshterms")
    if not ui.startswith("D"):
        return None
    places = (json_values.text(values, "treenum") for values in json_values.objects(dict(docsum), "ds_idxlinks"))
    return Descriptor(
        ui=ui,
        name=names[0],
        entry_terms=tuple(names[1:]),
        scope_note=json_values.text(dict(docsum), "ds_scopenote") or "",
        tree_numbers=tuple(place for place in places if place and not place.startswith("@")),
    )
