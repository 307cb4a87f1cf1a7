"""Who may ask over HTTP, and which sources: a resource server for the JWTs of an issuer, static tokens, or both.

A scope is called what its source is. A request beyond its token's scopes is refused over HTTP before the call begins,
and once more where it begins.
"""

import functools
import hmac
import json
import logging
import math
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from fastmcp import FastMCP
from fastmcp.exceptions import InsufficientScopeError
from fastmcp.server.auth import AccessToken, RemoteAuthProvider, TokenVerifier
from fastmcp.server.auth.middleware import RequireAuthMiddleware
from fastmcp.server.dependencies import get_access_token
from fastmcp.server.middleware import Middleware as CallMiddleware
from joserfc import jws, jwt
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import Key
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, RequestBodyLimitMiddleware
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    decode_header_value,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter
from starlette.authentication import AuthenticationError
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biofact.core.settings import Settings
from biofact.gateway import tokens
from biofact.gateway.authentication import TOKENS, TrustedIssuer, tokens_file, trusted_issuer
from biofact.gateway.issuer import PAUSE_SECONDS, IssuerDocuments, SigningKeys
from biofact.gateway.tokens import NoTokenFile, StaticToken, TokenFile, TokenFileRefused
from biofact.interfaces import every_source
from biofact.interfaces.spelling import Catalog, prefixed

SKEW_SECONDS = 60
"""By how much the issuer's clock and ours may differ."""
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519", "Ed448"),
)
MOST_CHARACTERS = 16 * 1024
_TYPES = {"", "jwt", "at+jwt", "application/at+jwt"}  # RFC 9068; without any, as some issuers have it
_FORM = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_REGISTRY = jws.JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
_REFUSALS = (JoseError, ValueError, TypeError, KeyError, AttributeError)
_URL = TypeAdapter[AnyHttpUrl](AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True))
_LOG = logging.getLogger("biofact.authentication")
CALL, READ = "tools/call", "resources/read"
_NONE: frozenset[str] = frozenset()


def provider(
    settings: Settings, url: str, source: str | None = None, catalog: Catalog = every_source
) -> "ResourceServer | None":
    """What lets callers in, as the settings have it; None where they name neither an issuer nor static tokens.

    ``url`` is where the endpoint is served, as ``http://127.0.0.1:8000/mcp``; ``source`` the only one that is.
    Its middleware, which FastMCP asks it for, holds each request to the scopes of its token.

    Raises:
        WrongUsage: they contradict each other, or the file of tokens cannot be read or trusted.
    """
    required = RequiredScopes(catalog, source)
    path = urlsplit(url).path
    trusted = trusted_issuer(settings, path)
    file = _token_file(settings)
    if trusted is None and file is None:
        return None
    static = StaticTokens(file, required.all) if file else None
    issued = None
    if trusted:
        keys = SigningKeys(IssuerDocuments(trusted, settings).keys)
        issued = IssuedTokens(trusted, keys, required.all)
    canonical = trusted.url if trusted else url
    return ResourceServer(EitherToken(static, issued), trusted, required, canonical.removesuffix(path))


def guard(server: FastMCP[Any], source: str | None = None, catalog: Catalog = every_source) -> None:
    """Hold the calls of a server to the scopes of their token, before anything else of it sees them, however their
    request was read over HTTP.
    """
    server.middleware.insert(0, ScopeGuard(RequiredScopes(catalog, source)))


def _token_file(settings: Settings) -> TokenFile | None:
    """The file of static tokens; None where nobody has named one, and there is none in its usual place."""
    path = tokens_file(settings)
    if path is None:
        return None
    file = TokenFile(path)
    try:
        file.read()
    except NoTokenFile:
        if settings.is_set(TOKENS):
            raise
        return None
    return file


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


class ScopeGuard(CallMiddleware):
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


class ResourceServer(RemoteAuthProvider):
    """FastMCP's own, with scopes per source. Where it trusts no issuer, it has no metadata: nobody issues tokens."""

    def __init__(
        self, verifier: TokenVerifier, trusted: TrustedIssuer | None, required: RequiredScopes, base_url: str
    ) -> None:
        self._scopes = sorted(required.all) if trusted and trusted.has_scopes else []
        super().__init__(
            token_verifier=verifier,
            authorization_servers=[_URL.validate_python(trusted.issuer)] if trusted else [],
            base_url=base_url,
            challenge_scopes=self._scopes,
        )
        self._required = required
        self._metadata_url = build_resource_metadata_url(AnyHttpUrl(trusted.url)) if trusted else None

    def get_routes(self, mcp_path: str | None = None) -> list[Route]:
        """The Protected Resource Metadata (RFC 9728), where there is an issuer to name in it."""
        self.set_mcp_path(mcp_path)
        resource = self._get_resource_url(mcp_path)
        if not self.authorization_servers or resource is None:
            return []
        return create_protected_resource_routes(
            resource, self.authorization_servers, self._scopes or None, resource_name="biofact"
        )  # FastMCP would write a list of no scopes, which RFC 9728 has left out

    def get_middleware(self) -> list[Middleware]:
        """What reads the token of a request, and what refuses those beyond its scopes."""
        return [
            Middleware(AuthenticationMiddleware, backend=OneHeaderBackend(self), on_error=_unavailable),
            Middleware(AuthContextMiddleware),
            Middleware(ScopeCheck, required=self._required, metadata_url=self._metadata_url),
        ]


class OneHeaderBackend(BearerAuthBackend):
    """Reads a token from the one ``Authorization`` header, and from nowhere else.

    Of two headers, a proxy before us may have read the other one.
    """

    async def authenticate(self, conn: HTTPConnection) -> Any:
        """Who asks; None for nobody."""
        return await super().authenticate(conn) if len(conn.headers.getlist("authorization")) == 1 else None


def _unavailable(_conn: HTTPConnection, error: AuthenticationError) -> JSONResponse:
    """Not 401: the token may be good, and its owner should not throw it away."""
    body = {"error": "temporarily_unavailable", "error_description": str(error)}
    return JSONResponse(body, 503, {"Retry-After": str(math.ceil(PAUSE_SECONDS))})


class StaticTokens(TokenVerifier):
    """Lets in whoever has a token of the file. Nobody, while the file is not to be trusted."""

    def __init__(self, file: TokenFile, sources: frozenset[str]) -> None:
        super().__init__()
        self._file = file
        self._sources = sources
        self._fault = ""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token this is, and which sources they may ask; None for one that is not, or no longer, in the file."""
        if not tokens.is_well_formed(token):
            return None
        digest = tokens.digest(token)
        match: StaticToken | None = None
        for known in self._tokens():  # all of them: how long it takes says nothing of which it was
            if hmac.compare_digest(known.sha256, digest):
                match = known
        if match is None or match.is_expired(datetime.now(UTC)):
            return None
        scopes = self._sources.intersection(match.scopes) if match.scopes else self._sources
        return AccessToken(
            token="",  # nothing behind this needs it, and what is not there is in no log
            client_id=match.name,
            scopes=sorted(scopes),
            expires_at=int(match.expires.timestamp()) if match.expires else None,
        )

    def _tokens(self) -> Sequence[StaticToken]:
        try:
            tokens = self._file.read().tokens
        except TokenFileRefused as error:
            if str(error) != self._fault:
                _LOG.warning("No static token is accepted. %s %s", error, error.hint)
            self._fault = str(error)
            return ()
        self._fault = ""
        return tokens


class IssuedTokens(TokenVerifier):
    """Lets in whoever has a token that the trusted issuer has made for this server, while it is valid.

    FastMCP's ``JWTVerifier`` knows one algorithm, no skew and no ``nbf``, takes a token that never expires, and forgets
    all keys when the issuer has been down for an hour (decision 0072).
    """

    def __init__(
        self,
        trusted: TrustedIssuer,
        keys: SigningKeys,
        sources: frozenset[str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._keys = keys
        self._sources = sources
        self._has_scopes = trusted.has_scopes
        self._claims = jwt.JWTClaimsRegistry(
            now=lambda: int(clock()),
            leeway=SKEW_SECONDS,
            iss={"essential": True, "value": trusted.issuer},
            aud={"essential": True, "values": list(trusted.audiences)},
            exp={"essential": True},
        )

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token this is, and which sources they may ask; None for one that does not open this server.

        Raises:
            IssuerUnavailable: nobody can say, for the issuer's keys cannot be had.
        """
        if len(token) > MOST_CHARACTERS or not _FORM.fullmatch(token):
            return None
        try:
            header = jws.extract_compact(token.encode(), registry=_REGISTRY).headers()
            _check_header(header)
            key = await self._keys.find(header.get("kid"))
            return self._access_token(_signed_claims(token, header["alg"], key)) if key is not None else None
        except _REFUSALS as error:
            _LOG.debug("A JWT was refused: %s.", type(error).__name__)
            return None

    def _access_token(self, claims: dict[str, Any]) -> AccessToken:
        """What the claims grant.

        Raises:
            JoseError: they are not for us, not for now, or bound to a key that nobody has shown (RFC 9449, 8705).
            ValueError: they do not say whose they are.
        """
        self._claims.validate(claims)
        subject, client = claims.get("sub"), claims.get("client_id") or claims.get("azp")
        owner = client or subject
        if "cnf" in claims or not isinstance(owner, str):
            raise ValueError("bound to a key, or to nobody")
        return AccessToken(
            token="",  # nothing behind this needs it, and what is not there is in no log
            client_id=owner,
            subject=subject,
            scopes=sorted(self._sources_of(claims)),
            expires_at=int(claims["exp"]) + SKEW_SECONDS,
            claims={"iss": claims["iss"]},
        )

    def _sources_of(self, claims: Mapping[str, Any]) -> frozenset[str]:
        """The sources that a token names, in ``scope`` or in ``scp``; all where the issuer's tokens name none."""
        if not self._has_scopes:
            return self._sources
        named = claims.get("scope") or claims.get("scp") or ""
        return self._sources.intersection(named.split() if isinstance(named, str) else named)


def _check_header(header: Mapping[str, Any]) -> None:
    if "crit" in header:
        raise ValueError("an extension that nobody here knows")
    if header.get("typ", "").lower() not in _TYPES:
        raise ValueError("a token for something else")
    if header["alg"] not in ALGORITHMS:
        raise ValueError("an algorithm by which whoever verifies could sign")


def _signed_claims(token: str, algorithm: str, key: Key) -> dict[str, Any]:
    """What the issuer has signed with that key, by an algorithm that the key is for."""
    key.check_use("sig")
    key.check_alg(algorithm)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)  # EdDSA has new names since RFC 9864; issuers use the old one
        return jwt.decode(token, key, registry=_REGISTRY).claims


class EitherToken(TokenVerifier):
    """Takes static tokens and an issuer's, which look different."""

    def __init__(self, static: StaticTokens | None, issued: IssuedTokens | None) -> None:
        super().__init__()
        self._static = static
        self._issued = issued

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token this is; None for one that opens nothing here.

        Raises:
            IssuerUnavailable: nobody can say, for the issuer's keys cannot be had.
        """
        verifier = self._static if token.startswith(tokens.PREFIX) else self._issued
        return await verifier.verify_token(token) if verifier else None
