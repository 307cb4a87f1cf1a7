"""Requests to PubMed, MeSH and iCite, each made once per run: answers are stored before use."""

import functools
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from pydantic import Field, SerializerFunctionWrapHandler, TypeAdapter, model_serializer

from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, RetryAfter, UpstreamError
from biofact.core.records import Frozen, Notice, Provenance
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.review.folder import Work, digest
from biofact.literature.review.progress import ProgressTally, gather_limited
from biofact.sources.pubmed.parse import Citations, Descriptor
from biofact.sources.pubmed.questions import ARTICLES, CITATIONS, Questions
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.transport.stack import Transport

T = TypeVar("T")
_AskCitations = Callable[[Sequence[str]], Awaitable[Mapping[str, Citations]]]

_AT_ONCE = 4
_FACTS = [field.name for field in fields(SearchAnswer) if field.name != "error"]  # with an error it is none

_SEARCH = TypeAdapter(dict[str, Any])
_TEXT = TypeAdapter(str)
_TEXTS = TypeAdapter(list[str])
_HEADINGS = TypeAdapter(list[Descriptor])
_CITATIONS = TypeAdapter(dict[str, Citations])


_STORED_NAMES = {"provenances": "told"}


class StoredAnswer(Frozen):
    """The stored form of an answer."""

    value: Any = None
    refusal: tuple[str, str] | None = None
    """Message and hint, where the service refused the question itself."""
    provenances: tuple[Provenance, ...] = Field(default=(), alias="told")
    """The oldest and the newest answer of each service; one where both are the same."""
    notices: tuple[Notice, ...] = ()

    @model_serializer(mode="wrap")
    def _with_stored_names(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The fields under the names in folders of earlier versions."""
        return {_STORED_NAMES.get(name, name): value for name, value in serialize(self).items()}


class ArticleBatch(Frozen):
    """Some of the articles, in the order asked for."""

    articles: list[CanonicalPubMedArticle] = Field(default_factory=list)
    absent: list[str] = Field(default_factory=list)
    """PMIDs in PubMed's lists without an article."""
    unread: dict[str, str] = Field(default_factory=dict)
    """The reasons why others cannot be read, by PMID."""


_PART = TypeAdapter(ArticleBatch)


class RememberedQuestions(Questions):
    """The questions of one run."""

    def __init__(self, transport: Transport, work: Work) -> None:
        super().__init__(transport)
        self._work = work
        self.failures: list[BiofactError] = []
        """The failures of services. Other callers may continue without an answer; a review must not."""
        self.provenances: list[Provenance] = []
        """The origins of the answers that the run uses."""
        self.notices: list[Notice] = []

    async def search(
        self, query: str, *, limit: int, sort: str = "relevance", published: tuple[str, str] | None = None
    ) -> SearchAnswer:
        """The articles that match; requested once."""
        name = json.dumps([query, limit, sort, published])
        parent_search = super().search

        async def ask() -> dict[str, Any]:
            answer = await parent_search(query, limit=limit, sort=sort, published=published)
            return {fact: getattr(answer, fact) for fact in _FACTS}

        facts = await self._stored("search", name, _SEARCH, ask)
        search_facts: dict[str, Any] = {
            fact: tuple(value) if isinstance(value, list) else value for fact, value in facts.items()
        }
        return SearchAnswer(**search_facts)

    async def spelling(self, words: str) -> str:
        """PubMed's spelling of the words; requested once."""
        ask = super().spelling
        return await self._stored("spelling", words, _TEXT, lambda: ask(words))

    async def headings(self, words: str) -> list[Descriptor]:
        """MeSH headings; their IDs and their descriptors are two requests, each made once."""
        uids = await self._stored("mesh", words, _TEXTS, lambda: self.heading_uids(words))
        return await self._stored("headings", ",".join(uids), _HEADINGS, lambda: self.descriptors(uids)) if uids else []

    async def citations(self, pmids: Sequence[str]) -> Mapping[str, Citations]:
        """The citations of articles, part by part; each requested once."""
        ask = super().citations
        results: dict[str, Citations] = {}
        for part in _parts(pmids, CITATIONS.limit):
            counts = await self._stored("citations", ",".join(part), _CITATIONS, functools.partial(_plain, ask, part))
            results |= counts
        return results

    async def all_articles(self, pmids: Sequence[str], tally: ProgressTally) -> ArticleBatch:
        """The articles, part by part; each requested once.

        Raises:
            RateLimited, UpstreamError: PubMed does not answer; its earlier answers are stored.
        """

        async def read(pmids: Sequence[str]) -> ArticleBatch:
            batch = await self._stored("articles", ",".join(pmids), _PART, lambda: self._read(pmids))
            tally.add(len(pmids))
            return batch

        whole = ArticleBatch()
        for part in await gather_limited(read, _parts(pmids, ARTICLES.limit), at_once=_AT_ONCE):
            whole.articles.extend(part.articles)
            whole.absent.extend(part.absent)
            whole.unread.update(part.unread)
        return whole

    async def _read(self, pmids: Sequence[str]) -> ArticleBatch:
        """One complete part; it lacks a record only if the record itself cannot be read."""
        result = await super().articles(pmids)
        errors = {pmid: outcome for pmid, outcome in result.items() if isinstance(outcome, BiofactError)}
        temporary = [error for error in errors.values() if isinstance(error.recovery, RetryAfter)]
        # PubMed may answer later, or it failed as a whole
        if temporary or (errors and len(errors) == len(result)):
            raise (temporary or list(errors.values()))[0]
        return ArticleBatch(
            articles=[outcome for outcome in result.values() if isinstance(outcome, CanonicalPubMedArticle)],
            absent=[pmid for pmid, outcome in result.items() if outcome is None],
            unread={pmid: error.message for pmid, error in errors.items()},
        )

    async def _stored(self, kind: str, name: str, adapter: TypeAdapter[T], ask: Callable[[], Awaitable[T]]) -> T:
        """The answer to a question from the disk: a new answer is read back, too, so that an interruption of the run
        makes no difference.
        """
        file = f"{kind}/{digest(name)}"
        content = self._work.find(file)
        if content is None:
            content = self._work.keep(file, await self._stored_bytes(adapter, ask))
        stored_answer = StoredAnswer.model_validate_json(content)
        self.provenances += stored_answer.provenances
        self.notices += stored_answer.notices
        if stored_answer.refusal is not None:
            message, hint = stored_answer.refusal
            raise AmbiguousQuery(message, hint=hint)
        return adapter.validate_python(stored_answer.value)

    async def _stored_bytes(self, adapter: TypeAdapter[T], ask: Callable[[], Awaitable[T]]) -> bytes:
        """The stored form of an answer. The question has the whole time of a call."""
        with self._transport.afresh() as own_call:
            own_call.lane, own_call.answers, own_call.notices = "bulk", [], []
            try:
                value = adapter.dump_python(await ask(), mode="json")
                refusal = None
            except AmbiguousQuery as error:
                value, refusal = None, (error.message, error.hint)
            except (RateLimited, UpstreamError) as error:
                self.failures.append(error)
                raise
        notices = tuple(notice for notice in own_call.notices if notice.code != "CACHE_IN_MEMORY")
        stored_answer = StoredAnswer(value=value, refusal=refusal, told=tuple(_ends(own_call.answers)), notices=notices)
        return stored_answer.model_dump_json().encode()


def _parts(pmids: Sequence[str], size: int) -> list[list[str]]:
    return [list(pmids[start : start + size]) for start in range(0, len(pmids), size)]


async def _plain(ask: _AskCitations, pmids: Sequence[str]) -> dict[str, Citations]:
    return dict(await ask(pmids))


def _ends(answers: Sequence[Provenance]) -> list[Provenance]:
    """The oldest and the newest answer of each service: a part of a list has hundreds."""
    groups = by_source(sorted(answers, key=lambda answer: answer.retrieved_at))
    return [provenance for ends in groups.values() for provenance in dict.fromkeys((ends[0], ends[-1]))]


def by_source(provenances: Iterable[Provenance]) -> dict[str, list[Provenance]]:
    """The origins of answers by their source, in the order given."""
    groups: dict[str, list[Provenance]] = defaultdict(list)
    for provenance in provenances:
        groups[provenance.source].append(provenance)
    return groups
