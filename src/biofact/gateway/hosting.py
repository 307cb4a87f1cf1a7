"""The address at which a server listens, the URL and names that callers know it by, and its listening socket."""

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from biofact.core.settings import Setting, Settings, declare
from biofact.core.usage import PORTS, WrongUsage, cannot_listen
from biofact.gateway.authentication import HTTP_URL, is_local_host

PATH = "/mcp"
WORKERS = declare(Setting("BIOFACT_HTTP_WORKERS", "How many processes answer over HTTP.", default="1"))
HOSTS = declare(
    Setting("BIOFACT_HTTP_ALLOWED_HOSTS", "Further names of the server in the Host of requests, with commas.")
)
ORIGINS = declare(
    Setting("BIOFACT_HTTP_ALLOWED_ORIGINS", "Web pages, by their origin, that may call the server, with commas.")
)
MOST_WORKERS = 64
MOST_WAITING = 2048
"""Connections that wait to be accepted; the system may allow fewer."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """How to serve over HTTP."""

    address: str
    """``HOST:PORT``."""
    url: str = ""
    """The URL that callers know; empty for that of the socket."""
    workers: int = 1
    is_open: bool = False
    """Whether everyone who reaches it may call, from other machines too."""
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    source: str | None = None
    """The one source that is served; None for all."""
    is_sandbox: bool = False
    """Stand-ins answer every call."""
    metrics_folder: Path | None = None
    """The folder of the metrics of several processes that share the socket."""

    @property
    def allowed_hosts(self) -> list[str]:
        """Names that requests may have as their Host, besides those of this machine."""
        host = urlsplit(self.url).hostname
        return [*self.hosts, *([host] if host else [])]

    @property
    def allowed_origins(self) -> list[str]:
        """Pages that may call, besides those of this machine."""
        parts = urlsplit(self.url)
        return [*self.origins, *([f"{parts.scheme}://{parts.netloc}"] if parts.netloc else [])]


@dataclass(frozen=True, slots=True)
class HostingOptions:
    """The options of a command line; None and empty for those that it leaves to the settings."""

    address: str
    url: str | None = None
    workers: str | None = None
    is_open: bool = False
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


def hosting(options: HostingOptions, settings: Settings, source: str | None = None) -> Hosting:
    """How to serve over HTTP: by the command line's options, else by the settings.

    Raises:
        WrongUsage: a value cannot be read.
    """
    return Hosting(
        options.address,
        _url(settings[HTTP_URL] if options.url is None else options.url),
        _workers(settings[WORKERS] if options.workers is None else options.workers),
        options.is_open,
        options.hosts or _comma_separated(settings[HOSTS]),
        options.origins or _comma_separated(settings[ORIGINS]),
        source,
    )


def _comma_separated(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _workers(text: str) -> int:
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_WORKERS:
        return int(text)
    hint = f"Give --workers or {WORKERS.name} a number from 1 to {MOST_WORKERS}, one for each core at most."
    raise WrongUsage(f"{text!r:.80} is no number of workers.", hint=hint)


def _url(text: str) -> str:
    parts = urlsplit(text)
    if not text or (parts.scheme in {"http", "https"} and parts.hostname and not parts.query and not parts.fragment):
        return text
    hint = f"Give --url or {HTTP_URL.name} the whole address that callers know, such as {HTTP_URL.example}."
    raise WrongUsage(f"{text!r:.80} is no address of a server.", hint=hint)


def listening_socket(address: str) -> socket.socket:
    """A socket that listens at ``HOST:PORT``.

    Raises:
        WrongUsage: the address cannot be read, or its port is taken.
    """
    host, port = _parts(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=MOST_WAITING)
    except OSError as error:
        raise cannot_listen(address, error) from error
    # Connections inherit TCP_NODELAY. asyncio sets it on sockets of its own only; without it each answer waits 40 ms
    # for an acknowledgement of its head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def socket_url(listener: socket.socket, path: str) -> str:
    """The URL of a listening socket, with the host and port that the system knows."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}{path}" if ":" in host else f"http://{host}:{port}{path}"


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches it.

    Raises:
        WrongUsage: the address cannot be read.
    """
    return is_local_host(_parts(address)[0])


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
