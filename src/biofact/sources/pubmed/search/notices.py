"""What has to be said about a search and its answer. Pure."""

import re

from biofact.core.errors import AmbiguousQuery, CallTool
from biofact.core.records import Notice
from biofact.core.words import plain
from biofact.dialects import eutils
from biofact.dialects.eutils import LARGEST_RETMAX, SearchAnswer
from biofact.sources.pubmed.search.queries import QUERY_LENGTH, SEARCH, is_plain, without_versions

_TAG = re.compile(r"\[([^\]]+)\]")
_OUR_DATES = re.compile(r"\s+and\s+\(?[\d/]+\s*:\s*[\d/]+\[date - publication\]\)?\s*$")
"""What mindate and maxdate add to the end of a translation."""
_DATES = re.compile(r"([\d/]+)(?:\[date - publication\])?\s*:\s*(\d{4})(?:/12/31)?\[date - publication\]")
"""A range, with its field once or twice, and the last day of its last year told or not."""
_SAME = {  # short forms of fields; PubMed's translation has the long ones
    "tiab": "title/abstract",
    "ti": "title",
    "mesh": "mesh terms",
    "mh": "mesh terms",
    "majr": "mesh major topic",
    "pt": "publication type",
    "ptyp": "publication type",
    "dp": "date - publication",
    "pdat": "date - publication",
    "pdat:": "date - publication",
    "au": "author",
    "ta": "journal",
    "la": "language",
    "tw": "text word",
    "sb": "filter",
    "sh": "mesh subheading",
    "aid": "article identifier",
}


def about(query: str, answer: SearchAnswer) -> list[Notice]:
    """What to know about the answer as a whole."""
    found = eutils.ignored("PubMed", answer)
    if (searched := without_versions(query)) != query:
        message = f"Searched as {searched!r:.120}: PubMed knows articles of PubMed Central without their versions."
        found.append(Notice(code="QUERY_UNDERSTOOD", message=message))
    if not is_plain(query) and answer.query_translation and is_read_otherwise(query, answer.query_translation):
        message = "PubMed read more or other than is written: see query_translation."
        found.append(Notice(code="QUERY_UNDERSTOOD", message=message))
    found += eutils.messages("PubMed", answer)
    if answer.count > LARGEST_RETMAX:
        message = (
            f"PubMed lists the first {LARGEST_RETMAX:,} of {answer.count:,} records only: narrow the query, or ask"
            " for a date_range at a time."
        )
        found.append(Notice(code="LIST_CUT", message=message))
    return found


def is_read_otherwise(query: str, translation: str) -> bool:
    """Whether a query as PubMed understood it differs from what is written in more than spelling."""
    return _bare(query) != _bare(translation)


def unmatched(query: str, spelling: str) -> Notice:
    """Says that nothing was found, and what to try."""
    advice = f"Did you mean {spelling!r:.200}?" if spelling else "Try fewer words or a wider range of dates."
    return Notice(code="UNMATCHED", message=f"No article matches {query!r:.120}. {advice}")


def not_understood(query: str, problem: str) -> AmbiguousQuery:
    """A query that cannot be run; the way on is the same words without syntax."""
    words = plain(query)
    is_other = words != query and len(words) in QUERY_LENGTH
    return AmbiguousQuery(
        f"PubMed could not run the query: {problem:.200}.",
        hint="Use plain words, or check brackets and field tags such as [tiab], [mesh], [pdat].",
        invalid_input=query,
        recovery=CallTool(SEARCH, {"search_query": words}) if is_other else None,
    )


def _bare(query: str) -> str:
    """A query without what may be written in one way or another: quotes, blanks, stops, case, short fields."""
    text = query.lower().replace('"', "")
    text = _TAG.sub(lambda tag: f"[{_SAME.get(tag[1].strip(), tag[1].strip())}]", text)
    text = _DATES.sub(r"\1:\2[date - publication]", _OUR_DATES.sub("", text))
    return re.sub(r"[\s().,']+", "", text)
