"""What a review extracts and how it scores, unless specified otherwise."""

from collections.abc import Mapping
from typing import Any

from biofact.literature.records import GOAL_RELEVANCE
from biofact.literature.scoring import ScoringCriteria

SCHEMA: Mapping[str, Any] = {
    "study_type": "string",
    "sample_size": "integer",
    "population": "string",
    "intervention": "array[string]",
    "comparator": "array[string]",
    "outcome": "array[string]",
    "effect_size": {"measure": "string", "value": "number", "low": "number", "high": "number", "level": "number"},
    "p_value": "number",
    "follow_up": "string",
    "registration": "string",
    "limitations": "array[string]",
}
"""What reviewers note of a study, all of it readable by rules; of lists the primary value comes first."""

# Relevance counts as much as all that speaks of strength, so that neither the best trial on another question nor the
# weakest article on this one leads.
# Design and size say how much an article can tell; what it found says nothing of that, so that effect_size and p_value
# weigh nothing: a ranking by significance would repeat the bias of what gets published.
CRITERIA = ScoringCriteria(
    weights={
        GOAL_RELEVANCE: 0.5,
        "study_type": 0.2,
        "sample_size": 0.125,
        "registration": 0.075,
        "comparator": 0.05,
        "follow_up": 0.05,
    },
    scoring_functions={
        GOAL_RELEVANCE: {"name": "linear", "low": 0, "high": 1},
        "study_type": "categorical_score",
        "sample_size": {"name": "log_scale", "low": 10, "high": 10_000},
        "registration": "presence",
        "comparator": "presence",
        "follow_up": "presence",
    },
    normalization_method="none",
)
"""Scores that mean the same in every run: no function depends on the other articles."""
