"""Why no connection came about, read out of what the operating system says. Pure."""

import errno
import socket
import ssl
from collections.abc import Iterator

from biofact.transport.service import Unreachable

_NO_ROUTE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL})
_NO_ROUTE_WINDOWS = frozenset({1231, 1232})  # ERROR_NETWORK_UNREACHABLE and ERROR_HOST_UNREACHABLE, as asyncio has them


def connection_fault(error: BaseException, host: str, connected_host: str) -> Unreachable | None:
    """What lies in the way, if that is not the service's to mend; None where it may be, as where time ran out.

    ``connected_host`` differs from ``host`` where a proxy is between.
    """
    causes = list(_first_causes(error))
    untrusted = next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if untrusted is not None:
        return Unreachable(f"has a certificate that is not trusted here: {untrusted.verify_message}", "untrusted", host)
    if connected_host != host and all(_is_refusal(cause) or _is_no_way(cause) for cause in causes):
        return Unreachable("is behind a proxy that cannot be reached", "no proxy", connected_host)
    if all(_is_no_way(cause) for cause in causes):
        is_unnamed = any(isinstance(cause, socket.gaierror) for cause in causes)
        return Unreachable("cannot be reached", "no name" if is_unnamed else "no route", host)
    return None


def _first_causes(error: BaseException) -> Iterator[BaseException]:
    """What an error began with: several where several addresses were tried."""
    causes = error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__ or _wrapped(error),)
    for cause in causes:
        if cause is None:
            yield error
        else:
            yield from _first_causes(cause)


def _wrapped(error: BaseException) -> BaseException | None:
    """What httpcore2 has put into an error of its own; its pool of connections strips that of its cause."""
    (first, *_) = (*error.args, None)
    return first if isinstance(first, BaseException) else None


def _is_refusal(error: BaseException) -> bool:
    return isinstance(error, ConnectionRefusedError)


def _is_no_way(error: BaseException) -> bool:
    """Whether the host has no name here, or no packet leads to it."""
    if isinstance(error, socket.gaierror):
        return True
    is_no_route = isinstance(error, OSError) and error.errno in _NO_ROUTE
    return is_no_route or getattr(error, "winerror", None) in _NO_ROUTE_WINDOWS
