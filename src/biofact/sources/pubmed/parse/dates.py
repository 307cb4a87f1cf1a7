"""Dates in all the forms that PubMed has, as ISO 8601 as far as they are known."""

import re
from typing import NamedTuple

from biofact.sources.pubmed.parse.elements import leaf
from biofact.sources.pubmed.records import Event

_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MONTHS = {
    form: f"{number:02}" for number, name in enumerate(_NAMES, 1) for form in (name, str(number), f"{number:02}")
}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_DAY = re.compile(
    r"\s*<Year>\s*(1[5-9]\d\d|20\d\d)\s*</Year>\s*"
    r"(?:<Month>\s*(\w+)\s*</Month>\s*)?"
    r"(?:<Day>\s*(0?[1-9]|[12]\d|3[01])\s*</Day>)?"
)
_ON = r"[^>]*>\s*<Year>\s*(1[5-9]\d\d|20\d\d)\s*</Year>\s*<Month>\s*(\w+)\s*</Month>\s*(?:<Day>\s*(\d\d?)\s*</Day>)?"
# Each begins with more than "<": a pattern of all three would stop at every tag.
_OF_RECORD, _ONLINE, _OF_ARTICLE = (
    re.compile(start + _ON)
    for start in ("<Date(Created|Completed|Revised)", "<ArticleDate", r'<PubMedPubDate[^>]*?PubStatus="([\w-]+)"')
)


class Published(NamedTuple):
    """When a journal issue or a book came out."""

    year: int | None = None
    date: str | None = None
    """ISO 8601: 2019-11-05, 2019-11 or 2019."""
    printed: str | None = None
    """As printed, where ISO 8601 cannot say it: a season, a span."""


def published(xml: str) -> Published:
    """The date of an issue: year, month and day; year and season; or whatever is printed on it."""
    date = day(xml)
    if date is None:
        return _read(leaf(xml, "MedlineDate") or leaf(xml, "Year"))
    season = leaf(xml, "Season")
    return Published(int(date[:4]), date, f"{date[:4]} {season}" if season else None)


def day(xml: str, start: int = 0) -> str | None:
    """The date that a Year, a Month and a Day say, as far as they are there."""
    found = _DAY.match(xml, start)
    if found is None:
        return None
    return _iso(*found.groups())


def events(xml: str) -> list[Event]:
    """What happened to the record, online and to the manuscript, each with its date."""
    found = [
        Event(f"record_{what.lower()}", _iso(year, month, number))
        for what, year, month, number in _OF_RECORD.findall(xml)
    ]
    found += [Event("electronic", _iso(year, month, number)) for year, month, number in _ONLINE.findall(xml)]
    found += [
        Event(what.replace("-", "_"), _iso(year, month, number))
        for what, year, month, number in _OF_ARTICLE.findall(xml)
    ]
    return found


def _iso(year: str, written: str | None, number: str | None) -> str:
    month = _month(written)
    if month is None:
        return year
    return f"{year}-{month}-{number.zfill(2)}" if number else f"{year}-{month}"


def _read(printed: str | None) -> Published:
    """The beginning of a span such as "1998 Dec-1999 Jan"."""
    found = _YEAR.search(printed) if printed else None
    if printed is None or found is None:
        return Published(printed=printed)
    month = re.match(r"\s+([A-Za-z]{3})", printed[found.end() :])
    return Published(int(found[1]), _iso(found[1], month[1] if month else None, None), printed)


def _month(written: str | None) -> str | None:
    """Two digits; none for a month that is no month's."""
    return _MONTHS.get(written) or _MONTHS.get(written[:3].title()) if written else None
