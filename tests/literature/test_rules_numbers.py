"""Numbers as articles write them, and sample sizes made of them."""

import pytest

from biofact.literature.extraction.fields import read_fields
from biofact.literature.extraction.text.document import Sentence, without_brackets
from biofact.literature.extraction.text.numbers import decimal, whole_number
from biofact.sources.pubmed.records import CanonicalPubMedArticle, MeshHeading
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def tokens(text):
    return Sentence("abstract", text, 0, len(text), without_brackets(text), "").tokens


def article(abstract, title="A study.", types=("Journal Article",), mesh=()):
    headings = [MeshHeading(name=name, is_major=False) for name in mesh]
    return CanonicalPubMedArticle(
        id="PMID:1", title=title, abstract=abstract, publication_types=list(types), mesh=headings
    )


def size(abstract, **facts):
    finding = read_fields(article(abstract, **facts), ["sample_size"]).get("sample_size")
    return finding and finding.value


@each_of(
    ("text", "value"),
    [
        ("822 patients", 822),
        ("1,234 women", 1234),
        ("12 345 adults", 12345),
        ("1,234,567 people", 1234567),
        ("forty-two subjects", 42),
        ("twenty two men", 22),
        ("one hundred and forty patients", 140),
        ("one thousand ninety-nine women", 1099),
        ("two thousand three hundred and five", 2305),
        ("three hundred", 300),
        ("nineteen", 19),
    ],
)
def test_a_count_is_read_in_digits_and_in_words(text, value):
    assert whole_number(tokens(text), 0)[0] == value


@each_of("text", ["0.05", "12%", "and", "hundred", "3.5 mg", "zero"])
def test_a_text_without_a_count_is_not_read_as_one(text):
    assert whole_number(tokens(text), 0) is None


@each_of(
    ("text", "value"),
    [("-0.93", -0.93), ("\u22121.5", -1.5), ("0·74", 0.74), (".044", 0.044), ("1,200", 1200), ("- 2", -2)],
)
def test_decimals_are_read_as_journals_print_them(text, value):
    assert decimal(text) == value


@each_of(
    ("abstract", "value"),
    [
        ("METHODS: We enrolled 822 patients with gout.", 822),
        ("METHODS: A total of 1,234 women were recruited from four clinics.", 1234),
        ("METHODS: Forty-two subjects took part in the experiment.", 42),
        ("METHODS: One hundred and forty patients with asthma were recruited.", 140),
        ("METHODS: The sample consisted of 250 university students.", 250),
        ("METHODS: Adults with migraine (N = 315) completed the survey.", 315),
        ("METHODS: Participants included 38 adults.", 38),
        ("METHODS: The medical records of 96 consecutive patients were reviewed.", 96),
        ("METHODS: Data from 45,678 participants of a cohort were analysed.", 45678),
        ("METHODS: Patients with gout.\nRESULTS: Sixty-one patients met the inclusion criteria.", 61),
        ("METHODS: We randomized 90 children to zinc (n = 45) or placebo (n = 45).", 90),
        ("METHODS: Of 500 patients screened, 120 patients were randomized to one of two arms.", 120),
        ("METHODS: We studied 60 men and then recruited a total of 200 adults.", 200),
        ("RESULTS: Seventeen patients (14%) died. In all, 121 patients were included.", 121),
        ("METHODS: Interviews were held with 22 nurses.", 22),
        ("We examined 14 healthy male volunteers before and after exercise.", 14),
        ("METHODS: This cohort study followed 3 210 adults for ten years.", 3210),
        ("METHODS: Patients (n=245) with heart failure completed questionnaires.", 245),
        ("METHODS: A total of 60 eyes of 30 patients were included.", 30),
        ("Eighty-seven patients with gout were treated. Of these, 20 patients became worse.", 87),
        ("METHODS: Twelve healthy men performed two tests in random order.", 12),
        ("METHODS: Two hundred patients were screened and 150 were enrolled.", 150),
        ("METHODS: 1.5 million adults of a national register were included.", 1_500_000),
        ("METHODS: We reviewed 1,024 scans from 512 patients.", 512),
        ("RESULTS: The mean age of the 77 patients was 45 years. 40 patients were men.", 77),
        ("RESULTS: Among 326 women, 12% had anaemia.", 326),
        ("PATIENTS: 92 infants with bronchiolitis.", 92),
        ("RESULTS: During 10 years, 1200 deaths occurred among 24,000 participants.", 24_000),
    ],
)
def test_the_whole_study_is_counted(abstract, value):
    assert size(abstract) == value


@each_of(
    ("abstract", "value"),
    [
        ("METHODS: We compared 63 patients with cirrhosis and 52 healthy controls.", 115),
        ("METHODS: Telomeres were measured in 386 cancer cases and 896 matched controls.", 1282),
        ("METHODS: Patients were randomly assigned to vitamin C (n = 30) or placebo (n = 23).", 53),
        ("METHODS: 20 patients with asthma and 20 healthy subjects were studied.", 40),
        ("METHODS: Serum came from 25 patients with lupus, 15 patients with gout, and 20 healthy controls.", 60),
        ("METHODS: A case-control study of 210 cases and 420 controls in a cohort of 50,000 women.", 630),
        ("RESULTS: 30 patients received zinc and 32 patients received iron.", 62),
        ("METHODS: Participants were allocated to yoga (n=20), walking (n=21) or no exercise (n=19).", 60),
    ],
)
def test_arms_are_summed_where_they_are_clearly_all(abstract, value):
    finding = read_fields(article(abstract), ["sample_size"])["sample_size"]

    assert finding.value == value
    assert finding.is_derived
    assert len(finding.evidence) >= 2


def test_a_stated_total_beats_the_arms():
    abstract = "METHODS: In all, 120 women took part; they were assigned to diet (n = 61) or exercise (n = 59)."

    finding = read_fields(article(abstract), ["sample_size"])["sample_size"]

    assert finding.value == 120
    assert not finding.is_derived


@each_of(
    "abstract",
    [
        "We incubated 240 fish eggs at three temperatures.",
        "RESULTS: We found 35 SNPs that were associated with height.",
        "METHODS: Patients with gout aged 18 to 65 years were eligible.",
        "METHODS: Cells were cultured in vitro and 24 mice gave plasma; western blot and cell lines were used.",
        "METHODS: Samples of seed oil from 12 species were compared.",
        "We observed 300 stars in two clusters.",
        "CONCLUSIONS: Zinc helped 50 patients.",
        "METHODS: Ten-year-old children and 5-year-old children were asked.",
        "METHODS: Women in week 12 of pregnancy were asked about sleep.",
        "BACKGROUND: An earlier trial of 4000 patients found no effect. METHODS: We reviewed the charts of patients.",
    ],
)
def test_other_counts_than_participants_are_not_read(abstract):
    assert size(abstract) is None


def test_animals_are_counted_where_they_are_the_subjects():
    abstract = (
        "Twenty-four rats were randomly divided into three groups. Mice too were fed in vivo; it is an animal model."
    )

    assert size(abstract, mesh=("Animals", "Rats", "Disease Models, Animal")) == 24


@each_of(
    ("abstract", "value"),
    [
        ("RESULTS: A total of 22 studies were included in the review.", 22),
        ("RESULTS: Nine RCTs including 9,773 subjects met the inclusion criteria.", 9),
        ("RESULTS: We identified 1450 records; 31 articles were eligible and included.", 31),
        ("MAIN RESULTS: We included 16 trials involving 2,345 participants.", 16),
        ("RESULTS: Of 412 articles screened, fourteen studies met our criteria.", 14),
    ],
)
def test_a_review_counts_its_studies(abstract, value):
    assert size(abstract, title="Zinc for colds: a systematic review.", types=("Systematic Review",)) == value


def test_a_case_report_has_one_patient():
    abstract = "A 70-year-old woman presented with fever."

    assert size(abstract, types=("Case Reports",)) == 1


def test_a_report_of_two_cases_has_two_patients():
    assert size("We report two patients, both men, who fell ill.", types=("Case Reports",)) == 2


def test_the_size_stands_on_its_words():
    text = "METHODS: We enrolled 822 patients with gout."

    finding = read_fields(article(text), ["sample_size"])["sample_size"]

    assert finding.evidence[0].quote == "822 patients"
    assert text[finding.evidence[0].start : finding.evidence[0].end] == "822 patients"


@each_of(
    ("abstract", "value"),
    [
        ("METHODS: We describe 58 severely affected asthmatic children.", 58),
        ("METHODS: Five male and six female patients were followed.", 11),
        ("METHODS: The first group included 59 patients. The control group consisted of 41 women.", 100),
        ("METHODS: One-hundred and twenty patients were enrolled.", 120),
        ("METHODS: Three or more patients were seen each day.", None),
        ("RESULTS: There were 6 deaths in 1000 people.", None),
        ("METHODS: A cohort with coronavirus disease 2019 patients was formed.", None),
        ("METHODS: An 11-year-old girl and 90 adults were enrolled.", 90),
        ("METHODS: We saw 93 pregnancies in 48 patients.", 48),
        ("METHODS: 96\u00a0patients\u00a0were\u00a0enrolled.", 96),
    ],
)
def test_more_ways_to_state_the_size_of_a_study(abstract, value):
    assert size(abstract, types=("Observational Study",)) == value


def test_of_the_studies_found_those_that_were_suitable_count():
    abstract = "RESULTS: Of the 229 studies identified, 6 were suitable for analysis."

    assert size(abstract, types=("Meta-Analysis",)) == 6
