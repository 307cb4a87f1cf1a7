"""The tool that fits weights to labels: what it learns, and what it says of it. Needs the extra ``ml``."""

from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.weighted import fields
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.extras import needs

needs.scikit_learn()

from tools.fit_weights import Example, cross_validated, fitted, holds, tight, verdicts, without_rules  # noqa: E402

NAMES = ("population", "comparator")


def example(number: int) -> Example:
    """The right phrase of each field has a sign of its own; every third article has no comparator."""
    has_comparator = number % 3 > 0
    return Example(
        values=["adults", "zinc", "placebo"],
        signs=[{"people"}, {"drug"}, {"dummy"} if has_comparator else {"drug"}, {"nothing"}],
        right={"population": frozenset({0}), "comparator": frozenset({2} if has_comparator else ())},
        labels={"population": [["adult"]], **({"comparator": [["placebo"]]} if has_comparator else {})},
    )


def test_what_was_labelled_becomes_the_likeliest():
    weights = fitted([example(number) for number in range(60)], NAMES)
    sums = weights.sums(example(1).signs)

    assert weights.fields == NAMES
    assert sums[:, 0].argmax() == 0
    assert sums[:, 1].argmax() == 2
    assert weights.sums(example(3).signs)[:, 1].argmax() == 3  # nothing


def test_a_sign_of_few_articles_is_left_out():
    rare = Example(["zinc"], [{"drug", "rare"}, {"nothing"}], {"population": frozenset({0})}, {})
    weights = fitted([*(example(number) for number in range(60)), rare], NAMES[:1])

    assert "rare" not in weights.places


def test_verdicts_tell_right_from_wrong():
    weights = fitted([example(number) for number in range(60)], NAMES)

    assert {name: verdict.is_right for name, verdict in verdicts(example(1), weights)} == {
        "population": True,
        "comparator": True,
    }


def test_cross_validation_prints_a_line_for_each_field(capsys):
    cross_validated([], [example(number) for number in range(60)], NAMES, 3)
    lines = capsys.readouterr().out.splitlines()

    assert [line.split()[0] for line in lines] == list(NAMES)
    assert "n = 60, as decided: 1.00" in lines[0]
    assert "n = 40, as decided: 1.00" in lines[1]


def test_what_rules_read_is_no_sign_where_they_were_tuned():
    told = Example(["zinc"], [{"drug", "said: intervention"}, {"nothing said: outcome", "nothing"}], {}, {})

    assert without_rules(told).signs == [{"drug"}, {"nothing"}]


def test_of_phrases_with_the_key_words_the_tight_ones_are_right():
    article = CanonicalPubMedArticle(id="PMID:1", title="A trial.", abstract="Zinc for colds in adults was tested.")
    stated = fields.phrases(Document(article))
    right = [at for at, value in enumerate(stated.values) if holds(value, [["zinc"]])]

    assert {stated.values[at] for at in right} == {"zinc", "zinc for colds", "zinc for colds in adults"}
    assert {stated.values[at] for at in tight(stated, right)} == {"zinc"}
