"""Articles as the text that PubMed calls ``abstract``: citation, title, authors, abstract and IDs, for reading.

No recording has it; the layout is that of texts which public scripts quote (read 2026-11-23).
"""

import itertools
import textwrap
from collections.abc import Iterator

from biofact.sandbox.services.pubmed import medline
from biofact.sandbox.services.pubmed.docsum import relation, worded
from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, Journal, plain

_WIDTH = 80


def record(number: int, article: ArticleFacts, journal: Journal) -> str:
    """One record; ``number`` is its place in the answer, from 1. Two empty lines stand between records."""
    between = "\n\n" if number > 1 else ""
    parts = (part for part in _parts(number, article, journal) if part)
    return between + "\n\n".join(parts) + "\n"


def _parts(number: int, article: ArticleFacts, journal: Journal) -> Iterator[str]:
    epub = f" Epub {worded(article.electronic)}." if article.electronic else ""
    yield _wrapped(f"{number}. {medline.citation(article, journal)}{epub}")
    yield _wrapped(plain(article.title or article.vernacular))
    places = {place: index for index, place in enumerate(_places(article), start=1)}
    yield _wrapped(_authors(article, places))
    if places:
        yield "\n".join(["Author information:", *(_wrapped(f"({index}){place}") for place, index in places.items())])
    for kind, related in itertools.groupby(article.relations, key=lambda item: item.kind):
        yield "\n".join([relation(kind), *(_wrapped(f"{item.source}.", indent="    ") for item in related)])
    yield "\n".join(
        _wrapped(": ".join(filter(None, (section.label, plain(section.text))))) for section in article.abstract
    )
    yield _wrapped(plain(article.copyright))
    yield "\n".join(_ids(article))
    if article.conflict_of_interest:
        yield _wrapped(f"Conflict of interest statement: {plain(article.conflict_of_interest)}")


def _wrapped(text: str, indent: str = "") -> str:
    """Lines of at most 80 characters; a blank is left where a line was broken."""
    lines = textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return " \n".join(lines)


def _places(article: ArticleFacts) -> dict[str, None]:
    return dict.fromkeys(place for author in article.authors for place in author.affiliations)


def _authors(article: ArticleFacts, places: dict[str, int]) -> str:
    """``Horby P(1), Lim WS(2).``; groups come first, and a semicolon after them."""
    groups = [author.collective for author in article.authors if author.collective]
    people = [_person(author, places) for author in article.authors if not author.collective]
    return "; ".join(filter(None, (*groups, ", ".join(people)))) + "." if article.authors else ""


def _person(author: AuthorFacts, places: dict[str, int]) -> str:
    return author.short + "".join(f"({places[place]})" for place in author.affiliations)


def _ids(article: ArticleFacts) -> Iterator[str]:
    yield from (f"DOI: {doi}" for doi in article.all_ids("doi"))
    yield from (f"PMCID: {pmc}" for pmc in article.all_ids("pmc"))
    yield f"PMID: {article.pmid}" + (" [Indexed for MEDLINE]" if article.status == "MEDLINE" else "")
