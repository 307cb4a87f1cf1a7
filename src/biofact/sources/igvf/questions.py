"""Questions to the Catalog by way of the transport, whose answers are cached and read."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from biofact.core.errors import AmbiguousQuery, RateLimited, UpstreamError
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.lookup import Upstream
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import SPECIES, Endpoint, endpoints
from biofact.sources.igvf.parse import Row
from biofact.sources.igvf.records import Entity
from biofact.sources.igvf.service import IGVF
from biofact.transport.service import LIST_SECONDS, RECORD_SECONDS, Request
from biofact.transport.stack import Transport

_TITLE = "The IGVF Catalog"
_DEFAULT_ROWS = 25  # of a page for which no limit is sent


def rows(path: str, parameters: Mapping[str, str], *, page: int = 0, limit: int | None = None) -> Request:
    """The request for one page of an endpoint's rows.

    Raises:
        ValueError: the endpoint is not declared to take a parameter or value: a defect of ours.
    """
    endpoint = endpoints()[path]
    for name, value in parameters.items():
        _check(endpoint, name, value)
    if missing := [name for name in endpoint.required if name not in parameters]:
        raise ValueError(f"{path} needs {missing}.")
    params = dict(parameters)
    if "limit" in endpoint.parameters:
        max_rows = endpoint.max_rows or _DEFAULT_ROWS
        if limit is not None and limit > max_rows:
            # The service cuts a greater limit without a word, and a cut page would be taken for the last.
            raise ValueError(f"{path} gives {max_rows} rows a page at most, not {limit}.")
        # Always with a limit: without a total, a page shorter than it is the only sign of the end.
        params |= {"page": str(page), "limit": str(limit or max_rows)}
    elif "page" in endpoint.parameters:
        params["page"] = str(page)
    return Request(
        IGVF,
        path,
        tuple(sorted(params.items())),
        accept="application/json",
        part=path,
    )


def page_size(endpoint: Endpoint, row_count: int) -> int:
    """The rows to request if ``row_count`` are needed; a fixed number if the endpoint takes no limit."""
    max_rows = endpoint.max_rows or _DEFAULT_ROWS
    return min(row_count, max_rows) if "limit" in endpoint.parameters else max_rows


def _check(endpoint: Endpoint, name: str, value: str) -> None:
    if name not in endpoint.parameters:
        raise ValueError(f"{endpoint.path} has no parameter {name!r}.")
    valid = endpoint.parameters[name]
    if not isinstance(valid, str) and value not in valid:
        raise ValueError(f"{endpoint.path} takes {name} as one of {', '.join(valid)}; not {value!r}.")
    if valid == "flag" and value not in {"true", "false"}:
        raise ValueError(f"{endpoint.path} takes {name} as true or false; not {value!r}.")


T = TypeVar("T")

Failure = UpstreamError | RateLimited | AmbiguousQuery
FAILURES = (UpstreamError, RateLimited, AmbiguousQuery)
"""Failures of one of several requests; a refusal is one, as we build every request."""

_PART = 1 / 2  # of a call's time: one endpoint answered every recorded call of June 2026 with 500


class IGVFQuestions:
    """The requests of the tools; each method sends at most one upstream request."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def rows(
        self, path: str, parameters: Mapping[str, str], *, page: int = 0, limit: int | None = None
    ) -> list[Row]:
        """One page of rows; empty if the start entity does not exist.

        Raises:
            AmbiguousQuery: the service refuses a value; the error names the valid ones.
            UpstreamError, RateLimited: it failed.
        """
        endpoint = endpoints()[path]

        def parse_body(body: bytes) -> list[Row] | None:
            page_rows = parse.rows(body, limit or endpoint.max_rows)
            return page_rows if page_rows or not endpoint.record else None  # no such entity: kept for minutes only

        return await self._fetch(rows(path, parameters, page=page, limit=limit), endpoint, parameters, parse_body) or []

    async def entities(
        self,
        path: str,
        parameters: Mapping[str, str],
        organism: Organism,
        *,
        limit: int | None = None,
        id_field: str = "",
    ) -> ReadableRows[Entity]:
        """The entities that an endpoint has; the answer of the call says which rows were left out.

        ``id_field`` is a field that has a value in every matching row.

        Raises:
            AmbiguousQuery, UpstreamError, RateLimited: as ``rows``.
            MissingField: every row lacks a field.
        """
        rows = await self._entity_rows(path, parameters, organism, limit=limit)
        found = parse.entities(endpoints()[path].record, rows, organism, id_field)
        found.noted(_TITLE)
        return found

    async def entity_page(
        self, path: str, parameters: Mapping[str, str], organism: Organism, *, page: int, limit: int
    ) -> tuple[ReadableRows[Entity], int]:
        """The entities in a page of a list, in their order, and the number of its rows.

        Raises:
            AmbiguousQuery, UpstreamError, RateLimited: as ``rows``.
        """
        rows = await self._entity_rows(path, parameters, organism, page=page, limit=limit)
        return parse.entities(endpoints()[path].record, rows, organism, is_whole=False), len(rows)

    async def _entity_rows(
        self,
        path: str,
        parameters: Mapping[str, str],
        organism: Organism,
        *,
        page: int = 0,
        limit: int | None = None,
    ) -> list[Row]:
        """A page of rows; of one organism, if the endpoint takes an organism."""
        species = {"organism": SPECIES[organism]} if "organism" in endpoints()[path].parameters else {}
        return await self.rows(path, {**parameters, **species}, page=page, limit=limit)

    async def summary(self, path: str, parameters: Mapping[str, str]) -> Row | None:
        """The object of an endpoint with a summary; None if the entity does not exist.

        Raises:
            AmbiguousQuery, UpstreamError, RateLimited: as ``rows``.
        """
        return await self._fetch(rows(path, parameters), endpoints()[path], parameters, parse.document)

    async def in_part(self, question: Coroutine[Any, Any, T]) -> T:
        """The answer to one of several questions side by side: one that hangs must leave time for saying so.

        Raises:
            RateLimited, UpstreamError: it failed, or took longer than a part of the call's time.
        """
        return await self.transport.in_part(question, _PART)

    async def _fetch(
        self, request: Request, endpoint: Endpoint, parameters: Mapping[str, str], parse_body: Callable[[bytes], T]
    ) -> T | None:
        upstream = Upstream(
            self.transport,
            _TITLE,
            lambda _, upstream_refusal: parse.refusal(endpoint, upstream_refusal.answer, dict(parameters)),
        )
        seconds = RECORD_SECONDS if endpoint.record else LIST_SECONDS
        return await upstream.fetch(
            request, lambda body: None if parse.is_absence(body) else parse_body(body), f"{endpoint.path}/1", seconds
        )
