"""Journals by title, abbreviation, NLM ID and ISSN; and senseless requests."""

import pytest

from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import ArticleFilters, RankRequest, journal_key, journal_keys
from biofact.sources.pubmed.records import Book
from tests.each_of import each_of
from tests.literature.made_ranking import LANCET, NEJM, TODAY, article, candidate

pytestmark = pytest.mark.quick

HARROW = {"journal": "Nurs Manag (Harrow)", "journal_title": "Nursing management (Harrow, London, England : 1994)"}


def run(candidates, **filters):
    return rank_articles(candidates, RankRequest(filters=filters), {}, today=TODAY)


def order(result):
    return [int(row.candidate.item_id[5:]) - 99000000 for row in result.rows]


def messages(result):
    return [(notice.code, notice.message) for notice in result.notices]


@each_of(
    "name",
    [
        "The New England journal of medicine",
        "NEW ENGLAND JOURNAL OF MEDICINE",
        "new england journal of medicine.",
        "N Engl J Med",
        "N. Engl. J. Med.",
        "n engl j med",
        "0255562",
        "0028-4793",
        "00284793",
        "ISSN 1533-4406",
    ],
)
def test_a_journal_is_known_by_title_abbreviation_nlm_id_and_issn(name):
    assert journal_key(name) in journal_keys(article(99000001, **NEJM))
    assert journal_key(name) not in journal_keys(article(99000001, **LANCET))


@each_of(
    ("name", "facts"),
    [
        ("the lancet", LANCET),
        ("Lancet (London, England)", LANCET),
        ("2985213r", LANCET),
        ("Nursing Management", HARROW),
        ("Nursing management (Harrow, London, England : 1994)", HARROW),
        ("Wireless communications and mobile computing", {"journal": "Wireless communications & mobile computing"}),
        ("Tidsskrift for den Norske Laegeforening", {"journal_title": "Tidsskrift for den Norske lægeforening"}),
        ("Nature Reviews Neuroscience", {"journal_title": "Nature reviews. Neuroscience"}),
        ("Zeitschrift fur Kinder", {"journal_title": "Zeitschrift für Kinder"}),
        ("Womens Health", {"journal_title": "Women\u2019s health"}),
        ("GeneReviews", {"book": Book("GeneReviews(\u00ae)")}),
    ],
)
def test_case_accents_punctuation_and_place_do_not_keep_a_journal_from_being_known(name, facts):
    keys = {key.replace("lægeforening", "laegeforening") for key in journal_keys(article(99000001, **facts))}

    assert journal_key(name) in keys


def test_a_journal_whose_name_only_begins_alike_is_another():
    candidates = run(
        [
            candidate(99000001, **LANCET),
            candidate(99000002, journal="Lancet Oncol", journal_title="The Lancet. Oncology"),
        ],
        journal_whitelist=["Lancet"],
    )

    assert order(candidates) == [1]


def test_a_misspelled_journal_is_named_with_the_likely_one():
    candidates = run([candidate(99000001, **NEJM)], journal_blacklist=["N Engl J Medd"])

    assert messages(candidates) == [
        ("UNMATCHED", "No article is in 'N Engl J Medd', named in journal_blacklist. Is 'N Engl J Med' meant?")
    ]


@each_of(
    ("query", "words"),
    [
        ({"min_score_threshold": 70}, "min_score_threshold is 70; expected a number from 0 to 1."),
        ({"min_score_threshold": float("nan")}, "min_score_threshold is nan; expected a number from 0 to 1."),
        ({"min_score_threshold": True}, "min_score_threshold is True; expected a number from 0 to 1."),
        ({"max_results": 0}, "max_results is 0; expected a whole number from 1 to 10000."),
        ({"max_results": 2.5}, "max_results is 2.5; expected a whole number from 1 to 10000."),
        ({"filters": {"min_citation_count": -1}}, "min_citation_count is -1; expected a whole number, 0 or more."),
        ({"filters": {"min_citation_count": True}}, "min_citation_count is True; expected a whole number, 0 or more."),
        ({"filters": {"from_year": "soon"}}, "A year is 'soon'; expected a whole number from 1500 to 2200."),
        (
            {"filters": {"from_year": 2021, "to_year": 2020}},
            "from_year is 2021 and to_year is 2020; no year lies between them.",
        ),
        (
            {"filters": {"journal_whitelist": ["BMJ", " . "]}},
            "journal_whitelist holds ' . '; expected a journal's title, abbreviation, NLM ID or ISSN.",
        ),
        (
            {"filters": {"journal_blacklist": 7}},
            "journal_blacklist is 7; expected a list of journals, such as ['N Engl J Med', '0028-4793'].",
        ),
        (
            {"filters": {"journal_whitelist": ["The BMJ"], "journal_blacklist": ["bmj."]}},
            "'The BMJ' stands in journal_whitelist and in journal_blacklist; take it out of one.",
        ),
        (
            {"filters": {"journal_white_list": ["BMJ"]}},
            "There is no option 'journal_white_list'. Is 'journal_whitelist' meant?",
        ),
        ({"ranking_criteria": {"boost": True}}, "There is no option 'boost'."),
        ({"output_format": "short"}, "'summary', 'detailed' or 'analysis_ready'"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_in_a_sentence(query, words):
    with pytest.raises(ValueError) as raises:
        RankRequest(**query)

    assert words in str(raises.value)


def test_one_journal_may_be_given_without_a_list_and_is_kept_once():
    assert ArticleFilters(journal_whitelist="BMJ").journal_whitelist == ["BMJ"]
    assert ArticleFilters(journal_whitelist=["BMJ ", "BMJ"]).journal_whitelist == ["BMJ"]


def test_of_many_unknown_journals_the_first_are_compared():
    result = run([candidate(99000001, **NEJM)], journal_blacklist=[f"N Engl J Med{place}" for place in range(30)])

    assert ["meant?" in message for _, message in messages(result)] == [True] * 20 + [False] * 10
