"""ecitmatch: citations to PMIDs. Its answer is text, whatever ``retmode`` says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from biofact.sandbox.dialects.eutils import replies
from biofact.sandbox.dialects.eutils.requests import EutilsRequest, bad_request
from biofact.sandbox.standin import Reply

_CELLS = 5
_MOST_LISTED = 4  # clients show two PMIDs listed and five counted; where NCBI begins to count is not known


@dataclass(frozen=True, slots=True)
class Citation:
    """What of a citation is known; empty where it is not given."""

    journal: str
    year: str
    volume: str
    first_page: str
    author: str


@runtime_checkable
class CitationIndex(Protocol):
    """A database that finds articles by where they were printed."""

    def match_citation(self, citation: Citation) -> Sequence[str] | None:
        """The UIDs of the articles that a citation fits; None when there is no such journal."""


def ecitmatch(request: EutilsRequest) -> Reply:
    """Each line of ``bdata`` with the PMID behind it, or with why there is none (as public clients read it)."""
    if not isinstance(request.database, CitationIndex):
        raise bad_request(f"ecitmatch knows no citations of {request.database.name}; it has those of pubmed.")
    citations = [line.strip() for line in re.split(r"[\r\n]+", request.ask.one("bdata"))]
    if not any(citations):
        raise bad_request("Mandatory parameter: bdata - is omitted")
    return replies.text_reply("".join(_matched(request.database, [line for line in citations if line])))


def _matched(index: CitationIndex, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")][:_CELLS]
        uids = index.match_citation(Citation(*cells, *[""] * (_CELLS - len(cells))))
        yield f"{line.rstrip('|')}|{_result(uids)}\n"


def _result(uids: Sequence[str] | None) -> str:
    if uids is None:
        return "NOT_FOUND;INVALID_JOURNAL"
    match len(uids):
        case 0:
            return "NOT_FOUND"
        case 1:
            return uids[0]
        case count if count <= _MOST_LISTED:
            return f"AMBIGUOUS {','.join(uids)}"
        case count:
            return f"AMBIGUOUS ({count} citations)"
