"""The ID kind that the strict tools take."""

import re

from biofact.core import identifiers
from biofact.core.errors import ToolRef
from biofact.core.identifiers import IdKind
from biofact.core.words import plain
from biofact.dialects.eutils import syntax_problem
from biofact.sources.pubmed.parse.elements import DOI
from biofact.sources.pubmed.records import curie
from biofact.sources.pubmed.search import SEARCH, without_versions

GET = ToolRef("pubmed", "pubmed_get_articles")

_PMID_FORM = re.compile(r"(?:(?:pubmed|pmid)\s*[:#]?\s*)*0*([1-9]\d{0,8})(?:\.0+)?", re.IGNORECASE | re.ASCII)


def number(pmid: str) -> str:
    """The bare number of a PMID in either written form."""
    return pmid.removeprefix("PMID:")


def _normalise(text: str) -> str | None:
    match = _PMID_FORM.fullmatch(text.strip())
    return curie(match[1]) if match else None


def _as_query(text: str) -> str:
    """A DOI is found by its field; words are searched for as they are, unless PubMed could not read them so."""
    match = DOI.fullmatch(text.strip())
    if match and '"' not in match[1]:
        return f'"{match[1]}"[AID]'
    return plain(text) if syntax_problem(text) else without_versions(text.strip())


PMID = identifiers.declare(
    IdKind(
        "PubMed ID",
        r"(?:PMID:)?[1-9]\d{0,8}",
        "PMID:32087273",
        SEARCH,
        repair=_normalise,
        local=number,
        query=_as_query,
        parameter="search_query",
        is_runnable=lambda text: syntax_problem(text) is None,
        pages=(
            "pubmed.ncbi.nlm.nih.gov/{}",
            "pubmed.ncbi.nlm.nih.gov?term={}",
            "ncbi.nlm.nih.gov/pubmed/{}",
            "ncbi.nlm.nih.gov/pubmed?term={}",
        ),
    )
)
