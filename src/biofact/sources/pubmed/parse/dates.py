"""Dates in all the forms that PubMed has, as ISO 8601 as far as they are known."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from biofact.sources.pubmed.records import Event

_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MONTHS = {
    form: f"{number:02}" for number, name in enumerate(_NAMES, 1) for form in (name, str(number), f"{number:02}")
}
_DAYS = {form: f"{number:02}" for number in range(1, 32) for form in (str(number), f"{number:02}")}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_ON = r"[^>]*>\s*<Year>(1[5-9][0-9]{2}|20[0-9]{2})</Year>\s*<Month>([^<]*)</Month>\s*(?:<Day>([^<]*)</Day>|)"
# Each begins with more than "<": a pattern of all three would stop at every tag.
_OF_RECORD, _ONLINE, _OF_ARTICLE = (
    re.compile(start + _ON)
    for start in ("<Date(Created|Completed|Revised)", "<ArticleDate", '<PubMedPubDate[^>]*?PubStatus="([^"]*)"')
)


class Published(NamedTuple):
    """When a journal issue or a book came out."""

    year: int | None = None
    date: str | None = None
    """ISO 8601: 2019-11-05, 2019-11 or 2019."""
    printed: str | None = None
    """As printed, where ISO 8601 cannot say it: a season, a span."""


def published(fields: Mapping[str, str]) -> Published:
    """The date of an issue: year, month and day; year and season; or whatever is printed on it."""
    date = day(fields)
    if date is None:
        return _read(fields.get("MedlineDate") or fields.get("Year"))
    season = fields.get("Season")
    return Published(int(date[:4]), date, f"{date[:4]} {season}" if season else None)


def day(fields: Mapping[str, str]) -> str | None:
    """The date that a Year, a Month and a Day say, as far as they are there."""
    year = fields.get("Year")
    return _iso(year, fields.get("Month", ""), fields.get("Day", "")) if year and _YEAR.fullmatch(year) else None


def events(before: str, article: str, later: str) -> list[Event]:
    """What happened to the record, online and to the manuscript, each with its date, from where such dates stand."""
    found = [
        Event(f"record_{what.lower()}", _iso(year, month, number))
        for what, year, month, number in _OF_RECORD.findall(before)
    ]
    if "<ArticleDate" in article:
        found += [Event("electronic", _iso(year, month, number)) for year, month, number in _ONLINE.findall(article)]
    found += [
        Event(what.replace("-", "_"), _iso(year, month, number))
        for what, year, month, number in _OF_ARTICLE.findall(later)
    ]
    return found


def _iso(year: str, written: str, number: str) -> str:
    month = _MONTHS.get(written) or _MONTHS.get(written[:3].title())
    day = _DAYS.get(number)
    if month is None:  # such as a season
        return year
    return f"{year}-{month}-{day}" if day else f"{year}-{month}"


def _read(printed: str | None) -> Published:
    """The beginning of a span such as "1998 Dec-1999 Jan"."""
    found = _YEAR.search(printed) if printed else None
    if printed is None or found is None:
        return Published(printed=printed)
    month = re.match(r"\s+([A-Za-z]{3})", printed[found.end() :])
    return Published(int(found[1]), _iso(found[1], month[1] if month else "", ""), printed)
