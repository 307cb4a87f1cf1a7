"""Authentication over HTTP: a resource server for the JWTs of an issuer, for static tokens, or for both.

A scope is called what its source is. A request beyond its token's scopes is refused over HTTP before the call begins,
and once more where it begins.
"""

import functools
import hmac
import json
import logging
import math
import re
import warnings
from collections.abc import Mapping, Sequence
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
from biofact.gateway.limits import LIGHT_BYTES
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
_NO_SCOPES: frozenset[str] = frozenset()


def provider(
    settings: Settings, url: str, source: str | None = None, catalog: Catalog = every_source
) -> "ResourceServer | None":
    """The authentication of the settings; None where they name neither an issuer nor static tokens.

    ``url`` is that of the endpoint, as ``http://127.0.0.1:8000/mcp``; ``source`` is the only one served, if set.
    The provider's middleware, which FastMCP asks it for, holds each request to the scopes of its token.

    Raises:
        WrongUsage: settings contradict each other, or the file of tokens cannot be read or trusted.
    """
    required = RequiredScopes(catalog, source)
    path = urlsplit(url).path
    trusted = trusted_issuer(settings, path)
    file = _token_file(settings)
    if trusted is None and file is None:
        return None
    static_verifier = StaticTokens(file, required.all) if file else None
    jwt_verifier = None
    if trusted:
        keys = SigningKeys(IssuerDocuments(trusted, settings).keys)
        jwt_verifier = IssuedTokens(trusted, keys, required.all)
    canonical = trusted.url if trusted else url
    return ResourceServer(EitherToken(static_verifier, jwt_verifier), trusted, required, canonical.removesuffix(path))


def guard(server: FastMCP[Any], source: str | None = None, catalog: Catalog = every_source) -> None:
    """Hold the calls of a server to the scopes of their token, in its outermost middleware, however their request was
    read over HTTP.
    """
    server.middleware.insert(0, ScopeGuard(RequiredScopes(catalog, source)))


def _token_file(settings: Settings) -> TokenFile | None:
    """The file of static tokens; None where no setting names one and the default one does not exist."""
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
    """The scopes that requests to a server of all sources, or of one, need."""

    def __init__(self, catalog: Catalog, source: str | None = None) -> None:
        self._catalog = catalog
        self._source = source

    @functools.cached_property
    def all(self) -> frozenset[str]:
        """All scopes."""
        return frozenset((self._source,) if self._source else self._catalog.names())

    def of(self, method: object, name: object) -> frozenset[str]:
        """The scopes of a request, by its method and its tool or URI.

        A tool that asks all sources needs all scopes. Lists, prompts and unknown names need none.
        """
        if not isinstance(name, str) or method not in {CALL, READ}:
            return _NO_SCOPES
        if self._source:
            return self.all
        return self._by_tool.get(name, _NO_SCOPES) if method == CALL else self.all & {name.partition("://")[0]}

    @functools.cached_property
    def _by_tool(self) -> Mapping[str, frozenset[str]]:
        return {
            prefixed(tool.ref): self.all & {tool.ref.source} or self.all
            for toolset in self._catalog.toolsets()
            for tool in self._catalog.listing(toolset).tools
        }


class ScopeCheck:
    """ASGI middleware: answers 403 ``insufficient_scope`` to a request that asks a source beyond its token's scopes.

    It runs after the verification of tokens. Requests without a token pass: the application refuses them.
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
        # a token for every source needs no look at the body
        if not is_call or not isinstance(user, AuthenticatedUser) or self._required.all.issubset(user.scopes):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
        if version is None or version in HANDSHAKE_PROTOCOL_VERSIONS:
            await self._with_whole_body(scope, receive, send)
        else:  # the SDK refuses requests whose headers contradict the body
            name = decode_header_value(headers.get(MCP_NAME_HEADER))
            await self._app_for(headers.get(MCP_METHOD_HEADER), name)(scope, receive, send)

    async def _check_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by its body, which arrives in one message."""
        whole: list[Message] = [await receive()]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        await self._app_for(*_method_and_name(whole[0].get("body", b"")))(scope, replay, send)

    def _app_for(self, method: object, name: object) -> ASGIApp:
        """The application, for tokens with the scopes that the request needs."""
        scopes = sorted(self._required.of(method, name))
        return RequireAuthMiddleware(self._app, scopes, self._metadata_url, scopes) if scopes else self._app


class ScopeGuard(CallMiddleware):
    """The same check where calls begin, where the library may have read the request in another way."""

    def __init__(self, required: RequiredScopes) -> None:
        self._required = required

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        """Call the tool.

        Raises:
            InsufficientScopeError: the token lacks a scope.
        """
        self._check(CALL, context.message.name)
        return await call_next(context)

    async def on_read_resource(self, context: Any, call_next: Any) -> Any:
        """Read the resource.

        Raises:
            InsufficientScopeError: the token lacks a scope.
        """
        self._check(READ, str(context.message.uri))
        return await call_next(context)

    def _check(self, method: str, name: str) -> None:
        token = get_access_token()
        missing = self._required.of(method, name).difference(token.scopes) if token else ()
        if missing:
            raise InsufficientScopeError(sorted(missing))


def _method_and_name(body: bytes) -> Sequence[object]:
    """The method of a JSON-RPC request, and its tool or URI; None twice for other bodies, and for long ones, whose
    scopes are checked where their calls begin.
    """
    if len(body) > LIGHT_BYTES:
        return None, None
    try:
        request = json.loads(body)
        params = request.get("params")
        return request.get("method"), params.get("name", params.get("uri"))
    except (ValueError, RecursionError, AttributeError):  # the application refuses it
        return None, None


class ResourceServer(RemoteAuthProvider):
    """FastMCP's resource server, with scopes per source. Without a trusted issuer it has no metadata."""

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
        """The Protected Resource Metadata (RFC 9728), if there is an issuer."""
        self.set_mcp_path(mcp_path)
        resource = self._get_resource_url(mcp_path)
        if not self.authorization_servers or resource is None:
            return []
        return create_protected_resource_routes(
            resource, self.authorization_servers, self._scopes or None, resource_name="biofact"
        )  # FastMCP would write a list of no scopes, which RFC 9728 has left out

    def get_middleware(self) -> list[Middleware]:
        """The middleware that reads the token of a request, and that checks its scopes."""
        return [
            Middleware(AuthenticationMiddleware, backend=OneHeaderBackend(self), on_error=_unavailable),
            Middleware(AuthContextMiddleware),
            Middleware(ScopeCheck, required=self._required, metadata_url=self._metadata_url),
        ]


class OneHeaderBackend(BearerAuthBackend):
    """Reads a token from the only ``Authorization`` header.

    Of two headers, a proxy may have read the other one.
    """

    async def authenticate(self, conn: HTTPConnection) -> Any:
        """The user of the token; None without one."""
        return await super().authenticate(conn) if len(conn.headers.getlist("authorization")) == 1 else None


def _unavailable(_conn: HTTPConnection, error: AuthenticationError) -> JSONResponse:
    """A 503 response, not 401: the token may be valid, and its owner should keep it."""
    body = {"error": "temporarily_unavailable", "error_description": str(error)}
    return JSONResponse(body, 503, {"Retry-After": str(math.ceil(PAUSE_SECONDS))})


class StaticTokens(TokenVerifier):
    """Verifies tokens of the file; accepts none while the file cannot be trusted."""

    def __init__(self, file: TokenFile, sources: frozenset[str]) -> None:
        super().__init__()
        self._file = file
        self._sources = sources
        self._fault = ""

    async def verify_token(self, token: str) -> AccessToken | None:
        """The owner and scopes of a token; None for one that is not, or no longer, in the file."""
        if not tokens.is_well_formed(token):
            return None
        digest = tokens.digest(token)
        match: StaticToken | None = None
        for candidate in self._tokens():  # compares all, so that the time does not reveal which one matched
            if hmac.compare_digest(candidate.sha256, digest):
                match = candidate
        if match is None or match.is_expired(datetime.now(UTC)):
            return None
        scopes = self._sources.intersection(match.scopes) if match.scopes else self._sources
        return AccessToken(
            token="",  # not needed later, and so in no log
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
    """Verifies JWTs that the trusted issuer has made for this server.

    FastMCP's ``JWTVerifier`` knows one algorithm, no skew and no ``nbf``, takes a token that never expires, and forgets
    all keys when the issuer has been down for an hour (decision 0072).
    """

    def __init__(self, trusted: TrustedIssuer, keys: SigningKeys, sources: frozenset[str]) -> None:
        super().__init__()
        self._keys = keys
        self._sources = sources
        self._has_scopes = trusted.has_scopes
        self._claims = jwt.JWTClaimsRegistry(
            leeway=SKEW_SECONDS,
            iss={"essential": True, "value": trusted.issuer},
            aud={"essential": True, "values": list(trusted.audiences)},
            exp={"essential": True},
        )

    async def verify_token(self, token: str) -> AccessToken | None:
        """The owner and scopes of a token; None for one that is not valid here.

        Raises:
            IssuerUnavailable: the issuer's keys cannot be fetched.
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
        """The access that claims grant.

        Raises:
            JoseError: the claims are for another audience or another time.
            ValueError: they have no owner, or are bound to a key that the request does not prove (RFC 9449, 8705).
        """
        self._claims.validate(claims)
        subject, client = claims.get("sub"), claims.get("client_id") or claims.get("azp")
        owner = client or subject
        if "cnf" in claims or not isinstance(owner, str):
            raise ValueError("bound to a key, or to nobody")
        return AccessToken(
            token="",  # not needed later, and so in no log
            client_id=owner,
            subject=subject,
            scopes=sorted(self._sources_of(claims)),
            expires_at=int(claims["exp"]) + SKEW_SECONDS,
            claims={"iss": claims["iss"]},
        )

    def _sources_of(self, claims: Mapping[str, Any]) -> frozenset[str]:
        """The sources in ``scope`` or ``scp`` of a token; all where the issuer's tokens have no scopes."""
        if not self._has_scopes:
            return self._sources
        names = claims.get("scope") or claims.get("scp") or ""
        return self._sources.intersection(names.split() if isinstance(names, str) else names)


def _check_header(header: Mapping[str, Any]) -> None:
    if "crit" in header:
        raise ValueError("an extension that nobody here knows")
    if header.get("typ", "").lower() not in _TYPES:
        raise ValueError("a token for something else")
    if header["alg"] not in ALGORITHMS:
        raise ValueError("an algorithm by which whoever verifies could sign")


def _signed_claims(token: str, algorithm: str, key: Key) -> dict[str, Any]:
    """The claims, after a check of the signature with this key, by an algorithm that the key is for."""
    key.check_use("sig")
    key.check_alg(algorithm)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)  # EdDSA has new names since RFC 9864; issuers use the old one
        return jwt.decode(token, key, registry=_REGISTRY).claims


class EitherToken(TokenVerifier):
    """Verifies static tokens and an issuer's, which differ in form."""

    def __init__(self, static_verifier: StaticTokens | None, jwt_verifier: IssuedTokens | None) -> None:
        super().__init__()
        self._static_verifier = static_verifier
        self._jwt_verifier = jwt_verifier

    async def verify_token(self, token: str) -> AccessToken | None:
        """The owner and scopes of a token; None for one that is not valid here.

        Raises:
            IssuerUnavailable: the issuer's keys cannot be fetched.
        """
        verifier = self._static_verifier if token.startswith(tokens.PREFIX) else self._jwt_verifier
        return await verifier.verify_token(token) if verifier else None
