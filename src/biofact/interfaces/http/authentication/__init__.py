"""Who may ask over HTTP: a resource server for the JWTs of an issuer, for static tokens, or for both."""

from typing import TYPE_CHECKING, Any

from biofact.core.settings import Settings
from biofact.interfaces import every_source

if TYPE_CHECKING:  # the command line reads the settings and the file of tokens without FastMCP
    from fastmcp import FastMCP
    from fastmcp.server.auth import AuthProvider

    from biofact.interfaces.spelling import Catalog


def provider(
    settings: Settings, url: str, source: str | None = None, catalog: "Catalog" = every_source
) -> "AuthProvider | None":
    """What lets callers in, as the settings have it; None where they name neither an issuer nor static tokens.

    ``url`` is where the endpoint is served, as ``http://127.0.0.1:8000/mcp``; ``source`` the only one that is.
    Its middleware, which FastMCP asks it for, holds each request to the scopes of its token.

    Raises:
        WrongUsage: they contradict each other, or the file of tokens cannot be read or trusted.
    """
    from biofact.interfaces.http.authentication.required_scopes import RequiredScopes  # noqa: PLC0415
    from biofact.interfaces.http.authentication.resource_server import resource_server  # noqa: PLC0415

    return resource_server(settings, url, RequiredScopes(catalog, source))


def guard(server: "FastMCP[Any]", source: str | None = None, catalog: "Catalog" = every_source) -> None:
    """Hold the calls of a server to the scopes of their token, before anything else of it sees them, however their
    request was read over HTTP.
    """
    from biofact.interfaces.http.authentication.required_scopes import RequiredScopes  # noqa: PLC0415
    from biofact.interfaces.http.authentication.scope_check import ScopeGuard  # noqa: PLC0415

    server.middleware.insert(0, ScopeGuard(RequiredScopes(catalog, source)))
