"""Promises of every rule: evidence quotes the article, nothing crashes, nothing is slow."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biofact.literature.extraction.fields import FIELDS, read_fields
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle, DataBank, MeshHeading
from tests.each_of import each_of
from tests.processor_time import least_seconds

pytestmark = pytest.mark.quick

ABSTRACT = (
    "BACKGROUND: Zinc may help.\nOBJECTIVE: To assess the effect of zinc on the length of colds in adults.\n"
    "METHODS: In this 12-week trial 120 adults with colds (N = 120) were randomly assigned to zinc (n = 60) or placebo "
    "(n = 60). The primary outcome was days of illness. Significance was set at p < 0.05.\n"
    "RESULTS: Colds were shorter with zinc (mean difference -1.5 days; 95% CI -2.5 to -0.5; P = 0.004). "
    "Costs were equal (P = 0.6). The code is freely available at https://github.com/example/colds.\n"
    "LIMITATIONS: Only one centre took part.\nTRIAL REGISTRATION: NCT01234567."
)
WORDS = [
    "p",
    "<",
    "=",
    "0.05",
    "(",
    ")",
    "[",
    "]",
    "patients",
    "women",
    "were",
    "randomly",
    "assigned",
    "to",
    "placebo",
    "or",
    "control",
    "versus",
    "hazard",
    "ratio",
    "95%",
    "CI",
    "1.2",
    "to",
    "3.4",
    ",",
    ".",
    ";",
    ":",
    "n",
    "=",
    "12",
    "compared",
    "with",
    "effect",
    "of",
    "on",
    "the",
    "and",
    "in",
    "between",
    "association",
    "twenty",
    "hundred",
    "follow-up",
    "3",
    "years",
    "limitations",
    "this",
    "study",
    "primary",
    "outcome",
    "was",
    "METHODS:",
    "RESULTS:",
    "mice",
    "cells",
    "a",
    "40-year-old",
    "man",
    "İ",
    "ß",
    "ﬁ",
    "\u00d7",
    "\u2212",
    "\u2013",
    "\n",
    "NCT01234567",
    "available",
    "data",
    "code",
    "A",
    "case",
]
HOSTILE = {
    "one letter": "a" * 50_000,
    "blanks": " " * 50_000,
    "open brackets": "(" * 50_000,
    "nested": "( a " * 12_000,
    "p": "p " * 25_000,
    "digits": "1" * 50_000,
    "groups": "1," * 25_000,
    "n": "n = 12 " * 7_000,
    "randomised": "randomly assigned to " * 2_500,
    "effects": "effect of " * 5_000,
    "versus": "x versus " * 5_000,
    "number words": "one hundred and " * 3_300,
    "counts": "12 patients " * 4_000,
    "intervals": "95% CI 1.2 to 3.4; HR 1.2 " * 2_000,
    "p-values": "p = 0.05 and " * 4_000,
    "sections": "A: b.\n" * 8_000,
    "measures": "hazard ratio " * 4_000,
    "whether": "whether " * 6_000,
    "outcomes": "primary outcome was " * 2_500,
    "dashes": "-" * 50_000,
    "between": "association between " * 2_600,
    "followed": "followed for a median of " * 2_000,
    "significant": "significant p " * 3_500,
    "adjectives": "elderly " * 6_000,
    "groups of": "group included 12 patients " * 2_000,
    "sexes": "five male and six female " * 2_000,
    "treatments": "bypass surgery therapy " * 2_200,
    "diseases": "cancer of sepsis " * 3_000,
    "roles": "role of x in y " * 3_300,
    "compare": "compare x to y " * 3_300,
    "induced": "stress-induced " * 3_300,
    "follow-ups": "follow-up mean " * 3_300,
    "inhibition": "inhibition of x by " * 2_600,
    "aims": "to evaluate whether " * 2_500,
}


def article(abstract: str, title: str = "Zinc for colds.", types: tuple[str, ...] = ()) -> CanonicalPubMedArticle:
    return CanonicalPubMedArticle(
        id="PMID:1",
        title=title,
        abstract=abstract,
        publication_types=["Journal Article", *types],
        mesh=[MeshHeading(name="Humans", is_major=False)],
        data_banks=[DataBank(name="ClinicalTrials.gov", accessions=["NCT01234567"])],
    )


def evidence_of(finding: Finding) -> Iterator:
    yield from finding.evidence
    for other in finding.siblings:
        yield from evidence_of(other)


def assert_grounded(article: CanonicalPubMedArticle) -> None:
    texts = {"title": article.title, "abstract": article.abstract or ""}
    entries = {
        "publication_types": article.publication_types,
        "mesh": [heading.name for heading in article.mesh],
        "data_banks": [text for bank in article.data_banks for text in (bank.name, *bank.accessions)],
        "keywords": article.keywords,
    }
    for finding in read_fields(article, FIELDS).values():
        assert finding.evidence
        for evidence in evidence_of(finding):
            if evidence.where in texts:
                assert texts[evidence.where][evidence.start : evidence.end] == evidence.quote
                assert evidence.quote
            else:
                assert evidence.quote in entries[evidence.where]


def test_a_whole_abstract_is_read():
    values = {
        name: finding.value
        for name, finding in read_fields(article(ABSTRACT, types=("Randomized Controlled Trial",)), FIELDS).items()
    }

    assert values["study_type"] == "randomized controlled trial"
    assert values["sample_size"] == 120
    assert values["p_value"] == {"operator": "=", "value": 0.004, "text": "P = 0.004"}
    assert values["statistical_significance"] is True
    assert values["effect_size"] == {"measure": "MD", "value": -1.5, "low": -2.5, "high": -0.5, "level": 95}
    assert values["confidence_interval"] == {"low": -2.5, "high": -0.5, "level": 95}
    assert values["population"] == "adults with colds"
    assert values["intervention"] == "zinc"
    assert values["comparator"] == "placebo"
    assert values["outcome"] == "length of colds"  # as its title has it; its measure is days of illness
    assert values["follow_up"] == {"value": 12, "unit": "week", "text": "12-week"}
    assert values["registration"] == ["NCT01234567"]
    assert values["code_availability"]["url"] == "https://github.com/example/colds"
    assert values["limitations"] == "Only one centre took part"
    assert "data_availability" not in values


def test_only_what_is_asked_is_read():
    assert set(read_fields(article(ABSTRACT), ["sample_size", "novelty"])) == {"sample_size"}


def test_an_article_without_abstract_states_little():
    bare = CanonicalPubMedArticle(id="PMID:1", title="Zinc.")

    assert read_fields(bare, FIELDS) == {}


@each_of("kind", ["Randomized Controlled Trial", "Case Reports", "Meta-Analysis", "Observational Study"])
def test_evidence_quotes_the_article(kind):
    assert_grounded(article(ABSTRACT, types=(kind,)))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(
    st.lists(st.sampled_from(WORDS), max_size=80).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join),
    st.sampled_from(
        ["Randomized Controlled Trial", "Case Reports", "Meta-Analysis", "Observational Study", "Review", "Letter"]
    ),
)
def test_evidence_quotes_any_article_of_such_words(abstract, title, kind):
    assert_grounded(article(abstract, title, (kind,)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(max_size=400), st.text(max_size=80))
def test_no_text_breaks_a_rule(abstract, title):
    assert_grounded(article(abstract, title))


def seconds(abstract, title, enough=0.0):
    """Processor time that all rules take for an article."""

    def find_all():
        document = Document(article(abstract, title))
        for finder in (field.find for field in FIELDS.values()):
            document.cached(finder)

    return least_seconds(find_all, enough)


def growth(abstract, title, enough=2.0):
    """How many times as long all rules take for the text as for an eighth of it: 8 is linear, 64 by squares.

    One that takes no more than ``enough`` seconds is not measured further. A slow or busy machine slows both.
    """
    if (whole := seconds(abstract, title, enough)) < enough:
        return 0.0
    return whole / seconds(abstract[: len(abstract) // 8], title[: len(title) // 8])


@pytest.mark.sweep
@each_of("name", HOSTILE)
def test_no_text_makes_a_rule_slow(name):
    text = HOSTILE[name]

    assert growth(text, "") < 24
    assert growth("x", text) < 24


def test_an_article_takes_a_few_milliseconds():
    trial = article(ABSTRACT, types=("Randomized Controlled Trial",))

    def read_twenty():
        for _ in range(20):
            read_fields(trial, FIELDS)

    assert least_seconds(read_twenty, 0.4) < 0.4  # some 2 ms each here; a slow machine may take ten times as long
