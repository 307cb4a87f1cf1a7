"""Cuts a gene record down to what the parser reads, on bytes: parsing the whole megabyte costs twenty times more.

Only plain XML is cut: see ``dialects.xml``. Headings repeat at every depth; depth is found by counting tags. Pure.
"""

import re
from collections.abc import Callable, Iterator

from biofact.dialects.xml import LARGEST_RECORD, DamagedRecord, RecordForm, RecordSplitter, check_plain

_OPENING = b"<Gene-commentary>"
_CLOSING = b"</Gene-commentary>"
_PRODUCTS, _PRODUCTS_END = b"<Gene-commentary_products>", b"</Gene-commentary_products>"
_COMMENT, _COMMENT_END = b"<Gene-commentary_comment>", b"</Gene-commentary_comment>"
_REFERENCE = b"<Gene-commentary_heading>Reference "
_GO = b"<Gene-commentary_heading>GeneOntology<"
_PHENOTYPES = b"<Gene-commentary_heading>Phenotypes<"
_GENERIF = re.compile(
    rb'<Gene-commentary>\s*<Gene-commentary_type value="generif">\d*</Gene-commentary_type>'
    rb"\s*<(?!Gene-commentary_heading>)"  # those under a heading are interactions
)
_SKIPPED_TAGS_OF_RIFS = (b"Gene-commentary_update-date", b"Date-std_hour", b"Date-std_minute", b"Date-std_second")
_SWISS_PROT = b"<Dbtag_db>UniProtKB/Swiss-Prot</Dbtag_db>"
_SKIPPED_TAGS = (b"Org-ref_orgname", b"Gene-track_create-date", b"Gene-track_update-date")
_BULKY = (b"Gene-commentary_seqs", b"Gene-commentary_genomic-coords", b"Gene-commentary_refs")
_LATER_SECTION = re.compile(
    rb"<Entrezgene_(?:location|gene-source|locus|properties|refgene|homology|comments|unique-keys|xtra-[a-z-]+)>"
)
_SECTION = re.compile(rb"<Entrezgene_[a-z-]+>")
_SECTIONS = frozenset(
    b"<Entrezgene_" + name + b">"
    for name in (
        *(b"track-info", b"type", b"source", b"gene", b"prot", b"rna", b"summary", b"location", b"gene-source"),
        *(b"locus", b"properties", b"refgene", b"homology", b"comments", b"unique-keys", b"xtra-index-terms"),
        *(b"xtra-properties", b"xtra-iq", b"non-unique-keys"),
    )
)
_NESTED = re.compile(rb"<Gene-commentary_(?:products|properties|comment)>")
_GENE_ID = re.compile(
    rb"<Entrezgene><Entrezgene_track-info><Gene-track><Gene-track_geneid>\s*([0-9]+)\s*</Gene-track_geneid>"
)
_BLANK = re.compile(rb">\s+<")
_SPACE = re.compile(rb"\s*")


def trimmed(record: bytes | bytearray) -> tuple[str, bytes]:
    """The GeneID of a whole ``<Entrezgene>`` element in plain XML, and that element without what is rarely asked for.

    Raises:
        DamagedRecord: what is left cannot be read, or tells no GeneID.
    """
    return _verified_record(_parts(record))


def annotated(record: bytes | bytearray) -> tuple[str, bytes]:
    """The same with GO terms and phenotypes.

    Raises:
        DamagedRecord: what is left cannot be read, or tells no GeneID.
    """
    return _verified_record(_parts(record, is_annotated=True))


def with_generifs(record: bytes | bytearray) -> tuple[str, bytes]:
    """The GeneID, the gene's names, and its GeneRIFs.

    Raises:
        DamagedRecord: what is left cannot be read, or tells no GeneID.
    """
    return _verified_record(_with_generifs(record))


def _verified_record(parts: Iterator[bytes]) -> tuple[str, bytes]:
    try:
        xml = _BLANK.sub(b"><", b"".join(parts))
        check_plain(xml)
    except RecursionError as error:
        raise DamagedRecord("The record is nested too deeply.") from error
    gene_id = _GENE_ID.match(xml)
    if gene_id is None:
        raise DamagedRecord("The record has no GeneID.")
    return gene_id[1].decode(), xml


def _head(record: bytes | bytearray) -> tuple[int, bytes]:
    """The start of the sections of commentaries, and the XML before them: track, type, source, gene, prot, summary."""
    next_section = _LATER_SECTION.search(record)
    body_start = next_section.start() if next_section else record.rfind(b"</Entrezgene>")
    return body_start, _drop_elements(bytes(record[:body_start]), *_SKIPPED_TAGS)


def _with_generifs(record: bytes | bytearray) -> Iterator[bytes]:
    body_start, head = _head(record)
    _check_sections(record, body_start, b"comments")
    yield head
    yield b"<Entrezgene_comments>"
    start, _ = _section(record, b"comments", body_start, is_long=True)
    spans = _side_by_side(record, start)
    rifs = b"".join(bytes(record[first:end]) for first, end in spans if _GENERIF.match(record, first))
    yield _drop_elements(rifs, *_SKIPPED_TAGS_OF_RIFS)
    yield b"</Entrezgene_comments></Entrezgene>"


def _parts(record: bytes | bytearray, *, is_annotated: bool = False) -> Iterator[bytes]:
    body_start, head = _head(record)
    if is_annotated:
        _check_sections(record, body_start, b"properties", b"comments")
    yield head
    yield b"<Entrezgene_locus>"
    loci = (_without_nested(record, *span) for span in _side_by_side(record, _section(record, b"locus", body_start)[0]))
    yield from (locus for locus in loci if _REFERENCE in locus)
    yield b"</Entrezgene_locus><Entrezgene_properties>"
    properties = _section(record, b"properties", body_start)
    yield _whole(record, _find_marked(record, b"<Gene-commentary_label>Nomenclature<", properties))
    if is_annotated:
        yield _required(record, _GO, b"<Dbtag_db>GO</Dbtag_db>", properties)
    yield b"</Entrezgene_properties><Entrezgene_comments>"
    comments = _section(record, b"comments", body_start, is_long=True)
    swiss_prot_rows = _swiss_prot_products(
        record, _find_marked(record, b"<Gene-commentary_heading>Related Sequences<", comments)
    )
    refseqs = _find_marked(record, b"<Gene-commentary_heading>NCBI Reference Sequences (RefSeq)<", comments)
    # UniProt IDs of RefSeq proteins are needed only where no related sequence has a primary accession.
    yield _drop_elements(_refseqs(record, refseqs, is_brief=bool(swiss_prot_rows)) + swiss_prot_rows, *_BULKY)
    if is_annotated:
        yield _required(record, _PHENOTYPES, b'<Gene-commentary_type value="phenotype">', comments)
    yield b"</Entrezgene_comments></Entrezgene>"


def _whole(record: bytes | bytearray, opening: int) -> bytes:
    """The commentary that opens there; nothing, if there is none."""
    return bytes(record[opening : _end(record, opening)]) if opening >= 0 else b""


def _required(record: bytes | bytearray, heading: bytes, content: bytes, section: tuple[int, int]) -> bytes:
    """The commentary under a heading; nothing, if its section holds nothing of its kind under another, either."""
    opening = _find_marked(record, heading, section)
    if opening < 0 and record.find(content, *section) >= 0:
        raise DamagedRecord(f"There is no {heading.decode()}, but {content.decode()}.")
    return _whole(record, opening)


def _check_sections(record: bytes | bytearray, start: int, *names: bytes) -> None:
    """Raise where a section is missing and another is there that the DTD does not have: it may have been renamed."""
    sections = set(_SECTION.findall(record, start))
    missing = {b"<Entrezgene_" + name + b">" for name in names} - sections
    if missing and (unknown := sections - _SECTIONS):
        raise DamagedRecord(f"There is no {min(missing).decode()}, but {min(unknown).decode()}.")


def _section(record: bytes | bytearray, name: bytes, start: int, *, is_long: bool = False) -> tuple[int, int]:
    """The start and end of the content of a section; empty if there is no such section."""
    opening, closing = b"<Entrezgene_" + name + b">", b"</Entrezgene_" + name + b">"
    position = record.find(opening, start)
    if position < 0:
        return start, start
    end = record.rfind(closing, position) if is_long else record.find(closing, position)
    if end < 0:
        raise DamagedRecord(f"The section {name.decode()} of a gene record does not end.")
    return position + len(opening), end


def _side_by_side(xml: bytes | bytearray, start: int) -> Iterator[tuple[int, int]]:
    """The start and end of each of the consecutive commentaries from ``start`` on."""
    position = _past_space(xml, start)
    while xml.startswith(_OPENING, position):
        end = _end(xml, position)
        yield position, end
        position = _past_space(xml, end)


def _past_space(xml: bytes | bytearray, position: int) -> int:
    space = _SPACE.match(xml, position)
    return space.end() if space else position


def _end(xml: bytes | bytearray, start: int) -> int:
    """The end of the commentary that opens at ``start``."""
    depth, position = 0, start
    while True:
        closing = xml.find(_CLOSING, position)
        if closing < 0:
            raise DamagedRecord("A commentary of a gene record does not end.")
        depth += xml.count(_OPENING, position, closing) - 1
        position = closing + len(_CLOSING)
        if depth == 0:
            return position


def _find_marked(xml: bytes | bytearray, mark: bytes, section: tuple[int, int]) -> int:
    """The start of the commentary that has ``mark`` itself and is at the top of its section; -1 without one."""
    start, end = section
    depth, previous = 0, start
    position = xml.find(mark, start, end)
    while position >= 0:
        depth += xml.count(_OPENING, previous, position) - xml.count(_CLOSING, previous, position)
        opening = xml.rfind(_OPENING, start, position)
        if depth == 1 and xml.find(_CLOSING, opening, position) < 0:
            return opening
        previous, position = position, xml.find(mark, position + 1, end)
    return -1


def _without_nested(xml: bytes | bytearray, start: int, end: int) -> bytes:
    """A commentary without its nested commentaries, which stand after every other element that is read."""
    nested = _NESTED.search(xml, start, end)
    return bytes(xml[start : nested.start()]) + _CLOSING if nested else bytes(xml[start:end])


def _swiss_prot_products(record: bytes | bytearray, related: int) -> bytes:
    """The related sequences that Swiss-Prot describes, one of fifty; nothing if there are none."""
    nested = _NESTED.search(record, related) if related >= 0 else None
    if nested is None or nested[0] != _PRODUCTS:
        return b""
    spans = _side_by_side(record, nested.end())
    reviewed_rows = [record[start:end] for start, end in spans if record.find(_SWISS_PROT, start, end) >= 0]
    return b"".join((record[related : nested.end()], *reviewed_rows, _PRODUCTS_END, _CLOSING)) if reviewed_rows else b""


def _refseqs(record: bytes | bytearray, opening: int, *, is_brief: bool) -> bytes:
    """The RefSeq section; in brief, of each part the products alone."""
    if opening < 0:
        return b""
    nested = _NESTED.search(record, opening)
    if not is_brief or nested is None or nested[0] != _COMMENT:
        return bytes(record[opening : _end(record, opening)])
    parts = (_products_only(record, *span) for span in _side_by_side(record, nested.end()))
    return b"".join((record[opening : nested.end()], *parts, _COMMENT_END, _CLOSING))


def _products_only(xml: bytes | bytearray, start: int, end: int) -> bytes:
    """A commentary and its products, at every depth, without their other content."""
    nested = _NESTED.search(xml, start, end)
    if nested is None or nested[0] != _PRODUCTS:
        return _without_nested(xml, start, end)
    products = (_products_only(xml, *span) for span in _side_by_side(xml, nested.end()))
    return b"".join((xml[start : nested.end()], *products, _PRODUCTS_END, _CLOSING))


def _drop_elements(xml: bytes, *tag_names: bytes) -> bytes:
    """``xml`` without the elements of these names, which never stand in one another."""
    for name in tag_names:
        first, *rest = xml.split(b"<" + name + b">")
        xml = first + b"".join(part.partition(b"</" + name + b">")[2] for part in rest)
    return xml


Trim = Callable[[bytes | bytearray], tuple[str, bytes]]


class GeneSplitter(RecordSplitter):
    """GeneIDs and the trimmed bytes of their records: small ``<Entrezgene>`` documents that ``parse.gene`` reads.

    Takes the answer of NCBI, an ``<Entrezgene-Set>``, and bare ``<Entrezgene>`` roots too. Holds one record at most.
    """

    def __init__(self, trimmed: Trim = trimmed, *, largest_record: int = LARGEST_RECORD) -> None:
        """``trimmed`` says what is kept of a record."""

        def read(record: bytes | bytearray) -> Iterator[tuple[str, bytes]]:
            yield trimmed(record)

        form = RecordForm(frozenset({b"Entrezgene-Set"}), (b"Entrezgene",), read, noun="gene record", rare=b"z")
        super().__init__(form, largest_record=largest_record)
