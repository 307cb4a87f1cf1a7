"""The keys of an issuer: kept while they are fresh, fetched anew when they rotate, usable while the issuer is down."""

import asyncio
import json
import logging
import time
import warnings
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import JWKRegistry, Key
from starlette.authentication import AuthenticationError

from biofact.core.errors import UpstreamError
from biofact.core.settings import Settings
from biofact.gateway.authentication import JWKS_URL, TrustedIssuer, is_encrypted
from biofact.transport.ask.wire import Wire
from biofact.transport.service import BodyTooLarge, Request, Service, Transient
from biofact.transport.timing import Timing

FRESH_SECONDS = 600.0
"""How long keys are used before they are fetched anew, beside the request; so long a withdrawn one may be accepted."""
USABLE_SECONDS = 86_400.0
"""How long keys are used while the issuer cannot be reached."""
PAUSE_SECONDS = 30.0
"""Between two fetches, however many tokens name keys that nobody knows."""
FETCH_SECONDS = 15.0

_LOG = logging.getLogger("biofact.authentication")
_KINDS = ("RSA", "EC", "OKP")  # no key that signs and verifies alike: whoever knew it could sign
_UNUSABLE = (JoseError, SecurityWarning, ValueError, TypeError, KeyError)

Fetch = Callable[[], Awaitable[list[object]]]


class IssuerUnavailable(AuthenticationError):
    """Nobody can say whether a token is good: the issuer's keys were never fetched, or too long ago."""


class SigningKeys:
    """The keys by their IDs. ``fetch`` reads the issuer's list of JWKs, or raises ``IssuerUnavailable``."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: dict[str | None, Key] = {}
        self._fetched_at = self._tried_at = -float("inf")
        self._refreshing: asyncio.Task[None] | None = None
        self._fault = ""

    async def find(self, key_id: str | None) -> Key | None:
        """The key of that ID; without one, the only key there is. None for one that the issuer does not name.

        Raises:
            IssuerUnavailable: no keys are known, and none can be fetched.
        """
        key = self._usable_key(key_id)
        refreshing = self._refresh() if key is None or self._age() > FRESH_SECONDS else None
        if key is None and refreshing is not None:
            await asyncio.wait([refreshing])  # who gives up waiting does not stop it for the others
            key = self._usable_key(key_id)
        if key is None and self._age() > USABLE_SECONDS:
            raise IssuerUnavailable("The keys of the issuer cannot be fetched.")
        return key

    def _usable_key(self, key_id: str | None) -> Key | None:
        if self._age() > USABLE_SECONDS:
            return None
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    def _age(self) -> float:
        return self._clock() - self._fetched_at

    def _refresh(self) -> "asyncio.Task[None] | None":
        """The fetch under way, or one that begins now; None soon after another."""
        if self._refreshing is None or self._refreshing.done():
            if self._clock() - self._tried_at < PAUSE_SECONDS:
                return None
            self._tried_at = self._clock()
            self._refreshing = asyncio.create_task(self._update())
        return self._refreshing

    async def _update(self) -> None:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                listed = await self._fetch()
        except (IssuerUnavailable, TimeoutError) as error:
            self._log_fault(str(error) or "They did not come in time.")
            return
        self._keys = usable_keys(listed)
        self._fetched_at = self._clock()
        self._log_fault("" if self._keys else "None of those that it names can be used.")

    def _log_fault(self, fault: str) -> None:
        """Log what is wrong, once until it changes."""
        if fault and fault != self._fault:
            _LOG.warning("The keys of the issuer of tokens cannot be fetched. %s", fault)
        self._fault = fault


def usable_keys(listed: Iterable[object]) -> dict[str | None, Key]:
    """The keys that can verify a signature, by ID; others are passed over, as RFC 7517 section 5 has it."""
    keys: dict[str | None, Key] = {}
    for jwk in listed:
        if not isinstance(jwk, dict) or jwk.get("kty") not in _KINDS or jwk.get("use", "sig") != "sig":
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", SecurityWarning)  # an RSA key of fewer than 2048 bits
                keys[jwk.get("kid")] = JWKRegistry.import_key(jwk)
        except _UNUSABLE:
            continue
    return keys


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
