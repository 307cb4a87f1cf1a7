"""The plan of a review, which decides everything that its folder holds, and its defaults."""

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from biofact.literature.choices import ScoringMethod
from biofact.literature.extraction.fields import FIELDS
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.query.records import QueryRequest
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import GOAL_RELEVANCE
from biofact.literature.scoring import ScoringCriteria

_COLUMNS = {field.name: field.column for field in FIELDS.values() if field.column and field.column.place}
_SCORED = {name: column for name, column in _COLUMNS.items() if column.weight}
SCHEMA: Mapping[str, Any] = {name: column.kind for name, column in _COLUMNS.items()}
"""The facts that reviewers note of a study, all readable by rules; in lists the primary value comes first."""

# Relevance counts as much as all that speaks of strength, so that neither the best trial on another question nor the
# weakest article on this one leads.
# Design and size decide the strength of evidence, results do not: effect_size and p_value have no weight, since a
# ranking by significance would repeat the bias of publication.
CRITERIA = ScoringCriteria(
    weights={GOAL_RELEVANCE: 0.5, **{name: column.weight for name, column in _SCORED.items()}},
    scoring_functions={
        GOAL_RELEVANCE: {"name": "linear", "low": 0, "high": 1},
        **{name: column.scale for name, column in _SCORED.items()},
    },
    normalization_method="none",
)
"""Scores that mean the same in every run: no function depends on the other articles."""


MOST_ARTICLES = 50_000
TOP = 25
RULES = "rules"


def _read_schema(schema: dict[str, Any]) -> dict[str, Any]:
    ExtractionSchema.read(schema)
    return schema


class ReviewPlan(BaseModel):
    """A review: the goal, and the options of each step."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    request: QueryRequest
    """The goal, and the conditions on its queries."""
    max_results: Annotated[int, Field(ge=1, le=MOST_ARTICLES)] = 200
    """Articles to read, of all queries together."""
    extraction_schema: Annotated[dict[str, Any], AfterValidator(_read_schema)] = Field(
        default_factory=lambda: dict(SCHEMA)
    )
    instructions: Annotated[str, Field(max_length=8000)] = ""
    """For the model; rules do not read them."""
    reader: str = RULES
    """The reader of the abstracts: rules, or the model of this name."""
    criteria: ScoringCriteria = CRITERIA
    score_function: ScoringMethod = "weighted_sum"
    trained: str = ""
    """For ``ml_model``: the name of the trained model, and a hash of its file."""
    ranking: RankRequest = Field(default_factory=lambda: RankRequest(max_results=TOP))
    """``max_results`` is the number of articles in the report."""
    is_sandbox: bool = False
    """Whether the sandbox answers in place of PubMed."""

    def differences(self, other: "ReviewPlan") -> list[str]:
        """The options in which another plan differs, as a command line names them."""
        own_options, other_options = dict(self.options()), dict(other.options())
        return [
            name
            for name in dict.fromkeys([*own_options, *other_options])
            if own_options.get(name) != other_options.get(name)
        ]

    def command(self, sandbox: Path | None = None) -> str:
        """The command of this review, without its folder and default options; ``sandbox`` is the sandbox's folder."""
        usual = dict(ReviewPlan(request=QueryRequest(research_goal="any goal")).options())
        words = ["biofact", "literature", "review", self.request.research_goal]
        for name, value in self.options():
            if name == "--sandbox" and sandbox is not None:
                words.append(f"{name}={sandbox}")
            elif name not in {"goal", "model"} and value != usual[name]:
                words += _option_words(name, value)
        return shlex.join([*words, *(["--rules"] if self.reader == RULES else [])])

    def options(self) -> Iterator[tuple[str, Any]]:
        """Every option, under its name on the command line."""
        request, ranking = self.request, self.ranking
        yield "goal", request.research_goal
        yield from (
            (f"--{name.replace('_', '-')}", value)
            for name, value in request.model_dump().items()
            if name != "research_goal"
        )
        yield from (("--max-results", self.max_results), ("--schema", self.extraction_schema))
        yield from (("--instructions", self.instructions), ("model", self.reader))
        yield from (("--criteria", self.criteria.model_dump()), ("--score-function", self.score_function))
        yield from (("--model", self.trained), ("--top", ranking.max_results))
        yield "--min-score", ranking.min_score_threshold
        ranking_options = {**ranking.ranking_criteria.model_dump(), **ranking.filters.model_dump()}
        yield from ((f"--{name.replace('_', '-')}", value) for name, value in ranking_options.items())
        yield "--sandbox", self.is_sandbox


def _option_words(option: str, value: Any) -> list[str]:
    if value is True:
        return [option]
    if isinstance(value, list):
        return [word for entry in value for word in (option, str(entry))]
    if option == "--model":
        value = str(value).partition(" ")[0]
    return [option, json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)]
