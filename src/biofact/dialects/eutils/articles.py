"""Summaries of PubMed's articles, which sources beside PubMed show for a PMID. Pure."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.dialects import json_values
from biofact.dialects.eutils.answers import docsum_splitter
from biofact.dialects.eutils.service import esummary
from biofact.transport.service import BatchCall, Batching

_DATES = ("pubdate", "epubdate", "docdate", "srcdate")  # a chapter has the last two
_MEMBERS = ("uid", "title", "chapter", "source", "booktitle", "pubtype", *_DATES)
_RETRACTED = "Retracted Publication"
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", re.ASCII)
_MARKUP = re.compile(r"</?(?:b|i|u|sub|sup|em|strong|sc)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArticleSummary:
    """The summary of one article or book chapter. None stands for a missing fact."""

    title: str | None
    """In English; square brackets where it was translated."""
    journal: str | None
    """Short name, as citations have it; of a chapter, the book's title."""
    year: int | None
    """The year of the issue, else of the first publication online; of a chapter the year of its contribution."""
    is_retracted: bool = False


def article_summary(payload: bytes) -> ArticleSummary:
    """The article in a docsum of PubMed.

    Raises:
        Transient: the docsum is damaged.
    """
    values = json_values.loaded(payload)
    dates = [json_values.text(values, name) or "" for name in _DATES]
    years = [int(year[0]) for year in map(_YEAR.search, dates) if year]
    return ArticleSummary(
        title=_plain(values, "title") or _plain(values, "chapter") or _plain(values, "booktitle"),
        journal=_plain(values, "source") or _plain(values, "booktitle"),
        year=years[0] if years else None,
        is_retracted=_RETRACTED in json_values.texts(values, "pubtype"),
    )


def _plain(values: dict[str, Any], name: str) -> str | None:
    """A text without tags such as ``<i>``, in summaries also written ``&lt;i&gt;``."""
    text = json_values.text(values, name)
    return " ".join(_MARKUP.sub("", html.unescape(text)).split()) or None if text else None


def _trimmed(docsum: Mapping[str, Any]) -> dict[str, Any]:
    return {name: docsum[name] for name in _MEMBERS if name in docsum}


def _article_batch(pmids: Sequence[str]) -> BatchCall:
    return BatchCall(esummary("pubmed", pmids), docsum_splitter(pmids, _trimmed))


ARTICLES = Batching("pubmed-docsum/2", limit=200, ask=_article_batch)
"""Summaries by PMID, as ``article_summary`` reads them."""
