"""The tool that fits weights to labels: its weights, and its report. Needs the extra ``ml``."""

import pytest

from tests.extras import needs

pytestmark = pytest.mark.extras

needs.scikit_learn()

from tools.fit_weights import Example, cross_validated, fit, verdict, without_rules  # noqa: E402


def example(number: int) -> Example:
    """The right number has a sign of its own; every third article states none."""
    has_size = number % 3 > 0
    return Example(
        values=["40", "2019"],
        signs=[{"people"} if has_size else {"percent"}, {"year"}, {"nothing"}],
        right=frozenset({0} if has_size else ()),
        labels={"sample_size": [40]} if has_size else {},
    )


def test_the_labelled_place_becomes_the_likeliest():
    weights = fit([example(number) for number in range(60)])

    assert weights.fields == ("sample_size",)
    assert weights.sums(example(1).signs)[:, 0].argmax() == 0
    assert weights.sums(example(3).signs)[:, 0].argmax() == 2  # nothing


def test_a_sign_in_few_articles_is_dropped():
    rare = Example(["7"], [{"people", "rare"}, {"nothing"}], frozenset({0}), {})
    weights = fit([*(example(number) for number in range(60)), rare])

    assert "rare" not in weights.places


def test_a_verdict_states_whether_the_place_is_right():
    weights = fit([example(number) for number in range(60)])

    assert verdict(example(1), weights).is_right
    assert not verdict(example(3), weights).is_right


def test_cross_validation_prints_precision_and_recall(capsys):
    cross_validated([], [example(number) for number in range(60)], 3)

    output = capsys.readouterr().out

    assert output.startswith("sample_size n = 40 |")
    assert "| 0.5: 1.00 1.00" in output


def test_values_of_rules_are_no_signs_for_the_articles_on_which_rules_were_tuned():
    rules_agree = Example(["40"], [{"people", "said=True"}, {"nothing said", "nothing"}], frozenset(), {})

    assert without_rules(rules_agree).signs == [{"people"}, {"nothing"}]
