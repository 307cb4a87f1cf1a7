"""All sources behind one MCP server; names tell the source, as ``entrez_search_genes``."""

from typing import TYPE_CHECKING, Any

from fastmcp import FastMCP

from biofact import toolsets
from biofact.interfaces import every_source
from biofact.interfaces.mcp.server import NAMES_FIRST, PROTOCOL, server

if TYPE_CHECKING:
    from biofact.interfaces.mcp.calls import Opener
    from biofact.interfaces.mcp.offer import Offer
    from biofact.interfaces.spelling import Catalog


def instructions() -> str:
    """The protocol, with the advice of the toolsets above the sources."""
    advice = (toolset.advice for toolset in toolsets.REGISTERED if toolset.advice)
    return PROTOCOL.replace(NAMES_FIRST, " ".join((NAMES_FIRST, *advice)))


def gateway(opener: "Opener | None" = None, catalog: "Catalog" = every_source) -> FastMCP[Any]:
    """The server of every source there is. ``opener`` opens other clients than the real ones."""

    def offer() -> "Offer":
        from biofact.interfaces.mcp.offer import of_all  # noqa: PLC0415  # only when tools are asked for

        return of_all(opener, catalog)

    return server("biofact", offer, instructions())
