"""Scores of articles: totals computed by hand, messages, and properties for any input."""

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.records import FeatureScore
from biofact.literature.scoring import ScoringCriteria, score, trained_model
from tests.each_of import each_of
from tests.marks import requirement

pytestmark = pytest.mark.quick

MEDICAL = ScoringCriteria(
    weights={"study_type": 0.3, "participant_count": 0.25, "statistical_significance": 0.25, "effect_size": 0.2}
)
TECHNOLOGY = ScoringCriteria(weights={"performance_improvement": 0.4, "benchmarks_used": 0.3, "code_availability": 0.3})


def totals(features, criteria, method="weighted_sum"):
    return [pytest.approx(item, abs=1e-9) for item in score(features, criteria, method=method).total.tolist()]


def criteria_with(normalization="min_max", functions=None, **weights):
    return ScoringCriteria(weights=weights, scoring_functions=functions or {}, normalization_method=normalization)


@requirement("004 C-sum/composite")
def test_a_weighted_sum_divides_weights_by_their_sum():
    features = [{"n": 0, "ok": True}, {"n": 9, "ok": False}, {"n": 99, "ok": True}]

    # n by powers of ten of 1 + n: 0, 1, 2, so 0, 0.5, 1 in 0-1. Weights 0.6 and 0.2 are 0.75 and 0.25.
    assert totals(features, criteria_with(n=0.6, ok=0.2)) == [0.25, 0.375, 1.0]


def test_a_missing_feature_adds_nothing_and_is_no_zero():
    features = [{"n": 0, "ok": True}, {"n": 9}, {"n": 99, "ok": False}]
    scores = score(features, criteria_with(n=0.5, ok=0.5))

    assert scores.total.tolist() == [0.5, 0.25, 0.5]
    assert scores.breakdown(1) == {
        "n": FeatureScore(score=0.5, weight=0.5),
        "ok": FeatureScore(weight=0.5, is_missing=True),
    }
    assert scores.breakdown(2)["ok"] == FeatureScore(score=0.0, weight=0.5)
    assert "score" not in scores.breakdown(1)["ok"].model_dump(mode="json")
    assert (scores.completeness(1), scores.missing_in(1)) == (0.5, ["ok"])
    assert "ok: missing in 1 of 3 articles, where it adds nothing." in scores.messages


def test_a_feature_that_no_article_states_is_reported_with_the_features_that_they_do():
    scores = score([{"size": 1}, {"size": 2}], criteria_with(n=1.0))

    assert scores.total.tolist() == [0, 0]
    assert scores.messages == [
        "n: missing in all articles (2), so that every total is 0. The articles also have 'size'."
    ]


@requirement("004 EX-scoring")
def test_a_feature_that_no_article_states_has_no_weight():
    features = [{"n": 0, "ok": True}, {"n": 9, "ok": False}, {"n": 99}]
    scores = score(features, criteria_with(n=0.4, ok=0.2, novelty=0.4))

    assert scores.weights == pytest.approx({"n": 2 / 3, "ok": 1 / 3, "novelty": 0})
    assert scores.total.tolist() == pytest.approx([1 / 3, 1 / 3, 2 / 3])
    assert scores.breakdown(0)["novelty"] == FeatureScore(weight=0, is_missing=True)
    assert scores.messages[0] == (
        "novelty: missing in all articles (3) and left out of the weights; with it totals could reach 0.6 at most,"
        " without it 1."
    )


@pytest.mark.parametrize("method", ["weighted_sum", "composite"])
def test_the_best_article_can_reach_1_without_a_missing_feature(method):
    scores = score([{"n": 0}, {"n": 99}], criteria_with(n=0.1, novelty=0.9), method=method)

    assert scores.total.tolist() == [0, 1]


def test_several_features_that_no_article_states_are_reported_together():
    scores = score([{"n": 0}, {"n": 99}], criteria_with(n=0.5, a=0.25, b=0.25))

    assert scores.messages[0] == (
        "a, b: missing in all articles (2) and left out of the weights; with them totals could reach 0.5 at most,"
        " without them 1."
    )


@requirement("004 C-sum/composite")
def test_composite_is_the_geometric_mean_of_what_is_stated_times_its_share():
    features = [{"a": 1, "b": 1}, {"a": 1, "b": 0}, {"a": 0, "b": 0}, {"a": 1}, {}]
    criteria = criteria_with(functions={"a": "linear", "b": "linear"}, a=0.5, b=0.5)
    # Scores are lifted to 0.1-1: sqrt(1 * 0.1), brought back to 0-1.
    uneven = (math.sqrt(0.1) - 0.1) / 0.9

    assert totals(features, criteria, "composite") == [1, uneven, 0, 0.5, 0]


def test_composite_prefers_an_even_article():
    features = [{"a": 1, "b": 0}, {"a": 0.5, "b": 0.5}, {"a": 0, "b": 1}]
    criteria = criteria_with("none", {"a": "linear", "b": "linear"}, a=0.5, b=0.5)

    assert totals(features, criteria) == [0.5, 0.5, 0.5]
    assert score(features, criteria, method="composite").top(1) == [1]


@requirement("004 C-criteria")
def test_z_scores_go_through_the_normal_distribution():
    # Mean 2, standard deviation sqrt(2/3): 0.5 (1 + erf(z / sqrt 2)) of z = sqrt(3/2).
    erf = 0.5 * (1 + math.erf(math.sqrt(3 / 2) / math.sqrt(2)))

    assert totals([{"n": 1}, {"n": 2}, {"n": 3}], criteria_with("z_score", {"n": "linear"}, n=1)) == [1 - erf, 0.5, erf]


def test_without_normalisation_scores_are_cut_with_a_message():
    scores = score([{"n": -1}, {"n": 0.25}, {"n": 7}], criteria_with("none", {"n": "linear"}, n=1))

    assert scores.total.tolist() == [0, 0.25, 1]
    assert "2 of 3 scores of linear lay outside 0-1" in scores.messages[0]


@pytest.mark.parametrize("normalization", ["min_max", "z_score"])
def test_equal_values_keep_a_bounded_score_and_put_a_number_in_the_middle(normalization):
    features = [{"n": 40, "ok": True}, {"n": 40, "ok": True}]

    assert totals(features, criteria_with(normalization, n=1)) == [0.5, 0.5]
    assert totals(features, criteria_with(normalization, ok=1)) == [1, 1]
    assert any("same value" in message for message in score(features, criteria_with(normalization, n=1)).messages)


@requirement("004 TPL-medical")
def test_the_medical_template_scores_by_default_functions():
    features = [
        {
            "study_type": "Randomized Controlled Trial",
            "participant_count": 999,
            "primary_outcome": "overall survival",
            "statistical_significance": True,
            "effect_size": 0.0,
        },
        {"study_type": "Review", "participant_count": 9, "statistical_significance": False, "effect_size": 9.0},
    ]

    # The longer study type has more words, 999 is more than 9, true is more than false, 9 is more than 0.
    assert totals(features, MEDICAL) == [0.8, 0.2]


@requirement("004 TPL-tech")
def test_the_technology_template_scores_by_default_functions():
    features = [
        {"performance_improvement": 9, "benchmarks_used": ["GLUE", "SQuAD"], "code_availability": False},
        {"performance_improvement": 0, "benchmarks_used": [], "code_availability": True},
        {"performance_improvement": 99, "benchmarks_used": ["GLUE"]},
    ]

    assert totals(features, TECHNOLOGY) == [0.4 * 0.5 + 0.3, 0.3, 0.4 + 0.3 * 0.5]


@requirement("004 C-criteria")
def test_the_criteria_printed_in_the_spec_score():
    criteria = ScoringCriteria(
        weights={"methodology_quality": 0.3, "sample_size": 0.2, "novelty": 0.25, "relevance": 0.25},
        scoring_functions={
            "methodology_quality": "categorical_score",
            "sample_size": "log_scale",
            "novelty": "text_similarity",
            "relevance": "keyword_match",
        },
        normalization_method="min_max",
    )
    features = [
        {"methodology_quality": "high", "sample_size": "1,200", "novelty": "new staging", "relevance": "lung cancer"},
        {"methodology_quality": "low", "sample_size": 80, "novelty": "old staging", "relevance": "lung"},
    ]
    scores = score(features, criteria)

    assert list(scores.breakdown(0)) == list(criteria.weights)
    assert scores.top(2) == [0, 1]
    assert sum("without" in message for message in scores.messages) == 2


@requirement("004 C-pct")
def test_a_percentile_is_the_share_that_scores_no_higher():
    features = [{"n": 1}, {"n": 3}, {"n": 1}, {"n": 2}]

    assert score(features, criteria_with(n=1)).percentiles().tolist() == [50, 100, 50, 75]


@requirement("004 C-stats")
def test_the_distribution_has_quartiles_mean_and_deviation():
    features = [{"n": n} for n in (0, 1, 2, 3, 4)]
    spread = score(features, criteria_with(functions={"n": "linear"}, n=1)).distribution()

    assert spread == {"min": 0, "q1": 0.25, "median": 0.5, "q3": 0.75, "max": 1, "mean": 0.5, "std": 0.353553}


@requirement("004 C-stats")
def test_correlations_are_pearsons_over_articles_that_state_both():
    rows = [(1, 2, 1), (2, 4, None), (3, 6, 0), (4, 8, 5), (None, 1, 2)]
    features = [dict(zip("abc", row, strict=True)) for row in rows]
    functions = dict.fromkeys("abc", "linear")
    matrix = score(features, criteria_with(functions=functions, a=1, b=1, c=1)).correlations

    # a with c over (1, 1), (3, 0), (4, 5): deviations -5/3, 1/3, 4/3 and -1, -2, 3.
    sqrt = (5 / 3 - 2 / 3 + 4) / math.sqrt((25 + 1 + 16) / 9 * 14)
    assert matrix["a"] == {"a": 1, "b": 1, "c": pytest.approx(sqrt, abs=1e-6)}
    assert matrix["c"]["a"] == matrix["a"]["c"]


def test_correlations_omit_constant_and_rare_features_with_a_message():
    features = [{"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 1, "c": 2}, {"a": 3, "b": 1}, {"a": 5, "b": 1}]
    scores = score(features, criteria_with(a=1, b=1, c=1))

    assert scores.correlations == {"a": {"a": 1}}
    assert scores.messages[-1].startswith("Correlations leave out b, c:")


def test_equal_articles_stay_in_the_order_of_the_input():
    features = [{"n": 1}, {"n": 2}, {"n": 1}, {"n": 2}, {"n": 0}]

    assert score(features, criteria_with(n=1)).top(3) == [1, 3, 0]
    assert score(features, criteria_with(n=1)).top(99) == [1, 3, 0, 2, 4]
    assert score(features, criteria_with(n=1)).top(0) == []


@pytest.mark.parametrize("method", ["weighted_sum", "composite"])
def test_no_articles_have_no_scores(method):
    scores = score([], MEDICAL, method=method)

    assert (len(scores), scores.top(10), scores.distribution(), scores.correlations) == (0, [], {}, {})
    assert scores.percentiles().tolist() == []
    assert scores.messages == []


def test_one_article_scores():
    scores = score([{"participant_count": 3, "statistical_significance": True}], MEDICAL)

    assert scores.total.tolist() == [0.5 * 0.5 + 0.5]  # of the template's weights two are left out
    assert scores.percentiles().tolist() == [100]


@requirement("004 C-ml")
def test_a_model_predicts_the_totals():
    class Halves:
        def probabilities(self, features):
            return np.array([0.5] * len(features))

    scores = score([{"n": 1}, {"n": 2}], criteria_with(n=1), method="ml_model", model=Halves())

    assert scores.total.tolist() == [0.5, 0.5]
    assert scores.breakdown(1)["n"].score == 1
    with pytest.raises(ValueError, match="needs a trained model"):
        score([{"n": 1}], criteria_with(n=1), method="ml_model")


@each_of(
    ("criteria", "answer"),
    [
        ({"weights": {}}, "There are no weights"),
        ({"weights": {"a": 0}}, "All weights are 0"),
        ({"weights": {"a": -0.5}}, "The weight of 'a' is -0.5; a weight is a number from 0 to 1"),
        ({"weights": {"a": 2}}, "from 0 to 1"),
        ({"weights": {"a": math.nan}}, "from 0 to 1"),
        ({"weights": {"a": "much"}}, "from 0 to 1"),
        ({"weights": {"a": True}}, "from 0 to 1"),
        ({"weights": [1]}, "not an object of weights"),
        ({"scoring_functions": {"a": "log"}}, "'log' for 'a' is not a scoring function"),
        ({"scoring_functions": {"a": "logscale"}}, "Is 'log_scale' meant"),
        ({"scoring_functions": {"a": {"keywords": ["x"]}}}, "Known are categorical_score, log_scale"),
        ({"scoring_functions": {"a": 3}}, "expected a name, or an object"),
        ({"scoring_functions": ["log_scale"]}, "not an object of scoring functions"),
        ({"scoring_functions": {"a": {"name": "keyword_match", "words": ["x"]}}}, "options are keywords, enough"),
        ({"scoring_functions": {"a": {"name": "keyword_match", "keywords": []}}}, "at least 1 item"),
        ({"scoring_functions": {"a": {"name": "keyword_match", "keywords": [" "]}}}, "an empty keyword"),
        ({"scoring_functions": {"a": {"name": "threshold"}}}, "at: field required"),
        ({"scoring_functions": {"a": {"name": "linear", "low": 1}}}, "both low and high"),
        ({"scoring_functions": {"a": {"name": "linear", "low": 1, "high": 1}}}, "have to differ"),
        ({"scoring_functions": {"a": {"name": "in_range", "low": 2, "high": 1}}}, "high has to be more than low"),
        ({"scoring_functions": {"a": {"name": "categorical_score", "points": {"x": math.inf}}}}, "finite"),
        ({"normalization_method": "softmax"}, "'min_max', 'z_score' or 'none'"),
        ({"more": 1}, "Extra inputs"),
    ],
)
def test_criteria_that_cannot_be_understood_are_refused_in_words(criteria, answer):
    with pytest.raises(ValueError, match=answer):
        ScoringCriteria(**{"weights": {"a": 1}, **criteria})


def test_a_scoring_function_without_a_weight_is_reported():
    scores = score([{"n": 1}], criteria_with(functions={"m": "log_scale"}, n=1))

    assert scores.messages[0] == "'m' has a scoring function but no weight and does not count."


@pytest.mark.processes
def test_criteria_load_no_numpy():
    code = "import sys, biofact.literature.scoring; sys.exit('numpy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_the_extra_training_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(ModuleNotFoundError, match=r"pip install 'scikit-learn>=[\d.]+' 'skops"):
        trained_model.train([{"n": 1}], ["include"])


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.lists(st.text(max_size=3), max_size=3),
    st.fixed_dictionaries({"value": st.floats()}),
)
NUMBERS = st.one_of(st.none(), st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6))
NORMALIZATIONS = st.sampled_from(["min_max", "z_score", "none"])
METHODS = st.sampled_from(["weighted_sum", "composite"])
NAMES = ["log_scale", "linear", "inverse", "rank", "recency", "boolean", "presence", "count", "categorical_score"]
NAMES += ["keyword_match", "text_similarity", "text_quality"]


@settings(derandomize=True)
@given(
    features=st.lists(st.dictionaries(st.sampled_from("abc"), VALUES), max_size=8),
    functions=st.dictionaries(st.sampled_from("abc"), st.sampled_from(NAMES)),
    weights=st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)).filter(any),
    normalization=NORMALIZATIONS,
    method=METHODS,
)
def test_every_score_of_any_input_lies_between_0_and_1(features, functions, weights, normalization, method):
    criteria = criteria_with(normalization, functions, **dict(zip("abc", weights, strict=True)))
    scores = score(features, criteria, method=method)

    for total in (scores.total, *scores.by_feature.values(), scores.percentiles() / 100):
        assert ((total >= 0) & (total <= 1)).all()
    assert math.fsum(scores.weights.values()) == pytest.approx(1)
    total = [r for row in scores.correlations.values() for r in row.values()]
    assert all(-1 <= r <= 1 for r in total)


ROWS = st.lists(st.fixed_dictionaries({"a": NUMBERS, "b": NUMBERS}), min_size=1, max_size=10)


@settings(derandomize=True)
@given(features=ROWS, factor=st.floats(0.01, 1), normalization=NORMALIZATIONS, method=METHODS)
def test_weights_count_by_their_ratio_only(features, factor, normalization, method):
    whole = score(features, criteria_with(normalization, a=1, b=0.3), method=method)
    scaled = score(features, criteria_with(normalization, a=factor, b=0.3 * factor), method=method)

    assert scaled.total == pytest.approx(whole.total, abs=1e-9)


@settings(derandomize=True)
@given(features=ROWS, normalization=NORMALIZATIONS, method=METHODS, random=st.randoms())
def test_the_order_of_the_articles_does_not_count(features, normalization, method, random):
    order = list(range(len(features)))
    random.shuffle(order)
    criteria = criteria_with(normalization, a=0.5, b=0.5)
    straight = score(features, criteria, method=method)
    shuffled = score([features[place] for place in order], criteria, method=method)

    assert shuffled.total == pytest.approx(straight.total[order], abs=1e-9)


@settings(derandomize=True)
@given(numbers=st.lists(st.floats(-1e300, 1e300), min_size=2), normalization=NORMALIZATIONS)
def test_a_larger_number_never_scores_lower_by_log_scale(numbers, normalization):
    total = score([{"n": n} for n in sorted(numbers)], criteria_with(normalization, n=1)).total

    assert all(item <= other for item, other in itertools.pairwise(total.tolist()))


@settings(derandomize=True)
@given(features=ROWS, normalization=NORMALIZATIONS)
def test_composite_is_never_more_than_the_weighted_sum(features, normalization):
    criteria = criteria_with(normalization, a=0.7, b=0.3)
    total = score(features, criteria, method="composite").total

    assert (total <= score(features, criteria).total + 1e-9).all()
