"""``python -m tests.mcp_suite HOST:PORT``: serves the suite over HTTP, as ``biofact serve --http`` does."""

import asyncio
import sys

from biofact.interfaces.http.listening import listening_socket
from biofact.interfaces.http.serving import serve
from biofact.interfaces.mcp.server import server
from tests.mcp_suite.offer import SuiteOffer

asyncio.run(serve(server("conformance", SuiteOffer), listening_socket(sys.argv[1])))
