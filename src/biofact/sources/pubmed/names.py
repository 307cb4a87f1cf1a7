"""Many names at once: PMIDs in one fetch, DOIs and PMC IDs in a search before it; records prove whose they are."""

import re
from collections.abc import Callable, Mapping, Sequence

from biofact.core.errors import BiofactError
from biofact.core.kinds import EntityStatus
from biofact.protocol.names import NamedEntity, NameResults, listed_in_parts
from biofact.sources.pubmed import questions
from biofact.sources.pubmed.identifiers import PMID, number
from biofact.sources.pubmed.questions import Questions
from biofact.sources.pubmed.records import CanonicalPubMedArticle, curie

MOST_NAMES = 200
"""IDs in one search."""
_MOST_EACH = 3
"""Articles under one DOI or PMC ID: PubMed has duplicates. A search that finds more has read it as words."""
_LABEL = 60
"""Characters of a title: enough to recognise it."""
_DOI = re.compile(
    r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi\s*:?\s*)?(10\.\d{4,9}/[^\s\"]+?)[.,;]?", re.IGNORECASE | re.ASCII
)
_PMC = re.compile(
    r"(?:(?:https?://)?(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/articles/|PMCID\s*[:#]?\s*)?"
    r"PMC\s*:?\s*(\d{1,9})(?:\.\d+)?/?",
    re.IGNORECASE | re.ASCII,
)


def is_article_id(name: str) -> bool:
    """Whether it is a PMID, DOI or PMC ID, in any spelling."""
    return bool(_pmid(name) or _doi(name) or _pmc(name))


def _pmid(name: str) -> str | None:
    pmid = PMID.correction(name)
    return number(pmid) if pmid else None


def _doi(name: str) -> str | None:
    match = _DOI.fullmatch(name)
    return match[1].lower() if match else None


def _pmc(name: str) -> str | None:
    match = _PMC.fullmatch(name)
    return f"PMC{int(match[1])}" if match else None


class NamedArticles:
    """Finds the articles of many names."""

    def __init__(self, questions: Questions, names: Sequence[str]) -> None:
        self._questions = questions
        self._pmids = {name: pmid for name in names if (pmid := _pmid(name))}
        self._dois = {name: doi for name in names if name not in self._pmids and (doi := _doi(name))}
        self._pmcs = {name: pmc for name in names if (pmc := _pmc(name))}
        self._results = NameResults()

    async def find(self) -> NameResults:
        """The articles with the names."""
        identifiers = {**self._dois, **self._pmcs}
        article_ids = await listed_in_parts(self._results, [*identifiers], MOST_NAMES, self._search_ids)
        outcomes = await self._questions.articles([*dict.fromkeys([*self._pmids.values(), *article_ids])])
        articles = {pmid: article for pmid, article in outcomes.items() if isinstance(article, CanonicalPubMedArticle)}
        for name, pmid in self._results.add_outcomes(self._pmids, outcomes, _entity).items():
            self._results.reasons[name] = questions.UNKNOWN(pmid, curie=curie(pmid)).message
        found_articles = [articles[pmid] for pmid in article_ids if pmid in articles]
        self._add_searched(self._dois, found_articles, lambda article: (article.doi or "").lower())
        self._add_searched(self._pmcs, found_articles, lambda article: article.pmc or "")
        failure = next((outcome for outcome in outcomes.values() if isinstance(outcome, BiofactError)), None)
        for name in self._results.pending_names(identifiers):
            if failure:
                self._results.fail([name], failure)
            else:
                self._results.reasons[name] = f"PubMed has no article with the ID {identifiers[name]}."
        return self._results

    async def _search_ids(self, names: Sequence[str]) -> tuple[Sequence[str], bool]:
        """The PMIDs that one search for DOIs and PMC IDs finds, and whether the list is short enough to be whole."""
        # PubMed's help: DOIs have a field; a PMC ID is searched by its prefix, and has none.
        terms = dict.fromkeys(
            f'"{self._dois[name]}"[AID]' if name in self._dois else self._pmcs[name] for name in names
        )
        limit = _MOST_EACH * len(terms)
        answer = await self._questions.search(" OR ".join(terms), limit=limit)
        is_whole = answer.count <= limit
        # A search that finds too many has read an ID as words: it proves nothing.
        return (answer.uids if is_whole else ()), is_whole

    def _add_searched(
        self,
        ids: Mapping[str, str],
        articles: Sequence[CanonicalPubMedArticle],
        id_of: Callable[[CanonicalPubMedArticle], str],
    ) -> None:
        """The articles whose records give them the ID of a name."""
        for name, identifier in ids.items():
            own_articles = list({article.id: article for article in articles if id_of(article) == identifier}.values())
            self._results.add(name, (_entity(article, is_shared=len(own_articles) > 1) for article in own_articles))


def _entity(article: CanonicalPubMedArticle, *, is_shared: bool = False) -> NamedEntity:
    return NamedEntity(
        id=article.id,
        label=_cut(article.title),
        kind="article",
        match="id",
        score=1.0,
        status=_status(article),
        xrefs={"pubmed": article.id},
        shares_match=is_shared,
    )


def _status(article: CanonicalPubMedArticle) -> EntityStatus:
    """The status that a reader must know before citing the article; its record has every event."""
    if article.retracted:
        return "retracted"
    return "updated" if any(status.kind == "updated" for status in article.status) else "current"


def _cut(title: str) -> str:
    """A title as far as it goes into a row, cut between words."""
    if len(title) <= _LABEL:
        return title
    return f"{title[:_LABEL].rpartition(' ')[0].rstrip(',;:-')}\u2026"
