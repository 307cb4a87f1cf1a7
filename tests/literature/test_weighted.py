"""What is chosen by weight: the candidates, their signs, the tables, and the choice between them."""

import numpy as np
import pytest

from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.weighted import choice, count_signs, fields, span_signs, weights
from biofact.literature.extraction.rules.weighted.counts import stated_numbers
from biofact.literature.extraction.rules.weighted.spans import spans
from biofact.literature.extraction.rules.weighted.surroundings import surroundings
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.literature.made_articles import TRIAL


def document(abstract: str = "", title: str = "A study.") -> Document:
    return Document(CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract))


def phrases_of(text: str) -> set[str]:
    return {" ".join(span.words) for span in spans(document(text, title="")) if span.order == 1}


def values_of(text: str) -> dict[int, str]:
    return {count.value: count.sum_of for count in stated_numbers(document(text, title=""))}


def test_noun_phrases_stand_alone_and_joined():
    assert phrases_of("Zinc for colds in adults was tested.") == {
        "zinc",
        "zinc for colds",
        "zinc for colds in adults",
        "colds",
        "colds in adults",
        "adults",
    }


def test_a_word_that_only_leads_on_begins_no_longer_phrase():
    assert "effects of zinc" not in phrases_of("The effects of zinc were studied.")
    assert "zinc" in phrases_of("The effects of zinc were studied.")


def test_on_joins_people_to_what_they_get_and_nothing_else():
    assert "children on dialysis" in phrases_of("Children on dialysis were seen.")
    assert "zinc on colds" not in phrases_of("The effect of zinc on colds was seen.")


def test_an_age_is_one_word():
    assert "6-month-old mice" in {phrase.replace(" - ", "-") for phrase in phrases_of("There were 6-month-old mice.")}


def test_numbers_are_candidates_within_brackets_and_as_words_too():
    assert set(values_of("Forty-two women (n = 20 on zinc) took part.")) == {42, 20}


@pytest.mark.parametrize(
    ("text", "total", "sum_of"),
    [
        ("They had zinc (n = 20), iron (n = 21) or neither (n = 19).", 60, "n ="),
        ("There were 63 patients and 52 controls.", 115, "pair"),
        ("There were 25 patients, 15 relatives and 20 healthy controls.", 60, "three"),
    ],
)
def test_groups_are_summed(text, total, sum_of):
    assert values_of(text)[total] == sum_of


def test_signs_name_what_stands_around_a_phrase():
    asked = document("METHODS: Patients were randomly assigned to placebo or zinc.")
    around = surroundings(asked)
    span = next(each for each in spans(asked) if each.words == ["placebo"])
    signs = set(span_signs.signs(asked, around, span))

    assert {"1<to", "2<assigned to", "1>or", "head=placebo", "methods control", "cue<randomly"} <= signs


def test_signs_name_what_a_number_counts():
    asked = document("METHODS: We enrolled 90 adults.")
    around = surroundings(asked)
    found = list(stated_numbers(asked))
    signs = set(count_signs.signs(found[0], around, count_signs.NumberRanks.of(found)))

    assert {"1<enrolled", "of=people", "noun=adults", "cue<enrolled", "rank=0"} <= signs


def test_a_table_of_weights_survives_being_written():
    table = weights.Weights(("x", "y"), {"b": 0, "a": 1, "c": 2}, np.array([[3, 0], [-2, 7], [0, 0]]))
    again = weights.Weights.from_text(table.to_text())

    assert again.fields == ("x", "y")
    assert again.sums([["a", "b", "unknown"], []]).tolist() == [[1 / weights.STEPS, 7 / weights.STEPS], [0, 0]]
    assert "c" not in again.places


def test_shares_add_up_to_one_whatever_the_weights():
    assert weights.shares(np.array([1000.0, 999.0, -1000.0])).sum() == pytest.approx(1)


def test_phrases_within_each_other_share_an_answer():
    value, sure = choice.best_phrase({"aspirin": 0.4, "low-dose aspirin": 0.35, "placebo": 0.1})

    assert value == "low-dose aspirin"
    assert sure == pytest.approx(0.75)


def test_a_longer_phrase_must_be_worth_its_words():
    assert choice.best_phrase({"aspirin": 0.9, "aspirin for men": 0.001})[0] == "aspirin"


def test_a_word_within_another_is_no_agreement():
    assert choice.best_phrase({"men": 0.4, "women": 0.39})[1] == pytest.approx(0.4)


def test_every_field_has_a_column_and_a_bar():
    assert {*weights.read_weights("phrases").fields, *weights.read_weights("counts").fields} == set(fields.ENOUGH)
    assert set(weights.read_weights("phrases").fields) == set(fields.RULES)


def test_weights_read_a_whole_abstract_as_a_reviewer_would():
    asked = Document(TRIAL)

    assert len(asked.abstract) > fields.SHORT
    assert {name: found.value for name, found in fields.weighted_phrases(asked).items()} == {
        "population": "822 patients with osteoporosis",
        "intervention": "Vitamin D",
        "comparator": "placebo",
        "outcome": "hip fracture at 24 months",
    }


def test_a_size_says_what_it_is_the_sum_of():
    padding = "Zinc is a metal that is found in most foods and is thought to shorten colds in people of any age. " * 4
    text = f"{padding} We compared 63 patients with cirrhosis and 52 healthy controls."
    found = fields.sample_size(document(text, "Zinc in cirrhosis: a case-control study."))

    assert found is not None
    assert (found.value, found.is_derived) == (115, True)
    assert [evidence.quote for evidence in found.evidence] == ["63 patients", "52 healthy controls"]
