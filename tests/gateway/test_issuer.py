"""An issuer's metadata and keys: their URLs, and the documents that are refused."""

import asyncio
from dataclasses import replace

import pytest

from biofact.core.settings import Settings
from biofact.gateway.authentication import TrustedIssuer
from biofact.gateway.issuer import IssuerDocuments, IssuerUnavailable, metadata_urls
from tests.interfaces.http.issuer import AUDIENCE, key, public, run_issuer

pytestmark = pytest.mark.quick


def keys(issuer, jwks_url=None, **changes):
    trusted = TrustedIssuer(issuer.url, AUDIENCE, (AUDIENCE,), jwks_url, has_scopes=True)
    documents = IssuerDocuments(replace(trusted, **changes), Settings({}))
    return asyncio.run(documents.keys())


@pytest.mark.parametrize(
    ("issuer", "urls"),
    [
        (
            "https://login.example.org",
            [
                "https://login.example.org/.well-known/oauth-authorization-server",
                "https://login.example.org/.well-known/openid-configuration",
            ],
        ),
        (
            "https://login.example.org/realms/lab/",
            [
                "https://login.example.org/.well-known/oauth-authorization-server/realms/lab",
                "https://login.example.org/.well-known/openid-configuration/realms/lab",
                "https://login.example.org/realms/lab/.well-known/openid-configuration",
            ],
        ),
    ],
)
def test_metadata_is_looked_for_where_clients_look(issuer, urls):
    assert metadata_urls(issuer) == urls


@pytest.mark.parametrize(
    "place",
    [
        "/.well-known/oauth-authorization-server/realms/lab",
        "/.well-known/openid-configuration/realms/lab",
        "/realms/lab/.well-known/openid-configuration",
    ],
)
def test_keys_are_found_by_the_metadata(place):
    with run_issuer("/realms/lab") as issuer:
        (document,) = (issuer.documents.pop(path) for path in list(issuer.documents) if "well-known" in path)
        issuer.documents[place] = document

        assert keys(issuer) == public(key())["keys"]


def test_keys_at_an_address_of_their_own_need_no_metadata():
    with run_issuer() as issuer:
        assert keys(issuer, f"{issuer.origin}/jwks.json") == public(key())["keys"]
        assert issuer.request_counts == {"/jwks.json": 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"issuer": "https://evil.example.org"}, "is not of http.*but of 'https://evil.example.org'"),
        ({"issuer": None}, "but of None"),
        ({"jwks_uri": "http://192.0.2.1/jwks.json"}, "no jwks_uri that can be used"),
        ({"jwks_uri": "file:///etc/passwd"}, "no jwks_uri that can be used"),
        ({"jwks_uri": ["x"]}, "no jwks_uri that can be used"),
        ({"jwks_uri": None}, "no jwks_uri that can be used"),
    ],
)
def test_metadata_that_cannot_be_believed_leads_nowhere(changes, message):
    with run_issuer() as issuer:
        issuer.documents["/.well-known/oauth-authorization-server"] = issuer.metadata(**changes)

        with pytest.raises(IssuerUnavailable, match=message):
            keys(issuer)
        assert "/jwks.json" not in issuer.request_counts


def refusal(issuer):
    """The reason that the keys of an issuer are refused; empty if they are accepted."""
    try:
        keys(issuer)
    except IssuerUnavailable as unavailable:
        return str(unavailable)
    return ""


def test_a_document_that_is_no_list_of_keys_is_refused():
    messages = {}
    with run_issuer() as issuer:
        for document in (b"", b"<html>", b"[]", b"{}", b'{"keys": 7}', b"[" * 100_000, b"\xff"):
            issuer.documents["/jwks.json"] = document
            messages[document[:20]] = refusal(issuer)

    assert len(messages) == 7
    assert {document: message for document, message in messages.items() if "no list of keys" not in message} == {}


def test_an_issuer_that_is_down_is_named():
    with run_issuer() as issuer:
        pass

    with pytest.raises(IssuerUnavailable, match=r"127\.0\.0\.1: "):
        keys(issuer)


def test_without_metadata_a_setting_helps():
    with run_issuer() as issuer:
        issuer.documents.clear()

        with pytest.raises(IssuerUnavailable, match="BIOFACT_AUTH_JWKS_URL can say"):
            keys(issuer)
