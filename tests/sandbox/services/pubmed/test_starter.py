"""The starter articles: their coverage, their consistency, and the marks on our own words."""

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from biofact.sandbox.services.pubmed import corpus
from biofact.sandbox.services.pubmed.corpus import (
    publication_types,
    starter_articles,
    starter_citations,
    starter_descriptors,
)
from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, plain
from biofact.sandbox.services.pubmed.standin import stand_ins

pytestmark = pytest.mark.quick

STARTER = {article.pmid: article for article in starter_articles()}
FIRST_SYNTHETIC_PMID = 99_000_001
LAST_REAL_PMID = 45_000_000
OPPOSITES = {
    "RetractionIn": "RetractionOf",
    "ErratumIn": "ErratumFor",
    "ExpressionOfConcernIn": "ExpressionOfConcernFor",
    "UpdateIn": "UpdateOf",
}

CATEGORIES = {
    *((label, "BACKGROUND") for label in ("BACKGROUND", "INTRODUCTION", "IMPORTANCE")),
    *((label, "OBJECTIVE") for label in ("OBJECTIVE", "AIM")),
    *((label, "METHODS") for label in ("DESIGN", "METHODS", "DATA SOURCES")),
    *((label, "RESULTS") for label in ("RESULTS", "FINDINGS")),
    *((label, "CONCLUSIONS") for label in ("CONCLUSION", "CONCLUSIONS", "INTERPRETATION")),
    *((label, "UNASSIGNED") for label in ("TRIAL REGISTRATION", "FUNDING")),
}
"""Labels of the sections of our abstracts, with NLM's categories."""

STARTER_MARK = "[biofact starter text]"
"""The end of every abstract and note that is ours and not the journal's or NLM's."""


def abstract_of(article: ArticleFacts) -> str:
    return " ".join(plain(passage.text) for passage in article.abstract)


def of_type(name):
    return [article for article in STARTER.values() if name in article.type_names]


def test_there_are_enough_articles_of_every_kind():
    kinds = ("Randomized Controlled Trial", "Meta-Analysis", "Review", "Systematic Review", "Practice Guideline")

    assert len(STARTER) >= 90
    assert all(len(of_type(name)) >= 2 for name in (*kinds, "Case Reports", "Validation Study", "Observational Study"))
    assert all(
        of_type(name) for name in ("Preprint", "Expression of Concern", "Editorial", "Letter", "Equivalence Trial")
    )
    assert len([article for article in STARTER.values() if article.book]) == 3


def test_studies_of_every_design_are_reported(subtests):
    for words in ["in vitro", "mice", "zebrafish", "rats that", "cohort", "case-control"]:
        with subtests.test(words=words):
            assert any(
                words in f"{plain(article.title)} {abstract_of(article)}".lower() for article in STARTER.values()
            )


def test_every_abstract_ends_with_our_mark():
    starter = [article for article in STARTER.values() if article.abstract]

    assert len(starter) > 70
    assert all(article.abstract[-1].text.endswith(f" {STARTER_MARK}") for article in starter)
    assert all(text.endswith(STARTER_MARK) for article in starter for _, _, text in article.other_abstracts)
    assert all(
        starter_descriptor.scope_note.endswith(STARTER_MARK)
        for starter_descriptor in starter_descriptors()
        if starter_descriptor.scope_note
    )


def test_abstracts_state_what_readers_look_for(subtests):
    cases = [
        r"P\s?(?:=|&lt;|<)\s?0?\.\d+",
        r"hazard ratio|HR",
        r"odds ratio|OR \d",
        r"95% (?:CI|confidence interval)",
        r"95 percent confidence interval",
        r"\bn ?= ?\d+",
        r"\d[, ]\d{3}",
        r"NCT\d{8}",
        r"PROSPERO",
        r"margin of non-inferiority",
        r"median follow-up",
        r"compared with",
        r"placebo",
    ]
    for form in cases:
        with subtests.test(form=form):
            assert any(re.search(form, abstract_of(article), re.IGNORECASE) for article in STARTER.values())


def test_synthetic_articles_are_out_of_the_range_of_real_ones():
    for pmid, article in STARTER.items():
        is_real = int(pmid) < LAST_REAL_PMID
        assert is_real or int(pmid) >= FIRST_SYNTHETIC_PMID
        assert is_real == (not article.source.startswith(("Synth ", "The Biofact")))
        assert is_real != article.one_id("doi").startswith("10.5555/biofact.") or not article.one_id("doi")


def test_publications_point_at_each_other():
    for pmid, article in STARTER.items():
        for relation in article.relations:
            other = STARTER.get(relation.pmid)
            if other and relation.kind in OPPOSITES:
                assert pmid in other.pmids(OPPOSITES[relation.kind]), (pmid, relation)

    assert STARTER["9500320"].pmids("RetractionIn") == ["20137807"]
    assert STARTER["20137807"].pmids("RetractionOf") == ["9500320"]
    assert len([item for item in STARTER.values() if item.pmids("ExpressionOfConcernIn")]) == 2


def test_each_id_names_one_article():
    for kind in ("doi", "pmc"):
        values = [value for article in STARTER.values() for value in article.all_ids(kind)]
        assert len(values) == len(set(values)), kind


def test_every_field_of_an_article_is_used_somewhere():
    unused = {
        name
        for name in type(next(iter(STARTER.values()))).__slots__
        if not any(getattr(article, name) for article in STARTER.values())
    }

    assert unused == set()
    assert {passage.category for article in STARTER.values() for passage in article.abstract} >= {
        *("BACKGROUND", "OBJECTIVE", "METHODS", "RESULTS", "CONCLUSIONS", "UNASSIGNED")
    }
    people = [author for article in STARTER.values() for author in article.authors]
    assert all(any(getattr(author, name) for author in people) for name in AuthorFacts.__slots__)


def test_every_form_of_a_date_is_there():
    subs = {re.sub(r"[A-Z][a-z]+", "Aa", re.sub(r"\d", "9", article.published)) for article in STARTER.values()}

    assert subs >= {"9999", "9999 Aa", "9999 Aa 99", "9999 99 99", "9999 99", "9999 Aa-Aa", "9999 Aa-9999 Aa"}
    assert {article.published[5:] for article in STARTER.values()} >= {"Spring", "Summer", "Fall", "Winter"}


def test_initials_are_made_as_medline_makes_them():
    names = {"Steven J M": "SJM", "Jean-Luc": "JL", "E C": "EC", "Poul M F": "PMF", "": "", "Thomaz F S": "TFS"}

    assert {fore: AuthorFacts("X", fore).initials for fore in names} == names
    assert AuthorFacts("Berg", "Jens", "Jr").short == "Berg J Jr"
    assert AuthorFacts(collective="The Group").short == "The Group"


def test_every_wider_publication_type_is_one():
    assert {wider for _, wider in publication_types().values()} - {""} <= set(publication_types())


def test_mesh_descriptors_are_reported_once_and_in_shape():
    descriptors = starter_descriptors()

    assert len(descriptors) >= 80
    assert (
        len({descriptor.ui for descriptor in descriptors})
        == len({descriptor.name for descriptor in descriptors})
        == len(descriptors)
    )
    assert all(re.fullmatch(r"D(\d{6}|\d{9})", descriptor.ui) for descriptor in descriptors)
    numbers = [number for descriptor in descriptors for number in descriptor.tree_numbers]
    assert all(re.fullmatch(r"[A-Z]\d\d(\.\d{3})*", number) for number in numbers)
    assert len(numbers) == len(set(numbers))
    assert len([descriptor for descriptor in descriptors if descriptor.tree_numbers]) > 75


def test_counts_belong_to_starter_articles():
    assert {str(row["pmid"]) for row in starter_citations()} <= set(STARTER)
    assert any(row["relative_citation_ratio"] is None for row in starter_citations())
    assert {row["is_clinical"] for row in starter_citations()} == {True, False}


def test_a_meaningless_row_of_a_file_is_refused(subtests):
    cases = [
        ("colour", "red", "The article 1 cannot be read: "),
        ("mesh", ["No Such Heading"], "The article 1 cannot be read: 'No Such Heading'"),
        ("mesh", ["Humans/no such aspect"], "'no such aspect'"),
        ("types", ["Poem"], "'Poem'"),
        ("journal", "J Nothing", "'J Nothing'"),
        ("authors", [{"name": "Smith"}], "'name'"),
        ("substances", ["Aspirin"], "The article 1 cannot be read: "),
        ("grants", [{"number": "1"}], "'agency'"),
    ]
    for key, answer, message in cases:
        with subtests.test(key=key), pytest.raises(ValueError, match=re.escape(message)):
            corpus.starter_article({"pmid": "1", "title": "x", key: answer})


def test_no_starter_text_is_longer_than_a_note():
    assert max(len(abstract_of(article)) for article in STARTER.values()) < 900


def test_there_is_a_stand_in_for_each_database_and_for_icite():
    pubmed, mesh, icite = stand_ins(Path("nowhere"))

    assert (pubmed.database.name, mesh.database.name, icite.service.name) == ("pubmed", "mesh", "icite")
    assert set(pubmed.database.all_uids()) >= set(STARTER)


def test_texts_are_well_formed_markup():
    for article in STARTER.values():
        texts = (article.title, article.vernacular, article.copyright, article.conflict_of_interest, *article.keywords)
        other_values = (text for _, _, text in article.other_abstracts)
        for text in (*texts, *other_values, *(passage.text for passage in article.abstract)):
            fromstring(f"<text>{text}</text>")


def test_our_own_words_are_marked_at_their_end():
    with_abstract = [article for article in STARTER.values() if article.abstract]

    assert len(with_abstract) > 50
    assert all(article.abstract[-1].text.endswith(f" {STARTER_MARK}") for article in with_abstract)
    assert all(text.endswith(f" {STARTER_MARK}") for article in with_abstract for *_, text in article.other_abstracts)


def test_a_label_has_the_category_that_nlm_gives_it():
    sections = {(part.label, part.category) for article in STARTER.values() for part in article.abstract if part.label}

    assert len(sections) > 10
    assert sections <= CATEGORIES
