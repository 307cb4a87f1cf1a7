"""The number of pieces of data in a study, which is not the number of people enrolled."""

import pytest

from biofact.literature.extraction.fields import read_fields
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests.each_of import each_of
from tests.marks import requirement

pytestmark = pytest.mark.quick


def size(abstract):
    article = CanonicalPubMedArticle(id="PMID:1", title="A study.", abstract=abstract)
    finding = read_fields(article, {"dataset_size"}).get("dataset_size")
    return finding and (finding.value, finding.evidence[0].quote)


@requirement("004 E-rules")
@each_of(
    ("abstract", "value", "quote"),
    [
        ("The model was tuned on 42,000 discharge summaries.", 42_000, "42,000 discharge summaries"),
        ("It was trained on 9,310 slides and tested on 1,204 from elsewhere.", 9_310, "9,310 slides"),
        ("METHODS: 3,214 visits to four departments were randomised.", 3_214, "3,214 visits"),
        ("METHODS: We collected 9963 images of 4997 patients.", 9_963, "9963 images"),
        ("METHODS: We read 812 chest radiographs of 640 adults.", 812, "812 chest radiographs"),
        ("RESULTS: Of 1.2 million notes, 300 notes were labelled by hand.", 1_200_000, "1.2 million notes"),
        ("METHODS: Records of 18,902 patients were searched.", 18_902, "18,902 patients"),
        ("METHODS: Data from a total of 640 women were pooled.", 640, "640 women"),
        ("METHODS: Two thousand tweets were sampled.", 2_000, "Two thousand tweets"),
    ],
)
def test_the_unit_is_a_piece_of_data(abstract, value, quote):
    assert size(abstract) == (value, quote)


@requirement("004 E-rules")
@each_of(
    "abstract",
    [
        "METHODS: We enrolled 120 patients.",
        "METHODS: The scale has 35 points and 20 words.",
        "METHODS: 90 participants gave samples at 40 weekly visits.",
        "METHODS: Another 40 images were left out.",
        "METHODS: Four reports were read.",
        "BACKGROUND: ImageNet has 1,400,000 images.",
        "METHODS: Images were taken every 15 minutes for 24 hours.",
    ],
)
def test_people_times_and_handfuls_are_none(abstract):
    assert size(abstract) is None
