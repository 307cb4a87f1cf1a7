"""Population, intervention, comparator and outcome by labels: signs, how labels are decided, what is noted."""

import itertools
import math

import numpy as np
import pytest

from biofact.literature.extraction.fields import pico
from biofact.literature.extraction.fields.comparison import intervention
from biofact.literature.extraction.fields.labelling import chain, signs, values
from biofact.literature.extraction.fields.labelling.signs import Vocabulary, Words, long_forms, sort_of, word_of
from biofact.literature.extraction.fields.labelling.values import TRAITS, candidates, importances, read_weights
from biofact.literature.extraction.fields.pico import PICO
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


def noted(abstract: str = ABSTRACT, title: str = TITLE) -> dict[str, list[str]]:
    found = pico.notes(document(abstract, title))
    return {field: [str(each.value) for each in finding.series] for field, finding in found.items() if finding}


def test_a_trial_is_noted_as_a_reviewer_would():
    found = noted()

    assert "common cold" in found["population"][0]
    assert "zinc" in found["intervention"][0].lower()
    assert "placebo" in found["comparator"][0].lower()
    assert found["outcome"][0].lower() == "duration of symptoms"


def test_further_outcomes_stand_behind_the_main_one():
    assert {each.lower() for each in noted()["outcome"]} >= {"duration of symptoms", "nausea", "quality of life"}


def test_no_value_is_given_twice():
    for each in noted().values():
        assert len({value.lower() for value in each}) == len(each)


def test_each_value_is_the_words_of_its_quote():
    article = document().article
    for finding in pico.notes(document()).values():
        for each in finding.series:
            evidence = each.evidence[0]
            text = article.title if evidence.where == "title" else article.abstract
            assert text[evidence.start : evidence.end] == evidence.quote
            assert " ".join(evidence.quote.split()) == each.value


def test_a_value_has_at_most_fifteen_words():
    long = "adults with " + " and ".join(f"very severe chronic disease number {word}" for word in "abcdefgh")
    found = noted(ABSTRACT.replace("adults with the common cold", long))

    assert all(len(value.split()) <= chain.MOST_VALUE_WORDS for each in found.values() for value in each)


@each_of("abstract", ["", " ", "(", "((((((", "|\t|", "\u2028 \u00a0", "a" * 5000, "P < 0.05. " * 400])
def test_odd_texts_are_no_trouble(abstract):
    for value in pico.notes(document(abstract, title="")).values():
        assert value.value


def test_an_article_reads_alike_whatever_was_read_before():
    before = noted()
    for number in range(50):
        noted(
            f"Gene{number}x activates the receptor R{number} in neurons of type {number}.", title=f"A study of {number}"
        )

    assert noted() == before


def test_forgotten_words_are_numbered_anew(monkeypatch):
    before = noted()
    monkeypatch.setattr(chain, "MOST_REMEMBERED", 3)

    assert noted() == before


# Words


def test_a_number_is_a_number_whatever_its_digits():
    assert word_of("120").text == word_of("3.5%").text == "#"


def test_a_short_form_is_told_from_its_capitals():
    assert word_of("ZAL").is_short_form
    assert not word_of("Zinc").is_short_form


def test_a_word_has_the_kinds_of_what_it_names():
    assert sort_of("lozenge-therapy") == "treatment"
    assert sort_of("women") == "people"
    assert sort_of("placebo") == "control"


def test_unknown_texts_have_no_number():
    fixed, growing = Vocabulary(["zinc"]), Vocabulary(grows=True)

    assert (fixed.number("zinc"), fixed.number("iron")) == (1, 0)
    assert [growing.number(text) for text in ("zinc", "iron", "zinc")] == [1, 2, 1]


# Signs


def traits_of(text: str, title: str = "") -> tuple[signs.TokenTraits, Words, signs.Vocabularies]:
    vocabularies = signs.Vocabularies(Vocabulary(grows=True), Vocabulary(grows=True))
    words = Words(*vocabularies)
    return signs.token_traits(document(text, title), words, vocabularies.sorts), words, vocabularies


def signs_of(text: str, word: str, title: str = "") -> set[str]:
    article, words, vocabularies = traits_of(text, title)
    at = next(at for at, number in enumerate(article.words) if words.entries[number].text == word)
    return set(signs.token_signs(article, words, vocabularies, at))


def test_signs_name_words_and_their_neighbours():
    found = signs_of("Adults received zinc lozenges daily.", "zinc")

    assert {"text|0|zinc", "text|-1|received", "text|1|lozenges", "texts|0|zinc|lozenges"} <= found


def test_signs_end_with_the_sentence():
    found = signs_of("Iron was given. Zinc helped.", "zinc")

    assert not any("given" in sign for sign in found)


def test_a_cue_is_near_or_not():
    assert "cue before|0|randomly|yes" in signs_of("They were randomly given zinc.", "zinc")
    assert "cue before|0|randomly|no" in signs_of("They were randomly and by good luck given zinc.", "zinc")
    assert not any(sign.startswith("cue before|0|randomly") for sign in signs_of("Randomly. They had zinc.", "zinc"))


def test_a_cue_behind_is_one_of_the_same_sentence():
    assert "cue behind|0|group|yes" in signs_of("In the zinc group they slept.", "zinc")
    assert not any(sign.startswith("cue behind") for sign in signs_of("They had zinc. Group two slept.", "zinc"))


def test_what_is_in_brackets_is_told():
    assert "brackets, sort|0|yes|word" in signs_of("Metals (zinc) help.", "zinc")
    assert "brackets, sort|0|no|word" in signs_of("Metals (iron) help, as does zinc.", "zinc")


def test_words_of_the_title_are_told():
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


def brute_force(weighed: np.ndarray, following: np.ndarray) -> np.ndarray:
    """The share of each label at each token, by summing over all ways to label them."""
    found = np.zeros_like(weighed)
    for way in itertools.product(range(len(LABELS)), repeat=len(weighed)):
        total = sum(weighed[at, label] for at, label in enumerate(way))
        total += sum(following[one, two] for one, two in itertools.pairwise(way))
        for at, label in enumerate(way):
            found[at, label] += math.exp(total)
    return found / found.sum(axis=1, keepdims=True)


@each_of("text", ["Adults received zinc acetate.", "Zinc.", "Zinc acetate and zinc acetate were given."])
def test_shares_are_those_of_all_ways_to_label_a_sentence(text):
    made = small_chain()
    article = signs.token_traits(document(text, title=""), made._words, made._vocabularies.sorts)
    weighed = made._scores(article)
    start, count = article.sentences[1][1], len(article.sentences[1][0].all_tokens)
    following = np.array([[0.4, 0.1, -3.0], [0.2, -0.5, 0.9], [0.3, -0.4, 0.7]])

    assert made.likely(document(text, title="")) == pytest.approx(
        brute_force(weighed[start : start + count], following)
    )


def test_weights_of_signs_are_summed_where_they_stand():
    made = small_chain()
    article = signs.token_traits(
        document("Adults received zinc acetate.", title=""), made._words, made._vocabularies.sorts
    )
    start = article.sentences[1][1]

    assert made._scores(article)[start : start + 4].tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [-0.5, 3.4, 0.5],
        [-0.5, 0.6, 1.5],
    ]


def test_a_table_is_read_as_it_was_written():
    lines = ["sign\t-\tBI", "-\t5\t", "BI\t\t-7", "text|0|zinc\t\t200"]
    made = chain.Chain.from_text("\n".join(lines) + "\n")

    assert made.labels == ("-", "BI")
    assert made.likely(document("Zinc.", title=""))[0, 1] > 0.8


def test_keys_are_found_in_large_tables_and_in_small_ones():
    rows = {2: 1, 9: 2, 8: 3}
    small, large = chain.KeyIndex(rows, 12), chain.KeyIndex(rows, chain.MOST_CELLS + 1)
    keys = np.array([[2, 9, 8], [0, 2, 11]])

    assert small.rows(keys).tolist() == large.rows(keys).tolist() == [[1, 2, 3], [0, 1, 0]]


def test_room_for_words_grows():
    weights = {"text": {"0|zinc": (0, 200), "1|zinc": (3, 0)}, "stem": {"0|zinc": (1, 0)}}
    known = [word_of("iron")] * chain.FIRST_ROOM + [word_of("Zinc")]
    found = chain.WordWeights(weights).weights(np.array([0, chain.FIRST_ROOM]), known)

    assert found[:, 4].tolist() == [[0, 0], [1, 200]]
    assert found[:, 5].tolist() == [[0, 0], [3, 0]]


def test_the_tables_of_the_package_fit_each_other():
    assert {label[-1] for label in chain.read_chain().labels} == {"-", *"".join(chain.LABELS_OF.values())}
    assert {field: len(weights) for field, weights in read_weights().items()} == dict.fromkeys(
        chain.FIELDS, len(TRAITS)
    )


# Values


def test_a_long_form_is_found_by_its_letters():
    found = long_forms(
        document("Adults with hand-foot syndrome (HFS) had zinc acetate lozenges (ZALs; 10 mg). It (THE) fell.")
    )

    assert {short: form.text for short, form in found.items()} == {
        "HFS": "hand-foot syndrome",
        "ZAL": "zinc acetate lozenges",
    }


def span(text: str, phrase: str, field: str = "outcome") -> chain.Span:
    sentence = document(text, title="").sentences[0]
    words = [token.word for token in sentence.all_tokens]
    wanted = phrase.lower().split()
    first = next(at for at in range(len(words)) if words[at : at + len(wanted)] == wanted)
    after = first + len(wanted)
    return chain.Span(field, sentence, 1, first, after, 0.9, 0.0, chain.text_between(sentence, first, after))


def test_a_short_form_is_given_by_its_long_one():
    text = "Hand-foot syndrome (HFS) was rare. HFS fell."
    own = document(text, title="")
    mention = chain.Span("outcome", own.sentences[1], 2, 0, 1, 0.9, 0.0, "HFS")

    assert values.finding_of(mention, long_forms(own)).value == "Hand-foot syndrome"


def test_a_long_form_brings_the_short_one_behind_it():
    text = "Hand-foot syndrome (HFS) was rare."

    assert (
        values.finding_of(span(text, "Hand-foot syndrome"), long_forms(document(text))).value
        == "Hand-foot syndrome (HFS)"
    )


def test_mentions_of_one_thing_are_one_value():
    text = "Nausea, severe nausea and headache were rare."
    each = [span(text, "nausea"), span(text, "severe nausea"), span(text, "headache")]
    found = values.values_of(document(text), each)

    assert [len(value.mentions) for value in found.by_field["outcome"]] == [2, 1]


def test_what_is_told_more_fully_twice_is_still_one_value():
    text = "Survival rose. Three-year survival was good. Zinc prolonged survival."
    own = document(text, title="")
    places = ((0, 0, 1, "Survival"), (1, 0, 2, "Three-year survival"), (2, 0, 3, "Zinc prolonged survival"))
    each = [chain.Span("outcome", own.sentences[at], at + 1, a, b, 0.9, 0.0, words) for at, a, b, words in places]

    assert [len(value.mentions) for value in values.values_of(own, each).by_field["outcome"]] == [3]


def test_half_a_bracket_is_left_out():
    text = "Pain (on a scale was rare."

    assert span(text, "pain ( on a scale").text == "Pain"


def test_subjects_end_before_what_they_are_allocated_to():
    found = noted(
        ABSTRACT.replace(
            "120 adults with the common cold were randomly assigned", "We randomised 120 adults with asthma"
        )
    )

    assert not any(" to " in value for value in found["population"])


def test_an_intervention_may_be_the_comparator_of_another():
    by_field = candidates(values.values_of(document(), chain.spans(document())))
    arms = [each for each in by_field["comparator"] if each.is_of_other_arm]

    assert len(arms) == len(by_field["intervention"]) > 0
    assert all(each.traits[TRAITS.index("other arm")] == 1 for each in arms)
    assert importances([], "comparator") == []


def test_an_intervention_that_wording_tells_too_is_marked():
    found = values.values_of(document(), chain.spans(document()))
    own = [each for each in candidates(found)["intervention"] if each.traits[TRAITS.index("worded")]]

    assert own
    assert all(
        values.agrees_with_wording(each.value.wordings[each.value.mentions.index(each.span)], found) for each in own
    )
    assert not any(each.traits[TRAITS.index("worded")] for each in candidates(found)["comparator"])


def test_labels_read_a_title_that_wording_leaves_blank():
    article = CanonicalPubMedArticle(id="PMID:1", title="The influence of metoprolol on exercise capacity.")

    assert intervention(Document(article)) is None
    assert PICO["intervention"](Document(article)).value == "metoprolol"


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
    found = noted(text, "Yoga for asthma: a randomised trial")

    assert found["comparator"][0] == treatment
