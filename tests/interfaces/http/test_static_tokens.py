"""Static tokens: their text, the file that lists them, and a running server's reaction to its changes."""

import asyncio
import os
import re
import secrets

import pytest

from biofact.core.settings import Settings
from biofact.gateway.tokens import NoTokenFile, TokenFile, TokenFileRefused, digest, is_well_formed, new_token
from biofact.interfaces import every_source
from biofact.interfaces.http import authentication
from tests.interfaces.http.protected import URL, listing, send_all, settings
from tests.interfaces.http.static import entry, with_tokens, write

pytestmark = pytest.mark.quick

posix = pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights elsewhere")


def verified(provider, token):
    return asyncio.run(provider.verify_token(token))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tokens.json"


@pytest.fixture
def server(file):
    """A server whose file lists alice, and alice's token."""
    (alice,) = with_tokens(file.parent, "alice")
    return authentication.provider(Settings({"BIOFACT_TOKENS": str(file)}), URL), alice


def test_a_token_is_recognised_and_has_256_bits():
    tokens = {new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert all(re.fullmatch(r"biofact_[0-9A-Za-z]{49}", token) for token in tokens)
    assert 62**43 >= 2**256
    assert all(map(is_well_formed, tokens))


def test_any_slip_of_one_character_is_seen():
    token = new_token()
    slips = [
        token[:place] + other + token[place + 1 :]
        for place in range(len(token))
        for other in "0aZ_"
        if other != token[place]
    ]
    swapped_texts = [
        token[:place] + token[place + 1] + token[place] + token[place + 2 :]
        for place in range(len(token) - 1)
        if token[place] != token[place + 1]
    ]

    assert not any(map(is_well_formed, slips + swapped_texts))
    assert not any(map(is_well_formed, ["", token[:-1], f"{token}0", f" {token}", token.upper()]))


def test_the_stored_digest_of_a_token_is_not_accepted(server, file):
    _, alice = server
    file_text = file.read_text()

    assert alice not in file_text
    assert digest(alice) in file_text
    (refusal,) = send_all(settings(file.parent), listing(digest(alice)))
    assert refusal.status_code == 401


def test_a_token_says_whose_it_is_and_keeps_itself_to_itself(server):
    provider, alice = server
    access_token = verified(provider, alice)

    assert (access_token.client_id, access_token.subject, access_token.claims, access_token.token) == (
        "alice",
        None,
        {},
        "",
    )
    assert access_token.scopes == sorted(every_source.names())


def test_a_token_opens_the_sources_it_is_for(file):
    token = new_token()
    write(file, entry("course", token, ["entrez", "pubmed", "one-that-is-gone"]))

    assert verified(authentication.provider(Settings({"BIOFACT_TOKENS": str(file)}), URL), token).scopes == [
        "entrez",
        "pubmed",
    ]


def test_a_running_server_sees_each_change(server, file):
    provider, alice = server
    bob = new_token()

    assert verified(provider, bob) is None
    write(file, entry("alice", alice), entry("bob", bob))
    assert verified(provider, bob).client_id == "bob"
    assert verified(provider, alice).client_id == "alice"
    write(file, entry("bob", bob))
    assert verified(provider, alice) is None
    write(file)
    assert verified(provider, bob) is None


def test_several_workers_see_a_revocation(server, file):
    _, alice = server
    workers = [authentication.provider(Settings({"BIOFACT_TOKENS": str(file)}), URL) for _ in range(3)]

    assert all(verified(worker, alice) for worker in workers)
    write(file)
    assert not any(verified(worker, alice) for worker in workers)


def test_the_file_is_read_once_while_it_stays(server, monkeypatch):
    provider, alice = server
    verified(provider, alice)

    monkeypatch.setattr("pathlib.Path.open", None)

    assert verified(provider, alice)


def test_an_expired_token_opens_nothing(file):
    token, lasting_token = new_token(), new_token()
    write(file, entry("old", token, days=-1), entry("new", lasting_token, days=1))
    provider = authentication.provider(Settings({"BIOFACT_TOKENS": str(file)}), URL)

    assert verified(provider, token) is None
    assert verified(provider, lasting_token).expires_at is not None


def test_a_turned_bit_of_the_file_opens_nothing_more(file):
    token = new_token()
    write(file, entry("alice", token, ["igvf"], days=1))
    content = file.read_bytes()
    sources = frozenset(every_source.names())

    async def accepted(turned_bit):
        damaged = bytearray(content)
        damaged[turned_bit // 8] ^= 1 << turned_bit % 8
        file.write_bytes(damaged)
        return await authentication.StaticTokens(TokenFile(file), sources).verify_token(token)

    async def all_accepted():
        return [await accepted(turned_bit) for turned_bit in range(0, 8 * len(content), 3)]

    answers = [answer for answer in asyncio.run(all_accepted()) if answer]

    assert answers  # a turned bit of a name or date
    assert all({*answer.scopes} <= {"igvf"} and answer.expires_at for answer in answers)


def test_while_the_file_is_gone_no_token_is_accepted(server, file, caplog):
    provider, alice = server
    whole = file.read_bytes()
    file.unlink()

    assert [verified(provider, alice) for _ in range(3)] == [None] * 3
    assert len(caplog.records) == 1
    assert "No static token is accepted. There is no file of tokens" in caplog.text
    write(file, entry("alice", alice))
    assert verified(provider, alice)
    assert whole


@posix
def test_tokens_in_a_file_that_others_can_read_or_write_are_refused(server, file, caplog):
    provider, alice = server
    modes, outcomes = [0o640, 0o604, 0o620, 0o602, 0o644, 0o777], {}
    for mode in modes:
        caplog.clear()
        file.chmod(mode)
        refusal = verified(provider, alice)
        is_logged = "can be read or written by others" in caplog.text
        file.chmod(0o600)
        outcomes[oct(mode)] = (refusal, is_logged, verified(provider, alice) is not None)

    assert outcomes == {oct(mode): (None, True, True) for mode in modes}


@posix
def test_a_folder_that_others_can_write_to_while_serving_shuts_the_door_at_once(server, file, caplog):
    provider, alice = server
    outcomes = {}
    for mode in (0o770, 0o702, 0o777, 0o755):
        caplog.clear()
        file.parent.chmod(mode)
        refusal = verified(provider, alice)
        is_logged = "is in a folder that others can write to" in caplog.text
        file.parent.chmod(0o700)
        outcomes[mode] = (refusal is None, is_logged, verified(provider, alice) is not None)

    assert outcomes == dict.fromkeys((504, 450, 511), (True, True, True)) | {0o755: (False, False, True)}


@posix
@pytest.mark.parametrize(("mode", "is_refused"), [(0o770, True), (0o702, True), (0o1777, False), (0o755, False)])
def test_a_folder_in_which_others_can_put_another_file_is_refused(file, mode, is_refused):
    with_tokens(file.parent, "alice")
    file.parent.chmod(mode)
    try:
        if is_refused:
            with pytest.raises(TokenFileRefused, match="in a folder that others can write to"):
                TokenFile(file).read()
        else:
            assert TokenFile(file).read().named("alice")
    finally:
        file.parent.chmod(0o700)


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused(file):
    with_tokens(file.parent, "alice")
    os.chown(file, 12345, -1)

    with pytest.raises(TokenFileRefused, match="is another user's"):
        TokenFile(file).read()


NO_FILES = [
    b"", b"[]", b"{", b'{"version": 2}', b'{"tokens": [{"name": "x"}]}', b'{"tokens": [], "more": 1}', b"\xff\xfe",
    b'{"tokens": [{"name": "../x", "sha256": "0", "scopes": [], "created": "2026-01-01T00:00:00Z"}]}',
    b" " * 5_000_000,
]  # fmt: skip


def test_a_file_that_holds_no_tokens_is_refused_without_a_quotation(file):
    file.touch(0o600)
    warnings_by_case = {}
    for content in NO_FILES:
        file.write_bytes(content)
        warnings_by_case[content[:80]] = refusal(file)

    assert len(warnings_by_case) == len(NO_FILES)
    assert {
        content: refusal
        for content, refusal in warnings_by_case.items()
        if "is not a file of tokens" not in str(refusal)
    } == {}
    assert [
        refusal for refusal in warnings_by_case.values() if refusal.__cause__ is not None or len(str(refusal)) >= 300
    ] == []


def refusal(file):
    """The reason that a file is refused; None if it is read."""
    try:
        TokenFile(file).read()
    except TokenFileRefused as error:
        return error
    return None


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(TokenFileRefused, match="cannot be read"):
        TokenFile(tmp_path).read()


def test_no_file_is_no_file(file):
    with pytest.raises(NoTokenFile):
        TokenFile(file).read()


def test_a_guess_takes_no_longer_for_a_good_beginning(server, file, monkeypatch):
    """Every hash is compared, and each in constant time, whatever the guess."""
    provider, alice = server
    other_entries = [entry(f"other-{number}", new_token()) for number in range(9)]
    write(file, entry("alice", alice), *other_entries)
    compared_digests = []
    monkeypatch.setattr(
        "biofact.interfaces.http.authentication.hmac.compare_digest",
        lambda digest, other: compared_digests.append(other) or secrets.compare_digest(digest, other),
    )

    assert verified(provider, alice)
    assert len(compared_digests) == 10
    assert verified(provider, new_token()) is None
    assert len(compared_digests) == 20
