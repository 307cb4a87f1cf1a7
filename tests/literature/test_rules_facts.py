"""Follow-up, registration, availability and limitations."""

import pytest

from biofact.literature.extraction.fields import FIELDS, read_fields
from biofact.literature.extraction.meanings import canonical_field
from biofact.sources.pubmed.records import CanonicalPubMedArticle, DataBank
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def read(field, abstract, types=("Randomized Controlled Trial",), banks=()):
    article = CanonicalPubMedArticle(
        id="PMID:1", title="A study.", abstract=abstract, publication_types=list(types), data_banks=list(banks)
    )
    return read_fields(article, [field]).get(field)


@each_of(
    ("text", "value", "unit"),
    [
        ("The median follow-up was 37.2 months.", 37.2, "month"),
        ("After a mean follow-up of 4 years, few had died.", 4, "year"),
        ("Patients were followed for a median of 18 months.", 18, "month"),
        ("They were followed up for two years.", 2, "year"),
        ("Follow-up: 5 years.", 5, "year"),
        ("At 12-month follow-up pain was less.", 12, "month"),
        ("In this 52-week, double-blind trial pain fell.", 52, "week"),
        ("They received zinc daily for 6 weeks.", 6, "week"),
        ("They were observed for a median time of 17 weeks.", 17, "week"),
        ("A 6-month intervention was given.", 6, "month"),
        ("Twelve weeks of treatment were given.", 12, "week"),
    ],
)
def test_the_duration_is_number_and_unit(text, value, unit):
    finding = read("follow_up", f"RESULTS: {text}")

    assert (finding.value["value"], finding.value["unit"]) == (value, unit)
    assert finding.evidence[0].quote in text


@each_of(
    "text",
    [
        "Adults aged 18 to 65 years took part.",
        "The mean age was 50 years.",
        "Data of the past 10 years were used.",
        "Pain fell.",
    ],
)
def test_ages_and_times_before_the_study_are_no_follow_up(text):
    assert read("follow_up", f"RESULTS: {text}") is None


NUMBERS = """
    NCT01234567 ISRCTN12345678 ACTRN12605000004662 ChiCTR2000012345 CRD42020123456 UMIN000012345 DRKS00012345 NTR1234
    IRCT20190101012345N1 CTRI/2019/01/012345 jRCT1234567890 KCT0001234 PACTR201901234567890 RBR-2abcde TCTR20190101001
"""


@each_of("number", NUMBERS.split())
def test_register_numbers_are_found(number):
    assert read("registration", f"TRIAL REGISTRATION: The trial is registered as {number}.").value == [number]


def test_eudract_numbers_are_found_beside_their_name():
    assert read("registration", "Registered (EudraCT number 2010-123456-12).").value == ["2010-123456-12"]


def test_register_numbers_of_the_record_come_first():
    banks = [DataBank(name="ClinicalTrials.gov", accessions=["NCT00000001"])]

    finding = read("registration", "Registered: NCT00000001, ISRCTN12345678.", banks=banks)

    assert finding.value == ["NCT00000001", "ISRCTN12345678"]
    assert [evidence.where for evidence in finding.evidence] == ["data_banks", "abstract"]


def test_data_banks_show_that_data_are_available():
    finding = read("data_availability", "Genes.", banks=[DataBank(name="GEO", accessions=["GSE12345"])])

    assert finding.value == {"repository": "GEO", "accessions": ["GSE12345"]}
    assert finding.evidence[0].where == "data_banks"


def test_a_trial_register_is_no_data():
    assert read("data_availability", "Pain.", banks=[DataBank(name="ISRCTN", accessions=["ISRCTN12345678"])]) is None


@each_of(
    ("text", "key"),
    [
        ("The reads were deposited in the Sequence Read Archive under accession number PRJNA123456.", "PRJNA123456"),
        ("Data are available at https://example.org/data.", "https://example.org/data"),
        ("The data sets are available on reasonable request.", "on reasonable request"),
        ("Array data are available from GEO (GSE98765).", "GSE98765"),
    ],
)
def test_data_that_can_be_had_are_found(text, key):
    assert key in str(read("data_availability", f"RESULTS: Genes rose. {text}").value)


@each_of(
    ("text", "key"),
    [
        ("Source code is available at https://github.com/example/tool.", "github.com/example/tool"),
        ("The software is freely available at http://example.org.", "http://example.org"),
        ("It is implemented as an R package on CRAN.", "CRAN"),
    ],
)
def test_code_that_can_be_had_is_found(text, key):
    assert key in str(read("code_availability", f"RESULTS: It is fast. {text}").value)


@each_of(
    "text",
    [
        "We used software for statistics.",
        "No treatment is available.",
        "Data were available for 90 patients.",
        "The genetic code.",
    ],
)
def test_a_similar_phrase_is_no_statement_of_availability(text):
    assert read("code_availability", text) is None
    assert read("data_availability", text) is None


@each_of(
    ("abstract", "key"),
    [
        (
            "RESULTS: Pain fell.\nLIMITATIONS: Single-centre design with short follow-up.\nCONCLUSION: Good.",
            "Single-centre design",
        ),
        ("CONCLUSIONS: Despite our small sample size, zinc seems safe.", "small sample size"),
        ("CONCLUSIONS: Results should be interpreted with caution.", "caution"),
        ("CONCLUSIONS: The main limitation of this study is its retrospective design.", "retrospective design"),
        ("CONCLUSIONS: The study was limited by a small number of events.", "small number"),
        ("CONCLUSIONS: The findings may not be generalizable to men.", "not be generalizable"),
        ("CONCLUSIONS: There is not enough evidence to judge zinc.", "not enough evidence"),
    ],
)
def test_limitations_are_those_that_the_abstract_names(abstract, key):
    assert key in read("limitations", abstract).value


@each_of(
    "abstract",
    [
        "BACKGROUND: Earlier studies were limited by small samples.",
        "RESULTS: Limited exposure helped.",
        "The speed limit is 50.",
        "Hypotonia and muscle weakness are common presentations.",
    ],
)
def test_limits_of_other_things_are_none(abstract):
    assert read("limitations", abstract) is None


@each_of(
    ("name", "field"),
    [
        ("participant_count", "participant_count"),
        ("n_participants", "participant_count"),
        ("dataset_size", "dataset_size"),
        ("numberOfPatients", "participant_count"),
        ("Sample Size", "sample_size"),
        ("study_design", "study_type"),
        ("methodology", "study_type"),
        ("primary_outcome", "outcome"),
        ("main_outcome", "outcome"),
        ("control", "comparator"),
        ("treatment", "intervention"),
        ("exposure", "intervention"),
        ("sample", "population"),
        ("cohort size", "sample_size"),
        ("odds_ratio", "effect_size"),
        ("hazard-ratio", "effect_size"),
        ("follow_up_duration", "follow_up"),
        ("trial_registration", "registration"),
        ("nct_id", "registration"),
        ("code_available", "code_availability"),
        ("the_limitations", "limitations"),
        ("has_code", "code_availability"),
        ("novelty", "novelty"),
        ("key_contribution", "key_contribution"),
        ("technology_domain", "technology_domain"),
        ("benchmarks_used", "benchmarks_used"),
        ("computational_cost", "computational_cost"),
        ("methodology_quality", None),
        ("relevance", None),
        ("", None),
    ],
)
def test_schema_names_have_a_meaning_or_none(name, field):
    assert canonical_field(name) == field


def test_every_canonical_name_means_itself():
    assert all(canonical_field(name) == name for name, field in FIELDS.items() if not field.is_row)


@each_of(
    ("text", "value", "unit"),
    [
        ("The mean follow-up was 3.3 (range, 3-4) years.", 3.3, "year"),
        ("Follow-up varied from 19 to 81 months, with a median of 45 months.", 45, "month"),
        ("Pain was rated 3, 6, and 12 months after surgery.", 12, "month"),
        ("Patients were seen six weeks after the surgery.", 6, "week"),
        ("The median\u00a0follow-up\u00a0time was 51.5\u00a0months.", 51.5, "month"),
    ],
)
def test_more_ways_to_state_the_follow_up(text, value, unit):
    found_value = read("follow_up", f"RESULTS: {text}", types=("Observational Study",)).value

    assert (found_value["value"], found_value["unit"]) == (value, unit)


def test_the_quality_of_the_evidence_is_a_limitation():
    assert "low" in read("limitations", "CONCLUSIONS: Zinc helps. The quality of evidence was low.").value
