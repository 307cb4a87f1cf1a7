"""Features of articles to scores: pure, without network or clock. numpy loads when ``score`` is first called."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biofact.literature.choices import ScoringMethod
from biofact.literature.scoring.criteria import FUNCTIONS, Normalization, ScoringCriteria

if TYPE_CHECKING:
    from biofact.literature.scoring.scores import Scores
    from biofact.literature.scoring.trained_model import TrainedModel

__all__ = ["FUNCTIONS", "Normalization", "ScoringCriteria", "score"]


def score(
    features: Sequence[Mapping[str, Any]],
    criteria: ScoringCriteria,
    *,
    method: ScoringMethod = "weighted_sum",
    model: "TrainedModel | None" = None,
) -> "Scores":
    """Every article scored by its features, in the order given.

    A feature that an article does not state adds nothing; one that none states is left out of the weights.
    ``messages`` lists missing, unread and cut values.
    ``model`` is needed by ``ml_model`` only.

    Raises:
        ValueError: ``ml_model`` was asked for without a model.
    """
    from biofact.literature.scoring import totals  # noqa: PLC0415  # numpy loads on first use

    return totals.score_articles(features, criteria, method, model)
