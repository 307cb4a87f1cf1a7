"""A chapter of NCBI's Bookshelf as efetch gives it. Pure."""

from collections.abc import Iterable, Iterator

from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, BookFacts
from biofact.sandbox.services.pubmed.markup import leaf, listed, node, optional, unpadded
from biofact.sandbox.services.pubmed.render_parts import abstract, author, history, keyword


def chapter(article: ArticleFacts, book: BookFacts) -> str:
    """One ``<PubmedBookArticle>``."""
    accession = leaf("ArticleId", book.accession, IdType="bookaccession")
    document = node(
        "BookDocument",
        leaf("PMID", article.pmid, Version="1"),
        node("ArticleIdList", accession),
        node("Book", *_book(book)),
        optional("LocationLabel", book.label, Type="chapter"),
        *_chapter(article, book),
    )
    pmid = node("ArticleIdList", leaf("ArticleId", article.pmid, IdType="pubmed"))
    return node(
        "PubmedBookArticle",
        document,
        node("PubmedBookData", history(article), leaf("PublicationStatus", article.stage), pmid),
    )


def _book(book: BookFacts) -> Iterator[str]:
    """The book itself, in the order of the DTD."""
    place = optional("PublisherLocation", book.place)
    yield node("Publisher", leaf("PublisherName", book.publisher), place)
    yield node("BookTitle", book.title, book=book.code)
    yield node("PubDate", leaf("Year", book.published))
    yield listed("BeginningDate", [optional("Year", book.begins)])
    yield listed("EndingDate", [optional("Year", book.ends)])
    yield _people("editors", book.editors)
    yield optional("Volume", book.volume)
    yield optional("Edition", book.edition)
    yield node("CollectionTitle", book.collection) if book.collection else ""
    yield from (leaf("Isbn", number) for number in book.isbn)
    yield leaf("Medium", "Internet")


def _chapter(article: ArticleFacts, book: BookFacts) -> Iterator[str]:
    yield node("ArticleTitle", article.title, book=book.code, part=book.part)
    yield from (leaf("Language", language) for language in article.languages)
    yield _people("authors", article.authors)
    yield from (leaf("PublicationType", one.name, UI=one.ui) for one in article.types)
    yield abstract(article)
    yield listed("KeywordList", map(keyword, article.keywords), Owner="NLM")
    yield unpadded("ContributionDate", book.contributed)
    yield unpadded("DateRevised", article.revised)


def _people(kind: str, people: Iterable[AuthorFacts]) -> str:
    return listed("AuthorList", map(author, people), Type=kind, CompleteYN="Y")
