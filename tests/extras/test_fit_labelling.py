"""The tool that fits labels to marks: its model, and that our chain reads it as CRFsuite does. Needs ``fit``."""

import numpy as np
import pytest

from biofact.literature.extraction.fields.labelling.chain import FIELDS, Chain, spans_of
from biofact.literature.extraction.fields.labelling.signs import (
    Vocabularies,
    Vocabulary,
    Words,
    token_signs,
    token_traits,
)
from biofact.literature.extraction.fields.labelling.values import TRAITS, read_weights, values_of
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.extras import needs

pytestmark = pytest.mark.extras

needs.crfsuite()

import pycrfsuite  # noqa: E402
from tools import fit_labelling  # noqa: E402
from tools.fit_labelling import LabelledArticle, Mark, mark  # noqa: E402

DRUGS = ("zinc", "iron", "aspirin", "metformin", "yoga", "honey")
DISEASES = ("asthma", "gout", "colds", "migraine", "acne", "anaemia")


def article(drug: str, disease: str) -> LabelledArticle:
    """A trial with its marks."""
    title = f"{drug.capitalize()} versus placebo for {disease}"
    abstract = f"We randomised adults with {disease} to {drug} or placebo. The primary outcome was relapse."
    marks = {
        "population": [place(abstract, f"adults with {disease}")],
        "intervention": [place(title, drug.capitalize(), "title"), place(abstract, drug)],
        "comparator": [place(title, "placebo", "title"), place(abstract, "placebo")],
        "primary outcome": [place(abstract, "relapse")],
        "best population": [place(abstract, f"adults with {disease}")],
        "best intervention": [place(abstract, drug)],
        "best comparator": [place(abstract, "placebo")],
        "best outcome": [place(abstract, "relapse")],
    }
    document = Document(CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract))
    return LabelledArticle(document, marks, is_trial=True)


def place(text: str, phrase: str, field: str = "abstract") -> Mark:
    start = text.index(phrase)
    return Mark(field, start, start + len(phrase))


ARTICLES = [article(drug, disease) for drug in DRUGS for disease in DISEASES]


def test_marks_become_labels_of_tokens():
    title, first, second = (
        fit_labelling.token_labels(ARTICLES[0], sentence) for sentence in ARTICLES[0].document.all_sentences
    )

    assert title == ["BI", "-", "BC", "-", "-"]
    assert first == ["-", "-", "BP", "IP", "IP", "-", "BI", "-", "BC", "-"]
    assert second == ["-", "-", "-", "-", "BQ", "-"]


def test_a_mark_is_read_as_it_is_written():
    assert mark("t0-18") == Mark("title", 0, 18)
    assert mark("a155-186") == Mark("abstract", 155, 186)


def test_marked_phrases_are_found_in_an_unseen_article():
    chain = Chain.from_text(fit_labelling.fitted_chain(ARTICLES))
    field_texts = {(span.field, span.text) for span in spans_of(article("valerian", "insomnia").document, chain)}

    assert {("intervention", "valerian"), ("comparator", "placebo"), ("outcome", "relapse")} <= field_texts
    assert any(field == "population" and "insomnia" in text for field, text in field_texts)


def test_our_chain_has_the_shares_of_crfsuite(tmp_path):
    vocabularies = Vocabularies(Vocabulary(grows=True), Vocabulary(grows=True))
    words = Words(*vocabularies)

    def items(document: Document) -> list[list[list[str]]]:
        """The signs of each token of each sentence."""
        traits = token_traits(document, words, vocabularies.sorts)
        return [
            [
                list(token_signs(traits, words, vocabularies, start + offset))
                for offset in range(len(sentence.all_tokens))
            ]
            for sentence, start in traits.sentences
        ]

    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params({"max_iterations": 20, "feature.possible_transitions": True})
    for labelled_article in ARTICLES:
        for signs, sentence in zip(
            items(labelled_article.document), labelled_article.document.all_sentences, strict=True
        ):
            trainer.append(signs, fit_labelling.token_labels(labelled_article, sentence))
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    chain = Chain.from_text(fit_labelling.chain_table(tagger.info()))
    unseen_document = article("valerian", "insomnia").document
    likely_labels, row = chain.likely(unseen_document), 0
    for signs in items(unseen_document):
        tagger.set(signs)
        for token in range(len(signs)):
            marginals = [tagger.marginal(label, token) for label in chain.labels]
            assert likely_labels[row].tolist() == pytest.approx(
                marginals, abs=0.02
            )  # weights are rounded to hundredths
            row += 1

    assert row == len(likely_labels)


def test_the_most_important_candidate_is_what_reviewers_note():
    chain = Chain.from_text(fit_labelling.fitted_chain(ARTICLES))

    def unseen_values_in(labelled_article: LabelledArticle) -> fit_labelling.UnseenArticle:
        return fit_labelling.unseen_values(
            labelled_article, values_of(labelled_article.document, tuple(spans_of(labelled_article.document, chain)))
        )

    weights = fit_labelling.fitted_importance([unseen_values_in(labelled_article) for labelled_article in ARTICLES])
    fresh = unseen_values_in(article("valerian", "insomnia"))
    best = {
        field: max(field_candidates, key=lambda pair: float(weights[field] @ pair[1].traits))[0]  # called at once
        for field, field_candidates in fresh.candidates.items()
    }

    assert {field: fit_labelling.is_right(best[field], fresh.article.best(field)) for field in FIELDS} == dict.fromkeys(
        FIELDS, True
    )


def test_a_table_of_importance_has_the_traits_and_fields_that_are_read():
    lines = fit_labelling.importance_table(dict.fromkeys(FIELDS, np.zeros(len(TRAITS)))).splitlines()

    assert lines[0].split("\t") == ["trait", *FIELDS]
    assert [line.split("\t")[0] for line in lines[1:]] == list(TRAITS)
    assert set(read_weights()) == set(FIELDS)


def test_words_in_common_make_a_value_right():
    assert fit_labelling.is_right("low-dose aspirin", ["aspirin"])
    assert fit_labelling.is_right("duration of symptoms", ["symptom duration"])
    assert not fit_labelling.is_right("aspirin", ["zinc"])
    assert not fit_labelling.is_right("", ["zinc"])


def test_an_intervention_that_the_title_names_is_worth_more():
    labelled_article = ARTICLES[0]
    chain = Chain.from_text(fit_labelling.fitted_chain(ARTICLES))
    unseen_values = fit_labelling.unseen_values(
        labelled_article, values_of(labelled_article.document, tuple(spans_of(labelled_article.document, chain)))
    )
    text, candidate = next(pair for pair in unseen_values.candidates["intervention"] if "zinc" in pair[0].lower())

    assert fit_labelling.how_right(text, candidate, ["zinc"], "intervention") == 1
    assert fit_labelling.how_right(text, candidate, ["zinc", "10 mg iron"], "intervention") == 0.5
    assert fit_labelling.how_right(text, candidate, ["iron"], "intervention") == 0
