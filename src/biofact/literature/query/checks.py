"""How PubMed read a query: unknown phrases, differences from the text, notices. Pure."""

import re
from dataclasses import dataclass, field, replace

from biofact.core.provenance import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query import terms
from biofact.sources.pubmed.search import notices

KNOWN_FIELDS = frozenset(
    f"""
    all uid filt titl mesh majr jour affl ecno subs pdat edat vol page ptyp lang iss subh si mhda tiab otrm coln cnty
    papx grnt mdat cdat pid faut full finv tt laut ppdt epdt lid crdt book ed isbn pubn aucl eid dso auid ps cois word
    ti tw mh sh pt dp au ta la sb ad aid pmid nm rn ot {terms.HEADING.replace(" ", "_")} mesh_major_topic
    title/abstract title text_word publication_type date_-_publication author journal language affiliation
    mesh_subheading supplementary_concept other_term mesh:noexp mh:noexp majr:noexp
    """.lower().split()
)
"""Field tags that PubMed has, in lower case, with underlines for blanks (einfo, read 2025-11-27)."""

_DATES = re.compile(r'(?i)"?([\d/]+)"?\[Date - Publication\]\s*:\s*"?([\d/]+)"?\[Date - Publication\]')
_LAST = re.compile(r":\s*3000(?:/12/31)?(?=\[)")
_LONGEST_SHOWN = 400


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
    """The check of a query by its answer."""
    written, translation = _with_one_date_form(query), _with_one_date_form(answer.query_translation)
    unknown = (*answer.phrases_not_found, *answer.quoted_phrases_not_found, *answer.phrases_ignored)
    is_otherwise = not translation or notices.is_read_otherwise(written, translation)
    query_notices = [
        notice
        for notice in notices.about(written, replace(answer, query_translation=""))
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
        unknown=frozenset(filter(None, map(_bare, unknown))),
        is_as_written=not is_otherwise and not query_notices,
        notices=query_notices,
    )


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
