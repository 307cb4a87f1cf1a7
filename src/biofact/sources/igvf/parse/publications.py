"""Publications, however a row writes them. Pure."""

import re

from biofact.sources.igvf.parse.documents import Row

_PMID = re.compile(r"(?:^|[:/])([1-9]\d{0,8})/?$")


def publications(row: Row) -> list[str]:
    """``PMID:...`` of a row, each once: from an address, a number, or a list of these."""
    values = [row.get("pmids"), row.get("pmid")]
    study = row.get("study")
    if isinstance(study, dict):
        values.append(study.get("pmid"))
    given = [pmid for value in values for pmid in (value if isinstance(value, list) else [value]) if pmid]
    found = [match[1] for text in map(str, given) if (match := _PMID.search(text.strip()))]
    return [f"PMID:{pmid}" for pmid in dict.fromkeys(found)]
