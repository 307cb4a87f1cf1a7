"""Dates of articles as PubMed searches and sorts them, and ranges of dates as a term writes them. Pure."""

import datetime as dt
import re
from collections.abc import Iterator

from biofact.sandbox.services.pubmed.facts import ArticleFacts

_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "fall": 10, "autumn": 10}
"""The first month of each season in PubMed's order of dates."""
_WRITTEN = re.compile(r"(\d{4})(?:[ /-](\w+))?(?:[ /-](\d\d?)(?!\d))?")
_LAST_DAYS = re.compile(r"last (\d+) (day|month|year)s?")
_DAYS = {"day": 1, "month": 30, "year": 365}
_MOST_DAYS = 365 * 1000

DateSpan = tuple[dt.date, dt.date]


def begin(text: str) -> dt.date | None:
    """The first day of what ``2019 Nov-Dec``, ``2013 Spring`` or ``2019-11-05 06:00`` names; None for no date."""
    found = _WRITTEN.match(text)
    if not found:
        return None
    return _date(int(found[1]), _month(found[2] or ""), int(found[3] or 1))


def _month(text: str) -> int:
    word = text.lower()
    if word.isdecimal():
        return int(word)
    return _MONTHS.get(word[:3]) or _SEASONS.get(word, 1)


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def span(phrase: str, today: dt.date) -> DateSpan | None:
    """The first and last day that a phrase such as ``2020:2024``, ``2020/05`` or ``last 5 years`` names."""
    recent = _LAST_DAYS.fullmatch(phrase)
    if recent:
        days = min(int(recent[1]) * _DAYS[recent[2]], _MOST_DAYS)
        return today - dt.timedelta(days=days), today
    low, _, high = phrase.replace('"', "").partition(":")
    first, last = _edge(low.strip(), is_end=False), _edge((high or low).strip(), is_end=True)
    return (first, last) if first and last else None


def _edge(text: str, *, is_end: bool) -> dt.date | None:
    """The first day of a year, month or day; or the last one."""
    found = re.fullmatch(r"(\d{4})(?:[/-](\d\d?))?(?:[/-](\d\d?))?", text)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2] or (12 if is_end else 1)), found[3]
    if day or not is_end:
        return _date(year, month, int(day or 1))
    if not 1 <= month <= _DECEMBER:
        return None
    after = dt.date(year + month // 12, month % 12 + 1, 1)
    return after - dt.timedelta(days=1)


_DECEMBER = 12


def printed(article: ArticleFacts) -> Iterator[dt.date]:
    """When the issue, or the book, was printed."""
    yield from filter(None, [begin(article.published or (article.book.published if article.book else ""))])


def online(article: ArticleFacts) -> Iterator[dt.date]:
    """When the article was first there electronically."""
    yield from filter(None, [begin(article.electronic)])


def published(article: ArticleFacts) -> Iterator[dt.date]:
    """Either of the two; the printed one first."""
    yield from printed(article)
    yield from online(article)


def entered(article: ArticleFacts) -> Iterator[dt.date]:
    """When PubMed got it; where no history tells, when it was published."""
    days = [date for event, date in article.history if event == "entrez"]
    yield from filter(None, map(begin, days))
    if not days:
        yield from published(article)


def indexed(article: ArticleFacts) -> Iterator[dt.date]:
    """When MeSH headings were added."""
    yield from filter(None, [begin(date) for event, date in article.history if event == "medline"])


def completed(article: ArticleFacts) -> Iterator[dt.date]:
    """When MEDLINE was done with it."""
    yield from filter(None, [begin(article.completed)])


def changed(article: ArticleFacts) -> Iterator[dt.date]:
    """When the record was last changed."""
    yield from filter(None, [begin(article.revised)])


def sorting(article: ArticleFacts) -> dt.date:
    """The date by which PubMed orders: of the issue, else online."""
    return next(published(article), dt.date.min)
