"""Effects in every shape that a schema can give them, the evidence table, and the forest plot."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import Evidence
from biofact.literature.report import page
from biofact.literature.report.effects import Effect, effects_of
from biofact.literature.report.figures import own_axis, shared_axis
from tests.each_of import each_of
from tests.literature.made_page import Reader
from tests.literature.made_ranking import TODAY, article, report

pytestmark = pytest.mark.quick


def ranked(*extractions):
    """Rows in this order, an article for each extraction."""
    candidates = [
        Candidate(
            f"PMID:{99000001 + i}",
            article(99000001 + i, year=2020 - i, authors=[f"Author{i} A"]),
            extraction,
            0.9 - i / 99,
        )
        for i, extraction in enumerate(extractions)
    ]
    return rank_articles(candidates, RankRequest(max_results=99), {}, today=TODAY).rows


def read(*extractions):
    return Reader(page(report(rows=ranked(*extractions), evidence={})))


def cells(result, shade):
    """The texts of a table's cells, row by row, without the first cell of each row."""
    rows = [text for text in result.all("table", class_=shade)[0].split("\n") if text.strip()]
    return [" ".join(row.split()) for row in rows]


HR = {"measure": "HR", "value": 0.71, "low": 0.55, "high": 0.92, "level": 95}


@each_of(
    ("extraction", "effects"),
    [
        ({"effect_size": HR}, [Effect("HR", 0.71, 0.55, 0.92)]),
        ({"effect_size": [HR, {"measure": "OR", "value": 2}]}, [Effect("HR", 0.71, 0.55, 0.92), Effect("OR", 2.0)]),
        ({"effect_size": {"measure": "SMD", "value": -0.4}, "ci": {"low": -0.7, "high": -0.1, "level": 90}},
         [Effect("SMD", -0.4, -0.7, -0.1, 90.0)]),
        ({"effect": {"kind": "hazard ratio", "value": 0.7, "interval": [0.5, 0.9]}}, [Effect("HR", 0.7, 0.5, 0.9)]),
        ({"odds_ratio": 1.8}, [Effect("OR", 1.8)]),
        ({"effect_size": -0.8}, [Effect("", -0.8)]),
        ({"outcomes": [
            {"name": "falls", "effect": {"measure": "RR", "value": 1.1}, "p_value": 0.4},
            {"name": "death", "primary": True, "effect": 0.5, "measure": "HR", "interval": {"low": 0.3, "high": 0.8},
             "comparator": "placebo", "p_value": "< 0.001"}]},
         [Effect("HR", 0.5, 0.3, 0.8, outcome="death", comparator="placebo", p_value="< 0.001"),
          Effect("RR", 1.1, outcome="falls", p_value=0.4)]),
        ({"effect_size": {"measure": "HR", "value": 0.71}, "outcomes": [{"name": "death", "effect": HR}]},
         [Effect("HR", 0.71, 0.55, 0.92, outcome="death")]),
        ({"effect_size": {"measure": "HR"}, "other": [1, "a", None]}, []),
        ({"effect_size": None, "outcomes": ["death", "falls"]}, []),
        ({"effect_size": {"value": float("nan")}}, []),
        ({"effect_size": {"value": True}}, []),
    ],
)  # fmt: skip
def test_effects_are_read_from_any_schema_in_their_direction(extraction, effects):
    assert effects_of(extraction) == effects


@each_of(
    ("effect", "can_be_drawn"),
    [
        (Effect("HR", 0.71, 0.55, 0.92), True),
        (Effect("HR", 0.71), False),
        (Effect("", 0.71, 0.55, 0.92), False),
        (Effect("HR", 0.71, 0.92, 0.55), False),
        (Effect("OR", 0.71, -0.2, 0.92), False),
        (Effect("MD", -2.0, -3.0, -1.0), True),
        (Effect("NNT", 12.0, 8.0, 30.0), False),
    ],
)
def test_only_effects_with_a_possible_interval_are_drawn(effect, can_be_drawn):
    assert effect.can_be_drawn is can_be_drawn


def test_a_ratio_has_a_logarithmic_axis_on_which_half_and_double_are_equally_far():
    axis = shared_axis("HR", [Effect("HR", 0.71, 0.55, 0.92), Effect("HR", 1.3, 0.8, 1.9)])

    assert axis.is_logarithmic
    assert axis.null == 1
    assert axis.position(1) == 50
    assert axis.position(0.5) - 50 == pytest.approx(50 - axis.position(2), abs=0.02)
    assert axis.ticks == (0.5, 0.7, 1, 1.4, 2)


def test_an_interval_without_a_bound_ends_at_the_axis():
    axis = shared_axis("OR", [Effect("OR", 3.0, 0.2, 900.0)])

    assert axis.is_beyond(900.0)
    assert not axis.is_beyond(0.2)
    assert axis.position(900.0) == axis.position(axis.high) == 96


@each_of(("measure", "null"), [("SMD", 0), ("r", 0), ("AUC", 0.5), ("sensitivity", None)])
def test_no_effect_is_where_the_measure_has_it(measure, null):
    assert shared_axis(measure, [Effect(measure, 0.7, 0.6, 0.8)]).null == null


@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 3), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_value_has_a_place_on_its_axis(triples):
    effects = [Effect("SMD", *(sorted(triple)[place] for place in (1, 0, 2))) for triple in triples]
    axis = shared_axis("SMD", effects)

    for effect in effects:
        places = [axis.position(value) for value in (effect.low, effect.value, effect.high)]
        assert places == sorted(places)
        assert 0 <= places[0] <= places[-1] <= 100
    assert axis.ticks[0] <= min(effect.low for effect in effects) + math.ulp(1e6)
    assert len(axis.ticks) <= 9


def test_an_effect_in_a_unit_of_its_own_is_drawn_around_no_effect():
    axis = own_axis(Effect("MD", 8.4, 3.8, 13.0))

    assert (axis.position(0), axis.position(13.0)) == (50, 96)


def test_each_measure_has_a_panel_of_its_own_and_nothing_is_pooled():
    result = read({"effect_size": HR}, {"effect_size": {"measure": "MD", "value": -2.5, "low": -4, "high": -1}},
                 {"effect_size": {"measure": "HR", "value": 1.2, "low": 0.9, "high": 1.6, "level": 99}},
                 {"effect_size": {"measure": "HR", "value": 2}})  # fmt: skip

    assert [text for text in result.all("h3") if "estimate" in text] == [
        "Hazard ratio 2 estimates",
        "Mean difference 1 estimate",
    ]
    first, second = result.all("table", class_="forest")
    assert "Author0 2020" in first
    assert "0.71 (0.55 to 0.92)" in first
    assert "1.2 (0.9 to 1.6, 99%)" in first
    assert "\u22122.5 (\u22124 to \u22121)" in second
    text = "".join(result.text)
    assert "1 effect without an interval: see the evidence table." in text
    assert not any(word in text.lower() for word in ("diamond", "overall effect", "heterogeneity", "weighted average"))
    labels = [answer["aria-label"] for name, answer, _ in result.elements if name == "svg" and "aria-label" in answer]
    assert "Logarithmic axis from 0.5 to 2" in labels


def test_a_page_without_effects_has_no_plot():
    assert read({"study_type": "cohort study"}).all("table", class_="forest") == []


def test_the_evidence_table_takes_one_value_or_many_and_hides_empty_columns():
    table = read(
        {
            "study_type": "randomized controlled trial",
            "sample_size": 1204,
            "population": ["adults at risk", "men"],
            "arms": [{"name": "synthestatin", "n": 600}],
            "intervention": ["synthestatin", "a", "b", "c", "d"],
            "outcome": "death",
            "effect_size": HR,
            "p_value": 0.009,
        },
        {"population": "children"},
        {"limitations": ["few events"]},
    )

    assert table.all("th", role="columnheader")[-6:] == [
        "Study", "Design", "Population", "Intervention", "Outcome", "Effect as stated",
    ]  # fmt: skip
    assert table.all("td", data_label="Population") == ["adults at riskmen", "children"]
    assert table.all("td", data_label="Intervention") == ["synthestatinaband 2 more", "not stated"]
    assert table.all("td", data_label="Effect as stated") == ["HR 0.71 (0.55 to 0.92)P = 0.009", "not stated"]
    assert table.all("td", data_label="Design")[0] == "randomized controlled trialn = 1204"
    assert "1 article without any of it left out." in "".join(table.text)


def test_outcomes_with_their_effects_are_listed_with_the_primary_one_first():
    table = read({"outcomes": [{"name": "falls", "effect": {"measure": "RR", "value": 1.1}},
                               {"name": "death", "primary": True, "effect": HR, "p_value": "<0.01"}]})  # fmt: skip

    assert table.all("td", data_label="Outcome") == ["fallsdeath"]
    assert table.all("td", data_label="Effect as stated") == ["deathHR 0.71 (0.55 to 0.92), P <0.01fallsRR 1.1"]


def test_a_p_value_keeps_the_sign_that_it_is_quoted_with():
    evidence = {"PMID:99000001": {"p_value": [Evidence(where="abstract", quote="P<0.001")]}}
    reader = Reader(page(report(rows=ranked({"p_value": 0.001}, {"p_value": 0.03}), evidence=evidence)))

    assert reader.all("td", data_label="Effect as stated") == ["P < 0.001", "P = 0.03"]
