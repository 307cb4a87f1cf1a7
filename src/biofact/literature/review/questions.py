"""Requests to PubMed, MeSH and iCite, each made once per run: answers are stored before use."""

import functools
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
        """The fields under the names that the folders of earlier versions have."""
        return {_STORED_NAMES.get(name, name): value for name, value in serialize(self).items()}


class ArticleBatch(Frozen):
    """Some of the articles, in the order asked for."""

    articles: list[CanonicalPubMedArticle] = Field(default_factory=list)
    absent: list[str] = Field(default_factory=list)
    """PMIDs that PubMed lists, but has no article for."""
    unread: dict[str, str] = Field(default_factory=dict)
    """Why others cannot be read, by PMID."""


_PART = TypeAdapter(ArticleBatch)


class RememberedQuestions(Questions):
    """The questions of one run."""

    def __init__(self, transport: Transport, work: Work) -> None:
        super().__init__(transport)
        self._work = work
        self.failures: list[BiofactError] = []
        """Why services did not answer. Other callers may go on without; a review must not."""
        self.provenances: list[Provenance] = []
        """The origins of the answers that the run uses."""
        self.notices: list[Notice] = []

    async def search(
        self, query: str, *, limit: int, sort: str = "relevance", published: tuple[str, str] | None = None
    ) -> SearchAnswer:
        """Which articles match; asked once."""
        name = json.dumps([query, limit, sort, published])
        parent_search = super().search

        async def ask() -> dict[str, Any]:
            answer = await parent_search(query, limit=limit, sort=sort, published=published)
            return {fact: getattr(answer, fact) for fact in _FACTS}

        facts = await self._once("search", name, _SEARCH, ask)
        kept: dict[str, Any] = {
            fact: tuple(value) if isinstance(value, list) else value for fact, value in facts.items()
        }
        return SearchAnswer(**kept)

    async def spelling(self, words: str) -> str:
        """How PubMed would spell the words; asked once."""
        ask = super().spelling
        return await self._once("spelling", words, _TEXT, lambda: ask(words))

    async def headings(self, words: str) -> list[Descriptor]:
        """Headings of MeSH; which they are and what they say are two questions, each asked once."""
        uids = await self._once("mesh", words, _TEXTS, lambda: self.heading_uids(words))
        return await self._once("headings", ",".join(uids), _HEADINGS, lambda: self.descriptors(uids)) if uids else []

    async def citations(self, pmids: Sequence[str]) -> Mapping[str, Citations]:
        """How often articles are cited, part by part; each asked once."""
        ask = super().citations
        results: dict[str, Citations] = {}
        for part in _parts(pmids, CITATIONS.limit):
            counts = await self._once("citations", ",".join(part), _CITATIONS, functools.partial(_plain, ask, part))
            results |= counts
        return results

    async def all_articles(self, pmids: Sequence[str], tally: ProgressTally) -> ArticleBatch:
        """The articles, part by part; each asked once.

        Raises:
            RateLimited, UpstreamError: PubMed could not be asked; what it told before is kept.
        """

        async def read(pmids: Sequence[str]) -> ArticleBatch:
            found = await self._once("articles", ",".join(pmids), _PART, lambda: self._read(pmids))
            tally.add(len(pmids))
            return found

        whole = ArticleBatch()
        for part in await gather_limited(read, _parts(pmids, ARTICLES.limit), at_once=_AT_ONCE):
            whole.articles.extend(part.articles)
            whole.absent.extend(part.absent)
            whole.unread.update(part.unread)
        return whole

    async def _read(self, pmids: Sequence[str]) -> ArticleBatch:
        """One part, as a whole: without a record only where the record itself is what cannot be read."""
        result = await super().articles(pmids)
        errors = {pmid: one for pmid, one in result.items() if isinstance(one, BiofactError)}
        passing = [error for error in errors.values() if isinstance(error.recovery, RetryAfter)]
        if passing or (errors and len(errors) == len(result)):
            raise (passing or list(errors.values()))[0]
        return ArticleBatch(
            articles=[one for one in result.values() if isinstance(one, CanonicalPubMedArticle)],
            absent=[pmid for pmid, one in result.items() if one is None],
            unread={pmid: error.message for pmid, error in errors.items()},
        )

    async def _once(self, kind: str, name: str, adapter: TypeAdapter[T], ask: Callable[[], Awaitable[T]]) -> T:
        """The answer to a question, as it was kept: what was just answered is read back, too, so that it makes no
        difference whether the run was stopped in between.
        """
        file = f"{kind}/{digest(name)}"
        content = self._work.find(file)
        if content is None:
            content = self._work.keep(file, await self._stored_bytes(adapter, ask))
        kept = StoredAnswer.model_validate_json(content)
        self.provenances += kept.provenances
        self.notices += kept.notices
        if kept.refusal is not None:
            message, hint = kept.refusal
            raise AmbiguousQuery(message, hint=hint)
        return adapter.validate_python(kept.value)

    async def _stored_bytes(self, adapter: TypeAdapter[T], ask: Callable[[], Awaitable[T]]) -> bytes:
        """What is to be kept of an answer. The question has the whole time of a call."""
        with self._transport.afresh() as own:
            own.lane, own.answers, own.notices = "bulk", [], []
            try:
                value = adapter.dump_python(await ask(), mode="json")
                refusal = None
            except AmbiguousQuery as error:
                value, refusal = None, (error.message, error.hint)
            except (RateLimited, UpstreamError) as error:
                self.failures.append(error)
                raise
        notices = tuple(notice for notice in own.notices if notice.code != "CACHE_IN_MEMORY")
        answered = StoredAnswer(value=value, refusal=refusal, told=tuple(_ends(own.answers)), notices=notices)
        return answered.model_dump_json().encode()


def _parts(pmids: Sequence[str], size: int) -> list[list[str]]:
    return [list(pmids[start : start + size]) for start in range(0, len(pmids), size)]


async def _plain(ask: _AskCitations, pmids: Sequence[str]) -> dict[str, Citations]:
    return dict(await ask(pmids))


def _ends(answers: Sequence[Provenance]) -> list[Provenance]:
    """The oldest and the newest answer of each service: a part of a list has hundreds."""
    results: dict[str, list[Provenance]] = {}
    for one in sorted(answers, key=lambda answer: answer.retrieved_at):
        results.setdefault(one.source, []).append(one)
    return [one for ends in results.values() for one in dict.fromkeys((ends[0], ends[-1]))]
