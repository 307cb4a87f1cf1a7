"""Who may call a server over HTTP."""

from fastmcp.server.auth import AuthProvider

from biofact.core.settings import Settings


def provider(settings: Settings, url: str) -> AuthProvider | None:  # noqa: ARG001
    """What checks the tokens of callers; None where no authentication is set up."""
    return None
