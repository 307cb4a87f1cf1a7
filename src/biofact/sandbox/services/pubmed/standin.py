"""PubMed as E-utilities serve it, from the facts that we hold, and iCite, which counts citations."""

import functools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from biofact.sandbox.dialects.eutils.database import ServedDatabase
from biofact.sandbox.dialects.eutils.programs import Citation
from biofact.sandbox.dialects.eutils.replies import Item
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.dialects.eutils.terms import PhraseMapping
from biofact.sandbox.services.pubmed import facts, medline, render, search
from biofact.sandbox.services.pubmed.corpus import (
    ArticleCorpus,
    recorded_articles,
    starter_articles,
    starter_citations,
    starter_descriptors,
    subheadings,
)
from biofact.sandbox.services.pubmed.facts import ArticleFacts
from biofact.sandbox.services.pubmed.mesh import MeshDatabase, MeshTree
from biofact.sandbox.services.pubmed.render import docsum
from biofact.sandbox.services.pubmed.search import FIELDS, HEADING_FIELDS
from biofact.sandbox.standin import (
    RefusingStandIn,
    Reply,
    ServiceRequest,
    StandIn,
    json_refusal,
    json_reply,
    unknown_parameters,
)
from biofact.sandbox.tables import Row, starter_rows
from biofact.sandbox.word_index import folded
from biofact.sources.pubmed.service import ICITE


@functools.cache
def stand_ins(recordings: Path | None = None) -> tuple[StandIn, ...]:
    """PubMed, MeSH and iCite over the starter facts; with recordings, PubMed has some 270 articles more.

    Built once per process: they have no state between requests.
    """
    articles = _further_articles(recordings) if recordings else ()
    if recordings and not articles:
        return stand_ins()
    corpus = _corpus(articles) if articles else starter_corpus()
    mesh = MeshDatabase(MeshTree(starter_descriptors()))
    return EutilsStandIn(PubMedDatabase(corpus)), EutilsStandIn(mesh), IciteStandIn(corpus, starter_citations())


@functools.cache
def starter_corpus() -> ArticleCorpus:
    """The starter articles with their words; read once in a process."""
    return ArticleCorpus(starter_articles(), MeshTree(starter_descriptors()), starter_citations())


def _further_articles(recordings: Path) -> list[ArticleFacts]:
    """The recorded articles that are none of the starter's: those are replayed, not searched."""
    known_pmids = {article.pmid for article in starter_articles()}
    return [article for article in recorded_articles(recordings) if article.pmid not in known_pmids]


def _corpus(articles: Iterable[ArticleFacts]) -> ArticleCorpus:
    """The starter articles and these."""
    return ArticleCorpus([*articles, *starter_articles()], MeshTree(starter_descriptors()), starter_citations())


_AUTHOR = re.compile(r"\S.*\s[a-z]{1,3}")  # smith jp: a surname and initials


class PubMedDatabase(ServedDatabase):
    """The PubMed database. Related citations and genes are not among the facts: those link names lead nowhere."""

    name = "pubmed"
    link_rows = starter_rows(__package__, "link.jsonl")
    text_forms = ("medline", "abstract")
    paddings = (render.ARTICLE_PADDING,)

    def __init__(self, corpus: ArticleCorpus) -> None:
        self._corpus = corpus
        self._cites: defaultdict[str, list[str]] = defaultdict(list)
        self._cited_in: defaultdict[str, list[str]] = defaultdict(list)
        for pmid, cited in _citations(corpus.articles.values()):
            self._cites[pmid].append(cited)
            self._cited_in[cited].append(pmid)

    def lookup(self, field: str, phrase: str) -> Sequence[str] | None:
        """PMIDs that match one phrase in one field, both in lower case; None for an unknown field."""
        return FIELDS.find(self._corpus, field, phrase)

    def map_phrase(self, phrase: str) -> PhraseMapping | None:
        """The MeSH heading, journal or author that a phrase stands for, in this order; None when it is only words."""
        names = self._readings(phrase)
        if not names:
            return None
        pmids = dict.fromkeys(pmid for name, field in names for pmid in self.lookup(field, name) or ())
        return PhraseMapping(" OR ".join(f'"{name}"[{FIELDS.full_name(field)}]' for name, field in names), list(pmids))

    def _readings(self, phrase: str) -> list[tuple[str, str]]:
        """The names that a phrase stands for, each with its field."""
        names = [(phrase, "subh")] if phrase in subheadings() else []
        descriptor = self._corpus.mesh.find(phrase)
        if descriptor and phrase.upper() != descriptor.ui:  # a UI is found in its own field only
            names.append((descriptor.name.lower(), "mesh"))
        if names:
            return names
        if not phrase.endswith("*") and not phrase[0].isdecimal() and self.lookup("jour", phrase):
            return [(phrase, "jour")]
        return [(phrase, "auth")] if _AUTHOR.fullmatch(phrase) and self.lookup("auth", phrase) else []

    def full_name(self, field: str) -> str:
        """A field's full name: ``Title/Abstract`` for ``tiab``."""
        return FIELDS.full_name(field)

    def heading(self, field: str, phrase: str) -> str:
        """The heading that ``phrase`` names, where the field files by headings; else the phrase itself."""
        name, slash, aspect = phrase.partition("/")
        descriptor = self._corpus.mesh.find(name) if field in HEADING_FIELDS else None
        return f"{descriptor.name.lower()}{slash}{aspect}" if descriptor else phrase

    def all_uids(self) -> Collection[str]:
        """Every PMID."""
        return self._corpus.articles.keys()

    def rank(self, uids: Iterable[str], sort: str) -> list[str]:
        """The PMIDs in the order of ``sort``; by default, or for an unknown order, the newest first.

        Relevance needs the words of the question, which are not asked for here: the most cited come first.
        """
        newest = sorted(uids, key=int, reverse=True)
        articles = self._corpus.articles
        match sort.lower():
            case "relevance":
                return sorted(newest, key=lambda pmid: -self._corpus.cited.get(pmid, 0))
            case "pub_date" | "pub date" | "pub+date":
                return sorted(newest, key=lambda pmid: facts.sort_date(articles[pmid]), reverse=True)
            case "author" | "first author":
                return sorted(newest, key=lambda pmid: _first_author(articles[pmid]))
            case "journalname" | "journal":
                return sorted(newest, key=lambda pmid: folded(articles[pmid].source))
            case "title":
                return sorted(newest, key=lambda pmid: folded(articles[pmid].title))
            case _:
                return newest

    def docsum(self, uid: str) -> dict[str, Any] | None:
        """The esummary object; None for an unknown PMID."""
        article = self._corpus.articles.get(uid)
        return docsum(article, len(self._cited_in.get(uid, ()))) if article else None

    def docsum_items(self, uid: str) -> Sequence[Item] | None:
        """The items of esummary's first version; None for an unknown PMID."""
        summary = self.docsum(uid)
        return None if summary is None else list(render.docsum_items(self._corpus.articles[uid], summary))

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        """The efetch XML, record by record; unknown PMIDs are left out, as NCBI leaves them out."""
        yield render.PROLOG
        for article in filter(None, map(self._corpus.articles.get, uids)):
            yield render.article_xml(article)
        yield render.END

    def fetch_text(self, uids: Sequence[str], form: str) -> Iterator[bytes]:
        """The records in MEDLINE's format or to be read; chapters, which both write otherwise, are left out."""
        articles = filter(None, map(self._corpus.articles.get, uids))
        in_journals = ((article, article.journal) for article in articles if article.journal)
        for number, (article, journal) in enumerate(in_journals, start=1):
            if form == "medline":
                yield medline.medline_record(article, journal).encode()
            else:
                yield medline.abstract_record(number, article, journal).encode()

    def match_citation(self, citation: Citation) -> Sequence[str] | None:
        """The articles that a citation fits, the newest first; None when there is no such journal."""
        pmids = FIELDS.find(self._corpus, "jour", citation.journal.lower()) or []
        if citation.journal and not pmids:
            return None
        candidates = pmids if citation.journal else self._corpus.articles
        return sorted((pmid for pmid in candidates if _fits(self._corpus.articles[pmid], citation)), reverse=True)

    def links(self, uid: str, linkname: str) -> Sequence[str] | None:
        """Linked UIDs, highest first, or None for an unknown link name."""
        if linkname not in self.linknames(""):
            return None
        article = self._corpus.articles.get(uid)
        match linkname:
            case "pubmed_pubmed_citedin":
                uids = self._cited_in.get(uid, [])
            case "pubmed_pubmed_refs":
                uids = self._cites.get(uid, [])
            case "pubmed_pmc" if article:
                uids = [pmc.removeprefix("PMC") for pmc in article.all_ids("pmc")]
            case _:
                uids = []
        return sorted(uids, key=int, reverse=True)

    def info(self) -> dict[str, Any]:
        """The description of the database for einfo."""
        names = {"menuname": "PubMed", "description": "PubMed bibliographic record"}
        return {**names, "fields": FIELDS.einfo_rows(), "links": self.link_rows}


def _fits(article: ArticleFacts, citation: Citation) -> bool:
    """Whether an article fits every known part of a citation."""
    first_page = article.pages.partition("-")[0]
    names = {folded(name) for author in article.authors for name in search.author_names(author)}
    return (
        article.published.startswith(citation.year)
        and citation.volume in {"", article.volume}
        and citation.first_page in {"", first_page}
        and (not citation.author or folded(citation.author) in names)
    )


def _first_author(article: ArticleFacts) -> str:
    return folded(article.authors[0].short) if article.authors else ""


def _citations(articles: Collection[ArticleFacts]) -> Iterator[tuple[str, str]]:
    """Each pair of an article and one that it cites, where both are here."""
    known_pmids = {article.pmid for article in articles}
    for article in articles:
        yield from ((article.pmid, pmid) for pmid in dict.fromkeys(article.cited_pmids) if pmid in known_pmids)


MOST_PMIDS = 200
"""How many the current documentation allows in a request."""
_PARAMETERS = frozenset({"pmids", "fl", "legacy", "format", "limit", "offset"})
_THIS_YEAR = 2026  # not the clock's: answers stay the same


class IciteStandIn(RefusingStandIn):
    """Answers as iCite does over the starter facts; an article without a count is unknown to it."""

    service = ICITE

    def __init__(self, corpus: ArticleCorpus, citations: Iterable[Row]) -> None:
        cited = {str(row["pmid"]): row for row in citations}
        self._rows = {pmid: _row(corpus.articles[pmid], cited[pmid]) for pmid in cited if pmid in corpus.articles}

    def answer(self, request: ServiceRequest) -> Reply:
        """The answer in iCite's form."""
        path = request.path.removesuffix("/")
        if path != "/pubs" and not path.startswith("/pubs/"):
            raise json_refusal(f"The sandbox has no {request.path}.", status=404)
        if request.method != "GET":
            raise json_refusal(f"{request.path} is asked with GET.", status=405)
        if names := sorted({name for name, _ in request.params} - _PARAMETERS):
            raise unknown_parameters(json_refusal(f"The sandbox has no parameter {', '.join(names)}."), names)
        if path != "/pubs":
            return self._pub(path.removeprefix("/pubs/"))
        pmids = list(dict.fromkeys(filter(None, request.value("pmids").replace(" ", "").split(","))))
        if len(pmids) > MOST_PMIDS:
            raise json_refusal(f"At most {MOST_PMIDS} PMIDs at once, not {len(pmids)}.")
        if wrong := [pmid for pmid in pmids if not pmid.isdecimal()]:
            raise json_refusal(f"{wrong[0]!r:.40} is not a PMID.")
        rows = [self._rows[pmid] for pmid in pmids if pmid in self._rows]
        items = [_selected_fields(row, request.value("fl")) for row in rows]
        return json_reply({"meta": {"pmids": request.value("pmids")}, "links": {"self": "", "next": ""}, "data": items})

    def _pub(self, pmid: str) -> Reply:
        row = self._rows.get(pmid)
        if row is None:
            raise json_refusal(f"PubMed ID: {pmid:.40} not found.", status=404)
        return json_reply(row)


def _selected_fields(row: Row, field_list: str) -> Row:
    """Only the fields that ``fl`` names; all of them when it is empty.

    Raises:
        Refusal: it names one that there is not.
    """
    names = [name.strip() for name in field_list.split(",") if name.strip()]
    if absent := [name for name in names if name not in row]:
        raise json_refusal(f"There is no field {absent[0]!r:.40}.")
    return {name: row[name] for name in names} if names else dict(row)


def _row(article: ArticleFacts, citation: Row) -> Row:
    """The counts with what iCite repeats of the article."""
    year = facts.sort_date(article).year
    return {
        **citation,
        "year": year,
        "title": article.title,
        "authors": ", ".join(author.short for author in article.authors),
        "journal": article.source,
        "is_research_article": "Journal Article" in article.type_names and "Review" not in article.type_names,
        "citations_per_year": round(citation["citation_count"] / max(1, _THIS_YEAR - year), 2),
        "references": [*map(int, article.cited_pmids)],
        "doi": article.one_id("doi"),
    }
