"""All sources behind one MCP server; names tell the source, as ``entrez_search_genes``."""

from typing import Any

from fastmcp import FastMCP

from biofact import sources
from biofact.interfaces.clients import opened
from biofact.interfaces.mcp import Opener, Tools, server
from biofact.interfaces.spelling import Catalog, Spelling, prefixed


def gateway(opener: Opener = opened, catalog: Catalog = sources) -> FastMCP[Any]:
    """The server of every source there is."""
    return server("biofact", Tools(catalog.names(), Spelling(catalog, prefixed), opener))
