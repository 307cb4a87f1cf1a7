"""The articles of a shard as questions to a model, and what was answered as outcomes."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.model_log import ShardLog, TextKey
from biofact.corpus.records import CorpusPlan, Shard
from biofact.corpus.shard_run import blocks_of, check_unchanged, entries_of
from biofact.literature.extraction import model_reading
from biofact.literature.extraction.findings import ArticleFeatures
from biofact.literature.model import ModelQuestion
from biofact.sources.pubmed.records import CanonicalPubMedArticle


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """A question about one article."""

    key: TextKey
    article_id: str
    question: ModelQuestion


class ShardArticles:
    """What there is to ask about the articles of a shard."""

    def __init__(self, place: CorpusFolder, plan: CorpusPlan, shard: Shard) -> None:
        self.number = shard.number
        self._place = place
        self._plan = plan
        self._shard = shard
        self._schema = plan.settings.schema_read

    def blocks(self) -> Iterator[list[ArticleQuestion]]:
        """The questions about those that can be read, some at a time.

        Raises:
            InputDamaged: the file is not as it was planned, or cannot be read to its end.
            OSError: it cannot be read.
        """
        file = self._plan.files[self._shard.file]
        check_unchanged(file)
        for entries in blocks_of(entries_of(self._place, file, self._shard)):
            yield [self.question(entry.article) for entry in entries if entry.article is not None]

    def question(self, article: CanonicalPubMedArticle) -> ArticleQuestion:
        """What the model is asked about an article."""
        question = model_reading.extraction_question(self._schema, self._plan.settings.instructions, [article])
        text = hashlib.blake2b(question.text.encode(), digest_size=16).hexdigest()
        return ArticleQuestion(TextKey(article.pmid or "", text), article.id, question)

    def outcome(self, article: CanonicalPubMedArticle, log: ShardLog) -> ArticleFeatures:
        """What the model's answer states, as far as the article bears it out; or why it did not read it.

        Raises:
            RuntimeError: it was not asked.
        """
        key = self.question(article).key
        if key not in log:
            raise RuntimeError(f"The model was not asked about PMID {key.pmid}.")
        answer = log.answer(key)
        if answer.fields is None:
            return ArticleFeatures(method="model", failure=f"The model did not read the article: {answer.failure}.")
        return model_reading.grounded_features(self._schema, article, answer.fields, method="model", coerces=False)
