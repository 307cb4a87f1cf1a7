"""Field, benchmarks, gain in performance, cost and restrictions, as articles about technology state them."""

import pytest

from biofact.literature.extraction.fields import read_fields
from biofact.sources.pubmed.records import MeshHeading
from tests.each_of import each_of
from tests.literature.made_articles import article_stating

pytestmark = pytest.mark.quick


def read(field, abstract, **facts):
    return read_fields(article_stating(abstract, **facts), [field]).get(field)


def values(field, abstract, **facts):
    finding = read(field, abstract, **facts)
    return [entry.value for entry in finding.series] if finding else []


@each_of(
    ("text", "value", "is_derived"),
    [
        ("The F1 of the model was 6.2 points above a linear baseline.", 6.2, False),
        ("Our method improved accuracy by 3.4%.", 3.4, False),
        ("The network outperforms the best published model by up to 2 percentage points.", 2, False),
        ("It achieves an increase of +30% in the F1 score of the model.", 30, False),
        ("The classifier reaches 7% improvement on precision.", 7, False),
        ("The algorithm reduces running time by 40% without loss of accuracy in most cases.", 40, False),
        ("The tool needs 60% less memory.", 60, False),
        ("The model is 5 times faster than its teacher.", 400, True),
        ("The algorithm is an order of magnitude faster.", 900, True),
        ("The model improved the AUC from 0.83 to 0.91.", 8, True),
        ("The model improved accuracy from 71% to 75.5%.", 4.5, True),
    ],
)
def test_a_gain_in_performance_is_read_in_percent(text, value, is_derived):
    finding = read("performance_improvement", f"RESULTS: {text}")

    assert finding.value["value"] == pytest.approx(value)
    assert (finding.is_derived, finding.value["unit"]) == (is_derived, "%")
    assert finding.evidence[0].quote in text


@each_of(
    "text",
    [
        "The model lost 9 points of accuracy.",
        "The model increased the error rate by 5%.",
        "Sensitivity of the algorithm was 7.4 percentage points lower in minority groups.",
        "Insulin sensitivity improved by 20% in the mouse model.",
        "Zinc reduced the risk of colds by 20%.",
        "Sprint performance improved by 5% with the training method.",
        "Accuracy of the model was 93%.",
        "The stability of the model implants was an order of magnitude lower.",
    ],
)
def test_losses_and_what_is_no_method_are_no_gain(text):
    assert read("performance_improvement", f"RESULTS: {text}") is None


@each_of(
    ("text", "names"),
    [
        ("The model was evaluated; the benchmarks were MIMIC-III and i2b2 2010.", ["MIMIC-III", "i2b2 2010"]),
        ("The classifier was tested on the ISIC 2018 challenge.", ["ISIC 2018"]),
        (
            "The method was compared on the CheXpert, PadChest and NIHXray datasets.",
            ["CheXpert", "PadChest", "NIHXray"],
        ),
        ("The model was tested on benchmarks for questions: PubMedQA.", ["PubMedQA"]),
        ("The model was trained on an MRI dataset and an EEG corpus.", []),
        ("We compared expression using GSE12345 datasets.", []),
        ("The LPS challenge was tested in the mouse model.", []),
    ],
)
def test_benchmarks_are_named_data_on_which_a_method_is_tested(text, names):
    assert values("benchmarks_used", f"METHODS: {text}") == names


@each_of(
    "text",
    [
        "Training of the network took 72 hours on eight graphics processors.",
        "The algorithm has O(L log L) time complexity.",
        "The model has 14 million parameters.",
        "The pipeline runs in 3 min on a laptop.",
        "The software has a low computational cost.",
        "The aligner has a memory footprint of 1.3 gigabytes.",
    ],
)
def test_the_cost_of_a_program_is_the_sentence_that_states_it(text):
    assert values("computational_cost", f"RESULTS: {text}") == [text]


@each_of(
    "text",
    ["Training of nurses took 3 hours.", "The operation took 72 minutes.", "BACKGROUND: Networks need many GPUs."],
)
def test_expenses_of_people_are_no_computational_cost(text):
    assert read("computational_cost", text) is None


def test_the_field_is_named_by_title_keywords_contribution_and_headings():
    finding = read(
        "technology_domain",
        "Robotics is old. We propose a neural network. It was printed with software.",
        title="Deep learning for moths.",
        keywords=["moth", "image processing"],
        mesh=[MeshHeading(name="Algorithms", is_major=False), MeshHeading(name="Software", is_major=True)],
    )

    found_values = [*finding.series]
    assert [entry.value for entry in found_values] == [
        "Deep learning",
        "image processing",
        "neural network",
        "Software",
    ]
    assert [entry.evidence[0].where for entry in found_values] == ["title", "keywords", "abstract", "mesh"]


@each_of(
    ("field", "text"),
    [
        ("code_availability", "The code is not available."),
        ("code_availability", "Source code is not available on GitHub."),
        ("code_availability", "Scripts used for the analysis have not been released."),
        ("code_availability", "The software cannot be shared because it is proprietary."),
        ("data_availability", "The data are not publicly available due to privacy."),
        ("data_availability", "No data were deposited."),
    ],
)
def test_a_denial_is_no_availability_and_is_reported(field, text):
    finding = read(field, f"Moths were counted. {text}")

    assert finding.value == {"text": text, "is_available": False}
    assert finding.evidence[0].quote.strip() == text


@each_of(
    ("field", "text"),
    [
        ("code_availability", "The genetic code is not available."),
        ("code_availability", "Code was not shared by 80% of the studies."),
        ("data_availability", "Data on mortality were not available."),
        ("data_availability", "Outcome data were not available in 3 trials."),
    ],
)
def test_something_missing_elsewhere_is_no_denial(field, text):
    assert read(field, f"Moths were counted. {text}") is None


def test_data_on_request_are_available_although_not_public():
    abstract = "The datasets are not publicly available, but are available on reasonable request."

    assert "is_available" not in read("data_availability", abstract).value
