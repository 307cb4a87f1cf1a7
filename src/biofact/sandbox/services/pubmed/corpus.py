"""The articles that the stand-in knows, found by their words."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from biofact.sandbox.services.pubmed.facts import ArticleFacts, plain
from biofact.sandbox.services.pubmed.mesh import MeshTree
from biofact.sandbox.tables import Row
from biofact.sandbox.word_index import Holders, WordIndex, folded

Texts = Callable[[ArticleFacts], Iterable[str]]
"""The texts of an article that a field searches."""


class ArticleCorpus:
    """Articles by PMID, with an index of their words, MeSH, and how often each was cited."""

    def __init__(self, articles: Iterable[ArticleFacts], mesh: MeshTree, citations: Iterable[Row] = ()) -> None:
        self.articles = {article.pmid: article for article in articles}
        self.mesh = mesh
        self.cited = {str(row["pmid"]): row["citation_count"] for row in citations}
        self.by_descriptor: defaultdict[str, list[str]] = defaultdict(list)
        self._words = WordIndex()
        self._values: dict[Texts, Holders] = {}
        self._folded: dict[tuple[str, Texts], Sequence[str]] = {}
        for pmid, article in self.articles.items():
            self._words.add(pmid, " ".join(everything(article)))
            for heading in article.mesh:
                self.by_descriptor[heading.descriptor.ui].append(pmid)

    def with_phrase(self, phrase: str, texts: Texts) -> list[str]:
        """PMIDs of the articles in which a text holds the words side by side; ``*`` ends a word that goes on."""
        if not (words := folded(phrase)):
            return []
        holders = list(self._holding(phrase))
        if not holders or (texts is everything and " " not in words):
            return holders  # which is what the index of words holds
        if "*" not in phrase:
            return [pmid for pmid in holders if any(f" {words} " in text for text in self._folded_texts(pmid, texts))]
        pattern = _pattern(phrase)
        return [pmid for pmid in holders if any(map(pattern.search, self._folded_texts(pmid, texts)))]

    def with_value(self, phrase: str, texts: Texts) -> list[str]:
        """PMIDs of the articles of which a text is the phrase as a whole; with ``*`` at its end, begins with it."""
        value, index = folded(phrase), self._values_of(texts)
        if not value:
            return []
        if not phrase.endswith("*"):
            return index.of(value)
        found = {pmid for key in index.keys() if key.startswith(value) for pmid in index.of(key)}  # noqa: SIM118
        return [pmid for pmid in self.articles if pmid in found]

    def _values_of(self, texts: Texts) -> Holders:
        """Which articles have which values, gathered once: each pair of words in a query may be an author."""
        if texts not in self._values:
            index = self._values[texts] = Holders()
            for pmid, article in self.articles.items():
                index.add(pmid, {folded(text) for text in texts(article)})
        return self._values[texts]

    def _holding(self, phrase: str) -> Iterable[str]:
        """The articles that hold every word of the phrase somewhere."""
        lists = [held for word in phrase.split() for held in self._lists(word)]
        return dict.fromkeys(pmid for pmid in min(lists, key=len) if all(pmid in held for held in lists))

    def _lists(self, word: str) -> Iterator[list[str]]:
        parts = folded(word).split()
        for place, part in enumerate(parts, 1):
            is_open = word.endswith("*") and place == len(parts)
            yield self._words.holders_of_prefix(part) if is_open else self._words.holders(part)

    def _folded_texts(self, pmid: str, texts: Texts) -> Sequence[str]:
        """The texts as phrases are searched in them, folded once."""
        if (pmid, texts) not in self._folded:
            self._folded[pmid, texts] = [f" {folded(text)} " for text in texts(self.articles[pmid])]
        return self._folded[pmid, texts]


def _pattern(phrase: str) -> re.Pattern[str]:
    """What finds a phrase with open words among folded words."""
    words = [folded(word) + (r"\w*" if word.endswith("*") else "") for word in phrase.split() if folded(word)]
    return re.compile(f" {' '.join(words)} ")


def title_and_abstract(article: ArticleFacts) -> Iterable[str]:
    """What PubMed searches as Title/Abstract: also other abstracts and the authors' keywords."""
    yield plain(article.title)
    yield from (plain(passage.text) for passage in article.abstract)
    yield from (plain(text) for _, _, text in article.other_abstracts)
    yield from (plain(word.removeprefix("*")) for word in article.keywords)


def text_words(article: ArticleFacts) -> Iterable[str]:
    """The same, with headings, types and substances."""
    yield from title_and_abstract(article)
    for heading in article.mesh:
        yield heading.descriptor.name
        yield from (qualifier.name for qualifier in heading.qualifiers)
    yield from article.type_names
    yield from (term.name for _, term in (*article.substances, *article.supplementary))
    yield from (number for _, numbers in article.data_banks for number in numbers)


def everything(article: ArticleFacts) -> Iterable[str]:
    """All that All Fields searches."""
    yield from text_words(article)
    yield plain(article.vernacular)
    if article.journal:
        yield from (article.journal.title, article.journal.short, article.journal.issn, article.journal.nlm_id)
    if article.book:
        yield from (plain(article.book.title), article.book.publisher, article.book.accession)
    for author in article.authors:
        yield from (author.short, f"{author.fore} {author.last}", author.orcid, *author.affiliations)
    yield from (value for _, value in article.ids)
    yield from (text for grant in article.grants for text in (grant.number, grant.agency))
    yield from (article.published, article.volume, article.pmid, *article.languages)
