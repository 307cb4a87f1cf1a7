"""The subject of a call over HTTP with tokens: a digest that distinguishes callers, and reveals nothing else."""

import hashlib
import json

from fastmcp.server.auth import AccessToken
from fastmcp.server.dependencies import get_access_token

DIGITS = 16


def subject() -> str:
    """The subject of the call under way; empty on a server without authentication."""
    token = get_access_token()
    return subject_of(token) if token else ""


def subject_of(token: AccessToken) -> str:
    """Sixteen hexadecimal digits, the same for all tokens of one owner: of the issuer's subject, else of the client.

    A name alone is no owner: two issuers may give the same one.
    """
    owner = ["subject", token.subject] if token.subject else ["client", token.client_id]
    whole = json.dumps([token.claims.get("iss"), *owner])
    return hashlib.sha256(whole.encode()).hexdigest()[:DIGITS]
