"""The rules and the labels of the tuning half; the figures that we report are those of the held-out half."""

import functools
import re

import pytest
from benchmarks.extraction import OWN_BARS, family, labelled, measure, pooled, recorded_articles, same_duration, share

from biofact.literature.extraction.fields import FIELDS, read_fields
from biofact.literature.extraction.grounding import ArticleTexts, QuotedClaim, ground
from biofact.literature.extraction.schema import SchemaField
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings

pytestmark = pytest.mark.quick

ANY = SchemaField("x", "x", "any")


@needs_recordings
def test_the_tuning_half_is_above_the_bars():
    labels = labelled("tuning")
    tallies, _, _ = measure(labels, {pmid: article for pmid, article in articles().items() if pmid in labels})
    rest = pooled(tallies)

    for tally in (tallies[name] for name in OWN_BARS):
        assert tally.right >= 0.92 * tally.read_count
        assert tally.right >= 0.8 * tally.labelled  # none is the study's if outcomes of equal rank disagree
    assert rest.right >= 0.8 * rest.read_count
    assert rest.right >= 0.55 * rest.labelled


@functools.cache
def articles():
    """The articles of both halves, by PMID."""
    return recorded_articles(labelled("tuning") | labelled("held_out"), FOLDER)


@functools.cache
def quotes_of(pmid):
    """The quotes of the rules from an article's title and abstract."""
    findings = read_fields(articles()[pmid], FIELDS).values()
    return [piece.quote for finding in findings for piece in finding.evidence if is_text(piece)]


every_article = pytest.mark.parametrize(
    "share",
    [pytest.param(5, id="every fifth", marks=pytest.mark.quick), pytest.param(1, id="all", marks=pytest.mark.sweep)],
)


def quoted(share):
    """A share of all articles, each with its quotes."""
    return [(articles()[pmid], quotes_of(pmid)) for pmid in list(articles())[::share]]


def is_text(evidence):
    """Whether the evidence is in the text, not in the record like an accession number."""
    return evidence.where in {"title", "abstract"}


def higher(number):
    """A number of a quote, altered."""
    return str(int(number[0]) + 1000)


@needs_recordings
@every_article
def test_a_quote_with_an_altered_number_never_survives(share):
    alterations = 0
    for article, quotes in quoted(share):
        passages = ArticleTexts(article)
        for quote in quotes:
            changed = re.sub(r"\d+", higher, quote)
            if changed != quote:
                alterations += 1
                assert ground(passages, QuotedClaim(True, quote), ANY) is not None, quote
                assert ground(passages, QuotedClaim(True, changed), ANY) is None, changed

    assert alterations > 100 / share


@needs_recordings
@every_article
def test_a_quote_of_another_article_never_survives(share):
    foreign = 0
    quoted_articles = quoted(share)
    for place, (article, _) in enumerate(quoted_articles):
        _, quotes = quoted_articles[place - 1]
        text = normal(f"{article.title} {article.abstract}")
        for quote in quotes:
            if normal(quote) not in text:
                foreign += 1
                assert ground(ArticleTexts(article), QuotedClaim(True, quote), ANY) is None, quote

    assert foreign > 200 / share


def normal(text):
    """Letters and digits alone, so that a statement of both articles is no foreign quote."""
    return re.sub(r"\W+", "", text.lower())


def test_a_share_comes_with_its_interval():
    assert share(9, 10).split() == ["0.90", "(0.60-0.98)"]
    assert share(0, 0).strip() == "-"


def test_measures_of_one_kind_are_one_family():
    assert family("rate ratio") == family("IRR")
    assert family("correlation") == family("r")
    assert family("HR") != family("OR")


@each_of(
    ("value", "unit", "label", "is_same"),
    [
        (12, "month", "12 months", True),
        (1, "year", "12 months", True),
        (24, "month", "3-24 months", True),
        (2, "week", "2 days", False),
    ],
)
def test_durations_are_compared_in_days(value, unit, label, is_same):
    assert same_duration({"value": value, "unit": unit}, label) is is_same
