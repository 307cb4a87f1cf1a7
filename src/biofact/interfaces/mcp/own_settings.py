"""Settings that a caller over HTTP brings for their own calls: an NCBI key, in a header of each request.

The key is held as long as a call with it is under way, and written nowhere.
"""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from fastmcp.server.dependencies import get_http_request

from biofact.core.errors import AmbiguousQuery
from biofact.dialects.eutils.service import API_KEY
from biofact.interfaces.clients import Clients

HEADER = "X-NCBI-API-Key"
_KEY = re.compile(r"[0-9A-Za-z]{8,64}")
_NOTHING: Mapping[str, str] = MappingProxyType({})


def brought_settings() -> Mapping[str, str]:
    """What the caller of the call under way brings; nothing for most, and for none who is not there by HTTP.

    Raises:
        AmbiguousQuery: the header holds no key. It is not shown, for it may be one that was mistyped.
    """
    try:
        key = get_http_request().headers.get(HEADER, "").strip()
    except RuntimeError:  # the call came another way
        return _NOTHING
    if not key:
        return _NOTHING
    if not _KEY.fullmatch(key):
        hint = "Send the key as NCBI shows it, letters and digits alone; or leave the header out."
        raise AmbiguousQuery(f"The header {HEADER} holds no NCBI key.", hint=hint)
    return {API_KEY.name: key}


@dataclass(slots=True)
class _Shared:
    clients: Clients
    calls: int = 0


class OwnClients:
    """The clients of callers who bring settings: one for all calls of the same, while any of them is under way."""

    def __init__(self) -> None:
        self._shared: dict[frozenset[tuple[str, str]], _Shared] = {}

    @asynccontextmanager
    async def clients(self, common: Clients, own_settings: Mapping[str, str]) -> AsyncIterator[Clients]:
        """The clients for one call: the common ones where its caller brings nothing."""
        if not own_settings:
            yield common
            return
        key = frozenset(own_settings.items())
        shared = self._shared.setdefault(key, _Shared(common.beside(own_settings)))
        shared.calls += 1
        try:
            yield shared.clients
        finally:
            shared.calls -= 1
            if not shared.calls:
                del self._shared[key]
                await shared.clients.aclose()
