"""How PubMed read a query: unknown phrases, differences from the text, notices. Pure."""

import re
from collections.abc import Container
from dataclasses import dataclass, field, replace

from biofact.core.provenance import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query import terms
from biofact.literature.query.terms import FieldTerm
from biofact.sources.pubmed.search import notices

KNOWN_FIELDS = frozenset(
    f"""
    all uid filt titl mesh majr jour affl ecno subs pdat edat vol page ptyp lang iss subh si mhda tiab otrm coln cnty
    papx grnt mdat cdat pid faut full finv tt laut ppdt epdt lid crdt book ed isbn pubn aucl eid dso auid ps cois word
    ti tw mh sh pt dp au ta la sb ad aid pmid nm rn ot {terms.HEADING.replace(" ", "_")} mesh_major_topic
    title/abstract title text_word publication_type date_-_publication author journal language affiliation
    mesh_subheading supplementary_concept other_term mesh:noexp mh:noexp majr:noexp title/abstract:~0 title:~0
    """.lower().split()
)
"""Field tags that PubMed has, in lower case, with underlines for blanks (einfo, read 2025-11-27)."""

_DATES = re.compile(r'(?i)"?([\d/]+)"?\[Date - Publication\]\s*:\s*"?([\d/]+)"?\[Date - Publication\]')
_LAST = re.compile(r":\s*3000(?:/12/31)?(?=\[)")
_LONGEST_SHOWN = 400
_GONE = "\0"
_TERM = re.compile(r'"(?P<text>[^"]*)"\[(?P<field>[^\[\]]+)\]')
_EMPTY = re.compile(rf"{_GONE} (?:AND|OR) | (?:AND|OR|NOT) {_GONE}|\((?P<only>{_GONE})\)")


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query, and how PubMed read it."""

    query: str
    count: int | None = None
    """Articles that match; None where PubMed could not be asked."""
    unknown: frozenset[str] = frozenset()
    """Phrases of it that PubMed does not know, in lower case, with their field where PubMed reports it."""
    is_as_written: bool = False
    """PubMed reads it as it is written."""
    notices: list[Notice] = field(default_factory=list)

    @property
    def finds(self) -> bool:
        """Whether something matches."""
        return bool(self.count)


def query_check(query: str, answer: SearchAnswer) -> CheckedQuery:
    """The check of a query by its answer. That a single word finds nothing is a fact on it, not another reading."""
    listed = (*answer.phrases_not_found, *answer.quoted_phrases_not_found, *answer.phrases_ignored)
    unknown = frozenset(filter(None, map(_bare, listed)))
    written = _with_one_date_form(without_terms(query, unknown))
    translation = _with_one_date_form(answer.query_translation)
    is_otherwise = bool(translation) != bool(written) or notices.is_read_otherwise(written, translation)
    known = replace(answer, query_translation="", phrases_not_found=(), quoted_phrases_not_found=(), phrases_ignored=())
    query_notices = [
        notice
        for notice in notices.about(written, known)
        if notice.code != "LIST_CUT"  # the count says it
    ]
    if is_otherwise:
        shown = answer.query_translation or "nothing"
        query_notices.append(
            Notice(code="QUERY_UNDERSTOOD", message=f"PubMed reads it otherwise, as: {shown:.{_LONGEST_SHOWN}}")
        )
    return CheckedQuery(
        query,
        answer.count,
        unknown=unknown,
        is_as_written=not is_otherwise and not query_notices,
        notices=query_notices,
    )


def without_terms(query: str, unknown: Container[str]) -> str:
    """A query without the terms that PubMed does not know, and without groups and operators that this leaves empty."""
    text = _TERM.sub(lambda found: _GONE if _is_unknown(found, unknown) else found[0], query)
    before = ""
    while before != text:
        before = text
        text = _EMPTY.sub(lambda found: found["only"] or "", text)
    return text.replace(_GONE, "").strip()


def _is_unknown(term: re.Match[str], unknown: Container[str]) -> bool:
    return FieldTerm(term["text"], term["field"]).is_in(unknown)


def failed_check(query: str, reason: str) -> CheckedQuery:
    """A query that PubMed could not be asked about."""
    message = f"Not counted and not checked. {reason}"
    return CheckedQuery(query, notices=[Notice(code="LEG_FAILED", message=message)])


def unknown_fields(query: str) -> list[str]:
    """Field tags that PubMed does not have."""
    return [tag for tag in terms.fields(query) if re.sub(r"\s+", "_", tag.strip().lower()) not in KNOWN_FIELDS]


def _bare(phrase: str) -> str:
    return " ".join(phrase.replace('"', "").lower().split())


def _with_one_date_form(query: str) -> str:
    """With date ranges in the form of PubMed's own translation: 2021/11/22:3000/12/31[Date - Publication]."""
    ranged = _DATES.sub(r"\1:\2[Date - Publication]", query)
    return _LAST.sub(":3000/12/31", ranged)
