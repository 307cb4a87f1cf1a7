"""An issuer's metadata (RFC 8414, OpenID Connect Discovery) and keys (RFC 7517), usable while the issuer is down."""

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
"""How long keys are used before they are fetched again in the background; a withdrawn key is accepted as long."""
USABLE_SECONDS = 86_400.0
"""How long keys are used while the issuer cannot be reached."""
PAUSE_SECONDS = 30.0
"""Between two fetches, however many tokens name unknown keys."""
FETCH_SECONDS = 15.0
_LOG = logging.getLogger("biofact.authentication")
_KINDS = ("RSA", "EC", "OKP")  # no symmetric key: a verifier who knew it could sign
_UNUSABLE = (JoseError, SecurityWarning, ValueError, TypeError, KeyError)
_OAUTH = "/.well-known/oauth-authorization-server"
_OPENID = "/.well-known/openid-configuration"
_OK = 200
_TIMING = Timing(connect_seconds=5.0, read_seconds=10.0)
_SERVICE = Service("issuer", "The issuer of tokens", JWKS_URL, per_second=1, judge=lambda answer: "good")
Fetch = Callable[[], Awaitable[list[object]]]


class IssuerUnavailable(AuthenticationError):
    """A token cannot be verified: the issuer's keys were never fetched, or too long ago."""


class SigningKeys:
    """The keys by their IDs. ``fetch`` reads the issuer's list of JWKs, or raises ``IssuerUnavailable``."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: dict[str | None, Key] = {}
        self._fetched_at = self._tried_at = -float("inf")
        self._fetch_task: asyncio.Task[None] | None = None
        self._fault = ""

    async def find(self, key_id: str | None) -> Key | None:
        """The key of that ID; without one, the only key there is. None for one that the issuer does not name.

        Raises:
            IssuerUnavailable: no keys are known, and none can be fetched.
        """
        key = self._usable_key(key_id)
        fetch_task = self._refresh() if key is None or self._age() > FRESH_SECONDS else None
        if key is None and fetch_task is not None:
            await asyncio.wait([fetch_task])  # which leaves the fetch to other callers when this one is cancelled
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
        """The fetch under way, or a new one; None within ``PAUSE_SECONDS`` of the last."""
        if self._fetch_task is None or self._fetch_task.done():
            if self._clock() - self._tried_at < PAUSE_SECONDS:
                return None
            self._tried_at = self._clock()  # before the fetch: a failed one counts, too
            self._fetch_task = asyncio.create_task(self._update())
        return self._fetch_task

    async def _update(self) -> None:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                jwks = await self._fetch()
        except (IssuerUnavailable, TimeoutError) as error:
            self._log_fault(str(error) or "They did not come in time.")
            return
        self._keys = usable_keys(jwks)
        self._fetched_at = self._clock()
        self._log_fault("" if self._keys else "None of those that it names can be used.")

    def _log_fault(self, fault: str) -> None:
        """Log a fault once, until it changes."""
        if fault and fault != self._fault:
            _LOG.warning("The keys of the issuer of tokens cannot be fetched. %s", fault)
        self._fault = fault


def usable_keys(jwks: Iterable[object]) -> dict[str | None, Key]:
    """The keys that can verify a signature, by ID; others are ignored, as RFC 7517 section 5 demands."""
    keys: dict[str | None, Key] = {}
    for jwk in jwks:
        if not isinstance(jwk, dict) or jwk.get("kty") not in _KINDS or jwk.get("use", "sig") != "sig":
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", SecurityWarning)  # an RSA key of fewer than 2048 bits
                keys[jwk.get("kid")] = JWKRegistry.import_key(jwk)
        except _UNUSABLE:
            continue
    return keys


class IssuerDocuments:
    """Reads the documents that the trusted issuer publishes."""

    def __init__(self, trusted: TrustedIssuer, settings: Settings) -> None:
        self._trusted = trusted
        self._settings = settings

    async def keys(self) -> list[object]:
        """The JWKs, unchecked.

        Raises:
            IssuerUnavailable: the issuer cannot be reached, or publishes no keys, or metadata of another issuer.
        """
        url = self._trusted.jwks_url or await self._published_jwks_url()
        document = await self._document(url)
        if document is None or not isinstance(document.get("keys"), list):
            raise IssuerUnavailable(f"There is no list of keys at {url}.")
        keys: list[object] = document["keys"]
        return keys

    async def _published_jwks_url(self) -> str:
        issuer = self._trusted.issuer
        for url in metadata_urls(issuer):
            if (document := await self._document(url)) is None:
                continue
            if document.get("issuer") != issuer:
                raise IssuerUnavailable(
                    f"The metadata at {url} is not of {issuer}, but of {document.get('issuer')!r:.200}."
                )
            jwks_url = document.get("jwks_uri")
            if not isinstance(jwks_url, str) or not is_encrypted(jwks_url):
                raise IssuerUnavailable(f"The metadata at {url} has no jwks_uri that can be used.")
            return jwks_url
        raise IssuerUnavailable(f"There is no metadata of {issuer}; {JWKS_URL.name} can say where its keys are.")

    async def _document(self, url: str) -> dict[str, Any] | None:
        """The JSON object at an address; None where there is none."""
        parts = urlsplit(url)
        origin, rest = urlunsplit((*parts[:2], "", "", "")), urlunsplit(("", "", *parts[2:4], ""))
        try:
            async with aclosing(Wire(self._settings.with_changes({JWKS_URL.name: origin}), _TIMING)) as wire:
                answer = await wire.exchange(Request(_SERVICE, rest, accept="application/json"))
        except (Transient, BodyTooLarge, UpstreamError) as error:
            raise IssuerUnavailable(f"{parts.hostname}: {error}.") from error
        if answer.status != _OK:
            return None
        try:
            document = json.loads(answer.body)
        except (ValueError, RecursionError):
            return None
        return document if isinstance(document, dict) else None


def metadata_urls(issuer: str) -> list[str]:
    """The URLs at which an issuer's metadata may be, in the order that MCP prescribes to clients."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    urls = [f"{origin}{_OAUTH}{path}", f"{origin}{_OPENID}{path}", f"{origin}{path}{_OPENID}"]
    return list(dict.fromkeys(urls))
