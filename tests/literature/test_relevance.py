"""Relevance to a goal: its concepts, the places where articles name them, and their score by BM25."""

import math
import subprocess
import sys

import pytest

from biofact.literature.query.concepts import Concept
from biofact.literature.relevance import (
    K1,
    USUAL_LENGTH,
    B,
    GoalConcept,
    PhraseFinder,
    goal_concepts,
    query_blocks,
    relevance,
)
from biofact.sources.pubmed.records import MeshHeading
from tests.each_of import each_of
from tests.literature.made_ranking import article

pytestmark = pytest.mark.quick

STATIN = GoalConcept("synthestatin", ("synthestatin", "Hydroxymethylglutaryl Inhibitors, Synthetic"))
DEATH = GoalConcept("mortality", ("mortality", "death*"))


def is_match(text, *phrases):
    return [text[match.start : match.end] for match in PhraseFinder([phrases]).matches(text)]


@each_of(
    ("query", "blocks"),
    [
        ('("Metformin"[MeSH Terms] OR "metformin"[Title/Abstract])', [("Metformin", "metformin")]),
        (
            '("a"[tiab] OR "b c"[tiab]) AND ("d"[MeSH Terms]) AND "Clinical Trial"[Publication Type]',
            [("a", "b c"), ("d",)],
        ),
        ('("x"[Title/Abstract]) AND 2020:2024[Date - Publication] AND english[Language]', [("x",)]),
        ('(("gut"[Title] AND "flora"[Title]) OR "microbiome"[Title]) AND ("mind"[tiab])',
         [("gut flora", "microbiome"), ("mind",)]),
        ('("a"[tiab]) NOT ("b"[tiab] OR "c"[tiab])', [("a",)]),
        ('(("a"[tiab]) AND ("b"[tiab]))', [("a",), ("b",)]),
        ("(statin*[tiab] OR statins[ti]) AND (\u201cheart failure\u201d[tiab])",
         [("statin*", "statins"), ("heart failure",)]),
        ('("exercise"[tiab]) AND (randomized controlled trial[pt] OR placebo[tiab])', [("exercise",)]),
        ("", []),
    ],
)  # fmt: skip
def test_a_query_is_read_block_by_block_without_its_filters(query, blocks):
    assert list(query_blocks(query)) == blocks


def test_blocks_of_all_queries_that_share_a_phrase_are_one_concept():
    concepts = [Concept(("metformin",)), Concept(("type 2 diabetes",)), Concept(("mortality",), "optional")]
    queries = [
        '("Metformin"[mh] OR "dimethylbiguanide"[ti]) AND ("Diabetes Mellitus, Type 2"[mh] OR "type 2 diabetes"[ti])',
        '("metformin"[tiab]) AND ("type 2 diabetes"[tiab] OR "T2DM"[tiab]) AND ("Drug Therapy"[MeSH Terms])',
    ]

    assert [
        (goal_concept.name, set(goal_concept.phrases), goal_concept.weight)
        for goal_concept in goal_concepts(concepts, queries)
    ] == [
        ("metformin", {"metformin", "dimethylbiguanide"}, 1.0),
        ("type 2 diabetes", {"type 2 diabetes", "Diabetes Mellitus, Type 2", "T2DM"}, 1.0),
        ("mortality", {"mortality"}, 0.5),
        ("Drug Therapy", {"Drug Therapy"}, 1.0),
    ]


@each_of(
    ("phrase", "text", "matches"),
    [
        ("breast cancer", "Breast-cancer, BREAST CANCERS, cancer of breast", ["Breast-cancer", "BREAST CANCERS"]),
        ("Diabetes Mellitus, Type 2", "type 2 diabetes mellitus; diabetes mellitus type 2",
         ["type 2 diabetes mellitus", "diabetes mellitus type 2"]),
        ("tumor", "Tumours shrank", ["Tumours"]),
        ("beta-blocker", "\u03b2 blockers", ["\u03b2 blockers"]),
        ("diabet*", "Diabetic, prediabetic, diabetes", ["Diabetic", "diabetes"]),
        ("statin", "statins and nystatin", ["statins"]),
        ("cat*", "catheter", []),
    ],
)  # fmt: skip
def test_phrases_are_found_as_whole_words_in_any_spelling(phrase, text, matches):
    assert is_match(text, phrase) == matches


def test_matches_of_one_group_do_not_overlap():
    assert is_match("type 2 diabetes mellitus", "type 2 diabetes", "diabetes mellitus", "diabetes") == [
        "type 2 diabetes"
    ]


def test_one_mention_in_a_text_of_usual_length_scores_as_bm25_says():
    """Robertson's and Lucene's term: tf / (tf + k1 * (1 - b + b * length / usual length))."""
    short, usual = (
        article(99000001, "A", abstract=" ".join(["word"] * (words - 2)) + " mortality") for words in (50, 250)
    )

    for item, length in ((short, 50), (usual, 250)):
        expected = 1 / (1 + K1 * (1 - B + B * length / USUAL_LENGTH))
        assert relevance([item], [DEATH]) == [pytest.approx(expected, abs=1e-6)]


def test_a_title_counts_three_times_and_a_heading_twice():
    filler = " ".join(["word"] * 249)
    titled_article = article(99000001, "Mortality", abstract=filler)
    headed_article = article(99000002, "Other", abstract=filler, mesh=[MeshHeading("Mortality", False)])

    assert relevance([titled_article], [DEATH]) == [pytest.approx(3 / (3 + K1), abs=1e-6)]
    assert relevance([headed_article], [DEATH]) == [pytest.approx(2 / (2 + K1), abs=1e-6)]


def test_a_score_does_not_depend_on_the_other_articles():
    item = article(99000001, "Synthestatin and mortality", abstract="Deaths were fewer with synthestatin.")
    articles = [article(99000010 + i, f"Mortality {i}", abstract="mortality " * 40 * i) for i in range(30)]
    single_result = relevance([item], [STATIN, DEATH])[0]

    assert relevance([*articles, item], [STATIN, DEATH])[-1] == pytest.approx(single_result, abs=1e-6)
    assert 0.5 < single_result < 1


def test_the_concepts_count_by_their_weights_and_each_once():
    about_death = article(99000001, "Mortality and death", abstract="mortality " * 50)
    about_both = article(99000002, "Synthestatin", abstract="Synthestatin and mortality.")
    optional = GoalConcept("mortality", ("mortality", "death"), 0.5)

    sole_score, pair = relevance([about_death, about_both], [STATIN, optional])
    assert sole_score < 1 / 3  # a third of the weight, never reached
    assert pair > sole_score


def test_an_article_that_names_nothing_has_none_and_no_goal_makes_none():
    assert relevance([article(99000001, "Ships.", abstract="Of the sea.")], [STATIN, DEATH]) == [0.0]
    assert relevance([article(99000001)], []) == [0.0]
    assert relevance([], [STATIN]) == []


@pytest.mark.processes
def test_bm25s_and_numpy_load_on_first_use():
    code = "import sys, biofact.literature.relevance; sys.exit(bool({'bm25s', 'numpy'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.processes
def test_bm25s_writes_nothing_into_the_log_of_a_program():
    code = (
        "import logging; logging.basicConfig(level=logging.WARNING)\n"
        "from biofact.literature.relevance import GoalConcept, relevance\n"
        "from biofact.sources.pubmed.records import CanonicalPubMedArticle\n"
        "relevance([CanonicalPubMedArticle(id='PMID:1', title='A')], [GoalConcept('a', ('a',))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert (run.stdout, run.stderr) == ("", "")


def test_no_score_is_beyond_one_or_not_a_number():
    loud = article(99000001, "mortality " * 300, abstract="death " * 3000)

    assert all(0 <= item <= 1 and math.isfinite(item) for item in relevance([loud], [STATIN, DEATH]))
