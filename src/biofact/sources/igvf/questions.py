"""Questions to the Catalog by way of the transport, whose answers are cached and read."""

import functools
from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from biofact.core.errors import AmbiguousQuery, RateLimited, UpstreamError
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.json_values import loaded
from biofact.sources.igvf import parse, requests
from biofact.sources.igvf.catalog import SPECIES, Endpoint, endpoints
from biofact.sources.igvf.records import Entity
from biofact.sources.igvf.service import error_words
from biofact.transport.service import LIST_SECONDS, RECORD_SECONDS, Keep, Refused, Transient
from biofact.transport.stack import Transport

T = TypeVar("T")

Failure = UpstreamError | RateLimited | AmbiguousQuery
FAILURES = (UpstreamError, RateLimited, AmbiguousQuery)
"""What keeps one of several questions from being answered: a refusal too, as every question is written by us."""

_PART = 1 / 2  # of a call's time
Row = dict[str, Any]


class IGVFQuestions:
    """What the tools ask; each question is one upstream request at most."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def rows(self, path: str, given: Mapping[str, str], *, page: int = 0, limit: int | None = None) -> list[Row]:
        """One page of rows; empty where the entity to start from does not exist.

        Raises:
            AmbiguousQuery: the service refuses a value; the error names the valid ones.
            UpstreamError, RateLimited: it failed.
        """
        endpoint = endpoints()[path]
        read = functools.partial(_entity_rows if endpoint.record else _at_most, limit or endpoint.most)
        return await self._fetch(endpoint, given, read, page=page, limit=limit) or []

    async def entities(
        self, path: str, given: Mapping[str, str], organism: Organism, *, limit: int | None = None
    ) -> list[Entity]:
        """The entities in a page of rows, in their order; of one organism, where the endpoint takes any.

        Raises:
            AmbiguousQuery, UpstreamError, RateLimited: as ``rows``.
        """
        endpoint = endpoints()[path]
        species = {"organism": SPECIES[organism]} if "organism" in endpoint.parameters else {}
        rows = await self.rows(path, {**given, **species}, limit=limit)
        return [parse.entity(endpoint.record, row, organism) for row in rows]

    async def summary(self, path: str, given: Mapping[str, str]) -> Row | None:
        """The one object of an endpoint that sums up; None where the entity does not exist.

        Raises:
            AmbiguousQuery, UpstreamError, RateLimited: as ``rows``.
        """
        return await self._fetch(endpoints()[path], given, parse.document)

    async def in_part(self, question: Coroutine[Any, Any, T]) -> T:
        """The answer to one of several questions side by side: one that hangs must leave time for saying so.

        Raises:
            RateLimited, UpstreamError: it failed, or took longer than a part of the call's time.
        """
        return await self._transport.in_part(question, _PART)

    async def _fetch(
        self,
        endpoint: Endpoint,
        given: Mapping[str, str],
        read: Callable[[bytes], T],
        *,
        page: int = 0,
        limit: int | None = None,
    ) -> T | None:
        request = requests.rows(endpoint.path, given, page=page, limit=limit)
        query = "&".join(f"{name}={value}" for name, value in request.params)
        seconds = RECORD_SECONDS if endpoint.record else LIST_SECONDS
        try:
            return await self._transport.fetch(request, read, keep=Keep(f"{endpoint.path}/1", query, seconds))
        except Refused as refused:
            words = error_words(refused.answer.body) or ""
            if refused.answer.status == HTTPStatus.NOT_FOUND and parse.is_absence(words):
                return None
            raise _error(endpoint, refused, dict(given)) from refused


def _entity_rows(most: int | None, body: bytes) -> list[Row] | None:
    """The rows of entities that were asked for by ID or name; None where the list is empty: there are none of it."""
    return _at_most(most, body) or None


def _at_most(most: int | None, body: bytes) -> list[Row]:
    """The rows of a page; one with more than the limit is not the page that was requested."""
    found = parse.rows(body)
    if most is not None and len(found) > most:
        raise Transient(f"sent {len(found)} rows of {most}")
    return found


def _error(endpoint: Endpoint, refused: Refused, given: dict[str, str]) -> Exception:
    try:
        document = loaded(refused.answer.body)
    except Transient:
        document = None
    if refused.answer.status == HTTPStatus.BAD_REQUEST and isinstance(document, dict):
        return parse.refusal(endpoint, document, given)
    return UpstreamError(
        f"The IGVF Catalog refused {endpoint.path} (HTTP {refused.answer.status}).",
        hint="Set IGVF_CATALOG_API_URL to where the Catalog is, or call again later.",
    )
