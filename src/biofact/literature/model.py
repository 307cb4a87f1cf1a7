"""A language model as the pipeline needs it: one question in, one JSON value out, whichever model it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from biofact.core.errors import RateLimited
from biofact.literature.records import Method


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A prompt to a model. The text of articles is data between marks, never an instruction."""

    instructions: str
    """The task: our instructions, and the caller's own if any."""
    text: str
    """The text to work on."""
    answer_schema: Mapping[str, Any]
    """JSON Schema of the answer, an object."""
    most_tokens: int = 4096
    """The most tokens of the answer."""

    @property
    def instructions_for_json(self) -> str:
        """The instructions with the form of the answer, for a model that takes no response schema."""
        schema = json.dumps(self.answer_schema, ensure_ascii=False)
        request = "Answer with one JSON object and nothing else. It must fit this JSON Schema:"
        return f"{self.instructions}\n\n{request}\n{schema}"


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer, and its cost."""

    value: Any
    """The JSON of the model, which may be anything: models do not keep to schemas."""
    tokens: int = 0
    """Tokens of question and answer, if the model reports them."""


class ModelFailed(Exception):
    """The model could not be reached, or its answer is no JSON. ``may_pass``: another attempt may help.
    ``is_of_endpoint``: another question would fare no better.
    """

    def __init__(
        self,
        reason: str,
        *,
        may_pass: bool,
        tokens: int = 0,
        is_of_endpoint: bool = False,
        limit: RateLimited | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.may_pass = may_pass
        self.is_of_endpoint = is_of_endpoint
        self.tokens = tokens
        """The tokens of the failed attempt."""
        self.limit = limit
        """The limit of the caller's quota that kept the question from the model."""


class LanguageModel(Protocol):
    """Anything that answers questions in JSON."""

    name: str
    """The name of the model in answers."""
    method: Method

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: there is none.
        """


def json_answer(content: str, tokens: int = 0) -> ModelAnswer:
    """The JSON in a model's output, without the fences and the reasoning that some models add.

    Raises:
        ModelFailed: it is none.
    """
    text = content.rpartition("</think>")[2].strip()
    if text.startswith("```"):
        text = text.removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        return ModelAnswer(json.loads(text), tokens)
    except (ValueError, RecursionError):
        raise ModelFailed("its answer is not JSON", may_pass=True, tokens=tokens) from None
