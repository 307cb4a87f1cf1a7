"""Abstracts in the styles of real ones, with several numbers of each kind, held against what a reader found in them."""

import pytest
from benchmarks.abstracts import FIELDS, expected, is_right, labelled_abstracts, row_shares, stated

from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.schema import ExtractionSchema
from tests import virtual_time

pytestmark = pytest.mark.quick

FLOORS = {
    "study_type": 0.95,
    "sample_size": 0.72,
    "p_value": 0.8,
    "statistical_significance": 0.84,
    "effect_size": 0.79,
}
"""The shares that are read as labelled, in whole percent below what was measured."""
PRIMARY_FLOOR, EFFECTS_FLOOR = 0.82, 0.93
MOST_WRONG = 4
"""Significance the wrong way round."""


def test_main_results_and_sizes_of_abstracts_that_nothing_was_fitted_to_are_read_as_labelled():
    readings = [(item.labels, stated(item.article)) for item in labelled_abstracts("held")]
    wrong = [
        (labels, values)
        for labels, values in readings
        if {labels["significant"], values.get("statistical_significance")} == {True, False}
    ]

    for field in FIELDS:
        right = sum(is_right(field, expected(labels, field), values.get(field)) for labels, values in readings)
        assert right >= FLOORS[field] * len(readings), field
    rows = row_shares(labelled_abstracts("held"))
    assert len(wrong) <= MOST_WRONG
    assert rows.primary >= PRIMARY_FLOOR
    assert rows.effects >= EFFECTS_FLOOR
    assert len(readings) >= 60


def test_what_is_no_study_has_no_design_size_or_result_and_a_notice_says_so():
    articles = [item.article for item in labelled_abstracts() if item.labels["study_type"] is None]
    schema = {"study_type": "string", "sample_size": "integer", "p_value": "number", "effect_size": "number"}
    request = ExtractionRequest(ExtractionSchema.read(schema))

    answer = virtual_time.run(extract_features(articles, request, model=None))

    assert len(articles) >= 22
    assert [extraction.extraction for extraction in answer.extractions] == [{}] * len(articles)
    (notice,) = (notice for notice in answer.notices if "No study of their own" in notice.message)
    assert "(erratum)" in notice.message
