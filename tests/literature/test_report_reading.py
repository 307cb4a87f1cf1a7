"""The view of an article on the page: its own conclusion, reasons for caution, words of the goal, orders."""

import dataclasses

import pytest

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import GOAL_RELEVANCE, FeatureScore
from biofact.literature.relevance import GoalConcept
from biofact.literature.report import known_correlations, page
from biofact.literature.report.markup import field_label, measure_label, sentence_with_labels
from biofact.literature.report.view import claim_of, signals, study_name
from biofact.sources.pubmed.records import DataBank
from tests.each_of import each_of
from tests.literature.made_page import Reader
from tests.literature.made_ranking import (
    TODAY,
    article,
    candidate,
    chapter,
    preprint,
    ranking,
    report,
    retracted,
    trial,
)

pytestmark = pytest.mark.quick


def row_of(arguments, extraction=None, **facts):
    candidate = Candidate(arguments.id, arguments, extraction or {}, 0.5, **facts)
    return rank_articles([candidate], RankRequest(filters={"include_retracted": True}), {}, today=TODAY).rows[0]


def words(arguments, extraction=None, *, is_registration_read=True):
    result = signals(row_of(arguments, extraction), is_registration_read=is_registration_read)
    return [(item.words, item.shade) for item in result]


@each_of(
    ("abstract", "claim"),
    [
        ("METHODS: We counted falls.\nCONCLUSIONS: Synthestatin lowered the number of falls. Larger trials are needed.",
         "Synthestatin lowered the number of falls."),
        ("CONCLUSION: Further research is needed to confirm this. The drug was no better than placebo.",
         "The drug was no better than placebo."),
        ("Falls were counted in 40 people. There were fewer (8% v 12%, P = 0.02). The drug is of use in the frail.",
         "The drug is of use in the frail."),
        ("We gave the drug to 40 people. We found that it lowered the number of falls. Rates were 8% and 12% (P=0.2).",
         "We found that it lowered the number of falls."),
        (None, None),
        ("Short.", None),
    ],
)  # fmt: skip
def test_an_article_is_summed_up_by_a_sentence_of_its_own(abstract, claim):
    assert claim_of(article(99000001, abstract=abstract), {}) == claim
    assert claim is None or claim in abstract


def test_a_finding_that_does_not_stand_in_the_abstract_is_not_shown():
    stated_values = article(
        99000001, abstract="We gave the drug to people. The number of falls went down with the drug."
    )

    assert (
        claim_of(stated_values, {"key_findings": ["The drug cures everything for ever."]})
        != "The drug cures everything for ever."
    )
    assert claim_of(stated_values, {"key_findings": ["The number of falls went down with the drug."]}) == (
        "The number of falls went down with the drug."
    )


def test_a_protocol_has_found_nothing():
    protocol_article = article(
        99000001, abstract="CONCLUSIONS: This trial compares the drug with placebo in the frail."
    )

    assert claim_of(protocol_article, {"study_type": "trial protocol"}) is None


def test_reasons_to_be_careful_are_named_gravest_first():
    assert words(retracted()) == [("Retracted", "grave"), ("Expression of concern", "doubtful")]
    assert words(preprint(), {"sample_size": 40}) == [("Preprint", "doubtful"), ("Small (n = 40)", "doubtful")]


@each_of(
    ("extraction", "expected"),
    [
        ({"study_type": "randomized controlled trial"}, ["No registration stated"]),
        ({"study_type": "randomized controlled trial", "registration": "NCT99000009"}, []),
        ({"study_type": "cohort study"}, []),
        ({"study_type": "protocol of a randomized trial"}, []),
        ({"study_type": "meta-analysis of randomized trials", "sample_size": 12}, []),
        ({"study_type": "cohort study", "sample_size": 99}, ["Small (n = 99)"]),
        ({"study_type": "cohort study", "sample_size": 100}, []),
        ({"participant_count": 20}, ["Small (n = 20)"]),
    ],
)
def test_trials_without_registration_and_small_studies_are_marked(extraction, expected):
    assert [name for name, _ in words(article(99000001), extraction)] == expected


def test_a_registered_trial_is_known_by_its_data_bank_and_no_trial_is_blamed_unasked():
    design = {"study_type": "randomized controlled trial"}
    registered = article(99000001, data_banks=[DataBank("ClinicalTrials.gov", ["NCT99000009"])])

    assert words(registered, design) == []
    assert words(article(99000001), design, is_registration_read=False) == []


@each_of(
    ("name", "label"),
    [
        ("study_type", "Study type"),
        ("p_value", "P value"),
        ("effect_size.low", "Effect: low"),
        ("my_own_field", "My own field"),
        ("mri_count", "MRI count"),
        ("follow_up", "Follow-up"),
        ("", ""),
    ],
)
def test_names_of_fields_are_read_as_words(name, label):
    assert field_label(name) == label


def test_sentences_name_fields_as_words_and_options_as_they_are_typed():
    assert (
        sentence_with_labels("registration: missing in 3 of 9 articles.") == "Registration: missing in 3 of 9 articles."
    )
    assert sentence_with_labels("weighted_sum; raise max_results") == "weighted sum; raise max_results"
    assert measure_label("HR") == "Hazard ratio"


@each_of(
    ("arguments", "name"),
    [(trial(), "Aalto 2023"), (chapter(), "van der Berg 2019"), (article(99000009), "PMID:99000009")],
)
def test_a_study_is_named_by_its_first_author_and_year(arguments, name):
    assert study_name(row_of(arguments)) == name


def with_relevance():
    """The made ranking as that of a review: relevance beside strength, in different orders."""
    rows = []
    for row, relevant in zip(ranking()[1].rows, (0.2, 0.9, 0.5, 0.9, 0.1, 0.1, 0.1, 0.1), strict=True):
        breakdown = {GOAL_RELEVANCE: FeatureScore(score=relevant, weight=0.5), **row.candidate.breakdown}
        rows.append(dataclasses.replace(
            row, candidate=dataclasses.replace(row.candidate, relevance=relevant, breakdown=breakdown)
        ))  # fmt: skip
    return rows


def test_the_page_says_which_score_is_which_and_sorts_by_either():
    reader = Reader(page(report(rows=with_relevance(), relevance_share=0.5)))

    assert reader.all("th", role="columnheader")[:5] == ["#", "Article", "Relevance", "Strength of evidence", "Total"]
    choices = [answer for name, answer, _ in reader.elements if name == "input"]
    assert [(choice["id"], choice["type"], "checked" in choice) for choice in choices] == [
        ("sort-t", "radio", True), ("sort-r", "radio", False), ("sort-e", "radio", False), ("sort-y", "radio", False),
    ]  # fmt: skip
    assert reader.all("label") == ["Total", "Relevance", "Strength of evidence", "Newest"]
    styles = [
        answer["style"] for name, answer, _ in reader.elements if name == "tr" and "--r" in answer.get("style", "")
    ]
    assert [style.split(";")[0] for style in styles[:4]] == ["--r:3", "--r:0", "--r:2", "--r:1"]
    assert "50% relevance and 50% strength of evidence" in "".join(reader.text)


def test_a_page_without_a_goal_has_neither_relevance_nor_its_order():
    reader = Reader(page(report()))

    assert "Relevance" not in reader.all("th", role="columnheader")
    assert {"sort-r", "sort-e"}.isdisjoint(answer.get("id") for _, answer, _ in reader.elements)


def test_a_feature_that_is_not_stated_is_marked_beside_the_bar_and_in_the_breakdown():
    reader = Reader(page(report(rows=with_relevance(), relevance_share=0.5)))

    assert "not stated" in reader.all("td", class_="missing")
    assert reader.all("span", class_="stated")[:2] == ["70% stated", "80% stated"]  # significance weighs 0.3 of 1.0


def test_the_words_of_the_goal_are_marked_in_titles_claims_and_abstracts():
    concepts = [GoalConcept("mortality", ("mortality", "death*")), GoalConcept("synthestatin", ("synthestatin",))]
    reader = Reader(page(report(concepts=concepts)))
    card = reader.all("article", id="article-1")[0]
    marked_values = reader.all("span", class_="goal")

    assert {"Synthestatin", "mortality", "death"} <= set(marked_values)
    assert "death from any cause" in card
    assert Reader(page(report())).all("span", class_="goal") == []


def test_columns_that_no_article_fills_are_hidden():
    bare = [dataclasses.replace(row, citations=None, boosts={}) for row in ranking()[1].rows]
    reader = Reader(page(report(rows=bare)))

    assert reader.all("th", role="columnheader")[:3] == ["#", "Article", "Total"]
    assert "Citations" not in reader.all("th", role="columnheader")
    assert "Citations" in Reader(page(report())).all("th", role="columnheader")


def test_correlations_need_ten_articles_that_state_both_features():
    def scored_rows(count, silent):
        return [
            candidate(99000001 + i, breakdown={
                "a": FeatureScore(score=i / count, weight=0.5),
                "b": FeatureScore(weight=0.5, is_missing=True) if i < silent else FeatureScore(score=0.5, weight=0.5),
            })
            for i in range(count)
        ]  # fmt: skip

    matrix = {"a": {"a": 1.0, "b": 0.4}, "b": {"a": 0.4, "b": 1.0}}
    assert known_correlations(matrix, scored_rows(10, 0)) == matrix
    assert known_correlations(matrix, scored_rows(9, 0)) == {}
    assert known_correlations(matrix, scored_rows(30, 21)) == {}
    assert Reader(page(report(scores={0.1: 9}))).all("table", class_="heat") == []


def test_of_very_many_articles_the_first_have_their_details_and_all_their_row():
    rows = [dataclasses.replace(row_of(article(99000001 + i)), rank=i + 1) for i in range(230)]
    reader = Reader(page(report(rows=rows, evidence={})))

    assert len([1 for name, answer, _ in reader.elements if name == "article"]) == 200
    assert len(reader.all("td", class_="rank")) == 230
    assert "open" not in next(answer for name, answer, _ in reader.elements if name == "details")
    links = [answer["href"] for name, answer, _ in reader.elements if name == "a"]
    assert "https://pubmed.ncbi.nlm.nih.gov/99000230/" in links
    assert "#article-230" not in links
