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
        ("Zinc for colds.", "METHODS: We enrolled 90 adults with a cold.", "90 adults with a cold"),
        ("Zinc for colds.", "PATIENTS: 351 menopausal patients (mean age, 50 years) with inactive lupus.",
         "351 menopausal patients with inactive lupus"),
        ("Zinc in patients undergoing hip surgery.", "", "patients undergoing hip surgery"),
        ("Zinc in infants aged 2 to 15 months.", "", "infants aged 2 to 15 months"),
        ("Zinc among middle-aged and elderly depressed patients.", "", "middle-aged and elderly depressed patients"),
        ("Zinc for the treatment of chronic hepatitis C: a trial.", "", "chronic hepatitis C"),
        ("Zinc and sleep.", "METHODS: In all, 90 patients took part.", None),
    ],
)  # fmt: skip
def test_the_population_is_the_distinguishing_phrase(title, abstract, value):
    assert read("population", title, abstract) == value


@each_of(
    ("abstract", "value"),
    [
        ("A 20-year-old woman with fever presented to us.", "20-year-old woman with fever"),
        ("We saw a rare case of duodenal fibroid polyp.", "duodenal fibroid polyp"),
        ("A paraplegic patient presented with stones.", "paraplegic patient"),
    ],
)
def test_the_population_of_a_case_report_is_its_patient(abstract, value):
    assert read("population", "A case.", abstract, ("Case Reports",)) == value


@each_of(
    ("title", "abstract", "value"),
    [
        ("Salt and stroke.", "A mouse model of stroke was used in vivo. Mice were fed.", "mouse model of stroke"),
        ("Salt and stroke.", "Salt was given in vivo in an animal model of stroke. Rats were fed.",
         "animal model of stroke"),
        ("Salt and stroke in the adult rat.", "", "adult rat"),
        ("Salt and stroke in a rat.", "Rats were fed in vivo.", "rat"),
    ],
)  # fmt: skip
def test_a_model_in_animals_and_a_single_animal_are_populations(title, abstract, value):
    assert read("population", title, abstract, ()) == value


def test_mice_in_a_cell_paper_are_no_population():
    abstract = "Plasmids were transfected into HeLa cell lines in vitro; western blot of mice with fever."

    assert read("population", "Kinase signalling.", abstract, ()) is None


@each_of(
    ("title", "abstract", "intervention", "comparator", "outcome"),
    [
        ("Effect of zinc on sleep quality in adults.", "", "zinc", None, "sleep quality"),
        (
            "The effects of vitamin D supplementation on bone density: a trial.",
            "",
            "vitamin D supplementation",
            None,
            "bone density",
        ),
        ("Randomized trial of zinc versus iron for anaemia.", "", "zinc", "iron", None),
        ("Rivaroxaban versus warfarin in atrial fibrillation.", "", "Rivaroxaban", "warfarin", None),
        ("[Treatment of fractures with external fixators].", "", "external fixators", None, None),
        ("Early versus late surgery for cataract.", "", "Early versus late surgery", "late surgery", None),
        ("Zinc compared with placebo in gout.", "", "Zinc", "placebo", None),
        ("Efficacy of oral zinc in adults with colds.", "", "oral zinc", None, None),
        ("Yoga for improving balance in older people.", "", "Yoga", None, "balance"),
        ("A trial.", "METHODS: Patients were randomly assigned to receive zinc or placebo.", "zinc", "placebo", None),
        ("A trial.", "OBJECTIVE: To compare zinc with iron.", "zinc", "iron", None),
        ("A trial.", "OBJECTIVE: To assess the effect of zinc on mood in adults.", "zinc", None, "mood"),
        (
            "A trial.",
            "RESULTS: The primary outcome was relapse within one year.",
            None,
            None,
            "relapse within one year",
        ),
        ("A trial.", "METHODS: The primary end point was overall survival.", None, None, "overall survival"),
        (
            "A trial.",
            "METHODS: The primary outcome measure of this study was the occurrence of falls.",
            None,
            None,
            "occurrence of falls",
        ),
        ("A trial.", "MAIN OUTCOME MEASURES: Pain at rest. RESULTS: It fell.", None, None, "Pain at rest"),
        ("Does zinc reduce pain in adults?", "", "zinc", None, "pain"),
    ],
)
def test_trials_name_what_was_compared(title, abstract, intervention, comparator, outcome):
    assert read("intervention", title, abstract) == intervention
    assert read("comparator", title, abstract) == comparator
    assert read("outcome", title, abstract) == outcome


@each_of(
    ("title", "intervention", "outcome"),
    [
        ("Association between coffee and stroke in nurses.", "coffee", "stroke"),
        ("Association of coffee intake with risk of stroke.", "coffee intake", "risk of stroke"),
        ("Coffee intake is associated with lower mortality.", "Coffee intake", "mortality"),
        ("Coffee, tea and risk of stroke.", None, "risk of stroke"),
        ("Prevalence of gout in farmers.", None, "Prevalence of gout"),
        ("Outcomes after hip replacement in women.", "hip replacement", "Outcomes"),
    ],
)
def test_observational_studies_name_exposure_and_outcome(title, intervention, outcome):
    types = ("Observational Study",)

    assert read("outcome", title, types=types) == outcome
    if intervention:
        assert read("intervention", title, types=types) == intervention


def test_controls_are_the_comparator_of_a_case_control_study():
    abstract = "METHODS: We compared 60 patients with gout and 50 age-matched controls."

    assert read("comparator", "Gout: a case-control study.", abstract, ()) == "age-matched controls"


def test_a_drug_that_inhibits_is_the_intervention_of_a_bench_study():
    abstract = "HeLa cell lines were transfected with plasmids in vitro; western blot was used."

    assert read("intervention", "S-123 inhibits calcium uptake.", abstract, ()) == "S-123"
    assert read("outcome", "S-123 inhibits calcium uptake.", abstract, ()) == "calcium uptake"


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
    ("title", "intervention", "outcome"),
    [
        ("Zinc down-regulates apoptosis in HeLa cell lines.", "Zinc", "apoptosis"),
        ("Suppression of tumour growth by curcumin in mice.", "curcumin", "Suppression of tumour growth"),
        ("Kidney injury induced by cisplatin in rats.", "cisplatin", "Kidney injury"),
    ],
)
def test_bench_studies_name_cause_and_effect(title, intervention, outcome):
    abstract = "In vitro and in vivo, rats and mice were treated; cell lines were cultured."

    assert read("intervention", title, abstract, ()) == intervention
    assert read("outcome", title, abstract, ()) == outcome


@each_of(
    ("title", "abstract", "value"),
    [
        ("Perceived stress among welders.", "", "Perceived stress"),
        ("Prognostic factors for mortality in sepsis.", "", "mortality"),
        ("A study.", "OBJECTIVE: To assess the level of health literacy in villages.", "level of health literacy"),
        ("A study.", "OBJECTIVE: To identify opportunities.", None),
        ("A study.", "OBJECTIVE: To compare two approaches in adults.", None),
    ],
)
def test_the_outcome_is_what_the_title_or_aim_is_about(title, abstract, value):
    assert read("outcome", title, abstract, ("Observational Study",)) == value


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


@each_of(
    ("title", "abstract", "types", "value"),
    [
        ("Salt and stroke in rats.", "", (), "rats"),
        ("Survival in renal cell carcinoma.", "METHODS: We read 90 charts.", ("Observational Study",),
         "renal cell carcinoma"),
        ("Risk of gout.", "METHODS: We read 90 charts.", ("Observational Study",), None),
        ("Zinc absorption.", "METHODS: Twelve healthy volunteers drank it.", TRIAL, "Twelve healthy volunteers"),
        ("Zinc.", "METHODS: We excluded patients with gout. We enrolled 90 adults with asthma.", TRIAL,
         "90 adults with asthma"),
        ("Zinc.", "METHODS: In 2015 we saw 60 women with gout. Of these 12 women with fever died.", TRIAL,
         "60 women with gout"),
    ],
)  # fmt: skip
def test_the_population_is_found_without_a_plain_mention_too(title, abstract, types, value):
    assert read("population", title, abstract, types) == value
