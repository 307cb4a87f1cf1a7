"""Goals of many fields to concepts, periods, designs and exclusions."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.literature.query import concepts, cues
from tests.each_of import each_of

pytestmark = pytest.mark.quick

TODAY = dt.date(2026, 11, 22)

GOALS = {  # goal -> topics / what is offered
    # the specification's
    "Find recent studies on machine learning applications in medical diagnosis": "machine learning; medical diagnosis",
    "Explore connections between gut microbiome and mental health": "gut microbiome; mental health",
    "Find validation studies for BERT-based clinical text classification models": (
        "BERT; clinical text / classification"
    ),
    "Investigate AI ethics in healthcare applications": "artificial intelligence; ethics; healthcare",
    # clinical
    "Does vitamin D supplementation reduce the risk of fractures in older adults?": (
        "vitamin D; fractures; older adults / supplementation; risk"
    ),
    "Effect of metformin compared with sulfonylureas on cardiovascular mortality in patients with type 2 diabetes": (
        "metformin; type 2 diabetes / sulfonylureas; cardiovascular mortality"
    ),
    "Randomised controlled trials of cognitive behavioural therapy for insomnia since 2015": (
        "cognitive behavioural therapy; insomnia"
    ),
    "Aspirin versus clopidogrel for secondary prevention after stroke": (
        "Aspirin; secondary prevention; stroke / clopidogrel"
    ),
    "Aspirin or clopidogrel after stroke": "Aspirin|clopidogrel; stroke",
    "Treatment of COVID-19 with hydroxychloroquine in patients without diabetes": (
        "COVID-19; hydroxychloroquine / Treatment"
    ),
    "Long-term outcomes after bariatric surgery in adolescents": "bariatric surgery; adolescents / Long-term outcomes",
    "Antibiotic resistance of Klebsiella pneumoniae in ICU patients": (
        "Antibiotic resistance; Klebsiella pneumoniae / intensive care units"
    ),
    "Phase III trials of GLP-1 receptor agonists for weight loss": "GLP-1 receptor agonists; weight loss",
    "Case reports of immune checkpoint inhibitor-induced myocarditis": "immune checkpoint inhibitor; myocarditis",
    "TNF-\u03b1 inhibitors for rheumatoid arthritis": "TNF-alpha inhibitors; rheumatoid arthritis",
    "Ketamine for treatment-resistant depression": "Ketamine; treatment-resistant depression",
    "Parkinson's disease (PD) and gut bacteria": "Parkinson's disease|PD; gut bacteria",
    "Breast and ovarian cancer screening in BRCA2 carriers": (
        "Breast cancer|ovarian cancer; BRCA2 carriers / screening"
    ),
    "Type 1 and type 2 diabetes in pregnancy": "Type 1 diabetes|type 2 diabetes; pregnancy",
    "Is there evidence that statins cause dementia?": "statins; dementia",
    "Please find me the latest papers about long COVID fatigue and exercise therapy": (
        "long COVID; fatigue; exercise therapy"
    ),
    # genetics and biology
    "GWAS of schizophrenia in East Asian populations": "genome-wide association study; schizophrenia; East Asian",
    "CRISPR-based gene therapy for sickle cell disease": "CRISPR; gene therapy; sickle cell disease",
    "Role of BRCA1 mutations in triple-negative breast cancer prognosis": (
        "BRCA1 mutations; triple-negative breast cancer / prognosis"
    ),
    "Single-cell RNA sequencing of the tumor microenvironment in glioblastoma": (
        "Single-cell RNA sequencing; tumor microenvironment; glioblastoma"
    ),
    "Epigenetic mechanisms linking early life stress to depression": "Epigenetic; early life stress; depression",
    "Zebrafish models of epilepsy": "Zebrafish; epilepsy",
    "mRNA vaccines against influenza": "mRNA vaccines; influenza",
    "Microplastics in human placenta": "Microplastics; human placenta",
    # public health
    "Cost-effectiveness of HPV vaccination in low-income countries": (
        "HPV vaccination / Cost-effectiveness; low-income countries"
    ),
    "Impact of air pollution on childhood asthma hospitalisations between 2010 and 2020": (
        "air pollution; childhood; asthma / hospitalisations"
    ),
    "Barriers to mental health care access among refugees": "mental health; refugees / Barriers; care access",
    "Effects of diet, exercise and sleep on obesity": "diet|exercise|sleep; obesity",
    "Malaria transmission in sub-Saharan Africa and climate change": (
        "Malaria transmission; climate change / sub-Saharan Africa"
    ),
    "Folic acid supplementation before pregnancy and neural tube defects": (
        "Folic acid; pregnancy; neural tube defects / supplementation"
    ),
    "Prevalence of burnout among physicians published before 2015": "burnout; physicians / Prevalence",
    "Quality of life of caregivers of people with Alzheimer's disease": (
        "Quality of life; caregivers; Alzheimer's disease"
    ),
    "Workplace interventions to prevent burnout in nurses": "Workplace interventions; burnout; nurses / prevention",
    # technology
    "Deep learning for diabetic retinopathy screening in the last 3 years": (
        "Deep learning; diabetic retinopathy / screening"
    ),
    "Wearable sensors for fall detection in elderly people": "Wearable sensors; fall; elderly people / detection",
    "Federated learning for privacy-preserving analysis of electronic health records": (
        "Federated learning; privacy-preserving analysis; electronic health records"
    ),
    "Predicting sepsis in the emergency department using machine learning": (
        "sepsis; machine learning / prediction; emergency department"
    ),
    "Smartphone apps for smoking cessation, excluding reviews and case reports": "Smartphone apps; smoking cessation",
    "AI-assisted colonoscopy": "artificial intelligence; colonoscopy",
    "Web-based interventions for insomnia": "Web-based interventions; insomnia",
    # psychology
    "What is the association between social media use and adolescent depression?": (
        "social media; adolescent; depression"
    ),
    "Working memory training in children with ADHD": (
        "Working memory training; children; attention deficit hyperactivity disorder"
    ),
    "How does sleep deprivation affect emotion regulation?": "sleep deprivation; emotion regulation",
    "Stereotype threat and academic performance of women in STEM": (
        "Stereotype threat; academic performance; STEM / women"
    ),
    "Motivational interviewing for alcohol use disorder": "Motivational interviewing; alcohol use disorder",
    "Systematic reviews and meta-analyses of mindfulness for chronic pain": "mindfulness; chronic pain",
}


def read(goal, **options):
    return concepts.read(goal, today=TODAY, **options)


def concept_line(plan):
    def names_of_role(*roles):
        return "; ".join("|".join(concept.names) for concept in plan.concepts if concept.role in roles)

    return " / ".join(filter(None, (names_of_role("topic", "keyword"), names_of_role("optional"))))


@each_of("goal", GOALS)
def test_a_goal_is_read_as_its_concepts(goal):
    assert concept_line(read(goal)) == GOALS[goal]


@each_of(
    ("goal", "names"),
    [
        ("E. coli bacteraemia treatment", ["E. coli", "bacteraemia", "treatment"]),
        ("resistance of P. falciparum", ["resistance", "P. falciparum"]),
        ("T. b. gambiense in Uganda", ["T. b. gambiense", "Uganda"]),
        ("St. John's wort for depression", ["St. John's wort", "depression"]),
        ("St. Louis encephalitis", ["St. Louis encephalitis"]),
        ("i.v. iron vs. oral iron", ["i.v. iron", "oral iron"]),
        ("Candida spp. in saliva", ["Candida", "saliva"]),
        ("vitamin D. supplementation", ["vitamin D", "supplementation"]),
        ("hepatitis B. Vaccines for nurses", ["hepatitis B", "Vaccines", "nurses"]),
        ("BRCA1/2 carriers", ["BRCA1 or BRCA2 carriers"]),
        ("Effect of 5 mg/kg ketamine", ["ketamine"]),
        ("PCOS (polycystic ovary syndrome)", ["polycystic ovary syndrome or PCOS"]),
        ("group B streptococcus", ["group B streptococcus"]),
        ("face masks, gloves, and eye protection", ["face masks or gloves or eye protection"]),
        ("antibiotics for clinically infected eczema", ["antibiotics", "infected eczema"]),
        ("eczema in New Zealand", ["eczema", "New Zealand"]),
        ("P.vivax in pregnancy", ["P. vivax", "pregnancy"]),
        ("pre- and post-operative physiotherapy", ["pre-operative physiotherapy or post-operative physiotherapy"]),
        ("falls of people aged 65 to 80 years", ["falls"]),
        ("apixaban b.i.d. w/ aspirin", ["apixaban", "aspirin"]),
        ("PrEP in men who have sex with men", ["PrEP", "men who have sex with men"]),
    ],
)
def test_names_stay_whole(goal, names):
    assert [concept.name for concept in read(goal).concepts] == names


@each_of(
    ("goal", "required", "offered_names"),
    [
        ("aspirin versus clopidogrel after stroke", ["aspirin", "stroke"], ["clopidogrel"]),
        ("aspirin rather than clopidogrel after stroke", ["aspirin", "stroke"], ["clopidogrel"]),
        ("laparoscopic vs open appendectomy", ["laparoscopic", "appendectomy"], ["open appendectomy"]),
        ("mortality of adults with sepsis in hospitals", ["sepsis"], ["mortality", "adults", "hospitals"]),
        ("diagnosing appendicitis in Kenya", ["appendicitis"], ["diagnosis", "Kenya"]),
        ("mortality in hospitals", ["mortality", "hospitals"], []),
        ("zinc and copper and iron and selenium", ["zinc", "copper", "iron"], ["selenium"]),
    ],
)
def test_comparators_settings_and_outcomes_are_offered(goal, required, offered_names):
    concepts = read(goal).concepts

    assert [item.name for item in concepts if item.role == "topic"] == required
    assert [item.name for item in concepts if item.role == "optional"] == offered_names


def test_the_title_of_a_review_says_what_is_written_and_not_what_to_search_for():
    parsed_goal = read("Copper surfaces and infections: a systematic review and meta-analysis")

    assert parsed_goal.designs == ()
    assert parsed_goal.own_work == "a systematic review and meta-analysis"
    assert read("Is copper useful? A scoping review.").own_work == "A scoping review"
    assert read("Reviews of zinc").designs == ("Review",)


@each_of(
    ("goal", "first", "last"),
    [
        ("asthma in the last 5 years", "2021-11-22", None),
        ("asthma over the past two decades", "2006-11-22", None),
        ("asthma in the past 18 months", "2025-05-22", None),
        ("asthma papers of last year", "2025-11-22", None),
        ("asthma since 2020", "2020-01-01", None),
        ("asthma after 2020", "2021-01-01", None),
        ("asthma from 2015 to 2020", "2015-01-01", "2020-12-31"),
        ("asthma 2015-2020", "2015-01-01", "2020-12-31"),
        ("asthma before 2010", None, "2009-12-31"),
        ("asthma until 2010", None, "2010-12-31"),
        ("asthma studies published in 2021", "2021-01-01", "2021-12-31"),
        ("asthma this year", "2026-01-01", None),
        ("recent advances in asthma", "2021-11-22", None),
    ],
)
def test_words_of_time_become_a_span(goal, first, last):
    parsed_goal = read(goal)

    assert (
        parsed_goal.dates.first and str(parsed_goal.dates.first),
        parsed_goal.dates.last and str(parsed_goal.dates.last),
    ) == (first, last)
    assert [concept.name for concept in parsed_goal.concepts] == ["asthma"]


@each_of(
    "goal",
    ["recent-onset schizophrenia", "stroke after recent surgery", "asthma since 2090", "COVID-19", "1918 influenza"],
)
def test_other_words_are_no_span(goal):
    assert read(goal).dates is None


def test_a_leap_day_has_a_day_before():
    assert cues.before(dt.date(2024, 2, 29), 12) == dt.date(2023, 2, 28)
    assert cues.before(dt.date(2024, 12, 31), 1) == dt.date(2024, 11, 30)


@each_of(
    ("goal", "designs"),
    [
        ("Double-blind, placebo-controlled randomised trials of zinc", ["Randomized Controlled Trial"]),
        ("RCTs of zinc", ["Randomized Controlled Trial"]),
        ("phase 2 trials of zinc", ["Clinical Trial, Phase II"]),
        ("clinical trials and case series of zinc", ["Clinical Trial", "Case Study"]),
        ("systematic reviews and meta-analyses of zinc", ["Systematic Review", "Meta-Analysis"]),
        ("prospective cohort studies of zinc", ["Cohort Studies"]),
        ("qualitative research on zinc", ["Qualitative Research"]),
        ("Review the role of zinc", []),
    ],
)
def test_words_of_design_become_study_types(goal, designs):
    parsed_goal = read(goal)

    assert list(parsed_goal.designs) == designs
    assert [concept.name for concept in parsed_goal.concepts] == ["zinc"]


def test_an_exclusion_of_a_goal_is_no_concept():
    parsed_goal = read("Smartphone apps for smoking cessation, excluding reviews and case reports")

    assert parsed_goal.excluded == ("reviews", "case reports")
    assert parsed_goal.designs == ()


def test_an_excluded_concept_is_listed_as_unsearchable():
    assert read("stroke in patients without diabetes").unsearchable == ("diabetes",)


def test_keywords_are_concepts_and_take_their_words_out_of_others():
    parsed_goal = read(
        "Find validation studies for BERT-based clinical text classification models",
        keywords=["BERT", "clinical text", "validation"],
    )

    assert [(concept.name, concept.role) for concept in parsed_goal.concepts] == [
        ("BERT", "keyword"),
        ("clinical text", "keyword"),
        ("validation", "keyword"),
        ("classification", "optional"),
    ]


def test_a_keyword_and_the_acronym_of_a_goal_are_one_concept():
    parsed_goal = read("AI ethics in healthcare", keywords=["artificial intelligence", "ethics", "healthcare"])

    assert [concept.role for concept in parsed_goal.concepts] == ["keyword"] * 3


@pytest.mark.parametrize(
    ("domain", "meaning"), [("medical", "myocardial infarction"), ("psychology", "motivational interviewing")]
)
def test_an_acronym_is_read_by_its_domain(domain, meaning):
    (concept,) = read("MI", domain=domain).concepts

    assert (concept.name, concept.ambiguous_acronym) == (meaning, "MI")


def test_acronyms_are_recognized_by_their_capitals():
    assert [concept.name for concept in read("ms and ed of it").concepts] == ["ms", "ed"]


@each_of(
    ("goal", "phrase"),
    [
        ("Does l(2)gl loss cause tumours in flies?", "l 2 gl"),
        ("What does zgc:171673 do in zebrafish?", "zgc 171673"),
        ("the role of E(spl)m8-HLH in Notch signalling", "E spl m8-HLH"),
        ("the role of Su(H).", "Su H"),
        ("NAD(P)H in ageing", "NAD P H"),
    ],
)
def test_a_symbol_with_signs_is_one_concept(goal, phrase):
    assert (phrase,) in [concept.names for concept in read(goal).concepts]


@each_of("goal", ["effect(s) of metformin", "mortality in a 2:1 ratio", "patient(s) with asthma"])
def test_a_plural_in_brackets_and_a_ratio_are_no_symbols(goal):
    phrases = [phrase for concept in read(goal).concepts for phrase in concept.names]

    assert not {"effect s", "2 1", "patient s"} & set(phrases)


def test_a_quoted_phrase_stays_together():
    assert [concept.name for concept in read('"pay for performance" in hospitals').concepts] == [
        "pay for performance",
        "hospitals",
    ]


def test_concepts_beyond_the_limit_are_omitted():
    parsed_goal = read("zinc with iron for copper from gold against silver in tin on mercury by nickel of cobalt")

    assert len(parsed_goal.concepts) == concepts.MOST_CONCEPTS
    assert parsed_goal.omitted_concepts


@given(st.text(max_size=200))
def test_any_text_can_be_read(goal):
    parsed_goal = read(goal)

    assert all(name.strip() and '"' not in name for concept in parsed_goal.concepts for name in concept.names)
