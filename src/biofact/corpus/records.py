"""The plan of a run over a corpus: everything that decides what its folder holds, and nothing else."""

import hashlib
from collections.abc import Mapping
from importlib import metadata
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from biofact.corpus.choices import PARTS, SHARD_SIZE, Total
from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.literature.records import GOAL_RELEVANCE
from biofact.literature.review import plan as review
from biofact.literature.review.plan import RULES
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.scoring.criteria import Effect, Function, KeywordMatch, TextSimilarity
from biofact.literature.scoring.functions import DEFAULTS
from biofact.literature.scoring.measures import is_effect_name, is_ratio_name

VERSION = metadata.version("biofact")
"""The version of this code."""
Format = Literal["biofact corpus 1"]

_KINDS = {"integer": "number", "number": "number", "boolean": "boolean", "array": "array"}
"""The kind of values by which a function is chosen, by that of the schema's field."""

# As in a review, but for the goal: there is none here that an article could be relevant to.
CRITERIA = review.CRITERIA.model_copy(
    update={
        name: {
            feature: option for feature, option in getattr(review.CRITERIA, name).items() if feature != GOAL_RELEVANCE
        }
        for name in ("weights", "scoring_functions")
    }
)


class _Fixed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class InputFile(_Fixed):
    """A file as it was when the run was planned."""

    path: str
    """Absolute."""
    size: int
    """Bytes."""
    sha256: str
    entries: int
    """Articles in it, readable or not."""
    superseded: int = 0
    """Entries that a later file, or a later place in this one, has again or deletes."""


class Shard(_Fixed):
    """The unit of work: a file, or a part of a long one."""

    number: int
    """From 0."""
    file: int
    """The place of its file in the plan, from 0."""
    first: int = 0
    """The number of its first entry in the file, from 0."""
    count: int
    """Entries."""
    offset: int = 0
    """The place of the first of them in a file that can be read from there, in bytes; else 0."""
    is_last: bool = True
    """Whether it ends with the file, which has to be whole there."""


def _read_schema(schema: dict[str, Any]) -> dict[str, Any]:
    ExtractionSchema.read(schema)
    return schema


class Settings(_Fixed):
    """The way in which each article is read and scored."""

    extraction_schema: Annotated[dict[str, Any], AfterValidator(_read_schema)] = Field(
        default_factory=lambda: dict(review.SCHEMA)
    )
    criteria: ScoringCriteria = CRITERIA
    score_function: Total = "weighted_sum"
    reader: str = RULES
    """The reader of abstracts: rules, or the model of this name."""
    instructions: Annotated[str, Field(max_length=8000)] = ""
    """For the model; rules do not read them."""

    @property
    def schema_read(self) -> ExtractionSchema:
        """The schema in the form that readers take."""
        return ExtractionSchema.read(self.extraction_schema)

    def fixed(self) -> "Settings":
        """The same with a scoring function for every feature, so that no article's score depends on the others.

        Raises:
            ValueError: a feature is not in the schema, or its function needs all articles at once.
        """
        functions = functions_of(self.criteria, self.schema_read)
        scoring_functions = {
            feature: {"name": function.name, **function.model_dump(exclude_none=True)}
            for feature, function in functions.items()
        }
        return self.model_copy(
            update={"criteria": self.criteria.model_copy(update={"scoring_functions": scoring_functions})},
        )


class CorpusPlan(_Fixed):
    """A run: how to read, what to read, and in which shards."""

    format: Format = "biofact corpus 1"
    settings: Settings
    version: str
    """The version of biofact that made the plan."""
    shard_size: Annotated[int, Field(ge=1)] = SHARD_SIZE
    parts: Annotated[int, Field(ge=1)] = PARTS
    """Parts of an array of jobs."""
    files: tuple[InputFile, ...]
    shards: tuple[Shard, ...]
    milliseconds: float = 0.0
    """The time of one article on one core when the run was planned, 0 where a model reads; no part of the key."""

    @property
    def key(self) -> str:
        """Decides every byte that the run writes: another plan has another."""
        document: Mapping[str, Any] = {
            "settings": self.settings.model_dump(mode="json"),
            "version": self.version,
            "files": [[file.sha256, file.superseded] for file in self.files],
            "shards": [shard.model_dump(mode="json") for shard in self.shards],
        }
        return hashlib.blake2b(orjson.dumps(document, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()

    @property
    def articles(self) -> int:
        """The number of articles to read: each once, in its last version."""
        return sum(file.entries - file.superseded for file in self.files)

    def part(self, number: int) -> tuple[Shard, ...]:
        """The shards of part ``number`` of the array, from 1 to ``parts``; together the parts have each shard once."""
        # every nth, so that each part has shards of all files
        return tuple(shard for shard in self.shards if shard.number % self.parts == number - 1)


def functions_of(criteria: ScoringCriteria, schema: ExtractionSchema) -> dict[str, Function]:
    """A scoring function for every weighted feature: the one asked for, or the one that fits the schema's field.

    Raises:
        ValueError: a feature is not in the schema, or its function compares texts with those of all other articles.
    """
    fields = {field.name: field for field in schema.fields}
    functions = {}
    for feature in criteria.weights:
        if feature not in fields:
            names = ", ".join(fields)
            raise ValueError(f"{feature!r:.80} has a weight and is not in the schema, which has {names}.")
        functions[feature] = criteria.function(feature) or _default_function(feature, fields[feature])
        _check_alone(feature, functions[feature])
    return functions


def _default_function(feature: str, field: SchemaField) -> Function:
    """The function for a field of the schema where none is named."""
    is_number = _KINDS.get(field.kind) == "number"
    if is_effect_name(feature) and (is_number or field.kind == "object"):
        return DEFAULTS["effect"]
    if is_number and is_ratio_name(feature):
        return Effect(measure="ratio")
    return DEFAULTS[_KINDS.get(field.kind, "string")]


def _check_alone(feature: str, function: Function) -> None:
    if isinstance(function, KeywordMatch) and function.keywords is None:
        raise ValueError(f"keyword_match for {feature!r:.80} needs keywords: a corpus is not read twice to find some.")
    if isinstance(function, TextSimilarity):
        raise ValueError(  # noqa: TRY004  # of a value of the criteria
            f"text_similarity for {feature!r:.80} compares each text with those of all articles, which a corpus is not"
            " read twice for; keyword_match and text_quality judge each by itself."
        )
