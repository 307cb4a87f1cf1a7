"""A client of a sandbox without TLS, so that it need not read the certificates of all authorities."""

import ssl
from typing import Any

import httpx2

_WITHOUT_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def plain_client(url: str, **options: Any) -> httpx2.AsyncClient:
    """Asks a sandbox at ``url``."""
    return httpx2.AsyncClient(base_url=url, verify=_WITHOUT_AUTHORITIES, **options)
