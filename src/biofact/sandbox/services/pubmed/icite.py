"""The stand-in for iCite: how often articles are cited. Shapes follow public clients; no recording shows them."""

from collections.abc import Iterable

from biofact.sandbox.services.pubmed import dates
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus
from biofact.sandbox.services.pubmed.facts import ArticleFacts
from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, refused, unknown, written
from biofact.sandbox.tables import Row
from biofact.sources.pubmed.service import ICITE

MOST_PMIDS = 200
"""How many the current documentation allows in a request."""
_PARAMETERS = frozenset({"pmids", "fl", "legacy", "format", "limit", "offset"})
_THIS_YEAR = 2026


class IciteStandIn(RefusingStandIn):
    """Answers as iCite does over the starter facts; an article without a count is unknown to it."""

    service = ICITE

    def __init__(self, corpus: ArticleCorpus, citations: Iterable[Row]) -> None:
        cited = {str(row["pmid"]): row for row in citations}
        self._rows = {pmid: _row(corpus.articles[pmid], cited[pmid]) for pmid in cited if pmid in corpus.articles}

    def answer(self, ask: Ask) -> Reply:
        """The answer in iCite's form."""
        path = ask.path.removesuffix("/")
        if path != "/pubs" and not path.startswith("/pubs/"):
            raise refused(f"The sandbox has no {ask.path}.", status=404)
        if ask.method != "GET":
            raise refused(f"{ask.path} is asked with GET.", status=405)
        if names := sorted({name for name, _ in ask.params} - _PARAMETERS):
            raise unknown(refused(f"The sandbox has no parameter {', '.join(names)}."), names)
        if path != "/pubs":
            return self._one(path.removeprefix("/pubs/"))
        pmids = list(dict.fromkeys(filter(None, ask.one("pmids").replace(" ", "").split(","))))
        if len(pmids) > MOST_PMIDS:
            raise refused(f"At most {MOST_PMIDS} PMIDs at once, not {len(pmids)}.")
        if wrong := [pmid for pmid in pmids if not pmid.isdecimal()]:
            raise refused(f"{wrong[0]!r:.40} is not a PMID.")
        rows = [self._rows[pmid] for pmid in pmids if pmid in self._rows]
        kept = [_cut(row, ask.one("fl")) for row in rows]
        return written({"meta": {"pmids": ask.one("pmids")}, "links": {"self": "", "next": ""}, "data": kept})

    def _one(self, pmid: str) -> Reply:
        row = self._rows.get(pmid)
        if row is None:
            raise refused(f"PubMed ID: {pmid:.40} not found.", status=404)
        return written(row)


def _cut(row: Row, wanted: str) -> Row:
    """Only the fields that ``fl`` names; all of them when it is empty.

    Raises:
        Refusal: it names one that there is not.
    """
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    if absent := [name for name in names if name not in row]:
        raise refused(f"There is no field {absent[0]!r:.40}.")
    return {name: row[name] for name in names} if names else dict(row)


def _row(article: ArticleFacts, citation: Row) -> Row:
    """The counts with what iCite repeats of the article."""
    year = dates.sorting(article).year
    return {
        **citation,
        "year": year,
        "title": article.title,
        "authors": ", ".join(author.short for author in article.authors),
        "journal": article.source,
        "is_research_article": "Journal Article" in article.type_names and "Review" not in article.type_names,
        "citations_per_year": round(citation["citation_count"] / max(1, _THIS_YEAR - year), 2),
        "references": _references(article),
        "doi": article.one_id("doi"),
    }


def _references(article: ArticleFacts) -> list[int]:
    return [int(value) for one in article.references for kind, value in one.ids if kind == "pubmed"]
