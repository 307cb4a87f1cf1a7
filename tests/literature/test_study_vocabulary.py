"""One vocabulary: every study type that rules can answer has points, and so have the names that callers write."""

import ast
import inspect

import pytest

from biofact.literature.extraction.coercion import member_for
from biofact.literature.extraction.fields import study_subjects, study_type
from biofact.literature.scoring.criteria import function
from biofact.literature.scoring.functions import column
from biofact.literature.scoring.texts import POINTS
from tests.each_of import each_of

pytestmark = pytest.mark.quick

MODULES = (study_subjects, study_type)
MAKERS = {"Finding", "kind_by_words", "kind_finding", "rule", "finding_of_kind"}
"""Calls whose first argument is a kind."""


def constants(module):
    """The kinds in the literals of a module: first arguments, and first entries of rows."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS
        parts = node.args if is_call else node.elts if isinstance(node, ast.Tuple) else ()
        if parts and isinstance(parts[0], ast.Constant) and isinstance(parts[0].value, str):
            yield parts[0].value


VOCABULARY = sorted(
    {
        study_subjects.TRIAL,
        study_subjects.SECONDARY,
        *study_type.PUBLICATION_TYPES.values(),
        *study_type.DESIGN_HEADINGS.values(),
        *(kind for kind, _ in (*study_type.TITLE_RULES, *study_type.ABSTRACT_RULES)),
        "animal study",
        "in vitro study",
        "computational study",
        *(text for module in MODULES for text in constants(module) if text in POINTS or text.endswith(" study")),
    }
)


def points(category):
    result = column("study_type", [category], function("study_type", "categorical_score"))
    return result.scores[0], result.messages


def test_the_vocabulary_is_that_of_the_rules():
    assert {"randomized controlled trial", "observational study", "diagnostic study", "review"} < set(VOCABULARY)
    assert len(VOCABULARY) >= 20


@each_of("kind", VOCABULARY)
def test_every_kind_that_rules_answer_has_points_of_its_own(kind):
    value, messages = points(kind)

    assert messages == []
    assert 0 < value <= 1
    assert kind.replace("-", " ") in POINTS or kind in POINTS


@each_of("kind", VOCABULARY)
def test_every_kind_is_a_member_of_an_enum_that_has_it(kind):
    assert member_for(kind, ["something else", kind]) == kind


@each_of(
    ("name", "kind"),
    [
        ("not a randomised trial", "non-randomized trial"),
        ("a review of randomised trials", "review"),
        ("systematic review of randomised trials", "systematic review"),
        ("protocol for a randomised controlled trial", "protocol"),
        ("randomised trial protocol", "protocol"),
        ("post hoc analysis of a randomised trial", "secondary analysis of a randomized trial"),
        ("cohort study nested in a randomised trial", "cohort study"),
        ("cohort study, not randomised", "cohort study"),
        ("randomised, double-blind, placebo-controlled study", "randomized controlled trial"),
        ("randomized controlled pilot study", "randomized controlled trial"),
        ("randomised", "randomized controlled trial"),
        ("unrandomised trial", "non-randomized trial"),
        ("quasi-randomised controlled trial", "non-randomized trial"),
        ("trial without randomisation", "clinical trial"),
        ("comment on a randomised trial", "comment"),
        ("editorial on a meta-analysis", "editorial"),
        ("emulation of a randomised trial", "cohort study"),
        ("in silico", "computational study"),
    ],
)
def test_a_name_has_the_points_of_what_it_is(name, kind):
    assert points(name) == points(kind)


@pytest.mark.parametrize("name", ["not a systematic review", "no trial"])
def test_a_negated_study_type_has_no_points(name):
    value, messages = points(name)

    assert value == 0.5
    assert "no points are known" in messages[0]


def test_points_of_the_callers_own_are_read_as_before():
    options = {"name": "categorical_score", "points": {"randomised trial": 1, "review": 0.1}}

    scores = column("kind", ["a review of randomised trial"], function("kind", options)).scores

    assert scores.tolist() == [1]
