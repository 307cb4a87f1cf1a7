"""The scores of a corpus that is counted shard by shard equal those of all its articles at once, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.corpus.ranking import corpus_scales
from biofact.corpus.records import Settings
from biofact.corpus.shards import Columns, functions_of, score_parts
from biofact.literature.scoring import ScoringCriteria, score
from biofact.literature.scoring.values import ValueCounts, ValueCountsSum

pytestmark = pytest.mark.quick

NUMBERS = st.none() | st.integers(-3, 12) | st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 1e300, 5e-324, "1,200"])
YEARS = st.none() | st.integers(1985, 2026) | st.sampled_from(["2019-05", "no year"])
TEXTS = st.none() | st.sampled_from(["A cohort study of adults", "cohort study", "randomised trial", "Review", ""])
TRUTHS = st.none() | st.booleans()
LISTS = st.none() | st.lists(st.sampled_from(["a", "b", None]), max_size=4)
EFFECTS = st.none() | st.floats(0.01, 9) | st.fixed_dictionaries(
    {"measure": st.sampled_from(["HR", "SMD", "r", "AUC"]), "value": st.floats(-2, 5)}
)  # fmt: skip
FUNCTIONS = {
    "log": ("number", NUMBERS, "log_scale"),
    "log_ends": ("number", NUMBERS, {"name": "log_scale", "low": 1, "high": 1000}),
    "linear": ("number", NUMBERS, {"name": "linear", "magnitude": True}),
    "inverse": ("number", NUMBERS, "inverse"),
    "inverse_half": ("number", NUMBERS, {"name": "inverse", "half": 0.05}),
    "rank": ("number", NUMBERS, "rank"),
    "rank_back": ("number", NUMBERS, {"name": "rank", "reverse": True}),
    "threshold": ("number", NUMBERS, {"name": "threshold", "at": 3}),
    "in_range": ("number", NUMBERS, {"name": "in_range", "low": 0, "high": 5}),
    "recency": ("integer", YEARS, {"name": "recency", "half_life": 3}),
    "newest": ("integer", YEARS, {"name": "recency", "newest": 2020}),
    "boolean": ("boolean", TRUTHS, "boolean"),
    "presence": ("string", TEXTS, "presence"),
    "count": ("array", LISTS, "count"),
    "category": ("string", TEXTS, {"name": "categorical_score", "points": {"cohort": 3, "review": -1}}),
    "design": ("string", TEXTS, "categorical_score"),
    "keywords": ("string", TEXTS, {"name": "keyword_match", "keywords": ["cohort", "adult*"]}),
    "quality": ("string", TEXTS, "text_quality"),
    "effect": ("number", EFFECTS, {"name": "effect", "measure": "ratio"}),
}


@st.composite
def corpora(draw):
    """Settings, the features of the articles, and the positions at which the shards are cut."""
    names = draw(st.lists(st.sampled_from(list(FUNCTIONS)), min_size=1, max_size=4, unique=True))
    criteria = ScoringCriteria(
        weights={name: draw(st.floats(0.01, 1)) for name in names},
        scoring_functions={name: FUNCTIONS[name][2] for name in names},
        normalization_method=draw(st.sampled_from(["min_max", "z_score", "none"])),
    )
    kinds = {"array": {"type": "array", "items": {"type": "string"}}}
    fields = {name: kinds.get(kind := FUNCTIONS[name][0], {"type": kind}) for name in names}
    settings = Settings(
        extraction_schema={"type": "object", "properties": fields},
        criteria=criteria,
        score_function=draw(st.sampled_from(["weighted_sum", "composite"])),
    )
    values = st.fixed_dictionaries({}, optional={name: FUNCTIONS[name][1] for name in names})
    features = draw(st.lists(values, min_size=1, max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(features)), max_size=5)))
    return settings, features, np.split(np.arange(len(features)), cuts)


def columns(features, functions):
    zeros = np.zeros(len(features), np.int64)
    return Columns(zeros, zeros, zeros, zeros, zeros, score_parts(features, functions, [{}] * len(features)), zeros)


@given(corpora(), st.randoms())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_cut_in_any_order_scores_as_all_at_once(corpus, chance):
    assert_same_as_at_once(corpus, chance)


@pytest.mark.sweep
@given(corpora(), st.randoms())
@settings(max_examples=400, deadline=None)
def test_any_cut_of_any_corpus_scores_as_all_at_once(corpus, chance):
    assert_same_as_at_once(corpus, chance)


def assert_same_as_at_once(corpus, chance):
    given_settings, features, cuts = corpus
    functions = functions_of(given_settings.criteria, given_settings.schema_read)
    shards = [columns([features[place] for place in cut], functions) for cut in cuts]
    summaries = [(len(shard), shard.summaries()) for shard in shards]
    chance.shuffle(summaries)
    scales = corpus_scales(given_settings, summaries)
    at_once = score(features, given_settings.criteria, method=given_settings.score_function)

    scores = [scales.scores(shard.parts) for shard in shards]
    for name in functions:
        assert (
            np.concatenate([score.by_feature[name] for score in scores]).tolist() == at_once.by_feature[name].tolist()
        )
        assert np.concatenate([score.unstated[name] for score in scores]).tolist() == at_once.unstated[name].tolist()
    assert np.concatenate([score.total for score in scores]).tolist() == at_once.total.tolist()
    assert scales.shares == at_once.weights
    messages = [message for message in at_once.messages if message in scales.messages]
    assert sorted(messages) == sorted(scales.messages)


@given(st.lists(st.lists(st.integers(-2, 5) | st.just(float("nan")), max_size=20), max_size=6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_counts_add_up_to_those_of_all(lists):
    arrays = [np.array(values, np.float64) for values in lists]
    added = ValueCountsSum()
    for array in arrays:
        added.add(ValueCounts.of(array))
    whole = ValueCounts.of(np.concatenate([np.empty(0), *arrays]))

    assert added.sum().values.tolist() == whole.values.tolist()
    assert added.sum().counts.tolist() == whole.counts.tolist()


def test_many_values_add_up():
    added = ValueCountsSum()
    for start in range(0, 400_000, 80_000):
        added.add(ValueCounts.of(np.arange(start, start + 160_000, dtype=np.float64)))

    assert len(added.sum()) == 480_000
    assert added.sum().total == 800_000
