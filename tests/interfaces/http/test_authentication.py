"""A server over HTTP accepts an issuer's tokens and static ones only, and refuses others as RFC 6750 requires."""

import json
import time

import pytest
from joserfc import jwk

from biofact.gateway.tokens import new_token
from tests.interfaces.http.issuer import AUDIENCE, key, public, run_issuer, segment, signed
from tests.interfaces.http.protected import METADATA, challenge, listing, send_all, settings
from tests.interfaces.http.static import with_tokens

pytestmark = pytest.mark.quick


@pytest.fixture
def answers(issuer, tmp_path):
    """The statuses of a server's answers to tokens."""
    environment = settings(tmp_path, issuer, BIOFACT_TOKENS=None)
    return lambda tokens: [status(response) for response in send_all(environment, *map(listing, tokens))]


@pytest.fixture
def exceptions(answers):
    """The tokens, by description, that are not answered with a status."""
    return lambda expected, tokens: {
        like: status for like, status in zip(tokens, answers(tokens.values()), strict=True) if status != expected
    }


def status(response):
    if response.status_code == 401:
        assert challenge(response)["error"] == "invalid_token"
        assert challenge(response)["scope"] == "doll toy"
        assert challenge(response)["resource_metadata"] == METADATA
    return response.status_code


def test_a_good_token_opens(issuer, answers):
    assert answers([issuer.token()]) == [200]


def test_the_challenge_does_not_name_the_issuer(tmp_path, issuer):
    (refusal,) = send_all(settings(tmp_path, issuer, BIOFACT_TOKENS=None), listing())

    assert refusal.status_code == 401
    assert challenge(refusal) == {"scope": "doll toy", "resource_metadata": METADATA}


REFUSED_CLAIMS = [
    {"exp": -61},
    {"exp": None},
    {"nbf": 70},
    {"iat": 70},
    {"aud": "https://other.example.org/mcp"},
    {"aud": [f"{AUDIENCE}/tools", "https://biofact.example.org"]},
    {"aud": None},
    {"iss": "https://issuer.example.org"},
    {"iss": None},
    {"sub": None, "client_id": None},
    {"cnf": {"jkt": "a-key-that-nobody-has-shown"}},
    {"exp": True},
    {"exp": "2100-01-01"},
    {"exp": float("nan")},
    {"sub": 7},
    {"client_id": {"a": 1}},
    {"scope": 7},
    {"scope": [["toy"]]},
]
ACCEPTED_CLAIMS = [
    {"exp": -30},
    {"nbf": 30},
    {"iat": 30},
    {"aud": ["https://other.example.org", AUDIENCE]},
    {"aud": f"{AUDIENCE}/"},
    {"sub": None},
    {"client_id": None},
    {"scope": None, "scp": ["toy", "doll"]},
]


def tokens_with(issuer, claim_sets):
    """Tokens with these claims, by the claims; whole numbers of times are seconds from now."""
    now = int(time.time())
    times = [
        {name: now + value for name, value in changes.items() if name in {"exp", "nbf", "iat"} and type(value) is int}
        for changes in claim_sets
    ]
    return {str(changes): issuer.token(**changes | of_now) for changes, of_now in zip(claim_sets, times, strict=True)}


def test_a_token_that_is_not_for_us_or_not_for_now_is_refused(issuer, exceptions):
    assert exceptions(401, tokens_with(issuer, REFUSED_CLAIMS)) == {}


def test_a_token_within_the_skew_or_with_more_audiences_opens(issuer, exceptions):
    assert exceptions(200, tokens_with(issuer, ACCEPTED_CLAIMS)) == {}


def test_types_of_access_tokens_open(issuer, exceptions):
    types = ["at+jwt", "application/at+jwt", "JWT", "jwt", None]

    assert exceptions(200, {typ: signed(issuer.claims(), typ=typ) for typ in types}) == {}


OTHER_KINDS = [
    {"typ": "logout+jwt"},
    {"typ": 7},
    {"crit": ["exp"], "exp": 1},
    {"crit": ["unheard-of"], "unheard-of": 1},
    {"crit": ["b64"], "b64": True},
    {"crit": []},
    {"kid": "nobody-knows-it"},
    {"kid": ""},
    {"kid": "first" * 200},
]


def test_a_token_of_another_kind_is_refused(issuer, exceptions):
    assert exceptions(401, {str(header): signed(issuer.claims(), **header) for header in OTHER_KINDS}) == {}


def test_an_unsigned_token_is_refused(issuer, answers):
    claims, unsigned_header = segment(issuer.claims()), segment({"alg": "none", "typ": "JWT", "kid": "first"})
    head, _, signature = issuer.token().split(".")
    unsigned = [
        f"{unsigned_header}.{claims}.",
        f"{unsigned_header}.{claims}.{signature}",
        f"{segment({'alg': 'None', 'kid': 'first'})}.{claims}.{signature}",
        f"{head}.{claims}.",
    ]

    assert answers(unsigned) == [401] * 4


def test_the_public_key_is_no_secret_to_sign_with(issuer, answers):
    published = [key().as_pem(private=False), key().as_der(private=False), json.dumps(public(key())).encode()]
    secrets = (*published, published[0].rstrip(), b"")
    algorithms = ("HS256", "HS384", "HS512")

    forged_tokens = [
        signed(issuer.claims(), response, algorithm, kid="first") for response in secrets for algorithm in algorithms
    ]

    assert answers(forged_tokens) == [401] * 15


def test_another_ones_signature_is_refused(issuer, answers):
    assert answers([signed(issuer.claims(), key("second"), kid="first")]) == [401]


def test_a_key_within_the_token_is_not_believed(issuer, answers):
    strange = key("second")
    public_key = {name: value for name, value in strange.as_dict(private=False).items() if name in {"kty", "kid"}}
    with_key_url = signed(issuer.claims(), strange, kid="first", jku=f"{issuer.origin}/evil.json")
    with_own_key = signed(issuer.claims(), jwk.generate_key("EC", "P-256"), "ES256", kid="first", jwk=public_key)

    assert answers([with_key_url, with_own_key]) == [401, 401]
    assert "/evil.json" not in issuer.request_counts


def test_a_changed_payload_is_refused(issuer, answers):
    head, _, signature = issuer.token().split(".")

    assert answers([f"{head}.{segment(issuer.claims(sub='somebody-else'))}.{signature}"]) == [401]


NO_TOKENS = [
    "x", "a.b", "a.b.c", "a.b.c.d.e", "..", f"{segment([])}.{segment({})}.x", f"{segment('alg')}.{segment({})}.x",
    f"{segment(b'{')}.{segment({})}.x", f"{segment(['alg'])}.{segment({})}.x", f"{segment({'alg': None})}.e30.x",
    f"{segment({'alg': ['RS256']})}.e30.x", f"{segment({'alg': 'RS256', 'kid': 7})}.e30.x", "biofact_", "biofact_.a.b",
    b"\xc3\xa9.\xc3\xa9.\xc3\xa9", "a" * 70_000,
]  # fmt: skip


def test_a_text_that_is_no_token_is_refused(exceptions):
    assert exceptions(401, {str(token)[:60]: token for token in NO_TOKENS}) == {}


def test_a_huge_token_is_refused_unread(issuer, answers):
    before = issuer.request_counts.total()

    assert answers([issuer.token(padding="x" * 20_000)]) == [401]
    assert issuer.request_counts.total() == before


def test_two_authorization_headers_are_refused(issuer, tmp_path):
    good, environment = issuer.token(), settings(tmp_path, issuer, BIOFACT_TOKENS=None)
    pairs = [[f"Bearer {good}", f"Bearer {good}"], [f"Bearer {good}", "Basic eDp5"], ["Bearer x", f"Bearer {good}"]]

    refusals = send_all(
        environment, *[listing(headers=[("authorization", response) for response in pair]) for pair in pairs]
    )

    assert [status(response) for response in refusals] == [401, 401, 401]


def test_a_token_outside_of_the_header_is_not_accepted(issuer, tmp_path):
    good, environment = issuer.token(), settings(tmp_path, issuer, BIOFACT_TOKENS=None)

    def in_query(client):
        return client.post(f"/mcp?access_token={good}&token={good}", json={}, headers={"accept": "application/json"})

    def in_form(client):
        return client.post("/mcp", data={"access_token": good}, headers={"accept": "application/json"})

    for refusal in send_all(environment, in_query, in_form, listing(headers=[("authorization", f"Basic {good}")])):
        assert refusal.status_code == 401
        assert "error" not in challenge(refusal)


def test_the_metadata_of_the_resource_is_this(issuer, tmp_path):
    (accepted,) = send_all(
        settings(tmp_path, issuer, BIOFACT_TOKENS=None),
        lambda client: client.get("/.well-known/oauth-protected-resource/mcp"),
    )

    assert accepted.status_code == 200
    assert accepted.headers["content-type"] == "application/json"
    assert accepted.json() == {
        "resource": AUDIENCE,
        "authorization_servers": [issuer.url],
        "scopes_supported": ["doll", "toy"],
        "bearer_methods_supported": ["header"],
        "resource_name": "biofact",
    }


def test_an_issuer_without_scopes_is_asked_for_none(issuer, tmp_path):
    environment = settings(tmp_path, issuer, BIOFACT_TOKENS=None, BIOFACT_AUTH_SCOPES="no")

    refusal, accepted, metadata = send_all(
        environment,
        listing(),
        listing(issuer.token(scope="email profile")),
        lambda client: client.get("/.well-known/oauth-protected-resource/mcp"),
    )

    assert challenge(refusal) == {"resource_metadata": METADATA}
    assert accepted.status_code == 200
    assert "scopes_supported" not in metadata.json()


def test_static_tokens_and_an_issuers_open_the_same_server(issuer, tmp_path):
    (alice,) = with_tokens(tmp_path, "alice")

    answers = send_all(settings(tmp_path, issuer), listing(alice), listing(issuer.token()), listing(new_token()))

    assert [response.status_code for response in answers] == [200, 200, 401]


def test_an_issuers_token_opens_no_server_of_static_tokens(issuer, tmp_path):
    (alice,) = with_tokens(tmp_path, "alice")

    accepted, refusal, anonymous, metadata = send_all(
        settings(tmp_path),
        listing(alice),
        listing(issuer.token()),
        listing(),
        lambda client: client.get("/.well-known/oauth-protected-resource/mcp"),
    )

    assert [response.status_code for response in (accepted, refusal, anonymous, metadata)] == [200, 401, 401, 404]
    assert refusal.headers["www-authenticate"].startswith('Bearer error="invalid_token"')
    assert anonymous.headers["www-authenticate"] == "Bearer"  # there is nowhere to get one


def test_no_answer_repeats_a_token(issuer, tmp_path, caplog):
    caplog.set_level("DEBUG")
    (alice,) = with_tokens(tmp_path, "alice")
    tokens = [alice, f"{alice[:-1]}!", issuer.token(), issuer.token(exp=1), new_token(), "some-secret-words"]

    answers = send_all(settings(tmp_path, issuer), *map(listing, tokens))

    output = "".join(f"{response.headers}{response.text}" for response in answers) + caplog.text
    assert not any(token in output or token.partition(".")[2] in output for token in tokens if "." in token)
    assert not any(token in output for token in tokens)


def test_keys_of_several_kinds_verify_what_they_are_for(tmp_path):
    ec, ed, large = key("ec", "EC", "P-256"), key("ed", "OKP", "Ed25519"), key("ec384", "EC", "P-384")
    good = [(key(), "RS256"), (key(), "PS512"), (key(), "RS384"), (ec, "ES256"), (large, "ES384"), (ed, "EdDSA"),
            (ed, "Ed25519")]  # fmt: skip
    with run_issuer() as issuer:
        issuer.publish(key(), ec, ed, large)

        answers = send_all(
            settings(tmp_path, issuer, BIOFACT_TOKENS=None),
            *[listing(signed(issuer.claims(), response, algorithm)) for response, algorithm in good],
            listing(signed(issuer.claims(), ec, "ES256", kid="ec384")),
            listing(signed(issuer.claims(), ec, "ES256", kid="first")),
        )

    assert [response.status_code for response in answers] == [200] * len(good) + [401, 401]


def test_a_key_for_something_else_verifies_nothing(tmp_path):
    with run_issuer() as issuer:
        for parameters in ({"use": "enc"}, {"alg": "PS256"}, {"alg": "RS512"}):
            issuer.documents["/jwks.json"] = public(key(), **parameters)

            (refusal,) = send_all(settings(tmp_path, issuer, BIOFACT_TOKENS=None), listing(issuer.token()))

            assert refusal.status_code == 401


def test_a_list_with_keys_of_unknown_types_is_read(tmp_path):
    strange = [{"kty": "AKP", "kid": "quantum"}, {"kty": "RSA", "kid": "broken", "n": "?"}, "key", None,
               {"kty": "oct", "kid": "first", "k": "c2VjcmV0"}]  # fmt: skip
    with run_issuer() as issuer:
        issuer.documents["/jwks.json"] = {"keys": [*strange, *public(key())["keys"], *strange]}

        (accepted,) = send_all(settings(tmp_path, issuer, BIOFACT_TOKENS=None), listing(issuer.token()))

    assert accepted.status_code == 200


def test_a_token_without_a_key_id_needs_the_only_key(tmp_path):
    with run_issuer() as issuer:
        environment, token = settings(tmp_path, issuer, BIOFACT_TOKENS=None), signed(issuer.claims(), kid=None)

        (accepted,) = send_all(environment, listing(token))
        issuer.publish(key(), key("second"))
        (refusal,) = send_all(environment, listing(token))

    assert [accepted.status_code, refusal.status_code] == [200, 401]


def test_no_token_is_rejected_while_the_issuer_was_never_reached(tmp_path):
    with run_issuer() as issuer:
        del issuer.documents["/jwks.json"]

        unknown, anonymous, nonsense = send_all(
            settings(tmp_path, issuer, BIOFACT_TOKENS=None), listing(issuer.token()), listing(), listing("x.y")
        )

    assert unknown.status_code == 503
    assert unknown.headers["retry-after"] == "30"
    assert [anonymous.status_code, nonsense.status_code] == [401, 401]
