"""An audience that the issuer chooses: its tokens open, and those for our address, or for others, do not."""

import pytest

from tests.interfaces.http.issuer import AUDIENCE, issuing
from tests.interfaces.http.protected import METADATA, asked, challenge, listing, settings

pytestmark = pytest.mark.quick

APPLICATION = "0b1f3a52-1111-2222-3333-9d6c7e8f9a0b"
"""As Microsoft Entra names whom its tokens are for."""


@pytest.fixture(scope="module")
def issuer():
    with issuing() as running:
        yield running


@pytest.fixture
def answers(issuer, tmp_path):
    """What a server with an audience of the issuer's answers to tokens for some."""
    given = settings(tmp_path, issuer, BIOFACT_TOKENS=None, BIOFACT_AUTH_AUDIENCE=APPLICATION)
    return lambda *audiences: asked(given, *(listing(issuer.token(aud=audience)) for audience in audiences))


def test_the_audience_that_is_set_opens(answers):
    found = answers(APPLICATION, [APPLICATION], ["https://graph.example.org", APPLICATION])

    assert [answer.status_code for answer in found] == [200, 200, 200]


OTHERS = [
    AUDIENCE,
    f"{APPLICATION}/",
    APPLICATION.upper(),
    f"api://{APPLICATION}",
    [f"{APPLICATION} {APPLICATION}"],
    "https://graph.example.org",
    "",
    [],
    {"aud": APPLICATION},
    None,
]


def test_every_other_one_is_refused(answers):
    refused = answers(*OTHERS)

    statuses = [(audience, answer.status_code) for audience, answer in zip(OTHERS, refused, strict=True)]
    assert statuses == [(audience, 401) for audience in OTHERS]
    assert {challenge(answer)["error"] for answer in refused} == {"invalid_token"}


def test_clients_are_sent_for_tokens_by_our_address_all_the_same(answers, issuer, tmp_path):
    given = settings(tmp_path, issuer, BIOFACT_TOKENS=None, BIOFACT_AUTH_AUDIENCE=APPLICATION)
    refused, metadata = asked(given, listing(), lambda client: client.get("/.well-known/oauth-protected-resource/mcp"))

    assert challenge(refused)["resource_metadata"] == METADATA
    assert metadata.json()["resource"] == AUDIENCE
