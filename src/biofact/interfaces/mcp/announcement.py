"""What a server announces: what it offers, and nothing that FastMCP could offer besides."""

from typing import Any, Literal, Protocol

from fastmcp.server.middleware import Middleware
from mcp import MCPError
from mcp_types import (
    METHOD_NOT_FOUND,
    LoggingCapability,
    PromptsCapability,
    ResourcesCapability,
    ServerCapabilities,
    ToolsCapability,
)

Capability = Literal["tools", "resources", "prompts", "logging"]

_NEEDS: dict[str, Capability] = {
    "resources/list": "resources",
    "resources/templates/list": "resources",
    "resources/read": "resources",
    "prompts/list": "prompts",
    "prompts/get": "prompts",
    "logging/setLevel": "logging",
}
"""Methods that FastMCP answers on every server, by what they are for."""


class Offering(Protocol):
    """What a server offers."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The kinds of things that it has."""


class HasOffer(Protocol):
    """What makes an offer when somebody asks."""

    @property
    def offer(self) -> Offering:
        """What there is."""


class Announcement(Middleware):
    """Announces the capabilities of an offer, and answers a method of any other as one that does not exist.

    FastMCP announces prompts, resources, changes of lists, logging and a user interface on every server.
    """

    def __init__(self, on_demand: HasOffer) -> None:
        self._on_demand = on_demand

    async def on_initialize(self, context: Any, call_next: Any) -> Any:
        """The handshake, up to 2025-11-25."""
        return self._announcing(await call_next(context))

    async def on_discover(self, context: Any, call_next: Any) -> Any:
        """The answer of ``server/discover``, since 2026-07-28."""
        return self._announcing(await call_next(context))

    async def on_request(self, context: Any, call_next: Any) -> Any:
        """The answer to any request.

        Raises:
            MCPError: there is nothing that this method is for.
        """
        needed = _NEEDS.get(context.method)
        if needed is not None and needed not in self._on_demand.offer.capabilities:
            raise MCPError(METHOD_NOT_FOUND, "Method not found", {"method": context.method})
        return await call_next(context)

    def _announcing(self, answer: Any) -> Any:
        return answer.model_copy(update={"capabilities": _announced(self._on_demand.offer.capabilities)})


def _announced(capabilities: frozenset[Capability]) -> ServerCapabilities:
    """Lists stay as they are while a server runs, and nobody subscribes to what a release holds."""
    return ServerCapabilities(
        tools=ToolsCapability(list_changed=False) if "tools" in capabilities else None,
        resources=ResourcesCapability(subscribe=False, list_changed=False) if "resources" in capabilities else None,
        prompts=PromptsCapability(list_changed=False) if "prompts" in capabilities else None,
        logging=LoggingCapability() if "logging" in capabilities else None,
    )
