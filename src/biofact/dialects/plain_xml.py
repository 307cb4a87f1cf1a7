"""XML text without comments, CDATA sections, processing instructions and declarations, called plain here.

In XML text and attributes every "<" is escaped, so that ``<Name>`` found anywhere in plain XML is that tag. That lets
records be cut on bytes, which is twenty times quicker than parsing what nobody reads. Pure.
"""

import re
from xml.etree.ElementTree import Element, ParseError, fromstring
from xml.parsers import expat
from xml.sax.saxutils import escape

_MARKUP = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_WINDOW = 256  # bytes; keeps text full of rare ones from being slow


class DamagedRecord(ValueError):
    """A record cannot be read: it is not whole, not well-formed, or not plain."""


def markup(xml: bytes | bytearray, start: int, end: int) -> int:
    """Where the first comment, CDATA section, declaration or processing instruction stands, or -1."""
    found = (find_by(xml, b"<!", b"!", start, end), find_by(xml, b"<?", b"?", start, end))
    return min((at for at in found if at >= 0), default=-1)


def as_plain(xml: bytes) -> bytes:
    """XML without declarations as plain XML: no comments and instructions, and CDATA sections as escaped text."""
    return _MARKUP.sub(lambda found: escape((found[1] or b"").decode()).encode(), xml)


def find_by(xml: bytes | bytearray, mark: bytes, rare: bytes, start: int, end: int) -> int:
    """``xml.find(mark, start, end)``, led by a byte of ``mark`` that is rare in records: ten times faster there."""
    before = mark.index(rare)
    at = xml.find(rare, start, end)
    while at >= 0:
        found = xml.find(mark, max(start, at - before), min(end, at + _WINDOW))
        if found >= 0:
            return found
        at = xml.find(rare, at + _WINDOW - len(mark) + before + 1, end)  # what ends beyond the window
    return -1


def tree(xml: bytes) -> Element:
    """The root element of plain XML. Such XML can declare nothing, so there is nothing to expand or to fetch.

    Raises:
        DamagedRecord: it is not plain, not UTF-8, or not well-formed.
    """
    if not xml.startswith(b"<") or b"\0" in xml or markup(xml, 0, len(xml)) >= 0:
        raise DamagedRecord("The record is not plain XML.")
    try:
        return fromstring(xml)  # noqa: S314  # see above: three times faster than defusedxml
    except ParseError as error:
        raise DamagedRecord(f"The record is not well-formed: {error}.") from error


def check(xml: bytes) -> None:
    """Raise unless plain XML is well-formed; faster than making a tree of it.

    Raises:
        DamagedRecord: it is not.
    """
    try:
        expat.ParserCreate().Parse(xml, True)  # the last piece
    except expat.ExpatError as error:
        raise DamagedRecord(f"The record is not well-formed: {error}.") from error
