"""MCP over HTTP, for this machine only: nothing here can tell one caller from another."""

import ipaddress
import socket
from typing import Any

from fastmcp import FastMCP

from biofact.interfaces import terminal
from biofact.interfaces.usage import PORTS, WrongUsage, cannot_listen


def listening_socket(address: str) -> socket.socket:
    """A socket that listens at ``HOST:PORT``.

    Raises:
        WrongUsage: the host is not this machine itself, the port is not a port, or it is taken.
    """
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not _is_loopback(host) or not port.isascii() or not port.isdigit() or int(port) not in PORTS:
        raise WrongUsage(
            f"{address!r} is not a loopback address, and biofact has no authentication.",
            hint="Write 127.0.0.1:8000, localhost:8000 or [::1]:8000.",
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, int(port)), family=family)
    except OSError as error:
        raise cannot_listen(address, error) from error
    # Connections inherit it. asyncio sets it on sockets of its own only; without it each answer waits 40 ms for an
    # acknowledgement of its head.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


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


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
