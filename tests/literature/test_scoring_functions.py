"""Each scoring function against values computed by hand, and for values that do not fit."""

import math
from datetime import date

import numpy as np
import pytest

from biofact.literature.scoring.criteria import FUNCTIONS, function
from biofact.literature.scoring.functions import DEFAULTS, column
from biofact.literature.scoring.measures import measure_in, with_measures
from biofact.literature.scoring.values import Unfit, numbers
from tests.each_of import each_of
from tests.marks import requirement

pytestmark = pytest.mark.quick


def scores(values, arguments):
    """Scores before normalisation, None for missing."""
    tolist = column("it", values, function("it", arguments)).scores.tolist()
    return [None if math.isnan(value) else pytest.approx(value, abs=1e-9) for value in tolist]


def notice_of(values, arguments):
    return " ".join(column("it", values, function("it", arguments)).messages)


TABLE = [
    ("log_scale", [0, 9, 99, -9, None], [0, 1, 2, -1, None]),
    ({"name": "log_scale", "magnitude": True}, [-9, 9], [1, 1]),
    ({"name": "log_scale", "low": 0, "high": 99}, [0, 9, 99, 5000, -3], [0, 0.5, 1, 1, 0]),
    ("linear", [2, 3.5, -1, None], [2, 3.5, -1, None]),
    ({"name": "linear", "low": 10, "high": 20}, [5, 10, 12, 20, 30], [0, 0, 0.2, 1, 1]),
    ({"name": "linear", "low": 1, "high": 0}, [0, 0.25, 1], [1, 0.75, 0]),
    ({"name": "inverse", "half": 0.05}, [0, 0.05, 0.15, -1, None], [1, 0.5, 0.25, 1, None]),
    ("inverse", [1, 3, 9], [0.75, 0.5, 0.25]),  # 3 is the median
    ("rank", [30, 10, 20, None], [1, 0, 0.5, None]),
    ("rank", [1, 1, 2], [0.25, 0.25, 1]),  # of the two others one is equal: half of it
    ({"name": "rank", "reverse": True}, [30, 10, 20], [0, 1, 0.5]),
    ("rank", [7], [0.5]),
    ("effect", [{"measure": "HR", "value": 0.5}, {"measure": "OR", "value": 2}], [math.log(2), math.log(2)]),
    ("effect", [{"measure": "RR", "value": 1}, {"measure": "r", "value": 0}, None], [0, 0, None]),
    ("effect", ["HR 0.5 (95% CI 0.4-0.7)", "odds ratio of 0,5", "SMD -1"], [math.log(2)] * 2 + [math.pi / 3**0.5]),
    ("effect", [{"measure": "r", "value": 0.6}], [2 * 0.6 / 0.8 * math.pi / 3**0.5]),
    ("effect", [{"measure": "MD", "value": -3}, {"measure": "AUC", "value": 0.9}, 0.5], [None, None, None]),
    ("effect", [[{"measure": "HR", "value": 0.5}, {"measure": "HR", "value": 9}]], [math.log(2)]),
    ({"name": "effect", "measure": "ratio"}, [0.5, 2, -1], [math.log(2), math.log(2), None]),
    ({"name": "effect", "measure": "difference"}, [{"measure": "MD", "value": -3}, 2], [3, 2]),
    ({"name": "effect", "measure": "ratio", "towards": "lower"}, [0.5, 2], [math.log(2), 0]),
    ({"name": "effect", "measure": "ratio", "towards": "higher"}, [0.5, 2], [0, math.log(2)]),
    ({"name": "effect", "measure": "ratio", "full": math.log(4)}, [0.5, 4, 100], [0.5, 1, 1]),
    ({"name": "threshold", "at": 100}, [99, 100, 101, None], [0, 1, 1, None]),
    ({"name": "threshold", "at": 0.05, "reverse": True}, [0.04, 0.05, 0.06], [1, 1, 0]),
    ({"name": "in_range", "low": 10, "high": 20}, [10, 15, 20, 25, 5, 31], [1, 1, 1, 0.5, 0.5, 0]),
    ({"name": "recency", "newest": 2025}, [2025, 2020, 2015, 2030], [1, 0.5, 0.25, 1]),
    ({"name": "recency", "half_life": 1}, [2021, "2020-05", "May 2019", date(2018, 1, 1)], [1, 0.5, 0.25, 0.125]),
    ("boolean", [True, False, None, "yes", "No", 1, 0], [1, 0, None, 1, 0, 1, 0]),
    ({"name": "boolean", "reverse": True}, [True, False], [0, 1]),
    ("presence", ["x", 0, False, None, "", [], float("nan")], [1, 1, 1, 0, 0, 0, 0]),
    ("count", [["a", "b"], [], None, "a; b, c", 4, ["a", None]], [2, 0, None, 3, 4, 1]),
    ({"name": "count", "enough": 4}, [["a"], ["a"] * 8], [0.25, 1]),
    ("categorical_score", ["Randomised Controlled Trial", "meta-analysis", "Case Reports"], [0.9, 1.0, 0.2]),
    ("categorical_score", ["double-blind randomized controlled trial", "non-randomised trial"], [0.9, 0.7]),
    ("categorical_score", ["HIGH", "low", None, " "], [1.0, 0.25, None, None]),
    ("categorical_score", [["Journal Article", "Case Reports"], ["Journal Article", "Review"], []], [0.2, 0.3, None]),
    ({"name": "categorical_score", "points": {"A": 1, "b": 0.2}}, ["a", "B", "type a", "c"], [1, 0.2, 1, 0.6]),
    ({"name": "categorical_score", "points": {"a": 3}, "other": 0}, ["A", "c"], [3, 0]),
    ({"name": "keyword_match", "keywords": ["death", "heart failure"]}, ["Deaths", "heart-failure; DEATH"], [0, 1]),
    ({"name": "keyword_match", "keywords": ["mortal*", "x", "y", "z"]}, ["Mortality of X", None], [0.5, None]),
    ({"name": "keyword_match", "keywords": ["a1", "b1", "c1"], "enough": 2}, ["a1", "a1 c1", "a1 b1 c1"], [0.5, 1, 1]),
    ({"name": "keyword_match", "keywords": ["TNF-\u03b1"]}, ["tnf alpha levels", "TNF"], [1, 0]),
    ({"name": "keyword_match", "keywords": ["mice"]}, [["rats", "mice"], []], [1, None]),
]


@requirement("004 C-funcs")
@each_of(("arguments", "values", "expected"), TABLE)
def test_a_function_scores_as_worked_out_by_hand(arguments, values, expected):
    assert scores(values, arguments) == expected


def test_quality_is_length_by_variety_by_numbers():
    length = 1 - math.exp(-3 / 15)
    exp = (1 - math.exp(-4 / 15)) * (1 / (0.6 * 4))
    texts = ["three different words", "5 of 9", "same same same same", "...", None]

    assert scores(texts, "text_quality") == [length * 0.7, length * (0.7 + 0.3 * 0.75), exp * 0.7, 0, None]


@each_of("name", ["text_quality", "text_similarity", "keyword_match", "categorical_score"])
@each_of("other_text", ["more", 3, ["a", "b"]])
def test_an_empty_text_is_missing(name, other_text):
    assert scores(["heart failure", "", " \n", other_text], name)[1:3] == [None, None]


def test_likeness_is_the_cosine_of_tf_idf_vectors():
    # Two texts; "heart" is in both: 1 + ln(3/3) = 1. "failure", "attack" in one: 1 + ln(3/2).
    rare = 1 + math.log(3 / 2)
    sqrt = math.sqrt(1 + rare**2)
    arguments = {"name": "text_similarity", "reference": "Heart failure"}

    assert scores(["heart failure", "the heart attack", None], arguments) == [1, 1 / sqrt**2, None]
    assert scores(["heart failure", "the heart attack"], arguments | {"reverse": True}) == [0, 1 - 1 / sqrt**2]


def test_words_of_the_reference_that_no_text_has_lessen_the_likeness():
    # One text: "heart" weighs 1 + ln(2/2), the unknown word 1 + ln(2/1).
    unknown = 1 + math.log(2)

    assert scores(["heart"], {"name": "text_similarity", "reference": "heart surgery"}) == [
        1 / math.sqrt(1 + unknown**2)
    ]


def test_without_a_reference_texts_are_compared_with_all_and_a_message_says_so():
    values = ["heart failure", "heart failure", "moon rocks"]
    neighbour_row, _, far = column("it", values, function("it", "text_similarity")).scores

    assert 0 < far < neighbour_row < 1
    assert "without a reference" in notice_of(values, "text_similarity")
    # Vectors a, a, b at right angles: the sum has length sqrt(5), the cosines are 2 and 1 over that.
    assert (neighbour_row, far) == (pytest.approx(2 / math.sqrt(5)), pytest.approx(1 / math.sqrt(5)))


def test_without_keywords_the_most_shared_words_are_looked_for_and_named():
    values = ["heart failure", "heart attack", "heart"]

    assert scores(values, "keyword_match") == [2 / 3, 2 / 3, 1 / 3]
    assert "'heart', 'attack', 'failure'" in notice_of(values, "keyword_match")


def test_unknown_categories_are_named_with_what_they_scored():
    assert "'wizardry'" in notice_of(["wizardry", "cohort study"], "categorical_score")
    assert "scored 0.5" in notice_of(["wizardry"], "categorical_score")


@each_of(
    ("text", "read_values"),
    [
        ("1,200", 1200),
        ("n = 1,234.5 g", 1234.5),
        ("p<0.05", 0.05),
        ("p = .05", 0.05),
        ("0·73", 0.73),
        ("\u22120.5", -0.5),
        ("0,5", 0.5),
        ("45 %", 0.45),
        ("12mg", 12),
        ("1e-3", 0.001),
        ("1\u2009200", 1200),
        ("  7 ", 7),
        ({"value": 0.73, "measure": "HR"}, 0.73),
        ({"value": "0.73"}, 0.73),
        (True, 1),
    ],
)
def test_a_number_is_read_from_how_people_write_it(text, read_values):
    assert numbers([text], Unfit())[0] == pytest.approx(read_values)


@each_of(
    "text",
    ["12 of 50", "5\u201310", "twelve", "COVID-19", "1.2.3", "1,23,456", "1e999", math.inf, 10**400, [], {"low": 1}],
)
def test_a_value_that_is_not_one_number_is_missing_and_shown(text):
    assert scores([5, text], "linear") == [5, None]
    assert "1 value is not a number" in notice_of([5, text], "linear")


@each_of("empty_value", [None, "", "  ", math.nan, {"value": None}])
def test_nothing_is_missing_without_a_word(empty_value):
    assert scores([5, empty_value], "linear") == [5, None]
    assert notice_of([5, empty_value], "linear") == ""


@each_of("name", FUNCTIONS)
def test_no_function_fails_on_any_value(name):
    arguments = {"threshold": {"at": 1}, "in_range": {"low": 0, "high": 1}}.get(name, {})
    values = [None, "", "x", "3", 3, -3.5, 1e308, -1e308, math.inf, math.nan, 10**400, True, [], ["a", 1, None], [[]]]
    values += [{"value": 1}, {"value": {}}, {}, (1,), b"bytes", object(), date(2020, 1, 1), np.float64(2)]

    result = column("it", values, function("it", {"name": name, **arguments}))

    assert len(result.scores) == len(values)
    assert not np.isinf(result.scores).any()
    if result.function.is_bounded:
        score = result.scores[~np.isnan(result.scores)]
        assert ((score >= 0) & (score <= 1)).all()


@each_of("name", FUNCTIONS)
def test_no_function_fails_on_no_articles(name):
    arguments = {"threshold": {"at": 1}, "in_range": {"low": 0, "high": 1}}.get(name, {})

    assert len(column("it", [], function("it", {"name": name, **arguments})).scores) == 0


@each_of(
    ("values", "default"),
    [
        ([None, 3, 2.5], "number"),
        ([True, None, False], "boolean"),
        ([["a"], None], "array"),
        (["text", "more", 3], "string"),
        ([{"value": 3}, {"value": 2.5}], "number"),
        ([3, {"value": 2.5}, "text"], "number"),
        ([None], "number"),
    ],
)
def test_the_kind_of_most_values_decides_where_no_function_is_named(values, default):
    assert column("it", values, None).function == DEFAULTS[default]


def test_values_of_several_kinds_are_reported():
    assert "2 string, 1 number" in column("it", ["text", "more", 3], None).messages[0]


@requirement("004 C-funcs")
@each_of(
    ("feature", "low", "high"),
    [
        ("effect_size", {"measure": "HR", "value": 0.5}, {"measure": "HR", "value": 0.95}),
        ("outcome", {"measure": "odds ratio", "value": 0.5}, {"measure": "odds ratio", "value": 1.6}),
        ("hazard_ratio", 0.5, 0.95),
        ("relative_risk", 0.5, 1.6),
    ],
)
def test_a_ratio_that_protects_is_no_small_effect(feature, low, high):
    strong, weak = column(feature, [low, high], None).scores

    assert strong > weak


def test_a_number_gets_its_measure_from_its_quote():
    features = {"effect_size": 0.5, "sample_size": 90}
    quotes = {"effect_size": ["hazard ratio, 0.5"], "sample_size": ["90 patients, ratio"]}

    assert with_measures(features, quotes) == {
        "effect_size": {"measure": "hazard ratio", "value": 0.5},
        "sample_size": 90,
    }
    assert with_measures(features, {}) == features


@each_of("words", ["mean difference of 3 or more", "the rate for 20 men", "3 cm"])
def test_small_words_are_no_measures(words):
    assert measure_in(words) in {"", "difference"}
