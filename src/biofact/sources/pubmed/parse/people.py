"""Who wrote an article, as records have them."""

import re

from biofact.sources.pubmed.parse.elements import attribute, leaf, leaves, marked, text
from biofact.sources.pubmed.records import Author

_MOST_NAMES = 6
_NOTHING = (None, None, None)
_NAME = r"(?:<{0}>([^<]*)</{0}>\s*)?"
_AUTHOR = re.compile(
    r"<Author[^>]*>\s*"
    + "".join(map(_NAME.format, ("LastName", "ForeName", "Initials")))
    + r"(?:<AffiliationInfo>\s*<Affiliation>([^<]*)</Affiliation>\s*</AffiliationInfo>\s*)?"
    + r"((?:<(?!/Author>)[^<]*)*)</Author>"
)
_ORCID = re.compile(r"(?:^|\D)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])$")


def authors(xml: str) -> list[Author]:
    """The people and groups of an author list, in its order."""
    read = text if "&" in xml else str.strip  # what the pattern finds has no tags
    return [
        Author(
            read(last) or None,
            read(fore) or None,
            read(initials) or None,
            *(_further(rest) if rest else _NOTHING),
            [read(first), *_affiliations(rest)] if first else _affiliations(rest),
        )
        for last, fore, initials, first, rest in _AUTHOR.findall(xml)
    ]


def names(people: list[Author]) -> tuple[list[str], int | None]:
    """The first six as citations have them, and how many there are if that is more."""
    return [person.name for person in people[:_MOST_NAMES]], len(people) if len(people) > _MOST_NAMES else None


def _further(xml: str) -> tuple[str | None, str | None, str | None]:
    """Suffix, collective name and ORCID."""
    return leaf(xml, "Suffix"), leaf(xml, "CollectiveName"), _orcid(xml)


def _affiliations(xml: str) -> list[str]:
    return leaves(xml, "Affiliation") if xml else []


def _orcid(xml: str) -> str | None:
    """The author's ORCID in its one form: services write it bare, as a URL, and without hyphens."""
    for written, raw in marked(xml, "Identifier"):
        is_orcid = attribute(written, "Source") == "ORCID"
        if is_orcid and (found := _ORCID.search(text(raw).rstrip("/").upper())):
            return "-".join(found.groups())
    return None
