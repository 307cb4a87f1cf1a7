"""Who may ask which source: refused over HTTP before the call begins, and once more where it begins."""

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastmcp.exceptions import InsufficientScopeError
from fastmcp.server.auth.middleware import RequireAuthMiddleware
from fastmcp.server.dependencies import get_access_token
from fastmcp.server.middleware import Middleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, RequestBodyLimitMiddleware
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    decode_header_value,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import AnyHttpUrl
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biofact.interfaces.spelling import Catalog, prefixed

CALL, READ = "tools/call", "resources/read"
_NONE: frozenset[str] = frozenset()


class RequiredScopes:
    """The scopes for the tools and resources of one server: of every source, or of the one that is named."""

    def __init__(self, catalog: Catalog, source: str | None = None) -> None:
        self._catalog = catalog
        self._source = source

    @functools.cached_property
    def all(self) -> frozenset[str]:
        """Every scope that there is."""
        return frozenset((self._source,) if self._source else self._catalog.names())

    def of(self, method: object, name: object) -> frozenset[str]:
        """The scopes for a request by its method and by the tool, or the URI, that it names.

        A tool that asks all sources needs the scopes of all. Lists, prompts, and what there is not, need none.
        """
        if not isinstance(name, str) or method not in {CALL, READ}:
            return _NONE
        if self._source:
            return self.all
        return self._by_tool.get(name, _NONE) if method == CALL else self.all & {name.partition("://")[0]}

    @functools.cached_property
    def _by_tool(self) -> Mapping[str, frozenset[str]]:
        return {
            prefixed(tool.ref): self.all & {tool.ref.source} or self.all
            for toolset in self._catalog.toolsets()
            for tool in self._catalog.listing(toolset).tools
        }


class ScopeCheck:
    """ASGI middleware: answers 403 ``insufficient_scope`` to a request that asks a source beyond its token's scopes.

    It stands behind what verifies tokens. Requests of nobody pass: what is behind it refuses those.
    """

    def __init__(self, app: ASGIApp, required: RequiredScopes, metadata_url: AnyHttpUrl | None) -> None:
        self._app = app
        self._required = required
        self._metadata_url = metadata_url
        self._with_whole_body = RequestBodyLimitMiddleware(self._check_body, DEFAULT_MAX_REQUEST_BODY_SIZE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on."""
        user = scope.get("user")
        is_call = scope["type"] == "http" and scope["method"] == "POST"
        if not is_call or not isinstance(user, AuthenticatedUser) or self._required.all.issubset(user.scopes):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
        if version is None or version in HANDSHAKE_PROTOCOL_VERSIONS:
            await self._with_whole_body(scope, receive, send)
        else:  # the SDK refuses headers that say anything else than the body
            name = decode_header_value(headers.get(MCP_NAME_HEADER))
            await self._app_for(headers.get(MCP_METHOD_HEADER), name)(scope, receive, send)

    async def _check_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The same for a request whose body is at hand, in one message."""
        whole: list[Message] = [await receive()]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        await self._app_for(*_method_and_name(whole[0].get("body", b"")))(scope, replay, send)

    def _app_for(self, method: object, name: object) -> ASGIApp:
        """The app behind this, for tokens with the scopes that such a request needs."""
        needed = sorted(self._required.of(method, name))
        return RequireAuthMiddleware(self._app, needed, self._metadata_url, needed) if needed else self._app


class ScopeGuard(Middleware):
    """The same where calls begin: what a request says is read once more there, perhaps in another way."""

    def __init__(self, required: RequiredScopes) -> None:
        self._required = required

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        """Call the tool.

        Raises:
            InsufficientScopeError: the token has not the scopes for it.
        """
        self._check(CALL, context.message.name)
        return await call_next(context)

    async def on_read_resource(self, context: Any, call_next: Any) -> Any:
        """Read the resource.

        Raises:
            InsufficientScopeError: the token has not the scopes for it.
        """
        self._check(READ, str(context.message.uri))
        return await call_next(context)

    def _check(self, method: str, name: str) -> None:
        token = get_access_token()
        missing = self._required.of(method, name).difference(token.scopes) if token else ()
        if missing:
            raise InsufficientScopeError(sorted(missing))


def _method_and_name(body: bytes) -> Sequence[object]:
    """The method of a JSON-RPC request, and the tool or URI that it names."""
    try:
        request = json.loads(body)
        params = request.get("params")
        return request.get("method"), params.get("name", params.get("uri"))
    except (ValueError, RecursionError, AttributeError):  # what is behind this says what is wrong
        return None, None
