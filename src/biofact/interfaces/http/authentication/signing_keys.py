"""The keys of an issuer: kept while they are fresh, fetched anew when they rotate, usable while the issuer is down."""

import asyncio
import logging
import time
import warnings
from collections.abc import Awaitable, Callable, Iterable

from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import JWKRegistry, Key
from starlette.authentication import AuthenticationError

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
