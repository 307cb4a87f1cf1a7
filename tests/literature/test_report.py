"""The report: a page of its own with all facts, which no text of an article can break."""

import dataclasses
import itertools
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import Evidence
from biofact.literature.report import Flow, flow_of, page
from biofact.literature.report.figures import histogram
from tests.each_of import each_of
from tests.literature.made_page import Reader, hostile
from tests.literature.made_ranking import ABSTRACT, TODAY, candidate, ranking, report

pytestmark = pytest.mark.quick


def read(**changes):
    return Reader(page(report(**changes)))


@pytest.fixture(scope="module")
def whole():
    return read()


def in_line(text):
    return " ".join(text.split())


def test_the_page_needs_nothing_but_itself(whole):
    names = {name for name, _, _ in whole.elements}
    addresses = [answer.get("href") or answer.get("src") for _, answer, _ in whole.elements]
    policy = next(answer["content"] for _, answer, _ in whole.elements if "http-equiv" in answer)
    style = "".join(whole.all("style"))

    assert names.isdisjoint({"script", "img", "iframe", "object", "embed", "base", "form", "video", "audio"})
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert [address for address in addresses if address and not address.startswith(("https://", "#", "data:,"))] == []
    assert not re.search(r"url\(|@import|@font-face|expression|</", style)
    assert not any(key.startswith("on") for _, answer, _ in whole.elements for key in answer)


def test_the_same_report_makes_the_same_bytes():
    assert page(report()) == page(report())


def test_every_part_is_there_under_its_heading(whole):
    assert whole.all("h1") == ["Does synthestatin lower mortality in adults at risk, and for whom?"]
    assert whole.all("h2") == [
        "Ranking",
        "Evidence table",
        "Effects",
        "From found to ranked",
        "Search",
        "Scores",
        "Worth knowing",
        "Articles",
        "Method and sources",
    ]
    levels = [int(name[1]) for name, _, _ in whole.elements if re.fullmatch("h[1-4]", name)]
    assert all(lower - upper <= 1 for upper, lower in itertools.pairwise(levels))


def test_every_link_within_the_page_leads_somewhere(whole):
    places = [answer["id"] for _, answer, _ in whole.elements if "id" in answer]
    links = [answer["href"][1:] for _, answer, _ in whole.elements if answer.get("href", "").startswith("#")]

    assert set(links) <= set(places)
    assert len(places) == len(set(places))


def test_queries_stand_with_their_translation_and_counts(whole):
    first, second = map(in_line, whole.all("div", class_="query"))

    assert first == (
        'Query 1 (synthestatin[tiab] OR "synthetic statin"[tiab]) AND mortality[mh]PubMed finds 5,123 articles; 14'
        " read. The goal's drug and outcome, with synonyms. Understood as"
        ' ("synthestatin"[Title/Abstract] OR "synthetic statin"[All Fields]) AND mortality[MeSH]'
    )
    assert second == "Query 2 synthestatin AND trial[pt]PubMed finds 9 articles; 9 read."


def test_the_flow_has_the_boxes_and_words_of_prisma_2020(whole):
    """BMJ 2021;372:n71, the diagram for new reviews that searched databases and registers only."""
    assert "Identification of studies via databases and registers" in whole.all("h3")
    assert whole.all("h4", class_="phase") == ["Identification", "Screening", "Included"]
    assert [in_line(text) for text in whole.all("div", class_="box")] == [
        "Records identified from: Databases: PubMed (n = 23) Query 1: 14 Query 2: 9 Registers (not done)",
        "Records screened (not done) 13 ranked and ready to be screened; the first 8 are listed on this page.",
        "Reports sought for retrieval (not done)",
        "Reports assessed for eligibility (not done)",
        "Studies included in review (not done) Reports of included studies (not done)",
    ]
    assert [in_line(text) for text in whole.all("div", class_="left")] == [
        (
            "Records removed before screening: Duplicate records removed (n = 5)"
            " Records marked as ineligible by automation tools (n = 5) Score below 0.1: 3 Published before 2005: 2"
            " Records removed for other reasons (n = 0)"
        ),
        "Records excluded (not done)",
        "Reports not retrieved (not done)",
        "Reports excluded (not done)",
    ]


def test_records_beyond_the_limit_are_removed_for_other_reasons():
    flow = Flow((("Query 1", 5123),), 0, (), 0, 3, (("Beyond the number asked for, and not read", 5120),))
    removed = in_line(read(flow=flow).all("div", class_="left")[0])

    assert removed.endswith(
        "Records removed for other reasons (n = 5,120) Beyond the number asked for, and not read: 5,120"
    )


def test_a_flow_that_does_not_add_up_is_refused():
    with pytest.raises(
        ValueError, match="does not add up: 10 found, less 1 duplicates or lost and 2 excluded, are not 3 ranked"
    ):
        Flow((("Query 1", 10),), 1, (("Retracted", 2),), 0, 3)


def test_the_flow_follows_from_the_steps_of_a_ranking():
    candidates = [*(candidate(99000001 + i, i / 20) for i in range(15)), candidate(99000001, 0.9)]
    candidates += [candidate(99000031, 0.9, retracted=True), candidate(99000032, 0.9, journal="Lancet")]
    request = RankRequest(max_results=3, min_score_threshold=0.2, filters={"journal_blacklist": ["lancet"]})
    order = rank_articles(candidates, request, {}, today=TODAY)

    assert flow_of((("Query 1", 21),), order, duplicates=1, other_removals=(("Not to be had", 2),)) == Flow(
        identified=(("Query 1", 21),),
        duplicates=2,
        excluded=(("Retracted", 1), ("Score below 0.2", 3), ("In journals to leave out", 1)),
        cut=9,
        ranked=3,
        other_removals=(("Not to be had", 2),),
    )


def test_the_histogram_says_in_words_what_it_draws():
    sample = histogram(Counter([0.0, 0.05, 0.3, 0.3, 0.99, 1.0]), Counter([0.3, 1.0]), {"median": 0.3})
    read_back = Reader(sample)
    rects = [answer for name, answer, _ in read_back.elements if name == "rect"]

    assert read_back.elements[0][1] == {
        "viewbox": "0 0 360 210",
        "role": "img",
        "aria-label": "Histogram of total scores from 0 to 1. Articles by score: 0.00 to 0.10: 2; 0.30 to 0.40: 2;"
        " 0.90 to 1.00: 2.",
    }
    assert [rect["class"] for rect in rects] == ["other", "ranked", "other", "ranked", "other"]
    assert all(float(rect["width"]) > 0 and float(rect["height"]) > 0 for rect in rects)
    assert "median 0.30" in read_back.all("text")


@each_of(
    ("count", "labels"),
    [(400, ["0", "200", "400"]), (9_000, ["0", "5,000", "10k"]), (15_200_000, ["0", "10M", "20M"]),
     (4_900_000, ["0", "2.5M", "5M"])],
)  # fmt: skip
def test_long_counts_fit_beside_the_axis(count, labels):
    output = Reader(histogram({0.5: count}, {}, {})).all("text", text_anchor="end")

    assert output == labels


def test_no_scores_make_an_empty_histogram():
    assert "Articles by score: none." in histogram({}, {}, {})


@given(st.lists(st.floats(0, 1), max_size=80))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_the_bars_add_up_to_all_articles(scores):
    label = Reader(histogram(Counter(scores), {}, {})).elements[0][1]["aria-label"]

    assert sum(int(count) for count in re.findall(r": (\d+)", label.partition("score:")[2])) == len(scores)


def test_correlations_stand_as_a_table_of_numbers(whole):
    assert in_line(whole.all("table", class_="heat")[0]) == (
        "Correlation of feature scores, Pearson\u2019s r Sample size Study type Statistical significance"
        " Sample size 1 0.42 \u22120.13 Study type 0.42 1 0.81 Statistical significance \u22120.13 0.81 1"
    )


def test_a_retracted_article_is_marked_and_linked_to_its_notice(whole):
    assert whole.all("li", class_="grave") == ["Retracted", "Retracted", "Retracted: PMID:99000044"]
    assert whole.all("a", href="https://pubmed.ncbi.nlm.nih.gov/99000044/") == ["PMID:99000044"]
    assert whole.all("li", class_="doubtful") == [
        *("Preprint", "Small (n = 40)", "Expression of concern") * 2,
        *("Preprint: PMID:99000001", "Small (n = 40)", "Expression of concern: PMID:99000045"),
    ]


def test_an_article_stands_with_citation_score_features_and_copyright(whole):
    first = in_line(whole.all("article", id="article-1")[0])

    assert first == in_line(
        "1Synthestatin in <adults> & mortality: a 100% randomized_trial."
        " Aalto MK, Müller-Groß J Jr, SYNTH Investigators, Group A \u00b7 Synth Clin Trials \u00b7 2023; 12(3):201-12"
        " \u00b7 doi 10.5555/biofact.99000001 \u00b7 PMID:99000001"
        " Synthestatin lowered mortality in this made-up population. Scores, features and abstract"
        " Score 0.812 total + 0.021 recent + 0.044 impact = 0.878 final"
        " Feature Score Weight Sample size 0.77 30% Study type 1.00 40% Statistical significance 1.00 30%"
        " Extracted features Study type"
        " Randomized Controlled Trialpublication types: \u201cRandomized Controlled Trial\u201d"
        " Sample size 1204 Primary outcome death from any cause Effect HR 0.71 (0.55 to 0.92) P value 0.009 Abstract "
        + ABSTRACT
        + " \u00a9 2023 biofact made-up articles."
    )


def test_overlapping_evidence_is_cut_where_spans_begin_and_end(whole):
    marks = [
        (answer["data-field"], answer.get("data-begins"), "".join(texts))
        for name, answer, texts in whole.elements
        if name == "mark"
    ]

    assert marks == [
        ("study_type", "Study type", "randomly assigned "),
        ("study_type, sample_size", "Sample size", "1204 adults"),
        ("study_type", None, " to synthestatin or placebo in a double-blind trial"),
        ("primary_outcome", "Primary outcome", "death from any cause"),
        ("effect.value", "Effect", "hazard ratio, 0.71"),
        ("effect.interval", "Effect", "95% CI, 0.55 to 0.92"),
        ("p_value", "P value", "P=0.009"),
    ]


def test_a_quote_that_is_absent_from_the_text_is_marked():
    evidence = {"PMID:99000001": {"sample_size": [Evidence(where="abstract", quote="nowhere", start=1, end=8)]}}

    assert read(evidence=evidence).all("span", class_="where")[1] == "abstract: \u201cnowhere\u201d (not found there)"


def test_nothing_in_an_article_becomes_part_of_the_page(whole):
    result = read(**hostile())
    text = "".join(result.text)
    kinds = {(name, key) for name, answer, _ in result.elements for key in answer}

    assert {name for name, _, _ in result.elements} <= {name for name, _, _ in whole.elements}
    assert kinds <= {(name, key) for name, answer, _ in whole.elements for key in answer}
    assert "<script>alert(1)</script>" in text
    assert "javascript:" not in page(report(**hostile()))
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08]", page(report(**hostile())))
    assert "\ufffddesrever\ufffd\ufffd" in text


def test_a_report_without_articles_states_it():
    flow = Flow((("Query 1", 0),), 0, (), 0, 0)
    content = read(rows=(), flow=flow, scores={}, distribution={}, correlations={}, evidence={}, sources=(), notices=())

    assert content.all("h2") == ["Ranking", "From found to ranked", "Search", "Scores", "Method and sources"]
    assert "No article passed the filters." in "".join(content.text)


def test_an_article_without_its_record_is_listed_by_its_number():
    row = dataclasses.replace(ranking()[1].rows[0], candidate=Candidate("PMID:99000001", None, {}, 0.5))
    text = in_line(read(rows=[row]).all("article", id="article-1")[0])

    assert text.startswith("1PMID:99000001 Scores, features and abstract Score 0.500 total")
    assert text.endswith("Extracted features None stated. Abstract PubMed has no abstract of it.")
