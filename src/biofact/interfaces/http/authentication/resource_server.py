"""A resource server as MCP has it since 2026-07-28: whom it trusts, what it says of itself, and how it refuses."""

import math
from typing import Any
from urllib.parse import urlsplit

from fastmcp.server.auth import AccessToken, RemoteAuthProvider, TokenVerifier
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter
from starlette.authentication import AuthenticationError
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.routing import Route

from biofact.core.settings import Settings
from biofact.gateway import tokens
from biofact.gateway.authentication import TOKENS, TrustedIssuer, tokens_file, trusted_issuer
from biofact.gateway.issuer import PAUSE_SECONDS, IssuerDocuments, SigningKeys
from biofact.gateway.tokens import NoTokenFile, TokenFile
from biofact.interfaces.http.authentication.issued_tokens import IssuedTokens
from biofact.interfaces.http.authentication.required_scopes import RequiredScopes
from biofact.interfaces.http.authentication.scope_check import ScopeCheck
from biofact.interfaces.http.authentication.static_tokens import StaticTokens

_URL = TypeAdapter[AnyHttpUrl](AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True))


def resource_server(settings: Settings, url: str, required: RequiredScopes) -> "ResourceServer | None":
    """What lets callers in, as the settings have it; None where they name neither an issuer nor static tokens.

    Raises:
        WrongUsage: they contradict each other, or the file of tokens cannot be read or trusted.
    """
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
