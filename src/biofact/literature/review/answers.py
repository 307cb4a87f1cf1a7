"""A model whose answers are stored before use, so that none is paid for twice."""

import json
from collections import Counter

from biofact.core.records import Frozen
from biofact.literature.model import LanguageModel, ModelAnswer, ModelFailed, ModelQuestion
from biofact.literature.records import Method
from biofact.literature.review.work import Work, digest


class _StoredModelAnswer(Frozen):
    """The stored form of an answer, or of a failure that took tokens."""

    value: str
    """JSON."""
    tokens: int
    failure: str | None = None
    may_pass: bool = False


class RememberedModel:
    """Another model, whose answers are kept by what they answer.

    The same question asked again in one run is another one: who asks again was not content with the answer. A
    failure that took nothing is not kept, so that the next start may ask again.
    """

    def __init__(self, model: LanguageModel, work: Work) -> None:
        self.name = model.name
        self.method: Method = model.method
        self._model = model
        self._work = work
        self._asked: Counter[str] = Counter()

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: there is none.
        """
        schema = json.dumps(question.answer_schema, sort_keys=True)
        named = digest(self.name, question.instructions, question.text, schema, str(question.most_tokens))
        self._asked[named] += 1
        file = f"model/{named}-{self._asked[named]}"
        content = self._work.find(file)
        if content is None:
            try:
                answer = await self._model.answer(question)
                stored = _StoredModelAnswer(value=json.dumps(answer.value), tokens=answer.tokens)
            except ModelFailed as failed:
                if not failed.tokens:
                    self._asked[named] -= 1
                    raise
                stored = _StoredModelAnswer(
                    value="null", tokens=failed.tokens, failure=failed.reason, may_pass=failed.may_pass
                )
            content = self._work.keep(file, stored.model_dump_json().encode())
        kept = _StoredModelAnswer.model_validate_json(content)
        if kept.failure is not None:
            raise ModelFailed(kept.failure, may_pass=kept.may_pass, tokens=kept.tokens)
        return ModelAnswer(json.loads(kept.value), kept.tokens)

    def with_failures(self) -> "WatchedModel":
        """The same model, for callers that need to know whether it answered."""
        return WatchedModel(self)


class WatchedModel:
    """Remembers how the model failed without answering at all."""

    def __init__(self, model: RememberedModel) -> None:
        self.name = model.name
        self.method: Method = model.method
        self._model = model
        self.failures: list[ModelFailed] = []

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: there is none.
        """
        try:
            return await self._model.answer(question)
        except ModelFailed as failed:
            if not failed.tokens:
                self.failures.append(failed)
            raise
