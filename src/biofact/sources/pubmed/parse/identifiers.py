"""The identifiers that a record gives to its own article, each in its one form.

The record's list of identifiers comes first, then the places that the journal gave (``ELocationID``), of which those
marked as invalid count for nothing. Where DOIs disagree the first stands, and a notice tells of the others.
"""

import re
from collections.abc import Iterable

from biofact.core.records import Notice
from biofact.sources.pubmed.parse.elements import attribute, marked, text

_OWN = re.compile(r"""<ArticleId\s[^>]*?IdType\s*=\s*["']([a-z]+)["'][^>]*>([^<]*)</""")
DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
"""A DOI as it is written, bare or as a link; the group is the DOI."""
_PMC = re.compile(r"(?:PMC)?(\d+)(?:\.\d+)?", re.IGNORECASE)  # PMC3706072.1 is the first version of PMC3706072
_Given = tuple[str, str]


def identifiers(places: str, listed: str) -> tuple[dict[str, str | None], list[Notice]]:
    """The DOI, PMC ID and publisher's ID, and what to know of them; from where places stand, and where IDs do."""
    own = [(kind, text(raw)) for kind, raw in _OWN.findall(listed)]
    valid, refused = _of_places(places)
    notices: list[Notice] = []
    dois = _once(_read("doi", DOI, [*own, *valid], notices))
    pmcs = _once(f"PMC{number}" for number in _read("pmc", _PMC, [*own, *valid], notices))
    if len(dois) > 1:
        message = f"The record gives several DOIs: {dois[0]} of its list stands, not {', '.join(dois[1:])}."
        notices.append(Notice(code="MISMATCH", message=message))
    if dois and dois[0].lower() in {doi.lower() for kind, doi in refused if kind == "doi"}:
        message = f"The record gives the DOI {dois[0]}, and marks it as invalid elsewhere."
        notices.append(Notice(code="MISMATCH", message=message))
    if len(pmcs) > 1:
        notices.append(Notice(code="SEVERAL_VALUES", message=f"Also pmc {', '.join(pmcs[1:])}."))
    publishers = [value for kind, value in [*own, *valid] if kind == "pii"]
    return {"doi": next(iter(dois), None), "pmc": next(iter(pmcs), None), "pii": next(iter(publishers), None)}, notices


def _of_places(xml: str) -> tuple[list[_Given], list[_Given]]:
    """What the journal gave, and of it what is marked as invalid."""
    if "<ELocationID" not in xml:
        return [], []
    found = [(attribute(at, "ValidYN") == "N", attribute(at, "EIdType") or "", text(raw)) for at, raw in
             marked(xml, "ELocationID")]  # fmt: skip
    valid = [(kind, value) for is_refused, kind, value in found if not is_refused]
    return valid, [(kind, value) for is_refused, kind, value in found if is_refused]


def _read(kind: str, form: re.Pattern[str], given: Iterable[_Given], notices: list[Notice]) -> list[str]:
    """The identifiers of a kind, bare; a notice tells of what is none."""
    found = []
    for value in dict.fromkeys(value for of, value in given if of == kind and value):
        if match := form.fullmatch(value):
            found.append(match[1])
        else:
            message = f"{value!r:.60} is no {kind} identifier, and left out."
            notices.append(Notice(code="INVALID_CROSS_REFERENCE", message=message))
    return found


def _once(values: Iterable[str]) -> list[str]:
    """Each once, in whatever case, as it is written first."""
    once: dict[str, str] = {}
    for value in values:
        once.setdefault(value.lower(), value)
    return list(once.values())
