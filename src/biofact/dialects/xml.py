"""XML from outside: whole documents as trees, and a splitter that cuts a streamed answer into plain records. Pure.

``tree`` reads a document by defusedxml and refuses what could harm the reader. Records are plain XML: without comments,
CDATA sections, processing instructions and declarations. In XML text and attributes every "<" is escaped, so that
``<Name>`` found anywhere in plain XML is that tag. Records are cut on bytes: twenty times quicker than parsing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biofact.core.errors import UpstreamError
from biofact.transport.service import MIB, BodyTooLarge, Transient

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class HostileDocument(UpstreamError):
    """The document declares entities or a DTD of its own, which no real answer does.

    Something other than the service wrote it, so asking again would only read it again: this is not retried.
    """

    def __init__(self) -> None:
        super().__init__(
            "The answer is XML that declares entities or a DTD of its own; it was not read.",
            hint="Check the base URL settings and the proxy: the services never answer like this.",
        )


def tree(body: bytes) -> "Element":
    """The root element. An external DTD may be named, as all real answers do; it is never fetched.

    Raises:
        Transient: the document is not well-formed, as when it is cut short.
        HostileDocument: it declares entities, or has an internal DTD subset.
    """
    # XML parsers load on first use: most answers are JSON, and most records are cut on bytes.
    from xml.etree.ElementTree import ParseError, TreeBuilder  # noqa: PLC0415

    from defusedxml import DefusedXmlException  # noqa: PLC0415
    from defusedxml.ElementTree import DefusedXMLParser  # noqa: PLC0415

    parser = DefusedXMLParser(target=TreeBuilder())
    parser.parser.StartDoctypeDeclHandler = _refuse_subset  # defusedxml allows all DTDs or none
    try:
        parser.feed(body)
        root: Element = parser.close()
    except (DefusedXmlException, _InternalSubset) as error:
        raise HostileDocument from error
    except (ParseError, LookupError, ValueError) as error:  # the last two for an encoding that is none
        raise Transient(f"sent damaged XML ({error})") from error
    return root


class _InternalSubset(Exception):
    pass


def _refuse_subset(_name: str, _system_id: str | None, _public_id: str | None, has_subset: int) -> None:
    if has_subset:
        raise _InternalSubset


_MARKUP = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_WINDOW = 256  # bytes; keeps text full of rare ones from being slow


class DamagedRecord(ValueError):
    """A record cannot be read: it is not whole, not well-formed, or not plain."""


def find_markup(xml: bytes | bytearray, start: int, end: int) -> int:
    """Position of the first comment, CDATA section, declaration or processing instruction, or -1."""
    positions = (find_by(xml, b"<!", b"!", start, end), find_by(xml, b"<?", b"?", start, end))
    return min((position for position in positions if position >= 0), default=-1)


def as_plain(xml: bytes) -> bytes:
    """XML without declarations as plain XML: no comments and instructions, and CDATA sections as escaped text."""
    from xml.sax.saxutils import escape  # noqa: PLC0415

    return _MARKUP.sub(lambda match: escape((match[1] or b"").decode()).encode(), xml)


def find_by(xml: bytes | bytearray, mark: bytes, rare: bytes, start: int, end: int) -> int:
    """``xml.find(mark, start, end)``, led by a byte of ``mark`` that is rare in records: ten times faster there."""
    before = mark.index(rare)
    position = xml.find(rare, start, end)
    while position >= 0:
        match = xml.find(mark, max(start, position - before), min(end, position + _WINDOW))
        if match >= 0:
            return match
        position = xml.find(rare, position + _WINDOW - len(mark) + before + 1, end)  # a mark may end beyond the window
    return -1


def plain_tree(xml: bytes) -> "Element":
    """The root element of plain XML. Such XML can declare nothing, so there is nothing to expand or to fetch.

    Raises:
        DamagedRecord: it is not plain, not UTF-8, or not well-formed.
    """
    if not xml.startswith(b"<") or b"\0" in xml or find_markup(xml, 0, len(xml)) >= 0:
        raise DamagedRecord("The record is not plain XML.")
    from xml.etree.ElementTree import ParseError, fromstring  # noqa: PLC0415

    try:
        return fromstring(xml)  # noqa: S314  # plain XML declares nothing; three times faster than defusedxml
    except ParseError as error:
        raise DamagedRecord(f"The record is not well-formed: {error}.") from error


def check_plain(xml: bytes) -> None:
    """Raise unless plain XML is well-formed; faster than making a tree of it.

    Raises:
        DamagedRecord: it is not.
    """
    from xml.parsers import expat  # noqa: PLC0415

    try:
        expat.ParserCreate().Parse(xml, True)  # the last piece
    except expat.ExpatError as error:
        raise DamagedRecord(f"The record is not well-formed: {error}.") from error


LARGEST_RECORD = 64 * MIB

_STEP = 256 << 10  # bytes taken from a chunk at a time: the buffer holds one record, whatever the chunk holds
_LARGEST_GAP = 64 << 10  # bytes before the root, and between records

_COMMENT = b"<!--"
# No possessive repeats: Python before 3.11.5 matches them wrongly. Every text is matched in one way only, which keeps
# these patterns linear, whatever is sent.
_SPACES = rb"(?:\s|<!--(?:(?!--).)*-->)*"
_GAP = re.compile(_SPACES, re.DOTALL)
_ROOT = re.compile(rb"<([A-Za-z][^\s<>/]*)[^<>]*>")
_PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s*<\?xml\s(?P<declaration>[^<>?]*)\?>)?"
    + _SPACES
    + rb"(?:<!DOCTYPE\s[^<>\[\]]*>"
    + _SPACES
    + rb")?",
    re.DOTALL,
)
_ENCODING = re.compile(rb"""\sencoding\s*=\s*["']([^"']*)""")
_DECLARES = re.compile(rb"<!DOCTYPE[^>]*\[|<!(?!DOCTYPE|--)")
_ENDS = {_COMMENT: b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}


@dataclass(frozen=True, slots=True)
class RecordForm:
    """The form of a service's records."""

    sets: frozenset[bytes]
    """Names of roots that hold records."""
    records: tuple[bytes, ...]
    """Names of elements that are records; one may also be the root itself."""
    parse: Callable[[bytes | bytearray], Iterable[tuple[str, bytes]]]
    """A whole record of plain XML as ID and trimmed bytes; raises DamagedRecord."""
    noun: str = "record"
    """Noun for a record in messages."""
    rare: bytes = b""
    """A byte of the end tags that is rare in records, where looking for it first is quicker."""

    def opening_at(self, xml: bytes | bytearray) -> bytes | None:
        """The start tag of a record that ``xml`` begins with."""
        return next((tag for name in self.records if xml.startswith(tag := b"<" + name + b">")), None)

    def find_end(self, xml: bytes | bytearray, closing: bytes, start: int) -> int:
        """Position of the end tag, or -1."""
        return find_by(xml, closing, self.rare, start, len(xml)) if self.rare else xml.find(closing, start)


class RecordSplitter:
    """IDs and trimmed bytes of the records in an answer, or in a document that is one record. Holds one at most."""

    def __init__(self, form: RecordForm, *, largest_record: int = LARGEST_RECORD) -> None:
        self._form = form
        self._largest_record = largest_record
        self._buffer = bytearray()
        self._step: Callable[[], bool] = self._enter  # reads the next part; True once it is complete
        self._records: list[tuple[str, bytes]] = []
        self._failure: Exception | None = None
        self._damage: Transient | None = None  # the first record that cannot be read
        self._set_closing = b""  # empty where a record is the root
        self._closing = b""  # of the record under way
        self._has_records = False
        self._scan_start = 0  # up to where the record under way is known not to end
        self._is_odd = False  # it is not plain XML
        self._markup_end = b""  # end of the current comment, CDATA section or instruction

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """The records that this chunk completes. A failure after some of them is raised at the next call.

        Raises:
            Transient: the body is damaged, or something else in place of records.
            HostileDocument: it declares entities, or has an internal DTD subset.
            BodyTooLarge: one record is beyond the cap.
        """
        self._check()
        view = memoryview(chunk)
        try:
            for start in range(0, len(chunk), _STEP):
                self._buffer += view[start : start + _STEP]
                while self._step():
                    pass
        except (Transient, UpstreamError, BodyTooLarge) as failure:
            self._failure = failure
            self._buffer.clear()
        if not self._records:
            self._check()
        records, self._records = self._records, []
        return records

    def close(self) -> None:
        """Finish: the body has ended.

        Raises:
            Transient: it ended before its end, or a record of it cannot be read.
        """
        self._check()
        is_single = self._step == self._pass and not self._set_closing and self._has_records
        if self._buffer or not (is_single or self._step == self._leave):
            raise Transient(f"the {self._form.noun}s are cut short")
        if self._damage is not None:
            raise self._damage

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _enter(self) -> bool:
        """Read all up to the first record: nothing in it may change how the records are read."""
        if self._buffer.startswith((b"\xff\xfe", b"\xfe\xff")) or 0 in self._buffer[:4]:
            raise _unreadable("UTF-16 or UTF-32")
        root = _ROOT.search(self._buffer)
        if root is None:
            return self._wait()
        _check_prolog(bytes(self._buffer[: root.start()]))
        name, is_empty = root[1], root[0].endswith(b"/>")
        is_set = name in self._form.sets
        if not is_set and name not in self._form.records:
            raise Transient(f"<{name.decode('ascii', 'replace'):.40}> in place of {self._form.noun}s")
        self._set_closing = b"</" + name + b">" if is_set else b""
        del self._buffer[: root.end() if is_set else root.start()]
        self._step = self._leave if is_empty and is_set else self._pass
        return True

    def _pass(self) -> bool:
        """Go past what stands before a record, or at the end of all."""
        self._skip_gap()
        if opening := self._form.opening_at(self._buffer):
            self._scan_start, self._is_odd = len(opening), False
            self._closing = b"</" + opening[1:]
            self._step = self._take
            return True
        if self._set_closing and self._buffer.startswith(self._set_closing):
            del self._buffer[: len(self._set_closing)]
            self._step = self._leave
            return True
        return self._wait_for(*(b"<" + name + b">" for name in self._form.records), self._set_closing, _COMMENT)

    def _take(self) -> bool:
        """Take one record out of the buffer."""
        end = self._end_of_record()
        if (end if end >= 0 else len(self._buffer)) > self._largest_record:
            raise BodyTooLarge(f"sent a {self._form.noun} of more than {self._largest_record} bytes")
        if end < 0:
            return False
        record = self._cut_buffer(end)
        try:
            self._records += self._form.parse(as_plain(bytes(record)) if self._is_odd else record)
        except (DamagedRecord, RecursionError, UnicodeDecodeError) as error:
            self._records += self._replace_damaged(bytes(record), error)
        self._has_records = True
        self._step = self._pass
        return True

    def _replace_damaged(self, record: bytes, error: Exception) -> Iterable[tuple[str, bytes]]:
        """Substitutes for a record that cannot be read: none in an answer, which may come whole another time. The
        records behind it are read all the same.
        """
        del record  # for a subclass
        self._damage = self._damage or Transient(f"damaged {self._form.noun}: {str(error).rstrip('.')}")
        return ()

    def _cut_buffer(self, end: int) -> bytearray:
        """The buffer up to ``end``, which leaves it; the larger part stays where it is, and only the smaller moves."""
        if end <= len(self._buffer) - end:
            record = self._buffer[:end]
            del self._buffer[:end]
        else:
            record, self._buffer = self._buffer, self._buffer[end:]
            del record[end:]
        return record

    def _end_of_record(self) -> int:
        """End of the current record, or -1; an end tag in a comment or a CDATA section does not count."""
        while self._is_past_markup():
            end = self._form.find_end(self._buffer, self._closing, self._scan_start)
            odd = find_markup(self._buffer, self._scan_start, end if end >= 0 else len(self._buffer))
            if odd < 0:
                self._scan_start = max(self._scan_start, len(self._buffer) - len(self._closing) + 1)
                return end + len(self._closing) if end >= 0 else -1
            if not self._has_entered_markup(odd):
                return -1
        return -1

    def _has_entered_markup(self, start: int) -> bool:
        """Whether the markup at ``start`` is known to be a comment, a CDATA section or a processing instruction.

        Raises:
            HostileDocument: it is a declaration, which has no place in a record.
        """
        self._scan_start, self._is_odd = start, True
        for opening, closing in _ENDS.items():
            if self._buffer.startswith(opening, start):
                self._scan_start, self._markup_end = start + len(opening), closing
                return True
        head = bytes(self._buffer[start : start + len(b"<![CDATA[")])
        if not any(opening.startswith(head) for opening in _ENDS):
            raise HostileDocument
        return False

    def _is_past_markup(self) -> bool:
        """Whether the end of such markup has come, if any is under way."""
        if self._markup_end:
            end = self._buffer.find(self._markup_end, self._scan_start)
            if end < 0:
                self._scan_start = max(self._scan_start, len(self._buffer) - len(self._markup_end) + 1)
                return False
            self._scan_start, self._markup_end = end + len(self._markup_end), b""
        return True

    def _leave(self) -> bool:
        """Go past what stands after all records."""
        self._skip_gap()
        return self._wait_for(_COMMENT)

    def _skip_gap(self) -> None:
        gap = _GAP.match(self._buffer)
        del self._buffer[: gap.end() if gap else 0]

    def _wait_for(self, *expected: bytes) -> bool:
        """Wait for more, if the buffer begins like something expected here."""
        if not any(text.startswith(self._buffer[: len(text)]) for text in expected if text):
            excerpt = bytes(self._buffer[:40])
            raise Transient(f"{excerpt!r} in place of a {self._form.noun}")
        return self._wait()

    def _wait(self) -> bool:
        if len(self._buffer) > _LARGEST_GAP:
            raise Transient(f"the answer does not come to a {self._form.noun}")
        return False


def _check_prolog(prolog: bytes) -> None:
    """Refuse what could change the meaning of all that follows."""
    match = _PROLOG.fullmatch(prolog)
    if match is None:
        raise HostileDocument if _DECLARES.search(prolog) else Transient("the answer is not XML")
    encoding = _ENCODING.search(b" " + (match["declaration"] or b""))
    if encoding and encoding[1].lower() not in {b"utf-8", b"us-ascii", b"ascii"}:
        raise _unreadable(encoding[1].decode("ascii", "replace"))


def _unreadable(encoding: str) -> UpstreamError:
    return UpstreamError(
        f"The records are encoded in {encoding:.40}; they were not read.",
        hint="Check BIOFACT_NCBI_URL and the proxy: NCBI answers in UTF-8.",
    )
