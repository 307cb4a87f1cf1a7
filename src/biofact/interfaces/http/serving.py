"""MCP over HTTP."""

import socket
from typing import Any

from fastmcp import FastMCP

from biofact.interfaces import terminal


async def serve(server: FastMCP[Any], listening: socket.socket) -> None:
    """Answer at ``/mcp`` until stopped; requests for another host or from a foreign page are refused."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    terminal.write_messages([f"biofact: http://{shown}:{port}/mcp"])
    if terminal.is_typed_into():
        terminal.write_messages(["MCP clients of this machine find it at this address. Ctrl-C ends it."])
    await server.run_http_async(
        show_banner=False,
        host=host,
        port=port,
        log_level="WARNING",
        uvicorn_config={"log_level": "warning", "access_log": False},
        host_origin_protection=True,
        sockets=[listening],
    )
