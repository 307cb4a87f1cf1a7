"""Static tokens, as ``biofact token`` makes them: one for each person or program of a small group."""

import hmac
import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from fastmcp.server.auth import AccessToken, TokenVerifier

from biofact.gateway import tokens
from biofact.gateway.tokens import StaticToken, TokenFile, TokenFileRefused

_LOG = logging.getLogger("biofact.authentication")


class StaticTokens(TokenVerifier):
    """Lets in whoever has a token of the file. Nobody, while the file is not to be trusted."""

    def __init__(self, file: TokenFile, sources: frozenset[str]) -> None:
        super().__init__()
        self._file = file
        self._sources = sources
        self._fault = ""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token this is, and which sources they may ask; None for one that is not, or no longer, in the file."""
        if not tokens.is_well_formed(token):
            return None
        digest = tokens.digest(token)
        match: StaticToken | None = None
        for known in self._tokens():  # all of them: how long it takes says nothing of which it was
            if hmac.compare_digest(known.sha256, digest):
                match = known
        if match is None or match.is_expired(datetime.now(UTC)):
            return None
        scopes = self._sources.intersection(match.scopes) if match.scopes else self._sources
        return AccessToken(
            token="",  # nothing behind this needs it, and what is not there is in no log
            client_id=match.name,
            scopes=sorted(scopes),
            expires_at=int(match.expires.timestamp()) if match.expires else None,
        )

    def _tokens(self) -> Sequence[StaticToken]:
        try:
            tokens = self._file.read().tokens
        except TokenFileRefused as error:
            if str(error) != self._fault:
                _LOG.warning("No static token is accepted. %s %s", error, error.hint)
            self._fault = str(error)
            return ()
        self._fault = ""
        return tokens
