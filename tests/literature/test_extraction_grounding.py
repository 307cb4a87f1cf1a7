"""Claims and their quotes: a claim without support in the article is dropped."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.grounding import ArticleTexts, QuotedClaim, ground
from biofact.literature.extraction.schema import SchemaField
from biofact.literature.extraction.text.numbers import written_numbers
from biofact.literature.extraction.text.vocabulary import STOP_WORDS
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.each_of import each_of
from tests.literature.made_articles import COHORT, TRIAL

pytestmark = pytest.mark.quick

ANY = SchemaField("x", "x", "any")
ABSTRACT = TRIAL.abstract or ""


def grounded_value(
    value: Any, quote: str, part: str = "abstract", *, derived: bool = False, field: SchemaField = ANY
) -> Any:
    return ground(ArticleTexts(TRIAL), QuotedClaim(value, quote, part, derived), field)


def test_a_value_stands_on_the_span_of_its_quote() -> None:
    finding = grounded_value(822, "822 patients")

    (evidence,) = finding.evidence
    assert (evidence.where, evidence.quote) == ("abstract", "822 patients")
    assert ABSTRACT[evidence.start : evidence.end] == "822 patients"


@each_of(
    "quote",
    ["hazard ratio, 0.74; 95% CI, 0.52-1.05", "HAZARD  RATIO, 0·74; 95 % ci, 0·52—1·05", "hazard\nratio, 0·74"],
)
def test_blanks_dashes_points_and_capitals_do_not_count_and_the_real_text_is_the_evidence(quote: str) -> None:
    finding = grounded_value(0.74, quote)

    (evidence,) = finding.evidence
    assert evidence.quote == ABSTRACT[evidence.start : evidence.end]
    assert evidence.quote.startswith("hazard ratio, 0·74")


@each_of(
    ("value", "quote"),
    [
        (900, "900 patients"),
        (900, "822 patients"),
        (82, "82"),
        (22, "22 patients"),
        (-0.09, "P = 0.09"),
        (True, "we tested the code ourselves"),
        (True, ""),
        (True, "of"),
        ("hip fracture", "hip"),
        ("wrist fracture", "hip fracture at 24 months"),
        ("hip fracture at 12 months", "hip fracture at 24 months"),
        ("significant", "significant"),
        ("significant effect", "not significant"),
        ("the", "the"),
        (822, ABSTRACT * 3),
    ],
)
def test_a_value_without_support_in_the_text_is_dropped(value: Any, quote: str) -> None:
    assert grounded_value(value, quote) is None


@each_of(
    ("value", "quote"),
    [
        ("hip fractures", "hip fracture at 24 months"),
        ("randomized", "randomly assigned"),
        ("not significant", "The effect was not significant"),
        ("822 patients with osteoporosis", "822 patients with osteoporosis"),
        (0.95, "95% CI"),
        (True, "Code is available at https://github.com/example/falls"),
    ],
)
def test_stems_and_readings_of_numbers_are_allowed(value: Any, quote: str) -> None:
    assert grounded_value(value, quote).value == value


def test_a_quote_may_leave_something_out() -> None:
    finding = grounded_value("vitamin D or placebo", "to vitamin D ... or placebo")

    assert [evidence.quote for evidence in finding.evidence] == ["to vitamin D", "or placebo"]
    assert grounded_value("vitamin D or placebo", "or placebo ... to vitamin D") is None


def test_a_sum_must_be_marked_as_one_and_its_addends_quoted() -> None:
    quote = "vitamin D (n = 412) or placebo (n = 410)"

    assert grounded_value(822, quote) is None
    assert grounded_value(822, quote, derived=True).is_derived
    assert grounded_value(823, quote, derived=True) is None
    assert not grounded_value(412, quote, derived=True).is_derived


def test_a_field_of_the_record_can_hold_a_value() -> None:
    (evidence,) = grounded_value(
        "randomized controlled trial", "Randomized Controlled Trial", "publication_types"
    ).evidence
    (bank,) = grounded_value("NCT90000001", "NCT90000001", "data_banks.accessions").evidence

    assert evidence.model_dump() == {"where": "publication_types", "quote": "Randomized Controlled Trial"}
    assert bank.where == "data_banks"
    assert grounded_value(2021, "2021", "year").evidence[0].where == "year"
    assert grounded_value("Case Reports", "Case Reports", "publication_types") is None
    assert grounded_value("822", "822", "title").evidence[0].where == "abstract"
    assert grounded_value(2021, "2021", "__class__") is None


def test_a_category_of_the_schema_needs_a_quote_and_no_words_of_its_own() -> None:
    field = SchemaField("design", "design", "string", enum=("RCT", "cohort"))

    assert grounded_value("RCT", "We randomly assigned", field=field).value == "RCT"
    assert grounded_value("RCT", "we drew lots", field=field) is None


def test_dates_are_read_by_number_or_name() -> None:
    article = CanonicalPubMedArticle(id="PMID:1", title="x", abstract="From November 5, 2019 to 2020-03-01 we waited.")
    field = SchemaField("when", "when", "date")

    def grounded_date(value: str, quote: str) -> Finding | None:
        return ground(ArticleTexts(article), QuotedClaim(value, quote), field)

    assert grounded_date("2019-11-05", "November 5, 2019")
    assert grounded_date("2019-11", "From November 5, 2019")
    assert grounded_date("2020-03-01", "2020-03-01")
    assert grounded_date("2019-10-05", "November 5, 2019") is None
    assert grounded_date("2019-11-06", "November 5, 2019") is None


@each_of(
    ("text", "readings"),
    [
        ("12 345 adults", {12345.0, 12.0, 345.0}),
        ("1,234", {1234.0}),
        ("0,52", {0.52, 0.0, 52.0}),
        ("45%", {45.0, 0.45}),
        ("-0.5", {-0.5}),
        ("0.4-0.9", {0.4, 0.9}),
        ("2 × 10−8", {2e-8}),  # noqa: RUF001
        ("1.5 million", {1_500_000.0}),
        ("one hundred and forty-two", {142.0}),
        ("ten or twelve", {10.0, 12.0}),
        ("COVID-19 and H1N1", set()),
        ("NCT01234567", set()),
    ],
)
def test_numbers_are_read_as_articles_write_them(text: str, readings: set[float]) -> None:
    assert {number_value for number in written_numbers(text) for number_value in number.readings} == readings


TEXT = "we randomly assigned patients not significant no effect 12 1,234 0.5 45% (n = 7) and placebo-controlled İ ß ﬁ é"
WORDS = st.sampled_from(TEXT.split())
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
QUOTES = TEXTS | st.text(max_size=12)
VALUES = st.integers(0, 20) | st.floats(0, 2) | TEXTS | st.text(max_size=8) | st.booleans()


@settings(deadline=None, derandomize=True)
@given(title=TEXTS, abstract=TEXTS, quote=QUOTES, value=VALUES, derived=st.booleans())
def test_every_accepted_quote_is_in_the_text(title: str, abstract: str, quote: str, value: Any, derived: bool) -> None:
    article = CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract)

    finding = ground(ArticleTexts(article), QuotedClaim(value, quote, "abstract", derived), ANY)

    if finding is None:
        return
    texts = {"title": title, "abstract": abstract}
    assert finding.evidence
    for evidence in finding.evidence:
        assert evidence.quote == texts[evidence.where][evidence.start : evidence.end]
    quoted = " ".join(evidence.quote for evidence in finding.evidence)
    if isinstance(value, int | float) and not isinstance(value, bool) and not finding.is_derived:
        assert any(
            number_value == pytest.approx(value)
            for number in written_numbers(quoted)
            for number_value in number.readings
        )
    if isinstance(value, str) and value.isascii() and value.isalpha() and value.lower() not in STOP_WORDS:
        assert value[:4].lower() in quoted.lower()


@settings(deadline=None, derandomize=True)
@given(
    st.lists(st.text("abé12-", min_size=1, max_size=4), min_size=1, max_size=8), st.integers(0, 7), st.integers(1, 8)
)
def test_whole_words_of_a_text_are_always_found(words: list[str], first: int, count: int) -> None:
    quote = " ".join(words[first : first + count] or words)
    article = CanonicalPubMedArticle(id="PMID:1", title=" ".join(words), abstract=COHORT.abstract)

    place = next(ArticleTexts(article).places(quote.upper(), "title"))

    ((start, end),) = place.spans
    assert "".join(place.source.text[start:end].split()) == "".join(quote.split())
