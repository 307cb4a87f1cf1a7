"""The rules beside the labels of the tuning half; the figures that we report are those of the held-out half."""

import pytest
from benchmarks.extraction import OWN_BARS, POOLED, Tally, family, labelled, measured, recorded, same_duration, share

from tests.recordings import FOLDER, needs_recordings


@needs_recordings
def test_the_tuning_half_is_well_above_the_bars():
    labels = labelled("tuning")
    tallies, _, _ = measured(labels, recorded(labels, FOLDER))
    rest = Tally()
    for name in POOLED:
        rest.add(tallies[name])

    for tally in (tallies[name] for name in OWN_BARS):
        assert tally.right >= 0.92 * tally.read
        assert tally.right >= 0.85 * tally.labelled
    assert rest.right >= 0.9 * rest.read
    assert rest.right >= 0.55 * rest.labelled


def test_a_share_comes_with_its_interval():
    assert share(9, 10).split() == ["0.90", "(0.60-0.98)"]
    assert share(0, 0).strip() == "-"


def test_measures_of_one_kind_are_one_family():
    assert family("rate ratio") == family("IRR")
    assert family("correlation") == family("r")
    assert family("HR") != family("OR")


@pytest.mark.parametrize(
    ("value", "unit", "label", "is_same"),
    [
        (12, "month", "12 months", True),
        (1, "year", "12 months", True),
        (24, "month", "3-24 months", True),
        (2, "week", "2 days", False),
    ],
)
def test_durations_are_compared_in_days(value, unit, label, is_same):
    assert same_duration({"value": value, "unit": unit}, label) is is_same
