"""Which result is the study's, and what is no result or no size: one test for each kind."""

import pytest

from biofact.literature.extraction.fields import read_fields
from tests.each_of import each_of
from tests.literature.made_articles import article_stating

pytestmark = pytest.mark.quick

PRIMARY = "METHODS: The primary outcome was mortality. RESULTS: "
LONG = " The study was carried out in several centres, and its methods were those of the field." * 5


def read(abstract, field, **facts):
    finding = read_fields(article_stating(abstract, **facts), [field]).get(field)
    return finding and finding.value


def p_of(abstract):
    value = read(PRIMARY + abstract, "p_value")
    return value and value["value"]


@each_of(
    ("abstract", "value"),
    [
        ("Age did not differ (P = 0.61). Mortality was lower with zinc (P = 0.01).", 0.01),
        ("Baseline mortality risk was alike (P = 0.7); deaths were fewer with zinc (P = 0.02).", 0.02),
        ("In a subgroup of women mortality fell (P = 0.001). Mortality was lower (P = 0.03).", 0.03),
        ("Mortality was lower (P for interaction = 0.4; P = 0.04).", 0.04),
        ("No baseline differences were seen (P = 0.61) but mortality was lower with zinc (P = 0.01).", 0.01),
        ("Patients older than 60 years had lower mortality with zinc (P = 0.01).", 0.01),
        ("Pain fell (P = 0.001). Mortality was unchanged (P = 0.8).", 0.8),
        ("Mortality fell from 12 to 9 %, P  =  0\u00b704, with zinc.", 0.04),
    ],
)
def test_the_p_value_is_that_of_the_primary_outcome(abstract, value):
    assert p_of(abstract) == value


@each_of(
    "abstract",
    [
        "Pain fell (P = 0.01). Sleep did not change (P = 0.8).",
        "The odds ratio for death was 1.02.",
        "P for trend = 0.01.",
    ],
)
def test_no_significance_is_stated_where_none_can_be_known(abstract):
    assert read(f"RESULTS: {abstract}", "statistical_significance", title="Zinc") is None


@each_of(
    "results",
    [
        (
            "Mortality was 12% with zinc, 9% with placebo (unadjusted RR 1.33; 95% CI 1.05-1.68); after adjustment for "
            "age the RR was 1.10 (95% CI 0.85-1.42)."
        ),
        "Mortality was similar (RR 1.10; 95% CI 0.85-1.42). Restricted to women it was not (RR 1.3; 95% CI 1.1-1.6).",
    ],
)
def test_the_analysis_that_counts_is_adjusted_and_of_the_whole_population(results):
    assert read(PRIMARY + results, "effect_size")["value"] == 1.1
    assert read(PRIMARY + results, "statistical_significance") is False


def test_an_interval_decides_on_its_own_quote():
    finding = read_fields(
        article_stating(PRIMARY + "Mortality was lower (HR 0.74; 95% CI 0.55-0.98; P < 0.10)."),
        ["statistical_significance"],
    )["statistical_significance"]

    assert finding.value is True
    assert "0.55-0.98" in finding.evidence[0].quote


def test_a_number_behind_a_ratio_is_another_only_with_a_point_and_no_other_measure():
    rows = read_fields(
        article_stating(
            "RESULTS: The hazard ratio for death was 0.7 (0.5-0.9); pain occurred in 45% (40-50) and median stay was "
            "7.1 days (5.0-9.0). The odds ratio of relapse was 1.5 (1.2-1.9) for men and 1.1 (0.9-1.3) for women."
        ),
        ["outcome_results"],
    )["outcome_results"].series

    assert [row.value["effect"]["value"] for row in rows if "effect" in row.value] == [0.7, 1.5, 1.1]


@each_of(
    ("abstract", "size"),
    [
        ("Of 612 invited, 233 replied, 187 were assessed for eligibility and 142 were randomised.", 142),
        ("4097 patients were screened; 1563 were eligible and 1208 were randomised, of whom 1194 consented.", 1208),
        ("A total of 900 patients were screened between 2010 and 2012, of whom 310 patients were treated.", 310),
        ("We enrolled 120 patients; 12 were lost to follow-up.", 120),
        ("3234 adults without diabetes were randomly assigned to zinc or placebo.", 3234),
        ("120 patients received zinc and were assessed for pain.", 120),
        ("We identified 12345 patients with colds in a national registry.", 12345),
        ("683 patients were prescreened; 94 were enrolled and 91 received at least one dose.", 94),
        ("After consent, 89 were randomly assigned to zinc and 92 to placebo.", 181),
    ],
)
def test_the_size_is_that_of_the_study_and_not_of_who_was_asked(abstract, size):
    assert read(f"METHODS: {abstract}{LONG}", "sample_size", publication_types=["Randomized Controlled Trial"]) == size


@each_of(
    ("title", "types", "kind"),
    [
        ("Correction: Zinc for colds", ["Journal Article"], None),
        ("Correction for motion artefacts: a randomised trial", ["Randomized Controlled Trial"], "randomized"),
        ("[Retraction: Zinc for colds]", ["Journal Article"], None),
        ("Zinc for colds: a randomised trial", ["Published Erratum", "Randomized Controlled Trial"], None),
        ("Zinc for colds: a randomised trial", ["Letter", "Randomized Controlled Trial"], "randomized"),
    ],
)
def test_a_correction_is_no_study_but_a_study_may_be_of_corrections(title, types, kind):
    study_type = read("METHODS: 120 patients were randomised.", "study_type", title=title, publication_types=types)

    assert study_type == kind or str(study_type).startswith(str(kind))
