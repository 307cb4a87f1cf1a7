"""What a review extracts and how it scores, unless specified otherwise."""

from collections.abc import Mapping
from typing import Any

from biofact.literature.scoring import ScoringCriteria

SCHEMA: Mapping[str, Any] = {
    "study_type": "string",
    "sample_size": "integer",
    "population": "string",
    "intervention": "string",
    "comparator": "string",
    "outcome": "string",
    "effect_size": {"measure": "string", "value": "number"},
    "p_value": "number",
    "follow_up": "string",
    "registration": "string",
    "limitations": "array[string]",
}
"""What reviewers note of a study, all of it readable by rules."""

# Design and size say how much an article can tell; what it found says nothing of that, so that effect_size and p_value
# weigh nothing: a ranking by significance would repeat the bias of what gets published.
CRITERIA = ScoringCriteria(
    weights={"study_type": 0.4, "sample_size": 0.25, "registration": 0.15, "comparator": 0.1, "follow_up": 0.1},
    scoring_functions={
        "study_type": "categorical_score",
        "sample_size": {"name": "log_scale", "low": 10, "high": 10_000},
        "registration": "presence",
        "comparator": "presence",
        "follow_up": "presence",
    },
    normalization_method="none",
)
"""Scores that mean the same in every run: no function depends on the other articles."""
