"""How an article is named on the page, and where it stands. Pure."""

from collections.abc import Iterator, Sequence

from biofact.literature.exports import author_names
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.report.markup import Markup, join_markup, pubmed_link, tag
from biofact.literature.report.signals import Signal
from biofact.sources.pubmed.records import CanonicalPubMedArticle


def anchor(row: RankedRow) -> str:
    """The place of an article on the page."""
    return f"article-{row.rank}"


def study_name(row: RankedRow) -> str:
    """``Aalto 2023``, as reviews name a study; the ID of one without authors."""
    article = row.candidate.article
    if article is None:
        return row.candidate.item_id
    author = next(iter(author_names(article)), None)
    first = (author.last or author.group) if author else article.id
    return f"{first} {article.year}" if article.year else first


def in_short(article: CanonicalPubMedArticle) -> Iterator[str]:
    """First author, journal and year, as far as they are known."""
    if article.authors:
        others = len(article.authors) > 1 or (article.author_count or 0) > 1
        yield article.authors[0] + (" et al." if others else "")
    yield from filter(None, (article.journal, str(article.year) if article.year else None))


def signal_list(found: Sequence[Signal], *, is_linked: bool) -> Markup | None:
    """Reasons to be careful, as a list of labels."""
    if not found:
        return None
    return tag(
        "ul", *(tag("li", *_signal(one, is_linked=is_linked), class_=one.shade) for one in found), class_="flags"
    )


def _signal(one: Signal, *, is_linked: bool) -> Iterator[str]:
    yield one.words
    if is_linked and one.points_to:
        yield ": "
        yield join_markup(_joined([pubmed_link(pmid) for pmid in one.points_to]))


def _joined(links: Sequence[Markup]) -> Iterator[str]:
    for place, link in enumerate(links):
        yield from (", ", link) if place else (link,)
