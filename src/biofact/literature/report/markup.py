"""HTML that its content cannot break: every text is escaped on insertion. Pure."""

import html
import re
from collections.abc import Iterable
from urllib.parse import quote

_INLINE = frozenset({"a", "b", "i", "bdi", "code", "mark", "q", "span", "strong", "label", "input"})
_VOID = frozenset({"meta", "link", "input"})
# Controls, surrogates, and marks that turn the direction of all that follows.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_PMID = re.compile(r"PMID:(\d{1,9})", re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}/\S+", re.ASCII)


class Markup(str):
    """HTML that is already escaped."""

    __slots__ = ()


Attribute = str | int | float | bool | None


def escape(text: str) -> Markup:
    """Untrusted text as HTML, for content and attributes; invisible characters become a replacement mark."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(_UNSEEN.sub("\ufffd", text), quote=True))


def tag(name: str, /, *inside: str | None, **attributes: Attribute) -> Markup:
    """An element. Texts inside are escaped, other elements stay; ``aria_label`` is written ``aria-label``.

    An attribute that is None or false is left out, one that is true has no value.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    end = "" if name in _INLINE else "\n"
    if name in _VOID:
        return Markup(f"<{name}{written}>{end}")
    return Markup(f"<{name}{written}>{join_markup(inside)}</{name}>{end}")


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def join_markup(parts: Iterable[str | None]) -> Markup:
    """Parts one after another, texts among them escaped."""
    return Markup("".join(escape(part) for part in parts if part))


def isolate(text: str, **attributes: Attribute) -> Markup:
    """A text of others, whose direction of writing ends where it ends."""
    return tag("bdi", text, **attributes)


def pubmed_link(pmid: str, *inside: str) -> Markup:
    """A link to an article; the words alone if that is no PMID."""
    match = _PMID.fullmatch(pmid)
    words = inside or (pmid,)
    return _link(f"https://pubmed.ncbi.nlm.nih.gov/{match[1]}/", *words) if match else join_markup(words)


def doi_link(doi: str) -> Markup:
    """A link to where a DOI leads; the words alone if it is none."""
    return _link(f"https://doi.org/{quote(doi, safe='/:;().,_-')}", doi) if _DOI.fullmatch(doi) else escape(doi)


def web_link(url: str | None, words: str) -> Markup:
    """A link to a page; the words alone without an address that begins with https."""
    return _link(url, words) if url and url.startswith("https://") else escape(words)


def _link(url: str, *inside: str) -> Markup:
    return tag("a", *inside, href=url, rel="noopener noreferrer")


def number(value: float, digits: int = 2) -> str:
    """A number with a fixed count of digits, and a minus that is one."""
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text.replace("-", "\u2212")


def count_in_words(count: int, one: str, many: str | None = None) -> str:
    """``1 article``, ``1,204 articles``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def plain_number(value: float) -> str:
    """A stated number as it was, without digits that say nothing: ``0.71``, ``12``, a minus that is one."""
    text = f"{value:.10g}"
    return text.replace("-", "\u2212")
