"""Settings of authentication that are wrong at the start, and their messages."""

import os

import pytest

from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.gateway.authentication import tokens_file, trusted_issuer
from biofact.interfaces.http import authentication
from tests.interfaces.http.protected import URL
from tests.interfaces.http.static import with_tokens

pytestmark = pytest.mark.quick

ISSUER = {"BIOFACT_AUTH_ISSUER": "https://login.example.org/", "BIOFACT_HTTP_URL": "https://biofact.example.org/mcp"}


@pytest.fixture(autouse=True)
def no_tokens_of_this_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))


def test_without_settings_there_is_no_authentication():
    assert authentication.provider(Settings({}), URL) is None


def test_an_issuer_is_trusted_exactly_as_it_is_written():
    trusted = trusted_issuer(Settings(ISSUER), "/mcp")

    assert (trusted.issuer, trusted.url) == ("https://login.example.org/", "https://biofact.example.org/mcp")
    assert (trusted.jwks_url, trusted.has_scopes) == (None, True)


def test_the_audience_is_the_canonical_url():
    canonical = {
        "https://Biofact.Example.org/mcp/": "https://biofact.example.org/mcp",
        "HTTPS://example.org:443/lab/mcp": "https://example.org/lab/mcp",
        "http://127.0.0.1:8000/mcp": "http://127.0.0.1:8000/mcp",
        "http://[::1]:8000/mcp": "http://[::1]:8000/mcp",
    }

    trusted = {url: trusted_issuer(Settings(ISSUER | {"BIOFACT_HTTP_URL": url}), "/mcp") for url in canonical}

    assert {url: canonical_url.url for url, canonical_url in trusted.items()} == canonical
    assert {url: canonical_url.audiences for url, canonical_url in trusted.items()} == {
        url: (canonical_url, f"{canonical_url}/") for url, canonical_url in canonical.items()
    }


def test_a_setting_names_another_audience_in_its_place():
    environment = ISSUER | {"BIOFACT_AUTH_AUDIENCE": "11111111-2222-3333-4444-555555555555"}
    trusted = trusted_issuer(Settings(environment), "/mcp")

    assert trusted.audiences == ("11111111-2222-3333-4444-555555555555",)
    assert trusted.url == "https://biofact.example.org/mcp"


CONTRADICTIONS = [
    ({"BIOFACT_HTTP_URL": ""}, "nothing says where clients reach this server"),
    ({"BIOFACT_HTTP_URL": "https://biofact.example.org"}, "BIOFACT_HTTP_URL does not end in /mcp"),
    ({"BIOFACT_HTTP_URL": "http://biofact.example.org/mcp"}, "BIOFACT_HTTP_URL is not encrypted"),
    ({"BIOFACT_HTTP_URL": "https://me:pw@biofact.example.org/mcp"}, "not an address that it can be"),
    ({"BIOFACT_HTTP_URL": "https://biofact.example.org/mcp?x=1"}, "not an address that it can be"),
    ({"BIOFACT_AUTH_ISSUER": "http://login.example.org"}, "BIOFACT_AUTH_ISSUER is not encrypted"),
    ({"BIOFACT_AUTH_ISSUER": "http://localhost.example.org"}, "BIOFACT_AUTH_ISSUER is not encrypted"),
    ({"BIOFACT_AUTH_ISSUER": "login.example.org"}, "not an address that it can be"),
    ({"BIOFACT_AUTH_ISSUER": "https://"}, "not an address that it can be"),
    ({"BIOFACT_AUTH_ISSUER": "https://login.example.org/#here"}, "not an address that it can be"),
    ({"BIOFACT_AUTH_ISSUER": "https://[login"}, "not an address that it can be"),
    ({"BIOFACT_AUTH_ISSUER": "ftp://login.example.org"}, "not encrypted"),
    ({"BIOFACT_AUTH_JWKS_URL": "http://192.0.2.1/jwks.json"}, "BIOFACT_AUTH_JWKS_URL is not encrypted"),
    ({"BIOFACT_AUTH_SCOPES": "onn"}, "BIOFACT_AUTH_SCOPES is 'onn'"),
    ({"BIOFACT_AUTH_AUDIENCE": "api://a, api://b"}, "not one audience"),
    ({"BIOFACT_AUTH_ISSUER": "", "BIOFACT_AUTH_AUDIENCE": "api://a"}, "whose tokens these are"),
    ({"BIOFACT_TOKENS": "~nobody-of-this-name/tokens.json"}, "begins with a home that there is not"),
    ({"BIOFACT_AUTH_ISSUER": "", "BIOFACT_AUTH_JWKS_URL": "https://x.example.org/"}, "whose keys these are"),
]


def refusal(changes):
    """The reason that a server does not start with these settings; None if it starts."""
    try:
        authentication.provider(Settings(ISSUER | changes), URL)
    except WrongUsage as wrong:
        return wrong
    return None


def test_a_contradiction_is_an_error_at_the_start():
    refusals = [(changes, message, refusal(changes)) for changes, message in CONTRADICTIONS]

    assert [(changes, str(wrong)) for changes, message, wrong in refusals if message not in str(wrong)] == []
    hints = [wrong.hint for _, _, wrong in refusals]
    assert [hint for hint in hints if not hint.endswith(".") and "https://" not in hint] == []
    assert "pw@" not in "".join(f"{wrong}{wrong.hint}" for _, _, wrong in refusals)


def test_keys_may_have_a_query_in_their_address():
    environment = ISSUER | {"BIOFACT_AUTH_JWKS_URL": "https://login.example.org/keys?policy=lab"}

    assert trusted_issuer(Settings(environment), "/mcp").jwks_url == "https://login.example.org/keys?policy=lab"


def test_a_file_that_a_setting_names_has_to_be_there(tmp_path):
    with pytest.raises(WrongUsage, match="There is no file of tokens") as error:
        authentication.provider(Settings({"BIOFACT_TOKENS": str(tmp_path / "tokens.json")}), URL)

    assert error.value.hint == "`biofact token add NAME` makes one."


def test_a_file_in_its_usual_place_is_found(tmp_path):
    file = tokens_file(Settings({}))
    file.parent.mkdir(parents=True, mode=0o700)
    with_tokens(file.parent, "alice")

    assert file.name == "tokens.json"
    assert authentication.provider(Settings({}), URL) is not None


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights elsewhere")
def test_a_file_that_others_can_read_is_an_error_at_the_start(tmp_path):
    with_tokens(tmp_path, "alice")
    (tmp_path / "tokens.json").chmod(0o644)

    with pytest.raises(WrongUsage, match="can be read or written by others") as error:
        authentication.provider(Settings({"BIOFACT_TOKENS": str(tmp_path / "tokens.json")}), URL)

    assert error.value.hint == f"chmod 600 {tmp_path / 'tokens.json'}"
