"""An audience that the issuer chooses: its tokens are accepted, and those for our address, or for others, are not."""

import pytest

from tests.interfaces.http.issuer import AUDIENCE
from tests.interfaces.http.protected import METADATA, challenge, listing, send_all, settings

pytestmark = pytest.mark.quick

APPLICATION = "0b1f3a52-1111-2222-3333-9d6c7e8f9a0b"
"""The form of Microsoft Entra's audiences."""


@pytest.fixture
def answers(issuer, tmp_path):
    """The answers of a server with an audience from the issuer to tokens with these audiences."""
    environment = settings(tmp_path, issuer, BIOFACT_TOKENS=None, BIOFACT_AUTH_AUDIENCE=APPLICATION)
    return lambda *audiences: send_all(environment, *(listing(issuer.token(aud=audience)) for audience in audiences))


def test_the_audience_that_is_set_opens(answers):
    statuses = answers(APPLICATION, [APPLICATION], ["https://graph.example.org", APPLICATION])

    assert [answer.status_code for answer in statuses] == [200, 200, 200]


OTHER_AUDIENCES = [
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
    responses = answers(*OTHER_AUDIENCES)

    statuses = [(audience, answer.status_code) for audience, answer in zip(OTHER_AUDIENCES, responses, strict=True)]
    assert statuses == [(audience, 401) for audience in OTHER_AUDIENCES]
    assert {challenge(answer)["error"] for answer in responses} == {"invalid_token"}


def test_clients_request_tokens_for_our_address_anyway(answers, issuer, tmp_path):
    environment = settings(tmp_path, issuer, BIOFACT_TOKENS=None, BIOFACT_AUTH_AUDIENCE=APPLICATION)
    refusal, metadata = send_all(
        environment, listing(), lambda client: client.get("/.well-known/oauth-protected-resource/mcp")
    )

    assert challenge(refusal)["resource_metadata"] == METADATA
    assert metadata.json()["resource"] == AUDIENCE
