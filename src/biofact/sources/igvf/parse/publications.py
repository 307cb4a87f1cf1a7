"""Publications, however a row writes them. Pure."""

import re

from biofact.core.records import Notice
from biofact.sources.igvf.parse.documents import Row

_PMID = re.compile(r"(?:^|[:/])([1-9]\d{0,8})(?:\.0+)?/?$")  # 15451847.0 is a number that went through a table
_WORDS = frozenset({"", "PMID", "PMID:"})
_BETWEEN = re.compile(r"[\s,;|]+")


def publications(row: Row) -> list[str]:
    """``PMID:...`` of a row, each once: from an address, a number, or a list of these."""
    found = [match[1] for text in _written(row) if (match := _PMID.search(text))]
    return [f"PMID:{pmid}" for pmid in dict.fromkeys(found)]


def unreadable(row: Row) -> list[Notice]:
    """Says which publications of a row are no PMID."""
    wrong = [text for text in _written(row) if not _PMID.search(text)]
    message = f"Publications that are no PMID, left out: {', '.join(map(repr, dict.fromkeys(wrong)))}."
    return [Notice(code="INVALID_CROSS_REFERENCE", message=message)] if wrong else []


def _written(row: Row) -> list[str]:
    values = [row.get("pmids"), row.get("pmid")]
    study = row.get("study")
    if isinstance(study, dict):
        values.append(study.get("pmid"))
    given = [pmid for value in values for pmid in (value if isinstance(value, list) else [value]) if pmid]
    return [text for each in given for text in _BETWEEN.split(str(each).strip()) if text not in _WORDS]
