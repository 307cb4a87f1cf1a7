"""The tool that fits weights to labels: the choice of a candidate, the kind of each, and the report."""

import pytest

from tests.extras import needs

pytestmark = pytest.mark.extras

needs.scikit_learn()

from tools.fit_weights import (  # noqa: E402
    Example,
    LabelledResult,
    Settings,
    fit_choice,
    fit_roles,
    gold_texts,
    out_of_fold,
    result_example,
    without_rules,
)

from biofact.literature.extraction.text.document import Document  # noqa: E402
from tests.literature.made_articles import article_stating  # noqa: E402

SETTINGS = Settings(6, 1.0)


def example(number: int) -> Example:
    """The right number has a sign of its own; every third article states none."""
    has_size = number % 3 > 0
    return Example(
        signs=[{"people"} if has_size else {"percent"}, {"year"}, {"nothing"}],
        right=frozenset({0} if has_size else ()),
        roles={0: "primary" if has_size else "baseline", 1: "other"},
    )


EXAMPLES = [example(number) for number in range(60)]


def test_the_labelled_place_becomes_the_likeliest():
    weights = fit_choice(EXAMPLES, SETTINGS)

    assert weights.sums(example(1).signs)[:, 0].argmax() == 0
    assert weights.sums(example(3).signs)[:, 0].argmax() == 2  # nothing


def test_a_sign_in_few_articles_is_dropped_unless_these_count_often():
    rare = Example([{"people", "rare"}, {"nothing"}], frozenset({0}))

    assert "rare" not in fit_choice([*EXAMPLES, rare], SETTINGS).places
    assert "rare" in fit_choice([*EXAMPLES, Example(rare.signs, rare.right, times=6)], SETTINGS).places


def test_each_result_has_the_role_of_its_signs():
    weights = fit_roles(EXAMPLES, SETTINGS)
    likeliest = weights.sums([{"people"}, {"percent"}, {"year"}]).argmax(axis=1)

    assert [weights.classes[place] for place in likeliest] == ["primary", "baseline", "other"]


@pytest.mark.parametrize(("fit", "roles", "count"), [(fit_choice, False, 60), (fit_roles, True, 120)])
def test_each_article_is_judged_by_weights_that_have_not_seen_it(fit, roles, count):
    verdicts = list(out_of_fold(EXAMPLES, 3, fit, SETTINGS, roles=roles))

    assert verdicts == [True] * count


def test_results_are_matched_to_labels_by_place_and_numbers():
    text = "RESULTS: Pain fell (P = 0.01). Mortality was lower (HR 0.7; 95% CI 0.5-0.9; P = 0.01)."
    labels = [
        LabelledResult("other", is_main=False, p_value=("=", 0.01), effect=(), place=(20, 29)),
        LabelledResult("primary", is_main=True, p_value=("=", 0.01), effect=(0.7, 0.5, 0.9), place=(52, 86)),
    ]

    matched = result_example(Document(article_stating(text)), labels)

    assert matched.right == {1}
    assert matched.roles == {0: "", 1: "primary"}


def test_texts_may_hold_line_breaks_and_have_the_ids_of_their_labels(tmp_path):
    (tmp_path / "evidence_inference.jsonl").write_text('{"id": "PMC1", "title": "A", "abstract": "One.\nTwo."}\n')
    (tmp_path / "evidence_outcomes.jsonl").write_text("")

    assert gold_texts(tmp_path)["PMC1"].abstract == "One.\nTwo."


def test_values_of_rules_are_no_signs_for_the_articles_on_which_rules_were_tuned():
    rules_agree = Example([{"people", "said=True"}, {"nothing said", "nothing"}])

    assert without_rules(rules_agree).signs == [{"people"}, {"nothing"}]
