"""P-values, effect estimates and their intervals."""

import pytest

from biofact.literature.extraction.fields import read_fields
from biofact.literature.extraction.fields.effects import direction
from biofact.literature.extraction.fields.p_values import all_p_values
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.each_of import each_of
from tests.literature.made_articles import article_stating

pytestmark = pytest.mark.quick


def read(abstract, *fields):
    article = CanonicalPubMedArticle(
        id="PMID:1", title="A study.", abstract=abstract, publication_types=["Clinical Trial"]
    )
    return read_fields(article, fields)


def first_p(abstract):
    """The first p-value of all that are stated, whatever it is of."""
    findings = [finding for _, finding in all_p_values(Document(article_stating(abstract)))]
    return (findings[0].value["operator"], findings[0].value["value"]) if findings else None


@each_of(
    ("text", "operator", "value"),
    [
        ("(P < 0.001)", "<", 0.001),
        ("(p=.044)", "=", 0.044),
        ("(p = 0·03)", "=", 0.03),
        ("(P ≤ 0.05)", "<=", 0.05),
        ("(p > 0.05)", ">", 0.05),
        ("(P less than .05)", "<", 0.05),
        ("(P < or = 0.01)", "<=", 0.01),
        ("(P value = 0.02)", "=", 0.02),
        ("(p-value: 0.02)", "=", 0.02),
        ("with a P value of 0.004", "=", 0.004),
        ("(p-values < 0.01)", "<", 0.01),
        ("(P for trend = 0.03)", "=", 0.03),
        ("(ptrend=0.048)", "=", 0.048),
        ("(P for interaction = .21)", "=", 0.21),
        ("(Pinteraction = 0.6)", "=", 0.6),
        ("(P = 2 \u00d7 10-8)", "=", 2e-8),
        ("(p=3.1 x 10(-5))", "=", 3.1e-5),
        ("(P = 1.2e-5)", "=", 1.2e-5),
        ("(P=4\u00d710\u22129)", "=", 4e-9),
        ("(all P < 0.05)", "<", 0.05),
        ("(ps < .01)", "<", 0.01),
        ("(adjusted p = 0.01)", "=", 0.01),
        ("(p<0,05)", "<", 0.05),
        ("(p = 1.0)", "=", 1.0),
        ("(P was 0.07)", "=", 0.07),
    ],
)
def test_p_values_are_read_in_every_spelling(text, operator, value):
    sign, number = first_p(f"RESULTS: Pain fell more with the drug {text}.")

    assert sign == operator
    assert number == pytest.approx(value)


@each_of(
    "abstract",
    [
        "METHODS: Significance was set at p < 0.05.",
        "METHODS: A p-value < 0.05 was considered statistically significant.",
        "METHODS: With three comparisons a p-value < 0.017 was considered statistically significant.",
        "We followed 212 adults. P values less than 0.05 were considered significant. Mortality was lower.",
        "METHODS: P values below 0.05 were regarded as significant.",
        "METHODS: The significance level was P < 0.01.",
        "METHODS: A P value of 0.03 was considered significant.",
        "RESULTS: A p-value < 0.02 was regarded as significant.",
        "RESULTS: Significance was set at P < 0.01 for all tests.",
        "METHODS: Variables with p < 0.1 were entered into the multivariate model.",
        "RESULTS: SNPs reached genome-wide significance (P < 5 \u00d7 10-8).",
        "RESULTS: The p53 protein rose 2-fold at a pH of 7.",
        "RESULTS: We gave 5 mg p.o. to 12 patients.",
        "BACKGROUND: An earlier trial found a difference (P = 0.01).",
        "RESULTS: Loss of chromosome 17p 13 was seen in 4.",
        "RESULTS: Page p. 12 of the form was left out.",
    ],
)
def test_thresholds_and_other_numbers_are_no_p_values(abstract):
    assert first_p(abstract) is None


def test_the_p_value_of_the_primary_outcome_comes_first():
    abstract = "RESULTS: Age differed (P = 0.9). The primary end point fell (P = 0.02). Costs rose (P < 0.001)."

    finding = read(abstract, "p_value")["p_value"]

    assert finding.value["value"] == 0.02
    assert [other.value["value"] for other in finding.siblings] == [0.9, 0.001]


def test_one_p_can_stand_for_two_numbers():
    finding = read("RESULTS: Scores changed (p = 0.03 and 0.04, respectively).", "p_value")["p_value"]

    assert [finding.value["value"], *(other.value["value"] for other in finding.siblings)] == [0.03, 0.04]


@each_of(
    ("text", "is_significant"),
    [
        ("P = 0.03", True),
        ("P < 0.05", True),
        ("P = 0.2", False),
        ("P > 0.05", False),
        ("P = 0.05", False),
        ("P < 0.1", None),
    ],
)
def test_significance_follows_from_the_p_value(text, is_significant):
    finding = read(f"RESULTS: Pain fell ({text}).", "statistical_significance").get("statistical_significance")

    assert (finding and finding.value) is is_significant
    assert finding is None or finding.is_derived


@each_of(
    ("abstract", "is_significant"),
    [
        ("RESULTS: Pain was significantly lower with zinc.", True),
        ("RESULTS: There was no significant difference in pain.", False),
        ("RESULTS: Pain did not differ significantly.", False),
        ("RESULTS: The difference was statistically significant.", True),
        ("RESULTS: The finding is of great significance.", None),
        ("BACKGROUND: Pain is significantly higher in winter.", None),
    ],
)
def test_significance_is_read_from_words_where_there_is_no_p_value(abstract, is_significant):
    finding = read(abstract, "statistical_significance").get("statistical_significance")

    assert (finding and finding.value) is is_significant


@each_of(
    ("text", "measure", "value", "low", "high"),
    [
        ("(hazard ratio [HR], 0.81; 95% CI, 0.65 to 1.00)", "HR", 0.81, 0.65, 1.0),
        ("(HR 0.40; 95% CI: 0.16-0.98)", "HR", 0.4, 0.16, 0.98),
        ("(adjusted hazard ratio = 1.5, 95% confidence interval [CI] 1.1\u20132.0)", "HR", 1.5, 1.1, 2.0),
        ("(aHR 2.1 [95% CI 1.2, 3.4])", "HR", 2.1, 1.2, 3.4),
        ("(odds ratio, 1.14; 95% confidence interval [CI], 1.00 to 1.30)", "OR", 1.14, 1.0, 1.3),
        ("(OR = 8.87, 95% CI: 2.11-34.78)", "OR", 8.87, 2.11, 34.78),
        ("(OR 1·72 [95% CI 1·07\u20132·78])", "OR", 1.72, 1.07, 2.78),
        ("(RR: 1.98, 95%CI: 1.49 to 2.62)", "RR", 1.98, 1.49, 2.62),
        ("(relative risk 0.7, 95% CI 0.5 and 0.9)", "RR", 0.7, 0.5, 0.9),
        ("(risk ratio 0.7 (0.5-0.9))", "RR", 0.7, 0.5, 0.9),
        ("(mean difference, -3.2; 95% CI, -5.1 to -1.3)", "MD", -3.2, -5.1, -1.3),
        ("(MD \u22123.2, 95% CI \u22125.1 to \u22121.3)", "MD", -3.2, -5.1, -1.3),
        ("(SMD -0.45; 95% CI -0.80--0.10)", "SMD", -0.45, -0.8, -0.1),
        ("(weighted mean difference 2.5; 90% CI 1.0 to 4.0)", "WMD", 2.5, 1.0, 4.0),
        ("(β = 0.25, 95% CI 0.10 to 0.40)", "beta", 0.25, 0.1, 0.4),
        ("(risk difference 3.3%, 95% CI 1.0% to 5.6%)", "RD", 3.3, 1.0, 5.6),
        ("(AUC 0.87; 95% CI 0.80-0.94)", "AUC", 0.87, 0.8, 0.94),
        ("(incidence rate ratio 0.6, 95% CI 0.4 to 0.9)", "IRR", 0.6, 0.4, 0.9),
        ("with a prevalence ratio of 1.3 (95% CI 1.1-1.5)", "PR", 1.3, 1.1, 1.5),
        ("(hazard ratio in the zinc group, 0.79; 95% confidence interval [CI], 0.66 to 0.96)", "HR", 0.79, 0.66, 0.96),
        ("the rate ratio was 0.36 (95% CI, 0.27 to 0.49)", "rate ratio", 0.36, 0.27, 0.49),
    ],
)
def test_estimates_are_read_with_their_intervals(text, measure, value, low, high):
    found_here = read(f"RESULTS: Relapse was less common with the drug {text}.", "effect_size", "confidence_interval")

    effect = found_here["effect_size"].value
    assert (effect["measure"], effect["value"], effect["low"], effect["high"]) == (measure, value, low, high)
    assert found_here["confidence_interval"].value == {"low": low, "high": high, "level": effect["level"]}


@each_of(
    ("text", "measure", "value"),
    [
        ("The odds ratio for having at least one variant was 17.2.", "OR", 17.2),
        ("Weight correlated with height (r = 0.62).", "r", 0.62),
        ("Weight correlated with height (r=-.41).", "r", -0.41),
        ("The correlation coefficient was 0.7.", "r", 0.7),
        ("The area under the curve was 0.91.", "AUC", 0.91),
        ("Sensitivity was 92% and specificity 81%.", "sensitivity", 92),
        ("A sensitivity of 78.5% was reached.", "sensitivity", 78.5),
        ("The effect was small (Cohen's d = 0.2).", "SMD", 0.2),
        ("Agreement was good (kappa = 0.8).", "kappa", 0.8),
        ("Agreement was good (ICC = .85).", "ICC", 0.85),
    ],
)
def test_estimates_without_intervals_are_read(text, measure, value):
    effect = read(f"RESULTS: {text}", "effect_size")["effect_size"].value

    assert (effect["measure"], effect["value"]) == (measure, value)
    assert "low" not in effect


@each_of(
    "abstract",
    [
        "RESULTS: Either 12 or 13 patients came.",
        "RESULTS: The AUC was 1234 ng h/mL after one dose.",
        "RESULTS: The detector has a sensitivity of 10 nM.",
        "RESULTS: There was no difference between 12 and 13 weeks.",
        "METHODS: Odds ratios and 95% confidence intervals were calculated.",
        "BACKGROUND: Smoking has an odds ratio of 3.0 (95% CI 2.0 to 4.0).",
        "RESULTS: Patients in room OR 12 waited longer.",
        "RESULTS: HR was 72.5 beats/min and RR 16 breaths/min.",
        "RESULTS: Response was CR in 4, PR 12 and SD in 3 patients.",
        "RESULTS: HR 68.1 \u00b1 4.2 at rest.",
    ],
)
def test_a_text_without_an_estimate_has_no_effect_size(abstract):
    assert "effect_size" not in read(abstract, "effect_size")


def test_an_interval_is_of_the_nearest_number_that_it_holds():
    finding = read("RESULTS: In 68% of 300 patients seen in 2015 (95% CI 62-74%) pain fell.", "effect_size")[
        "effect_size"
    ]

    assert finding.value == {"measure": "percentage", "value": 68, "low": 62, "high": 74, "level": 95}


def test_the_estimate_of_the_primary_outcome_comes_first():
    abstract = (
        "RESULTS: Death was rarer (RR 0.8; 95% CI 0.6-1.1). The primary outcome was rarer too (RR 0.7; 95% CI 0.5-0.9)."
    )

    finding = read(abstract, "effect_size")["effect_size"]

    assert finding.value["value"] == 0.7
    assert [other.value["value"] for other in finding.siblings] == [0.8]


@each_of(
    ("text", "treatment", "way"),
    [
        ("Colds were fewer (HR 0.74, 95% CI 0.60-0.90) in favour of zinc.", "zinc", "lower"),
        (
            "The difference favored the control group (mean difference 1.2, 95% CI 0.3 to 2.1).",
            "control group",
            "higher",
        ),
        ("Colds were alike (RR 0.97, 95% CI 0.80-1.20).", None, "none"),
        ("Colds were longer (SMD 0.4, 95% CI 0.1 to 0.7).", None, "higher"),
        ("The risk of colds was low (odds ratio 0.6).", None, "lower"),
    ],
)
def test_an_effect_keeps_its_direction_as_stated(text, treatment, way):
    finding = read(f"RESULTS: {text}", "effect_size")["effect_size"]

    assert finding.value.get("favours") == treatment
    assert direction(finding.value) == way
    assert treatment is None or treatment in finding.evidence[0].quote


def test_the_treatment_that_one_estimate_favours_is_not_given_to_another():
    text = "RESULTS: HR 0.74 (95% CI 0.6-0.9) favouring zinc, and OR 1.2 (95% CI 0.8-1.4) for fever."
    first = read(text, "effect_size")["effect_size"]

    assert first.value["favours"] == "zinc"
    assert "favours" not in first.siblings[0].value


def test_accuracy_has_no_direction():
    assert direction({"measure": "AUC", "value": 0.9}) is None
