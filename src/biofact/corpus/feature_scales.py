"""The scores of articles among all of a corpus, from what the shards count: no article is looked at for them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from biofact.corpus.choices import Total
from biofact.corpus.records import Settings
from biofact.corpus.score_parts import functions_of
from biofact.literature.scoring import criteria
from biofact.literature.scoring.criteria import Normalization
from biofact.literature.scoring.functions import AMONG
from biofact.literature.scoring.totals import (
    Spread,
    cut_message,
    flat_message,
    missing_messages,
    normalised,
    spread,
    stated_shares,
    totals,
)
from biofact.literature.scoring.values import Array, Mask, ValueCounts, ValueCountsSum

Summaries = Mapping[str, Any]
"""Of a shard: by feature its values and how often each occurs, as ``Columns.summaries`` has them."""


@dataclass(frozen=True, slots=True)
class FeatureScale:
    """One feature of an article among all articles."""

    function: criteria.Function
    method: Normalization
    every: ValueCounts
    """The parts of all articles that state it."""
    scored: ValueCounts
    """What they score before normalisation."""
    spread: Spread | None

    @classmethod
    def of(cls, function: criteria.Function, method: Normalization, every: ValueCounts) -> "FeatureScale":
        """The scale that all articles make."""
        scored = every.mapped(lambda parts: _among(parts, function, every))
        return cls(function, method, every, scored, spread(scored, method))

    def scores(self, parts: Array) -> Array:
        """In 0-1; NaN where the feature is not stated."""
        return normalised(_among(parts.copy(), self.function, self.every), self.function, self.method, self.spread)

    def is_unstated(self, scores: Array) -> Mask:
        """Where a feature is not stated, or its absence is what scores 0."""
        missing: Mask = np.isnan(scores)
        return missing | (scores == 0) if isinstance(self.function, criteria.Presence) else missing

    def messages(self, feature: str, articles: int) -> list[str]:
        """What should be said of it."""
        outside = self.scored.count(lambda scores: (scores < 0) | (scores > 1)) if self.method == "none" else 0
        flat = flat_message(feature, self.function, self.spread, articles)
        return [*cut_message(feature, self.function, outside, articles), *flat]


@dataclass(frozen=True, slots=True)
class ArticleScores:
    """Scores of some articles, in the order given."""

    total: Array
    """0-1."""
    by_feature: dict[str, Array]
    """0-1; 0 where a feature is missing."""
    missing: dict[str, Mask]
    unstated: dict[str, Mask]


@dataclass(frozen=True, slots=True)
class CorpusScales:
    """How the articles of a corpus are scored among each other."""

    features: Mapping[str, FeatureScale]
    shares: Mapping[str, float]
    """Each feature's weight; without those that no article states they add up to 1."""
    method: Total
    articles: int
    messages: tuple[str, ...]

    def scores(self, parts: Mapping[str, Array]) -> ArticleScores:
        """Of articles whose parts are these."""
        by_feature = {name: scale.scores(parts[name]) for name, scale in self.features.items()}
        missing = {name: np.isnan(scores) for name, scores in by_feature.items()}
        unstated = {name: scale.is_unstated(by_feature[name]) for name, scale in self.features.items()}
        for name, scores in by_feature.items():
            scores[missing[name]] = 0.0
        return ArticleScores(totals(by_feature, missing, self.shares, self.method), by_feature, missing, unstated)


def corpus_scales(settings: Settings, summaries: Iterable[tuple[int, Summaries]]) -> CorpusScales:
    """The scales of a corpus whose shards have so many articles, with these summaries."""
    functions = functions_of(settings.criteria, settings.schema_read)
    sums = {name: ValueCountsSum() for name in functions}
    articles = 0
    for count, by_feature in summaries:
        articles += count
        for name, (values, counts) in by_feature.items():
            sums[name].add(ValueCounts(np.array(values, np.float64), np.array(counts, np.int64)))
    method = settings.criteria.normalization_method
    scales = {name: FeatureScale.of(function, method, sums[name].sum()) for name, function in functions.items()}
    return CorpusScales(
        features=scales,
        shares=stated_shares(settings.criteria.shares, {name for name, one in scales.items() if not len(one.every)}),
        method=settings.score_function,
        articles=articles,
        messages=tuple(_messages(settings, scales, articles)),
    )


def _messages(settings: Settings, scales: Mapping[str, FeatureScale], articles: int) -> list[str]:
    own = [message for name, one in scales.items() for message in one.messages(name, articles)]
    missing = {name: articles - one.every.total for name, one in scales.items()}
    unstated = {
        name: missing[name] + one.every.mapped(one.scores).count(one.is_unstated) for name, one in scales.items()
    }
    return [*own, *missing_messages(missing, unstated, articles, settings.criteria)]


def _among(parts: Array, function: criteria.Function, every: ValueCounts) -> Array:
    """Scores before normalisation, which a part is already unless it is compared with those of all articles."""
    compare = AMONG.get(type(function))
    return compare(parts, function, every) if compare else parts
