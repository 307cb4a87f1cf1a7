"""``python -m tests.mcp_suite HOST:PORT``: serves the suite over HTTP, as ``biofact serve --http`` does."""

import asyncio
import sys

from biofact.gateway.hosting import PATH, Hosting, listening_socket, socket_url
from biofact.interfaces import terminal
from biofact.interfaces.http.serving import serve
from biofact.interfaces.mcp.server import server
from tests.mcp_suite.offer import SuiteOffer

address = sys.argv[1]
with listening_socket(address) as server_socket:
    terminal.write_messages([f"biofact: {socket_url(server_socket, PATH)}"])
    asyncio.run(serve(server("conformance", SuiteOffer), server_socket, Hosting(address)))
