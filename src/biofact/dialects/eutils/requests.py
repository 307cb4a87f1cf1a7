"""Questions to E-utilities. JSON is asked for wherever the service has it."""

from collections.abc import Sequence
from typing import Literal

from biofact.core.errors import AmbiguousQuery
from biofact.dialects.eutils.service import NCBI
from biofact.transport.service import Request

LARGEST_RETMAX = 10_000
"""Records that one answer can list."""
LAST_PUBMED_RETSTART = 9_998
"""PubMed refuses to list from further on; other databases can be paged to their end."""


def esearch(
    db: str,
    term: str,
    *,
    retstart: int = 0,
    retmax: int = 20,
    sort: str | None = None,
    published: tuple[str, str] | None = None,
) -> Request:
    """Which records match ``term``; ``published`` are the first and the last day of publication, as YYYY/MM/DD.

    Raises:
        AmbiguousQuery: ``term`` is blank; NCBI answers that with an error, so it is not sent.
            A client checks its caller's own words before it makes a term of them.
    """
    return _request(
        "esearch",
        {
            "db": db,
            "term": _term(term),
            "retstart": str(retstart),
            "retmax": str(retmax),
            "sort": sort,
            "datetype": "pdat" if published else None,
            "mindate": published[0] if published else None,
            "maxdate": published[1] if published else None,
            "retmode": "json",
        },
    )


def esummary(db: str, uids: Sequence[str]) -> Request:
    """Short descriptions of records; ask for 200 at most."""
    return _request("esummary", {"db": db, "id": _ids(uids), "retmode": "json"})


def efetch(db: str, uids: Sequence[str], retmode: str = "xml") -> Request:
    """Full records. Gene and PubMed have no JSON; those that do not exist are left out of the answer."""
    return _request("efetch", {"db": db, "id": _ids(uids), "retmode": retmode})


def elink(dbfrom: str, db: str, uid: str, linkname: str) -> Request:
    """Records of ``db`` that one record of ``dbfrom`` leads to; the answer has all of them, there is no paging."""
    return _request("elink", {"dbfrom": dbfrom, "db": db, "id": uid, "linkname": linkname, "retmode": "json"})


def epost(db: str, uids: Sequence[str]) -> Request:
    """Store UIDs on NCBI's History server, where they stay for hours only. Answers in XML."""
    return _request("epost", {"db": db, "id": _ids(uids)}, method="POST")


def espell(db: str, term: str) -> Request:
    """A better spelling of ``term``. Answers in XML.

    Raises:
        AmbiguousQuery: ``term`` is blank.
    """
    return _request("espell", {"db": db, "term": _term(term)})


def einfo(db: str | None = None) -> Request:
    """Which databases there are, or what can be searched and linked in one."""
    return _request("einfo", {"db": db, "retmode": "json"})


def _request(program: str, params: dict[str, str | None], *, method: Literal["GET", "POST"] = "GET") -> Request:
    given = tuple((name, value) for name, value in params.items() if value)
    return Request(NCBI, f"/{program}.fcgi", given, method)  # the wire makes a form of a long GET


def _ids(uids: Sequence[str]) -> str:
    if isinstance(uids, str) or not uids:
        raise ValueError(f"{uids!r} is not a list of UIDs")  # "7157" would ask for 7, 1, 5 and 7
    return ",".join(uids)


def _term(term: str) -> str:
    if not term.strip():
        raise AmbiguousQuery(
            f"{term!r} is an empty query.", hint="Write at least one word to search for.", invalid_input=term
        )
    return term
