"""Sockets that listen for HTTP, on this machine only: nothing here can tell one caller from another."""

import ipaddress
import socket

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


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
