"""Pieces of XML as text. Pure. What is given as content is markup already; ``leaf`` is for plain words."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr


def node(name: str, *content: str, **attributes: str) -> str:
    """An element with content; attributes without a value are left out."""
    written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items() if value)
    inner = "".join(content)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def leaf(name: str, text: str, **attributes: str) -> str:
    """An element that holds plain words."""
    return node(name, escape(text), **attributes)


def optional(name: str, text: str, **attributes: str) -> str:
    """An element that holds plain words; nothing without words."""
    return leaf(name, text, **attributes) if text else ""


def listed(name: str, items: Iterable[str], **attributes: str) -> str:
    """A list of elements; nothing when it is empty."""
    inner = "".join(items)
    return node(name, inner, **attributes) if inner else ""


def unpadded(name: str, iso: str) -> str:
    """A date with numbers as they are counted; nothing without one."""
    parts = zip(("Year", "Month", "Day"), iso.split("-"), strict=False)
    return listed(name, (leaf(part, str(int(text))) for part, text in parts)) if iso else ""


def day(name: str, iso: str, **attributes: str) -> str:
    """A date with Year, Month and Day in two digits; nothing without one."""
    parts = zip(("Year", "Month", "Day"), iso.split("-"), strict=False)
    return listed(name, (leaf(part, text) for part, text in parts), **attributes) if iso else ""
