"""Population, intervention, comparator and outcome by labels: signs, the choice of labels, and notices."""

import itertools
import math

import numpy as np
import pytest

from biofact.literature.extraction.fields import FIELDS, pico
from biofact.literature.extraction.fields.comparison import intervention
from biofact.literature.extraction.fields.labelling import chain, signs, values
from biofact.literature.extraction.fields.labelling.signs import Vocabulary, Words, long_forms, sort_of, word_of
from biofact.literature.extraction.fields.labelling.values import TRAITS, candidates, importances, read_weights
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.each_of import each_of

pytestmark = pytest.mark.quick

TITLE = "Zinc acetate lozenges versus placebo for the common cold: a randomised trial"
ABSTRACT = (
    "BACKGROUND: Zinc lozenges may shorten the common cold. METHODS: 120 adults with the common cold were randomly"
    " assigned to zinc acetate lozenges (ZAL) or placebo lozenges. The primary outcome was duration of symptoms."
    " Secondary outcomes were nausea, headache and quality of life. RESULTS: Duration of symptoms was shorter in the"
    " ZAL group than in the placebo group (P = 0.01). Nausea was more frequent with ZAL. CONCLUSIONS: ZAL shortened the"
    " duration of symptoms."
)


def document(abstract: str = ABSTRACT, title: str = TITLE) -> Document:
    return Document(CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract))


def values_by_field(abstract: str = ABSTRACT, title: str = TITLE) -> dict[str, list[str]]:
    findings = pico.notes(document(abstract, title))
    return {field: [str(value.value) for value in finding.series] for field, finding in findings.items() if finding}


def test_a_trial_is_noted_as_a_reviewer_would():
    values = values_by_field()

    assert "common cold" in values["population"][0]
    assert "zinc" in values["intervention"][0].lower()
    assert "placebo" in values["comparator"][0].lower()
    assert values["outcome"][0].lower() == "duration of symptoms"


def test_further_outcomes_stand_behind_the_main_one():
    outcomes = {outcome.lower() for outcome in values_by_field()["outcome"]}

    assert outcomes >= {"duration of symptoms", "nausea", "quality of life"}


def test_no_value_is_given_twice():
    for field_values in values_by_field().values():
        assert len({value.lower() for value in field_values}) == len(field_values)


def test_each_value_is_the_words_of_its_quote():
    article = document().article
    for finding in pico.notes(document()).values():
        for note in finding.series:
            evidence = note.evidence[0]
            text = article.title if evidence.where == "title" else article.abstract
            assert text[evidence.start : evidence.end] == evidence.quote
            assert " ".join(evidence.quote.split()) == note.value


def test_a_value_has_at_most_fifteen_words():
    long = "adults with " + " and ".join(f"very severe chronic disease number {word}" for word in "abcdefgh")
    values = values_by_field(ABSTRACT.replace("adults with the common cold", long))

    assert all(
        len(value.split()) <= chain.MOST_VALUE_WORDS for field_values in values.values() for value in field_values
    )


@each_of("abstract", ["", " ", "(", "((((((", "|\t|", "\u2028 \u00a0", "a" * 5000, "P < 0.05. " * 400])
def test_odd_texts_are_no_trouble(abstract):
    for value in pico.notes(document(abstract, title="")).values():
        assert value.value


def test_an_article_is_read_alike_after_any_others():
    before = values_by_field()
    for number in range(50):
        values_by_field(
            f"Gene{number}x activates the receptor R{number} in neurons of type {number}.", title=f"A study of {number}"
        )

    assert values_by_field() == before


def test_forgotten_words_get_new_numbers(monkeypatch):
    before = values_by_field()
    monkeypatch.setattr(chain, "MOST_REMEMBERED", 3)

    assert values_by_field() == before


# Words


def test_a_number_is_recognized_with_any_digits():
    assert word_of("120").text == word_of("3.5%").text == "#"


def test_capitals_make_a_short_form():
    assert word_of("ZAL").is_short_form
    assert not word_of("Zinc").is_short_form


def test_a_word_has_the_kinds_of_what_it_names():
    assert sort_of("lozenge-therapy") == "treatment"
    assert sort_of("women") == "people"
    assert sort_of("placebo") == "control"


def test_unknown_texts_have_no_number():
    fixed, open_vocabulary = Vocabulary(["zinc"]), Vocabulary(grows=True)

    assert (fixed.number("zinc"), fixed.number("iron")) == (1, 0)
    assert [open_vocabulary.number(text) for text in ("zinc", "iron", "zinc")] == [1, 2, 1]


# Signs


def traits_of(text: str, title: str = "") -> tuple[signs.TokenTraits, Words, signs.Vocabularies]:
    vocabularies = signs.Vocabularies(Vocabulary(grows=True), Vocabulary(grows=True))
    words = Words(*vocabularies)
    return signs.token_traits(document(text, title), words, vocabularies.sorts), words, vocabularies


def signs_of(text: str, word: str, title: str = "") -> set[str]:
    article, words, vocabularies = traits_of(text, title)
    index = next(index for index, number in enumerate(article.words) if words.entries[number].text == word)
    return set(signs.token_signs(article, words, vocabularies, index))


def test_signs_name_words_and_their_neighbours():
    names = signs_of("Adults received zinc lozenges daily.", "zinc")

    assert {"text|0|zinc", "text|-1|received", "text|1|lozenges", "texts|0|zinc|lozenges"} <= names


def test_signs_end_with_the_sentence():
    names = signs_of("Iron was given. Zinc helped.", "zinc")

    assert not any("given" in sign for sign in names)


def test_a_cue_is_near_or_not():
    assert "cue before|0|randomly|yes" in signs_of("They were randomly given zinc.", "zinc")
    assert "cue before|0|randomly|no" in signs_of("They were randomly and by good luck given zinc.", "zinc")
    assert not any(sign.startswith("cue before|0|randomly") for sign in signs_of("Randomly. They had zinc.", "zinc"))


def test_a_cue_behind_is_one_of_the_same_sentence():
    assert "cue behind|0|group|yes" in signs_of("In the zinc group they slept.", "zinc")
    assert not any(sign.startswith("cue behind") for sign in signs_of("They had zinc. Group two slept.", "zinc"))


def test_words_in_brackets_are_marked():
    assert "brackets, sort|0|yes|word" in signs_of("Metals (zinc) help.", "zinc")
    assert "brackets, sort|0|no|word" in signs_of("Metals (iron) help, as does zinc.", "zinc")


def test_words_of_the_title_are_marked():
    assert any(
        sign.startswith("title, sort|0|yes|") for sign in signs_of("They had lozenges.", "lozenges", "A lozenge?")
    )
    assert any(sign.startswith("title, sort|0|no|") for sign in signs_of("They had lozenges.", "lozenges", "A pill?"))


# The chain

LABELS = ("-", "BI", "II")


def small_chain() -> chain.Chain:
    weights = {
        "text|0|zinc": (0, 200, 50),
        "text|-1|zinc": (0, 0, 150),
        "texts|0|zinc|acetate": (0, 80, 0),
        "role, sort|0|title|word": (-20, 30, 10),
        "cue before|0|received|yes": (-50, 60, 0),
    }
    following = np.array([[0.4, 0.1, -3.0], [0.2, -0.5, 0.9], [0.3, -0.4, 0.7]])
    return chain.Chain(LABELS, weights, following)


def brute_force(scores: np.ndarray, following: np.ndarray) -> np.ndarray:
    """The share of each label at each token, by summing over all ways to label them."""
    shares = np.zeros_like(scores)
    for label_path in itertools.product(range(len(LABELS)), repeat=len(scores)):
        total = sum(scores[index, label] for index, label in enumerate(label_path))
        total += sum(following[label, next_label] for label, next_label in itertools.pairwise(label_path))
        for index, label in enumerate(label_path):
            shares[index, label] += math.exp(total)
    return shares / shares.sum(axis=1, keepdims=True)


@each_of("text", ["Adults received zinc acetate.", "Zinc.", "Zinc acetate and zinc acetate were given."])
def test_shares_are_those_of_all_ways_to_label_a_sentence(text):
    model = small_chain()
    article = signs.token_traits(document(text, title=""), model._words, model._vocabularies.sorts)
    scores = model._scores(article)
    start, count = article.sentences[1][1], len(article.sentences[1][0].all_tokens)
    following = np.array([[0.4, 0.1, -3.0], [0.2, -0.5, 0.9], [0.3, -0.4, 0.7]])

    assert model.likely(document(text, title="")) == pytest.approx(
        brute_force(scores[start : start + count], following)
    )


def test_weights_of_signs_are_summed_at_their_tokens():
    model = small_chain()
    article = signs.token_traits(
        document("Adults received zinc acetate.", title=""), model._words, model._vocabularies.sorts
    )
    start = article.sentences[1][1]

    assert model._scores(article)[start : start + 4].tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [-0.5, 3.4, 0.5],
        [-0.5, 0.6, 1.5],
    ]


def test_a_table_is_read_as_it_was_written():
    lines = ["sign\t-\tBI", "-\t5\t", "BI\t\t-7", "text|0|zinc\t\t200"]
    model = chain.Chain.from_text("\n".join(lines) + "\n")

    assert model.labels == ("-", "BI")
    assert model.likely(document("Zinc.", title=""))[0, 1] > 0.8


def test_keys_are_found_in_large_tables_and_in_small_ones():
    rows = {2: 1, 9: 2, 8: 3}
    small, large = chain.KeyIndex(rows, 12), chain.KeyIndex(rows, chain.MOST_CELLS + 1)
    keys = np.array([[2, 9, 8], [0, 2, 11]])

    assert small.rows(keys).tolist() == large.rows(keys).tolist() == [[1, 2, 3], [0, 1, 0]]


def test_room_for_words_grows():
    weights = {"text": {"0|zinc": (0, 200), "1|zinc": (3, 0)}, "stem": {"0|zinc": (1, 0)}}
    words = [word_of("iron")] * chain.FIRST_ROOM + [word_of("Zinc")]
    table = chain.WordWeights(weights).weights(np.array([0, chain.FIRST_ROOM]), words)

    assert table[:, 4].tolist() == [[0, 0], [1, 200]]
    assert table[:, 5].tolist() == [[0, 0], [3, 0]]


def test_the_tables_of_the_package_fit_each_other():
    assert {label[-1] for label in chain.read_chain().labels} == {"-", *"".join(chain.LABELS_OF.values())}
    assert {field: len(weights) for field, weights in read_weights().items()} == dict.fromkeys(
        chain.FIELDS, len(TRAITS)
    )


# Values


def test_a_long_form_is_found_by_its_letters():
    forms = long_forms(
        document("Adults with hand-foot syndrome (HFS) had zinc acetate lozenges (ZALs; 10 mg). It (THE) fell.")
    )

    assert {short: form.text for short, form in forms.items()} == {
        "HFS": "hand-foot syndrome",
        "ZAL": "zinc acetate lozenges",
    }


def span(text: str, phrase: str, field: str = "outcome") -> chain.Span:
    sentence = document(text, title="").sentences[0]
    words = [token.word for token in sentence.all_tokens]
    phrase_words = phrase.lower().split()
    first = next(index for index in range(len(words)) if words[index : index + len(phrase_words)] == phrase_words)
    after = first + len(phrase_words)
    return chain.Span(field, sentence, 1, first, after, 0.9, 0.0, chain.text_between(sentence, first, after))


def test_a_short_form_is_given_by_its_long_one():
    text = "Hand-foot syndrome (HFS) was rare. HFS fell."
    article = document(text, title="")
    mention = chain.Span("outcome", article.sentences[1], 2, 0, 1, 0.9, 0.0, "HFS")

    assert values.finding_of(mention, long_forms(article)).value == "Hand-foot syndrome"


def test_a_long_form_brings_the_short_one_behind_it():
    text = "Hand-foot syndrome (HFS) was rare."

    assert (
        values.finding_of(span(text, "Hand-foot syndrome"), long_forms(document(text))).value
        == "Hand-foot syndrome (HFS)"
    )


def test_mentions_of_one_thing_are_one_value():
    text = "Nausea, severe nausea and headache were rare."
    mentions = [span(text, "nausea"), span(text, "severe nausea"), span(text, "headache")]
    by_field = values.values_of(document(text), mentions).by_field

    assert [len(value.mentions) for value in by_field["outcome"]] == [2, 1]


def test_two_fuller_mentions_are_still_one_value():
    text = "Survival rose. Three-year survival was good. Zinc prolonged survival."
    article = document(text, title="")
    places = ((0, 0, 1, "Survival"), (1, 0, 2, "Three-year survival"), (2, 0, 3, "Zinc prolonged survival"))
    mentions = [
        chain.Span("outcome", article.sentences[order], order + 1, first, after, 0.9, 0.0, words)
        for order, first, after, words in places
    ]

    assert [len(value.mentions) for value in values.values_of(article, mentions).by_field["outcome"]] == [3]


def test_half_a_bracket_is_dropped():
    text = "Pain (on a scale was rare."

    assert span(text, "pain ( on a scale").text == "Pain"


def test_subjects_end_before_what_they_are_allocated_to():
    values_noted = values_by_field(
        ABSTRACT.replace(
            "120 adults with the common cold were randomly assigned", "We randomised 120 adults with asthma"
        )
    )

    assert not any(" to " in value for value in values_noted["population"])


def test_an_intervention_may_be_the_comparator_of_another():
    by_field = candidates(values.values_of(document(), chain.spans(document())))
    arms = [candidate for candidate in by_field["comparator"] if candidate.is_of_other_arm]

    assert len(arms) == len(by_field["intervention"]) > 0
    assert all(candidate.traits[TRAITS.index("other arm")] == 1 for candidate in arms)
    assert importances([], "comparator") == []


def test_an_intervention_that_wording_finds_too_is_marked():
    article_values = values.values_of(document(), chain.spans(document()))
    intervention = [
        candidate
        for candidate in candidates(article_values)["intervention"]
        if candidate.traits[TRAITS.index("worded")]
    ]

    assert intervention
    assert all(
        values.agrees_with_wording(
            candidate.value.wordings[candidate.value.mentions.index(candidate.span)], article_values
        )
        for candidate in intervention
    )
    assert not any(candidate.traits[TRAITS.index("worded")] for candidate in candidates(article_values)["comparator"])


def test_labels_read_a_title_that_wording_leaves_blank():
    article = CanonicalPubMedArticle(id="PMID:1", title="The influence of metoprolol on exercise capacity.")

    assert intervention(Document(article)) is None
    assert FIELDS["intervention"].find(Document(article)).value == "metoprolol"


@each_of(
    ("sentence", "treatment"),
    [
        ("The control group received oral saline for two weeks.", "oral saline"),
        ("Controls were given standard advice.", "standard advice"),
        ("Nothing is known of the control group.", "control group"),
    ],
)
def test_a_control_group_is_followed_to_what_it_got(sentence, treatment):
    text = (
        "METHODS: Adults with asthma were randomised to a yoga programme or to a control group. "
        f"{sentence} The primary outcome was peak flow. RESULTS: Peak flow rose in the yoga group"
        " and not in the control group. CONCLUSIONS: Yoga improved peak flow."
    )
    values_noted = values_by_field(text, "Yoga for asthma: a randomised trial")

    assert values_noted["comparator"][0] == treatment
