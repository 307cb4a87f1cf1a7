"""Sockets that listen for HTTP."""

import ipaddress
import socket
from collections.abc import Sequence

from biofact.interfaces.usage import PORTS, WrongUsage, cannot_listen

_CAN_SHARE_PORT = hasattr(socket, "SO_REUSEPORT") and hasattr(socket, "SO_INCOMING_CPU")
"""Whether sockets at the same port share the connections: on Linux; elsewhere one of them may get all."""


def listening_sockets(address: str, count: int = 1) -> list[socket.socket]:
    """``count`` sockets that listen at ``HOST:PORT``, which share the connections; one for all where they cannot.

    Raises:
        WrongUsage: the address is none, or its port is taken.
    """
    host, port = _parts(address)
    try:
        first = _socket(
            host, port
        )  # one that shares would listen beside another server that shares, and take its calls
        if count == 1 or not _CAN_SHARE_PORT:
            return [first]
        with first:
            port = first.getsockname()[1]
        return [_socket(host, port, is_shared=True) for _ in range(count)]
    except OSError as error:
        raise cannot_listen(address, error) from error


def shown_url(sockets: Sequence[socket.socket], path: str) -> str:
    """The address of the sockets, as far as they know it."""
    host, port = sockets[0].getsockname()[:2]
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


def _socket(host: str, port: int, *, is_shared: bool = False) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=_WAITING, reuse_port=is_shared)
    # Connections inherit it. asyncio sets it on sockets of its own only; without it each answer waits 40 ms for an
    # acknowledgement of its head.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


_WAITING = 2048  # connections that nobody has taken yet; the system may allow fewer
