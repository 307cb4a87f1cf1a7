"""The stand-in for iCite: how often articles are cited. Shapes follow public clients; no recording shows them."""

from collections.abc import Iterable, Mapping
from typing import Any

from biofact.sandbox.services.pubmed import dates
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus
from biofact.sandbox.services.pubmed.facts import ArticleFacts, CitationFacts
from biofact.sandbox.standin import Ask, Refusal, RefusingStandIn, Reply, unknown, written
from biofact.sources.pubmed.service import ICITE

MOST_PMIDS = 200
"""How many the current documentation allows in a request."""
_PARAMETERS = frozenset({"pmids", "fl", "legacy", "format", "limit", "offset"})
_THIS_YEAR = 2026


class IciteStandIn(RefusingStandIn):
    """Answers as iCite does over the starter facts; an article without a count is unknown to it."""

    service = ICITE

    def __init__(self, corpus: ArticleCorpus, citations: Iterable[CitationFacts]) -> None:
        self._rows = {
            one.pmid: _row(corpus.articles[one.pmid], one) for one in citations if one.pmid in corpus.articles
        }

    def answer(self, ask: Ask) -> Reply:
        """The answer in iCite's form."""
        path = ask.path.removesuffix("/")
        if path != "/pubs" and not path.startswith("/pubs/"):
            raise _refused(f"The sandbox has no {ask.path}.", status=404)
        if ask.method != "GET":
            raise _refused(f"{ask.path} is asked with GET.", status=405)
        if names := sorted({name for name, _ in ask.params} - _PARAMETERS):
            raise unknown(_refused(f"The sandbox has no parameter {', '.join(names)}."), names)
        if path != "/pubs":
            return self._one(path.removeprefix("/pubs/"))
        pmids = list(dict.fromkeys(filter(None, ask.one("pmids").replace(" ", "").split(","))))
        if len(pmids) > MOST_PMIDS:
            raise _refused(f"At most {MOST_PMIDS} PMIDs at once, not {len(pmids)}.")
        if wrong := [pmid for pmid in pmids if not pmid.isdecimal()]:
            raise _refused(f"{wrong[0]!r:.40} is not a PMID.")
        rows = [self._rows[pmid] for pmid in pmids if pmid in self._rows]
        kept = [_cut(row, ask.one("fl")) for row in rows]
        return written({"meta": {"pmids": ask.one("pmids")}, "links": {"self": "", "next": ""}, "data": kept})

    def _one(self, pmid: str) -> Reply:
        row = self._rows.get(pmid)
        if row is None:
            raise _refused(f"PubMed ID: {pmid:.40} not found.", status=404)
        return written(row)


def _cut(row: Mapping[str, Any], wanted: str) -> dict[str, Any]:
    """Only the fields that ``fl`` names; all of them when it is empty.

    Raises:
        Refusal: it names one that there is not.
    """
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    if absent := [name for name in names if name not in row]:
        raise _refused(f"There is no field {absent[0]!r:.40}.")
    return {name: row[name] for name in names} if names else dict(row)


def _row(article: ArticleFacts, citation: CitationFacts) -> dict[str, Any]:
    year = dates.sorting(article).year
    return {
        "pmid": int(article.pmid),
        "year": year,
        "title": article.title,
        "authors": ", ".join(author.short for author in article.authors),
        "journal": article.source,
        "is_research_article": "Journal Article" in article.type_names and "Review" not in article.type_names,
        "relative_citation_ratio": citation.relative_citation_ratio,
        "nih_percentile": citation.nih_percentile,
        "human": None,
        "animal": None,
        "molecular_cellular": None,
        "apt": None,
        "is_clinical": citation.is_clinical,
        "citation_count": citation.citation_count,
        "citations_per_year": round(citation.citation_count / max(1, _THIS_YEAR - year), 2),
        "expected_citations_per_year": None,
        "field_citation_rate": None,
        "provisional": citation.is_provisional,
        "x_coord": None,
        "y_coord": None,
        "cited_by_clin": [],
        "cited_by": [],
        "references": _references(article),
        "doi": article.one_id("doi"),
    }


def _references(article: ArticleFacts) -> list[int]:
    return [int(value) for one in article.references for kind, value in one.ids if kind == "pubmed"]


def _refused(words: str, *, status: int = 400) -> Refusal:
    return Refusal(written({"error": words}, status=status))
