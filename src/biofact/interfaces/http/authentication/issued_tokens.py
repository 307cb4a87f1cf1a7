"""JWTs of an issuer: whose key signed them, what they say, and whether they are for us and for now."""

import logging
import re
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from fastmcp.server.auth import AccessToken, TokenVerifier
from joserfc import jws, jwt
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import Key

from biofact.gateway.authentication import TrustedIssuer
from biofact.gateway.issuer import SigningKeys

SKEW_SECONDS = 60
"""By how much the issuer's clock and ours may differ."""
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519", "Ed448"),
)
MOST_CHARACTERS = 16 * 1024

_TYPES = {"", "jwt", "at+jwt", "application/at+jwt"}  # RFC 9068; without any, as some issuers have it
_FORM = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_REGISTRY = jws.JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
_LOG = logging.getLogger("biofact.authentication")
_REFUSALS = (JoseError, ValueError, TypeError, KeyError, AttributeError)


class IssuedTokens(TokenVerifier):
    """Lets in whoever has a token that the trusted issuer has made for this server, while it is valid.

    FastMCP's ``JWTVerifier`` knows one algorithm, no skew and no ``nbf``, takes a token that never expires, and forgets
    all keys when the issuer has been down for an hour (decision 0072).
    """

    def __init__(
        self,
        trusted: TrustedIssuer,
        keys: SigningKeys,
        sources: frozenset[str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._keys = keys
        self._sources = sources
        self._has_scopes = trusted.has_scopes
        self._claims = jwt.JWTClaimsRegistry(
            now=lambda: int(clock()),
            leeway=SKEW_SECONDS,
            iss={"essential": True, "value": trusted.issuer},
            aud={"essential": True, "values": list(trusted.audiences)},
            exp={"essential": True},
        )

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token this is, and which sources they may ask; None for one that does not open this server.

        Raises:
            IssuerUnavailable: nobody can say, for the issuer's keys cannot be had.
        """
        if len(token) > MOST_CHARACTERS or not _FORM.fullmatch(token):
            return None
        try:
            header = jws.extract_compact(token.encode(), registry=_REGISTRY).headers()
            _check_header(header)
            key = await self._keys.find(header.get("kid"))
            return self._access_token(_signed_claims(token, header["alg"], key)) if key is not None else None
        except _REFUSALS as error:
            _LOG.debug("A JWT was refused: %s.", type(error).__name__)
            return None

    def _access_token(self, claims: dict[str, Any]) -> AccessToken:
        """What the claims grant.

        Raises:
            JoseError: they are not for us, not for now, or bound to a key that nobody has shown (RFC 9449, 8705).
            ValueError: they do not say whose they are.
        """
        self._claims.validate(claims)
        subject, client = claims.get("sub"), claims.get("client_id") or claims.get("azp")
        owner = client or subject
        if "cnf" in claims or not isinstance(owner, str):
            raise ValueError("bound to a key, or to nobody")
        return AccessToken(
            token="",  # nothing behind this needs it, and what is not there is in no log
            client_id=owner,
            subject=subject,
            scopes=sorted(self._sources_of(claims)),
            expires_at=int(claims["exp"]) + SKEW_SECONDS,
            claims={"iss": claims["iss"]},
        )

    def _sources_of(self, claims: Mapping[str, Any]) -> frozenset[str]:
        """The sources that a token names, in ``scope`` or in ``scp``; all where the issuer's tokens name none."""
        if not self._has_scopes:
            return self._sources
        named = claims.get("scope") or claims.get("scp") or ""
        return self._sources.intersection(named.split() if isinstance(named, str) else named)


def _check_header(header: Mapping[str, Any]) -> None:
    if "crit" in header:
        raise ValueError("an extension that nobody here knows")
    if header.get("typ", "").lower() not in _TYPES:
        raise ValueError("a token for something else")
    if header["alg"] not in ALGORITHMS:
        raise ValueError("an algorithm by which whoever verifies could sign")


def _signed_claims(token: str, algorithm: str, key: Key) -> dict[str, Any]:
    """What the issuer has signed with that key, by an algorithm that the key is for."""
    key.check_use("sig")
    key.check_alg(algorithm)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)  # EdDSA has new names since RFC 9864; issuers use the old one
        return jwt.decode(token, key, registry=_REGISTRY).claims
