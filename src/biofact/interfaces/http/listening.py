"""The socket that listens for HTTP, of all processes that answer."""

import ipaddress
import socket

from biofact.core.usage import PORTS, WrongUsage, cannot_listen

MOST_WAITING = 2048
"""Connections that nobody has taken yet; the system may allow fewer."""


def listening_socket(address: str) -> socket.socket:
    """A socket that listens at ``HOST:PORT``.

    Raises:
        WrongUsage: the address is none, or its port is taken.
    """
    host, port = _parts(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=MOST_WAITING)
    except OSError as error:
        raise cannot_listen(address, error) from error
    # Connections inherit it. asyncio sets it on sockets of its own only; without it each answer waits 40 ms for an
    # acknowledgement of its head.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def url(listening: socket.socket, path: str) -> str:
    """The address of what listens, as far as the system knows it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}{path}" if ":" in host else f"http://{host}:{port}{path}"


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches it.

    Raises:
        WrongUsage: the address is none.
    """
    host, _ = _parts(address)
    return host == "localhost" or ipaddress.ip_address(host).is_loopback


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not _is_host(host) or not port.isascii() or not port.isdigit() or int(port) not in PORTS:
        raise WrongUsage(
            f"{address!r:.80} is no address to listen at.",
            hint="Write 127.0.0.1:8000, localhost:8000 or [::1]:8000; 0.0.0.0:8000 is reached from other machines.",
        )
    return host, int(port)


def _is_host(host: str) -> bool:
    try:
        return host == "localhost" or bool(ipaddress.ip_address(host))
    except ValueError:
        return False
