"""Who wrote an article, as records have them."""

import re

from biofact.sources.pubmed.parse.elements import attribute, leaf, leaves, marked, reader, text
from biofact.sources.pubmed.records import Author

_MOST_NAMES = 6
_PARTS = {
    "last_name": "LastName",
    "fore_name": "ForeName",
    "initials": "Initials",
    "suffix": "Suffix",
    "collective_name": "CollectiveName",
}
# An empty branch, which is tried much sooner than what may be repeated, says that an element may be missing.
_NAME = r"(?:<{0}>([^<]*)</{0}>\s*|)"
_AUTHOR = re.compile(
    r"<Author([^>]*)>\s*"
    + "".join(map(_NAME.format, _PARTS.values()))
    + r'(?:<Identifier Source="ORCID">([^<]*)</Identifier>\s*|)'
    + r"(?:<AffiliationInfo>\s*<Affiliation>([^<]*)</Affiliation>\s*</AffiliationInfo>\s*|)"
    + r"(|<(?!/Author>)[^<]*(?:<(?!/Author>)[^<]*)*)</Author>"
)
_ORCID = re.compile(r"(?:^|\D)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])$")


def authors(xml: str) -> list[Author]:
    """The people and groups of an author list, in its order, without spellings that were corrected since."""
    read = reader(xml)
    found: list[Author] = []
    for written, last, fore, initials, suffix, group, orcid, first, rest in _AUTHOR.findall(xml):
        if "ValidYN" in written and attribute(written, "ValidYN") == "N":
            continue
        author = Author(
            read(last) or None,
            read(fore) or None,
            read(initials) or None,
            read(suffix) or None,
            read(group) or None,
            _orcid(orcid) if orcid else None,
            [read(first)] if first else [],
        )
        if rest:
            _add(author, rest)
        found.append(author)
    return found


def names(people: list[Author]) -> tuple[list[str], int | None]:
    """The first six as citations have them, and how many there are if that is more."""
    return [person.name for person in people[:_MOST_NAMES]], len(people) if len(people) > _MOST_NAMES else None


def _add(author: Author, xml: str) -> None:
    """What the pattern leaves over: further affiliations, and all from the first part that is not as it expects."""
    author.affiliations += leaves(xml, "Affiliation")
    if xml.startswith("<AffiliationInfo"):  # which stand last
        return
    for name, element in _PARTS.items():
        setattr(author, name, getattr(author, name) or leaf(xml, element))
    given = (raw for written, raw in marked(xml, "Identifier") if attribute(written, "Source") == "ORCID")
    author.orcid = author.orcid or next(filter(None, map(_orcid, given)), None)


def _orcid(raw: str) -> str | None:
    """An ORCID in its one form: services write it bare, as a URL, and without hyphens."""
    found = _ORCID.search(text(raw).rstrip("/").upper())
    return "-".join(found.groups()) if found else None
