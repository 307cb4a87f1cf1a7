"""The kind of a study by its record and its words."""

import pytest

from biofact.literature.extraction.fields import read_fields
from biofact.sources.pubmed.records import CanonicalPubMedArticle, MeshHeading
from tests.each_of import each_of
from tests.marks import requirement

pytestmark = pytest.mark.quick


def kind(abstract="", title="A study.", types=("Journal Article",), mesh=()):
    headings = [MeshHeading(name=name, is_major=False) for name in mesh]
    article = CanonicalPubMedArticle(
        id="PMID:1", title=title, abstract=abstract or None, publication_types=list(types), mesh=headings
    )
    finding = read_fields(article, ["study_type"]).get("study_type")
    return finding and finding.value


@each_of(
    ("types", "value"),
    [
        (["Journal Article", "Randomized Controlled Trial"], "randomized controlled trial"),
        (["Clinical Trial, Phase II", "Journal Article"], "clinical trial"),
        (["Meta-Analysis", "Systematic Review"], "meta-analysis"),
        (["Systematic Review"], "systematic review"),
        (["Case Reports", "Review"], "case report"),
        (["Practice Guideline"], "guideline"),
        (["Clinical Trial Protocol", "Journal Article"], "protocol"),
        (["Editorial"], None),
        (["Letter"], None),
        (["Published Erratum", "Randomized Controlled Trial"], None),
        (["Retraction Notice"], None),
        (["Letter", "Randomized Controlled Trial"], "randomized controlled trial"),
        (["Observational Study"], "observational study"),
        (["Review", "Journal Article"], "review"),
        (["Journal Article"], None),
    ],
)
def test_publication_types_decide_the_kind(types, value):
    assert kind(types=types) == value


def test_the_publication_type_is_the_evidence():
    article = CanonicalPubMedArticle(id="PMID:1", title="A.", publication_types=["Journal Article", "Case Reports"])

    evidence = read_fields(article, ["study_type"])["study_type"].evidence[0]

    assert (evidence.where, evidence.quote, evidence.start) == ("publication_types", "Case Reports", None)


@each_of(
    ("title", "value"),
    [
        ("Zinc for colds: a systematic review and meta-analysis.", "meta-analysis"),
        ("Zinc for colds: a systematic review of randomized trials.", "systematic review"),
        ("Zinc for colds: a scoping review.", "systematic review"),
        ("Height and asthma: a Mendelian randomization study.", "mendelian randomization"),
        ("Zinc for colds: protocol for a randomised trial.", "protocol"),
        ("Management of gout: a clinical practice guideline.", "guideline"),
        ("Consensus statement on sepsis care.", "guideline"),
        ("Zinc and colds: a narrative review.", "review"),
        ("Zinc poisoning: a case report.", "case report"),
        ("Zinc poisoning: a case series.", "case series"),
        ("Nurses' views of zinc: a qualitative study.", "qualitative study"),
        ("A genome-wide association study of height.", "genetic association study"),
        ("Zinc and colds: a case-control study.", "case-control study"),
        ("Zinc and colds: a cross-sectional study.", "cross-sectional study"),
        ("Zinc and colds: a prospective cohort study.", "cohort study"),
        ("Molecular dynamics of a zinc finger.", "computational study"),
        ("Editorial.", "editorial"),
    ],
)
def test_titles_decide_the_kind(title, value):
    assert kind(title=title) == value


@each_of(
    ("abstract", "value"),
    [
        ("METHODS: We randomly assigned 120 patients to zinc or placebo.", "randomized controlled trial"),
        (
            "METHODS: In this double-blind, randomized, placebo-controlled trial 80 women took part.",
            "randomized controlled trial",
        ),
        ("METHODS: Sixty adults were randomised to two groups.", "randomized controlled trial"),
        ("METHODS: In this open-label phase II trial 30 patients received zinc.", "clinical trial"),
        ("METHODS: This cohort study followed 500 adults for ten years.", "cohort study"),
        ("METHODS: In a retrospective cohort of 500 adults we counted colds.", "cohort study"),
        ("METHODS: In a case-control study 100 patients and 200 controls were asked.", "case-control study"),
        ("METHODS: This cross-sectional survey asked 300 nurses.", "cross-sectional study"),
        ("METHODS: Semi-structured interviews with 20 nurses underwent thematic analysis.", "qualitative study"),
        ("METHODS: The charts of 90 patients were studied retrospectively.", "observational study"),
        ("METHODS: A retrospective review of 90 patients was done.", "observational study"),
        ("METHODS: MEDLINE and Embase were searched. RESULTS: Ten studies were included.", "systematic review"),
        ("We report the case of a 40-year-old man with zinc poisoning.", "case report"),
        ("In this review, we summarise the biology of zinc.", "review"),
        ("Rats and mice were fed zinc in vivo. Knockout mice and rat models were used.", "animal study"),
        ("HeLa cell lines were transfected with plasmids in vitro; western blot showed the protein.", "in vitro study"),
        ("We present an algorithm and software; simulations on benchmark data sets show speed.", "computational study"),
        ("The eruption of a volcano changes shear waves.", None),
        ("The philosopher wrote on magic and religion.", None),
    ],
)
def test_the_words_of_the_abstract_decide_the_kind(abstract, value):
    assert kind(abstract) == value


@each_of(
    ("title", "abstract"),
    [
        ("Nesting of tits in parks.", "We monitored 120 nests over 3 years. Parks had fewer individuals than woods."),
        ("Nitrogen and wheat.", "Field plots were laid out in randomized blocks. Yield was compared with the control."),
        ("A synthesis of indoles.", "A series of 24 compounds was prepared in yields of 60-95%."),
        ("Soil bacteria.", "We sequenced genes of 96 samples from 12 sites."),
        ("Dwarf galaxies.", "We present 30 galaxies and compare them with earlier observations."),
        ("The workforce of Malawi.", "This paper argues for a policy. There are 3 nurses for 10,000 people."),
        ("Impact of guidelines on prescribing.", ""),
        ("Qualitative and quantitative analysis of polyphenols.", "Polyphenols were extracted from leaves."),
        ("A survey of stars in a cluster.", "We observed 300 stars."),
    ],
)
def test_other_sciences_and_essays_have_no_kind(title, abstract):
    assert kind(abstract, title=title) is None


@each_of(
    "abstract",
    [
        "METHODS: The charts of 90 patients were reviewed. CONCLUSIONS: Randomized controlled trials are needed.",
        "BACKGROUND: A randomized trial found no effect. METHODS: The charts of 90 patients were reviewed.",
        "METHODS: We measured 20 adults in a randomized order.",
    ],
)
def test_trials_of_others_make_no_trial(abstract):
    assert kind(abstract) != "randomized controlled trial"


def test_training_by_simulation_is_no_computation():
    abstract = "METHODS: We observed 40 nurses before and after the training."

    assert kind(abstract, title="Simulation for the training of nurses.") is None


def test_a_review_of_charts_is_no_review():
    abstract = "METHODS: The charts of 120 patients were read."

    assert kind(abstract, title="Bezoars of the stomach: a review of 120 cases.") is None


@requirement("004 E-evidence")
@each_of(
    "abstract",
    [
        "METHODS: We used 9963 images of 4997 patients.",
        "METHODS: 212 residents read the slides.",
        "RESULTS: Of 340 women, 12 had a fracture.",
        "METHODS: Participants filled in a form (N = 215).",
        "Zinc poisoning in 3 patients with colds is reported.",
        "RESULTS: Zinc (n = 20) and honey (n = 21) were liked by adults.",
    ],
)
def test_a_head_count_states_no_design(abstract):
    assert kind(abstract) is None


def test_a_head_count_alone_is_read_as_a_sample_size_and_no_study_type():
    article = CanonicalPubMedArticle(id="PMID:1", title="A study.", abstract="METHODS: We treated 120 patients.")

    assert set(read_fields(article, {"study_type", "sample_size"})) == {"sample_size"}


def test_a_mendelian_randomisation_is_no_trial_of_people():
    assert kind("We used Mendelian randomization in 500 adults.") == "mendelian randomization"


def test_a_cochrane_review_is_systematic():
    abstract = "SEARCH STRATEGY: The register was searched.\nMAIN RESULTS: Six studies were included."

    assert kind(abstract, types=["Review", "Journal Article"]) == "systematic review"


def test_headings_decide_the_design_where_words_do_not():
    abstract = "METHODS: Zinc was measured in 90 patients."

    assert kind(abstract, mesh=["Humans", "Cross-Sectional Studies"]) == "cross-sectional study"


def test_a_study_without_people_among_its_headings_is_none_of_people():
    abstract = (
        "METHODS: In this cohort study zinc was given to rats and mice by 3 men. An animal model was used in vivo."
    )

    assert kind(abstract, mesh=["Animals", "Rats"]) == "animal study"


@each_of(
    ("title", "abstract", "value"),
    [
        ("Salt in rats.", "Wistar rats were divided into three groups.", "animal study"),
        ("A kinase.", "Knockdown suppressed apoptosis, and mRNAs were upregulated.", "in vitro study"),
        ("Fever.", "METHODS: Cancer patients with fever were randomly assigned to two groups.",
         "randomized controlled trial"),
        ("A nomogram.", "METHODS: 900 patients were randomly allocated to a training set.", None),
        ("A drug.", "METHODS: This was an open-label, fixed-sequence study in 14 patients.", "clinical trial"),
    ],
)  # fmt: skip
def test_records_without_headings_are_known_by_their_words(title, abstract, value):
    assert kind(abstract, title=title) == value


@requirement("004 E-evidence")
@each_of(
    "title",
    [
        "Zinc for colds: a randomised trial.",
        "Zinc for colds: a randomised, double-blind, placebo-controlled, phase 3 trial.",
        "Zinc for colds: a cluster-randomised trial in schools.",
        "Zinc for colds: a randomized comparison.",
        "Zinc for colds: a prospective randomised cross-over study.",
        "Putting a guideline for colds to work: results of a randomised trial.",
    ],
)
def test_a_title_that_names_a_randomised_trial_is_one(title):
    assert kind(title=title) == "randomized controlled trial"
    assert kind("METHODS: Protein was measured in cells of 40 men.", title=title) == "randomized controlled trial"


@each_of(
    "abstract",
    [
        "METHODS: After random allocation, 40 women took zinc or placebo.",
        "METHODS: Forty women were allocated at random to zinc or placebo.",
        "METHODS: Forty women were then randomized into two arms.",
        "METHODS: Randomization was stratified by age in 40 women.",
        "METHODS: In a crossover study, 12 men took zinc and placebo in random order.",
        "METHODS: Two randomised, double-blind studies with 80 adults were done.",
        "METHODS: The parents of 30 infants randomized 2:1 to zinc or placebo kept diaries.",
        "METHODS: We did a cluster-randomised controlled trial in twenty towns.",
        "METHODS: We randomised 400 adults. CONCLUSIONS: A non-randomised study had found less.",
    ],
)
def test_an_abstract_that_says_that_people_were_randomised_makes_a_trial(abstract):
    assert kind(abstract) == "randomized controlled trial"
    assert kind(abstract, title="A phase III trial of zinc.") == "randomized controlled trial"


@each_of(
    ("title", "abstract", "value"),
    [
        ("Zinc: not a randomised trial.", "METHODS: The charts of 90 patients were read.", None),
        ("Zinc.", "METHODS: This was not a randomised trial; 90 patients took zinc.", None),
        ("Zinc: a non-randomised trial.", "METHODS: Zinc was given to 90 adults.", "clinical trial"),
        ("Zinc.", "METHODS: We did a non-randomised controlled trial in 90 adults.", "clinical trial"),
        ("Zinc: a quasi-randomised trial.", "METHODS: Zinc was given to 90 adults.", "clinical trial"),
        ("Zinc: a review of randomised trials.", "", "review"),
        ("Review of randomised trials of zinc.", "", "review"),
        ("Zinc: a meta-analysis of randomised trials.", "", "meta-analysis"),
        ("Zinc.", "SELECTION CRITERIA: Randomised trials of zinc were included.", "systematic review"),
        ("Zinc.", "METHODS: A randomly selected sample of 90 adults filled in a cross-sectional survey.",
         "cross-sectional study"),
        ("Zinc: protocol for a randomised trial.", "METHODS: 400 adults will be randomised.", "protocol"),
        ("Zinc in mice: a randomised study.", "Mice and rats were randomly assigned. Animals were fed in vivo.",
         "animal study"),
        ("Resin.", "METHODS: Twenty resin blocks were randomly divided into two groups.", None),
        ("Zinc.", "METHODS: The order of 20 sounds was randomized for 12 men.", None),
        ("Zinc.", "METHODS: The charts of 9 men were read. RESULTS: Randomised trials have shown more.", None),
        ("Editorial: a randomised trial of zinc.", "", "editorial"),
    ],
)  # fmt: skip
def test_a_study_that_only_mentions_chance_keeps_its_own_type(title, abstract, value):
    assert kind(abstract, title=title) == value


@each_of(
    ("title", "abstract"),
    [
        ("Age and colds: a secondary analysis of a randomised trial.", ""),
        ("Age.", "METHODS: This is a post hoc analysis of data from the randomised SNEEZE trial of 400 adults."),
        ("Age.", "METHODS: Blood samples of 90 women from a randomised placebo-controlled trial were assayed."),
    ],
)
def test_an_analysis_of_a_finished_trial_is_called_that(title, abstract):
    assert kind(abstract, title=title) == "secondary analysis of a randomized trial"


@each_of("word", ["randomised-", "randomised, ", "randomly assigned 12 men to "])
def test_a_text_that_repeats_one_word_is_read_in_time(word):
    assert kind("METHODS: " + word * 1500) != "meta-analysis"  # that it comes to an end is what is shown
