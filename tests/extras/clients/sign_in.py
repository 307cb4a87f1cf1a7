"""Signing in from a Python client of either major version, without a browser."""

from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.shared import auth

REDIRECT = "http://127.0.0.1:9/callback"


class Memory:
    """The tokens that a client keeps."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


class Person:
    """Follows the client to the issuer, and returns its code."""

    def __init__(self, http):
        self._http = http

    async def visit(self, url):
        async with self._http.AsyncClient() as browser:
            self._answer = await browser.get(url)

    async def code(self):
        query = parse_qs(urlsplit(self._answer.headers["location"]).query)
        code, state = query["code"][0], query["state"][0]
        result = getattr(auth, "AuthorizationCodeResult", None)  # of version 2
        return result(code=code, state=state) if result else (code, state)


def provider(kind, url, issuer, http):
    """The provider from which the HTTP library gets tokens, for a program or else a person."""
    if kind == "program":
        return ClientCredentialsOAuthProvider(url, Memory(), "robot", "s3cret", issuer=issuer)
    person = Person(http)
    metadata = auth.OAuthClientMetadata(redirect_uris=[REDIRECT], client_name="test", token_endpoint_auth_method="none")
    return OAuthClientProvider(url, metadata, Memory(), person.visit, person.code)
