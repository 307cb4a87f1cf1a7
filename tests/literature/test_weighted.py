"""Choice by weight: the candidates, their signs, the tables, and the likeliest value."""

import numpy as np
import pytest

from biofact.literature.extraction.fields import sample_size
from biofact.literature.extraction.fields.labelling.weights import STEPS, Weights
from biofact.literature.extraction.fields.sample_size import context_of, stated_numbers
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def document(abstract: str = "", title: str = "A study.") -> Document:
    return Document(CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract))


def values_of(text: str) -> dict[int, str]:
    return {count.value: count.sum_of for count in stated_numbers(document(text, title=""))}


def test_numbers_are_candidates_within_brackets_and_as_words_too():
    assert set(values_of("Forty-two women (n = 20 on zinc) took part.")) == {42, 20}


@each_of(
    ("text", "total", "sum_of"),
    [
        ("They had zinc (n = 20), iron (n = 21) or neither (n = 19).", 60, "n ="),
        ("There were 63 patients and 52 controls.", 115, "pair"),
        ("There were 25 patients, 15 relatives and 20 healthy controls.", 60, "three"),
    ],
)
def test_groups_are_summed(text, total, sum_of):
    assert values_of(text)[total] == sum_of


def test_signs_name_what_a_number_counts():
    article = document("METHODS: We enrolled 90 adults.")
    context = context_of(article)
    numbers = list(stated_numbers(article))
    signs = set(sample_size.number_signs(numbers[0], context, sample_size.NumberRanks.from_counts(numbers)))

    assert {"1<enrolled", "of=people", "noun=adults", "cue<enrolled", "rank=0"} <= signs


def test_a_table_of_weights_survives_being_written():
    table = Weights(("x", "y"), {"b": 0, "a": 1, "c": 2}, np.array([[3, 0], [-2, 7], [0, 0]]))
    copy = Weights.from_text(table.to_text())

    assert copy.classes == ("x", "y")
    assert copy.sums([["a", "b", "unknown"], []]).tolist() == [[1 / STEPS, 7 / STEPS], [0, 0]]
    assert "c" not in copy.places


def test_shares_add_up_to_one_for_any_weights():
    assert sample_size.shares(np.array([1000.0, 999.0, -1000.0])).sum() == pytest.approx(1)


def test_a_size_says_what_it_is_the_sum_of():
    padding = "Zinc is a metal that is found in most foods and is thought to shorten colds in people of any age. " * 4
    text = f"{padding} We compared 63 patients with cirrhosis and 52 healthy controls."
    finding = sample_size.sample_size(document(text, "Zinc in cirrhosis: a case-control study."))

    assert finding is not None
    assert (finding.value, finding.is_derived) == (115, True)
    assert [evidence.quote for evidence in finding.evidence] == ["63 patients", "52 healthy controls"]


def test_a_number_stated_twice_is_likelier():
    likely = sample_size.share_by_value(["40", "25", "25"], [0.4, 0.3, 0.2])

    assert likely == {"40": 0.4, "25": pytest.approx(0.5)}
    assert sample_size.likeliest(likely) == "25"
