"""Population, intervention, comparator and outcome as short phrases."""

import pytest

from biofact.literature.extraction.fields import read_fields
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.each_of import each_of

pytestmark = pytest.mark.quick

TRIAL = ("Randomized Controlled Trial",)


def read(field, title, abstract="", types=TRIAL):
    article = CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract or None, publication_types=list(types))
    finding = read_fields(article, [field]).get(field)
    return finding and finding.value


@each_of(
    ("title", "abstract", "value"),
    [
        ("Zinc in children with asthma.", "", "children with asthma"),
        ("Zinc in postmenopausal women: a trial.", "", "postmenopausal women"),
        ("Zinc for colds.", "METHODS: We enrolled 90 adults with a cold.", "adults with a cold"),
        ("Zinc in patients undergoing hip surgery.", "", "patients undergoing hip surgery"),
        ("Zinc in infants aged 2 to 15 months.", "", "infants aged 2 to 15 months"),
        ("Zinc for the treatment of chronic hepatitis C: a trial.", "", "chronic hepatitis C"),
        ("Zinc and sleep.", "METHODS: In all, 90 patients took part.", None),
        ("Zinc.", "METHODS: We excluded patients with gout. We enrolled 90 adults with asthma.", "adults with asthma"),
    ],
)
def test_the_population_is_the_distinguishing_phrase(title, abstract, value):
    assert read("population", title, abstract) == value


@each_of("animals", ["adult rat", "rats", "mice"])
def test_animals_are_populations(animals):
    assert read("population", f"Salt and stroke in {animals}.", types=()) == animals


@each_of(
    ("title", "abstract", "intervention", "comparator"),
    [
        ("Effect of zinc on sleep quality in adults.", "", "zinc", None),
        ("The effects of vitamin D supplementation on bone density.", "", "vitamin D supplementation", None),
        ("Randomized trial of zinc versus iron for anaemia.", "", "zinc", "iron"),
        ("Rivaroxaban versus warfarin in atrial fibrillation.", "", "Rivaroxaban", "warfarin"),
        ("[Treatment of fractures with external fixators].", "", "external fixators", None),
        ("Early versus late surgery for cataract.", "", "Early versus late surgery", "late surgery"),
        ("Zinc compared with placebo in gout.", "", "Zinc", "placebo"),
        ("Efficacy of oral zinc in adults with colds.", "", "oral zinc", None),
        ("Yoga for improving balance in older people.", "", "Yoga", None),
        ("A trial.", "METHODS: Patients were randomly assigned to receive zinc or placebo.", "zinc", "placebo"),
        ("A trial.", "OBJECTIVE: To compare zinc with iron.", "zinc", "iron"),
        ("A trial.", "OBJECTIVE: To assess the effect of zinc on mood in adults.", "zinc", None),
        ("Does zinc reduce pain in adults?", "", "zinc", None),
    ],
)
def test_trials_name_what_was_compared(title, abstract, intervention, comparator):
    assert read("intervention", title, abstract) == intervention
    assert read("comparator", title, abstract) == comparator


@each_of(
    ("title", "abstract", "outcome"),
    [
        ("Effect of zinc on sleep quality in adults.", "", "sleep quality"),
        ("The effects of vitamin D supplementation on bone density: a trial.", "", "bone density"),
        ("Yoga for improving balance in older people.", "", "balance"),
        ("Does zinc reduce pain in adults?", "", "pain"),
        ("Rivaroxaban versus warfarin in atrial fibrillation.", "", None),
        ("Efficacy of oral zinc in adults with colds.", "", None),
        ("Coffee intake is associated with lower mortality.", "", "mortality"),
        ("Prevalence of gout in farmers.", "", "Prevalence of gout"),
        ("Perceived stress among welders.", "", "Perceived stress"),
        ("A trial.", "OBJECTIVE: To assess the effect of zinc on mood in adults.", "mood"),
        ("A trial.", "METHODS: The primary end point was overall survival.", "overall survival"),
        ("A study.", "OBJECTIVE: To compare two approaches in adults.", None),
    ],
)
def test_the_outcome_is_what_was_measured(title, abstract, outcome):
    assert read("outcome", title, abstract) == outcome


@each_of(
    ("title", "intervention"),
    [
        ("Association between coffee and stroke in nurses.", "coffee"),
        ("Association of coffee intake with risk of stroke.", "coffee intake"),
        ("Coffee intake is associated with lower mortality.", "Coffee intake"),
        ("Outcomes after hip replacement in women.", "hip replacement"),
    ],
)
def test_observational_studies_name_the_exposure(title, intervention):
    assert read("intervention", title, types=("Observational Study",)) == intervention


def test_controls_are_the_comparator_of_a_case_control_study():
    abstract = "METHODS: We compared 60 patients with gout and 50 age-matched controls."

    assert read("comparator", "Gout: a case-control study.", abstract, ()) == "age-matched controls"


def test_a_drug_that_inhibits_is_the_intervention_of_a_bench_study():
    abstract = "HeLa cell lines were transfected with plasmids in vitro; western blot was used."

    assert read("intervention", "S-123 inhibits calcium uptake.", abstract, ()) == "S-123"


@each_of("field", ["population", "intervention", "comparator", "outcome", "follow_up"])
def test_a_narrative_review_of_a_topic_has_none_of_them(field):
    abstract = (
        "Zinc compared with iron is cheap. The effect of zinc on sleep in patients with gout is reviewed after 5 years."
    )

    assert read(field, "Zinc: an overview.", abstract, ("Review",)) is None


def test_a_phrase_is_never_the_whole_abstract():
    abstract = "OBJECTIVE: To assess the effect of " + "very " * 200 + "long lists on mood."

    value = read("intervention", "A trial.", abstract)

    assert value is None or len(value.split()) <= 15


@each_of(
    ("title", "types", "value"),
    [
        ("Laparoscopic appendectomy in obese farmers.", ("Observational Study",), "Laparoscopic appendectomy"),
        ("Gout of the big toe treated with colchicine injection.", ("Case Reports",), "colchicine injection"),
        ("Quality of life after gastric bypass in adults.", ("Observational Study",), "gastric bypass"),
        ("Recommendations for influenza vaccination in asthma.", ("Guideline",), "influenza vaccination"),
        ("Fever after surgery: a randomized trial.", TRIAL, None),
    ],
)
def test_a_treatment_is_known_by_its_name(title, types, value):
    assert read("intervention", title, types=types) == value


@each_of(
    ("title", "intervention"),
    [
        ("Zinc down-regulates apoptosis in HeLa cell lines.", "Zinc"),
        ("Suppression of tumour growth by curcumin in mice.", "curcumin"),
        ("Kidney injury induced by cisplatin in rats.", "cisplatin"),
    ],
)
def test_bench_studies_name_the_cause(title, intervention):
    abstract = "In vitro and in vivo, rats and mice were treated; cell lines were cultured."

    assert read("intervention", title, abstract, ()) == intervention


def test_the_outcome_is_not_the_intervention_over_again():
    abstract = "OBJECTIVE: To evaluate early resection in adults."

    assert read("intervention", "Early resection in gout.", abstract, ("Observational Study",)) == "Early resection"
    assert read("outcome", "Early resection in gout.", abstract, ("Observational Study",)) is None


@each_of(
    ("text", "value"),
    [
        ("Pain was lower than in those treated as usual, compared with standard care.", "standard care"),
        ("Pain was lower compared with the previous decade.", None),
        ("Pain was lower in men compared with the Tigray region.", None),
    ],
)
def test_a_comparator_says_of_itself_that_it_is_one(text, value):
    assert read("comparator", "A study.", f"RESULTS: {text}", ("Observational Study",)) == value
