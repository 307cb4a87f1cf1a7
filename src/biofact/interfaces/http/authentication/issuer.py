"""What an issuer publishes: its metadata (RFC 8414, OpenID Connect Discovery) and its keys (RFC 7517)."""

import json
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from biofact.core.errors import UpstreamError
from biofact.core.settings import Settings
from biofact.interfaces.http.authentication.settings import JWKS_URL, TrustedIssuer, is_encrypted
from biofact.interfaces.http.authentication.signing_keys import IssuerUnavailable
from biofact.transport.ask.wire import Wire
from biofact.transport.service import BodyTooLarge, Request, Service, Transient
from biofact.transport.timing import Timing

_OAUTH = "/.well-known/oauth-authorization-server"
_OPENID = "/.well-known/openid-configuration"
_FOUND = 200
_TIMING = Timing(connect_seconds=5.0, read_seconds=10.0)
_SERVICE = Service("issuer", "The issuer of tokens", JWKS_URL, per_second=1, judge=lambda answer: "good")


class IssuerDocuments:
    """Reads what the trusted issuer publishes."""

    def __init__(self, trusted: TrustedIssuer, settings: Settings) -> None:
        self._trusted = trusted
        self._settings = settings

    async def keys(self) -> list[object]:
        """The JWKs, as they stand there.

        Raises:
            IssuerUnavailable: it cannot be reached, or publishes something else, or in another's name.
        """
        url = self._trusted.jwks_url or await self._published_jwks_url()
        found = await self._document(url)
        if found is None or not isinstance(found.get("keys"), list):
            raise IssuerUnavailable(f"There is no list of keys at {url}.")
        keys: list[object] = found["keys"]
        return keys

    async def _published_jwks_url(self) -> str:
        issuer = self._trusted.issuer
        for url in metadata_urls(issuer):
            if (found := await self._document(url)) is None:
                continue
            if found.get("issuer") != issuer:
                raise IssuerUnavailable(
                    f"The metadata at {url} is not of {issuer}, but of {found.get('issuer')!r:.200}."
                )
            jwks_url = found.get("jwks_uri")
            if not isinstance(jwks_url, str) or not is_encrypted(jwks_url):
                raise IssuerUnavailable(f"The metadata at {url} has no jwks_uri that can be used.")
            return jwks_url
        raise IssuerUnavailable(f"There is no metadata of {issuer}; {JWKS_URL.name} can say where its keys are.")

    async def _document(self, url: str) -> dict[str, Any] | None:
        """The JSON object at an address; None where there is none."""
        parts = urlsplit(url)
        origin, rest = urlunsplit((*parts[:2], "", "", "")), urlunsplit(("", "", *parts[2:4], ""))
        try:
            async with aclosing(Wire(self._settings.replaced({JWKS_URL.name: origin}), _TIMING)) as wire:
                answer = await wire.exchange(Request(_SERVICE, rest, accept="application/json"))
        except (Transient, BodyTooLarge, UpstreamError) as error:
            raise IssuerUnavailable(f"{parts.hostname}: {error}.") from error
        if answer.status != _FOUND:
            return None
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None


def metadata_urls(issuer: str) -> list[str]:
    """Where an issuer's metadata may be, in the order in which MCP has clients look for it."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    urls = [f"{origin}{_OAUTH}{path}", f"{origin}{_OPENID}{path}", f"{origin}{path}{_OPENID}"]
    return list(dict.fromkeys(urls))
